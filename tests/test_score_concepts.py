"""Scoring concepts: B-cubed by hand, pairs, and gold files that are wrong."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from concept_corpus import paper

from kg.concepts import concepts
from kg.errors import InputError
from kg.gold import Gold, GoldEntity
from kg.records import Concept, EntityType, Role
from kg.score_concepts import extractions_of, score

PAPERS = [paper("a", "m: GNN, graph neural network"), paper("b", "m: graph neural network"), paper("c", "m: GRU")]


def _write(path: Path, *records: dict[str, object]) -> Path:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")
    return path


def test_right_concepts_score_one(tmp_path: Path) -> None:
    gold = _write(
        tmp_path / "gold.jsonl",
        {"label": "graph neural network", "forms": ["GNN", "graph neural network"], "papers": {}},
        {"label": "gated recurrent unit", "forms": ["GRU"], "papers": {}},
    )
    everything, several = score(gold, PAPERS, concepts(PAPERS))
    assert (everything.precision, everything.recall, everything.f1, everything.items) == (1, 1, 1, 4)
    assert (several.f1, several.items) == (1, 3)


def test_a_wrong_merge_costs_precision_and_a_split_recall(tmp_path: Path) -> None:
    gold = _write(
        tmp_path / "gold.jsonl",
        {"label": "graph neural network", "forms": ["graph neural network"], "papers": {}},
        {"label": "one", "forms": ["GNN"], "papers": {"GNN": ["a"]}},
    )
    merged = Concept("x", EntityType.MODEL, "x", (), (("a", 0), ("b", 0), ("c", 0)))
    row = score(gold, PAPERS, [merged])[0]
    assert (row.precision, row.recall) == (pytest.approx((2 / 3 + 2 / 3 + 1 / 3) / 3), 1)
    split = [Concept(name, EntityType.MODEL, name, (), ((name, 0),)) for name in "abc"]
    row = score(gold, PAPERS, split)[0]
    assert (row.precision, row.recall) == (pytest.approx((0.5 + 0.5 + 1) / 3), pytest.approx((0.5 + 0.5 + 1) / 3))


def test_pairs_are_right_or_wrong(tmp_path: Path) -> None:
    gold = _write(
        tmp_path / "pairs.jsonl",
        {"a": "GNN", "b": "graph neural network", "same": True},
        {"a": "GRU", "b": "graph neural network", "same": False},
        {"a": "GRU", "b": "GNN", "same": True},
        {"a": "GRU", "b": "a name that no paper has", "same": False},
    )
    (row,) = score(gold, PAPERS, concepts(PAPERS))
    assert (row.name, row.precision, row.items) == ("pairs right", 0.75, 4)


def test_gold_mentions_become_extractions_with_their_abbreviations() -> None:
    text = "Graph neural networks (GNNs) are deep. Deep GNNs oversmooth."
    entities = (GoldEntity("graph neural network", EntityType.MODEL, Role.USES, ("Graph neural networks", "GNNs")),)
    (extraction,) = extractions_of([Gold("p", text, "", entities, ())])
    assert [m.text for m in extraction.entities[0].mentions] == ["Graph neural networks", "GNNs", "GNNs"]
    assert [(a.short, a.long) for a in extraction.abbreviations] == [("GNNs", "Graph neural networks")]
    assert all(text[m.start : m.end] == m.text for m in extraction.entities[0].mentions)


@pytest.mark.parametrize("line", ['{"label": "x"}', "[1]", "{"])
def test_a_line_that_is_no_gold_is_named(tmp_path: Path, line: str) -> None:
    path = tmp_path / "gold.jsonl"
    path.write_text(f'{{"label": "x", "forms": []}}\n{line}\n', encoding="utf-8")
    with pytest.raises(InputError, match=r"gold\.jsonl:2"):
        score(path, PAPERS, [])


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read gold concepts"):
        score(tmp_path / "none.jsonl", PAPERS, [])
