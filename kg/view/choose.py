"""What of a large graph is drawn: the most connected part, or the neighbourhood of one node; and what is said about it.

1. Everything, where that is at most `max_nodes`.
2. Else papers come first, up to a share of the nodes, those that name the most shared concepts; all that they name is
   on the page. Drawn at once are the concepts that two or more of them name, the most shared first; a concept that one
   paper names appears when its paper is selected.

Why by connection and not by chance or date: a map is for seeing what hangs together.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx

from kg.errors import InputError, UsageError
from kg.view.model import PAPER

SHARE_OF_PAPERS = 0.4


@dataclass(frozen=True, slots=True)
class Choice:
    """The part of a graph that is on the page; `later` is what is drawn only when its paper is selected."""

    graph: nx.MultiDiGraph
    later: frozenset[str]
    left_out: tuple[str, ...]


def choose(whole: nx.MultiDiGraph, *, max_nodes: int) -> Choice:
    """The most connected part of a graph that `max_nodes` allows."""
    if max_nodes < 1:
        raise UsageError(f"--max-nodes {max_nodes} leaves nothing to draw; give at least 1")
    if len(whole) <= max_nodes:
        return Choice(whole, frozenset(), ())
    papers = [key for key, kind in whole.nodes(data="type") if kind == PAPER]
    shared = {key: len(set(whole.predecessors(key))) > 1 for key in whole}
    connected = {p: sum(shared[c] for c in set(whole.successors(p))) for p in papers}
    room = max(1, min(len(papers), int(max_nodes * SHARE_OF_PAPERS)))
    kept = sorted(sorted(papers), key=lambda p: -connected[p])[:room]
    named = {c for p in kept for c in whole.successors(p)}
    others = (key for key, kind in whole.nodes(data="type") if kind != PAPER and not whole.degree(key))
    part = whole.subgraph({*kept, *named, *others}).copy()
    spread = {c: len(set(part.predecessors(c))) for c in named}
    ranked = sorted(sorted(c for c in named if spread[c] > 1), key=lambda c: -spread[c])
    later = named - set(ranked[: max_nodes - len(kept)])
    return Choice(
        part, frozenset(later), _said(len(papers), len(kept), len(whole) - len(papers), len(named), len(later))
    )


def _said(papers: int, kept: int, concepts: int, named: int, later: int) -> tuple[str, ...]:
    said = []
    if kept < papers:
        said.append(
            f"This page holds {kept:,} of {papers:,} papers, those that share most with others, and the {named:,} of "
            f"{concepts:,} things that they name. --max-nodes shows more, --focus shows the surroundings of one thing."
        )
    if later:
        said.append(
            f"{later:,} things that hardly any other paper names are drawn when a paper that names them is selected."
        )
    return tuple(said)


def around(whole: nx.MultiDiGraph, name: str, *, depth: int) -> tuple[str, nx.MultiDiGraph]:
    """The node called `name` (an IRI, its key or any of its names) and what is at most `depth` steps from it."""
    if depth < 0:
        raise UsageError(f"--depth {depth} is not a number of steps; give 0 or more")
    key = find(whole, name)
    near = nx.ego_graph(whole.to_undirected(as_view=True), key, radius=depth)
    return key, whole.subgraph(near.nodes).copy()


def find(whole: nx.MultiDiGraph, name: str) -> str:
    """The key of the node called `name`; InputError, with the nearest names, where there is none."""
    if name in whole:
        return name
    folded = name.casefold().strip()
    names: dict[str, str] = {}
    for key, node in sorted(whole.nodes(data=True), key=lambda n: (n[1]["type"] == PAPER, -whole.degree(n[0]), n[0])):
        if name.endswith("/" + key):
            return str(key)
        for said in _names(node):
            names.setdefault(said.casefold(), key)
    if folded in names:
        return names[folded]
    near = difflib.get_close_matches(folded, names, n=3, cutoff=0.6)
    hint = f"; nearest: {', '.join(near)}" if near else "; give the name, the IRI or the paper's id"
    raise InputError(f"nothing in the graph is called {name!r}{hint}")


def _names(node: dict[str, object]) -> Iterable[str]:
    yield str(node["label"])
    yield str(node.get("paper_id", node["label"]))
    alternatives = node.get("alternatives", ())
    if isinstance(alternatives, tuple):
        yield from alternatives
