"""What is known before the first paper: senses of short forms, and names with their types.

Both tables are counts over other papers (`kg.train.known` writes them). They are weak evidence: together they weigh as
much as a few papers, so that what a build's own papers say counts more as soon as there are some.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files
from math import fsum

from kg.names import is_short, short_key, words
from kg.records import EntityType
from kg.wording import Words, keys

WEIGHT = 5.0
LEAST_SHARE = 0.8
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


@dataclass(frozen=True, slots=True)
class Index:
    """Known names by what they are spelled and worded like, with their ranks; an empty one knows nothing."""

    spelled: dict[str, tuple[int, Known]] = field(default_factory=dict)
    worded: dict[str, tuple[int, Known]] = field(default_factory=dict)

    def of(self, name: Words) -> Known | None:
        """The known name that a name is, if it is one."""
        found = self._find(name)
        return found[2] if found else None

    def rank(self, name: Words) -> tuple[int, int]:
        """The place of a name among the known ones: spelled alike before worded alike, the more frequent first."""
        found = self._find(name)
        return found[:2] if found else (2, 0)

    def _find(self, name: Words) -> tuple[int, int, Known] | None:
        spelled = self.spelled.get("".join(name))
        if spelled:
            return 0, *spelled
        worded = [self.worded[k] for k in keys(name) if k in self.worded]
        return (1, *min(worded, key=lambda found: found[0])) if worded else None


@lru_cache(maxsize=1)
def index() -> Index:
    """The names that several other papers have, to look up; a short one also by what it nearly always stands for."""
    spelled: dict[str, tuple[int, Known]] = {}
    worded: dict[str, tuple[int, Known]] = {}
    for rank, name in enumerate(names()):
        folded = words(name.label)
        long = _long_form(name.label)
        spelled.setdefault("".join(folded), (rank, name))
        for k in keys(long or folded) if long or not is_short(name.label) else ():
            worded.setdefault(k, (rank, name))
    return Index(spelled, worded)


def _long_form(short: str) -> Words:
    """What a short form nearly always stands for, or nothing."""
    senses = short_forms().get(short_key(short), {}) if is_short(short) else {}
    best = max(sorted(senses), key=lambda long: senses[long], default=())
    return best if best != OTHERS and senses and senses[best] >= LEAST_SHARE * fsum(senses.values()) else ()


def _scaled(senses: dict[Words, int]) -> dict[Words, float]:
    share = min(1.0, WEIGHT / sum(senses.values()))
    return {long: n * share for long, n in senses.items()}


def _rows(name: str) -> Iterator[list[str]]:
    for line in files("kg").joinpath(f"data/{name}").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            yield line.split("\t")
