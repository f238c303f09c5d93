"""What is near one paper or concept, read from the store and from the records of just those papers that are drawn.

1. Around a paper: what it names. Around a concept: the papers that name it, those first in which its part is the most
   telling (they propose it, evaluate on it, …), newer ones before older; a page's worth of them, and it says so.
   Around what no paper names itself: the papers that name something narrower. With all comes what is broader.
2. The record of a paper is found in `extractions.jsonl` by halving. An entity's concept is the one that the store has
   for its words in their place; where the graph was built without evidence, the one that the paper names so.

Why not the whole graph in memory, as `kg view` has it: reading that takes a minute for 30,000 papers, and gigabytes.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import networkx as nx
from pyoxigraph import Literal, NamedNode, Store

from kg import vocab
from kg.cache import find
from kg.errors import InputError
from kg.graph.paper import ROLE_PROPERTIES, Source
from kg.graph.triples import CLASSES
from kg.records import Concept, Entity, EntityType, Extraction
from kg.store import base_of, rows
from kg.view.model import concept_key, graph
from kg.view.stored import above

MOST = 25
NAMING = """SELECT ?paper WHERE {{ ?paper {term} {concept} OPTIONAL {{ ?paper fabio:hasPublicationYear ?year }} }}
ORDER BY DESC(?year) LIMIT {most}"""
COUNT = "SELECT (COUNT(*) AS ?n) WHERE {{ ?paper {term} {concept} }}"
TYPES: dict[object, EntityType] = {classes[0]: kind for kind, classes in CLASSES.items()}
DRAWN: frozenset[object] = frozenset((vocab.FABIO_RESEARCH_PAPER, vocab.SKOS_CONCEPT, *TYPES))


@dataclass(frozen=True, slots=True)
class Near:
    """A node's surroundings as `kg.view.model` draws them, the records behind them, and what is to be said of them."""

    graph: nx.MultiDiGraph
    extractions: tuple[Extraction, ...]
    left_out: tuple[str, ...]


def near(build: Path, store: Store, iri: str, *, most: int = MOST) -> Near:
    """Read what is near a node; InputError where the graph has it not."""
    node = _node(store, iri)
    papers, wanted = _naming(store, node, most), {node}
    if not papers and vocab.FABIO_RESEARCH_PAPER not in _objects(store, node, vocab.RDF_TYPE):
        papers, wanted = _naming_narrower(store, node, most)
    papers = papers or [node]
    extractions = tuple(find(build, [_text(store, p, vocab.DCTERMS_IDENTIFIER) for p in papers]))
    members: dict[NamedNode, list[tuple[str, int]]] = {}
    for extraction in extractions:
        for index, named in enumerate(_concepts(store, extraction)):
            if named and (named in wanted or node == papers[0]):
                members.setdefault(named, []).append((extraction.paper.id, index))
    concepts = {c: _concept(store, c, tuple(at)) for c, at in members.items()}
    made, base = graph(extractions, concepts.values(), above(store, concepts)), base_of(store)
    for c, concept in concepts.items():
        made.nodes[concept_key(concept)]["papers"] = _count(store, c)
    for key in (key for key, within in made.nodes(data="within") if within):
        made.nodes[key]["within"] = int(_text(store, NamedNode(base + key), vocab.KG_PAPER_COUNT_WITHIN) or 0)
    all_of_them = _count(store, node) or int(_text(store, node, vocab.KG_PAPER_COUNT_WITHIN) or 0)
    said = (
        f"This page holds {most} of the {all_of_them:,} papers that name it; the question papers-by-concept lists all."
    )
    return Near(made, extractions, (said,) if all_of_them > most else ())


def _node(store: Store, iri: str) -> NamedNode:
    try:
        node = NamedNode(iri)
        if not DRAWN.isdisjoint(_objects(store, node, vocab.RDF_TYPE)):
            return node
    except ValueError:  # not an IRI
        pass
    raise InputError(f"{iri!r} is no paper and no concept of this graph")


def _naming(store: Store, concept: NamedNode, most: int) -> list[NamedNode]:
    """The first so many papers that name a concept, in the order in which they are drawn; none for a paper."""
    found: dict[NamedNode, None] = {}
    for term in ROLE_PROPERTIES.values():
        if len(found) < most:
            query = NAMING.format(term=term, concept=concept, most=most)
            found |= dict.fromkeys(NamedNode(row.paper) for row in rows(store, query))
    return list(found)[:most]


def _naming_narrower(store: Store, node: NamedNode, most: int) -> tuple[list[NamedNode], set[NamedNode]]:
    """The first so many papers that name something narrower, and what that is; the nearest first."""
    papers: dict[NamedNode, None] = {}
    narrower = [node]
    for at in narrower:
        papers |= dict.fromkeys(_subjects(store, vocab.KG_MENTIONS, at))
        if len(papers) >= most:
            break
        narrower += (c for c in _subjects(store, vocab.SKOS_BROADER, at) if c not in narrower)
    return list(papers)[:most], set(narrower)


def _count(store: Store, concept: NamedNode) -> int:
    """How many papers name a concept."""
    return int(rows(store, COUNT.format(term=vocab.KG_MENTIONS, concept=concept))[0].n)


def _concepts(store: Store, extraction: Extraction) -> Iterator[NamedNode | None]:
    """The concept of each entity of a paper."""
    base = base_of(store)
    this = Source(extraction, (), NamedNode(vocab.iri("paper", extraction.paper.id, base=base)), base)
    return (_by_place(store, this, entity) or _by_name(store, this.node, entity) for entity in extraction.entities)


def _by_place(store: Store, this: Source, entity: Entity) -> NamedNode | None:
    places = (this.span("mention", m.place, m.start, m.end) for m in entity.mentions)
    found = (o for place in places for o in _objects(store, place, vocab.ITSRDF_TA_IDENT_REF))
    return next((o for o in found if isinstance(o, NamedNode)), None)


def _by_name(store: Store, paper: NamedNode, entity: Entity) -> NamedNode | None:
    of_paper = set(_objects(store, paper, vocab.KG_MENTIONS))
    called = _subjects(store, vocab.SKOS_HIDDEN_LABEL, Literal(vocab.fold(entity.name)))
    return next((concept for concept in called if concept in of_paper), None)


def _concept(store: Store, node: NamedNode, members: tuple[tuple[str, int], ...]) -> Concept:
    kind = next(TYPES[o] for o in _objects(store, node, vocab.RDF_TYPE) if o in TYPES)
    names = sorted(o.value for o in _objects(store, node, vocab.SKOS_ALT_LABEL))
    slug = node.value.removeprefix(base_of(store)).partition("/")[2]
    return Concept(slug, kind, _text(store, node, vocab.SKOS_PREF_LABEL), tuple(names), members)


def _objects(store: Store, node: NamedNode, term: NamedNode) -> list[NamedNode | Literal]:
    quads = store.quads_for_pattern(node, term, None)
    return [q.object for q in quads if isinstance(q.object, NamedNode | Literal)]


def _subjects(store: Store, term: NamedNode, object_: NamedNode | Literal) -> list[NamedNode]:
    quads = store.quads_for_pattern(None, term, object_)
    return sorted({q.subject for q in quads if isinstance(q.subject, NamedNode)})


def _text(store: Store, node: NamedNode, term: NamedNode) -> str:
    return next((o.value for o in _objects(store, node, term)), "")
