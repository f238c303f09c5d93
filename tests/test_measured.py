"""Results as triples: values that can be compared, exact, with their kinds, conditions and directions."""

from __future__ import annotations

from decimal import Decimal
from pathlib import Path

import pytest
from graph_sample import by_name, mentions
from hypothesis import given, settings
from hypothesis import strategies as st
from pyoxigraph import Literal, NamedNode, Store

from kg import graph, vocab
from kg.check import check
from kg.records import Entity, EntityType, Extraction, Paper, Result, Role

NAMES = {
    "TinyNet": (EntityType.MODEL, Role.PROPOSES),
    "BigNet": (EntityType.MODEL, Role.COMPARES_WITH),
    "PondBench": (EntityType.DATASET, Role.EVALUATES_ON),
    "accuracy": (EntityType.METRIC, Role.REPORTS),
    "wobble": (EntityType.METRIC, Role.REPORTS),
}


def extraction(text: str, *values: str, **fields: str) -> Extraction:
    """A paper with one sentence, the entities of `NAMES` that it names, and a result for each value, in order."""
    entities = [Entity(n, t, r, 0.9, found) for n, (t, r) in NAMES.items() if (found := mentions(text, n))]
    told = {"subject": "", "metric": "", "dataset": "", "baseline": "", "baseline_value": ""} | fields
    results, at = [], 0
    for value in values:
        at = text.index(value, at)
        results.append(Result(value=value, start=at, end=at + len(value), confidence=0.5, **told))
        at += len(value)
    return Extraction(Paper("p", text), tuple(entities), tuple(results), (), ((0, len(text)),))


def told(text: str, *values: str, **fields: str) -> list[dict[str, set[str]]]:
    """What the graph says of each result, in the order of the text: names of terms, and words for the nodes."""
    this = extraction(text, *values, **fields)
    found: dict[str, dict[str, set[str]]] = {}
    begins: dict[str, int] = {}
    for s, p, o, _ in graph.quads([this], by_name([this])):
        if "/result/" in s.value:
            term = vocab.short(p.value, vocab.prefixes()).partition(":")[2]
            value = o.value if isinstance(o, Literal) else o.value.rpartition("#")[2].rpartition("/")[2]
            found.setdefault(s.value, {}).setdefault(term, set()).add(value)
            if p == vocab.PROV_WAS_DERIVED_FROM:
                begins[s.value] = int(o.value.rpartition("/")[2].partition("-")[0])
    return [found[node] for node in sorted(found, key=begins.__getitem__)]


@pytest.mark.parametrize(
    ("text", "value", "expected"),
    [
        (r"TinyNet has an accuracy of 18.40\%.", r"18.40\%", {"valueKind": {"absolute"}, "hasValue": {"18.40"}}),
        ("It gains +5 points.", "+5 points", {"valueKind": {"difference"}, "hasValue": {"5"}, "unit": {"points"}}),
        ("It improves by 5.63%.", "5.63%", {"valueKind": {"difference"}, "hasValue": {"5.63"}, "unit": {"%"}}),
        (r"It is $28\times$ faster.", r"$28\times$", {"valueKind": {"ratio"}, "hasValue": {"28"}, "unit": {"×"}}),
        ("It is twice as fast.", "twice", {"valueKind": {"ratio", "spelledOut"}, "hasValue": {"2"}}),
        ("It takes $O(V)$ time.", "$O(V)$", {"valueKind": {"bound"}, "hasValue": set(), "upperValue": set()}),
        (
            "The error is below 2.5%.",
            "2.5%",
            {"valueKind": {"absolute", "bound"}, "hasValue": set(), "upperValue": {"2.5"}, "relation": {"<"}},
        ),
        (
            "It wins by more than 16%.",
            "16%",
            {"valueKind": {"difference", "bound"}, "hasValue": set(), "lowerValue": {"16"}, "relation": {">"}},
        ),
        (
            "A 15.2×–26.4× speedup.",
            "15.2×–26.4×",
            {"valueKind": {"ratio", "range"}, "lowerValue": {"15.2"}, "upperValue": {"26.4"}, "hasValue": set()},
        ),
        (
            r"A wobble of $0.977 \pm 0.029$.",
            r"$0.977 \pm 0.029$",
            {"valueKind": {"absolute", "withError"}, "hasValue": {"0.977"}, "valueError": {"0.029"}},
        ),
        (
            r"A wobble of $(9.390 \pm 6.290)\times 10^{-5}$.",
            r"$(9.390 \pm 6.290)\times 10^{-5}$",
            {"valueKind": {"absolute", "withError", "powerOfTen"}, "hasValue": {"0.00009390"}},
        ),
        ("Faster by an order of magnitude.", "an order of magnitude", {"valueKind": {"ratio", "spelledOut"}}),
        ("It is up to 3 times faster.", "3 times", {"hasValue": {"3"}, "relation": {"≤"}}),
    ],
)
def test_kinds_are_told_apart(text: str, value: str, expected: dict[str, set[str]]) -> None:
    (result,) = told(text, value, metric="wobble")
    assert {term: result.get(term, set()) for term in expected} == expected
    assert result["valueText"] == {value}


def test_a_list_shares_its_head_and_each_value_keeps_its_condition() -> None:
    text = r"TinyNet reduces wobble by 37\% (ABC), 33\% (DEFG), and 28\% (H3IJ)."
    results = told(text, r"37\%", r"33\%", r"28\%", subject="TinyNet", metric="wobble")
    assert [r["condition"] for r in results] == [{"ABC"}, {"DEFG"}, {"H3IJ"}]
    assert [r["hasValue"] for r in results] == [{"37"}, {"33"}, {"28"}]
    for result in results:
        assert result["valueKind"] == {"difference"}
        assert (result["specifiedBy"], result["higherIsBetter"], result["isImprovement"]) == (
            {"wobble"},
            {"false"},
            {"true"},
        )


def test_values_that_differ_in_nothing_else_keep_what_each_holds_for() -> None:
    text = "TinyNet has a wobble of 81% for sunny ponds and 99% on the other ones, while it rests."
    results = told(text, "81%", "99%", subject="TinyNet", metric="wobble")
    assert [r["condition"] for r in results] == [{"sunny ponds"}, {"other ones"}]
    text = "TinyNet has a wobble of 81% and 99% for ponds and lakes, respectively."
    assert all("condition" not in r for r in told(text, "81%", "99%", subject="TinyNet", metric="wobble"))
    text = "TinyNet has a wobble of 81% for sunny ponds."
    assert all("condition" not in r for r in told(text, "81%", subject="TinyNet", metric="wobble"))


@pytest.mark.parametrize(
    "text", ["TinyNet cuts wobble from 80.16% to 63.97%.", "TinyNet has a lower wobble of 63.97% (down from 80.16%)."]
)
def test_a_value_and_its_baselines_are_read_alike(text: str) -> None:
    (result,) = told(text, "63.97%", subject="TinyNet", metric="wobble", baseline="BigNet", baseline_value="80.16%")
    assert (result["hasValue"], result["baselineValue"], result["valueKind"]) == ({"63.97"}, {"80.16"}, {"absolute"})
    assert "condition" not in result
    assert result["isImprovement"] == {"true"}


def test_a_baselines_value_in_another_unit_is_words_only() -> None:
    (result,) = told("Training takes 20 minutes, not 4 hours.", "20 minutes", metric="time", baseline_value="4 hours")
    assert result["baselineValueText"] == {"4 hours"}
    assert "baselineValue" not in result


@pytest.mark.parametrize(
    ("text", "value", "metric", "higher", "improvement"),
    [
        ("TinyNet reaches an accuracy of 91%.", "91%", "accuracy", {"true"}, set()),
        ("TinyNet drops accuracy by 3%.", "3%", "accuracy", {"true"}, {"false"}),
        ("TinyNet improves accuracy by 3%.", "3%", "accuracy", {"true"}, {"true"}),
        ("TinyNet reduces wobble by 3%.", "3%", "wobble", {"false"}, {"true"}),
        ("TinyNet reduces wobble by more than 3%.", "3%", "wobble", {"false"}, {"true"}),
        ("TinyNet boosts wobble by 3%.", "3%", "wobble", {"true"}, {"true"}),
        ("TinyNet increases wobble by 3%.", "3%", "wobble", set(), set()),
        ("BigNet reduces wobble by 3%.", "3%", "wobble", set(), set()),
        ("TinyNet has a speedup of 3×.", "3×", "speedup", {"true"}, {"true"}),
        ("TinyNet has a wobble of 3%.", "3%", "wobble", set(), set()),
        ("TinyNet decreases top accuracy by 3%.", "3%", "top accuracy", {"true"}, {"false"}),
        ("TinyNet is 3× smaller.", "3×", "smaller", {"true"}, {"true"}),
    ],
)
def test_a_direction_is_told_where_the_field_or_the_text_says_so(
    text: str, value: str, metric: str, higher: set[str], improvement: set[str]
) -> None:
    (result,) = told(text, value, metric=metric, subject=text.split()[0])
    assert (result.get("higherIsBetter", set()), result.get("isImprovement", set())) == (higher, improvement)


@pytest.mark.parametrize(
    "behind", [" (2.5 days)", " (down from 9%)", " (Lake et al., 2022)", " (PondBench)", " (TinyNet)", " (p < 0.05)"]
)
def test_not_every_bracket_is_a_condition(behind: str) -> None:
    (result,) = told(f"TinyNet has a wobble of 60%{behind}.", "60%", subject="TinyNet", dataset="PondBench")
    assert "condition" not in result


HUGE = "9" * 400


@pytest.mark.parametrize(
    ("value", "number"),
    [
        ("1,234.5", {"1234.5"}),
        ("1.234,5", {"1234.5"}),
        ("1\u202f234", {"1234"}),
        ("−3.2", {"-3.2"}),
        ("1e-3", {"0.001"}),
        ("10^6", {"1000000"}),
        ("1e-30", {"0." + "0" * 29 + "1"}),
        (HUGE, {HUGE}),
        ("1.234.5", set()),
        ("NaN", set()),
        ("1e999999", set()),
        (r"$\frac{1}{\sqrt{\frac{2}{3", set()),
        ("5" + "{" * 200, set()),
        ("5\x00%", set()),
        ("\ud800", set()),
    ],
)
def test_no_number_is_wrong_and_no_paper_is_lost(tmp_path: Path, value: str, number: set[str]) -> None:
    text = f"TinyNet has a wobble of {value} here"
    (result,) = told(text, value, metric="wobble", baseline_value=value)
    assert result.get("hasValue", set()) == number
    this = extraction(text, value, metric="wobble")
    graph.write(tmp_path, [this], by_name([this]))
    assert check(tmp_path).conforms
    store = Store.read_only(str(tmp_path / "store"))
    stored = {q.object.value for q in store.quads_for_pattern(None, vocab.MLS_HAS_VALUE, None)}
    assert stored == number


@given(
    st.text(max_size=20),
    st.text(alphabet=r"0123456789.,'- +−–±×^{}\$%()eExtofr ⁻³KMB", min_size=1, max_size=24).filter(str.strip),
    st.text(max_size=20),
)
@settings(max_examples=150, deadline=None)
def test_whatever_the_text_each_value_is_a_decimal_and_has_a_kind(before: str, value: str, after: str) -> None:
    text = before + value + after
    start = len(before)
    results = (Result("", "m", value, "", "", value, start, start + len(value), 0.5),)
    this = Extraction(Paper("p", text), (), results, (), ((0, len(text)),))
    terms: dict[NamedNode, list[str]] = {}
    for _, p, o, _ in graph.quads([this], []):
        terms.setdefault(p, []).append(o.value)
        if isinstance(o, Literal) and o.datatype == vocab.XSD_DECIMAL:
            assert Decimal(o.value).is_finite()
            assert set(o.value) <= set("-.0123456789")
    assert terms[vocab.KG_VALUE_KIND]
    assert not {vocab.KG_LOWER_VALUE, vocab.KG_UPPER_VALUE} & terms.keys() or vocab.MLS_HAS_VALUE not in terms
