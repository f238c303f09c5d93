"""What training is made of: attention written out, a scaling that knows of misses, a card that is up to date."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from kg.extraction.model import FOLDER
from kg.train.attention import attention, mixed
from kg.train.calibrate import scaling
from kg.train.card import TRIED


def test_written_out_it_is_softmax_and_does_not_overflow() -> None:
    scores, values = torch.randn(2, 5, 7, dtype=torch.float64) * 300, torch.randn(2, 7, 3, dtype=torch.float64)
    assert torch.allclose(mixed(scores, values), torch.softmax(scores, dim=-1) @ values)


def test_attention_for_one_window_refuses_a_mask() -> None:
    some = torch.zeros(1, 2, 4, 8)
    assert attention(torch.nn.Identity(), some, some, some, None, 1.0)[0].shape == (1, 4, 2, 8)
    with pytest.raises(ValueError, match="without a mask"):
        attention(torch.nn.Identity(), some, some, some, torch.zeros(1, 1, 4, 4), 1.0)


def test_a_scaling_is_found_again_though_some_of_what_is_right_was_missed() -> None:
    random = np.random.default_rng(0)
    odds = random.normal(1, 3, 20_000)
    right = random.random(20_000) < 1 / (1 + np.exp(-(0.7 * odds - 0.5)))
    annotated = right & (random.random(20_000) > 0.2)
    pairs = [(float(1 / (1 + np.exp(-x))), bool(y)) for x, y in zip(odds, annotated, strict=True)]
    found, fooled = scaling(pairs, missed=0.2), scaling(pairs)
    assert (found.factor, found.offset) == (pytest.approx(0.7, abs=0.05), pytest.approx(-0.5, abs=0.1))
    assert fooled.factor < 0.6


def test_the_model_card_says_what_was_tried() -> None:
    assert (FOLDER / "README.md").read_text(encoding="utf-8").endswith(TRIED.read_text(encoding="utf-8"))
