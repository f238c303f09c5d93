"""`kg load`: the graph into a triple store."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from rich.progress import Progress, Task

    from kg.load.login import Credentials
    from kg.load.source import Part
    from kg.load.web import Request

SHOWN = 300


def load(
    endpoint: Annotated[str, typer.Argument(help="The store's address, or that of its SPARQL endpoint.")],
    source: Annotated[Path, typer.Option("--from", help="The build to load.")] = Path("output"),
    graph: Annotated[str | None, typer.Option(help="Load all triples into this one graph.", metavar="IRI")] = None,
    store: Annotated[str | None, typer.Option(help="Kind of store, else found out.", metavar="NAME")] = None,
    replace: Annotated[bool, typer.Option("--replace", help="Replace what the graphs hold (the default).")] = False,
    append: Annotated[bool, typer.Option("--append", help="Add to what the graphs hold.")] = False,
    delete: Annotated[bool, typer.Option("--delete", help="Delete the graphs instead.")] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Print the requests, and write nothing.")] = False,
    update_url: Annotated[str | None, typer.Option(help="SPARQL Update, where it is elsewhere.")] = None,
    store_url: Annotated[str | None, typer.Option(help="Graph Store Protocol, where it is elsewhere.")] = None,
    chunk_mb: Annotated[float | None, typer.Option(help="Megabytes in a request, where it is chunked.")] = None,
    in_clear: Annotated[bool, typer.Option("--in-clear", help="Allow a password over plain http.")] = False,
    timeout: Annotated[float, typer.Option(min=1, help="Seconds to wait for an answer.")] = 600,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say only what went wrong.")] = False,
) -> None:
    """Load the graph into a triple store, verified. Log in by KG_USER and KG_PASSWORD, or KG_TOKEN.

    Each named graph replaces the one of that name in the store; other graphs are not touched.

    Example: kg load http://127.0.0.1:7878
    """
    from kg.errors import UsageError
    from kg.load import Mode, Options
    from kg.load import load as load_build
    from kg.load.login import from_environment

    if replace + append + delete > 1:
        raise UsageError("--replace, --append and --delete exclude each other; choose one")
    options = Options(
        mode=Mode.APPEND if append else Mode.DELETE if delete else Mode.REPLACE,
        graph=graph,
        store=store,
        update_url=update_url,
        store_url=store_url,
        chunk_bytes=int(chunk_mb * 1e6) if chunk_mb else None,
        in_clear=in_clear,
        timeout=timeout,
    )
    with _bar(hidden=quiet or dry_run) as bar:
        loaded = load_build(
            source,
            endpoint,
            options=options,
            credentials=from_environment(),
            ask=_asked,
            on_graph=bar.begin,
            on_sent=bar.sent,
            on_request=_print if dry_run else None,
        )
    for one in loaded if not (quiet or dry_run) else ():
        typer.echo(f"{one.graph}: {one.told}", err=True)


def _asked() -> Credentials | None:
    """Ask for a name and a password, where there is somebody to ask."""
    from kg.load.login import Credentials

    if not sys.stdin.isatty():
        return None
    user = typer.prompt("User", err=True)
    return Credentials(user, typer.prompt("Password", hide_input=True, err=True))


def _print(request: Request) -> None:
    """Print a request that would be sent."""
    typer.echo(f"{request.method} {request.url}")
    for name, value in request.headers.items():
        typer.echo(f"  {name}: {value}")
    typer.echo(f"  Content-Length: {request.size}" + (f"  # {request.note}" if request.note else ""))
    if isinstance(request.body, bytes):
        typer.echo(f"  {request.body[:SHOWN].decode(errors='replace')}")


class _Bar:
    """A progress bar, a graph after the other."""

    def __init__(self, progress: Progress) -> None:
        self._progress, self._task = progress, progress.add_task("", total=None)

    def begin(self, part: Part) -> None:
        self._progress.remove_task(self._task)
        self._task = self._progress.add_task(part.graph.rpartition("/")[2], total=part.whole.lines)

    def sent(self, triples: int) -> None:
        self._progress.update(self._task, completed=triples)


@contextmanager
def _bar(*, hidden: bool) -> Iterator[_Bar]:
    """Show on a terminal how many triples have been sent, and how many a second."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, ProgressColumn, TextColumn, TimeRemainingColumn
    from rich.text import Text

    class Speed(ProgressColumn):
        """Triples a second."""

        def render(self, task: Task) -> Text:
            return Text(f"{task.speed:,.0f} triples/s" if task.speed else "")

    console = Console(stderr=True)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        Speed(),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=hidden or not console.is_terminal) as progress:
        yield _Bar(progress)
