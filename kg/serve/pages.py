"""What a browser gets: the page that is seen first, the graph's page, and what that page asks.

The graph's page is the build's. Served, it may ask this server (its `remote`, and its policy) for what it leaves
out: `/search?text=` finds papers and concepts in the whole graph, `/around?iri=` draws what is near one of them.
"""

from __future__ import annotations

import json
import threading
from functools import lru_cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from kg.errors import InputError
from kg.queries import Query, catalogue, find
from kg.serve.oxigraph import identity
from kg.store import STORE, base_of, open_store, rows

if TYPE_CHECKING:
    import networkx

    from kg.records import Extraction

HOME = Path(__file__).parent.parent / "data" / "home.html"
HERE = "{{questions}}"
REMOTE = {"search": "/search?text=", "page": "/around?iri="}
ISLAND = '<script type="application/json" id="data">{'
PAPERS = """
SELECT ?paper (SAMPLE(?label) AS ?name) WHERE {
  VALUES ?text { "" }
  ?paper a fabio:ResearchPaper ; skos:hiddenLabel ?hidden ; rdfs:label ?label .
  FILTER(CONTAINS(?hidden, LCASE(?text)))
} GROUP BY ?paper ORDER BY STRLEN(?name) ?name LIMIT 25
"""

_reading = threading.Lock()


def home() -> str:
    """Write the page that is seen first: each question of the catalogue is a link that opens it to be asked."""
    return HOME.read_text(encoding="utf-8").replace(HERE, "".join(map(_question, catalogue())))


def graph_page(build: Path) -> str:
    """Give the build's page, allowed to ask this server."""
    page = (build / "graph.html").read_text(encoding="utf-8")
    page = page.replace("connect-src 'none'", "connect-src 'self'", 1)
    return page.replace(ISLAND, f'{ISLAND}"remote":{json.dumps(REMOTE)},', 1)


def search(build: Path, text: str) -> list[dict[str, Any]]:
    """Find papers and concepts by their names."""
    store = open_store(build)
    papers = rows(store, PAPERS, values={"text": text})
    concepts = rows(store, find("search").with_values({"text": text}))
    return [
        *({"iri": c.concept, "label": c.name, "type": c.type.rpartition("#")[2], "papers": c.papers} for c in concepts),
        *({"iri": paper, "label": name, "type": "Paper", "papers": 0} for paper, name in papers),
    ]


def around(build: Path, iri: str) -> str:
    """Draw what is near a paper or a concept; InputError where the graph has it not."""
    from kg.view import Remote, page_of

    base = base_of(open_store(build))
    with _reading:
        extractions, whole = _whole(build, identity(build / STORE))
    if (key := iri.removeprefix(base)) not in whole:
        raise InputError(f"{iri} is not in this graph")
    return page_of(whole, extractions, focus=key, base=base, remote=Remote(**REMOTE))


@lru_cache(maxsize=1)
def _whole(build: Path, store: str) -> tuple[list[Extraction], networkx.MultiDiGraph[str]]:
    """Read the extractions of a build; kept while its store is the same, since this takes a while."""
    from kg.view.model import read_build

    return read_build(build)


def _question(query: Query) -> str:
    link = f"/ask/#{urlencode({'query': query.text, 'endpoint': '/query'})}"
    return f'<dt><a href="{escape(link)}">{escape(query.title)}</a></dt><dd>{escape(query.question)}</dd>\n'
