"""The scorer's table, on records small enough to count by hand."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kg.codec import dumps
from kg.errors import InputError
from kg.records import Entity, EntityType, Extraction, Mention, Paper, Place, Result, Role
from kg.score import as_json, as_table, score_file

TEXT = "We propose Foo and beat GAN by 3% accuracy; Foo is a GAN."


def mention(form: str, nth: int = 0, *, place: Place = Place.ABSTRACT) -> Mention:
    at = [i for i in range(len(TEXT)) if TEXT.startswith(form, i)][nth]
    return Mention(at, at + len(form), form, 0.9, place)


GOLD = {
    "id": "p",
    "text": TEXT,
    "entities": [
        {"n": "Foo", "t": "Model", "r": "proposes", "m": ["Foo"]},
        {"n": "GAN", "t": "Model", "r": "comparesWith", "m": ["GAN"]},
        {"n": "accuracy", "t": "Metric", "r": "reports", "m": ["accuracy"]},
    ],
    "results": [{"s": "Foo", "me": "accuracy", "v": "3%", "d": "", "b": "GAN", "bv": ""}],
}
FOUND = Extraction(
    Paper("p", TEXT, title="Foo"),
    (
        Entity("Foo", EntityType.MODEL, Role.PROPOSES, 0.9, (mention("Foo"), mention("Foo", 1))),
        Entity("GAN", EntityType.METHOD, Role.USES, 0.9, (mention("GAN"),)),
        Entity("accuracy", EntityType.METRIC, Role.MENTIONS, 0.9, (mention("accuracy"),)),
        Entity("title only", EntityType.MODEL, Role.USES, 0.9, (Mention(0, 3, "Foo", 0.9, Place.TITLE),)),
    ),
    (Result("Foo", "accuracy", "3%", "", "", "", 31, 33, 0.9),),
)


@pytest.fixture
def files(tmp_path: Path) -> tuple[Path, Path]:
    (tmp_path / "gold.jsonl").write_text(json.dumps(GOLD) + "\n", encoding="utf-8")
    (tmp_path / "found.jsonl").write_text(dumps(FOUND) + "\n", encoding="utf-8")
    return tmp_path / "gold.jsonl", tmp_path / "found.jsonl"


def test_counts(files: tuple[Path, Path]) -> None:
    rows = {r.name.strip(): (r.gold, r.found, r.right) for r in score_file(files[0], source=files[1])}
    assert rows["mention"] == (5, 4, 3)
    assert rows["span"] == (5, 4, 4)
    assert rows["mention Method"] == (0, 1, 0)
    assert rows["entity"] == (3, 3, 2)
    assert rows["entity+role"] == (3, 3, 1)
    assert rows["result"] == (1, 1, 1)
    assert rows["result, full"] == (1, 1, 0)


def test_table_and_json_say_the_same(files: tuple[Path, Path]) -> None:
    rows = score_file(files[0], source=files[1])
    assert "mention             0.750  0.600  0.667      5" in as_table(rows)
    assert json.loads(as_json(rows))["mention"] == {"p": 0.75, "r": 0.6, "f1": pytest.approx(2 / 3), "gold": 5}


def test_a_wrong_offset_is_told_with_its_paper(files: tuple[Path, Path]) -> None:
    files[1].write_text(files[1].read_text(encoding="utf-8").replace('"start": 11', '"start": 12'), encoding="utf-8")
    with pytest.raises(InputError, match="paper p: 12-14 is not 'Foo'"):
        score_file(files[0], source=files[1])


def test_a_missing_paper_is_told(files: tuple[Path, Path]) -> None:
    files[1].write_text("", encoding="utf-8")
    with pytest.raises(InputError, match="no extraction for gold paper p"):
        score_file(files[0], source=files[1])
