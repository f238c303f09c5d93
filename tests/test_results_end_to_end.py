"""From the text to the triples: the sentences in which papers report numbers, read by the model that is shipped."""

from __future__ import annotations

from functools import cache

import pytest
from graph_sample import by_name
from pyoxigraph import Literal

import kg
from kg import graph, vocab
from kg.extraction.pipeline import extract
from kg.records import Extraction, Paper

TEXTS = {
    "list": r"We propose HerdNet, a graph neural network for molecular property prediction. On QM9, HerdNet reduces "
    r"the mean absolute error by 37\% (PBE), 33\% (SCAN), and 28\% (B3LYP) compared to SchNet.",
    "from-to": "We present ScoreFormer, a transformer for music transcription. ScoreFormer reduces the word error "
    "rate on LibriSpeech from 80.16% to 63.97%.",
    "down-from": "We present ScoreFormer, a transformer for speech recognition. On LibriSpeech, ScoreFormer achieves a "
    "word error rate of 63.97% (down from 80.16% for Whisper).",
    "levels": r"We introduce TinyNet, an image classifier. TinyNet reaches an accuracy of 92.10\% on ImageNet, +5 "
    r"points over ResNet-50, and improves robust accuracy by 5.63\%.",
    "ratio": r"We introduce FastFlow, a sampler for diffusion models. FastFlow is $28\times$ faster than DDIM.",
    "bound": r"We propose an algorithm for the bandit problem with $\widetilde{O}(\sqrt{T})$ regret and $O(n \log n)$ "
    "running time.",
    "range": r"We present QuickDecode, a decoding method for large language models. QuickDecode achieves 15.2×–26.4× "
    r"speedup over autoregressive decoding with an accuracy of $0.977 \pm 0.029$.",
    "power": r"We present PhysNet, a neural operator. On Navier-Stokes, PhysNet has a mean squared error of "
    r"$(9.390 \pm 6.290)\times 10^{-5}$, compared to $1.2 \times 10^{-3}$ for FNO.",
    "none": "TinyNet has 7B parameters and is trained on 1.2M images from 2021 with Python 3.11 (Section 4.2); its "
    "top-5 list of $R^2$-GAN models is given in Table 3. The three datasets hold 12,500 scans of 30 subjects.",
    "thousands": "We propose TinyNet, a control policy. TinyNet achieves a reward of 1,234.5 on Walker2d.",
    "comma": "We propose TinyNet, a control policy. TinyNet achieves a reward of 1.234,5 on Walker2d.",
    "spaces": "We propose TinyNet, a control policy. TinyNet achieves a reward of 1\u202f234 on Walker2d.",
    "dots": "We propose TinyNet, a control policy. TinyNet achieves a reward of 1.234.5 on Walker2d.",
    "exponent": "We propose TinyNet, an image classifier. TinyNet achieves a test error of 1e-3 on CIFAR-10.",
    "minus": "We propose TinyNet for speech enhancement. TinyNet achieves an SNR of −3.2 dB.",
    "huge": "We propose TinyNet, an image classifier. TinyNet has an accuracy of " + "9" * 400 + "% on ImageNet.",
    "open": r"We propose TinyNet. TinyNet reaches an accuracy of $\frac{1}{\sqrt{\frac{92.1 on ImageNet, else NaN.",
}


@cache
def extracted() -> dict[str, Extraction]:
    return {x.paper.id: x for x in extract(Paper(name, text) for name, text in TEXTS.items())}


def told(name: str) -> list[dict[str, set[str]]]:
    """What the graph says of each result of a text, in the order of the text."""
    this = extracted()[name]
    found: dict[str, dict[str, set[str]]] = {}
    begins: dict[str, int] = {}
    for s, p, o, _ in graph.quads([this], by_name([this])):
        if "/result/" in s.value:
            value = o.value if isinstance(o, Literal) else o.value.rpartition("#")[2].rpartition("/")[2]
            term = vocab.short(p.value, vocab.prefixes()).partition(":")[2]
            found.setdefault(s.value, {}).setdefault(term, set()).add(value)
            if p == vocab.PROV_WAS_DERIVED_FROM:
                begins[s.value] = int(o.value.rpartition("/")[2].partition("-")[0])
    return [found[node] for node in sorted(found, key=begins.__getitem__)]


def test_a_list_shares_its_head_and_keeps_its_conditions() -> None:
    results = told("list")
    assert [(r["hasValue"], r["condition"]) for r in results] == [
        ({"37"}, {"PBE"}),
        ({"33"}, {"SCAN"}),
        ({"28"}, {"B3LYP"}),
    ]
    assert all(r["valueKind"] == {"difference"} and r["unit"] == {"%"} for r in results)
    assert all(r["specifiedBy"] == {"mean-absolute-error"} and r["higherIsBetter"] == {"false"} for r in results)


@pytest.mark.parametrize("name", ["from-to", "down-from"])
def test_the_old_value_is_the_baselines(name: str) -> None:
    (result,) = told(name)
    assert (result["hasValue"], result["baselineValue"]) == ({"63.97"}, {"80.16"})
    assert (result["valueKind"], result["unit"], result["isImprovement"]) == ({"absolute"}, {"%"}, {"true"})
    assert "condition" not in result


def test_levels_and_differences_are_told_apart() -> None:
    assert [(r["valueKind"], r["hasValue"], r["unit"]) for r in told("levels")] == [
        ({"absolute"}, {"92.10"}, {"%"}),
        ({"difference"}, {"5"}, {"points"}),
        ({"difference"}, {"5.63"}, {"%"}),
    ]


def test_ratios_bounds_ranges_errors_and_powers_are_told_apart() -> None:
    (ratio,) = told("ratio")
    assert (ratio["valueKind"], ratio["hasValue"], ratio["measureText"]) == ({"ratio"}, {"28"}, {"faster"})
    assert [(r["valueKind"], r["valueText"]) for r in told("bound")] == [
        ({"bound"}, {r"$\widetilde{O}(\sqrt{T})$"}),
        ({"bound"}, {r"$O(n \log n)$"}),
    ]
    between, error = told("range")
    assert (between["valueKind"], between["lowerValue"], between["upperValue"]) == (
        {"ratio", "range"},
        {"15.2"},
        {"26.4"},
    )
    assert (error["valueKind"], error["hasValue"], error["valueError"]) == (
        {"absolute", "withError"},
        {"0.977"},
        {"0.029"},
    )
    (power,) = told("power")
    assert power["valueKind"] == {"absolute", "withError", "powerOfTen"}
    assert (power["hasValue"], power["valueError"], power["baselineValue"]) == (
        {"0.00009390"},
        {"0.00006290"},
        {"0.0012"},
    )


def test_sizes_counts_years_versions_sections_and_names_are_no_results() -> None:
    assert told("none") == []


def test_numbers_of_any_writing_are_read_exactly() -> None:
    assert [r["hasValue"] for r in told("thousands")] == [{"1234.5"}]
    assert [r["hasValue"] for r in told("comma")] == [{"1234.5"}]
    assert [r["hasValue"] for r in told("exponent")] == [{"0.001"}]
    assert [r["hasValue"] for r in told("minus")] == [{"-3.2"}]
    assert [r["hasValue"] for r in told("huge")] == [{"9" * 400}]


def test_no_paper_is_lost_and_no_number_is_made_up() -> None:
    assert extracted().keys() == TEXTS.keys()
    assert told("spaces") + told("dots") == []
    for result in told("open"):
        assert result.get("hasValue", {"92.1"}) == {"92.1"}


def test_each_value_is_where_it_is_said_to_be() -> None:
    for name, this in extracted().items():
        for result in this.results:
            assert TEXTS[name][result.start : result.end] == result.value


def test_the_public_function_gives_the_same_results() -> None:
    (this,) = kg.extract([kg.Paper("list", TEXTS["list"])])
    assert this.results == extracted()["list"].results


def test_a_condition_in_brackets_is_no_baseline() -> None:
    text = (
        r"We propose DeltaNet, a density functional model. On the GMTKN benchmark, DeltaNet reduces the error by 37\% "
        r"(PBE), 33\% (SCAN), and 28\% (B3LYP)."
    )
    [found] = kg.extract([kg.Paper("p", text)])
    assert [(r.value, r.metric, r.baseline) for r in found.results] == [
        (r"37\%", "error", ""),
        (r"33\%", "error", ""),
        (r"28\%", "error", ""),
    ]
