"""Weights of the classifiers of results: read once, and the sums that scores are.

Each classifier is linear: a score is the sum of the weights of its clues. Two linear models agree with boosted trees
within what two training runs differ by, are read in a millisecond, and can say why.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

FILE = "weights.json"


@dataclass(frozen=True, slots=True)
class Weights:
    """One map from clue to weight for each question; `least` is the confidence that a result must have."""

    number: dict[str, float]
    old: dict[str, float]
    measure: dict[str, float]
    subject: dict[str, float]
    dataset: dict[str, float]
    baseline: dict[str, float]
    slope: float
    intercept: float
    least: float


@lru_cache(maxsize=1)
def load() -> Weights:
    """The weights of the package."""
    return Weights(**json.loads((files("kg") / "data" / "results" / FILE).read_text(encoding="utf-8")))


def score(weights: dict[str, float], clues: Iterable[str]) -> float:
    """Sum of the clues' weights; a clue that occurs twice counts once.

    >>> score({"a": 1.5, "b": -0.5}, ["a", "a", "b", "c"])
    1.0
    """
    return math.fsum(weights.get(clue, 0.0) for clue in set(clues))


def probability(odds: float) -> float:
    """The probability of log odds.

    >>> probability(0.0), probability(-1000.0)
    (0.5, 0.0)
    """
    return 1 / (1 + math.exp(-odds)) if odds > -700 else 0.0


def shares(scores: Sequence[float]) -> list[float]:
    """Probabilities of alternatives, by their scores.

    >>> shares([1000.0, 1000.0])
    [0.5, 0.5]
    """
    top = max(scores)
    parts = [math.exp(s - top) for s in scores]
    return [p / sum(parts) for p in parts]
