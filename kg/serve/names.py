"""The names of papers and concepts, held in memory so that a search answers while one types.

1. Things are put in order once: concepts that more papers name first, then shorter names.
2. The names that they are looked up by, folded, are one text, a line each. A search runs through it and stops when it
   has enough: the first found are the best, and a search for one letter is the quickest.

The catalogue's question `search` looks at each name of the graph each time. That is what is asked while the names are
read, which takes a while.
"""

from __future__ import annotations

from array import array
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from typing import Any

from pyoxigraph import NamedNode, Store

from kg import vocab
from kg.graph.triples import CLASSES
from kg.queries import find
from kg.store import rows

PAPER = "Paper"
PAPERS = """
SELECT ?paper (SAMPLE(?label) AS ?name) WHERE {
  VALUES ?text { "" }
  ?paper a fabio:ResearchPaper ; skos:hiddenLabel ?hidden ; rdfs:label ?label .
  FILTER(CONTAINS(?hidden, LCASE(?text)))
} GROUP BY ?paper ORDER BY STRLEN(?name) ?name LIMIT 25
"""
KINDS = {vocab.FABIO_RESEARCH_PAPER: PAPER} | {classes[0]: str(kind) for kind, classes in CLASSES.items()}
LABELS = (vocab.RDFS_LABEL, vocab.SKOS_PREF_LABEL)
ENOUGH = 25


@dataclass(frozen=True, slots=True)
class Thing:
    """A paper or a concept: its IRI, name and type, and how many papers name it."""

    iri: str
    label: str
    type: str
    papers: int = 0


class Names:
    """Things in the order in which they are found, by any of their names.

    >>> imagenet, net = Thing("i:1", "ImageNet", "Dataset", 2), Thing("i:2", "Net", "Model", 1)
    >>> names = Names([(imagenet, ["ilsvrc", "imagenet"]), (net, ["net"])])
    >>> [thing.label for thing in names.search("NET")], list(names.search("c i"))
    (['ImageNet', 'Net'], [])
    """

    def __init__(self, things: Iterable[tuple[Thing, Iterable[str]]]) -> None:
        lines: list[str] = []
        self._things: list[Thing] = []
        self._starts, self._whose = array("Q"), array("Q")
        at = 0
        for thing, names in things:
            for name in names:
                lines.append(name)
                self._starts.append(at)
                self._whose.append(len(self._things))
                at += len(name) + 1
            self._things.append(thing)
        self._text = "\n".join(lines)

    def search(self, asked: str) -> Iterator[Thing]:
        """Find the things that have these letters in one of their names, the best first."""
        letters, last = vocab.fold(asked), -1
        at = self._text.find(letters)
        while at >= 0:
            line = bisect_right(self._starts, at)
            if (thing := self._whose[line - 1]) != last:
                yield self._things[(last := thing)]
            at = self._text.find(letters, self._starts[line]) if line < len(self._starts) else -1


@dataclass(frozen=True, slots=True)
class Index:
    """The names of the concepts and of the papers of a store."""

    concepts: Names
    papers: Names

    def search(self, asked: str) -> list[Thing]:
        """Find the best concepts, then papers, that have these letters in a name."""
        return [thing for names in (self.concepts, self.papers) for thing in islice(names.search(asked), ENOUGH)]


def index(store: Store) -> Index:
    """Read the names of a store; this takes a while."""
    papers = Counter(q.object for q in _quads(store, vocab.KG_MENTIONS))
    labels = {q.subject: q.object.value for term in LABELS for q in _quads(store, term)}
    names: dict[object, list[str]] = defaultdict(list)
    for q in _quads(store, vocab.SKOS_HIDDEN_LABEL):
        names[q.subject].append(" ".join(q.object.value.split()))
    things = [
        (Thing(q.subject.value, labels[q.subject], kind, papers[q.subject]), names[q.subject])
        for class_, kind in KINDS.items()
        for q in _quads(store, vocab.RDF_TYPE, class_)
    ]
    things.sort(key=lambda one: (-one[0].papers, len(one[0].label), one[0].label, one[0].iri))
    return Index(*(Names(one for one in things if (one[0].type == PAPER) is paper) for paper in (False, True)))


def _quads(store: Store, term: NamedNode, object_: NamedNode | None = None) -> Iterator[Any]:
    return store.quads_for_pattern(None, term, object_)


def found(store: Store, asked: str) -> list[Thing]:
    """Find the same in the store itself: slower in the long run, but at once."""
    concepts = rows(store, find("search").with_values({"text": vocab.fold(asked)}))
    papers = rows(store, PAPERS, values={"text": vocab.fold(asked)})
    return [
        *(Thing(c.concept, c.name, c.type.rpartition("#")[2], c.papers) for c in concepts),
        *(Thing(paper, name, PAPER) for paper, name in papers),
    ]
