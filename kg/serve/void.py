"""What a graph holds, as VoID: https://www.w3.org/TR/void/.

Triples of each class, of each property and of each named graph are counted when this is first asked for, once for each
store. No blank nodes, as everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import starmap
from pathlib import Path

from pyoxigraph import Literal, NamedNode, Triple

from kg import vocab
from kg.answers import Rows
from kg.graph.terms import Spo
from kg.graph.turtle import block, header
from kg.serve.oxigraph import identity
from kg.store import STORE, base_of, open_store, rows

VOID, FOAF = "http://rdfs.org/ns/void#", "http://xmlns.com/foaf/0.1/"
FORMATS = "http://www.w3.org/ns/formats/"
TITLE = "Models, methods, datasets, metrics and tasks that papers name"
CLASSES = "SELECT ?class (COUNT(*) AS ?n) WHERE { ?s a ?class } GROUP BY ?class ORDER BY ?class"
TERMS = "SELECT ?term (COUNT(*) AS ?n) WHERE { ?s ?term ?o } GROUP BY ?term ORDER BY ?term"
GRAPHS = "SELECT ?graph (COUNT(*) AS ?n) WHERE { GRAPH ?graph { ?s ?p ?o } } GROUP BY ?graph ORDER BY ?graph"


def void(build: Path, here: str) -> bytes:
    """Describe the graph of a build in Turtle; `here` is the address of the service that has it."""
    return _counted(build, here, identity(build / STORE))


@lru_cache(maxsize=4)
def _counted(build: Path, here: str, store: str) -> bytes:
    """Describe one store, which its identity tells from the next."""
    opened = open_store(build)
    prefixes = vocab.prefixes(base_of(opened)) | {"foaf": FOAF, "formats": FORMATS, "void": VOID}
    answers = (rows(opened, CLASSES), rows(opened, TERMS), rows(opened, GRAPHS))
    return header(prefixes) + block(starmap(Triple, _triples(here, base_of(opened), *answers)), prefixes)


def _triples(here: str, base: str, classes: Rows, terms: Rows, graphs: Rows) -> list[Spo]:
    page, data = NamedNode(f"{here}/void.ttl"), NamedNode(f"{here}/void.ttl#graph")
    used = {str(iri) for iri, _ in (*classes, *terms)}
    vocabularies = sorted(ns for ns in vocab.VOCABULARIES.values() if any(iri.startswith(ns) for iri in used))
    return [
        (page, vocab.RDF_TYPE, _v("DatasetDescription")),
        (page, NamedNode(f"{FOAF}primaryTopic"), data),
        (data, vocab.RDF_TYPE, _v("Dataset")),
        (data, vocab.DCTERMS_TITLE, Literal(TITLE, language="en")),
        (data, _v("sparqlEndpoint"), NamedNode(f"{here}/query")),
        *((data, _v("dataDump"), NamedNode(f"{here}/{name}")) for name in ("graph.ttl", "graph.nq")),
        *((data, _v("feature"), NamedNode(FORMATS + name)) for name in ("Turtle", "N-Quads")),
        (data, _v("uriSpace"), Literal(base)),
        *((data, _v("vocabulary"), NamedNode(namespace)) for namespace in vocabularies),
        (data, _v("triples"), Literal(sum(n for _, n in graphs))),
        (data, _v("classes"), Literal(len(classes))),
        (data, _v("properties"), Literal(len(terms))),
        *_subsets(data, graphs),
        *_partitions(data, "class", "entities", classes),
        *_partitions(data, "property", "triples", terms),
    ]


def _subsets(data: NamedNode, graphs: Rows) -> Iterator[Spo]:
    for graph, n in graphs:
        part = NamedNode(graph)
        yield data, _v("subset"), part
        yield part, vocab.RDF_TYPE, _v("Dataset")
        yield part, _v("triples"), Literal(n)


def _partitions(data: NamedNode, kind: str, counted: str, answer: Rows) -> Iterator[Spo]:
    for i, (iri, n) in enumerate(answer):
        part = NamedNode(f"{data.value}-{kind}-{i}")
        yield data, _v(f"{kind}Partition"), part
        yield part, _v(kind), NamedNode(iri)
        yield part, _v(counted), Literal(n)


def _v(name: str) -> NamedNode:
    return NamedNode(VOID + name)
