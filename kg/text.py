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
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

WRAPPERS = frozenset(
    "emph textbf textit textrm texttt textsc textsf textsl textmd textup textnormal underline uline text mbox hbox em "
    "mathrm mathcal mathbb mathbf mathsf mathit mathtt mathfrak mathscr boldsymbol bm operatorname ensuremath "
    "textsubscript textsuperscript "
    "widetilde tilde widehat hat bar overline vec dot ddot smash enquote url path footnotesize small".split()
)
SWALLOWED = frozenset(
    "left right big Big bigg Bigg bigl bigr Bigl Bigr biggl biggr middle displaystyle textstyle limits nolimits it bf "
    "rm sf tt sc em itshape bfseries noindent quad qquad xspace protect nobreak allowbreak par".split()
)
WITH_ARGUMENT = frozenset(
    "cite citep citet citealp citealt citeauthor citeyear citeyearpar parencite textcite autocite footcite nocite ref "
    "label eqref cref Cref autoref footnote vspace hspace".split()
)
ACCENTS = {"'": "\u0301", "`": "\u0300", '"': "\u0308", "^": "\u0302", "~": "\u0303", "=": "\u0304", ".": "\u0307"}
LETTER_ACCENTS = {"c": "\u0327", "v": "\u030c", "u": "\u0306", "H": "\u030b", "k": "\u0328", "r": "\u030a"}
LETTERS = {"l": "ł", "L": "Ł", "o": "ø", "O": "Ø", "ss": "ß", "ae": "æ", "AE": "Æ", "oe": "œ", "OE": "Œ", "aa": "å"}
LETTERS |= {"AA": "Å", "i": "ı", "j": "ȷ"}
MATHS_BY_HAND = {"ell": "ℓ", "ldots": "…", "dots": "…", "cdots": "…", "sqrt": "√", "lVert": "‖", "rVert": "‖"}
MATHS_BY_HAND |= {"log": "log", "ln": "ln", "exp": "exp", "min": "min", "max": "max", "arg": "arg", "argmin": "argmin"}

ANY_MARKUP = re.compile(r"[\\$*`{}~]|''|--|\s\s|[^\S ]|^\s|\s$")
TOKEN = re.compile(
    r"\\(?P<command>[A-Za-z]+)\*?|\\(?P<escape>[^A-Za-z])|(?P<dollar>\$\$?)|(?P<stars>\*\*?)|(?P<tick>`+)|(?P<quote>'')"
    r"|(?P<open>\{)|(?P<close>\})|(?P<dash>---?)|(?P<space>\s+|(?<=\S)~(?=\S))",
    re.DOTALL,
)
COMPOUND = re.compile(r"[-+*/=<>\s]")
ONLY_TEXT = re.compile(r"\\(?:text\w+|it|bf|emph)\{[^{}]*\}")
ACCENTED = re.compile(r"\{\\?([A-Za-z])\}|\\?([A-Za-z])(?![A-Za-z])|([A-Za-z])")
SPACED_LETTER = re.compile(r" +([A-Za-z])\b")
OPTIONAL = re.compile(r"(?:\[[^\[\]{}]{0,200}\]){1,2}(?=\{)")
BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
LONGEST_MATHS = 2000
LONGEST_EXPONENT = 200
LONGEST_EMPHASIS = 300
MOST_STARS = 20


@dataclass(frozen=True, slots=True)
class Text:
    """A source, its clean text, and for each clean character the source range it came from.

    `groups` are (clean start, clean end, source start, source end, is maths) of delimiters that were swallowed.
    """

    source: str
    clean: str
    begins: array[int] = field(repr=False)
    ends: array[int] = field(repr=False)
    groups: tuple[tuple[int, int, int, int, bool], ...] = field(repr=False)

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        r"""Source range of a clean range, with the delimiters that belong to it.

        Maths that the range covers comes with its dollars; a wrapper that the range covers and goes beyond comes with
        its delimiters, a wrapper around exactly the range does not.

        >>> text = clean(r"the \emph{fast} $k$-means of **Lloyd**")
        >>> [text.source[slice(*text.to_source(*span))] for span in ((4, 16), (4, 8), (9, 16), (20, 25))]
        ['\\emph{fast} $k$-means', 'fast', '$k$-means', 'Lloyd']
        """
        if not 0 <= start < end <= len(self.clean):
            raise ValueError(f"no clean range {start}-{end} in a text of {len(self.clean)} characters")
        left, right = self.begins[start], self.ends[end - 1]
        start, end = self.to_clean(left, right)  # the whole of a character that became several
        for i, j, source_start, source_end, maths in self.groups[bisect_left(self.groups, (start,)) :]:
            if i >= end:
                break
            if j <= end and (maths or (start, end) != (i, j)):
                left, right = min(left, source_start), max(right, source_end)
        return left, right

    def to_clean(self, start: int, end: int) -> tuple[int, int]:
        """Clean range of the characters that came from a source range; empty where all of it was swallowed.

        >>> clean("a **b** c").to_clean(2, 7)
        (2, 3)
        """
        return bisect_right(self.ends, start), bisect_left(self.begins, end)


def clean(source: str) -> Text:
    r"""Read LaTeX and Markdown away.

    >>> clean(r"$R^2=0.998$ on \textbf{QM9}, ``$(2+\varepsilon)$-approximation'' --- 20$\times$ at 5\%").clean
    'R^2=0.998 on QM9, “(2+ε)-approximation” — 20× at 5%'
    """
    if not ANY_MARKUP.search(source):
        n = len(source)
        return Text(source, source, array("l", range(n)), array("l", range(1, n + 1)), ())
    return _Cleaner(source).run()


class _Open(NamedTuple):
    """Markup that is open: where and with how many characters it closes, and where it began."""

    close_at: int
    close_length: int
    clean_start: int
    source_start: int
    maths: bool
    stroke: bool  # a numerator: its end becomes a stroke


class _Cleaner:
    """The state of one pass: the output so far, and the markup that is open.

    What is open closes within what was open before it (`fits`), so that its end is always the next one. Each step is
    bounded by a constant, so the pass is linear: matching braces are found once for the whole source.
    """

    def __init__(self, source: str) -> None:
        self.source = source
        self.out: list[str] = []
        self.begins = array("l")
        self.ends = array("l")
        self.groups: list[tuple[int, int, int, int, bool]] = []
        self.opened: list[_Open] = []
        self.limit = len(source)
        self.maths_depth = 0
        self.unknown_end = -1  # an unknown command keeps the braces of its argument
        self.braces = _braces(source) if "{" in source else {}

    def run(self) -> Text:
        at, end = 0, len(self.source)
        while at < end or self.opened:
            if self.opened and at >= self.limit:
                at = self.close()
                continue
            found = TOKEN.search(self.source, at)
            stop = min(found.start(), self.limit) if found else self.limit
            if found is None or stop > at:
                self.copy(at, stop)
                at = stop
            else:
                at = self.token(found)
        while self.out and self.out[-1] == " ":
            self.out.pop(), self.begins.pop(), self.ends.pop()
        n = len(self.out)
        groups = tuple(sorted((i, min(j, n), s, e, m) for i, j, s, e, m in self.groups if i < min(j, n)))
        return Text(self.source, "".join(self.out), self.begins, self.ends, groups)

    @property
    def in_maths(self) -> bool:
        return self.maths_depth > 0

    def copy(self, start: int, end: int) -> None:
        self.out.extend(self.source[start:end])
        self.begins.extend(range(start, end))
        self.ends.extend(range(start + 1, end + 1))

    def emit(self, text: str, start: int, end: int) -> None:
        for c in text:
            if c == " " and (not self.out or self.out[-1] == " "):
                continue
            self.out.append(c)
            self.begins.append(start)
            self.ends.append(end)

    def open(
        self, start: int, inside: int, close_at: int, close_length: int, *, maths: bool = False, stroke: bool = False
    ) -> int:
        """Note a group whose contents begin at `inside`; nested groups must close within the one that is open."""
        self.opened.append(_Open(close_at, close_length, len(self.out), start, maths, stroke))
        self.limit = close_at
        self.maths_depth += maths
        return inside

    def close(self) -> int:
        group = self.opened.pop()
        self.limit = self.opened[-1].close_at if self.opened else len(self.source)
        self.maths_depth -= group.maths
        end = group.close_at + group.close_length
        if group.stroke:
            self.emit("/", group.close_at, end)
        self.groups.append((group.clean_start, len(self.out), group.source_start, end, group.maths))
        return end

    def fits(self, close_at: int, length: int = 1) -> bool:
        return close_at >= 0 and close_at + length <= self.limit

    def token(self, found: re.Match[str]) -> int:
        kind = found.lastgroup
        start, end = found.span()
        if kind == "space":
            end = min(end, self.limit)
            self.emit(" ", start, end)
            return end
        if kind == "dash" and not self.in_maths:
            self.emit("—" if end - start == 3 else "–", start, end)
            return end
        handler = getattr(self, f"on_{kind}", None)
        after = handler(found) if handler and end <= self.limit else None
        if after is None:
            end = min(end, self.limit)
            self.copy(start, end)
            return end
        return int(after)

    def on_dollar(self, found: re.Match[str]) -> int | None:
        start, end = found.span()
        mark = found[0]
        close_at = _closing_dollar(self.source, end, mark)
        if self.in_maths or not self.fits(close_at, len(mark)):
            return None
        maths = not ONLY_TEXT.fullmatch(self.source, end, close_at)
        return self.open(start, end, close_at, len(mark), maths=maths)

    def on_stars(self, found: re.Match[str]) -> int | None:
        start, end = found.span()
        mark = found[0]
        if self.in_maths:
            return None
        close_at = _closing_stars(self.source, start, end, mark)
        return self.open(start, end, close_at, len(mark)) if self.fits(close_at, len(mark)) else None

    def on_tick(self, found: re.Match[str]) -> int | None:
        start, end = found.span()
        if found[0] == "``":
            self.emit("“", start, end)
            return end
        close_at = self.source.find("`", end, end + 200)
        if found[0] != "`" or not self.fits(close_at) or "\n" in self.source[end:close_at] or close_at == end:
            return None
        return self.open(start, end, close_at, 1)

    def on_quote(self, found: re.Match[str]) -> int | None:
        if self.in_maths:
            return None
        self.emit("”", *found.span())
        return found.end()

    def on_open(self, found: re.Match[str]) -> int | None:
        close_at = self.braces.get(found.start(), -1)
        if not self.fits(close_at) or found.start() == self.unknown_end:
            return None
        exponent_end = min(close_at, found.end() + LONGEST_EXPONENT)
        if self.source[found.start() - 1] in "^_" and COMPOUND.search(self.source, found.end() + 1, exponent_end):
            return None  # 2^{L-3} is not 2^L-3
        return self.open(found.start(), found.end(), close_at, 1)

    def on_escape(self, found: re.Match[str]) -> int | None:
        start, end = found.span()
        c = found["escape"]
        if c in "([" and not self.in_maths:
            close_at = self.source.find("\\)" if c == "(" else "\\]", end, end + LONGEST_MATHS)
            return self.open(start, end, close_at, 2, maths=True) if self.fits(close_at, 2) else None
        if c in ACCENTS and not self.in_maths:
            return self.accent(start, end, c, ACCENTS[c])
        if c in "%&_#$ ":
            self.emit(c, start, end)
            return end
        if c in "{}|":
            self.emit("‖" if c == "|" else c, start, end)
            return end
        if c in ",;:!/>\\":
            self.emit(" " if c == "\\" else "", start, end)
            return end
        return None

    def on_command(self, found: re.Match[str]) -> int | None:
        start, end = found.span()
        name = found["command"]
        if name in WITH_ARGUMENT and (optional := OPTIONAL.match(self.source, end, self.limit)):
            end = optional.end()
        close_at = self.braces.get(end, -1)
        if self.fits(close_at) and (after := self.with_braces(name, start, end, close_at)):
            return after
        spaced = SPACED_LETTER.match(self.source, end, self.limit) if name in LETTER_ACCENTS else None
        if spaced and not self.in_maths:
            return self.accent(start, spaced.start(1), "", LETTER_ACCENTS[name])
        if name in SWALLOWED or name in WRAPPERS:
            return self.after_spaces(end)
        symbol = MATHS_BY_HAND.get(name) or LETTERS.get(name) or _symbols().get(name)
        if symbol is None:
            self.unknown_end = end
            return None
        if close_at == end + 1 and self.fits(close_at):
            end += 2  # {} ends a command's name
        self.emit(symbol, start, end)
        return end if self.in_maths or name not in LETTERS else self.after_spaces(end)

    def with_braces(self, name: str, start: int, end: int, close_at: int) -> int | None:
        """A command whose argument stands in braces from `end` to `close_at`."""
        if name in WRAPPERS:
            return self.open(start, end + 1, close_at, 1)
        if name in WITH_ARGUMENT:
            return close_at + 1
        if name in ("href", "textcolor", "colorbox"):
            return self.second_argument(start, close_at)
        if name in LETTER_ACCENTS and close_at - end <= 3:
            return self.accent(start, end, "", LETTER_ACCENTS[name])
        if name in ("frac", "dfrac", "tfrac", "nicefrac", "sfrac") and self.fits(self.braces.get(close_at + 1, -1)):
            return self.open(start, end + 1, close_at, 1, stroke=True)  # the second argument is a group of its own
        return None

    def after_spaces(self, at: int) -> int:
        """TeX swallows the space that ends a command's name."""
        while at < self.limit and self.source[at] == " ":
            at += 1
        return at

    def second_argument(self, start: int, first_end: int) -> int | None:
        close_at = self.braces.get(first_end + 1, -1)
        return self.open(start, first_end + 2, close_at, 1) if self.fits(close_at) else None

    def accent(self, start: int, end: int, command: str, mark: str) -> int | None:
        """A letter, in braces or without, dotless or not, with its accent; `\\~{}` is the bare character."""
        if command and self.source.startswith("{}", end) and end + 2 <= self.limit:
            self.emit(command, start, end + 2)
            return end + 2
        letter = ACCENTED.match(self.source, end, self.limit)
        if letter is None:
            return None
        self.emit(unicodedata.normalize("NFC", (letter[1] or letter[2] or letter[3]) + mark), start, letter.end())
        return letter.end()


def _braces(source: str) -> dict[int, int]:
    """Where each opening brace closes, if it does; escaped braces are text."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for found in BRACES.finditer(source):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            pairs[opened.pop()] = found.start()
    return pairs


def _closing_dollar(source: str, at: int, mark: str) -> int:
    """Where maths that opens before `at` closes, or -1: Pandoc's rule, which leaves `$5 and $10` alone."""
    if mark == "$" and source[at : at + 1].isspace():
        return -1
    close_at = at
    while (close_at := source.find(mark, close_at, at + LONGEST_MATHS)) >= 0:
        if source[close_at - 1] == "\\" or close_at == at:
            close_at += 1
            continue
        after = source[close_at + len(mark) : close_at + len(mark) + 1]
        if mark == "$" and (source[close_at - 1].isspace() or after.isdigit()):
            return -1
        return -1 if "\n\n" in source[at:close_at] else close_at
    return -1


def _closing_stars(source: str, start: int, at: int, mark: str) -> int:
    """Where emphasis closes, or -1; CommonMark's flanking rule: `**kern format **x` opens nothing."""
    before, after = source[start - 1 : start], source[at : at + 1]
    if not after or after.isspace() or after == "*" or (mark == "*" and before.isalnum()):
        return -1
    close_at = at
    for _ in range(MOST_STARS):
        close_at = source.find(mark, close_at + 1, at + LONGEST_EMPHASIS)
        if close_at < 0:
            break
        follows = source[close_at + len(mark) : close_at + len(mark) + 1]
        if mark == "*" and (follows == "*" or source[close_at - 1] == "*"):
            close_at += 1
            continue
        if source[close_at - 1].isspace() and follows and not follows.isspace():
            return -1  # another one opens here: the nearer opener has the claim
        if not source[close_at - 1].isspace() and not (mark == "*" and follows.isalnum()):
            return -1 if "\n" in source[at:close_at] else close_at
    return -1


@lru_cache(maxsize=1)
def _symbols() -> dict[str, str]:
    """Commands without arguments and the characters that pylatexenc says they stand for."""
    from pylatexenc.latex2text import get_default_latex_context_db

    database = get_default_latex_context_db()
    return {
        spec.macroname: spec.simplify_repl
        for category in database.categories()
        for spec in database.iter_macro_specs([category])
        if isinstance(spec.simplify_repl, str) and _is_symbol(spec.simplify_repl)
    }


def _is_symbol(text: str) -> bool:
    """Whether a replacement is one visible character or words: no spacing, no template, not today's date."""
    return (len(text) == 1 and not text.isspace() and text != "%") or text.replace(" ", "").isalpha()
