"""`kg query`: ask the graph."""

from __future__ import annotations

import select
import stat
import sys
from collections.abc import Mapping, Sequence
from os import fstat
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from kg.answers import Results
    from kg.graphs import Graph
    from kg.queries import Query

FORMATS = "table, plain, csv, tsv, json, xml, ttl or nt"
PATIENCE = 1.0  # seconds for a pipe to say something before a bare `kg query` lists the catalogue


def query(
    what: Annotated[str | None, typer.Argument(help="A name of the catalogue, a file, or - (standard input).")] = None,
    text: Annotated[str | None, typer.Option("-e", "--execute", help="SPARQL; the usual prefixes are known.")] = None,
    given: Annotated[list[str] | None, typer.Option("--set", help="NAME=VALUE of a parameter; repeatable.")] = None,
    format: Annotated[str | None, typer.Option(help=f"{FORMATS}; else what suits.")] = None,
    source: Annotated[Path, typer.Option("--from", help="The build to ask.")] = Path("output"),
    endpoint: Annotated[str | None, typer.Option(help="Ask this SPARQL endpoint instead.", metavar="URL")] = None,
    graphs: Annotated[list[str] | None, typer.Option("--graph", help="A graph of the endpoint; else found.")] = None,
    timeout: Annotated[float | None, typer.Option(help="Seconds after which to give up.", min=0.001)] = None,
    show: Annotated[bool, typer.Option("--show", help="Print the SPARQL, ask nothing.")] = False,
) -> None:
    """Ask the graph a question of the catalogue, or SPARQL; without either, list the catalogue.

    Example: kg query papers-by-dataset --set dataset=ImageNet
    """
    from kg.answers import checked_format
    from kg.graphs import Graph
    from kg.parameters import pairs
    from kg.store import within

    if format:
        checked_format(format)
    asked, values = _asked(what, text), pairs(given or ())
    if asked is None:
        _list()
    elif show:
        typer.echo(asked.with_values(values), nl=False)
    elif endpoint:
        within(timeout, lambda: _answer_there(endpoint, graphs or (), asked, values, format), name=asked.name)
    else:
        graph = Graph(source)
        within(timeout, lambda: _answer(graph, asked, values, format), name=asked.name)


def _asked(what: str | None, text: str | None) -> Query | None:
    from kg.errors import UsageError
    from kg.queries import Query, find

    if what and text is not None:
        raise UsageError("give either a name or a file, or SPARQL by -e")
    if what and what != "-":
        return find(what)
    if text is None and (what or _is_fed()):
        text = sys.stdin.buffer.read().decode("utf-8", "surrogateescape")
        text = text if what or text.strip() else None
    return None if text is None else Query("the query", text)


def _is_fed() -> bool:
    """Whether standard input is a file, or a pipe in which there soon is something."""
    try:
        mode = fstat(sys.stdin.fileno()).st_mode
    except (OSError, ValueError, AttributeError):  # closed, or none
        return False
    return stat.S_ISREG(mode) or (stat.S_ISFIFO(mode) and bool(select.select([sys.stdin], [], [], PATIENCE)[0]))


def _answer(graph: Graph, asked: Query, values: Mapping[str, object], format: str | None) -> None:
    """Print the answer on standard output; on standard error, why it is empty or where it is cut."""
    from kg.called import remarks
    from kg.parameters import limit_of
    from kg.store import evaluate, rows

    named = graph.named(asked, values)
    text = asked.with_values(named)
    for remark in remarks(graph.store, asked, named):
        _tell(remark)
    count = _print(evaluate(graph.store, text, name=asked.name), format, graph.prefixes, asked.name)
    if count is None and limit_of(text):
        count = len(rows(graph.store, text))  # a standard format was streamed by Oxigraph, uncounted
    if count == 0:
        _tell("no rows")
    elif count and count == limit_of(text):
        _tell(f"{count} row{'s' * (count > 1)}, which is the limit; --set limit={10 * count} allows more")


def _answer_there(
    url: str, graphs: Sequence[str], asked: Query, values: Mapping[str, object], format: str | None
) -> None:
    """Print the answer of an endpoint."""
    from kg.endpoint import Endpoint
    from kg.load.login import from_environment

    with Endpoint(url, graphs=graphs, credentials=from_environment()) as there:
        answer = there.answer(asked.with_values(there.named(asked, values)), name=asked.name)
        if _print(answer.results, format, there.prefixes, asked.name) == 0:
            _tell("no rows")
        if answer.doubt:
            _tell(answer.doubt)


def _print(results: Results, format: str | None, prefixes: Mapping[str, str], name: str) -> int | None:
    """Print an answer; gives the number of rows where they were counted."""
    from kg.answers import TABLE, default_format, write
    from kg.cli.table import print_answer
    from kg.store import reading

    chosen = format or default_format(results, terminal=sys.stdout.isatty())
    with reading(name):
        count = print_answer(results, prefixes) if chosen == TABLE else None
        if chosen != TABLE:
            count = write(results, sys.stdout.buffer, chosen, prefixes)
        sys.stdout.flush()
    return count


def _tell(remark: str) -> None:
    typer.echo(f"kg: {remark}", err=True)


def _list() -> None:
    from kg.cli.table import print_rows
    from kg.queries import catalogue

    settings = {q: " ".join(f"{name}={default}" for name, default in q.defaults.items()) for q in catalogue()}
    print_rows(("query", "answers", "set"), [(q.name, q.title, defaults) for q, defaults in settings.items()])
