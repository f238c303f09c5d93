"""Extractions against gold: precision, recall and F1, micro-averaged over papers.

    mention          exact span and type
    span             exact span, any type
    partial          overlapping span of the same type, each side counted once
    entity           an entity of a paper: same type, at least one surface form in common
    entity+role      the same, and the role is right: this is the paper → entity triple of the graph
    result           value and metric right
    result, full     value, metric, subject and baseline right

Mentions in a title, and entities that only a title names, are left out: gold annotates abstracts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeVar

from kg import gold
from kg.codec import loads
from kg.errors import InputError
from kg.records import Entity, EntityType, Extraction, Paper, Place, Result

Left = TypeVar("Left")
Right = TypeVar("Right")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table: how many are in gold, how many were found, how many of these are right."""

    name: str
    gold: int
    found: int
    right: int

    @property
    def precision(self) -> float:
        """Share of what was found that is right, in [0, 1]."""
        return self.right / max(1, self.found)

    @property
    def recall(self) -> float:
        """Share of gold that was found, in [0, 1]."""
        return self.right / max(1, self.gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of the two, in [0, 1]."""
        return 2 * self.right / max(1, self.gold + self.found)


def score(golds: Sequence[gold.Gold], extractions: Iterable[Extraction]) -> list[Row]:
    """The table of the module's docstring, with a row a type below `mention`.

    Extractions are matched to gold by id, else by text (a seed has no id of its own). Raises InputError where a gold
    paper has no extraction or a mention's offsets do not hold.
    """
    found = list(extractions)
    by_id = {e.paper.id: e for e in found} | {e.paper.text: e for e in found}
    rows: dict[str, Row] = {}
    for record in golds:
        extraction = by_id.get(record.id) or by_id.get(record.text)
        if extraction is None:
            raise InputError(f"there is no extraction for gold paper {record.id}; extract the same papers first")
        for row in _rows(record, _in_abstract(extraction)):
            old = rows.get(row.name, Row(row.name, 0, 0, 0))
            rows[row.name] = Row(row.name, old.gold + row.gold, old.found + row.found, old.right + row.right)
    return list(rows.values())


def score_file(gold_file: Path, *, source: Path | None = None) -> list[Row]:
    """Score a build's folder or a file of extraction records; without one, extract gold's own texts first."""
    golds = gold.read(gold_file)
    if source is None:
        from kg.extraction.pipeline import extract

        return score(golds, extract(Paper(g.id, g.text) for g in golds))
    path = source / "extractions.jsonl" if source.is_dir() else source
    try:
        with path.open(encoding="utf-8") as lines:
            return score(golds, (loads(line, origin=f"{path}:{n}") for n, line in enumerate(lines, 1) if line.strip()))
    except OSError as error:
        raise InputError(f"cannot read extractions from {path}: {error.strerror}") from error


def as_table(rows: Iterable[Row]) -> str:
    """Rows as the table that people read."""
    lines = [f"{'':18s} {'P':>6s} {'R':>6s} {'F1':>6s} {'gold':>6s}"]
    lines += [f"{r.name:18s} {r.precision:6.3f} {r.recall:6.3f} {r.f1:6.3f} {r.gold:6d}" for r in rows]
    return "\n".join(lines)


def as_json(rows: Iterable[Row]) -> str:
    """Rows as one JSON object, by name."""
    return json.dumps({r.name: {"p": r.precision, "r": r.recall, "f1": r.f1, "gold": r.gold} for r in rows})


def _in_abstract(extraction: Extraction) -> Extraction:
    kept = []
    for entity in extraction.entities:
        mentions = tuple(m for m in entity.mentions if m.place is Place.ABSTRACT)
        for m in mentions:
            if extraction.paper.text[m.start : m.end] != m.text:
                raise InputError(f"paper {extraction.paper.id}: {m.start}-{m.end} is not {m.text!r}; extract it again")
        if mentions:
            kept.append((entity.name, entity.type, entity.role, mentions))

    entities = tuple(Entity(name, kind, role, 1.0, mentions) for name, kind, role, mentions in kept)
    return Extraction(extraction.paper, entities, extraction.results)


def _rows(record: gold.Gold, extraction: Extraction) -> Iterator[Row]:
    expected = [(s.start, s.end, record.entities[s.entity].type) for s in gold.spans(record.text, record.entities)]
    found = [(m.start, m.end, e.type) for e in extraction.entities for m in e.mentions]
    yield Row("mention", len(expected), len(found), len(set(expected) & set(found)))
    yield Row("span", len(expected), len(found), len({s[:2] for s in expected} & {s[:2] for s in found}))
    overlapping = _pairs(expected, found, lambda a, b: a[2] == b[2] and a[0] < b[1] and b[0] < a[1])
    yield Row("partial", len(expected), len(found), len(overlapping))
    for kind in EntityType:
        of_kind = {s for s in expected if s[2] == kind}, {s for s in found if s[2] == kind}
        yield Row(f"  mention {kind}", len(of_kind[0]), len(of_kind[1]), len(of_kind[0] & of_kind[1]))
    gold_entities = [(e.type, e.role, {_fold(f) for f in e.forms}) for e in record.entities]
    entities = [(e.type, e.role, {_fold(m.text) for m in e.mentions}) for e in extraction.entities]
    pairs = _pairs(gold_entities, entities, lambda a, b: a[0] == b[0] and bool(a[2] & b[2]))
    yield Row("entity", len(gold_entities), len(entities), len(pairs))
    yield Row("entity+role", len(gold_entities), len(entities), sum(a[1] == b[1] for a, b in pairs))
    yield from _result_rows(record, extraction)


def _result_rows(record: gold.Gold, extraction: Extraction) -> Iterator[Row]:
    forms: dict[str, set[str]] = {}
    for entity in record.entities:
        name = _fold(entity.name)
        forms[name] = forms.get(name, set()) | {_fold(f) for f in entity.forms} | {name}
    names = {_fold(e.name): {_fold(m.text) for m in e.mentions} | {_fold(e.name)} for e in extraction.entities}

    def same(a: str, b: str) -> bool:
        a, b = _fold(a), _fold(b)
        return a == b or bool(forms.get(a, {a}) & names.get(b, {b}))

    def same_result(a: gold.GoldResult, b: Result) -> bool:
        return _fold(a.value) == _fold(b.value) and same(a.metric, b.metric)

    pairs = _pairs(record.results, extraction.results, same_result)
    full = sum(same(a.subject, b.subject) and same(a.baseline, b.baseline) for a, b in pairs)
    counts = len(record.results), len(extraction.results)
    yield Row("result", *counts, len(pairs))
    yield Row("result, full", *counts, full)


def _pairs(
    left: Sequence[Left], right: Sequence[Right], same: Callable[[Left, Right], bool]
) -> list[tuple[Left, Right]]:
    """Each of `right` with the first of `left` that is the same and still free."""
    free, pairs = list(left), []
    for b in right:
        match = next((i for i, a in enumerate(free) if same(a, b)), None)
        if match is not None:
            pairs.append((free.pop(match), b))
    return pairs


def _fold(text: str) -> str:
    return re.sub(r"[\s\\${}]+", " ", text).strip().casefold()
