"""What of a large graph is drawn: the most connected part, or the neighbourhood of one node; and what is said about it.

1. Everything, where that is at most `max_nodes`.
2. Else papers come first, up to a share of the nodes, those that name the most shared concepts; all that they name is
   on the page. Drawn at once are the concepts that two or more of them name, the most shared first; a concept that one
   paper names appears when its paper is selected.
3. What is broader than these is on the page, up to the areas. Of what no paper names itself, that is drawn at once
   which joins papers: at least two of them name different narrower things, and not so many that it says nothing.

Why by connection and not by chance or date: a map is for seeing what hangs together.
"""

from __future__ import annotations

import difflib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

import networkx as nx

from kg.errors import InputError, UsageError
from kg.view.model import AREA, PAPER, above, is_named, named_by

SHARE_OF_PAPERS = 0.4
SAYS_NOTHING = 0.12  # of the papers, and more, are about it


@dataclass(frozen=True, slots=True)
class Choice:
    """The part of a graph that is on the page; `later` is what is drawn only when something near it is selected."""

    graph: nx.MultiDiGraph
    later: frozenset[str]
    left_out: tuple[str, ...] = ()
    crowded: bool = False


def choose(whole: nx.MultiDiGraph, *, max_nodes: int, asked: bool = False) -> Choice:
    """The most connected part of a graph that `max_nodes` allows; what was `asked` for is all drawn at once."""
    if max_nodes < 1:
        raise UsageError(f"--max-nodes {max_nodes} leaves nothing to draw; give at least 1")
    if len(whole) <= max_nodes:
        if asked:
            return Choice(whole, frozenset())
        bare = {key for key in whole if whole.nodes[key]["type"] == AREA or not is_named(whole, key)}
        return Choice(whole, frozenset(bare - joining(whole)))
    papers = [key for key, kind in whole.nodes(data="type") if kind == PAPER]
    shared = {key: len(named_by(whole, key)) > 1 for key in whole}
    connected = {p: sum(shared[c] for c in set(whole.successors(p))) for p in papers}
    room = max(1, min(len(papers), int(max_nodes * SHARE_OF_PAPERS)))
    kept = sorted(sorted(papers), key=lambda p: -connected[p])[:room]
    named = {c for p in kept for c in whole.successors(p)}
    others = [key for key, kind in whole.nodes(data="type") if kind != PAPER and not whole.degree(key)]
    part = whole.subgraph({*kept, *named, *_broader(whole, named), *others}).copy()
    spread = {c: len(named_by(part, c)) for c in named} | dict.fromkeys(joining(part) - named, 2)
    ranked = sorted(sorted(c for c in spread if spread[c] > 1), key=lambda c: -spread[c])
    later = {c for c in part if part.nodes[c]["type"] != PAPER} - {*ranked[: max_nodes - len(kept)], *others}
    concepts = sum(is_named(whole, key) for key in whole) - len(papers)
    said = _said(len(papers), len(kept), concepts, len(named), len(later & named))
    return Choice(part, frozenset(later), said, crowded=bool(later & named))


def joining(drawn: nx.MultiDiGraph) -> frozenset[str]:
    """What no paper names itself, but two or more by different narrower things."""
    below: dict[str, set[str]] = {}
    ways: Counter[str] = Counter()
    for key, kind in drawn.nodes(data="type"):
        if kind not in (PAPER, AREA) and (papers := named_by(drawn, key)):
            for broad in _broader(drawn, [key]):
                below.setdefault(broad, set()).update(papers)
    most = max(3.0, SAYS_NOTHING * sum(kind == PAPER for _, kind in drawn.nodes(data="type")))
    for narrow, broad, _ in drawn.edges(keys=True):
        ways[broad] += bool(broad in below and (narrow in below or is_named(drawn, narrow)))
    return frozenset(
        key
        for key, papers in below.items()
        if ways[key] > 1 and 1 < len(papers) <= most
        if drawn.nodes[key]["type"] != AREA and not is_named(drawn, key)
    )


def _broader(drawn: nx.MultiDiGraph, keys: Iterable[str]) -> set[str]:
    """All that is broader than some nodes."""
    found: set[str] = set()
    ahead = [broad for key in keys for broad in above(drawn, key)]
    while ahead:
        if (key := ahead.pop()) not in found:
            found.add(key)
            ahead += above(drawn, key)
    return found


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
