"""The card of the weights of results: what they were made from, and what they score."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from kg import gold
from kg.errors import ServiceError
from kg.extraction.pipeline import extract
from kg.extraction.results import results
from kg.extraction.sentences import sentences
from kg.files import atomic_write
from kg.records import Entity, Extraction, Paper
from kg.score import Row, score
from kg.text import clean
from kg.train import noise

NOISY_COPIES = 5
HEAD = """# Model card: results of paperkg

`weights.json` ties the numbers of an abstract to what they measure; `words.txt` has classes of words. Linear
classifiers over named clues (`kg.extraction.clues`), so that each weight can be read.

**Trained on**: {papers:,} annotated abstracts that have numbers, each once with its gold entities and once with
entities as a tagger might find them; word classes on unlabelled abstracts. The abstracts are third parties' and not
part of this repository; no dev or seed abstract was trained on. **Weights**: Apache-2.0.
**Recorded command**: `python -m kg.train.results --corpus ../shared/corpus --seed {seed}`
**Versions**: {versions}

F1 of `result` on training abstracts, five folds, noisy entities: {f1:.3f}.

| abstracts | entities | result P | R | F1 | result, full P | R | F1 | gold |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
TAIL = """
Noisy entities err at the tagger's rates (`kg.train.noise`), mean of {copies} draws. A result is right where value and
metric are; a full one where subject and baseline are right, too. Confidence is the probability of the first, calibrated
on noisy entities.

**Limits**: a metric that is no entity is worded as annotators would, which they do not always agree on; values in words
beyond the usual (`a few minutes`, `linear`) are not found; what a pronoun stands for in another sentence is a guess.
"""

Found = Callable[[gold.Gold], Sequence[Entity]]


def write(folder: Path, sets: Mapping[str, Sequence[gold.Gold]], *, f1: float, papers: int, seed: int) -> None:
    """Score each set and write README.md."""
    versions = ", ".join(f"{p} {version(p)}" for p in ("numpy", "scipy"))
    lines = [HEAD.format(papers=papers, seed=seed, versions=versions, f1=f1)]
    for name, records in sets.items():
        lines.append(_line(name, "gold", [_rows(records, noise.entities)]))
        draws = [_rows(records, _noisy(copy)) for copy in range(NOISY_COPIES)]
        lines.append(_line(name, "noisy", draws))
        try:
            found = list(extract(Paper(r.id, r.text) for r in records))
        except ServiceError:
            continue  # no tagger yet
        lines.append(_line(name, "the tagger's", [_of(score(records, found))]))
    with atomic_write(folder / "README.md") as file:
        file.write("".join(lines) + TAIL.format(copies=NOISY_COPIES))


def _noisy(copy: int) -> Found:
    def found(record: gold.Gold) -> Sequence[Entity]:
        return noise.noisy(noise.entities(record), clean(record.text), random.Random(f"draw {copy} {record.id}"))

    return found


def _rows(records: Sequence[gold.Gold], entities: Found) -> list[Row]:
    extractions = []
    for r in records:
        text, found = clean(r.text), tuple(entities(r))
        bounds = tuple(text.to_source(*s) for s in sentences(text.clean))
        extractions.append(Extraction(Paper(r.id, r.text), found, results(text, found, bounds)))
    return _of(score(records, extractions))


def _of(rows: Sequence[Row]) -> list[Row]:
    return [r for r in rows if r.name.startswith("result")]


def _line(name: str, entities: str, draws: Sequence[Sequence[Row]]) -> str:
    cells = []
    for rows in zip(*draws, strict=True):
        for measure in ("precision", "recall", "f1"):
            cells.append(f"{sum(getattr(r, measure) for r in rows) / len(rows):.3f}")
    return f"| {name} | {entities} | {' | '.join(cells)} | {draws[0][0].gold} |\n"
