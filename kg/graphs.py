"""The graph of a build as a Python object: ask it, draw it, take it along.

Three views of one store, each made when it is asked for: rows of an answer, a networkx graph of what papers say of
which concepts, and all triples in rdflib.
"""

from __future__ import annotations

import re
import warnings
from collections.abc import Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyoxigraph as ox

from kg import vocab
from kg.answers import Rows, python
from kg.called import names
from kg.queries import Query, find
from kg.records import EntityType, Role
from kg.store import base_of, open_store, reading, rows

if TYPE_CHECKING:
    import networkx
    import rdflib

STATEMENTS = """
SELECT ?paper ?role ?concept ?confidence
WHERE { ?statement rdf:subject ?paper ; rdf:predicate ?role ; rdf:object ?concept ; kg:confidence ?confidence }
"""
KG = vocab.VOCABULARIES["kg"]
CLASSES = {vocab.FABIO_RESEARCH_PAPER: "Paper"} | {ox.NamedNode(KG + t): t.value for t in EntityType}
ROLES = {ox.NamedNode(KG + role): role for role in Role}


class Graph:
    """The graph that a build made, opened for reading."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.store = open_store(path)
        self.prefixes = vocab.prefixes(base_of(self.store))

    def __repr__(self) -> str:
        return f"Graph({str(self.path)!r})"

    def __len__(self) -> int:
        return len(self.store)

    def query(self, query: str, /, **values: object) -> Rows:
        """Ask SPARQL, or a question of the catalogue by its name, with values for its parameters.

        The prefixes of the graph are known, so SPARQL needs no PREFIX for them.
        """
        asked = Query("the query", query) if re.search(r"[\s{]", query) else find(query)
        return rows(self.store, asked.with_values(self.named(asked, values)), name=asked.name)

    def named(self, query: Query, values: Mapping[str, object]) -> dict[str, object]:
        """Give values for a question, with names in the place of nodes as answers show them (`model:bert`)."""
        return names(self.store, query, values, self.prefixes)

    def to_networkx(self) -> networkx.MultiDiGraph[str]:
        """Give papers and what they name as nodes (`kind`, `label`) and what papers say of concepts as edges.

        Nodes are IRIs; an edge has `role`, which is also its key, and `confidence`, None where no statements were kept.
        """
        import networkx

        graph = networkx.MultiDiGraph()
        with reading("the graph"):
            graph.add_nodes_from(_nodes(self.store))
            graph.add_edges_from(_edges(self.store))
        return graph

    @cached_property
    def rdflib(self) -> rdflib.Dataset:
        """All triples as an rdflib Dataset whose default graph is the union of its graphs; held in memory."""
        import rdflib

        dataset = rdflib.Dataset(default_union=True)
        for prefix, namespace in self.prefixes.items():
            dataset.bind(prefix, namespace)
        with reading("the graph"):
            data = self.store.dump(format=ox.RdfFormat.N_QUADS)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # of rdflib, about rdflib
            dataset.parse(data=data, format="nquads")
        return dataset


def _nodes(store: ox.Store) -> Iterator[tuple[str, dict[str, str]]]:
    for class_, kind in CLASSES.items():
        label = vocab.RDFS_LABEL if kind == "Paper" else vocab.SKOS_PREF_LABEL
        for node in sorted(python(q.subject) for q in store.quads_for_pattern(None, vocab.RDF_TYPE, class_)):
            if (
                kind != "Paper"
                and next(store.quads_for_pattern(None, vocab.KG_MENTIONS, ox.NamedNode(node)), None) is None
            ):
                continue  # only the map of the field has it
            labels = (python(q.object) for q in store.quads_for_pattern(ox.NamedNode(node), label, None))
            yield node, {"kind": kind, "label": min(labels, default=node)}


def _edges(store: ox.Store) -> Iterator[tuple[str, str, str, dict[str, Any]]]:
    """Give each stated role; that a paper mentions a concept only where it says nothing more of it."""
    said: dict[tuple[str, str], list[Role]] = {}
    for term, role in ROLES.items():
        for quad in store.quads_for_pattern(None, term, None):
            roles = said.setdefault((python(quad.subject), python(quad.object)), [])
            if role is not Role.MENTIONS or not roles:
                roles.append(role)
    sure = _confidences(store)
    for (paper, concept), roles in sorted(said.items()):
        for role in roles:
            yield paper, concept, role.value, {"role": role.value, "confidence": sure.get((paper, role, concept))}


def _confidences(store: ox.Store) -> dict[tuple[str, str, str], float]:
    found = {}
    for subject, term, concept, confidence in rows(store, STATEMENTS):
        found[subject, term.removeprefix(KG), concept] = float(confidence)
    return found
