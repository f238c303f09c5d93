"""What the numbers of an abstract are tied to: value, metric, subject, baseline; and what is no result."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kg.extraction.results import results
from kg.extraction.sentences import sentences
from kg.records import Entity, EntityType, Mention, Result, Role
from kg.text import clean


def entity(source: str, name: str, kind: EntityType, role: Role) -> Entity:
    starts = [i for i in range(len(source)) if source.startswith(name, i)]
    return Entity(name, kind, role, 0.9, tuple(Mention(i, i + len(name), name, 0.9) for i in starts))


def found(source: str, *named: tuple[str, EntityType, Role]) -> tuple[Result, ...]:
    text = clean(source)
    bounds = [text.to_source(*s) for s in sentences(text.clean)]
    return results(text, [entity(source, *n) for n in named], bounds)


OURS = ("TinyNet", EntityType.MODEL, Role.PROPOSES)
THEIRS = ("BigNet", EntityType.MODEL, Role.COMPARES_WITH)
ACCURACY = ("accuracy", EntityType.METRIC, Role.REPORTS)
LATENCY = ("latency", EntityType.METRIC, Role.REPORTS)
DATA = ("ImageNet", EntityType.DATASET, Role.EVALUATES_ON)


def test_a_result_has_value_metric_subject_and_dataset() -> None:
    (result,) = found(r"We propose TinyNet. On ImageNet, TinyNet achieves 81.3\% accuracy.", OURS, ACCURACY, DATA)
    assert (result.value, result.metric, result.subject, result.dataset) == (
        r"81.3\%",
        "accuracy",
        "TinyNet",
        "ImageNet",
    )


def test_two_metrics_of_one_sentence_have_each_its_number() -> None:
    source = "We propose TinyNet. TinyNet improves accuracy by 3.1% and reduces latency by 45% compared to BigNet."
    assert [(r.metric, r.value) for r in found(source, OURS, THEIRS, ACCURACY, LATENCY)] == [
        ("accuracy", "3.1%"),
        ("latency", "45%"),
    ]


def test_the_compared_is_the_baseline() -> None:
    source = "We propose TinyNet. TinyNet reduces latency by 45% compared to BigNet."
    assert found(source, OURS, THEIRS, LATENCY)[0].baseline == "BigNet"


def test_the_old_value_is_the_baselines_and_no_result() -> None:
    source = "We propose TinyNet. TinyNet improves accuracy on ImageNet from 71.2% to 81.3%."
    (result,) = found(source, OURS, ACCURACY, DATA)
    assert (result.value, result.baseline_value) == ("81.3%", "71.2%")


def test_the_old_value_in_a_bracket_is_the_baselines_and_whose_it_is_is_the_baseline() -> None:
    source = "We propose TinyNet. TinyNet has a latency of 64 ms on ImageNet (down from 80 ms for BigNet)."
    (result,) = found(source, OURS, THEIRS, LATENCY, DATA)
    assert (result.value, result.baseline_value, result.baseline) == ("64 ms", "80 ms", "BigNet")


def test_a_list_of_conditions_has_one_measure_even_if_the_conditions_look_like_metrics() -> None:
    source = r"We propose TinyNet. TinyNet reduces latency by 37\% (PBE), 33\% (SCAN), and 28\% (B3LYP)."
    metrics = [(name, EntityType.METRIC, Role.REPORTS) for name in ("PBE", "SCAN", "B3LYP")]
    results = found(source, OURS, LATENCY, *metrics)
    assert [(r.value, r.metric) for r in results] == [(v, "latency") for v in (r"37\%", r"33\%", r"28\%")]


def test_the_new_value_of_a_list_of_pairs_takes_its_own_old_value() -> None:
    source = "We propose TinyNet. TinyNet lifts accuracy by 4.2% (69% vs 64.7%) and reaches 48.6% accuracy on ImageNet."
    assert "64.7%" not in [r.baseline_value for r in found(source, OURS, ACCURACY, DATA) if r.value != "69%"]


def test_from_a_to_b_with_words_between_is_two_values() -> None:
    source = "We propose TinyNet. TinyNet reduces latency from the baseline 34.7 ms to 4.3 ms on ImageNet."
    (result,) = found(source, OURS, LATENCY, DATA)
    assert (result.value, result.baseline_value) == ("4.3 ms", "34.7 ms")


def test_one_metric_in_one_bracket_is_the_measure() -> None:
    source = "We propose TinyNet. TinyNet outperforms BigNet on ImageNet by 10.7% (accuracy)."
    (result,) = found(source, OURS, THEIRS, ACCURACY, DATA)
    assert result.metric == "accuracy"


def test_a_metric_right_behind_its_number_is_the_measure() -> None:
    source = "We propose TinyNet. TinyNet reduces the latency on ImageNet to 64% accuracy."
    (result,) = found(source, OURS, LATENCY, ACCURACY, DATA)
    assert result.metric == "accuracy"


def test_what_goes_down_by_a_number_is_measured_whatever_it_was_taken_for() -> None:
    wobble = ("wobble", EntityType.METHOD, Role.MENTIONS)
    (result,) = found("We propose TinyNet. TinyNet reduces the wobble by up to 45%.", OURS, wobble)
    assert (result.metric, result.value) == ("wobble", "45%")


def test_a_measure_that_is_no_entity_is_the_words_of_the_text() -> None:
    (result,) = found(r"We propose TinyNet. TinyNet trains $28\times$ faster than BigNet.", OURS, THEIRS)
    assert (result.value, result.metric) == (r"$28\times$", "faster")


def test_a_bound_is_a_result() -> None:
    source = r"We propose an algorithm with $\widetilde{O}(\sqrt{T})$ regret."
    (result,) = found(source, ("regret", EntityType.METRIC, Role.REPORTS))
    assert (result.value, result.metric) == (r"$\widetilde{O}(\sqrt{T})$", "regret")


@pytest.mark.parametrize(
    "source",
    [
        "We collect 12,500 images from 30 subjects in 2021.",
        "TinyNet has 7B parameters and 24 layers.",
        "We use GPT-4 and ResNet-50 with top-5 sampling.",
        "Section 3 describes the three stages of TinyNet.",
        "The code needs Python 3.11 and CUDA 12.1.",
        "A 27K-parameter model is trained on 1.2M images.",
    ],
)
def test_sizes_counts_years_and_versions_are_no_results(source: str) -> None:
    assert found(source, OURS) == ()


def test_an_empty_paper_and_one_without_numbers_have_none() -> None:
    assert found("") == found("We propose TinyNet.", OURS) == ()


@given(st.text(alphabet=st.sampled_from(list("ab %.,$\\{}^_-–~0123456789×±()<>\n")) | st.characters(), max_size=120))
@settings(max_examples=60, deadline=None)
def test_any_text_is_read_and_each_value_stands_where_it_says(source: str) -> None:
    for result in found(source, ("a", EntityType.METRIC, Role.REPORTS)):
        assert source[result.start : result.end] == result.value
        assert 0 <= result.confidence <= 1
