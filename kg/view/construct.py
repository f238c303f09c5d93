"""A CONSTRUCT query's answer as a graph that the page can draw.

1. A triple between two nodes that the build knows is an edge; where the build has that very edge, it comes with its
   confidence and its evidence.
2. Other IRIs and blank nodes become nodes of type Other, named by a label in the answer, else by the end of the IRI.
3. `rdf:type` and literals make no edges: they only name and classify.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import networkx as nx
import pyoxigraph as ox

from kg import vocab
from kg.errors import QueryError
from kg.store import base_of, evaluate, open_store, reading
from kg.view.model import TYPES

OTHER = "Other"
LABELS = frozenset((vocab.RDFS_LABEL, vocab.SKOS_PREF_LABEL, vocab.DCTERMS_TITLE, vocab.SCHEMA_NAME))


def construct(build: Path, query: Path, whole: nx.MultiDiGraph) -> nx.MultiDiGraph:
    """The part of a build's graph, and what else, that the CONSTRUCT query in a file answers."""
    store = open_store(build)
    try:
        text = query.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise QueryError(f"cannot read {query} ({error}); give a file with a CONSTRUCT query") from error
    with reading(str(query)):
        answer = evaluate(store, text, name=str(query))
        if not isinstance(answer, ox.QueryTriples):
            raise QueryError(f"{query} does not CONSTRUCT triples, and only those can be drawn; `kg query` shows rows")
        triples = list(answer)
    return from_triples(triples, whole, base=base_of(store))


def from_triples(triples: Iterable[ox.Triple], whole: nx.MultiDiGraph, *, base: str) -> nx.MultiDiGraph:
    """The graph that triples describe; what `whole` knows keeps its attributes."""
    made = nx.MultiDiGraph()
    labels: dict[str, str] = {}
    types: dict[str, str] = {}
    for triple in sorted(triples, key=str):
        source = _key(triple.subject, whole, base)
        _add(made, source, triple.subject, whole)
        if triple.predicate == vocab.RDF_TYPE and isinstance(triple.object, ox.NamedNode):
            types.setdefault(source, _end(triple.object.value))
        elif isinstance(triple.object, ox.Literal):
            if triple.predicate in LABELS:
                labels.setdefault(source, triple.object.value)
        elif isinstance(triple.object, ox.NamedNode | ox.BlankNode):
            target = _key(triple.object, whole, base)
            _add(made, target, triple.object, whole)
            _edge(made, source, target, triple.predicate.value, whole)
    for key, node in made.nodes(data=True):
        if node["type"] == OTHER:
            node["label"] = labels.get(key, node["label"])
            node["type"] = types[key] if types.get(key) in TYPES[1:] else OTHER
    return made


def _key(term: Any, whole: nx.MultiDiGraph, base: str) -> str:
    value = str(term.value)
    return value.removeprefix(base) if value.removeprefix(base) in whole else value


def _add(made: nx.MultiDiGraph, key: str, term: Any, whole: nx.MultiDiGraph) -> None:
    if key in made:
        return
    if key in whole:
        made.add_node(key, **whole.nodes[key])
    else:
        iri = {"iri": term.value} if isinstance(term, ox.NamedNode) else {}
        made.add_node(key, type=OTHER, label=_end(term.value), alternatives=(), papers=0, **iri)


def _edge(made: nx.MultiDiGraph, source: str, target: str, predicate: str, whole: nx.MultiDiGraph) -> None:
    role = _end(predicate)
    of_build = predicate.startswith(vocab.VOCABULARIES["kg"]) or predicate == vocab.SKOS_BROADER.value
    known = whole.get_edge_data(source, target, role) if of_build else None
    made.add_edge(source, target, role, **(known or {"role": role, "property": predicate, "year": 0}))


def _end(iri: str) -> str:
    return iri.rstrip("/#").replace("#", "/").rpartition("/")[2] or iri
