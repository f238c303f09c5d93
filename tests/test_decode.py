"""Choosing spans: against trying every set, on windows small enough for that."""

from __future__ import annotations

from itertools import combinations, pairwise

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from kg.extraction.decode import TYPES, WIDEST, decode, log_softmax

WORDS = 4


def best_total(logits: np.ndarray) -> float:
    """The largest sum of margins over sets of spans without overlaps, by trial of each."""
    scores = log_softmax(logits)
    spans = [(i, i + w, scores[i, w, 1:].max() - scores[i, w, 0]) for i in range(WORDS) for w in range(WORDS - i)]
    spans = [s for s in spans if s[2] > 0]
    totals = [0.0]
    for size in range(1, WORDS + 1):
        for chosen in combinations(sorted(spans), size):
            if all(a[1] < b[0] for a, b in pairwise(chosen)):
                totals.append(sum(s[2] for s in chosen))
    return max(totals)


@given(arrays(np.float64, (WORDS, WIDEST, 1 + len(TYPES)), elements=st.integers(-20, 20).map(lambda n: n / 4)))
def test_the_chosen_set_is_the_best(logits: np.ndarray) -> None:
    scores = log_softmax(logits)
    chosen = decode(logits)
    assert all(a.last < b.first for a, b in pairwise(chosen))
    assert all(0 <= s.first <= s.last < WORDS for s in chosen)
    total = sum(
        scores[s.first, s.last - s.first, 1 + TYPES.index(s.type)] - scores[s.first, s.last - s.first, 0]
        for s in chosen
    )
    assert np.isclose(total, best_total(logits))


def test_confidence_is_the_probability_of_the_type() -> None:
    logits = np.full((1, WIDEST, 6), -30.0)
    logits[0, 0, 2] = 0.0
    (span,) = decode(logits)
    assert (span.first, span.last, span.type) == (0, 0, TYPES[1])
    assert span.confidence > 0.999
