r"""Reads what a value says: how it is meant, its number as exact decimal digits, and its unit.

1. LaTeX is read away and look-alikes are made one (`−` is `-`, `10⁻³` is `10^-3`).
2. A word (`twice`, `two orders of magnitude`) has its number in a table; a formula (`O(n)`) has none.
3. Else relation, sign, digits, error, power of ten and unit are read by one expression, on both sides of a range.
4. Thousands separators are taken where they can be nothing else; `1.234.5` and `1,23,4` have no number.
5. The kind is the first that fits: bound, with error, power of ten, ratio, difference, absolute. `Value.kinds` says
   besides how such a value is meant: `below 2.5%` is a bound of a level, `more than 5% higher` one of a difference.

A power of ten moves the point within the string, as do thousands and millions (`27K`). Nothing passes through a float:
92.10 would become 92.1, and 400 digits `inf`. A value that cannot be read as one number has none: half a value is worse
than none.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from decimal import Decimal
from enum import StrEnum

from kg.extraction.changes import is_change
from kg.extraction.decimals import LONGEST, decimal, quotient
from kg.text import clean


class Kind(StrEnum):
    """How a value is meant."""

    ABSOLUTE = "absolute"
    DIFFERENCE = "difference"
    RATIO = "ratio"
    BOUND = "bound"
    RANGE = "range"
    WITH_ERROR = "with error"
    POWER = "power of ten"
    SPELLED_OUT = "spelled out"


@dataclass(frozen=True, slots=True)
class Value:
    """What a value says; each field but `kind` is "" where it says nothing.

    `number`, `error`, `lower` and `upper` are lexical forms of xsd:decimal. A range has `lower` and `upper` and no
    `number`. `relation` is one of < ≤ > ≥ ≈. `also`: what it is besides its kind.
    """

    kind: Kind
    number: str = ""
    unit: str = ""
    error: str = ""
    lower: str = ""
    upper: str = ""
    relation: str = ""
    also: tuple[Kind, ...] = ()

    @property
    def kinds(self) -> tuple[Kind, ...]:
        """How it is meant (absolute, difference or ratio), where it has a number; then how it is written.

        >>> Value(Kind.RANGE, unit="×", lower="15.2", upper="26.4").kinds, Value(Kind.BOUND).kinds
        ((<Kind.RATIO: 'ratio'>, <Kind.RANGE: 'range'>), (<Kind.BOUND: 'bound'>,))
        """
        meant = Kind.ABSOLUTE
        if self.unit == "×":
            meant = Kind.RATIO
        elif Kind.DIFFERENCE in self.also or self.kind is Kind.DIFFERENCE or self.unit == "points":
            meant = Kind.DIFFERENCE
        counts = self.number or self.lower or self.error or self.unit == "×"
        return tuple(dict.fromkeys((*([meant] if counts else []), self.kind, *self.also)))


SAME = str.maketrans("−–—‒\u2009\u202f\u00a0\u2007∗∼～˜$", "----    *~~~ ")
SUPERSCRIPTS = str.maketrans("⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺", "0123456789-+")
RAISED = re.compile(r"(?<=[0-9])[⁻⁺]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+")

DIGITS = r"(?:[0-9](?:[0-9.,' ]*[0-9])?|[.][0-9]+)"
SINGLE = re.compile(
    r"(?P<relation>[<>≤≥≈~])?\s*(?P<sign>[-+±↑↓])?\s*"
    rf"(?:\(\s*(?P<mean>{DIGITS})\s*±\s*(?P<deviation>{DIGITS})\s*\)|(?P<digits>{DIGITS}))"
    r"(?:\s*[×x·*]\s*10\s*\^\s*(?P<power>[-+]?[0-9]{1,4})|[eE](?P<exponent>[-+]?[0-9]{1,4}))?"
    rf"(?:\s*±\s*(?P<error>{DIGITS}))?"
    r"\+?[\s-]?(?P<unit>%(?: (?:percentage )?points?)?|[×°‰]|[^\W\d_]+(?:[ /-][^\W\d_]+){0,3})?\+?"
)
POWER_OF_TEN = re.compile(r"(?P<relation>[<>≤≥≈~])?\s?10\s?\^\s?(?P<power>[-+]?[0-9]{1,4})")
FRACTION = re.compile(r"([0-9]{1,3})/([0-9]{1,3})")
JOIN = re.compile(r"(?<=[\w%×+])\s*(?:--?|~|\bto\b)\s*(?=[.0-9~+])")
APPROXIMATE = re.compile(r"(?:about|around|nearly|almost|roughly|approximately|some)\s+(?:an? )?", re.IGNORECASE)
LIMITS = re.compile(
    r"(?:(?P<below>below|under|less than|fewer than|within)|(?P<most>at most|up to|no more than)|"
    r"(?P<above>above|over|more than|exceeding)|(?P<least>at least|no less than))\s+(?:an? )?",
    re.IGNORECASE,
)
RELATIONS = {"below": "<", "most": "≤", "above": ">", "least": "≥", "~": "≈"}
SIGNS_OF_CHANGE = ("+", "↑", "↓")
UNITS = {"x": "×", "times": "×", "fold": "×", "percent": "%", "s": "seconds", "fps": "FPS", "db": "dB"}
UNITS |= dict.fromkeys(
    ("point", "pp", "pt", "pts", "percentage point", "percentage points", "percent points"), "points"
)
UNITS |= dict.fromkeys(("% point", "% points", "% percentage point", "% percentage points"), "points")
UNITS |= dict.fromkeys(("sec", "secs", "second"), "seconds") | dict.fromkeys(("min", "mins", "minute"), "minutes")
UNITS |= dict.fromkeys(("h", "hr", "hrs", "hour"), "hours") | {"day": "days"}

COUNTS = {w: n for n, w in enumerate("one two three four five six seven eight nine ten".split(), 1)}
COUNTS |= {"a": 1, "an": 1, "twenty": 20, "fifty": 50, "hundred": 100}
WORDS = {
    "twice": "2",
    "half": "0.5",
    "one-half": "0.5",
    "one-quarter": "0.25",
    "one-fourth": "0.25",
    "one-fifth": "0.2",
}
WORDS |= {"one-tenth": "0.1", "double": "2"}
MAGNITUDE = re.compile(r"(?:([a-z]+|[0-9]{1,2}) )?orders?[ -]of[ -]magnitudes?")
MULTIPLE = re.compile(r"([a-z]+)(?: times|-?fold)")
MULTIPLES = {"K": 3, "k": 3, "thousand": 3, "M": 6, "million": 6, "B": 9, "billion": 9, "trillion": 12}


def read(value: str, *, before: str = "", after: str = "") -> Value:
    r"""Read a value; the text `before` and `after` it, where given, tells a difference or a bound from a level.

    >>> for value in (r"18.46\%", "+5 points", r"$28\times$", "1.5×–2.4×", r"$(9.39 \pm 6.29)\times 10^{-5}$", "twice"):
    ...     v = read(value)
    ...     print(v.kind, v.number or v.lower, v.error or v.upper or "-", v.unit or "-")
    absolute 18.46 - %
    difference 5 - points
    ratio 28 - ×
    range 1.5 2.4 ×
    with error 0.0000939 0.0000629 -
    spelled out 2 - ×
    >>> read("5.63%", before="improves accuracy by ").kind, read(r"$O(\\log n)$").kind
    (<Kind.DIFFERENCE: 'difference'>, <Kind.BOUND: 'bound'>)
    """
    written = _plain(value)
    limit = LIMITS.match(written) or LIMITS.search(before[-16:].rstrip() + " ")
    about = APPROXIMATE.match(written)
    start = limit.end() if limit and limit.string is written else about.end() if about else 0
    found = _number(written[start:])
    if limit and found.number and (limit.string is written or limit.end() == len(limit.string)):
        relation = RELATIONS[limit.lastgroup or ""]
        written_so = () if found.kind in (Kind.ABSOLUTE, Kind.BOUND) else (found.kind,)
        if relation != "≤":
            found = replace(found, kind=Kind.BOUND, also=(*written_so, *found.also))
        found = replace(found, relation=relation)
    if not (found.number or found.lower) or found.unit == "×":
        return found
    if not is_change(before, after):
        return found
    plain = found.kind is Kind.ABSOLUTE
    return replace(found, kind=Kind.DIFFERENCE) if plain else replace(found, also=(Kind.DIFFERENCE, *found.also))


def _plain(value: str) -> str:
    if len(value) > LONGEST:
        return ""
    written = clean(value).clean.translate(SAME).strip()
    return RAISED.sub(lambda m: "^" + m[0].translate(SUPERSCRIPTS), written)


def _number(written: str) -> Value:
    if found := POWER_OF_TEN.fullmatch(written):
        return Value(Kind.POWER, decimal("1", int(found["power"])), relation=_relation(found["relation"]))
    if (found := FRACTION.fullmatch(written)) and (number := quotient(int(found[1]), int(found[2]))):
        return Value(Kind.ABSOLUTE, number)
    if found := SINGLE.fullmatch(written):
        return _single(found)
    for join in JOIN.finditer(written):
        low, high = SINGLE.fullmatch(written, 0, join.start()), SINGLE.fullmatch(written, join.end())
        if low and high:
            return _range(low, high)
    return _words(written.casefold()) or Value(Kind.BOUND if re.search(r"[(^√]|log", written) else Kind.ABSOLUTE)


def _single(found: re.Match[str], *, unit: str = "") -> Value:
    """One number; `unit` is that of the other end of its range, for one without."""
    sign = "-" if found["sign"] in ("-", "↓") else ""
    multiple, unit = _multiple(found["unit"] or unit)
    power = int(found["power"] or found["exponent"] or 0)
    number = decimal(found["mean"] or found["digits"], power + multiple)
    error = found["deviation"] or found["error"] or ""
    error = decimal(error, multiple + (power if found["deviation"] else 0)) if error else ""
    if found["sign"] == "±":
        return Value(Kind.WITH_ERROR, unit=unit, error=number)
    relation = _relation(found["relation"])
    kind = _kind(found, unit, relation)
    change = (Kind.DIFFERENCE,) if (found["sign"] or "") in SIGNS_OF_CHANGE else ()
    raised = (Kind.POWER,) if found["power"] or found["exponent"] else ()
    also = tuple(k for k in (*change, *raised) if k is not kind)
    return Value(kind, sign + number if number else "", unit, error, relation=relation, also=also)


def _multiple(unit: str) -> tuple[int, str]:
    """The power of ten that a unit begins with, and the unit without it, in our spelling."""
    first, _, rest = unit.partition(" ")
    if first in MULTIPLES:
        return MULTIPLES[first], rest
    return 0, UNITS.get(unit, UNITS.get(unit.casefold(), unit))


def _kind(found: re.Match[str], unit: str, relation: str) -> Kind:
    if relation not in ("", "≈"):
        return Kind.BOUND
    if found["error"] or found["deviation"]:
        return Kind.WITH_ERROR
    if found["power"] or found["exponent"]:
        return Kind.POWER
    if unit == "×":
        return Kind.RATIO
    return Kind.DIFFERENCE if unit == "points" or (found["sign"] or "") in SIGNS_OF_CHANGE else Kind.ABSOLUTE


def _range(first: re.Match[str], second: re.Match[str]) -> Value:
    """Both ends in one unit; no numbers where they have two, or only the second a power: `1-2e3` may be 1 or 1000."""
    low, high = _single(first, unit=second["unit"] or ""), _single(second, unit=first["unit"] or "")
    powers = [bool(found["power"] or found["exponent"]) for found in (first, second)]
    if not (low.number and high.number) or low.unit != high.unit or powers == [False, True]:
        return Value(Kind.RANGE)
    if Decimal(low.number) > Decimal(high.number):
        return Value(Kind.RANGE)
    also = tuple(k for k in (Kind.DIFFERENCE, Kind.POWER) if k in low.kinds)
    relation = low.relation
    return Value(Kind.RANGE, unit=low.unit, lower=low.number, upper=high.number, relation=relation, also=also)


def _relation(mark: str | None) -> str:
    return RELATIONS.get(mark or "", mark or "")


def _words(written: str) -> Value | None:
    if written in ("zero", "none"):
        return Value(Kind.SPELLED_OUT, "0")
    if written in WORDS:
        return Value(Kind.SPELLED_OUT, WORDS[written], "×")
    if found := MAGNITUDE.fullmatch(written):
        count = int(found[1]) if (found[1] or "").isdigit() else COUNTS.get(found[1] or "", 0)
        return Value(Kind.SPELLED_OUT, decimal("1", count) if count else "", "×")
    if found := MULTIPLE.fullmatch(written):
        return Value(Kind.SPELLED_OUT, str(COUNTS.get(found[1], "")), "×")
    return None
