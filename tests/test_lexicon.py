"""Names of the map of the field as hints to the tagger: what is found in a text, and that a hint is no verdict."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kg.extraction.decode import TYPES, WIDEST
from kg.extraction.lexicon import HINT, Lexicon, hinted
from kg.field import read_map
from kg.records import EntityType

KNOWN = Lexicon(
    [
        ("graph neural network", EntityType.MODEL),
        ("GPT-4", EntityType.MODEL),
        ("50 Salads", EntityType.DATASET),
        ("clustering", EntityType.TASK),
        ("clustering", EntityType.METHOD),
    ]
)


def found(text: str) -> list[tuple[str, str]]:
    words = [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)]
    return [(text[words[a][0] : words[b][1]], TYPES[t].value) for a, b, t in KNOWN.hints(text, words)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Graph neural networks win.", [("Graph neural networks", "Model")]),
        ("a graph-neural network", [("graph-neural network", "Model")]),
        ("GPT-4, GPT 4 and GPT–4", [("GPT-4", "Model"), ("GPT 4", "Model"), ("GPT–4", "Model")]),
        ("on 50 Salads", [("50 Salads", "Dataset")]),
        ("clustering", [("clustering", "Method"), ("clustering", "Task")]),
        ("a graph; neural network", []),
        ("GPT. 4 of them", []),
        ("GPT-41", []),
        ("", []),
    ],
)
def test_names_are_found_as_papers_write_them(text: str, names: list[tuple[str, str]]) -> None:
    assert found(text) == names


def test_a_hint_raises_one_span_and_type_and_changes_nothing_else() -> None:
    text = "We run ImageNet here"
    words = [m.span() for m in re.finditer(r"\w+", text)]
    assert read_map().find("ImageNet", EntityType.DATASET)
    logits = np.zeros((4, WIDEST, 1 + len(TYPES)), dtype=np.float32)
    added = hinted(logits, text, words)
    assert added[2, 0, 1 + TYPES.index(EntityType.DATASET)] == pytest.approx(HINT)
    assert added.sum() == pytest.approx(HINT)
    assert not logits.any()
