"""The questions about results: rankings by direction, never of unlike values, and improvements that are some."""

from __future__ import annotations

import re

import pytest
from graph_sample import by_name, mentions
from pyoxigraph import Store

from kg import graph
from kg.answers import python
from kg.queries import find
from kg.records import Entity, EntityType, Extraction, Paper, Result, Role
from kg.store import rows

NAMES = {
    "AntNet": (EntityType.MODEL, Role.PROPOSES),
    "BeeNet": (EntityType.MODEL, Role.PROPOSES),
    "CatNet": (EntityType.MODEL, Role.PROPOSES),
    "DogNet": (EntityType.MODEL, Role.COMPARES_WITH),
    "HillSet": (EntityType.DATASET, Role.EVALUATES_ON),
    "LakeSet": (EntityType.DATASET, Role.EVALUATES_ON),
    "stumbles": (EntityType.METRIC, Role.REPORTS),
    "step accuracy": (EntityType.METRIC, Role.REPORTS),
}
TEXTS = (
    "On HillSet, AntNet reduces stumbles to 12.50% (down from 20% for DogNet).",
    "BeeNet has stumbles of 8% on HillSet.",
    "On LakeSet, CatNet needs stumbles of 3% on average.",
    "AntNet reduces stumbles by 40%.",
    "BeeNet reduces stumbles by more than 70%.",
    "CatNet has 5 stumbles on HillSet.",
    "CatNet suffers: step accuracy drops by 90%.",
    "AntNet improves step accuracy by 2.5 points.",
    "AntNet boosts step accuracy by up to 3× and stumbles fall.",
    "CatNet has a step accuracy of 30-40% on HillSet.",
)
VALUE = re.compile(r"[0-9][0-9.-]*(?:%| points|×)?(?![\w%])")


def paper(number: int, text: str) -> Extraction:
    entities = [Entity(n, t, r, 0.9, found) for n, (t, r) in NAMES.items() if (found := mentions(text, n))]
    value = next(VALUE.finditer(text))

    def named(*types: EntityType, but: str = "") -> str:
        return next((e.name for e in entities if e.type in types and e.name != but), "")

    subject, metric = named(EntityType.MODEL), named(EntityType.METRIC)
    if "step accuracy" in text:
        metric = "step accuracy"
    baseline = named(EntityType.MODEL, but=subject)
    old = "20%" if baseline else ""
    result = Result(subject, metric, value[0], named(EntityType.DATASET), baseline, old, *value.span(), 0.8)
    return Extraction(Paper(f"p{number}", text, year=2026), tuple(entities), (result,), (), ((0, len(text)),))


@pytest.fixture(scope="module")
def store() -> Store:
    papers = [paper(n, text) for n, text in enumerate(TEXTS)]
    store = Store()
    store.extend(graph.quads(papers, by_name(papers)))
    return store


def ask(store: Store, query: str, *columns: str, **values: object) -> list[tuple[object, ...]]:
    answer = rows(store, find(query).with_values(values))
    places = [answer.columns.index(c) for c in columns]
    return [tuple(str(python(row[i])).rpartition("#")[2] for i in places) for row in answer.terms]


def test_the_leaderboard_sorts_by_direction_and_ranks_only_what_is_alike(store: Store) -> None:
    columns = ("kind", "dataset", "unit", "value", "better")
    assert ask(store, "leaderboard", *columns, metric="stumbles") == [
        ("absolute", "HillSet", "None", "5", "lower"),
        ("absolute", "HillSet", "%", "8", "lower"),
        ("absolute", "HillSet", "%", "12.5", "lower"),
        ("absolute", "LakeSet", "%", "3", "lower"),
        ("difference", "None", "%", "40", "lower"),
    ]


def test_a_leaderboard_of_one_dataset(store: Store) -> None:
    assert ask(store, "leaderboard", "subject", metric="stumbles", on="lakeset") == [("CatNet",)]
    assert ask(store, "leaderboard", "subject", metric="stumbles", on="nowhere") == []


def test_what_is_worse_is_last_among_differences_of_its_unit(store: Store) -> None:
    found = ask(store, "leaderboard", "kind", "unit", "value", metric="step accuracy")
    assert found == [("difference", "%", "90"), ("difference", "points", "2.5"), ("ratio", "×", "3")]


def test_the_largest_improvements_are_improvements(store: Store) -> None:
    columns = ("gain", "relation", "metric", "subject")
    assert ask(store, "largest-improvements", *columns) == [
        ("70", ">", "stumbles", "BeeNet"),
        ("40", "None", "stumbles", "AntNet"),
    ]
    assert ask(store, "largest-improvements", *columns, unit="points") == [
        ("7.5", "None", "stumbles", "AntNet"),
        ("2.5", "None", "step accuracy", "AntNet"),
    ]
    assert ask(store, "largest-improvements", *columns, kind="ratio", unit="×") == [
        ("3", "≤", "step accuracy", "AntNet")
    ]
    assert ask(store, "largest-improvements", *columns, sure=0.9) == []
    assert ask(store, "largest-improvements", "metric", unit="points", by="Accuracy") == [("step accuracy",)]


def test_all_results_of_a_model_over_all_papers(store: Store) -> None:
    found = ask(store, "results", "value", "kind", concept="antnet")
    assert sorted(found) == [
        ("12.50%", "absolute"),
        ("2.5 points", "difference"),
        ("3×", "ratio"),
        ("40%", "difference"),
    ]
    assert ask(store, "results", "value", concept="dognet") == [("12.50%",)]


def test_the_results_of_one_paper(store: Store) -> None:
    columns = ("subject", "metric", "kind", "value", "baseline", "baseline_value", "sentence")
    assert ask(store, "paper-results", *columns, paper="p0") == [
        ("AntNet", "stumbles", "absolute", "12.50%", "DogNet", "20%", TEXTS[0])
    ]
