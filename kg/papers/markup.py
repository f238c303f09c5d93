"""HTML and JATS inside abstracts to text, by a list of tags that are markup: `a<b, c>d` is none.

1. Tags of the list go, with what they add: the title "Abstract" goes wholly, and so does MathML where the same formulas
   are there in TeX; a paragraph's end becomes a line feed.
2. Then, once, entities become characters: `&amp;lt;` is the text `&lt;`.

Why not an HTML parser: it takes every `<` that a letter follows for a tag.
"""

from __future__ import annotations

import html
import re

NAMES = (
    "abstract|p|title|sec|label|b|bold|i|italic|em|strong|sub|sup|tt|monospace|sc|u|underline|br|span|div|a|xref|ext-link"
    "|list|list-item|ul|ol|li|inline-formula|disp-formula|tex-math|alternatives|named-content|styled-content|h[1-6]|font"
    "|inline-graphic|break|ack|uri|email|strike|scp|smallcaps|inf|i-i|fixed-case|url|pre|code|blockquote"
)
ATTRIBUTE = r"\s++[\w:-]++\s*+=\s*+(?:\"[^\"<>]*+\"|'[^'<>]*+'|[^\s\"'<>=]++)"
TAG = re.compile(rf"</?(?:jats:)?(?:{NAMES}|(?:mml|m):\w+|math)(?:{ATTRIBUTE})*+\s*+/?>", re.IGNORECASE)
HEAD = re.compile(r"<(?:jats:)?title>\s*+(?:abstract|summary)[.:]?\s*+</(?:jats:)?title>\s*+", re.IGNORECASE)
BLOCK_END = re.compile(
    r"</(?:jats:)?(?:p|title|sec|list-item|li|div|h[1-6])>\s*+|<(?:br|jats:break|break)\s*+/?>\s*+", re.IGNORECASE
)
MATHML, MATHML_END = "<mml:math", "</mml:math>"


def without_tags(text: str) -> str:
    """Read HTML and JATS tags and entities away.

    >>> without_tags("<jats:title>Abstract</jats:title><jats:p>If a<b, c>d &amp; H<jats:sub>2</jats:sub>O.</jats:p>")
    'If a<b, c>d & H2O.'
    """
    if "<" in text:
        text = _without_mathml(text) if "tex-math>" in text else text
        text = TAG.sub("", BLOCK_END.sub("\n", HEAD.sub("", text, count=1))).strip()
    return html.unescape(text)


def _without_mathml(text: str) -> str:
    parts, at = [], 0
    while (begin := text.find(MATHML, at)) >= 0 and (end := text.find(MATHML_END, begin)) >= 0:
        parts.append(text[at:begin])
        at = end + len(MATHML_END)
    return "".join((*parts, text[at:]))
