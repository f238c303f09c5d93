"""Where papers begin on the map: at the place of their area, and there where what they name sends them.

1. An area's place is a digest of its key: the same in every corpus. Areas are packed from there, as discs as large as
   their papers need.
2. A term's direction is a digest of it, too. A paper stands off the middle of its area in the mean direction of its
   terms, the telling ones counting most.
3. It is drawn half-way to the papers that are most like it, in this area or another, a few times over, and stays within
   its area.

Every step is continuous in what the papers say, and few papers decide about little: a paper that is added moves the
others by little. Why not areas near one another that papers stand between, the spectrum of all, or a force layout: in
those all depends on all, and a few more papers turn or mirror the whole.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Sequence

import networkx as nx
import numpy as np

from kg.view.areas import Area
from kg.view.arrange import Points, Sizes, pack
from kg.view.similar import Vectors

ROOMY = 1.25  # an area's disc, over the discs in it side by side
SMOOTHED = 0.5
ROUNDS = 3
GAP = 60.0


def anchored(areas: Sequence[Area], space: Vectors, near: nx.Graph, radii: Sizes) -> Points:
    """The first places of papers, the discs of `radii`."""
    sizes = np.array([ROOMY * math.sqrt(float((radii[list(a.papers)] ** 2).sum())) for a in areas])
    middles = _middles(areas, sizes)
    home, reach = np.zeros((len(radii), 2)), np.zeros((len(radii), 1))
    for middle, size, area in zip(middles, sizes, areas, strict=True):
        home[list(area.papers)], reach[list(area.papers)] = middle, size
    at = own = home + reach * _directions(space)
    for _ in range(ROUNDS):
        at = (1 - SMOOTHED) * own + SMOOTHED * _of_neighbours(near, at)
        off = at - home
        at = home + off * np.minimum(1, reach / np.maximum(np.hypot(off[:, 0], off[:, 1]), 1e-9)[:, None])
    return np.round(at, 3)


def direction(name: str) -> tuple[float, float]:
    """A point of the disc around the origin that depends on a name alone.

    >>> direction("area/robotics") == direction("area/robotics") != direction("area/optimization")
    True
    """
    digest = hashlib.sha256(name.encode("utf-8", "surrogatepass")).digest()
    turn, far = (int.from_bytes(digest[i : i + 4], "big") / 2**32 for i in (0, 4))
    return math.sqrt(far) * math.cos(2 * math.pi * turn), math.sqrt(far) * math.sin(2 * math.pi * turn)


def _directions(space: Vectors) -> Points:
    """Where each paper's terms send it: within the disc around the origin, spread over all of it."""
    if not space.terms:
        return np.zeros((len(space.matrix), 2))
    sent = np.asarray(space.matrix, dtype=float) ** 2 @ np.array([direction(t) for t in space.terms])
    far = np.hypot(sent[:, 0], sent[:, 1])
    return np.asarray(sent / np.maximum(far, 1e-9)[:, None] * np.minimum(1, far / 0.35)[:, None])


def _of_neighbours(near: nx.Graph, at: Points) -> Points:
    """For each paper the mean of where those stand that are like it, the more alike counting the more."""
    edges = [(i, j, w) for i, j, w in near.edges(data="weight")] + [(i, i, 1e-6) for i in near]
    i, j, weight = (np.array(column) for column in zip(*edges, strict=True))
    ones, others, weights = np.concatenate([i, j]), np.concatenate([j, i]), np.concatenate([weight, weight])
    sums = [np.bincount(ones, weights * at[others, axis], len(at)) for axis in (0, 1)]
    return np.stack(sums, axis=1) / np.bincount(ones, weights, len(at))[:, None]


def _middles(areas: Sequence[Area], sizes: Sizes) -> Points:
    """Where areas stand: at their own places, side by side."""
    at = np.array([direction(area.key) for area in areas])
    return pack(at * 1.4 * math.sqrt(float((sizes**2).sum())), sizes, gap=GAP)
