"""Areas of the field: papers that are alike, each area with a name.

1. Each paper is joined to its few most alike papers, the weight being how alike they are.
2. Louvain's method (Blondel et al. 2008, https://doi.org/10.1088/1742-5468/2008/10/P10008) tells communities apart;
   nodes are integers and the seeds are fixed, so the answer does not depend on hashing. The best of some tries by
   modularity is taken: it changes less when a paper is added.
3. An area is called after the phrases that most of its papers use and few others do; a phrase is the last one to three
   words of some concept's name, for there the head noun is.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

import networkx as nx

from kg.view.similar import words

TRIES = 10
RESOLUTION = 1.5
LONGEST_PHRASE = 3
WORTH = {1: 0.5, 2: 2.0, 3: 2.5}  # of a phrase, by its words: one word says little
PHRASES = 2
NOT_FIRST = frozenset("and the for from with via under into over per".split())
LEAST_PAPERS = 2


@dataclass(frozen=True, slots=True)
class Area:
    """Papers (their places in the list) that belong together, and what they are about; the name may be empty."""

    papers: tuple[int, ...]
    name: str


def areas(near: nx.Graph, texts: Sequence[str], labels: Iterable[str]) -> tuple[Area, ...]:
    """The areas, largest first."""
    groups = sorted((tuple(sorted(group)) for group in _communities(near)), key=lambda g: (-len(g), g))
    return tuple(map(Area, groups, _names(groups, texts, labels)))


def _communities(near: nx.Graph) -> list[set[int]]:
    if not near.size():
        return [set(near)] if len(near) else []
    tries = [nx.community.louvain_communities(near, resolution=RESOLUTION, seed=seed) for seed in range(TRIES)]
    return max(tries, key=lambda groups: round(nx.community.modularity(near, groups, resolution=RESOLUTION), 9))


def _names(groups: Sequence[tuple[int, ...]], texts: Sequence[str], labels: Iterable[str]) -> list[str]:
    known = defaultdict[tuple[str, ...], Counter[str]](Counter)
    for label in labels:
        for phrase, said in _phrases(label, only_last=True):
            known[phrase][said] += 1
    uses = [{phrase for phrase, _ in _phrases(text) if phrase in known} for text in texts]
    spread = Counter(phrase for phrases in uses for phrase in phrases)
    return [_name(Counter(p for i in group for p in uses[i]), spread, known, len(texts)) for group in groups]


def _name(
    inside: Counter[tuple[str, ...]],
    spread: Counter[tuple[str, ...]],
    known: dict[tuple[str, ...], Counter[str]],
    papers: int,
) -> str:
    def worth(phrase: tuple[str, ...]) -> float:
        return (
            inside[phrase]
            * math.log(1 + papers / spread[phrase])
            * inside[phrase]
            / spread[phrase]
            * WORTH[len(phrase)]
        )

    best = sorted((p for p in inside if inside[p] >= LEAST_PAPERS), key=lambda p: (-worth(p), p))
    chosen: list[tuple[str, ...]] = []
    for phrase in best:
        if len(chosen) < PHRASES and not any(set(phrase) & set(other) for other in chosen):
            chosen.append(phrase)
    return " · ".join(min(known[p], key=lambda said: (-known[p][said], said)) for p in chosen)


def _phrases(text: str, *, only_last: bool = False) -> Iterable[tuple[tuple[str, ...], str]]:
    """Runs of one to three neighbouring words of a text: folded, and as they are written."""
    said = [_word(w) for w in text.split()]
    for end in range(len(said) if only_last else 1, len(said) + 1):
        for start in range(end - 1, max(0, end - LONGEST_PHRASE) - 1, -1):
            if not said[start][1]:
                break
            if said[start][1] not in NOT_FIRST:
                yield tuple(folded for _, folded in said[start:end]), " ".join(w for w, _ in said[start:end])


@lru_cache(maxsize=1 << 16)
def _word(said: str) -> tuple[str, str]:
    """A word without its punctuation, and folded; nothing where it is none, or is two."""
    bare = said.strip("()[],.;:“”\"'")
    folded = words(bare)
    return bare, folded[0] if len(folded) == 1 else ""
