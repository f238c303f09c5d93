"""Concepts against gold: B-cubed over names, and pairs of names that are easily got wrong.

Items are the distinct (paper, surface form) pairs that gold knows. The B-cubed precision of an item is the share of
items in its concept that gold has in the same concept; recall is the converse; both are averaged over the items, once
over all of them and once over those whose gold concept has several forms: the part that exact string match can't get.
Source: Bagga and Baldwin 1998; Amigó et al. 2009.

A gold file has one concept a line, {"label", "forms": [...], "papers": {form: [paper ids]}} with papers for ambiguous
forms only, or one pair of forms a line, {"a", "b", "same"}. Two forms are taken for the same if some concept has both.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from kg.cache import FINAL, read
from kg.concepts import concepts, part
from kg.errors import InputError
from kg.extraction.abbreviations import pairs
from kg.gold import Gold, spans
from kg.gold import read as gold_records
from kg.records import Abbreviation, Concept, Entity, Extraction, Mention, Paper
from kg.text import clean

Item = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table; `items` is how many names or pairs it is over."""

    name: str
    precision: float
    recall: float
    items: int

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall, in [0, 1]."""
        total = self.precision + self.recall
        return 2 * self.precision * self.recall / total if total else 0.0


def score(path: Path, extractions: Iterable[Extraction], found: Iterable[Concept]) -> list[Row]:
    """The table for a gold file of concepts or of pairs; of pairs, precision and recall both are the share right."""
    records = list(_records(path))
    linked = links(extractions, found)
    if all("same" in record for record in records):
        return [_pairs(records, linked)]
    return bcubed(records, linked)


def score_file(path: Path, *, source: Path) -> list[Row]:
    """Score the concepts of a build's folder, or of gold mentions: a file of gold records or a folder of them."""
    if (source / FINAL).exists():
        found = list(read(source))
    else:
        files = sorted(source.glob("*.jsonl")) if source.is_dir() else [source]
        found = list(extractions_of(g for file in files for g in gold_records(file)))
    return score(path, found, concepts(found))


def as_table(rows: Iterable[Row]) -> str:
    """Rows as the table that people read."""
    lines = [f"{'':18s} {'P':>6s} {'R':>6s} {'F1':>6s} {'items':>6s}"]
    lines += [f"{r.name:18s} {r.precision:6.4f} {r.recall:6.4f} {r.f1:6.4f} {r.items:6d}" for r in rows]
    return "\n".join(lines)


def as_json(rows: Iterable[Row]) -> str:
    """Rows as one JSON object, by name."""
    return json.dumps({r.name: {"p": r.precision, "r": r.recall, "f1": r.f1, "items": r.items} for r in rows})


def links(extractions: Iterable[Extraction], concepts: Iterable[Concept]) -> dict[Item, str]:
    """For each surface form of each paper, what identifies its concept."""
    where = {member: f"{c.type.lower()}/{c.slug}" for c in concepts for member in c.members}
    return {
        (extraction.paper.id, mention.text): where[extraction.paper.id, index]
        for extraction in extractions
        for index, entity in enumerate(extraction.entities)
        for mention in entity.mentions
    }


def bcubed(records: Iterable[Mapping[str, object]], found: Mapping[Item, str]) -> list[Row]:
    """The two rows of B-cubed over the items that gold knows."""
    sense: dict[object, str] = {}
    sizes: dict[str, int] = {}
    for record in records:
        label, forms, papers = str(record["label"]), _list(record["forms"]), record.get("papers") or {}
        sizes[label] = len(set(forms))
        for form in forms:
            those = papers.get(form) if isinstance(papers, dict) else None
            sense |= {(p, form): label for p in those} if those else {form: label}
    right = {item: known for item in found if (known := sense.get(item) or sense.get(item[1]))}
    several = [item for item, label in right.items() if sizes[label] > 1]
    return [_row("all names", list(right), right, found), _row("several forms", several, right, found)]


def _row(name: str, over: Sequence[Item], right: Mapping[Item, str], found: Mapping[Item, str]) -> Row:
    in_gold, in_found = Counter(right.values()), Counter(found[i] for i in right)
    in_both = Counter((right[i], found[i]) for i in right)
    n = max(1, len(over))
    precision = sum(in_both[right[i], found[i]] / in_found[found[i]] for i in over) / n
    recall = sum(in_both[right[i], found[i]] / in_gold[right[i]] for i in over) / n
    return Row(name, precision, recall, len(over))


def _pairs(records: Sequence[Mapping[str, object]], found: Mapping[Item, str]) -> Row:
    concepts: dict[str, set[str]] = defaultdict(set)
    for (_, form), concept in found.items():
        concepts[form].add(concept)
    right = sum(bool(concepts.get(str(r["a"]), set()) & concepts.get(str(r["b"]), set())) == r["same"] for r in records)
    return Row("pairs right", right / max(1, len(records)), right / max(1, len(records)), len(records))


def extractions_of(golds: Iterable[Gold]) -> Iterator[Extraction]:
    """Gold mentions as extractions, so that the concepts can be scored without the tagger's mistakes."""
    for gold in golds:
        text = clean(gold.text).clean
        placed: dict[int, list[Mention]] = defaultdict(list)
        for span in spans(gold.text, gold.entities):
            placed[span.entity].append(Mention(span.start, span.end, gold.text[span.start : span.end], 1.0))
        entities = tuple(
            Entity(gold.entities[i].name, gold.entities[i].type, gold.entities[i].role, 1.0, tuple(placed[i]))
            for i in sorted(placed)
        )
        short = tuple(Abbreviation(text[slice(*p.short)], text[slice(*p.long)]) for p in pairs(text))
        yield part(Extraction(Paper(gold.id, gold.text, venue=gold.venue), entities, abbreviations=short))


def _records(path: Path) -> Iterator[dict[str, object]]:
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read gold concepts from {path}: {error}") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _record(line, f"{path}:{number}")


def _record(line: str, origin: str) -> dict[str, object]:
    try:
        record = json.loads(line)
        if {"label", "forms"} <= record.keys() or {"a", "b", "same"} <= record.keys():
            return dict(record)
    except (ValueError, AttributeError) as error:
        raise InputError(f"{origin} is not JSON ({error}); gold has one concept or pair a line") from error
    raise InputError(f"{origin} is neither a concept (label, forms) nor a pair (a, b, same)")


def _list(value: object) -> list[str]:
    return [str(v) for v in value] if isinstance(value, list) else []
