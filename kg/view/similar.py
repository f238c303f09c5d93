"""Which papers are alike, and why: what puts them near one another and what the page calls related.

1. Words: those that occur in the name of some concept, so that the vocabulary is the field's own and "propose" or
   "however" never joins two papers; a word in more than a quarter of the papers says nothing and is dropped.
2. A paper is a vector of its words, of the concepts it shares with others, and of what is right above its concepts,
   weighted by tf-idf, of length one.
3. Two papers are as alike as the cosine of their vectors; a paper's neighbours are its few most alike.
4. The reasons are what both name, then what both name kinds of, as in `queries/related-papers.rq`: the one a kind, the
   other a kind or the thing itself, neither named by both; then words.

Why not only shared concepts: in a small collection most papers share none, yet a reader sees at once which belong
together.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import networkx as nx
import numpy as np
import numpy.typing as npt

from kg.view.model import AREA, above

WORD = re.compile(r"[^\W\d_][\w-]*[^\W_]")
SHORTEST_WORD = 3
KINDS = "kinds:"
COMMON = 0.25
TOO_MANY = 1000  # papers about a thing: it says nothing about any two of them
SHARED_WEIGHT = 1.5
KIND_WEIGHT = 1.0
NEIGHBOURS = 5
LEAST_ALIKE = 0.05
REASONS = 4


@dataclass(frozen=True, slots=True)
class Related:
    """A paper that is like another one: its place in the list, how alike (0–1), and why, the most telling first.

    `concepts` both name; of each of `kinds` (the broader one, then one of this paper, one of the other) both name some.
    """

    paper: int
    score: float
    concepts: tuple[str, ...]
    words: tuple[str, ...]
    kinds: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Vectors:
    """Papers as unit vectors over `terms`: concepts by their key (they hold a slash), words as they are.

    What is above a paper's concepts is a term, too, `kinds:` and the key; `own` has for each paper these concepts.
    """

    terms: tuple[str, ...]
    matrix: npt.NDArray[np.float32]
    own: tuple[Mapping[str, Sequence[str]], ...] = ()


def vectors(drawn: nx.MultiDiGraph, papers: Sequence[str], texts: Sequence[str]) -> Vectors:
    """The vectors of `papers` (node keys), whose clean abstracts are `texts`."""
    labels = (label for key, label in drawn.nodes(data="label") if not key.startswith("paper/"))
    known = {word for label in labels for word in words(label)}
    bags = [Counter(w for w in words(text) if w in known) for text in texts]
    own = [_kinds(drawn, key) for key in papers]
    for key, bag, kinds in zip(papers, bags, own, strict=True):
        bag.update(dict.fromkeys(set(drawn.successors(key)), SHARED_WEIGHT))
        bag.update({KINDS + kind: KIND_WEIGHT for kind in kinds})
    spread = Counter(term for bag in bags for term in bag)
    most = {True: TOO_MANY, False: max(2, COMMON * len(papers))}
    terms = tuple(sorted(t for t, n in spread.items() if 2 <= n <= most["/" in t]))
    column = {term: i for i, term in enumerate(terms)}
    matrix = np.zeros((len(papers), len(terms)), dtype=np.float32)
    for row, bag in enumerate(bags):
        for term, count in bag.items():
            if term in column:
                matrix[row, column[term]] = math.sqrt(count) * math.log(1 + len(papers) / spread[term])
    lengths = np.linalg.norm(matrix, axis=1, keepdims=True)
    return Vectors(terms, (matrix / np.where(lengths == 0, 1, lengths)).astype(np.float32), tuple(own))


def _kinds(drawn: nx.MultiDiGraph, paper: str) -> dict[str, list[str]]:
    """What is right above the concepts that a paper names, and those with narrower ones, each with what is named."""
    found: dict[str, list[str]] = {}
    for concept in sorted(set(drawn.successors(paper))):
        itself = (concept,) if "within" in drawn.nodes[concept] else ()
        for broad in (*itself, *above(drawn, concept)):
            if drawn.nodes[broad]["type"] != AREA:
                found.setdefault(broad, []).append(concept)
    return found


def words(text: str) -> list[str]:
    """The words of a text, folded so that the plural is the singular.

    >>> words("Neural PDE solvers, k-nearest and 3D data")
    ['neural', 'pde', 'solver', 'k-nearest', 'and', 'data']
    """
    found = (w.casefold() for w in WORD.findall(text))
    return [
        w[:-1] if len(w) > 4 and w.endswith("s") and not w.endswith(("ss", "us", "is")) else w
        for w in found
        if len(w) >= SHORTEST_WORD
    ]


def related(space: Vectors, *, neighbours: int = NEIGHBOURS) -> list[list[Related]]:
    """For each paper its most alike others, best first."""
    alike = space.matrix @ space.matrix.T
    np.fill_diagonal(alike, 0)
    alike = np.round(alike, 4)
    answer = []
    for row, scores in enumerate(alike):
        best = np.lexsort((np.arange(len(scores)), -scores))[:neighbours]
        answer.append([_related(space, row, int(i), float(scores[i])) for i in best if scores[i] >= LEAST_ALIKE])
    return answer


def _related(space: Vectors, one: int, other: int, score: float) -> Related:
    weight = space.matrix[one] * space.matrix[other]
    best = [space.terms[i] for i in np.argsort(-weight, kind="stable")[: 4 * REASONS] if weight[i] > 0]
    shared = [t for t in best if "/" in t and not t.startswith(KINDS)]
    said = [t for t in best if "/" not in t]
    kinds = (_pair(space.own, t.removeprefix(KINDS), one, other) for t in best if t.startswith(KINDS))
    of = [k for k in kinds if k]
    return Related(other, score, tuple(shared[:REASONS]), tuple(said[:REASONS]), tuple(of[:REASONS]))


def _pair(own: Sequence[Mapping[str, Sequence[str]]], broad: str, one: int, other: int) -> tuple[str, str, str] | None:
    """Two things of a kind that each only one of two papers names, if there are."""
    mine = [c for c in own[one][broad] if c not in own[other][broad]]
    yours = [c for c in own[other][broad] if c not in own[one][broad]]
    return (broad, mine[0], yours[0]) if mine and yours else None
