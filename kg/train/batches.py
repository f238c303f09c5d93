"""Batches of like length, and their padding."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from kg.extraction.pieces import Pieces


def bucketed(lengths: Sequence[int], size: int, *, seed: object) -> Iterator[list[int]]:
    """Yield each index once, in shuffled batches whose members are of nearly the same length.

    Shuffles, sorts within chunks of fifty batches, and shuffles the batches.
    """
    random = np.random.default_rng(seed)  # type: ignore[arg-type]
    order = random.permutation(len(lengths))
    batches = []
    for start in range(0, len(order), size * 50):
        chunk = sorted(order[start : start + size * 50].tolist(), key=lambda i: lengths[i])
        batches += [chunk[i : i + size] for i in range(0, len(chunk), size)]
    for i in random.permutation(len(batches)):
        yield batches[i]


def pad(batch: Sequence[Pieces]) -> tuple[Tensor, Tensor, Tensor, Tensor]:
    """Ids, word casing, piece casing and attention mask, each (batch, longest) int64."""
    width = max(len(p.ids) for p in batch)
    out = np.zeros((4, len(batch), width), dtype=np.int64)
    for row, p in enumerate(batch):
        n = len(p.ids)
        out[0, row, :n], out[1, row, :n], out[2, row, :n], out[3, row, :n] = p.ids, p.word_case, p.piece_case, 1
    ids, word_case, piece_case, mask = torch.from_numpy(out)
    return ids, word_case, piece_case, mask
