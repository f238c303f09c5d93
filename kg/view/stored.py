"""The concepts and their structure as a build has them: their entities in `concepts.jsonl`, the rest in the store.

Why not compute them again: that takes minutes for 30,000 papers, and the names and the map of the field that the build
was given would have to be given again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pyoxigraph import Literal, NamedNode, Store

from kg import vocab
from kg.records import Concept, EntityType
from kg.replacements import last
from kg.store import STORE, base_of, open_store
from kg.structure import AREA, Area, Broader, Evidence, Node, Source, Structure, node_of

TYPES = {t.lower(): t for t in EntityType}
Values = dict[str, list[str]]


def stored(build: Path) -> Structure | None:
    """The structure of a build, with all its concepts; None where the build does not have it whole."""
    known = last(build)[0]
    if not known or not (build / STORE).is_dir():
        return None
    store = open_store(build)
    base = base_of(store)
    labels, others = _values(store, vocab.SKOS_PREF_LABEL), _values(store, vocab.SKOS_ALT_LABEL)
    nodes = {iri: node for iri in labels if (node := _node(iri, base))}
    members = {node_of(c): c for c in known}
    if members.keys() - nodes.values():
        return None  # the store is of another build
    concepts, areas = [], []
    for iri, node in sorted(nodes.items()):
        label, names = labels[iri][0], tuple(sorted(others.get(iri, ())))
        if node.kind == AREA:
            areas.append(Area(node.slug, label, names))
        else:
            concept = members.get(node) or Concept(node.slug, TYPES[node.kind], label, names, ())
            concepts.append(replace(concept, label=label, alternatives=names))
    return Structure(tuple(concepts), tuple(areas), tuple(sorted(_links(store, nodes, base))))


def above(store: Store, concepts: Mapping[NamedNode, Concept]) -> Structure:
    """The structure above some concepts, up to the areas."""
    base = base_of(store)
    nodes = {iri: node_of(concept) for iri, concept in concepts.items()}
    links: list[Broader] = []
    areas: list[Area] = []
    added: list[Concept] = []
    ahead = sorted(nodes, key=str)
    for narrow in ahead:
        for broad in _objects(store, narrow, vocab.SKOS_BROADER):
            if broad not in nodes and (node := _node(broad.value, base)):
                nodes[broad] = node
                ahead.append(broad)
                label = _said(store, broad)[vocab.SKOS_PREF_LABEL.value][0]
                if node.kind == AREA:
                    areas.append(Area(node.slug, label))
                else:
                    added.append(Concept(node.slug, TYPES[node.kind], label, (), ()))
            if broad in nodes:
                links.append(
                    replace(Broader(nodes[narrow], nodes[broad], (), 1.0), **_known(store, narrow, broad, base))
                )
    return Structure((*concepts.values(), *added), tuple(areas), tuple(sorted(links)))


def _known(store: Store, narrow: NamedNode, broad: NamedNode, base: str) -> dict[str, Any]:
    """What the statement of a link says, if there is one."""
    digest = vocab.digest(narrow.value, vocab.SKOS_BROADER.value, broad.value)
    said = _said(store, NamedNode(vocab.iri("statement", digest, base=base)))
    return _about(said, base) if said else {}


def _objects(store: Store, subject: NamedNode, term: NamedNode) -> list[NamedNode]:
    found = (q.object for q in store.quads_for_pattern(subject, term, None))
    return sorted((o for o in found if isinstance(o, NamedNode)), key=str)


def _links(store: Store, nodes: dict[str, Node], base: str) -> Iterator[Broader]:
    """What is broader, with its evidence where the build was made with it."""
    about = dict(_statements(store, base))
    for narrow, broads in _values(store, vocab.SKOS_BROADER).items():
        for broad in broads:
            if narrow in nodes and broad in nodes:
                bare = Broader(nodes[narrow], nodes[broad], (), 1.0)
                yield replace(bare, **about.get((narrow, broad), {}))


def _statements(store: Store, base: str) -> Iterator[tuple[tuple[str, str], dict[str, Any]]]:
    for quad in store.quads_for_pattern(None, vocab.RDF_PREDICATE, vocab.SKOS_BROADER):
        said = _said(store, quad.subject)
        yield (said[vocab.RDF_SUBJECT.value][0], said[vocab.RDF_OBJECT.value][0]), _about(said, base)


def _said(store: Store, subject: Any) -> Values:
    found: Values = defaultdict(list)
    for one in store.quads_for_pattern(subject, None, None):
        found[one.predicate.value].append(_value(one.object))
    return found


def _about(said: Values, base: str) -> dict[str, Any]:
    """What a statement says of its link."""
    return {
        "sources": tuple(sorted(map(Source, said[vocab.KG_KNOWN_FROM.value]))),
        "confidence": float(said[vocab.KG_CONFIDENCE.value][0]),
        "papers": int((said[vocab.KG_PAPER_COUNT.value] or ["0"])[0]),
        "evidence": tuple(_evidence(said[vocab.PROV_WAS_DERIVED_FROM.value], f"{base}mention/")),
    }


def _evidence(mentions: list[str], start: str) -> Iterator[Evidence]:
    """Two mentions of a paper each; which of them is the narrow one is not known, nor asked for."""
    spans: dict[str, list[tuple[int, int]]] = defaultdict(list)
    for mention in mentions:
        paper, _, span = mention.removeprefix(start).rpartition("/")
        first, _, end = span.partition("-")
        spans[unquote(paper)].append((int(first), int(end)))
    for paper, found in sorted(spans.items()):
        yield Evidence(paper, min(found), max(found))


def _node(iri: str, base: str) -> Node | None:
    """The node that an IRI is of, if it is of a concept or an area."""
    kind, _, slug = iri.removeprefix(base).partition("/")
    return Node(kind, unquote(slug)) if kind in (*TYPES, AREA) and slug else None


def _values(store: Store, term: NamedNode) -> Values:
    """The values of a property, by subject."""
    found: Values = defaultdict(list)
    for quad in store.quads_for_pattern(None, term, None):
        found[_value(quad.subject)].append(_value(quad.object))
    return dict(found)


def _value(term: object) -> str:
    return term.value if isinstance(term, NamedNode | Literal) else str(term)
