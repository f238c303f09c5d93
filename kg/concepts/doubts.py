"""Merges that a person might decide otherwise: made on thin evidence, or left out for lack of it.

1. Groups that some papers use for one thing, and what spoke against joining them (`kg.concepts.evidence`).
2. Abbreviations that were kept apart, with what they could stand for.
3. Names of one length that differ in the ending of one word only (`minimal spanning tree`, `minimum spanning tree`).

The doubts of one corpus are as many as its groups at most, times a constant.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from kg.concepts.reading import Reading
from kg.groups import Groups
from kg.wording import KEEP_ENDING, Words, stem

LEAST_COMMON = 0.6
LEAST_PAPERS = 3
MOST_CANDIDATES = 2
MOST_IN_A_SLOT = 20


@dataclass(frozen=True, slots=True, order=True)
class Doubt:
    """Two names that may be one thing: in how many places the question arises, and what it is."""

    name: str
    other: str
    papers: int
    reason: str


def apart(readings: Iterable[Reading], rivals: Callable[[Reading], Sequence[str]]) -> list[Doubt]:
    """Doubts about the readings whose abbreviation was kept apart."""
    counts = Counter((reading.forms[0], other) for reading in readings for other in rivals(reading)[:MOST_CANDIDATES])
    return [Doubt(form, other, n, "an abbreviation of several things") for (form, other), n in counts.items()]


def endings(names: dict[str, Words], groups: Groups, total: Counter[str]) -> Iterator[Doubt]:
    """Doubts about names that differ in the ending of one word only."""
    slots: dict[tuple[Words, str], list[str]] = defaultdict(list)
    for text, words in names.items():
        if len(words) > 1:
            for at, word in enumerate(words):
                if len(word) > 4 and word not in KEEP_ENDING:
                    slots[(*words[:at], "", *words[at + 1 :]), word[:4]].append(text)
    for _, texts in sorted(slots.items()):
        those = sorted({groups.of(t): t for t in sorted(texts)}.values())[:MOST_IN_A_SLOT]
        for at, text in enumerate(those):
            for other in those[at + 1 :]:
                n = total[groups.of(text)] + total[groups.of(other)]
                if n >= LEAST_PAPERS and same_but_endings(names[text], names[other]):
                    yield Doubt(text, other, n, "they differ in an ending")


def same_but_endings(a: Words, b: Words) -> bool:
    """Say whether two names agree word by word but for endings.

    >>> same_but_endings(("differential", "privacy"), ("differentially", "private"))
    True
    >>> same_but_endings(("multilingual", "model"), ("multimodal", "model"))
    False
    """
    return len(a) == len(b) and all(map(_common_start, a, b))


def _common_start(a: str, b: str) -> bool:
    if a == b:
        return True
    if {a, b} & KEEP_ENDING or not (a.isalpha() and b.isalpha()):
        return False
    a, b = stem(a), stem(b)
    common = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return common >= 4 and common >= LEAST_COMMON * max(len(a), len(b))
