"""What a browser gets: the page that is seen first, the graph's page, and what that page asks.

The graph's page is the build's. Served, it may ask this server (its `remote`, and its policy) for what it leaves
out: `/search?text=` finds papers and concepts in the whole graph, `/around?iri=` draws what is near one of them.
"""

from __future__ import annotations

import json
import threading
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import asdict
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from kg.errors import KgError
from kg.queries import Query, catalogue
from kg.serve.names import Index, found, index
from kg.serve.oxigraph import identity
from kg.store import STORE, base_of, open_store

HOME = Path(__file__).parent.parent / "data" / "home.html"
HERE = "{{questions}}"
REMOTE = {"search": "/search?text=", "page": "/around?iri="}
PATIENCE = 0.1
ISLAND = '<script type="application/json" id="data">{'

_starting = threading.Lock()


def home() -> str:
    """Write the page that is seen first: each question of the catalogue is a link that opens it to be asked."""
    return HOME.read_text(encoding="utf-8").replace(HERE, "".join(map(_question, catalogue())))


def graph_page(build: Path) -> str:
    """Give the build's page, allowed to ask this server."""
    page = (build / "graph.html").read_text(encoding="utf-8")
    page = page.replace("connect-src 'none'", "connect-src 'self'", 1)
    return page.replace(ISLAND, f'{ISLAND}"remote":{json.dumps(REMOTE)},', 1)


def prepare(build: Path) -> None:
    """Do beforehand what the first search and the first page would have to wait for."""
    with suppress(KgError):  # who asks is told
        search(build, "")
        around(build, "")


def search(build: Path, text: str) -> list[dict[str, Any]]:
    """Find concepts and papers by their names; in the store, until the names have been read."""
    with _starting:
        reading = _index(build, identity(build / STORE))
    try:
        return [asdict(thing) for thing in reading.result(PATIENCE).search(text)]
    except TimeoutError:
        return [asdict(thing) for thing in found(open_store(build), text)]


@lru_cache(maxsize=1)
def _index(build: Path, store: str) -> Future[Index]:
    """Begin to read the names of a store, which its identity tells from the next."""
    future: Future[Index] = Future()

    def read() -> None:
        try:
            future.set_result(index(open_store(build)))
        except BaseException as error:
            future.set_exception(error)

    threading.Thread(target=read, daemon=True).start()
    return future


def around(build: Path, iri: str) -> str:
    """Draw what is near a paper or a concept; InputError where the graph has it not."""
    from kg.serve.near import near
    from kg.view import Remote, page_of

    store = open_store(build)
    found, base = near(build, store, iri), base_of(store)
    key = iri.removeprefix(base)
    return page_of(
        found.graph, found.extractions, focus=key, base=base, left_out=found.left_out, remote=Remote(**REMOTE)
    )


def _question(query: Query) -> str:
    link = f"/ask/#{urlencode({'query': query.text, 'endpoint': '/query'})}"
    return f'<dt><a href="{escape(link)}">{escape(query.title)}</a></dt><dd>{escape(query.question)}</dd>\n'
