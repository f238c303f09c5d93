"""Where sentences begin, in clean text.

A full stop, question or exclamation mark (closing quotes and brackets behind it) ends a sentence where white space
follows and then something that can begin one: a capital, a digit, an opening bracket or quote. Not after an
abbreviation (`et al.`, `Fig.`, `w.r.t.`), an initial, nor inside brackets. A sentencizer cuts at each of these, and a
parser costs more than the rest of the pipeline.
"""

from __future__ import annotations

import re

STOP = re.compile(r"[.!?][\"'”’)\]]*(?=\s+[\"'“‘(\[]?[^\Wa-z_])")
ABBREVIATION = re.compile(
    r"(?:\b(?:al|approx|cf|ca|vs|resp|etc|viz|incl|fig|figs|eq|eqs|sec|ref|refs|no|vol|pp|dr|prof|st|acc|avg|w\.r\.t|"
    r"i\.i\.d|i\.e|e\.g|a\.k\.a|s\.t)|(?:^|[\s(])[A-Z])\.$",
    re.IGNORECASE,
)
WORD = re.compile(r"\S")
BRACKETS = {"(": 1, "[": 1, ")": -1, "]": -1}
LONGEST_BRACKET = 400


def sentences(text: str) -> tuple[tuple[int, int], ...]:
    """Half-open (start, end) of each sentence, white space between them left out.

    >>> text = "It beats GANs (cf. Fig. 3), i.e. ours. In 2.5% of cases, et al. agree! Code follows"
    >>> [text[a:b] for a, b in sentences(text)]
    ['It beats GANs (cf. Fig. 3), i.e. ours.', 'In 2.5% of cases, et al. agree!', 'Code follows']
    """
    found = []
    start = 0
    for stop in STOP.finditer(text):
        end = stop.end()
        if ABBREVIATION.search(text, max(start, stop.start() - 12), stop.start() + 1) or _inside_brackets(
            text, start, end
        ):
            continue
        found.append((start, end))
        start = WORD.search(text, end).start()  # type: ignore[union-attr]  # STOP looked ahead for it
    if text[start:].strip():
        found.append((start, len(text.rstrip())))
    return tuple(found)


def _inside_brackets(text: str, start: int, end: int) -> bool:
    depth = 0
    for c in text[max(start, end - LONGEST_BRACKET) : end]:
        depth = max(0, depth + BRACKETS.get(c, 0))
    return depth > 0 and any(c in ")]" for c in text[end : end + LONGEST_BRACKET])
