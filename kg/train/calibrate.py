"""What is fitted after training, on abstracts of the training set that were kept out of it.

Platt scaling (1999) of the log-odds of a mention's and of a role's probability, so that 0.8 means right in eight of
ten. The abstracts kept out have one annotator, who misses things: a mention that is right counts as wrong where it was
missed, and a scaling fitted to that is too modest. So a mention is taken to be annotated with the probability that it
is right times that of its not being missed (MISSED).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional as F

from kg import gold
from kg.extraction.decode import Span, decode
from kg.extraction.entities import groups
from kg.extraction.model import Calibration, Model, load
from kg.extraction.pieces import windows
from kg.extraction.pipeline import load_pipeline
from kg.extraction.tagger import scored
from kg.text import clean

MISSED = 0.08  # an estimate: the mention F1 of one annotation against adjudicated gold is 0.92


@dataclass(frozen=True, slots=True)
class Reading:
    """One abstract's scores as they are decoded, beside its gold spans as (start, end, type) in the source."""

    record: gold.Gold
    scores: np.ndarray
    words: tuple[tuple[int, int], ...]
    expected: frozenset[tuple[int, int, str]]

    def found(self) -> list[tuple[Span, bool]]:
        """Chosen spans, and whether each is right."""
        text = clean(self.record.text)
        spans = decode(self.scores)
        located = [text.to_source(self.words[s.first][0], self.words[s.last][1]) for s in spans]
        return [(s, (*at, s.type.value) in self.expected) for s, at in zip(spans, located, strict=True)]


def read(model: Model, records: Sequence[gold.Gold]) -> list[Reading]:
    """Run the exported tagger over the first window of each abstract."""
    readings = []
    for record in records:
        text = clean(record.text).clean
        pieces = windows(model.tokenizer, text)[0]
        spans = gold.spans(record.text, record.entities)
        expected = frozenset((s.start, s.end, record.entities[s.entity].type.value) for s in spans)
        scores, _, _ = scored(model, pieces, text)
        readings.append(Reading(record, scores, pieces.words, expected))
    return readings


def mention_calibration(readings: Sequence[Reading]) -> Calibration:
    """Scaling of mentions' probabilities."""
    return scaling([(s.confidence, right) for r in readings for s, right in r.found()], missed=MISSED)


def role_calibration(folder: Path, records: Sequence[gold.Gold]) -> Calibration:
    """Scaling of roles' probabilities over the entities that gold knows."""
    nlp, model = load_pipeline(folder), load(folder)
    pairs = []
    for record in records:
        doc = nlp(clean(record.text).clean)
        forms = {clean(f).clean.casefold(): e for e in record.entities for f in e.forms}
        for group in groups(doc, model)[0]:
            entity = forms.get(group.name.casefold())
            if entity is not None and entity.type is group.type:
                pairs.append((group.role_confidence, entity.role is group.role))
    return scaling(pairs)


def scaling(pairs: Sequence[tuple[float, bool]], *, missed: float = 0.0) -> Calibration:
    """Factor and offset of the log-odds by maximum likelihood, where so much of what is right was not annotated."""
    chance = torch.tensor([min(max(p, 1e-6), 1 - 1e-6) for p, _ in pairs], dtype=torch.float64)
    odds, right = torch.log(chance / (1 - chance)), torch.tensor([float(r) for _, r in pairs], dtype=torch.float64)
    weights = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=100)

    def loss() -> torch.Tensor:
        optimiser.zero_grad()
        annotated = (1 - missed) * torch.sigmoid(weights[0] * odds + weights[1])
        value = F.binary_cross_entropy(annotated, right)
        value.backward()  # type: ignore[no-untyped-call]
        return value

    optimiser.step(loss)  # type: ignore[no-untyped-call]
    factor, offset = (round(w.item(), 4) for w in weights)
    return Calibration(factor, offset)


def expected_calibration_error(pairs: Sequence[tuple[float, bool]], *, bins: int = 10) -> float:
    """Mean gap between confidence and share right over bins of equal mass; Naeini et al. 2015.

    >>> expected_calibration_error([(0.5, True), (0.5, False)] * 10)
    0.0
    """
    ordered = sorted(pairs)
    gap = 0.0
    for part in np.array_split(np.arange(len(ordered)), bins):
        if len(part):
            chosen = [ordered[i] for i in part]
            gap += abs(sum(p for p, _ in chosen) - sum(r for _, r in chosen)) / len(ordered)
    return gap
