"""`kg serve`: the graph as a service on this machine."""

from __future__ import annotations

import signal
import threading
from pathlib import Path
from typing import Annotated

import typer


def serve(
    source: Annotated[Path, typer.Option("--from", help="The build to serve.")] = Path("output"),
    bind: Annotated[str, typer.Option(help="Where to listen.", metavar="HOST:PORT")] = "127.0.0.1:7878",
    timeout: Annotated[float, typer.Option(min=1, help="Seconds after which a query is stopped.")] = 60,
    memory: Annotated[float | None, typer.Option(min=0.1, help="Gigabytes for queries; else half of all.")] = None,
    cors: Annotated[bool, typer.Option("--cors", help="Let scripts of other sites ask.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say only what goes wrong.")] = False,
) -> None:
    """Serve the graph, read-only: a SPARQL endpoint, its page, the HTML graph and the catalogue at one address.

    Example: kg serve --from output
    """
    from kg.serve import Options
    from kg.serve import serve as serve_build

    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())

    def ready(url: str) -> None:
        if not quiet:
            typer.echo(f"{url}/ has the graph and the questions; the endpoint is {url}/query; Ctrl-C ends it", err=True)

    serve_build(
        source,
        options=Options(bind=bind, timeout=timeout, memory=memory, cors=cors),
        on_ready=ready,
        tell=lambda sentence: typer.echo(f"kg: {sentence}", err=True),
        stop=stop,
    )
