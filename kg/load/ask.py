"""A SPARQL query to an endpoint, and its answer in pyoxigraph's terms.

The query goes as a form: Virtuoso 7.2.5 never answers one whose body is application/sparql-query. The answer is read by
the type that it says it has, and to its end before it is given: what was cut off is an error, not a shorter answer.

Protocol: https://www.w3.org/TR/sparql11-protocol/#query-operation
"""

from __future__ import annotations

import io
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

import httpx
import pyoxigraph as ox

from kg.errors import QueryError
from kg.load.web import Request, Web, refusal, where

Results = ox.QuerySolutions | ox.QueryTriples | ox.QueryBoolean

ROWS = "application/sparql-results+json, application/sparql-results+xml;q=0.8"
TRIPLES = "application/n-triples, text/turtle;q=0.8, application/rdf+xml;q=0.5"
FORM = "application/x-www-form-urlencoded"
CUT = ("x-sparql-maxrows", "x-sql-state")
CAPS = frozenset((10_000, 20_000, 100_000, 1 << 20))


@dataclass(frozen=True, slots=True)
class Answer:
    """What an endpoint answered; `doubt` says why it may not be all, or is empty."""

    results: Results
    doubt: str = ""


def ask(
    web: Web,
    url: str,
    text: str,
    *,
    accept: str = ROWS,
    parameters: Sequence[tuple[str, str]] = (),
    name: str = "the query",
) -> Answer:
    """Ask one query; QueryError, with what the server said, where it is refused or the answer cannot be read."""
    body = urlencode([("query", text), *parameters]).encode()
    request = Request("POST", url, {"Content-Type": FORM, "Accept": accept}, body)
    response = web.send(request)
    if not response.is_success:
        raise QueryError(f"{name} was refused, {where(request)}: {refusal(response)}")
    try:
        results, rows = _read(response)
    except (SyntaxError, ValueError) as error:
        raise QueryError(
            f"the answer to {name}, {where(request)}, cannot be read to its end: {error}; it may have been cut off"
        ) from error
    return Answer(results, _doubt(response, rows))


def _read(response: httpx.Response) -> tuple[Results, int]:
    type_ = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if (format := ox.QueryResultsFormat.from_media_type(type_)) is not None:
        read = ox.parse_query_results(response.content, format=format)
        if isinstance(read, ox.QueryBoolean):
            return read, 1
        rows = sum(1 for _ in read)
        return ox.parse_query_results(response.content, format=format), rows
    if (syntax := ox.RdfFormat.from_media_type(type_)) is not None:
        store = ox.Store()
        store.load(io.BytesIO(response.content), format=syntax)
        triples = store.query("CONSTRUCT { ?s ?p ?o } WHERE { ?s ?p ?o }")
        return triples, len(store)
    raise ValueError(f"its type is {type_ or 'not told'}")


def _doubt(response: httpx.Response, rows: int) -> str:
    said = [f"{name}: {response.headers[name]}" for name in CUT if name in response.headers]
    if response.status_code == 206 or said:
        return f"the server says that this is not all ({', '.join(said) or '206'})"
    return f"exactly {rows:,} rows, where servers like to stop: add LIMIT and OFFSET to be sure" if rows in CAPS else ""
