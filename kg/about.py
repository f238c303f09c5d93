"""What a graph knows of one concept, for people: names, what is broader and narrower, papers by role, results.

A concept is given by any of its names, by its IRI, or as answers show it (`model:bert`). A name that several concepts
have is answered for each; of a name that nothing has, the nearest are told. Related papers are those that name a kind
of the concept, or else what it is a kind of, but not the concept itself; how they come to be there is their reason.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from kg import vocab
from kg.called import nearest
from kg.errors import InputError
from kg.graphs import Graph
from kg.queries import CONCEPT
from kg.records import EntityType

MOST = 10
MOST_CHAINS = 5
OURS = vocab.VOCABULARIES["kg"]

CALLED = (
    'SELECT DISTINCT ?node { VALUES ?name { "x" } ?node skos:hiddenLabel ?name ; skos:inScheme ?any } ORDER BY ?node'
)
NAMED = "VALUES ?node { <x:> } "
KNOWN = f"SELECT ?node {{ {NAMED} ?node skos:inScheme ?any }}"
NAMES = f"SELECT ?label ?type {{ {NAMED} ?node skos:prefLabel ?label ; a ?type }}"
OTHERS = f"SELECT ?name {{ {NAMED} ?node skos:altLabel ?name }} ORDER BY ?name"
COUNTS = (
    f"SELECT ?papers ?within {{ {NAMED} ?node kg:paperCountWithin ?within OPTIONAL {{ ?node kg:paperCount ?papers }} }}"
)
UP = f"""
SELECT DISTINCT ?narrow ?broad ?label {{
  {{ SELECT DISTINCT ?narrow ?broad {{ {NAMED} ?node skos:broader* ?narrow . ?narrow skos:broader ?broad }} LIMIT 99 }}
  ?broad skos:prefLabel ?label
}} ORDER BY ?label ?broad"""
DOWN = f"""
SELECT ?label ?within {{ {NAMED} ?narrow skos:broader ?node ; skos:prefLabel ?label ; kg:paperCountWithin ?within }}
ORDER BY DESC(?within) ?label"""
ROLES = f"""
SELECT ?role ?title ?paper {{
  {NAMED} ?paper ?role ?node ; rdfs:label ?title . FILTER(STRSTARTS(STR(?role), "{OURS}"))
}} ORDER BY ?title ?paper"""
RESULTS = f"""
SELECT ?title ?subject ?metric ?value ?dataset {{
  {NAMED} ?result kg:ofSubject|kg:onDataset|mls:specifiedBy ?node .
  ?result kg:reportedIn/rdfs:label ?title ; kg:valueText ?value .
  OPTIONAL {{ ?result kg:ofSubject/skos:prefLabel ?subject }}
  OPTIONAL {{ ?result mls:specifiedBy/skos:prefLabel ?named }} OPTIONAL {{ ?result kg:measureText ?worded }}
  OPTIONAL {{ ?result kg:onDataset/skos:prefLabel ?dataset }}
  BIND(COALESCE(?named, ?worded, "") AS ?metric)
}} ORDER BY ?title ?metric ?value LIMIT {MOST + 1}"""
KIN = """
SELECT DISTINCT ?title ?paper ?label {{
  {{ SELECT DISTINCT ?node ?kin {{ {named} {path} }} LIMIT 1000 }}
  ?kin skos:prefLabel ?label . ?paper kg:mentions ?kin ; rdfs:label ?title .
  FILTER NOT EXISTS {{ ?paper kg:mentions ?node }}
}} ORDER BY ?title ?paper ?label LIMIT 1000"""
NARROWER = KIN.format(named=NAMED, path="?kin skos:broader+ ?node")
BROADER = KIN.format(named=NAMED, path="?node skos:broader ?kin")


@dataclass(frozen=True, slots=True)
class About:
    """One concept. `kind` is its type, or `Area`; `chains` lead from it upwards; the rest are pairs or rows to print.

    `papers` counts those that name it, `within` those that name it or a kind of it. `roles` are (role, titles), the
    role `mentions` without those that have another; `related` are (title, reason).
    """

    iri: str
    label: str
    kind: str
    names: tuple[str, ...]
    papers: int
    within: int
    chains: tuple[tuple[str, ...], ...]
    narrower: tuple[tuple[str, int], ...]
    roles: tuple[tuple[str, tuple[str, ...]], ...]
    results: tuple[str, ...]
    related: tuple[tuple[str, str], ...]


def about(graph: Graph, name: str) -> tuple[About, ...]:
    """Tell what the graph knows of what is called so; InputError, with the nearest names, where nothing is."""
    nodes = [*_nodes(graph, name)]
    if not nodes:
        near = nearest(graph.store, CONCEPT, name)
        told = f"the nearest: {', '.join(near)}" if near else "nothing is near it"
        raise InputError(f"nothing in {graph.path} is called {name!r}; {told}")
    return tuple(_about(graph, node) for node in nodes)


def _nodes(graph: Graph, name: str) -> Iterator[str]:
    prefix, _, local = name.partition(":")
    iri = graph.prefixes[prefix] + local if prefix in graph.prefixes else name.removeprefix("<").removesuffix(">")
    if "://" in iri and not set(iri) & set(' <>"{}|^`\\'):
        yield from (row.node for row in graph.query(KNOWN, node=iri))
    else:
        yield from (row.node for row in graph.query(CALLED, name=vocab.fold(name)))


def _about(graph: Graph, node: str) -> About:
    names = [*graph.query(NAMES, node=node)]
    kinds = {OURS + t: t.value for t in EntityType}
    (counts,) = graph.query(COUNTS, node=node)
    return About(
        iri=node,
        label=names[0].label,
        kind=next((kinds[row.type] for row in names if row.type in kinds), "Area"),
        names=tuple(row.name for row in graph.query(OTHERS, node=node)),
        papers=counts.papers or 0,
        within=counts.within,
        chains=tuple(_chains(graph, node))[:MOST_CHAINS],
        narrower=tuple((row.label, row.within) for row in graph.query(DOWN, node=node)),
        roles=tuple(_roles(graph, node)),
        results=tuple(_result(row) for row in graph.query(RESULTS, node=node)),
        related=tuple(_related(graph, node)),
    )


def _chains(graph: Graph, node: str) -> Iterator[tuple[str, ...]]:
    """Every way up, by labels."""
    above: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for narrow, broad, label in graph.query(UP, node=node):
        above[narrow].append((broad, label))
    ahead: list[tuple[str, tuple[str, ...]]] = [(node, ())] if node in above else []
    while ahead:
        at, way = ahead.pop()
        if at not in above:
            yield way
        ahead += [(broad, (*way, label)) for broad, label in reversed(above[at])] if at in above else []


def _roles(graph: Graph, node: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Titles by role, the most telling roles first; that a paper only mentions it where it says nothing more."""
    by_role: dict[str, dict[str, str]] = defaultdict(dict)
    for role, title, paper in graph.query(ROLES, node=node):
        by_role[role.removeprefix(OURS)][paper] = title
    mentioned = by_role.pop("mentions", {})
    said = {paper for papers in by_role.values() for paper in papers}
    for role, papers in sorted(by_role.items(), key=lambda item: (-len(item[1]), item[0])):
        yield role, tuple(papers.values())
    if rest := tuple(title for paper, title in mentioned.items() if paper not in said):
        yield "mentions", rest


def _result(row: tuple[str | None, ...]) -> str:
    title, subject, metric, value, dataset = row
    parts = (subject, f"{metric} {value}".strip(), f"on {dataset}" if dataset else "", f"({title})")
    return " ".join(filter(None, parts))


def _related(graph: Graph, node: str) -> Iterator[tuple[str, str]]:
    """Papers that name a kind of it, else what it is a kind of; those with most such names first."""
    for query, reason in ((NARROWER, "names {}, of this kind"), (BROADER, "names {}, of which this is a kind")):
        found: dict[tuple[str, str], list[str]] = defaultdict(list)
        for title, paper, label in graph.query(query, node=node):
            found[title, paper].append(label)
        for (title, _), labels in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
            yield title, reason.format(", ".join(labels))
        if found:
            return


def lines(what: About) -> Iterator[str]:
    """Write it down for people, long lists cut."""
    yield f"{what.label} ({what.kind}) <{what.iri}>"
    if what.names:
        yield f"also called: {_some(what.names)}"
    kinds = f"; {what.within:,} with those that name a kind of it" * (what.within > what.papers)
    yield f"papers: {what.papers:,}{kinds}"
    for chain in what.chains:
        yield f"broader: {' → '.join(chain)}"
    if what.narrower:
        yield f"narrower: {_some([f'{label} ({papers:,})' for label, papers in what.narrower])}"
    for role, titles in what.roles:
        yield f"{role} ({len(titles):,}):"
        yield from _cut(titles)
    if what.results:
        yield "results:"
        yield from _cut(what.results)
    if what.related:
        yield "related papers:"
        yield from _cut([f"{title}: {reason}" for title, reason in what.related])


def _some(names: Iterable[str]) -> str:
    every = [*names]
    return ", ".join(every[:MOST]) + (f" and {len(every) - MOST:,} more" if len(every) > MOST else "")


def _cut(every: Iterable[str]) -> Iterator[str]:
    rows = [*every]
    yield from (f"  {row}" for row in rows[:MOST])
    if len(rows) > MOST:
        yield "  …"
