"""Where each node stands: areas as islands, papers in them by likeness, concepts as petals around their paper.

1. A paper is a disc with its own concepts, those that no other paper names, on rings around it, ordered by type.
2. Each area is laid out by networkx (Fruchterman–Reingold on the likeness of its papers), then its discs are packed:
   drawn together until they touch and never overlap.
3. The areas are laid out in the same way, first as discs around their papers, then drawn together until papers of two
   areas nearly touch; the outline is wider than high, and everything is a little higher than it is packed, to leave
   room for the papers' names.
4. A shared concept stands in the middle of its papers, moved aside until it lies on nothing.

Every start is a projection of the paper's own words onto the plane by a hash of each word, so that what is added later
leaves the rest about where it was. No randomness; coordinates are whole numbers, so bytes do not depend on a machine's
last bits. Why not one force layout over all nodes: a few hubs and hundreds of leaves give a hairball or a dust cloud.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Sequence

import networkx as nx
import numpy as np
import numpy.typing as npt

from kg.records import EntityType
from kg.view.areas import Area
from kg.view.similar import Related, Vectors

Points = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.float64]
Gap = Callable[[npt.NDArray[np.int_], npt.NDArray[np.int_]], Sizes | float]

FIRST_RING = 40.0
RING_STEP = 21.0
PETAL_ROOM = 19.0
EDGE_OF_DISC = 13.0
BARE_DISC = 24.0
GAP = 16.0
GAP_OF_AREAS = 72.0
WIDER = 1.7
HIGHER = 1.28
ROUNDS = 240
FIRST_ROUNDS = 100
SETTLE_ROUNDS = 120
LARGEST_FORCE_LAYOUT = 400
_ORDER = {str(t): i for i, t in enumerate(EntityType)}


def layout(
    drawn: nx.MultiDiGraph,
    papers: Sequence[str],
    islands: Sequence[Area],
    alike: Sequence[Sequence[Related]],
    space: Vectors,
    *,
    petals: bool = True,
) -> dict[str, tuple[int, int]]:
    """Whole-number coordinates of every node; without `petals`, papers stand closer and their own concepts overlap."""
    own = {key: _own(drawn, key) for key in papers}
    rings = {key: _rings([drawn.nodes[c]["type"] for c in own[key]]) for key in papers}
    radii = np.array([_radius(rings[key]) if petals else BARE_DISC for key in papers])
    centres = _papers(islands, alike, _project(space), radii)
    place = {key: (float(x), float(y)) for key, (x, y) in zip(papers, centres, strict=True)}
    for key in papers:
        x, y = place[key]
        place.update({c: (x + dx, y + dy) for c, (dx, dy) in zip(own[key], rings[key], strict=True)})
    place |= _shared(drawn, place, centres, radii)
    return {key: (round(x), round(y)) for key, (x, y) in place.items()}


def _own(drawn: nx.MultiDiGraph, paper: str) -> list[str]:
    """A paper's concepts that no other paper names, by type, then by role."""
    alone = {c: min(drawn[paper][c]) for c in drawn.successors(paper) if len(set(drawn.predecessors(c))) == 1}
    return sorted(alone, key=lambda c: (_ORDER.get(drawn.nodes[c]["type"], 9), alone[c], c))


def _rings(types: Sequence[str]) -> list[tuple[float, float]]:
    """Where petals stand around the origin: full rings from the inside, each evenly spaced from the top, clockwise."""
    spots: list[tuple[float, float]] = []
    radius, left = FIRST_RING, len(types)
    while left:
        count = min(left, int(2 * math.pi * radius / PETAL_ROOM))
        turns = [2 * math.pi * (i + 0.5 * (len(spots) > 0)) / count - math.pi / 2 for i in range(count)]
        spots += [(radius * math.cos(a), radius * math.sin(a)) for a in turns]
        left -= count
        radius += RING_STEP
    return spots


def _radius(ring: Sequence[tuple[float, float]]) -> float:
    return max((math.hypot(x, y) for x, y in ring), default=BARE_DISC - EDGE_OF_DISC) + EDGE_OF_DISC


def _papers(islands: Sequence[Area], alike: Sequence[Sequence[Related]], start: Points, radii: Sizes) -> Points:
    near = nx.Graph()
    near.add_nodes_from(range(len(alike)))
    near.add_weighted_edges_from((i, r.paper, r.score) for i, row in enumerate(alike) for r in row)
    centres = np.zeros((len(radii), 2))
    sizes = np.zeros(len(islands))
    for i, island in enumerate(islands):
        members = list(island.papers)
        at = pack(_forces(near.subgraph(members), start[members], radii[members]), radii[members], gap=GAP)
        at -= (at.max(axis=0) + at.min(axis=0)) / 2
        centres[members] = at
        sizes[i] = (np.hypot(at[:, 0], at[:, 1]) + radii[members]).max()
    middles = np.array([start[list(island.papers)].mean(axis=0) for island in islands]).reshape(-1, 2)
    spots = pack(_forces(_between(near, islands), middles, sizes), sizes, gap=GAP_OF_AREAS, wider=WIDER)
    area_of = np.zeros(len(radii), dtype=np.int_)
    for i, island in enumerate(islands):
        area_of[list(island.papers)] = i
    return np.asarray(_close_up(centres + spots[area_of], area_of, radii) * np.array([1, HIGHER]))


def _close_up(at: Points, area_of: npt.NDArray[np.int_], radii: Sizes) -> Points:
    """Draw all papers together, each also to the middle of its area, until papers of two areas nearly touch."""
    members = np.bincount(area_of)[:, None]

    def gap(i: npt.NDArray[np.int_], j: npt.NDArray[np.int_]) -> Sizes:
        return np.where(area_of[i] == area_of[j], GAP, GAP_OF_AREAS)

    for turn in range(ROUNDS + SETTLE_ROUNDS):
        if turn < ROUNDS:
            left = 1 - turn / ROUNDS
            middles = np.stack([np.bincount(area_of, at[:, axis]) for axis in (0, 1)], axis=1) / members
            at = at - 0.03 * left * at * np.array([1 / WIDER, WIDER]) - 0.08 * left * (at - middles[area_of])
        at, settled = _push(at, radii, gap, GAP_OF_AREAS)
        if settled and turn >= ROUNDS:
            break
    return at


def _between(near: nx.Graph, islands: Sequence[Area]) -> nx.Graph:
    area_of = {paper: i for i, island in enumerate(islands) for paper in island.papers}
    outer = nx.Graph()
    outer.add_nodes_from(range(len(islands)))
    for one, other, weight in near.edges(data="weight"):
        a, b = area_of[one], area_of[other]
        if a != b:
            outer.add_edge(a, b, weight=outer.get_edge_data(a, b, {"weight": 0})["weight"] + weight)
    return outer


def _forces(near: nx.Graph, start: Points, radii: Sizes) -> Points:
    """networkx's spring layout from `start`, as large as the discs need."""
    nodes = sorted(near)
    room = 2.4 * math.sqrt(float((radii**2).sum()))
    if len(nodes) < 2:
        return np.zeros((len(nodes), 2))
    if len(nodes) <= LARGEST_FORCE_LAYOUT:
        ordered = nx.Graph()
        ordered.add_nodes_from(nodes)
        ordered.add_weighted_edges_from(sorted(near.edges(data="weight")))
        at = nx.spring_layout(ordered, pos=dict(zip(nodes, start, strict=True)), iterations=80, seed=1, method="force")
        start = np.array([at[n] for n in nodes])
    start = start - start.mean(axis=0)
    return np.asarray(start * room / max(float(np.abs(start).max()), 1e-9) / 2)


def pack(points: Points, radii: Sizes, *, gap: float, wider: float = 1.0) -> Points:
    """Draw discs together towards the middle until they touch, at least `gap` apart."""
    at = points
    for turn in range(FIRST_ROUNDS + SETTLE_ROUNDS):
        if turn < FIRST_ROUNDS:
            pull = 0.05 * (1 - turn / FIRST_ROUNDS)
            at = at - at * np.array([pull / wider, pull * wider])
        at, settled = _push(at, radii, lambda _i, _j: gap, gap)
        if settled and turn >= FIRST_ROUNDS:
            break
    return at


def _push(at: Points, radii: Sizes, gap: Gap, widest: float, fixed: int = 0) -> tuple[Points, bool]:
    """Move overlapping discs half their overlap apart, but for the first `fixed`; whether there were none."""
    i, j = _pairs(at, 2 * float(radii.max(initial=0)) + widest)
    way = at[i] - at[j]
    far = np.hypot(way[:, 0], way[:, 1])
    short = radii[i] + radii[j] + gap(i, j) - far
    close = (short > 0.5) & (j >= fixed)  # i < j: where j is fixed, both are
    if not close.any():
        return at, True
    i, j, way, far, short = i[close], j[close], way[close], far[close], short[close]
    turn = 2.399963 * (i + j)  # discs in one spot part along the golden angle
    way = np.where(far[:, None] < 1e-6, np.stack([np.cos(turn), np.sin(turn)], axis=1), way)
    push = way * (short / np.maximum(far, 1e-6 + (far < 1e-6)))[:, None]
    moves = np.stack(
        [np.bincount(i, push[:, k], len(at)) - np.bincount(j, push[:, k], len(at)) for k in (0, 1)], axis=1
    )
    touching = np.maximum(np.bincount(i, minlength=len(at)) + np.bincount(j, minlength=len(at)), 1)
    moves[:fixed] = 0
    return at + moves / (1 + np.sqrt(touching))[:, None], False


def _pairs(at: Points, reach: float) -> tuple[npt.NDArray[np.int_], npt.NDArray[np.int_]]:
    """Pairs of points (i < j) that may be nearer than `reach`: those in neighbouring cells of a grid."""
    cells = np.floor(at / max(reach, 1e-6)).astype(np.int64)
    cells -= cells.min(axis=0) - 1
    rows = int(cells[:, 1].max()) + 2
    cell = cells[:, 0] * rows + cells[:, 1]
    order = np.argsort(cell, kind="stable")
    ranked = cell[order]
    ones, others = [], []
    for step in (0, 1, rows - 1, rows, rows + 1):
        first, last = np.searchsorted(ranked, cell + step, "left"), np.searchsorted(ranked, cell + step, "right")
        many = last - first
        one = np.repeat(np.arange(len(at)), many)
        other = order[np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many) + np.repeat(first, many)]
        keep = one < other if step == 0 else slice(None)
        ones.append(one[keep])
        others.append(other[keep])
    one, other = np.concatenate(ones), np.concatenate(others)
    return np.minimum(one, other), np.maximum(one, other)


def _project(space: Vectors) -> Points:
    """Each paper's words onto the plane: a word's direction is a hash of it."""
    turns = [int.from_bytes(hashlib.blake2b(t.encode(), digest_size=4).digest()) / 2**32 for t in space.terms]
    angle = 2 * np.pi * np.array(turns)
    plane = space.matrix.astype(np.float64) @ np.stack([np.cos(angle), np.sin(angle)], axis=1).reshape(-1, 2)
    return np.asarray(np.round(plane, 6))


def _shared(
    drawn: nx.MultiDiGraph, place: dict[str, tuple[float, float]], centres: Points, radii: Sizes
) -> dict[str, tuple[float, float]]:
    rest = [c for c in sorted(drawn) if c not in place]
    if not rest:
        return {}
    named_by = [sorted(set(drawn.predecessors(c)) & place.keys()) for c in rest]
    middles = np.array([np.mean([place[p] for p in papers], axis=0) if papers else (0, 0) for papers in named_by])
    at = np.concatenate([centres, middles])
    sizes = np.concatenate([radii, [10.0 + 2 * min(len(papers), 10) for papers in named_by]])
    for _ in range(SETTLE_ROUNDS):
        at, settled = _push(at, sizes, lambda _i, _j: 4.0, 4.0, fixed=len(centres))
        if settled:
            break
    return {c: (float(x), float(y)) for c, (x, y) in zip(rest, at[len(centres) :], strict=True)}
