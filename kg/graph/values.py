r"""The words of a value to one number and its unit, where they are one number.

1. LaTeX is read away, so `$28\times$` is 28× and `18.46\%` is 18.46%.
2. A sign, digits with or without thousands' commas, and a unit of at most a few words is a number with a unit.
3. All else (ranges, bounds, ± and powers) has words only: half a value is worse than none.

The number stays a string of digits from the text to the graph; binary floating point would write 92.1 for 92.10.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from kg.text import clean

NUMBER = re.compile(
    r"""(?P<sign>[+\-−])?
        (?P<whole>\d{1,3}(?:,\d{3})+|\d+)?
        (?P<part>\.\d+)?
        \s?-?
        (?P<unit>[%×°$€£]|[^\W\d_]+(?:[ /-][^\W\d_]+){0,3})?""",
    re.VERBOSE,
)
SPELLINGS = {"x": "×", "X": "×", "times": "×", "fold": "×", "percent": "%"}


@dataclass(frozen=True, slots=True)
class Value:
    """Digits as an xsd:decimal has them, and what they count; both are "" where the words are not one number."""

    number: str = ""
    unit: str = ""


def parse(words: str) -> Value:
    r"""Read the one number that the words are.

    >>> for words in (r"18.46\%", r"$28\times$", "−1,200 points", "92.10", "10-15%", r"$\geq 5$"):
    ...     print(parse(words))
    Value(number='18.46', unit='%')
    Value(number='28', unit='×')
    Value(number='-1200', unit='points')
    Value(number='92.10', unit='')
    Value(number='', unit='')
    Value(number='', unit='')
    """
    found = NUMBER.fullmatch(clean(words).clean)
    if found is None or not (found["whole"] or found["part"]):
        return Value()
    sign = "-" if found["sign"] in ("-", "−") else ""
    unit = SPELLINGS.get(found["unit"] or "", found["unit"] or "")
    digits = (found["whole"] or "0").replace(",", "") + (found["part"] or "")
    return Value(sign + digits, unit)
