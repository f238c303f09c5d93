"""Masked-language-model training of the encoder on unlabelled abstracts, before it sees a label.

The base weights were last trained to embed sentences, which blurs what single words say; a pass over abstracts of the
field brings that back and teaches the casing embeddings. Whole words are masked (15% of them: 80% [MASK], 10% random,
10% kept; Devlin et al. 2019, Cui et al. 2021), the output layer is tied to the word embeddings, and the loss is taken
at the masked pieces only. Runs in bfloat16; resumes from its checkpoint.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from kg.extraction.pieces import Pieces
from kg.train.batches import bucketed, pad
from kg.train.encoder import Encoder
from kg.train.schedule import linear_warmup

log = logging.getLogger(__name__)

MASK, FIRST_REAL_PIECE = 103, 999
BATCH, RATE, MASKED = 16, 3e-4, 0.15
SAVE_EVERY = 100


class Masked(nn.Module):
    """The encoder with an output layer over the vocabulary, tied to its word embeddings."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.encoder = encoder
        size = encoder.bert.config.hidden_size
        self.transform = nn.Sequential(nn.Linear(size, size), nn.GELU(), nn.LayerNorm(size))
        self.bias = nn.Parameter(torch.zeros(encoder.bert.config.vocab_size))

    def forward(self, ids: Tensor, word_case: Tensor, piece_case: Tensor, mask: Tensor, where: Tensor) -> Tensor:
        hidden = self.encoder(ids, word_case, piece_case, mask)[where]
        return F.linear(self.transform(hidden), self.encoder.bert.embeddings.word_embeddings.weight, self.bias)


def pretrain(
    encoder: Encoder, texts: Callable[[], Sequence[Pieces]], *, steps: int, checkpoint: Path, seed: int = 0
) -> None:
    """Train `encoder` in place for `steps` batches, saving to `checkpoint` and resuming from it.

    `texts` is called only where a step is left to do.
    """
    model = Masked(encoder)
    optimiser = torch.optim.AdamW(model.parameters(), lr=RATE, weight_decay=0.01, betas=(0.9, 0.98))
    scheduler = linear_warmup(optimiser, steps)
    done = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        model.load_state_dict(state["model"])
        optimiser.load_state_dict(state["optimiser"])
        scheduler.load_state_dict(state["scheduler"])
        done = state["step"]
    if done >= steps:
        return
    model.eval()  # no dropout: one pass over the texts cannot overfit
    started, mean = time.monotonic(), 0.0
    for step, batch in enumerate(_batches(texts(), steps, seed)):
        if step < done:
            continue
        loss = _loss(model, batch, np.random.default_rng((seed, step)))
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        scheduler.step()
        mean = 0.98 * mean + 0.02 * loss.item() if mean else loss.item()
        if (step + 1) % SAVE_EVERY == 0 or step + 1 == steps:
            log.info("masked words: step %d/%d, loss %.3f, %.0f s", step + 1, steps, mean, time.monotonic() - started)
            state = {"model": model.state_dict(), "optimiser": optimiser.state_dict()}
            torch.save(state | {"scheduler": scheduler.state_dict(), "step": step + 1}, checkpoint)


def _batches(texts: Sequence[Pieces], steps: int, seed: int) -> Iterator[list[Pieces]]:
    epoch = 0
    while True:
        for batch in bucketed([len(t.ids) for t in texts], BATCH, seed=(seed, epoch)):
            if steps == 0:
                return
            yield [texts[i] for i in batch]
            steps -= 1
        epoch += 1


def _loss(model: Masked, batch: list[Pieces], random: np.random.Generator) -> Tensor:
    ids, word_case, piece_case, mask = pad(batch)
    where = torch.zeros_like(ids, dtype=torch.bool)
    for row, pieces in enumerate(batch):
        for word in np.flatnonzero(random.random(len(pieces.first)) < MASKED):
            where[row, pieces.first[word] : pieces.last[word] + 1] = True
    target = ids[where]
    draw = torch.from_numpy(random.random(len(target)))
    noise = torch.from_numpy(random.integers(FIRST_REAL_PIECE, model.bias.numel(), len(target)))
    seen = ids.clone()
    seen[where] = torch.where(draw < 0.8, MASK, torch.where(draw < 0.9, noise, target))
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits = model(seen, word_case, piece_case, mask, where)
    return F.cross_entropy(logits.float(), target)
