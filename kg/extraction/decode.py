"""From scores over all spans of a window to the mentions it holds: the best set without overlaps.

The tagger scores every span of up to WIDEST words for each of five types and for "none". Taken one by one, the
probability of a set of spans is the product of their probabilities and of the others' being none, so the best set
maximises the sum of log p(type) - log p(none) over spans that do not overlap: weighted interval scheduling, solved by
dynamic programming over span ends (Kleinberg and Tardos, Algorithm Design, 6.1).
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass

import numpy as np

from kg.records import EntityType

TYPES = tuple(EntityType)
WIDEST = 12  # words, punctuation counted; wider gold mentions are one in a thousand


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """A chosen span: words first to last (inclusive), and the log-probability of each type."""

    first: int
    last: int
    type: EntityType
    confidence: float


def log_softmax(logits: np.ndarray) -> np.ndarray:
    """Over the last axis, in a way that cannot overflow."""
    shifted = logits - logits.max(axis=-1, keepdims=True)
    result: np.ndarray = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return result


def decode(logits: np.ndarray) -> list[Span]:
    """Choose spans from (words, WIDEST, 1 + types) logits, "none" first."""
    words = logits.shape[0]
    scores = log_softmax(logits.astype(np.float64))
    best = scores[:, :, 1:].argmax(axis=-1)
    margins = np.take_along_axis(scores[:, :, 1:], best[:, :, None], axis=-1)[:, :, 0] - scores[:, :, 0]
    first, width = np.nonzero(margins > 0)
    inside = first + width < words
    first, width = first[inside], width[inside]
    order = np.lexsort((first, first + width))
    first, last = first[order], (first + width)[order]
    kind, gain = best[first, last - first], margins[first, last - first]
    return [
        Span(
            int(first[k]),
            int(last[k]),
            TYPES[kind[k]],
            float(np.exp(scores[first[k], last[k] - first[k], 1 + kind[k]])),
        )
        for k in _schedule(first.tolist(), last.tolist(), gain.tolist())
    ]


def _schedule(first: list[int], last: list[int], gain: list[float]) -> list[int]:
    """Indices of the intervals, sorted by `last`, of the heaviest set without overlaps."""
    totals = [0.0]
    previous = []
    for k, start in enumerate(first):
        before = bisect_right(last, start - 1, hi=k)
        previous.append(before)
        totals.append(max(totals[k], totals[before] + gain[k]))
    chosen = []
    k = len(first)
    while k:
        if totals[k] > totals[k - 1]:
            chosen.append(k - 1)
            k = previous[k - 1]
        else:
            k -= 1
    return chosen[::-1]
