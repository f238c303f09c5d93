"""Training of the classifiers of results: what it learns from choices, how gold becomes questions, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

pytest.importorskip("scipy", reason="training needs the extra `train`")

from kg import gold
from kg.extraction.scene import scene
from kg.extraction.sentences import sentences
from kg.records import EntityType, Role
from kg.text import clean
from kg.train.entities import gold_entities
from kg.train.questions import Labelled, label, questions
from kg.train.results import main
from kg.train.softmax import fit, question

TEXT = "We propose TinyNet. TinyNet improves accuracy from 71.2% to 81.3% and is 5x faster than BigNet."
ENTITIES = (
    gold.GoldEntity("TinyNet", EntityType.MODEL, Role.PROPOSES, ("TinyNet",)),
    gold.GoldEntity("BigNet", EntityType.MODEL, Role.COMPARES_WITH, ("BigNet",)),
    gold.GoldEntity("accuracy", EntityType.METRIC, Role.REPORTS, ("accuracy",)),
)
RESULTS = (
    gold.GoldResult("TinyNet", "accuracy", "81.3%", "", "", "71.2%"),
    gold.GoldResult("TinyNet", "faster", "5x", "", "BigNet", ""),
)
RECORD = gold.Gold("r", TEXT, "", ENTITIES, RESULTS)


def labelled() -> Labelled:
    text = clean(TEXT)
    stage = scene(text, gold_entities(RECORD), [text.to_source(*s) for s in sentences(text.clean)])
    assert stage is not None
    return label(RECORD, stage)


def test_what_is_always_chosen_gets_the_higher_weight() -> None:
    asked = [question([["red", f"only {i}"], ["blue"]], [True, False]) for i in range(20)]
    weights = fit(asked, penalty=1.0, least=2)
    assert weights["red"] > 0 > weights["blue"]
    assert weights.keys() == {"red", "blue"}


def test_a_clue_that_tells_nothing_has_no_weight() -> None:
    asked = [question([["same", "a"], ["same", "b"]], [i % 4 > 0, i % 4 == 0]) for i in range(20)]
    weights = fit(asked, penalty=1.0, least=2)
    assert weights["same"] == pytest.approx(0, abs=1e-3)
    assert weights["a"] > weights["b"]


def test_gold_results_are_found_by_their_values() -> None:
    found = labelled()
    assert {found.scene.value(n): r.metric for n, r in found.results.items()} == {"81.3%": "accuracy", "5x": "faster"}
    assert [found.scene.value(n) for n in found.olds] == ["71.2%"]


def test_each_question_has_the_gold_answer() -> None:
    asked = questions(labelled())
    assert [q.right[0] for q in asked["number"]] == [False, True, True]
    assert [q.right[0] for q in asked["old"]] == [True, False, False]
    assert all(sum(q.right) == 1 for kind in ("subject", "baseline") for q in asked[kind])
    assert [q.right[0] for q in asked["baseline"]] == [True, False]  # the first alternative is none


def write(path: Path, *records: dict[str, object]) -> None:
    path.write_text("".join(json.dumps(r) + "\n" for r in records), encoding="utf-8")


def test_it_refuses_to_train_on_dev(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    record = {"id": "a", "text": TEXT, "entities": [], "results": []}
    write(tmp_path / "train.jsonl", record)
    write(tmp_path / "dev.jsonl", record | {"id": "b"})
    write(tmp_path / "seeds-gold.jsonl")
    monkeypatch.setattr("sys.argv", ["kg.train.results", "--corpus", str(tmp_path)])
    assert main() == 1
    assert "a is also held-out abstract b" in capsys.readouterr().err
