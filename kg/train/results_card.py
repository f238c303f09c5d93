"""The card of the weights of results: what they were made from, and what they score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path

from kg import gold
from kg.extraction.pipeline import extract
from kg.extraction.results import results
from kg.extraction.sentences import sentences
from kg.files import atomic_write
from kg.records import Extraction, Paper
from kg.score import Row, score
from kg.text import clean
from kg.train.entities import gold_entities

TRIED = Path(__file__).with_name("tried_results.md")
HEAD = """# Model card: results of paperkg

`weights.json` ties the numbers of an abstract to what they measure; `words.txt` has classes of words. Linear
classifiers over named clues (`kg.extraction.clues`), so that each weight can be read.

**Trained on**: {trained_on:,} annotated abstracts that have numbers, with their gold entities; word classes on
unlabelled ones; {tyings} numbers of abstracts that the tagger was not trained on, with the tagger's entities, for the
calibration (and dev, for the least confidence). The abstracts are third parties' and not part of this repository; no
dev or seed abstract was trained on. **Weights**: Apache-2.0.
**Recorded command**: `python -m kg.train.results --corpus ../shared/corpus`
**Versions**: {versions}

| abstracts | entities | result P | R | F1 | result, full P | R | F1 | gold |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
"""
TAIL = """
A result is right where value and metric are; a full one where subject and baseline are right, too. Confidence is the
probability of the first.

What stands right beside a number is settled without asking the weights (`kg.extraction.beside`): a metric behind it, an
old value, a condition in brackets, what changes by it. That came after the training of the committed weights: with the
entities of one tagger it raised F1 from 0.642 / 0.493 to 0.662 / 0.511 on dev and from 0.400 / 0.293 to 0.595 / 0.432
on the seeds, whose errors had been looked at. A new training sees the numbers with what is settled, so its weights
would differ a little.

**Limits**: a metric that is no entity is worded as annotators would, which they do not always agree on; a metric that
the tagger cuts wrongly is wrong here, too; values in words beyond the usual (`a few minutes`, `linear`) are not found.

"""


def write(folder: Path, sets: Mapping[str, Sequence[gold.Gold]], *, trained_on: int, tyings: int) -> None:
    """Score each set with gold entities and with the tagger's, and write README.md."""
    versions = ", ".join(f"{p} {version(p)}" for p in ("numpy", "scipy"))
    lines = [HEAD.format(trained_on=trained_on, tyings=tyings, versions=versions)]
    for name, records in sets.items():
        lines.append(_line(name, "gold", score(records, map(_with_gold, records))))
        lines.append(_line(name, "the tagger's", score(records, extract(Paper(r.id, r.text) for r in records))))
    with atomic_write(folder / "README.md") as file:
        file.write("".join(lines) + TAIL + TRIED.read_text(encoding="utf-8"))


def _with_gold(record: gold.Gold) -> Extraction:
    text, found = clean(record.text), tuple(gold_entities(record))
    bounds = tuple(text.to_source(*s) for s in sentences(text.clean))
    return Extraction(Paper(record.id, record.text), found, results(text, found, bounds))


def _line(name: str, entities: str, rows: Sequence[Row]) -> str:
    told = [r for r in rows if r.name.startswith("result")]
    cells = [f"{figure:.3f}" for r in told for figure in (r.precision, r.recall, r.f1)]
    return f"| {name} | {entities} | {' | '.join(cells)} | {told[0].gold} |\n"
