"""The names of papers and concepts, held in memory so that a search answers while one types.

1. Things are put in order once: concepts that more papers name first, then those with the shorter names.
2. The names that they are looked up by, folded, are one text, a line each. A search runs through it and stops when it
   has enough: the first found are the best, and a search for one letter is the quickest.
3. What a thing is called is asked of the store when it is found: to read a term from a store of many papers takes ten
   times as long as to find it, so names and counts are all that is read beforehand.

While the names are read, which takes a while, the store itself is searched (`found`).
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice

from pyoxigraph import NamedNode, Store

from kg import vocab
from kg.answers import stream
from kg.parameters import with_values
from kg.store import base_of, evaluate

ENOUGH = 25
COUNTS = "SELECT ?node (COUNT(*) AS ?papers) WHERE { ?paper kg:mentions ?node } GROUP BY ?node"
NAMES = "SELECT ?node ?name WHERE { ?node skos:hiddenLabel ?name }"
FOUND = """
SELECT ?node (COUNT(?paper) AS ?papers) WHERE {
  { SELECT ?node (MIN(STRLEN(?name)) AS ?length) WHERE {
      VALUES ?text { "" }
      ?node skos:hiddenLabel ?name FILTER(CONTAINS(?name, ?text))
    } GROUP BY ?node ORDER BY ?length LIMIT 50 }
  OPTIONAL { ?paper kg:mentions ?node }
} GROUP BY ?node
"""


@dataclass(frozen=True, slots=True)
class Thing:
    """A paper or a concept: its IRI, name and type, and how many papers name it."""

    iri: str
    label: str
    type: str
    papers: int = 0


class Names:
    """Nodes in the order in which they are found, by any of their names, each with how many papers name it.

    >>> names = Names([("i:1", 2, ["ilsvrc", "imagenet"]), ("i:2", 1, ["net"])])
    >>> list(names.search("NET")), list(names.search("c i"))
    ([('i:1', 2), ('i:2', 1)], [])
    """

    def __init__(self, nodes: Iterable[tuple[str, int, Iterable[str]]]) -> None:
        lines: list[str] = []
        self._nodes: list[tuple[str, int]] = []
        self._starts, self._whose = array("Q"), array("Q")
        at = 0
        for iri, papers, names in nodes:
            for name in names:
                lines.append(name)
                self._starts.append(at)
                self._whose.append(len(self._nodes))
                at += len(name) + 1
            self._nodes.append((iri, papers))
        self._text = "\n".join(lines)

    def search(self, asked: str) -> Iterator[tuple[str, int]]:
        """Find the nodes that have these letters in one of their names, the best first."""
        letters, last = vocab.fold(asked), -1
        at = self._text.find(letters)
        while at >= 0 and self._nodes:
            line = bisect_right(self._starts, at)
            if (node := self._whose[line - 1]) != last:
                yield self._nodes[(last := node)]
            at = self._text.find(letters, self._starts[line]) if line < len(self._starts) else -1


@dataclass(frozen=True, slots=True)
class Index:
    """The names of the concepts and of the papers of a store."""

    store: Store
    concepts: Names
    papers: Names

    def search(self, asked: str) -> list[Thing]:
        """Find the best concepts, then papers, that have these letters in a name."""
        hits = [hit for names in (self.concepts, self.papers) for hit in islice(names.search(asked), ENOUGH)]
        return [_thing(self.store, iri, papers) for iri, papers in hits]


def index(store: Store) -> Index:
    """Read the names of a store; this takes a while."""
    papers = {iri: int(n) for iri, n in _pairs(store, COUNTS)}
    names: dict[str, list[str]] = defaultdict(list)
    for iri, name in _pairs(store, NAMES):
        names[iri].append(" ".join(name.split()))
    nodes = [(iri, papers.get(iri, 0), sorted(names[iri], key=len)) for iri in names]
    nodes.sort(key=lambda node: (-node[1], len(node[2][0]), node[0]))
    mark = f"{base_of(store)}paper/"
    return Index(store, *(Names(n for n in nodes if n[0].startswith(mark) is paper) for paper in (False, True)))


def found(store: Store, asked: str) -> list[Thing]:
    """Find things in the store itself, those with the shortest names that have these letters."""
    hits = _pairs(store, with_values(FOUND, {"text": vocab.fold(asked)}))
    things = [_thing(store, iri, int(papers)) for iri, papers in hits]
    return sorted(things, key=lambda thing: (-thing.papers, len(thing.label), thing.label, thing.iri))


def _pairs(store: Store, query: str) -> Iterator[tuple[str, str]]:
    for terms in stream(evaluate(store, query)):
        yield terms[0].value, terms[1].value  # type: ignore[union-attr]


def _thing(store: Store, iri: str, papers: int) -> Thing:
    """Say what a node is called; what it is, its IRI says."""
    terms = (vocab.SKOS_PREF_LABEL, vocab.RDFS_LABEL)
    quads = (quad for term in terms for quad in store.quads_for_pattern(NamedNode(iri), term, None))
    label = next((str(quad.object.value) for quad in quads if not isinstance(quad.object, NamedNode)), iri)  # type: ignore[union-attr]
    return Thing(iri, label, iri.removeprefix(base_of(store)).partition("/")[0].capitalize(), papers)
