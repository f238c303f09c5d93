"""What a value says: kind, exact number, unit; and that nothing that looks like a number is read wrongly."""

from __future__ import annotations

import re
from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extraction.decimals import decimal
from kg.extraction.numbers import Kind, Value, read


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (r"18.46\%", Value(Kind.ABSOLUTE, "18.46", "%")),
        ("92.10", Value(Kind.ABSOLUTE, "92.10")),
        (".5", Value(Kind.ABSOLUTE, "0.5")),
        ("−3.2 dB", Value(Kind.ABSOLUTE, "-3.2", "dB")),
        ("400 ms", Value(Kind.ABSOLUTE, "400", "ms")),
        ("3.2secs", Value(Kind.ABSOLUTE, "3.2", "seconds")),
        ("0.35MB", Value(Kind.ABSOLUTE, "0.35", "MB")),
        ("$64$%", Value(Kind.ABSOLUTE, "64", "%")),
        ("~10%", Value(Kind.ABSOLUTE, "10", "%", relation="≈")),
        ("+5 points", Value(Kind.DIFFERENCE, "5", "points")),
        ("16.9 percentage points", Value(Kind.DIFFERENCE, "16.9", "points")),
        ("20.2% points", Value(Kind.DIFFERENCE, "20.2", "points")),
        (r"$\uparrow$ 3.5\%", Value(Kind.DIFFERENCE, "3.5", "%")),
        (r"$28\times$", Value(Kind.RATIO, "28", "×")),
        (r"5.48$\times$", Value(Kind.RATIO, "5.48", "×")),
        ("5x", Value(Kind.RATIO, "5", "×")),
        ("10-fold", Value(Kind.RATIO, "10", "×")),
        ("300 times", Value(Kind.RATIO, "300", "×")),
        (r"$>5\times$", Value(Kind.BOUND, "5", "×", relation=">")),
        ("below 2.5%", Value(Kind.BOUND, "2.5", "%", relation="<")),
        ("more than 16%", Value(Kind.BOUND, "16", "%", relation=">")),
        ("up to 3 times", Value(Kind.RATIO, "3", "×", relation="≤")),
        (r"$\widetilde{O}(k/\varepsilon)$", Value(Kind.BOUND)),
        ("$O(V)$", Value(Kind.BOUND)),
        ("$2^{L-3}$", Value(Kind.BOUND)),
        ("15.2×–26.4×", Value(Kind.RANGE, unit="×", lower="15.2", upper="26.4")),
        (r"4-30\%", Value(Kind.RANGE, unit="%", lower="4", upper="30")),
        ("11% to 54%", Value(Kind.RANGE, unit="%", lower="11", upper="54")),
        ("1.5--2 points", Value(Kind.RANGE, unit="points", lower="1.5", upper="2", also=(Kind.DIFFERENCE,))),
        (r"$0.977 \pm 0.029$", Value(Kind.WITH_ERROR, "0.977", error="0.029")),
        (r"97.2$\pm$0.3", Value(Kind.WITH_ERROR, "97.2", error="0.3")),
        (
            r"$(9.390 \pm 6.290)\times 10^{-5}$",
            Value(Kind.WITH_ERROR, "0.00009390", error="0.00006290", also=(Kind.POWER,)),
        ),
        ("1e-3", Value(Kind.POWER, "0.001")),
        ("1.5×10⁻³", Value(Kind.POWER, "0.0015")),
        ("$10^6$", Value(Kind.POWER, "1000000")),
        (r"$2 \times 10^{3}$", Value(Kind.POWER, "2000")),
        ("an order of magnitude", Value(Kind.SPELLED_OUT, "10", "×")),
        ("two orders of magnitude", Value(Kind.SPELLED_OUT, "100", "×")),
        ("orders of magnitude", Value(Kind.SPELLED_OUT, "", "×")),
        ("twofold", Value(Kind.SPELLED_OUT, "2", "×")),
        ("half", Value(Kind.SPELLED_OUT, "0.5", "×")),
        ("1/4", Value(Kind.ABSOLUTE, "0.25")),
        ("1/3", Value(Kind.ABSOLUTE)),
        ("27K", Value(Kind.ABSOLUTE, "27000")),
        ("1.5M", Value(Kind.ABSOLUTE, "1500000")),
        ("27-30K", Value(Kind.RANGE, lower="27000", upper="30000")),
        (r"1-2 $\times 10^3$", Value(Kind.RANGE)),
        ("30-10%", Value(Kind.RANGE)),
        ("$+5.2 \\pm 0.3$", Value(Kind.WITH_ERROR, "5.2", error="0.3", also=(Kind.DIFFERENCE,))),
    ],
)
def test_a_value_is_read(value: str, expected: Value) -> None:
    assert read(value) == expected


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1,234.5", "1234.5"),
        ("1.234,5", "1234.5"),
        ("1,234", "1234"),
        ("1.234", "1.234"),
        ("1.234.567", "1234567"),
        ("1'234", "1234"),
        ("1\u202f234\u202f567", "1234567"),
        ("88,3", "88.3"),
        ("0,123", "0.123"),
        ("1.234.5", ""),
        ("1,23,4", ""),
        ("1,234,5", ""),
        ("5 10", ""),
        ("1..2", ""),
        ("NaN", ""),
        ("inf", ""),
        ("1e999999999", ""),
        ("1e9999", ""),
        ("10^{-99999999}", ""),
        ("٣٫٥", ""),
        ("²", ""),
        (r"$\frac{1}{\sqrt{\frac{2}{3", ""),
        ("${5", ""),
        ("", ""),
        ("%", ""),
        ("7/0", ""),
        ("9" * 400, "9" * 400),
        ("9" * 4000, ""),
        ("5" + "{" * 300, ""),
    ],
)
def test_bad_input_has_its_number_or_none(value: str, number: str) -> None:
    assert read(value).number == number


@pytest.mark.parametrize(
    ("before", "value", "after", "kind"),
    [
        ("improves accuracy by ", "5.63%", ".", Kind.DIFFERENCE),
        ("improves accuracy by a relative ", "5.63%", ".", Kind.DIFFERENCE),
        ("wins by a margin of about ", "5%", ".", Kind.DIFFERENCE),
        ("an average gain of ", "5%", " overall", Kind.DIFFERENCE),
        ("achieves ", "5%", " higher accuracy", Kind.DIFFERENCE),
        ("an improvement in accuracy of ", "15%", " on it", Kind.DIFFERENCE),
        ("with gains up to ", "13.57%", " in it", Kind.DIFFERENCE),
        ("brings ", "11.3%", " comparative improvement", Kind.DIFFERENCE),
        ("a ", "3.5%", " zero-shot recall@1 improvement on it", Kind.DIFFERENCE),
        ("outperforms all others (up to ", "8.6%", ", 2.7%)", Kind.DIFFERENCE),
        ("saves ", "54%", " of memory", Kind.DIFFERENCE),
        ("achieves more than ", "93%", " accuracy", Kind.BOUND),
        ("its accuracy drops to ", "49.9%", "", Kind.ABSOLUTE),
        ("an accuracy of ", "93%", " and a gain", Kind.ABSOLUTE),
        ("achieves ", "93%", " accuracy with a small reduction", Kind.ABSOLUTE),
        ("achieves ", "57.9%", " normalized discounted cumulative gain", Kind.ABSOLUTE),
        ("achieves ", "93%", " accuracy", Kind.ABSOLUTE),
        ("is faster by ", "2×", "", Kind.RATIO),
        ("an error below ", "2.5%", "", Kind.BOUND),
        ("accuracy rises to ", "93%", " and more", Kind.ABSOLUTE),
    ],
)
def test_words_around_a_value_tell_how_it_is_meant(before: str, value: str, after: str, kind: Kind) -> None:
    assert read(value, before=before, after=after).kind is kind


@pytest.mark.parametrize(
    ("before", "value", "after", "kinds"),
    [
        ("achieves ", "93%", " accuracy", (Kind.ABSOLUTE,)),
        ("", "+5 points", "", (Kind.DIFFERENCE,)),
        ("is ", r"$28\times$", " faster", (Kind.RATIO,)),
        ("with errors below ", "2.5%", "", (Kind.ABSOLUTE, Kind.BOUND)),
        ("improves accuracy by more than ", "2.5%", "", (Kind.DIFFERENCE, Kind.BOUND)),
        ("", "15.2×–26.4×", " speedup", (Kind.RATIO, Kind.RANGE)),
        ("reduces errors by ", r"4-30\%", "", (Kind.DIFFERENCE, Kind.RANGE)),
        ("improves by ", r"$5.2 \pm 0.3$%", "", (Kind.DIFFERENCE, Kind.WITH_ERROR)),
        ("", "$10^6$", " steps", (Kind.ABSOLUTE, Kind.POWER)),
        ("", r"$(9.4 \pm 6.2)\times 10^{-5}$", "", (Kind.ABSOLUTE, Kind.WITH_ERROR, Kind.POWER)),
        ("an error below ", "1e-3", "", (Kind.ABSOLUTE, Kind.BOUND, Kind.POWER)),
        ("by ", "an order of magnitude", "", (Kind.RATIO, Kind.SPELLED_OUT)),
        ("in ", "$O(V)$", " time", (Kind.BOUND,)),
    ],
)
def test_how_a_value_is_meant_and_how_it_is_written_are_both_kept(
    before: str, value: str, after: str, kinds: tuple[Kind, ...]
) -> None:
    assert read(value, before=before, after=after).kinds == kinds


@given(st.decimals(allow_nan=False, allow_infinity=False, min_value=0, max_value=10**30), st.integers(-40, 40))
def test_a_number_keeps_its_digits(number: Decimal, power: int) -> None:
    assert Fraction(decimal(f"{number:f}", power)) == Fraction(number) * Fraction(10) ** power


@given(st.text(max_size=60), st.text(max_size=30), st.text(max_size=30))
def test_any_text_is_read_without_a_crash_and_only_to_decimals(value: str, before: str, after: str) -> None:
    found = read(value, before=before, after=after)
    for number in (found.number, found.error, found.lower, found.upper):
        assert number == "" or (Decimal(number).is_finite() and set(number) <= set("-.0123456789"))


@given(st.text(alphabet=r"0123456789.,'- +−–±×^{}\$%()eExto ⁻³", max_size=40))
def test_a_number_has_only_digits_that_stand_in_the_value_in_a_row(value: str) -> None:
    found = read(value)
    digits = re.sub(r"[^0-9]", "", value)
    for number in (found.number, found.error, found.lower, found.upper):
        assert re.sub(r"[^0-9]", "", number).strip("0") in digits
