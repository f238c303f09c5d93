"""Where each node stands: papers by likeness in areas, concepts as petals around their paper or between their papers.

1. A paper is a disc with its own concepts, those that no other paper names, on rings around it, ordered by type.
2. Papers stand where their area and what they name send them (`anchors`), else by likeness, and areas are kept apart
   (`arrange`, `areas`).
3. Everything is a little higher than it is packed, to leave room for the papers' names.
4. A shared concept stands where most of its papers are (their median), moved aside until it lies on nothing; what no
   paper names itself, where those are that name something of its kind.

There is no randomness, and coordinates are whole numbers, so that the last bits of a sum do not show. Why not one force
layout over all nodes: a few hubs and hundreds of leaves give a hairball or a dust cloud.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence

import networkx as nx
import numpy as np

from kg.records import EntityType
from kg.view.anchors import anchored
from kg.view.areas import Area, areas, by_structure
from kg.view.arrange import SETTLE_ROUNDS, Points, Sizes, arrange_groups, push
from kg.view.model import PAPER, named_by
from kg.view.similar import Related, Vectors

FIRST_RING = 40.0
RING_STEP = 21.0
PETAL_ROOM = 19.0
EDGE_OF_DISC = 13.0
BARE_DISC = 24.0
HIGHER = 1.28
_ORDER = {str(t): i for i, t in enumerate(EntityType)}


def layout(
    drawn: nx.MultiDiGraph,
    papers: Sequence[str],
    space: Vectors,
    alike: Sequence[Sequence[Related]],
    *,
    texts: Sequence[str],
    labels: Iterable[str],
    petals: bool = True,
) -> tuple[dict[str, tuple[int, int]], tuple[Area, ...]]:
    """Whole-number coordinates of every node, and the areas; without `petals`, papers stand closer."""
    own = {key: _own(drawn, key) for key in papers}
    rings = {key: _rings(len(own[key])) for key in papers}
    radii = np.array([_radius(rings[key]) if petals else BARE_DISC for key in papers])
    near = likeness(alike)
    found = by_structure(drawn, papers, near)
    islands = found or areas(near, texts, labels)
    start = anchored(found, space, near, radii) if found else None
    centres = arrange_groups(near, [a.papers for a in islands], radii, start=start) * np.array([1, HIGHER])
    place = {key: (float(x), float(y)) for key, (x, y) in zip(papers, centres, strict=True)}
    for key in papers:
        x, y = place[key]
        place.update({c: (x + dx, y + dy) for c, (dx, dy) in zip(own[key], rings[key], strict=True)})
    place |= _shared(drawn, place, centres, radii)
    return {key: (round(x), round(y)) for key, (x, y) in place.items()}, islands


def likeness(alike: Sequence[Sequence[Related]]) -> nx.Graph:
    """Papers, by their number, joined to those that are most alike."""
    near = nx.Graph()
    near.add_nodes_from(range(len(alike)))
    near.add_weighted_edges_from(sorted((i, r.paper, r.score) for i, row in enumerate(alike) for r in row))
    return near


def _own(drawn: nx.MultiDiGraph, paper: str) -> list[str]:
    """A paper's concepts that no other paper names, by type, then by role."""
    alone = {c: min(drawn[paper][c]) for c in drawn.successors(paper) if len(named_by(drawn, c)) == 1}
    return sorted(alone, key=lambda c: (_ORDER.get(drawn.nodes[c]["type"], 9), alone[c], c))


def _rings(count: int) -> list[tuple[float, float]]:
    """Where petals stand around the origin: on as few rings as they need, evenly spaced, clockwise from the top."""
    radii = [FIRST_RING]
    while count > sum(map(_room, radii)):
        radii.append(radii[-1] + RING_STEP)
    share = count / sum(map(_room, radii))
    spots: list[tuple[float, float]] = []
    for i, radius in enumerate(radii):
        left = count - len(spots)
        here = min(left, round(share * _room(radius))) if radius < radii[-1] else left
        turns = [2 * math.pi * (k + 0.5 * i) / here - math.pi / 2 for k in range(here)]
        spots += [(radius * math.cos(a), radius * math.sin(a)) for a in turns]
    return spots


def _room(radius: float) -> int:
    return int(2 * math.pi * radius / PETAL_ROOM)


def _radius(ring: Sequence[tuple[float, float]]) -> float:
    return max((math.hypot(x, y) for x, y in ring), default=BARE_DISC - EDGE_OF_DISC) + EDGE_OF_DISC


def _shared(
    drawn: nx.MultiDiGraph, place: dict[str, tuple[float, float]], centres: Points, radii: Sizes
) -> dict[str, tuple[float, float]]:
    rest = [c for c in sorted(drawn) if c not in place]
    if not rest:
        return {}
    about = _about(drawn, rest, place)
    middles = np.array([np.median([place[p] for p in papers], axis=0) if papers else (0, 0) for papers in about])
    at = np.concatenate([centres, middles])
    sizes = np.concatenate([radii, [10.0 + 2 * min(len(papers), 10) for papers in about]])
    for _ in range(SETTLE_ROUNDS):
        at, settled = push(at, sizes, lambda _i, _j: 4.0, 4.0, fixed=len(centres))
        if settled:
            break
    return {c: (float(x), float(y)) for c, (x, y) in zip(rest, at[len(centres) :], strict=True)}


def _about(drawn: nx.MultiDiGraph, keys: Sequence[str], place: Container[str]) -> list[list[str]]:
    """For each concept what is placed and names it or, where nothing does, anything narrower."""
    return [sorted(p for p in named_by(drawn, key) or _below(drawn, key) if p in place) for key in keys]


def _below(drawn: nx.MultiDiGraph, key: str) -> set[str]:
    """The papers that name anything narrower."""
    narrower = nx.ancestors(drawn, key)
    return {p for p in narrower if drawn.nodes[p]["type"] == PAPER}
