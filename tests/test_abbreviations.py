"""Definitions of short forms, as a table of texts."""

from __future__ import annotations

import pytest

from kg.extraction.abbreviations import long_start, pairs


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("graph neural networks (GNNs) are", [("graph neural networks", "GNNs")]),
        ("for semi-supervised learning (SSL).", [("semi-supervised learning", "SSL")]),
        ("k-nearest neighbor search (kNN)", [("k-nearest neighbor search", "kNN")]),
        ("mutual information maximization (MIM)", [("mutual information maximization", "MIM")]),
        ("an MLP (multilayer perceptron) head", [("multilayer perceptron", "MLP")]),
        ("the Kullback-Leibler (KL) divergence", [("Kullback-Leibler", "KL")]),
        ("Anchor-based Video Editing (AVE; ours)", [("Anchor-based Video Editing", "AVE")]),
        ("reinforcement learning from human feedback (RLHF)", [("reinforcement learning from human feedback", "RLHF")]),
        ("Free Draft-and-Verification (FreeDave)", [("Free Draft-and-Verification", "FreeDave")]),
        (
            "a low-rank adaptation network-in-network module (LRANM)",
            [("low-rank adaptation network-in-network module", "LRANM")],
        ),
        (
            "It works. Large models (LMs) and vision transformers (ViTs)",
            [("Large models", "LMs"), ("vision transformers", "ViTs")],
        ),
        ("we report accuracy (in percent) and (see Fig. 2)", []),
        ("on three datasets (CIFAR-10)", []),
        ("a simple baseline (XYZ)", []),
        ("unclosed (GNN", []),
        ("(GNNs) at the beginning", []),
    ],
)
def test_pairs(text: str, expected: list[tuple[str, str]]) -> None:
    assert [(text[slice(*p.long)], text[slice(*p.short)]) for p in pairs(text)] == expected


def test_first_letter_must_begin_a_word() -> None:
    assert long_start("the exact algorithm", "XA") is None


def test_long_texts_are_linear() -> None:
    assert len(pairs("deep learning (DL) " * 10_000)) == 10_000
