"""What is known before the first paper: senses of short forms, and names with their types.

Both tables are counts over other papers (`kg.train.known` writes them). They are weak evidence: together they weigh as
much as a few papers, so that what a build's own papers say counts more as soon as there are some.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from kg.concepts.wording import Words
from kg.records import EntityType

WEIGHT = 5.0
OTHERS = ("*",)


@dataclass(frozen=True, slots=True)
class Known:
    """A name that other papers have: as what, and how many of them."""

    label: str
    type: EntityType
    papers: int


@lru_cache(maxsize=1)
def short_forms() -> dict[str, dict[Words, float]]:
    """Short form → what it stands for → weight, in papers; `("*",)` are other things together."""
    counts: dict[str, dict[Words, int]] = defaultdict(dict)
    for short, long, papers in _rows("abbreviations.tsv"):
        counts[short][tuple(long.split())] = int(papers)
    return {short: _scaled(senses) for short, senses in counts.items()}


@lru_cache(maxsize=1)
def names() -> tuple[Known, ...]:
    """The names that several other papers have, the most frequent first."""
    known = [Known(label, EntityType(kind), int(papers)) for label, kind, papers in _rows("known.tsv")]
    return tuple(sorted(known, key=lambda k: (-k.papers, k.label, k.type)))


def _scaled(senses: dict[Words, int]) -> dict[Words, float]:
    share = min(1.0, WEIGHT / sum(senses.values()))
    return {long: n * share for long, n in senses.items()}


def _rows(name: str) -> Iterator[list[str]]:
    for line in files("kg").joinpath(f"data/{name}").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
