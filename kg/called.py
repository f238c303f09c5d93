"""Who is called so: the values that people give for names, against the names in a graph.

1. What is copied out of an answer (`model:bert`, `<https://…/model/bert>`) is put back into the name that fewest share.
2. Of a name that nothing bears, the nearest names are told; of one that two papers bear, both are.

A name that is a little off is the most frequent cause of an empty answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice

import pyoxigraph as ox

from kg import vocab
from kg.answers import python
from kg.queries import CONCEPT, NAMED, PAPER, Query
from kg.records import EntityType

NEAREST = 5
CANDIDATES = 200
LEAST_ALIKE = 60.0
KINDS = {vocab.VOCABULARIES["kg"] + t: t.value for t in EntityType} | {vocab.FABIO_RESEARCH_PAPER.value: PAPER}

Values = Mapping[str, object]


def names(store: ox.Store, query: Query, values: Values, prefixes: Mapping[str, str]) -> dict[str, object]:
    """Give the values with names in the place of nodes."""
    kinds = {item.name: item.kind for item in query.parameters}
    return {k: _name(store, str(v), prefixes) if kinds.get(k) in NAMED else v for k, v in values.items()}


def remarks(store: ox.Store, query: Query, values: Values) -> Iterator[str]:
    """Say of each name, where it is not one thing of the graph, what there is."""
    for item in query.parameters:
        if item.kind in NAMED:
            name = str(values.get(item.name, query.defaults[item.name]))
            bearers = sorted((_kind(store, node), node.value) for node in _called(store, name))
            remark = _remark(store, item.kind, name, [(kind, node) for kind, node in bearers if kind])
            if remark and item.name in values:
                yield remark
            elif remark:
                yield f"{item.name} was not set, and {remark}; --set {item.name}=…"


def _remark(store: ox.Store, kind: str, name: str, bearers: list[tuple[str, str]]) -> str:
    fit = [node for k, node in bearers if _is(k, kind)]
    if kind == PAPER and len(fit) > 1:
        return f"{len(fit)} papers are called {name!r}; give the id of one: {', '.join(map(_id, fit[:NEAREST]))}"
    if fit:
        return ""
    if bearers:
        return f"no {kind} is called {name!r}, only a {' and a '.join(dict.fromkeys(k for k, _ in bearers))}"
    near = nearest(store, kind, name)
    return f"no {kind} is called {name!r}; " + (f"the nearest: {', '.join(near)}" if near else "nothing is near it")


def nearest(store: ox.Store, kind: str, name: str) -> list[str]:
    """Find the names most like this one, among things of a kind."""
    from rapidfuzz import fuzz, process

    labels = sorted({python(quad.object) for quad in store.quads_for_pattern(None, vocab.SKOS_HIDDEN_LABEL, None)})
    found = process.extract(vocab.fold(name), labels, scorer=fuzz.WRatio, limit=CANDIDATES, score_cutoff=LEAST_ALIKE)
    fit = (label for label, *_ in found if any(_is(_kind(store, node), kind) for node in _called(store, label)))
    return list(islice(fit, NEAREST))


def _name(store: ox.Store, value: str, prefixes: Mapping[str, str]) -> str:
    prefix, _, local = value.partition(":")
    iri = prefixes[prefix] + local if prefix in prefixes and local else value.removeprefix("<").removesuffix(">")
    try:
        quads = store.quads_for_pattern(ox.NamedNode(iri), vocab.SKOS_HIDDEN_LABEL, None)
    except ValueError:  # not an IRI: a name
        return value
    labels = sorted(python(quad.object) for quad in quads)
    return min(labels, key=lambda label: len(_called(store, label)), default=value)


def _called(store: ox.Store, name: str) -> list[ox.NamedNode]:
    quads = store.quads_for_pattern(None, vocab.SKOS_HIDDEN_LABEL, ox.Literal(vocab.fold(name)))
    return [quad.subject for quad in quads if isinstance(quad.subject, ox.NamedNode)]


def _kind(store: ox.Store, node: ox.NamedNode) -> str:
    types = (python(quad.object) for quad in store.quads_for_pattern(node, vocab.RDF_TYPE, None))
    return next((KINDS[t] for t in types if t in KINDS), "")


def _is(kind: str, wanted: str) -> bool:
    return kind == wanted or (wanted == CONCEPT and kind not in ("", PAPER))


def _id(paper: str) -> str:
    return paper.rpartition("/paper/")[2]
