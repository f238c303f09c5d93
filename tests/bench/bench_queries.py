"""The catalogue, asked with values that the graph has: of our store, and of rdflib, each question with a time limit.

A question is asked for the concepts that most papers name, which is the hardest, and for some of the others; p95 is
over all of them. rdflib gets the first of these values, in a child that is ended when its time is over.
"""

from __future__ import annotations

import multiprocessing
import time
from collections.abc import Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Any

from kg.graphs import Graph
from kg.queries import Query, catalogue
from kg.records import EntityType
from kg.sparql import has_from
from kg.store import rows as rows_of

VALUES = 20
CONCEPTS = """
SELECT ?name (COUNT(?paper) AS ?papers) WHERE { ?concept a kg:%s ; skos:prefLabel ?name . ?paper kg:mentions ?concept }
GROUP BY ?concept ?name ORDER BY DESC(?papers) ?name LIMIT 1000
"""
PAPERS = """
SELECT ?name (COUNT(?concept) AS ?concepts) WHERE { ?paper dcterms:identifier ?name ; kg:mentions ?concept }
GROUP BY ?paper ?name ORDER BY DESC(?concepts) ?name LIMIT 1000
"""
COUNTED = "SELECT ?name (COUNT(*) AS ?n) WHERE { ?paper %s ?name } GROUP BY ?name ORDER BY DESC(?n) LIMIT 1000"
OTHERS = {
    "author": COUNTED % "dcterms:creator",
    "venue": COUNTED % "dcterms:isPartOf/schema:name",
    "year": COUNTED % "fabio:hasPublicationYear",
}
TYPES = {str(t) for t in EntityType}


def ours(build: Path, *, times: int) -> dict[str, dict[str, Any]]:
    """Milliseconds of each question: 95th percentile and median over its values, each asked some times."""
    graph = Graph(build)
    known = {t: _top(graph, CONCEPTS % t) for t in TYPES} | {"paper": _top(graph, PAPERS)}
    known |= {name: _top(graph, text) for name, text in OTHERS.items()}
    known["concept"] = known["Method"]
    known["text"] = [name[: 2 + 3 * i] for i, name in enumerate(known["Method"])]  # as one types: re, graph …
    found = {}
    for query in catalogue():
        asked = list(_values(query, known))
        spent = sorted(_milliseconds(graph, query, values, times) for values in asked)
        p95 = spent[min(len(spent) - 1, round(0.95 * len(spent)))]
        found[query.name] = {"p95": round(p95, 1), "median": round(median(spent), 1), "first": asked[0]}
    return found


def _top(graph: Graph, text: str) -> list[str]:
    """Names, the most frequent first, then some of the rest, evenly."""
    names = [str(row[0]) for row in rows_of(graph.store, text)]
    half, rest = names[: VALUES // 2], names[VALUES // 2 :]
    return half + rest[:: max(1, len(rest) // (VALUES // 2))][: VALUES // 2]


def _values(query: Query, known: Mapping[str, list[str]]) -> Iterator[dict[str, str]]:
    """Values for a question's parameters, as many as there are; the defaults where it is of no known kind."""
    lists = {}
    for item in query.parameters:
        if found := known.get(item.name if item.kind == "text" else item.kind):
            lists[item.name] = found[1:] + found[:1] if item.name == "other" else found
    if not lists:
        yield {}
    for number in range(max(map(len, lists.values()), default=0)):
        yield {name: found[number % len(found)] for name, found in lists.items()}


def _milliseconds(graph: Graph, query: Query, values: Mapping[str, str], times: int) -> float:
    spent = []
    for _ in range(times):
        began = time.perf_counter()
        rows_of(graph.store, query.with_values(graph.named(query, values)), name=query.name)
        spent.append(time.perf_counter() - began)
    return median(spent) * 1000


def rdflib(build: Path, asked: Mapping[str, dict[str, Any]], *, seconds: float) -> dict[str, str]:
    """What rdflib takes for each question, once."""
    import rdflib as library

    graph = Graph(build)
    held = library.Graph()
    for prefix, namespace in graph.prefixes.items():
        held.bind(prefix, namespace)
    lines = (line.rpartition(b" <")[0] + b" .\n" for line in (build / "graph.nq").open("rb"))
    for some in iter(lambda: b"".join(line for line, _ in zip(lines, range(100_000), strict=False)), b""):
        held.parse(data=some, format="nt")
    found = {}
    for query in catalogue():
        text = query.with_values(graph.named(query, asked[query.name]["first"]))
        assert not has_from(text), "one graph cannot answer FROM"
        found[query.name] = _within(lambda text=text: len(list(held.query(text))), seconds)
    return found


def _within(work: Any, seconds: float) -> str:
    """How long work takes, in a copy of this process that is ended when its time is over."""
    context = multiprocessing.get_context("fork")
    process = context.Process(target=work)
    began = time.perf_counter()
    process.start()
    process.join(seconds)
    took = time.perf_counter() - began
    if process.is_alive():
        process.kill()
        process.join()
        return f"over {seconds:g} s"
    return f"{took * 1000:,.0f} ms" if process.exitcode == 0 else "failed"
