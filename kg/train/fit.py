"""Fine-tuning of the tagger on gold abstracts.

Cross-entropy over every span of every abstract (summed, divided by the number of words), over the words' BIO tags, and
over the roles of gold entities. AdamW with linear warm-up and decay, a rate per layer (the deeper, the slower), larger
for what is new. One example in ten loses its casing, so that a name in lower case is still a name; one in seven is a
spoilt version of its abstract (`spoil`). The weights that are kept are an exponential moving average. Runs in bfloat16;
saves after every epoch and resumes from there.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from kg.extraction.decode import TYPES, WIDEST
from kg.extraction.pieces import CASES
from kg.train.batches import bucketed, pad
from kg.train.data import Example
from kg.train.encoder import Encoder
from kg.train.schedule import linear_warmup
from kg.train.tagger import POSITIONS, Roles, Tagger

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Options:
    """What a run is made with; all of it goes into the model card."""

    epochs: int = 4
    batch: int = 8
    encoder_rate: float = 3e-4
    layer_decay: float = 0.9
    head_rate: float = 1.5e-3
    tag_weight: float = 0.5
    role_weight: float = 0.3
    without_case: float = 0.1
    spoilt: float = 0.15
    average: float = 0.998
    seed: int = 0


class Joint(nn.Module):
    """Both networks, so that they are trained, averaged and saved together."""

    def __init__(self, encoder: Encoder) -> None:
        super().__init__()
        self.tagger = Tagger(encoder)
        self.roles = Roles(encoder.bert.config.hidden_size)


def fit(encoder: Encoder, train: Sequence[Sequence[Example]], *, options: Options, checkpoint: Path) -> Joint:
    """Train from `encoder`'s weights; returns the averaged weights, in evaluation mode.

    `train` has the versions of each abstract, the undisturbed one first.
    """
    torch.manual_seed(options.seed)
    model, average = Joint(encoder), Joint(Encoder(encoder.bert.config))
    average.load_state_dict(model.state_dict())
    optimiser = torch.optim.AdamW(_groups(model, options), weight_decay=0.01)
    steps = -(-len(train) // options.batch) * options.epochs
    scheduler = linear_warmup(optimiser, steps)
    parts: dict[str, Any] = {"model": model, "average": average, "optimiser": optimiser, "scheduler": scheduler}
    done = 0
    if checkpoint.exists():
        state = torch.load(checkpoint, weights_only=True)
        for name, part in parts.items():
            part.load_state_dict(state[name])
        done = state["epoch"]
    for epoch in range(done, options.epochs):
        started = time.monotonic()
        loss = _epoch(model, average, optimiser, scheduler, train, options, epoch)
        log.info("epoch %d/%d: loss %.4f, %.0f s", epoch + 1, options.epochs, loss, time.monotonic() - started)
        torch.save({n: p.state_dict() for n, p in parts.items()} | {"epoch": epoch + 1}, checkpoint)
    return average.eval()


def _groups(model: Joint, options: Options) -> list[dict[str, object]]:
    layers = len(model.tagger.encoder.bert.encoder.layer)
    groups: dict[float, list[nn.Parameter]] = {}
    for name, parameter in model.named_parameters():
        if "encoder.bert.encoder.layer." in name:
            depth = layers - 1 - int(name.split("encoder.layer.")[1].split(".")[0])
            rate = options.encoder_rate * options.layer_decay**depth
        elif "encoder.bert" in name:
            rate = options.encoder_rate * options.layer_decay**layers
        else:
            rate = options.head_rate
        groups.setdefault(rate, []).append(parameter)
    return [{"params": parameters, "lr": rate} for rate, parameters in groups.items()]


def _epoch(
    model: Joint,
    average: Joint,
    optimiser: torch.optim.Optimizer,
    scheduler: torch.optim.lr_scheduler.LRScheduler,
    train: Sequence[Sequence[Example]],
    options: Options,
    epoch: int,
) -> float:
    model.train()
    torch.manual_seed(options.seed * 1000 + epoch)
    random = np.random.default_rng((options.seed, epoch))
    losses = []
    order = bucketed([len(e[0].pieces.ids) for e in train], options.batch, seed=(options.seed, epoch))
    for number, indices in enumerate(order):
        batch = [_drawn(train[i], options, random) for i in indices]
        loss = batch_loss(model, batch, options)
        optimiser.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        optimiser.step()
        scheduler.step()
        _move(average, model, min(options.average, (1 + number + 1000 * epoch) / (10 + number + 1000 * epoch)))
        losses.append(loss.item())
        if number % 100 == 99:
            log.info("epoch %d, batch %d: loss %.4f", epoch + 1, number + 1, sum(losses[-100:]) / 100)
    return sum(losses) / len(losses)


@torch.no_grad()
def _move(average: Joint, model: Joint, keep: float) -> None:
    torch._foreach_lerp_(list(average.parameters()), list(model.parameters()), 1 - keep)


def _drawn(versions: Sequence[Example], options: Options, random: np.random.Generator) -> Example:
    first, *others = versions
    example = others[random.integers(len(others))] if others and random.random() < options.spoilt else first
    return _without_case(example) if random.random() < options.without_case else example


def _without_case(example: Example) -> Example:
    lower = CASES.index("lower")
    pieces = example.pieces
    flat = [
        np.where(np.isin(c, (0, CASES.index("digits"), CASES.index("symbol"))), c, lower)
        for c in (pieces.word_case, pieces.piece_case)
    ]
    return replace(example, pieces=replace(pieces, word_case=flat[0], piece_case=flat[1]))


def batch_loss(model: Joint, batch: Sequence[Example], options: Options) -> Tensor:
    """Sum of the three losses over a batch."""
    inputs = pad([e.pieces for e in batch])
    first, last, there = words(batch)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        logits, starts, stops = model.tagger(*inputs, first, last)
        tags = model.tagger.tags(model.tagger.dropout(starts))
    span_target, tag_target, valid = targets(batch, first.shape[1])
    span_loss = F.cross_entropy(logits.float()[valid], span_target[valid], reduction="sum") / there.sum()
    tag_loss = F.cross_entropy(tags.float()[there], tag_target[there])
    roles, role_target = [], []
    for row, example in enumerate(batch):
        if example.spans:
            roles.append(model.roles(*role_inputs(example, starts[row].float(), stops[row].float())))
            role_target.append(torch.tensor(example.roles))
    loss: Tensor = span_loss + options.tag_weight * tag_loss
    if roles:
        loss = loss + options.role_weight * F.cross_entropy(torch.cat(roles), torch.cat(role_target))
    return loss


def words(batch: Sequence[Example]) -> tuple[Tensor, Tensor, Tensor]:
    """First piece, last piece (int64) and presence (bool) of each word, each (batch, words)."""
    width = max(len(e.pieces.first) for e in batch)
    out = np.zeros((3, len(batch), width), dtype=np.int64)
    for row, e in enumerate(batch):
        n = len(e.pieces.first)
        out[0, row, :n], out[1, row, :n], out[2, row, :n] = e.pieces.first, e.pieces.last, 1
    first, last, there = torch.from_numpy(out)
    return first, last, there.bool()


def targets(batch: Sequence[Example], width: int) -> tuple[Tensor, Tensor, Tensor]:
    """Span types (batch, words, WIDEST), BIO tags (batch, words), and which spans lie inside their abstract."""
    spans = torch.zeros(len(batch), width, WIDEST, dtype=torch.long)
    tags = torch.zeros(len(batch), width, dtype=torch.long)
    valid = torch.zeros(len(batch), width, WIDEST, dtype=torch.bool)
    for row, e in enumerate(batch):
        n = len(e.pieces.first)
        valid[row, :n] = torch.arange(n)[:, None] + torch.arange(WIDEST)[None, :] < n
        for first, last, kind, _ in e.spans:
            spans[row, first, last - first] = 1 + kind
            tags[row, first] = 1 + kind
            tags[row, first + 1 : last + 1] = 1 + len(TYPES) + kind
    return spans, tags, valid


def role_inputs(example: Example, starts: Tensor, stops: Tensor) -> tuple[Tensor, Tensor, Tensor, Tensor, Tensor]:
    """What `Roles` reads, for the entities of one example."""
    member = torch.zeros(len(example.types), len(example.spans))
    where = [POSITIONS - 1] * len(example.types)
    total = len(example.pieces.first)
    for mention, (first, _, _, entity) in enumerate(example.spans):
        member[entity, mention] = 1
        where[entity] = min(where[entity], first * POSITIONS // total)
    firsts, lasts = [s[0] for s in example.spans], [s[1] for s in example.spans]
    return starts[firsts], stops[lasts], member, torch.tensor(example.types), torch.tensor(where)
