r"""Finds the numbers of a text that could be results, and says where each begins and ends.

1. On the clean text (so that `$28\times$`, `28$\times$` and `28×` are one case): a number with its sign, separators
   (`1.234.5` is no number, and no part of it is one), error (`± 0.3`), power of ten and unit; two of them joined by a
   dash or `to` are a range, unless `from` stands before: then they are two numbers, the old and the new one. A slash
   list is a number each.
2. Numbers in words: `twice`, `half`, `an order of magnitude`, `three times`.
3. Formulas: maths that is not a plain number; outside maths `O(…)` or `Ω(…)`, to the bracket that closes it, and the
   factor of `(1+ε)-approximation`.

What is part of a name (`GPT-4`, `top-5`, `R^2`, `3D`) is left out here; whether a number is a result is decided by
`kg.extraction.results`. Candidates may overlap (a range and its two ends): the better one wins there.

Why not spaCy's `like_num` or quantulum: neither knows LaTeX, and both lose the unit or the offset that we must keep.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from kg.text import Text


class Shape(StrEnum):
    """How a candidate is written."""

    NUMBER = "number"
    RANGE = "range"
    WORDS = "words"
    FORMULA = "formula"


@dataclass(frozen=True, slots=True, order=True)
class Number:
    """A candidate: half-open offsets in the clean text, and how it is written."""

    start: int
    end: int
    shape: Shape


THIN = "\u00a0\u2009\u202f'’"  # between thousands
DIGITS = (
    rf"(?!(?<=[0-9] )[0-9]{{3}}(?![0-9]))(?<![0-9][.,{THIN}])"  # `1 234` may be one number or two: none
    rf"(?:[0-9]{{1,3}}(?:[.][0-9]{{3}})+,[0-9]+|[0-9]{{1,3}}(?:[{THIN}][0-9]{{3}})+(?:[.,][0-9]+)?|"
    r"[0-9]{1,3}(?:,[0-9]{3})+(?:[.][0-9]+)?|[0-9]+,[0-9]{1,2}|[0-9]+(?:[.][0-9]+)?|(?<![0-9])[.][0-9]+)"
    rf"(?![0-9]|[.,{THIN}][0-9]| [0-9]{{3}}(?![0-9]))"
)
EXPONENT = r"\s?\^\s?[-−+]?[0-9]+(?![0-9A-Za-z]|[.,][0-9])"
POWER = rf"(?:\s?[×·*]\s?10{EXPONENT}|[eE][-−+]?[0-9]+(?![0-9A-Za-z]|[.,][0-9])|{EXPONENT})"
ERROR = rf"(?:\s?\$?±\$?\s?(?:{DIGITS})%?)"
FRACTION = r"(?<![0-9./])[0-9]{1,3}/[0-9]{1,3}(?![0-9./%])"
CORE = rf"(?:{FRACTION}|\((?:{DIGITS}){ERROR}\){POWER}?|(?:{DIGITS}){POWER}?{ERROR}?)"
UNIT_WORDS = (
    r"fold|percentage[- ]points?|percent(?:[- ]points?)?|pp|pts?|points?|times|ms|µs|μs|ns|s|secs?|seconds?|mins?|"
    r"minutes?|hours?|hrs?|days?|weeks?|dB|[KMGTP]i?B|[kK]bp?s?|kB|[FT]PS|fps|[kMG]?[hH]z|mm|cm|km|m|meters?|nm|bits?|"
    r"bpp|nats?|[MTG]FLOPs?|FLOPs?|[mk]?W|[mk]?J|[KMB]"
)
UNIT = rf"(?:\+?\s?(?:%|×|‰)\+?(?:\s(?:percentage\s)?points?\b)?|\s?[xX](?![\w-])|[- ]?(?:{UNIT_WORDS})(?![\w-]))"
SIGN = r"(?:(?:[~∼≈<>≤≥±↑↓×]|(?<![0-9A-Za-z)%])[+−–-])\s?){0,2}"
CUT = rf"\s?\^|\s?[×·*]?\s?10\s?\^|(?<=[0-9])[.,{THIN}][0-9]"  # the number goes on, so no part of it is one
JOIN = r"(?:\s?(?:[-–—−~∼]|--)\s?|\sto\s)"
NUMBER = re.compile(
    rf"(?<![\w.^_])(?<![A-Za-z][-–/+])(?P<first>{SIGN}{CORE}{UNIT}?)(?:(?P<join>{JOIN})(?P<second>[+~∼]?{CORE}{UNIT}?))?(?!\w|{CUT})"
)
COUNTS = "two|three|four|five|six|seven|eight|nine|ten"
SPELLED = re.compile(
    rf"\b(?:(?:(?:an?|one|several|multiple|many|{COUNTS}|[0-9]+)\s+)?orders?[ -]of[ -]magnitudes?|twice|"
    r"(?<!-)half(?!-)|(?<!-)zero(?!-)|"
    rf"(?:{COUNTS})-?fold|(?:{COUNTS}|twenty|fifty|hundred) times|one-(?:third|quarter|fourth|fifth|sixth|tenth)|"
    r"(?:tens|hundreds|dozens) of (?:seconds|minutes|hours))\b",
    re.IGNORECASE,
)
HINTS = ("order", "twice", "half", "zero", "fold", " times", "one-", "s of ")
OLD_AND_NEW = re.compile(r"\bfrom(?: (?!to\b)\w+){0,3}\s*$", re.IGNORECASE)
SPREAD = re.compile(r"\brang\w* from\s*$", re.IGNORECASE)
EQUALS = re.compile(r"[=≈≥≤<>]\s?$")
FACTOR = re.compile(r"(?<![\w)])\([0-9][^()]{1,16}\)(?=-)")
ORDER = re.compile(r"(?<![\w^_])[OoΩΘω𝒪Õ]\*?\s?\((?=[^)])")
FORMULA = re.compile(r"[OoΩΘω𝒪Õ]\*?\s?\(|log|√|\^|/|\(")
LONGEST = 400


def find(text: Text) -> tuple[Number, ...]:
    r"""Find all numbers, in words and formulas too, that could be results; in order, possibly overlapping.

    >>> from kg.text import clean
    >>> text = clean(r"On QM9 GPT-4 is $28\times$ faster, with $R^2=0.998$, from 80.2\% to 64\%, in $O(n^2)$ time.")
    >>> [text.source[slice(*text.to_source(n.start, n.end))] for n in find(text)]
    ['$28\\times$', '0.998', '80.2\\%', '64\\%', '$O(n^2)$']
    """
    found = {*_numbers(text.clean), *_words(text.clean)}
    formulas = _formulas(text, found)
    alone = (n for n in found if not _within(formulas, n.start, n.end))
    return tuple(sorted({*alone, *formulas}))


def _numbers(clean: str) -> list[Number]:
    found = []
    for hit in NUMBER.finditer(clean):
        start, end = hit.span()
        if hit["join"] is None:
            found.append(Number(start, end, Shape.NUMBER))
            continue
        before = clean[max(0, start - 24) : start]
        both = hit["join"] == " to " and OLD_AND_NEW.search(before) and not SPREAD.search(before)
        if not both:
            found.append(Number(start, end, Shape.RANGE))
        if both or hit["join"] == " to ":
            found += [Number(*hit.span("first"), Shape.NUMBER), Number(*hit.span("second"), Shape.NUMBER)]
    return found


def _words(clean: str) -> list[Number]:
    small = clean.lower()
    if not any(hint in small for hint in HINTS):
        return []
    return [Number(*hit.span(), Shape.WORDS) for hit in SPELLED.finditer(clean)]


def _formulas(text: Text, numbers: set[Number]) -> list[Number]:
    clean = text.clean
    values = {n.end for n in numbers if EQUALS.search(clean, max(0, n.start - 3), n.start)}  # R^2 = 0.998 is a number
    found = []
    for start, end, _, _, maths in text.groups:
        whole = {Number(start, end, Shape.NUMBER), Number(start, end, Shape.RANGE)} & numbers
        if maths and not whole and end not in values and end - start <= LONGEST and FORMULA.search(clean, start, end):
            found.append(Number(start, end, Shape.FORMULA))
    found = sorted(found)
    plain = []
    for hit in (*ORDER.finditer(clean), *FACTOR.finditer(clean)):
        end = _closing(clean, hit.end() - 1) if hit[0][-1] == "(" else hit.end()
        if end and not _within(found, hit.start(), hit.start()):
            plain.append(Number(hit.start(), end, Shape.FORMULA))
    return sorted(found + plain)


def _within(formulas: Sequence[Number], start: int, end: int) -> bool:
    """Whether a formula that begins at or before `start` and nearest to it reaches `end`."""
    at = bisect_right(formulas, start, key=lambda f: f.start)
    return at > 0 and end <= formulas[at - 1].end


def _closing(clean: str, at: int) -> int:
    """End of the bracket that opens at `at`, or 0 where it never closes."""
    depth = 0
    for i in range(at, min(len(clean), at + LONGEST)):
        depth += (clean[i] in "([{") - (clean[i] in ")]}")
        if depth == 0:
            return i + 1
    return 0
