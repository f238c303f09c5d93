"""Linear choice among alternatives: the weights under which what is right is likeliest.

A question is a list of alternatives, each a list of clues (strings); one or more are right. The loss is minus the log
of the probability of all that is right, plus a penalty on the squares of the weights (McFadden's conditional logit;
marginal likelihood where several are right). It is convex where one is right, and L-BFGS finds the same weights each
time. Whether one thing holds is a question with an alternative that has no clues.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.sparse import csr_matrix

ROUNDS = 80
Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Question:
    """Alternatives with their clues, and which of them are right."""

    alternatives: tuple[tuple[str, ...], ...]
    right: tuple[bool, ...]


def question(alternatives: Iterable[Iterable[str]], right: Iterable[bool]) -> Question:
    """Make a question; a clue that many hold is kept once in memory."""
    return Question(tuple(tuple(map(sys.intern, sorted({*a}))) for a in alternatives), tuple(right))


def fit(questions: Sequence[Question], *, penalty: float, least: int) -> dict[str, float]:
    """Weights of the clues that occur in at least `least` questions; questions without a right answer are left out."""
    asked = [q for q in questions if any(q.right) and not all(q.right)]
    seen = Counter(c for q in asked for c in {c for a in q.alternatives for c in a})
    column = {c: i for i, c in enumerate(sorted(c for c, n in seen.items() if n >= least))}
    rows = [[column[c] for c in a if c in column] for q in asked for a in q.alternatives]
    ends = np.cumsum([0, *map(len, rows)])
    clues = csr_matrix((np.ones(ends[-1]), [c for r in rows for c in r], ends), shape=(len(rows), len(column)))
    begins = np.cumsum([0, *(len(q.right) for q in asked)])[:-1]
    right = np.array([r for q in asked for r in q.right], dtype=float)
    weights = _minimise(clues, begins, right, penalty)
    return dict(zip(column, weights.tolist(), strict=True))


def _minimise(clues: csr_matrix, begins: NDArray[np.int64], right: Array, penalty: float) -> Array:
    group = np.zeros(len(right), dtype=int)
    group[begins[1:]] = 1
    group = np.cumsum(group)
    back = clues.T.tocsr()

    def loss(weights: Array) -> tuple[float, Array]:
        scores = clues @ weights
        parts = np.exp(scores - np.maximum.reduceat(scores, begins)[group])
        whole = np.add.reduceat(parts, begins)
        good = np.maximum(np.add.reduceat(parts * right, begins), 1e-300)
        gradient = back @ (parts / whole[group] - parts * right / good[group]) + penalty * weights
        return float(np.log(whole / good).sum() + penalty / 2 * weights @ weights), gradient

    found = minimize(loss, np.zeros(clues.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": ROUNDS})
    return np.asarray(found.x)
