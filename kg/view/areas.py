"""Areas of the field: each paper in one, each area with a name.

Where the structure of the concepts leads to areas (`by_structure`):

1. A paper speaks for the areas of what it names: for tasks most, for metrics not at all, more for what it proposes,
   addresses or evaluates on; the fewer papers an area has, the more it counts, for something of the largest is in most.
2. It is in the area that it speaks for most; one that speaks for none goes where those go that are most like it.

What a paper adds to or takes from a corpus thus leaves the others in their areas. Else papers that are alike are taken
together (`areas`):

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

from kg.records import EntityType, Role
from kg.view.model import AREA, above
from kg.view.similar import words

TRIES = 10
RESOLUTION = 1.5
LONGEST_PHRASE = 3
WORTH = {1: 0.5, 2: 2.0, 3: 2.5}  # of a phrase, by its words: one word says little
PHRASES = 2
NOT_FIRST = frozenset("and the for from with via under into over per".split())
LEAST_PAPERS = 2
SPEAKS: dict[str, float] = {EntityType.TASK: 3.0, EntityType.METRIC: 0.0}
SPEAKS_OF_OTHERS = 1.0
STRESSED: dict[str, float] = {Role.PROPOSES: 1.5, Role.ADDRESSES: 1.5, Role.EVALUATES_ON: 1.5}
ENOUGH = 0.5  # of the papers must speak for some area, else the map does not fit the corpus


@dataclass(frozen=True, slots=True)
class Area:
    """Papers (their places in the list) that belong together, and what they are about; the name may be empty.

    `key` is the area's node, where it is one.
    """

    papers: tuple[int, ...]
    name: str
    key: str = ""


def by_structure(drawn: nx.MultiDiGraph, papers: Sequence[str], near: nx.Graph) -> tuple[Area, ...]:
    """The areas of the structure of concepts, largest first; none where it leads most papers to none."""
    of: dict[str, frozenset[str]] = {}
    votes = [_votes(drawn, paper, of) for paper in papers]
    spread = Counter(key for vote in votes for key in vote)
    rare = {key: math.log(1 + len(papers) / n) for key, n in spread.items()}
    chosen = [max(sorted(vote), key=lambda k: vote[k] * rare[k], default="") for vote in votes]
    if len(papers) * ENOUGH > sum(map(bool, chosen)):
        return ()
    chosen = [key or _like(near, i, chosen) for i, key in enumerate(chosen)]
    groups = {key: tuple(i for i, other in enumerate(chosen) if other == key) for key in sorted(set(chosen))}
    made = [Area(group, str(drawn.nodes[key]["label"]) if key else "", key) for key, group in groups.items()]
    return tuple(sorted(made, key=lambda area: (-len(area.papers), area.papers)))


def _votes(drawn: nx.MultiDiGraph, paper: str, of: dict[str, frozenset[str]]) -> dict[str, float]:
    """How much a paper speaks for each area; `of` remembers the areas of concepts."""
    votes: dict[str, float] = {}
    for _, concept, role in drawn.out_edges(paper, keys=True):
        weight = SPEAKS.get(drawn.nodes[concept]["type"], SPEAKS_OF_OTHERS) * STRESSED.get(role, 1.0)
        areas_ = _areas_of(drawn, concept, of)
        for area in sorted(areas_) if weight else ():
            votes[area] = votes.get(area, 0) + weight / len(areas_)
    return votes


def _areas_of(drawn: nx.MultiDiGraph, key: str, of: dict[str, frozenset[str]]) -> frozenset[str]:
    if key not in of:
        broad = above(drawn, key)
        of[key] = frozenset(a for b in broad for a in ([b] if _is_area(drawn, b) else _areas_of(drawn, b, of)))
    return of[key]


def _is_area(drawn: nx.MultiDiGraph, key: str) -> bool:
    return bool(drawn.nodes[key]["type"] == AREA)


def _like(near: nx.Graph, paper: int, chosen: Sequence[str]) -> str:
    """The area of those that are most like a paper."""
    votes: dict[str, float] = {}
    for other in sorted(near[paper]):
        if chosen[other]:
            votes[chosen[other]] = votes.get(chosen[other], 0) + near[paper][other]["weight"]
    return max(sorted(votes), key=lambda key: votes[key], default="")


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
