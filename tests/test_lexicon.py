"""Known names as hints to the tagger: what is found in a text, and that a hint is no verdict."""

from __future__ import annotations

import re

import numpy as np
import pytest

from kg.extraction.decode import TYPES, WIDEST
from kg.extraction.lexicon import COUNTS, MAPPED, Lexicon, folded, hinted
from kg.field import read_map
from kg.records import EntityType

KNOWN = Lexicon(
    {
        folded("graph neural network"): ("Model",),
        folded("GPT-4"): ("Model",),
        folded("50 Salads"): ("Dataset",),
        folded("clustering"): ("Method", "Task"),
    }
)


def found(text: str) -> list[tuple[str, ...]]:
    words = [m.span() for m in re.finditer(r"\w+|[^\w\s]", text)]
    return [(text[words[a][0] : words[b][1]], *types) for a, b, types in KNOWN.hints(text, words)]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("Graph neural networks win.", [("Graph neural networks", "Model")]),
        ("a graph-neural network", [("graph-neural network", "Model")]),
        ("GPT-4, GPT 4 and GPT–4", [("GPT-4", "Model"), ("GPT 4", "Model"), ("GPT–4", "Model")]),
        ("on 50 Salads", [("50 Salads", "Dataset")]),
        ("clustering", [("clustering", "Method", "Task")]),
        ("a graph; neural network", []),
        ("GPT. 4 of them", []),
        ("GPT-41", []),
        ("", []),
    ],
)
def test_names_are_found_as_papers_write_them(text: str, names: list[tuple[str, ...]]) -> None:
    assert found(text) == names


def test_a_hint_moves_one_span_and_changes_nothing_else() -> None:
    text = "We xqzv ImageNet here"
    words = [m.span() for m in re.finditer(r"\w+", text)]
    assert read_map().find("ImageNet", EntityType.DATASET)
    logits = np.zeros((4, WIDEST, 1 + len(TYPES)), dtype=np.float32)
    added = hinted(logits, text, words)
    assert added[2, 0, 1:].argmax() == TYPES.index(EntityType.DATASET)
    assert added[2, 0, 1:].max() > MAPPED[EntityType.DATASET]
    assert not added[:, 0, 0].any()
    assert not added[1].any()
    assert not logits.any()


def test_words_that_are_seldom_annotated_where_they_stand_are_held_back() -> None:
    rows = [line.split("\t") for line in COUNTS.read_text(encoding="utf-8").splitlines()[1:]]
    seldom = [r[0] for r in rows if " " not in r[0] and sum(map(int, r[2:])) < int(r[1]) / 50]
    mapped = {folded(name) for c in read_map().concepts for name in (c.label, *c.aliases)}
    held = [w for w in seldom if (w,) not in mapped]
    assert held
    for word in held:
        logits = np.zeros((1, WIDEST, 1 + len(TYPES)), dtype=np.float32)
        assert hinted(logits, word, [(0, len(word))])[0, 0, 1:].max() < 0
