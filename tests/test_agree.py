"""Places of one name are heard together; what stands once is left as it was."""

from __future__ import annotations

import re

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kg.extraction.agree import agreed
from kg.extraction.decode import TYPES, WIDEST, decode, log_softmax
from kg.records import EntityType

Scores = dict[tuple[int, int], tuple[EntityType, float]]  # first word and words after it: type and its logit


def told(text: str, scores: Scores) -> tuple[np.ndarray, list[tuple[int, int]]]:
    """Logits of a text in which only these spans have any, and its words."""
    words = [m.span() for m in re.finditer(r"[\w-]+|[^\w\s]", text)]
    logits = np.zeros((len(words), WIDEST, 1 + len(TYPES)), dtype=np.float32)
    logits[:, :, 0] = 9
    for place, (kind, score) in scores.items():
        logits[*place, 0] = 0
        logits[*place, 1 + TYPES.index(kind)] = score
    return logits, words


def chosen(text: str, scores: Scores) -> list[tuple[str, str]]:
    logits, words = told(text, scores)
    spans = decode(agreed(logits, text, words))
    return [(text[words[s.first][0] : words[s.last][1]], s.type.value) for s in spans]


@pytest.mark.parametrize(
    ("text", "scores", "names"),
    [
        pytest.param(
            "Ladle is new and Ladles win",
            {(0, 0): (EntityType.MODEL, 5.0), (4, 0): (EntityType.MODEL, -0.5)},
            [("Ladle", "Model"), ("Ladles", "Model")],
            id="a clear place helps one that is missed",
        ),
        pytest.param(
            "Ladle is new and Ladle wins",
            {(0, 0): (EntityType.MODEL, 6.0), (4, 0): (EntityType.METHOD, 0.5)},
            [("Ladle", "Model"), ("Ladle", "Model")],
            id="a clear type goes before a doubtful one",
        ),
        pytest.param(
            "soup ladle net (SLN) stirs, SLN wins",
            {(0, 2): (EntityType.MODEL, 6.0), (4, 0): (EntityType.MODEL, 4.0), (8, 0): (EntityType.TASK, 0.3)},
            [("soup ladle net", "Model"), ("SLN", "Model"), ("SLN", "Model")],
            id="a short form is heard with its long form",
        ),
        pytest.param(
            "Ladle is new and spoon wins",
            {(0, 0): (EntityType.MODEL, 5.0), (4, 0): (EntityType.MODEL, -0.5)},
            [("Ladle", "Model")],
            id="another name is not helped",
        ),
        pytest.param(
            "C++ is new and C++ wins",
            {(0, 2): (EntityType.MODEL, 6.0), (6, 2): (EntityType.METHOD, 0.5)},
            [("C++", "Model"), ("C++", "Model")],
            id="signs belong to a name",
        ),
        pytest.param(
            "PotNet is old and PotNet-2 and PotNet++ win",
            {(0, 0): (EntityType.MODEL, 6.0), (4, 0): (EntityType.MODEL, -1.0), (6, 0): (EntityType.MODEL, -1.0)},
            [("PotNet", "Model")],
            id="what goes on is another name",
        ),
        pytest.param(
            "Inner Soup (IS) is what it is and IS is new",
            {(3, 0): (EntityType.METRIC, 4.0), (5, 0): (EntityType.METRIC, -9.0), (10, 0): (EntityType.METRIC, -0.3)},
            [("IS", "Metric"), ("IS", "Metric")],
            id="a name in capitals is not heard in common words",
        ),
        pytest.param(
            "we use a ladle or a ladle or a ladle",
            {(3, 0): (EntityType.MODEL, 0.2), (6, 0): (EntityType.MODEL, -8.0), (9, 0): (EntityType.MODEL, -8.0)},
            [],
            id="a doubtful place is outvoted",
        ),
    ],
)
def test_places_of_a_name_are_heard_together(text: str, scores: Scores, names: list[tuple[str, str]]) -> None:
    assert chosen(text, scores) == names


@given(st.lists(st.sampled_from(["ladle", "pot", "(", ")", "PL", "pan lid"]), max_size=12), st.integers(0, 2**32 - 1))
def test_the_outcome_is_a_probability_and_what_stands_once_is_left(parts: list[str], seed: int) -> None:
    text = " ".join(parts)
    words = [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)]
    logits = np.random.default_rng(seed).normal(0, 4, (len(words), WIDEST, 1 + len(TYPES))).astype(np.float32)
    own, together = log_softmax(logits.astype(np.float64)), agreed(logits, text, words)
    assert together.shape == own.shape
    assert (np.exp(together).sum(axis=-1) < 1 + 1e-9).all()
    forms = [text[slice(*w)] for w in words]
    if len(set(forms)) == len(forms) and "(" not in forms:
        assert np.array_equal(own, together)
