"""A build as a service on this machine: Oxigraph's own server, with the graph's page and the catalogue beside it.

    browser, SPARQL client ──▶ front (one address) ──▶ Oxigraph, read-only, on a port of its own
                                 │ /  /graph.html  /void.ttl  files

Oxigraph's server answers every query and has the SPARQL page; the front hands them through. It is there for what the
server cannot do: show files beside it, take up a store that has been rebuilt, refuse SERVICE (which would fetch what a
stranger names), and end queries that Oxigraph's own `--timeout-s` does not: that is looked at between rows, and a
product of large patterns may not have a row for hours, and take all memory (seen with 0.5.13).
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from kg.errors import ServiceError, UsageError
from kg.load.login import is_loopback
from kg.serve.front import Front
from kg.serve.oxigraph import Oxigraph
from kg.serve.pages import prepare


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """Where to listen, whether scripts of other sites may ask, seconds a query may take, gigabytes the server may."""

    bind: str = "127.0.0.1:7878"
    cors: bool = False
    timeout: float = 60.0
    memory: float | None = None


def serve(
    build: Path,
    *,
    options: Options | None = None,
    on_ready: Callable[[str], None] = lambda url: None,
    tell: Callable[[str], None] = lambda sentence: None,
    stop: threading.Event | None = None,
) -> None:
    """Serve a build until `stop` is set; `on_ready` gets the address, `tell` what happens meanwhile."""
    chosen, ended = options or Options(), stop or threading.Event()
    host, port = address(chosen.bind)
    if not is_loopback(host):
        tell(f"anybody who reaches {host}:{port} can read the graph; there is no login and no encryption")
    with Oxigraph(build, timeout=chosen.timeout, memory=chosen.memory, cors=chosen.cors, tell=tell) as oxigraph:
        try:
            front = Front((host, port), build, oxigraph)
        except OSError as error:
            raise ServiceError(
                f"cannot listen on {chosen.bind} ({error.strerror}); choose another by --bind"
            ) from error
        with front:
            on_ready(front.url)
            threading.Thread(target=prepare, args=(build,), daemon=True).start()
            oxigraph.watch(ended)


def address(bind: str) -> tuple[str, int]:
    """Read HOST:PORT.

    >>> address("[::1]:7878"), address("localhost:0")
    (('::1', 7878), ('localhost', 0))
    """
    host, _, port = bind.rpartition(":")
    if not host or not port.isdigit() or int(port) > 65535:
        raise UsageError(f"{bind!r} is no address to listen on; give HOST:PORT, such as 127.0.0.1:7878")
    return host.strip("[]"), int(port)
