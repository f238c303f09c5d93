"""Softmax of parts that every processor computes alike.

ONNX Runtime sums a softmax's row in another order with AVX-512 than with AVX2; the last bit that this moves becomes a
step of 1/127 where activations are rounded to int8, and then another record. Of all operators in the exported networks
it is the only one (each was run alone on the same inputs, on AVX-512 with VNNI and on an emulated Haswell). The highest
value, exponentials and sums are the same on both; in the encoder, dividing after the values are mixed touches an eighth
of the numbers.
"""

from __future__ import annotations

from typing import Any

from torch import Tensor, nn


def mixed(scores: Tensor, values: Tensor) -> Tensor:
    """softmax(scores) @ values: (…, n, m) and (…, m, size) to (…, n, size)."""
    powers = (scores - scores.amax(dim=-1, keepdim=True)).exp()
    return (powers @ values) / powers.sum(dim=-1, keepdim=True)


def attention(
    _module: nn.Module, query: Tensor, key: Tensor, value: Tensor, mask: Tensor | None, scaling: float, **_: Any
) -> tuple[Tensor, None]:
    """What transformers calls for (batch, heads, pieces, size) each; ValueError where there is a mask."""
    if mask is not None:
        raise ValueError("this attention is for one window alone, without a mask")
    return mixed(query @ key.transpose(2, 3) * scaling, value).transpose(1, 2).contiguous(), None
