"""How far the tagger falls on abstracts that are written differently: `python -m kg.train.robust GOLD` prints it.

Mention F1 on each way of spoiling (`spoil`), beside the undisturbed abstracts.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from kg import gold
from kg.extraction import model as runtime
from kg.extraction.pipeline import extract
from kg.records import Paper
from kg.score import score
from kg.train.spoil import SPOILT


def table(records: Sequence[gold.Gold], folder: Path = runtime.FOLDER) -> Iterator[tuple[str, float]]:
    """Yield each way's name and mention F1, the undisturbed abstracts first."""
    yield "undisturbed", _f1(records, folder)
    for name, spoil in SPOILT.items():
        yield name, _f1([spoil(r) for r in records], folder)


def _f1(records: Sequence[gold.Gold], folder: Path) -> float:
    found = extract([Paper(r.id, r.text) for r in records], folder=folder)
    return next(row.f1 for row in score(records, list(found)) if row.name == "mention")


def main(path: str) -> None:
    """Print the table for a file of gold records."""
    for name, f1 in table(gold.read(Path(path))):
        sys.stdout.write(f"{name:20} {f1:.3f}\n")


if __name__ == "__main__":
    main(sys.argv[1])
