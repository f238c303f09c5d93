r"""Source text with LaTeX and Markdown to clean text, with an offset map both ways.

One pass from left to right over the source; each step emits clean characters that remember the source range they
came from, or swallows markup:

1. maths between `$…$`, `$$…$$`, `\(…\)`, `\[…\]`: delimiters swallowed, commands to Unicode (`\varepsilon` → ε),
   braces and spacing commands swallowed; a dollar opens maths by Pandoc's `tex_math_dollars` rule, so that prices stay;
2. wrappers (`\emph{…}`, `**…**`, `*…*`, `` `…` ``, `{…}`): the delimiters swallowed, the contents kept;
3. escapes, accents, dashes, TeX quotes and ties to the characters they stand for; `\cite{…}` swallowed;
4. white space: each run to one space; at the ends, to nothing;
5. everything else, unknown commands included, is kept as it is. Markup that never closes is text.

Two laws hold for every source and every clean range 0 ≤ i < j ≤ len(clean):

- *round trip*: with (s, e) = to_source(i, j), the range to_clean(s, e) contains (i, j), and mapping that to the source
  gives (s, e) again;
- *order*: 0 ≤ s < e ≤ len(source), and ranges that follow one another in the clean text do so in the source; a source
  without markup or surplus white space maps onto itself.

Why not pylatexenc's own conversion: it keeps no offsets and gives up where braces don't balance. Its table of symbols
is what we use. The idea of the map is that of `NormalizedString` in Hugging Face tokenizers.
"""

from __future__ import annotations

import re
from array import array

from kg.text.cleaner import cleaned
from kg.text.mapped import Text

__all__ = ["Text", "clean", "plain"]

ANY_MARKUP = re.compile(r"[\\$*`{}~]|''|--|\s\s|[^\S ]|^\s|\s$")


def clean(source: str) -> Text:
    r"""Read LaTeX and Markdown away.

    >>> clean(r"$R^2=0.998$ on \textbf{QM9}, ``$(2+\varepsilon)$-approximation'' --- 20$\times$ at 5\%").clean
    'R^2=0.998 on QM9, “(2+ε)-approximation” — 20× at 5%'
    """
    if not ANY_MARKUP.search(source):
        n = len(source)
        return Text(source, source, array("l", range(n)), array("l", range(1, n + 1)), ())
    return cleaned(source)


def plain(source: str) -> str:
    r"""Read the markup away where nobody will ask what stood where: the clean text alone, at less cost.

    >>> plain(r"relative $L_2$ error")
    'relative L_2 error'
    """
    return cleaned(source).clean if ANY_MARKUP.search(source) else source
