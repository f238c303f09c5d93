"""The tagger on abstracts that are written differently; and that spoiling an abstract spoils what it says it does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kg import gold
from kg.records import EntityType, Role
from kg.train import robust, spoil

SEEDS_GOLD = Path(__file__).parent / "data" / "seeds-gold.jsonl"
# 38 dense abstracts, so a point or two is chance; on 160 others no way costs more than 0.03 (the model card).
MOST_LOST = 0.07
TEXT = "Juggling is hard. We propose TriBall, a juggler. It beats DuoBall on PinDrop. TriBall is fast."
RECORD = gold.Gold(
    "r",
    TEXT,
    "",
    (
        gold.GoldEntity("TriBall", EntityType.MODEL, Role.PROPOSES, ("TriBall",)),
        gold.GoldEntity("DuoBall", EntityType.MODEL, Role.COMPARES_WITH, ("DuoBall",)),
        gold.GoldEntity("PinDrop", EntityType.DATASET, Role.EVALUATES_ON, ("PinDrop",)),
    ),
    (),
)


def named(record: gold.Gold) -> list[str]:
    return [record.text[s.start : s.end] for s in gold.spans(record.text, record.entities)]


def test_names_are_lower_cased_and_nothing_else() -> None:
    spoilt = spoil.lower_names(RECORD)
    assert spoilt.text == TEXT.replace("TriBall", "triball").replace("DuoBall", "duoball").replace("PinDrop", "pindrop")
    assert named(spoilt) == ["triball", "duoball", "pindrop", "triball"]


def test_markup_dresses_names_that_stay_findable() -> None:
    records = gold.read(SEEDS_GOLD)
    spoilt = [spoil.markup(r) for r in records]
    assert [spoil.markup(r) for r in records] == spoilt
    assert sum(s.text != r.text for r, s in zip(records, spoilt, strict=True)) >= 36
    found, of = sum(len(named(s)) for s in spoilt), sum(len(named(r)) for r in records)
    assert abs(found - of) <= of / 100


def test_a_half_ends_with_a_sentence() -> None:
    assert spoil.first_half(RECORD).text == "Juggling is hard."
    assert named(spoil.first_half(RECORD)) == []


def test_the_sentence_of_the_proposal_is_left_out() -> None:
    spoilt = spoil.no_proposal(RECORD)
    assert spoilt.text == "Juggling is hard. It beats DuoBall on PinDrop. TriBall is fast."
    assert named(spoilt) == ["DuoBall", "PinDrop", "TriBall"]


def test_the_tagger_stands_it() -> None:
    whole, *spoilt = robust.table(gold.read(SEEDS_GOLD))
    assert whole[1] > 0.6
    assert len(spoilt) == len(spoil.SPOILT)
    for way, f1 in spoilt:
        assert f1 > whole[1] - MOST_LOST, way


@pytest.mark.parametrize("way", spoil.SPOILT.values())
def test_spoiling_keeps_what_is_annotated_in_the_text(way: object) -> None:
    for record in gold.read(SEEDS_GOLD):
        spoilt = way(record)  # type: ignore[operator]
        assert all(form in spoilt.text for e in spoilt.entities for form in e.forms)
