"""The graph behind a SPARQL endpoint: asked like the graph of a build, with the same rows.

1. A query of the catalogue names no graphs. If the endpoint's default graph has no papers, those named graphs that have
   some are made the default graph, by the protocol's own parameter; so it does not matter how the graph was loaded.
2. Prefixes that the query uses and does not declare are declared, as they are known to `kg query`.
3. The query is checked here first: what is wrong is told with its line and column, and nothing but reading is sent.

Protocol: https://www.w3.org/TR/sparql11-protocol/#dataset
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import pairwise
from typing import cast

import pyoxigraph as ox

from kg import vocab
from kg.answers import Rows, columns, python, stream
from kg.errors import QueryError
from kg.load import Options, connect
from kg.load.ask import ROWS, TRIPLES, Answer, ask
from kg.load.login import Credentials, Login
from kg.load.profiles import checked_url
from kg.load.web import Web
from kg.queries import NAMED, Query, find
from kg.sparql import check, has_from, tokens

PAPERS = f"?paper a {vocab.FABIO_RESEARCH_PAPER}"
PARTS = ("facts", "evidence", "run")


class Endpoint:
    """A SPARQL endpoint that holds a graph of ours; a context manager."""

    def __init__(
        self,
        url: str,
        *,
        graphs: Sequence[str] = (),
        credentials: Credentials | None = None,
        in_clear: bool = False,
        timeout: float = 600.0,
    ) -> None:
        self._web = Web(Login(credentials, in_clear=in_clear), timeout=timeout)
        _, doors = connect(self._web, checked_url(url), Options())
        self.url, self._graphs = doors.query, graphs

    def __enter__(self) -> Endpoint:
        return self

    def __exit__(self, *_: object) -> None:
        self._web.__exit__()

    def query(self, query: str, /, **values: object) -> Rows:
        """Ask SPARQL, or a question of the catalogue by its name, with values for its parameters."""
        asked = Query("the query", query) if re.search(r"[\s{]", query) else find(query)
        results = self.answer(asked.with_values(self.named(asked, values)), name=asked.name).results
        return Rows(columns(results), tuple(stream(results)))

    def answer(self, text: str, *, name: str = "the query") -> Answer:
        """Ask one query."""
        check(text, prefixes=self.prefixes, name=name)
        graphs = () if has_from(text) else self.graphs
        accept = TRIPLES if _gives_triples(text) else ROWS
        return self._ask(declared(text, self.prefixes), graphs, accept=accept, name=name)

    def named(self, query: Query, values: Mapping[str, object]) -> dict[str, object]:
        """Give the values with names in the place of nodes as answers show them (`model:bert`)."""
        kinds = {item.name: item.kind for item in query.parameters}
        return {k: self._name(str(v)) if kinds.get(k) in NAMED else v for k, v in values.items()}

    @cached_property
    def graphs(self) -> tuple[str, ...]:
        """Which graphs are asked; none means the endpoint's default graph."""
        if self._graphs:
            return tuple(self._graphs)
        if self._ask(f"ASK {{ {PAPERS} }}").results:
            return ()
        found = [g for (g,) in self._rows(f"SELECT DISTINCT ?g WHERE {{ GRAPH ?g {{ {PAPERS} }} }} ORDER BY ?g")]
        if not found:
            raise QueryError(f"{self.url} holds no papers; load a build by `kg load`, or name its graphs by --graph")
        return tuple(dict.fromkeys(part for graph in found for part in _parts(graph)))

    @cached_property
    def prefixes(self) -> dict[str, str]:
        """The usual prefixes, and those of the base under which the endpoint's IRIs were minted."""
        papers = self._rows(f"SELECT ?paper WHERE {{ {PAPERS} }} LIMIT 1", self.graphs)
        base = papers[0][0].partition("paper/")[0] if papers else vocab.DEFAULT_BASE
        return vocab.prefixes(base)

    def _name(self, value: str) -> str:
        prefix, _, local = value.partition(":")
        iri = self.prefixes[prefix] + local if prefix in self.prefixes and local else value.strip("<>")
        try:
            node = ox.NamedNode(iri)
        except ValueError:  # not an IRI: a name
            return value
        query = f"""SELECT ?name (COUNT(?other) AS ?bearers) WHERE {{
            {node} {vocab.SKOS_HIDDEN_LABEL} ?name . ?other {vocab.SKOS_HIDDEN_LABEL} ?name }} GROUP BY ?name"""
        names = self._rows(query, self.graphs)
        return min(((bearers, name) for name, bearers in names), default=(0, value))[1]

    def _rows(self, text: str, graphs: Sequence[str] = ()) -> list[tuple[str, ...]]:
        results = cast(ox.QuerySolutions, self._ask(text, graphs).results)
        return [tuple(python(term) for term in row) for row in stream(results)]

    def _ask(
        self, text: str, graphs: Sequence[str] = (), *, accept: str = ROWS, name: str = "what the endpoint holds"
    ) -> Answer:
        parameters = [("default-graph-uri", graph) for graph in graphs]
        return ask(self._web, self.url, text, accept=accept, parameters=parameters, name=name)


def declared(text: str, prefixes: Mapping[str, str]) -> str:
    """Declare the prefixes that a query uses and does not declare, on its first line.

    >>> declared("SELECT * { ?s kg:uses ?o }", {"kg": "http://e.org/"})
    'PREFIX kg: <http://e.org/> SELECT * { ?s kg:uses ?o }'
    """
    found = list(tokens(text))
    own = {name[0].partition(":")[0] for word, name in pairwise(found) if word[0].upper() == "PREFIX"}
    used = {token[0].partition(":")[0] for token in found if token.lastgroup == "prefixed"}
    missing = sorted((used - own) & prefixes.keys())
    return "".join(f"PREFIX {prefix}: <{prefixes[prefix]}> " for prefix in missing) + text


def _gives_triples(text: str) -> bool:
    forms = (t[0].upper() for t in tokens(text) if t.lastgroup == "word")
    return next((form for form in forms if form in ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")), "") in (
        "CONSTRUCT",
        "DESCRIBE",
    )


def _parts(graph: str) -> list[str]:
    """Give the graphs of the build that a graph is of."""
    base, found, part = graph.rpartition("graph/")
    return [f"{base}graph/{name}" for name in PARTS] if found and part in PARTS else [graph]
