"""Digits as people write them to xsd:decimal, digit for digit: thousands separators, decimal commas, powers of ten.

Separators are taken where they can be nothing else: `1,234` is thousands, `88,3` a decimal comma, `1,23,4` no number.
"""

from __future__ import annotations

import re

LONGEST = 1000  # characters, and powers of ten
PLAIN = re.compile(r"([0-9]*)(?:\.([0-9]+))?")
GROUPED = re.compile(
    r"([1-9][0-9]{0,2}(?:(?P<mark>[,. '])[0-9]{3})(?:(?P=mark)[0-9]{3})*)(?:(?!(?P=mark))[.,]([0-9]+))?"
)
DECIMAL_COMMA = re.compile(r"([0-9]+),([0-9]{1,2}|[0-9]{4,})|(0),([0-9]+)")


def decimal(digits: str, power: int = 0) -> str:
    """Write digits times a power of ten as an xsd:decimal, digit for digit; "" where they are not one number.

    >>> decimal("1,234.50"), decimal("9.39", -5), decimal("1.5", 3), decimal("1.234,5"), decimal("1,23,4")
    ('1234.50', '0.0000939', '1500', '1234.5', '')
    """
    digits = digits.strip()
    if found := PLAIN.fullmatch(digits):
        whole, part = found[1], found[2] or ""
    elif found := GROUPED.fullmatch(digits):
        whole, part = re.sub(r"[^0-9]", "", found[1]), found[3] or ""
    elif found := DECIMAL_COMMA.fullmatch(digits):
        whole, part = found[1] or found[3], found[2] or found[4]
    else:
        return ""
    if abs(power) > LONGEST or not whole + part:
        return ""
    whole, part = (whole + part[:power].ljust(power, "0"), part[power:]) if power > 0 else (whole, part)
    if power < 0:
        whole = whole.rjust(-power, "0")
        whole, part = whole[:power], whole[power:] + part
    return (whole.lstrip("0") or "0") + ("." + part if part else "")


def quotient(part: int, whole: int) -> str:
    """Write a fraction as a decimal where that is exact, else "".

    >>> quotient(1, 4), quotient(1, 3), quotient(1, 0)
    ('0.25', '', '')
    """
    places = next((n for n in range(10) if whole and part * 10**n % whole == 0), None)
    return "" if places is None else decimal(str(part * 10**places // whole), -places)
