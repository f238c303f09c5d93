"""Extractions for the tests of the graph: one paper in which everything occurs, and the gold of the seeds."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from pathlib import Path

from kg.records import Concept, Entity, EntityType, Extraction, Mention, Paper, Place, Result, Role
from kg.vocab import slug

GOLD = Path(__file__).parent / "data" / "seeds-gold.jsonl"

TITLE = "Tidewater: swimming with less data"
ABSTRACT = (
    "We propose **Tidewater**, a swimmer for pool navigation. It builds on LapNet and beats LapNet-2 on Lake-9 🏊: "
    r"accuracy rises to 92.10\%, from 88.4\%. Tidewater is $28\times$ faster; its loss is 10-15% lower."
)


def mentions(text: str, *forms: str, place: Place = Place.ABSTRACT) -> tuple[Mention, ...]:
    """Every occurrence of the forms as whole words, the first form first."""
    hits = (m.span() for form in forms for m in re.finditer(rf"(?<![\w-]){re.escape(form)}(?![\w-])", text))
    return tuple(Mention(i, j, text[i:j], 0.9, place) for i, j in hits)


def result(text: str, value: str, **fields: str) -> Result:
    """One result whose value stands in the text."""
    start = text.index(value)
    names = {"subject": "", "metric": "", "dataset": "", "baseline": "", "baseline_value": ""} | fields
    return Result(value=value, start=start, end=start + len(value), confidence=0.8, **names)


def swimmer(paper_id: str = "10.5555/SWIM(26)1", **fields: object) -> Extraction:
    """One paper with a title, all identifiers, six entities of all types, and three results."""
    about = {"title": TITLE, "venue": "PoolConf", "year": 2026, "authors": ("Ada Wave", "Bo Åström")}
    about |= {"doi": "10.5555/SWIM(26)1", "arxiv": "2601.00001", "openalex": "W1", "url": "https://example.org/a b"}
    paper = Paper(paper_id, ABSTRACT, **(about | fields))  # type: ignore[arg-type]
    tidewater = mentions(TITLE, "Tidewater", place=Place.TITLE) + mentions(ABSTRACT, "Tidewater")
    entities = (
        Entity("Tidewater", EntityType.MODEL, Role.PROPOSES, 0.97, tidewater),
        Entity("LapNet", EntityType.METHOD, Role.USES, 0.8, mentions(ABSTRACT, "LapNet")),
        Entity("LapNet-2", EntityType.MODEL, Role.COMPARES_WITH, 0.7, mentions(ABSTRACT, "LapNet-2")),
        Entity("Lake-9", EntityType.DATASET, Role.EVALUATES_ON, 0.6, mentions(ABSTRACT, "Lake-9")),
        Entity("accuracy", EntityType.METRIC, Role.REPORTS, 1.0, mentions(ABSTRACT, "accuracy")),
        Entity("pool navigation", EntityType.TASK, Role.ADDRESSES, 0.5, mentions(ABSTRACT, "pool navigation")),
    )
    known = {"subject": "Tidewater", "dataset": "Lake-9", "baseline": "LapNet-2"}
    results = (
        result(ABSTRACT, r"92.10\%", metric="accuracy", baseline_value=r"88.4\%", **known),
        result(ABSTRACT, r"$28\times$", metric="faster", subject="Tidewater"),
        result(ABSTRACT, "10-15%", metric="loss"),
    )
    first = ABSTRACT.index(" It builds")
    second = ABSTRACT.index(" Tidewater is")
    sentences = ((0, first), (first + 1, second), (second + 1, len(ABSTRACT)))
    return Extraction(paper, entities, results, (), sentences)


def by_name(extractions: Iterable[Extraction]) -> tuple[Concept, ...]:
    """One concept for each type and slug: enough to have concepts."""
    groups: dict[tuple[EntityType, str], dict[tuple[str, int], Entity]] = {}
    for extraction in extractions:
        for index, entity in enumerate(extraction.entities):
            groups.setdefault((entity.type, slug(entity.name)), {})[extraction.paper.id, index] = entity
    return tuple(_concept(*key, members) for key, members in sorted(groups.items()))


def _concept(type_: EntityType, name: str, members: dict[tuple[str, int], Entity]) -> Concept:
    forms = sorted({m.text for e in members.values() for m in e.mentions} | {e.name for e in members.values()})
    return Concept(name, type_, next(iter(members.values())).name, tuple(forms), tuple(sorted(members)))


def seeds() -> list[Extraction]:
    """The gold of the seed abstracts as extractions."""
    return [_seed(json.loads(line)) for line in GOLD.read_text(encoding="utf-8").splitlines()]


def _seed(record: dict) -> Extraction:  # type: ignore[type-arg]
    text, taken, entities = record["text"], set(), []
    for e in sorted(record["entities"], key=lambda e: -max(map(len, e["m"]))):
        free = [m for m in mentions(text, *e["m"]) if taken.isdisjoint(range(m.start, m.end))]
        taken.update(i for m in free for i in range(m.start, m.end))
        if free:
            entities.append(Entity(e["n"], EntityType(e["t"]), Role(e["r"]), 0.9, tuple(free)))
    named = {"s": "subject", "me": "metric", "d": "dataset", "b": "baseline", "bv": "baseline_value"}
    results = [result(text, r["v"], **{named[k]: r[k] for k in named}) for r in record["results"] if r["v"] in text]
    ends = [m.end() for m in re.finditer(r"[.!?](?=\s+[A-Z])", text)] + [len(text)]
    starts = [0, *(re.compile(r"\s*").match(text, end).end() for end in ends[:-1])]  # type: ignore[union-attr]
    paper = Paper(record["id"], text, venue="NeurIPS", year=2026)
    return Extraction(paper, tuple(entities), tuple(results), (), tuple(zip(starts, ends, strict=True)))
