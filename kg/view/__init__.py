"""One HTML file that shows a graph: nothing to install, nothing fetched, the evidence inside.

extractions, concepts ─model─▶ networkx graph ─choose─▶ the part to draw
    ─similar, layout─▶ where each node stands ─island─▶ pyvis's nodes and edges, and the panels' data
    ─page─▶ one self-contained page
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import networkx as nx

from kg.cache import read
from kg.field import FieldMap
from kg.files import atomic_write, standard_output
from kg.memory import uncollected
from kg.records import Concept, EntityType, Extraction
from kg.store import STORE, base_of, open_store
from kg.structure import Structure
from kg.text import clean
from kg.view.choose import Choice, around, choose
from kg.view.construct import construct
from kg.view.island import island, totals
from kg.view.layout import layout
from kg.view.model import AREA, PAPER, graph, paper_key, read_build
from kg.view.page import render
from kg.view.similar import related, vectors
from kg.vocab import DEFAULT_BASE, KG_MENTIONS

MAX_NODES = 2500
TITLE = "Paper graph"
NAMES_AREAS = (EntityType.TASK, EntityType.METHOD, EntityType.MODEL)


@dataclass(frozen=True, slots=True)
class Remote:
    """A server's addresses on its own host, each to be followed by an encoded word or IRI, for a page that it serves.

    `search` + words answers JSON, a list of {"iri", "label", "type", "papers"}; `page` + IRI is a page around that one.
    """

    search: str
    page: str


def page(
    extractions: Sequence[Extraction],
    concepts: Iterable[Concept],
    *,
    title: str = TITLE,
    found: Structure | None = None,
    max_nodes: int = MAX_NODES,
    focus: str = "",
    depth: int = 1,
    base: str = DEFAULT_BASE,
) -> str:
    """The page that shows `extractions`, their `concepts` and the structure of these; or what is near `focus` of it."""
    whole = graph(extractions, concepts, found)
    return page_of(whole, extractions, title=title, max_nodes=max_nodes, focus=focus, depth=depth, base=base)


def write(
    output: Path,
    extractions: Callable[[], Iterable[Extraction]],
    concepts: Iterable[Concept],
    *,
    title: str = TITLE,
    found: Structure | None = None,
    max_nodes: int = MAX_NODES,
    base: str = DEFAULT_BASE,
) -> None:
    """Write the page to a file, whole or not at all; `extractions` reads them: twice, so as not to hold them."""
    whole = graph(extractions(), concepts, found)
    text = page_of(whole, extractions(), title=title, max_nodes=max_nodes, base=base)
    with atomic_write(output) as file:
        file.write(text)


def view(
    build: Path,
    output: str,
    *,
    focus: str = "",
    depth: int = 1,
    query: Path | None = None,
    max_nodes: int = MAX_NODES,
    title: str = TITLE,
    aliases: Path | None = None,
    field: FieldMap | None = None,
) -> None:
    """Write the page of a build's folder, all of it or a part, to a file or to `-`, standard output.

    A part is what is near one node (`focus`, `depth`) of what a CONSTRUCT query (a file) answers, or of all. `aliases`
    and `field`, the map of the field, are those that the build was given.
    """
    whole = read_build(build, aliases=aliases, field=field)
    if query is not None:
        whole = construct(build, query, whole)
    base = base_of(open_store(build)) if (build / STORE).is_dir() else DEFAULT_BASE
    text = page_of(
        whole,
        read(build),
        title=title,
        max_nodes=max_nodes,
        focus=focus,
        depth=depth,
        base=base,
        asked=query is not None,
    )
    with standard_output() if output == "-" else atomic_write(Path(output)) as file:
        file.write(text)


@uncollected()
def page_of(
    whole: nx.MultiDiGraph,
    extractions: Iterable[Extraction],
    *,
    title: str = TITLE,
    max_nodes: int = MAX_NODES,
    focus: str = "",
    depth: int = 1,
    base: str = DEFAULT_BASE,
    left_out: tuple[str, ...] = (),
    asked: bool = False,
    remote: Remote | None = None,
) -> str:
    """The page that shows a graph of `kg.view.model`, with the evidence from `extractions`.

    All that was `asked` for is drawn at once. `left_out` is said of what the graph itself has not. With `remote`, its
    search also reaches what is left out.
    """
    key, near = around(whole, focus, depth=depth) if focus else ("", whole)
    choice = choose(near, max_nodes=max_nodes, asked=asked)
    choice = replace(choice, left_out=(*left_out, *choice.left_out))
    drawn = {paper: x for x in extractions if (paper := paper_key(x.paper)) in choice.graph}
    data = _data(choice, drawn, totals(near), key, title, base)
    return render(data | ({"remote": asdict(remote)} if remote else {}))


def _data(
    choice: Choice, extractions: dict[str, Extraction], counts: dict[str, int], focus: str, title: str, base: str
) -> dict[str, Any]:
    papers = sorted(key for key, kind in choice.graph.nodes(data="type") if kind == PAPER)
    texts = [clean(extractions[p].paper.text).clean for p in papers]
    space = vectors(choice.graph, papers, texts)
    alike = related(space)
    labels = [clean(n["label"]).clean for _, n in sorted(choice.graph.nodes(data=True)) if n["type"] in NAMES_AREAS]
    place, islands = layout(choice.graph, papers, space, alike, texts=texts, labels=labels, petals=not choice.crowded)
    made = island(choice, extractions, place=place, islands=islands, alike=alike, papers=papers, base=base)
    ids = {d["key"]: i for i, d in made["details"].items()}
    things = sum(n for k, n in counts.items() if k not in ("papers", AREA))
    said = f"{counts['papers']:,} papers, {things:,} things they name"
    return made | {
        "title": title,
        "subtitle": said,
        "made": "Made by kg view with networkx, pyvis and vis-network (visjs contributors; Apache-2.0 or MIT).",
        "totals": counts,
        "focus": ids.get(focus),
        "ontology": KG_MENTIONS.value.removesuffix("mentions"),
    }
