"""Which spans of a text are numbers that could be results, and where they begin and end in the source."""

from __future__ import annotations

import pytest

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


@pytest.mark.parametrize("source", ["GPT-4", "ResNet-50", "in 3D", "Llama2", r"$x^2$-shaped", "CIFAR10", "v1.2.3b"])
def test_a_digit_in_a_name_is_no_number(source: str) -> None:
    assert not [s for s in spans(source) if s[0].isdigit()]
