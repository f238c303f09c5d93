"""The one pass over a source: a step for each kind of markup (`kg.text` says which)."""

from __future__ import annotations

import re
import unicodedata
from array import array

from kg.text.closing import LONGEST_MATHS, Open, after_spaces, braces, closing_dollar, closing_stars
from kg.text.commands import (
    ACCENTS,
    LETTER_ACCENTS,
    LETTERS,
    MATHS_BY_HAND,
    SWALLOWED,
    WITH_ARGUMENT,
    WRAPPERS,
    symbols,
)
from kg.text.mapped import Text

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
LONGEST_EXPONENT = 200


def cleaned(source: str) -> Text:
    """Take the markup of a source away."""
    return _Cleaner(source).run()


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
        self.opened: list[Open] = []
        self.limit = len(source)
        self.maths_depth = 0
        self.unknown_end = -1  # an unknown command keeps the braces of its argument
        self.braces = braces(source) if "{" in source else {}

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
        self.opened.append(Open(close_at, close_length, len(self.out), start, maths, stroke))
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
        close_at = closing_dollar(self.source, end, mark)
        if self.in_maths or not self.fits(close_at, len(mark)):
            return None
        maths = not ONLY_TEXT.fullmatch(self.source, end, close_at)
        return self.open(start, end, close_at, len(mark), maths=maths)

    def on_stars(self, found: re.Match[str]) -> int | None:
        start, end = found.span()
        mark = found[0]
        if self.in_maths:
            return None
        close_at = closing_stars(self.source, start, end, mark)
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
            return after_spaces(self.source, end, self.limit)
        symbol = MATHS_BY_HAND.get(name) or LETTERS.get(name) or symbols().get(name)
        if symbol is None:
            self.unknown_end = end
            return None
        if close_at == end + 1 and self.fits(close_at):
            end += 2  # {} ends a command's name
        self.emit(symbol, start, end)
        return end if self.in_maths or name not in LETTERS else after_spaces(self.source, end, self.limit)

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
