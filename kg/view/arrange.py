"""Discs on the plane: those that are alike near one another, none over another.

1. The likeness graph's spectrum: the first two non-trivial eigenvectors of its normalised Laplacian are the papers'
   first places (Belkin and Niyogi 2003, https://doi.org/10.1162/089976603321780317). A paper that is added hardly
   changes them, while force layouts and communities jump.
2. From there, networkx's spring layout (Fruchterman–Reingold), a few steps.
3. The discs are drawn together towards the middle until they touch, more in height than in width.
4. Discs of one area are gathered around their middle, let go again, and kept apart from those of other areas.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import networkx as nx
import numpy as np
import numpy.typing as npt

Points = npt.NDArray[np.float64]
Sizes = npt.NDArray[np.float64]
Numbers = npt.NDArray[np.int_]
Gap = Callable[[Numbers, Numbers], Sizes | float]

FAINT = 0.01
GATHER = 1.85  # over the root of how many there are: the more must pass one another, the closer
SPRING_STEPS = 30
LARGEST_SPRING_LAYOUT = 400
GAP = 16.0
GAP_OF_AREAS = 72.0
WIDER = 1.7
PULL = 0.05
GENTLY = 0.2
ROUNDS = 200
SETTLE_ROUNDS = 120


def arrange(near: nx.Graph, radii: Sizes) -> Points:
    """The middles of discs (nodes 0, 1, …), near one another where the weighted edges say that they are alike."""
    if not len(near):
        return np.zeros((0, 2))
    at = _embed(near)
    if 2 < len(at) <= LARGEST_SPRING_LAYOUT:
        spring = nx.spring_layout(near, pos=dict(enumerate(at)), iterations=SPRING_STEPS, seed=1, method="force")
        at = np.array([spring[i] for i in range(len(at))])
    at = at - at.mean(axis=0)
    return pack(at * 1.2 * math.sqrt(float((radii**2).sum())) / max(float(np.abs(at).max()), 1e-9), radii)


def arrange_groups(
    near: nx.Graph, groups: Sequence[Sequence[int]], radii: Sizes, *, start: Points | None = None
) -> Points:
    """The same, with the discs of a group together: gathered around their middle, then let go again.

    With `start`, discs begin there, already gathered.
    """
    if start is not None:
        return set_apart(start, groups, radii, drawn=GENTLY)
    at = arrange(near, radii)
    share = GATHER / math.sqrt(max(len(at), 16))
    for group in groups:
        members = list(group)
        middle = at[members].mean(axis=0)
        at[members] = middle + share * (at[members] - middle)
    return set_apart(at, groups, radii)


def set_apart(at: Points, groups: Sequence[Sequence[int]], radii: Sizes, *, drawn: float = 1.0) -> Points:
    """The same discs with a wider gap between groups than within them; `drawn` together a bit, or not at all (0)."""
    group_of = np.zeros(len(at), dtype=np.int_)
    for i, group in enumerate(groups):
        group_of[list(group)] = i

    def gap(i: Numbers, j: Numbers) -> Sizes:
        return np.where(group_of[i] == group_of[j], GAP, GAP_OF_AREAS)

    sizes = np.maximum(np.bincount(group_of, minlength=len(groups)), 1)[:, None]
    for turn in range(ROUNDS + SETTLE_ROUNDS):
        if turn < ROUNDS:
            left = 1 - turn / ROUNDS
            sums = [np.bincount(group_of, at[:, axis], minlength=len(groups)) for axis in (0, 1)]
            middles = np.stack(sums, axis=1) / sizes
            towards = 0.03 * at * np.array([1 / WIDER, WIDER]) + 0.08 * (at - middles[group_of])
            at = at - drawn * left * towards
        at, settled = push(at, radii, gap, GAP_OF_AREAS)
        if settled and turn >= ROUNDS:
            break
    return at


def _embed(near: nx.Graph) -> Points:
    """The first two non-trivial eigenvectors of the normalised Laplacian of a weighted graph."""
    count = len(near)
    if count < 3:
        return np.stack([np.arange(count, dtype=float), np.zeros(count)], axis=1)
    weights = nx.to_numpy_array(near, nodelist=range(count)) + FAINT / count
    degree = np.sqrt(weights.sum(axis=1))
    _, vectors = np.linalg.eigh(np.eye(count) - weights / np.outer(degree, degree))
    plane = vectors[:, 1:3] / degree[:, None]
    plane = np.round(plane / np.abs(plane).max(axis=0), 6)
    return np.asarray(plane * np.where(plane[np.abs(plane).argmax(axis=0), [0, 1]] < 0, -1, 1))  # a sign is arbitrary


def pack(at: Points, radii: Sizes, *, gap: float = GAP) -> Points:
    """Draw discs together towards the middle until they touch, more in height than in width."""
    for turn in range(ROUNDS + SETTLE_ROUNDS):
        if turn < ROUNDS:
            pull = PULL * (1 - turn / ROUNDS)
            at = at - at * np.array([pull / WIDER, pull * WIDER])
        at, settled = push(at, radii, lambda _i, _j: gap, gap)
        if settled and turn >= ROUNDS:
            break
    return at


def push(at: Points, radii: Sizes, gap: Gap, widest: float, fixed: int = 0) -> tuple[Points, bool]:
    """Move overlapping discs half their overlap apart, but for the first `fixed`; whether there were none."""
    i, j = pairs(at, 2 * float(radii.max(initial=0)) + widest)
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


def pairs(at: Points, reach: float) -> tuple[Numbers, Numbers]:
    """Pairs of points (i < j) that may be nearer than `reach`: those in neighbouring cells of a grid."""
    if len(at) < 2:
        return np.zeros(0, dtype=np.int_), np.zeros(0, dtype=np.int_)
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
