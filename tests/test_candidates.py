"""Which spans of a text are numbers that could be results, and where they begin and end in the source."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kg.extraction.candidates import find
from kg.text import clean


def spans(source: str) -> list[str]:
    text = clean(source)
    return [source[slice(*text.to_source(n.start, n.end))] for n in find(text)]


@pytest.mark.parametrize(
    ("source", "expected"),
    [
        (r"gains 18.46\% here", [r"18.46\%"]),
        (r"is $28\times$ faster", [r"$28\times$"]),
        (r"by 5.48$\times$ and", [r"5.48$\times$"]),
        ("gains +5 points", ["+5 points"]),
        ("rises by 16.9 percentage points", ["16.9 percentage points"]),
        ("a 15.2×–26.4× speedup", ["15.2×–26.4×"]),
        ("errs in 11% to 54% of cases", ["11%", "11% to 54%", "54%"]),
        ("falls from 80.2% to 64.0%", ["80.2%", "64.0%"]),
        ("ranging from 3% to 9%", ["3%", "3% to 9%", "9%"]),
        (r"error $(9.390 \pm 6.290)\times 10^{-5}$ only", [r"$(9.390 \pm 6.290)\times 10^{-5}$"]),
        ("scores 0.977 ± 0.029 here", ["0.977 ± 0.029"]),
        ("reach $R^2=0.998$ now", ["0.998"]),
        ("by an order of magnitude, twice", ["an order of magnitude", "twice"]),
        (r"regret of $\widetilde{O}(\sqrt{T})$ holds", [r"$\widetilde{O}(\sqrt{T})$"]),
        ("runs in O(n log(n)) time", ["O(n log(n))"]),
        ("a (2+ε)-approximation", ["(2+ε)"]),
        ("a 1/2-competitive rule", ["1/2"]),
        ("within ~10% of it", ["~10%"]),
        ("after 1,234.5 seconds", ["1,234.5 seconds"]),
        ("by −3.2 dB", ["−3.2 dB"]),
    ],
)
def test_a_value_is_found_with_its_sign_and_unit(source: str, expected: list[str]) -> None:
    assert spans(source) == expected


@pytest.mark.parametrize("source", ["near-zero forgetting", "zero-shot", "non-zero", "half-precision", "half-life"])
def test_a_number_word_in_a_compound_is_no_number(source: str) -> None:
    assert spans(source) == []


@pytest.mark.parametrize("source", ["GPT-4", "ResNet-50", "in 3D", "Llama2", r"$x^2$-shaped", "CIFAR10", "v1.2.3b"])
def test_a_digit_in_a_name_is_no_number(source: str) -> None:
    assert not [s for s in spans(source) if s[0].isdigit()]


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("1.234,5", ["1.234,5"]),
        ("88,3%", ["88,3%"]),
        ("1'234", ["1'234"]),
        ("1-2,5%", ["1-2,5%"]),
        ("1.234.5", []),
        ("1,23,4", []),
        ("1,234,5", []),
        ("1.2.3%", []),
        ("1 234 567", []),
        ("1\u202f234", []),
        ("2.5E5x", []),
        ("NaN", []),
    ],
)
def test_a_number_of_any_locale_is_found_whole_or_not_at_all(written: str, expected: list[str]) -> None:
    assert spans(f"a reward of {written} here") == expected


@given(st.text(alphabet="0123456789.,'%e± ", max_size=14))
@example("0e0'0")
@example("0e0.0")
@settings(deadline=None)
def test_no_candidate_is_a_part_of_a_longer_number(written: str) -> None:
    text = clean(f"a reward of {written} here")
    for number in find(text):
        if text.clean[number.start].isdigit():
            assert not re.search(r"[0-9][.,']?$", text.clean[: number.start])
        if text.clean[number.end - 1].isdigit():
            assert not re.match(r"[.,']?[0-9]", text.clean[number.end :])
