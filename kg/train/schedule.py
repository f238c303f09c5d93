"""Learning rate over a run."""

from __future__ import annotations

from torch.optim import Optimizer
from torch.optim.lr_scheduler import LambdaLR


def linear_warmup(optimiser: Optimizer, steps: int, *, share: float = 0.1) -> LambdaLR:
    """Rise linearly over the first `share` of the steps, then fall linearly to zero."""
    warm = max(1, round(steps * share))
    return LambdaLR(optimiser, lambda s: (s + 1) / warm if s < warm else max(0.0, (steps - s) / max(1, steps - warm)))
