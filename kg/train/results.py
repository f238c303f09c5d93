"""`python -m kg.train.results --corpus CORPUS`: the weights that tie numbers to measures, and their model card.

1. Word classes are learned from the unlabelled abstracts (`words`).
2. Each training abstract that has numbers becomes two scenes: with its gold entities, and with entities as a tagger
   might find them (`noise`); its gold results become questions (`questions`).
3. Five times, four fifths train and the fifth is tied. That gives the calibration, and the least confidence: the one
   with the best F1 on noisy entities.
4. All of them train the weights that are kept. Dev and the seeds' gold are scored with their gold entities, with noisy
   ones and with those that the package's tagger finds.

Refuses to train on an abstract that is in dev or in the seeds' gold. Seeded: run again, it writes the same files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import random
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from kg import gold
from kg.errors import KgError
from kg.extraction import results as use
from kg.extraction import scene as stage
from kg.extraction import weights as stored
from kg.extraction.measures import name
from kg.extraction.sentences import sentences
from kg.files import atomic_write
from kg.text import clean
from kg.train import noise, results_card, words
from kg.train.data import refuse_held_out, unlabelled
from kg.train.questions import KINDS, Labelled, fold, forms, label, questions
from kg.train.softmax import Question, fit

FOLDER = Path(__file__).parent.parent / "data" / "results"
FOLDS = 5
PENALTIES = {"number": 10.0, "old": 10.0, "measure": 1.5, "subject": 10.0, "dataset": 10.0, "baseline": 10.0}
LEAST_QUESTIONS = 3
SMALLEST = 0.05
DIGITS = 3
log = logging.getLogger(__name__)

Asked = dict[str, list[Question]]


@dataclass(frozen=True, slots=True)
class Tying:
    """One number that was tied on an abstract that was not trained on: raw probability, and whether it is right."""

    raw: float
    right: bool


def main() -> int:
    """Run the command line; 1 where the data cannot be trained on."""
    parser = argparse.ArgumentParser(prog="python -m kg.train.results", description=__doc__.split("\n", 1)[0])
    parser.add_argument("--corpus", type=Path, required=True, help="folder with train.jsonl, dev.jsonl and so on")
    parser.add_argument("--keep-words", action="store_true", help="don't learn the word classes again")
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        train(args.corpus, keep_words=args.keep_words, seed=args.seed)
    except KgError as error:
        sys.stderr.write(f"kg.train.results: {error}\n")
        return error.exit_code
    return 0


def train(corpus: Path, *, keep_words: bool, seed: int) -> None:
    """The four steps of the module's docstring."""
    annotated, dev, seeds = (gold.read(corpus / f"{n}.jsonl") for n in ("train", "dev", "seeds-gold"))
    refuse_held_out(annotated, [*dev, *seeds])
    if not keep_words:
        words.write(unlabelled(corpus / "unlabelled.jsonl.gz", without=dev), FOLDER / "words.txt")
        stage.classes.cache_clear()
    sure, noisy = ([s for r in annotated if (s := scene(r, seed=seed, noisy=n))] for n in (False, True))
    log.info("%d abstracts with numbers, %d results", len(sure), sum(len(s.results) for s in sure))
    asked = [(questions(s), questions(n)) for s, n in zip(sure, noisy, strict=True)]
    folds = [int(hashlib.sha256(s.scene.text.source.encode()).hexdigest(), 16) % FOLDS for s in sure]

    tyings: list[Tying] = []
    for fold_ in range(FOLDS):
        fitted = _fit([q for qs, f in zip(asked, folds, strict=True) if f != fold_ for q in qs])
        tyings += [t for s, f in zip(noisy, folds, strict=True) if f == fold_ for t in tyings_of(s, fitted)]
        log.info("fold %d", fold_ + 1)
    slope, intercept = calibration(tyings)
    uncut = _fit([q for qs in asked for q in qs])
    fitted = replace(uncut, slope=slope, intercept=intercept)
    expected = sum(len(r.results) for r in annotated)
    least, f1 = best_least(tyings, fitted, expected)
    fitted = replace(fitted, least=least)
    log.info("F1 of result, noisy entities, five folds: %.3f", f1)
    _write(fitted)
    results_card.write(FOLDER, {"dev": dev, "seeds": seeds}, f1=f1, papers=len(sure), seed=seed)


def scene(record: gold.Gold, *, seed: int, noisy: bool) -> Labelled | None:
    """A gold abstract as the classifiers see it; None where it has no number."""
    text = clean(record.text)
    rng = random.Random(f"{seed} {record.id}")
    entities = noise.entities(record)
    entities = noise.noisy(entities, text, rng) if noisy else noise.with_confidence(entities, rng)
    bounds = tuple(text.to_source(*s) for s in sentences(text.clean))
    seen = stage.scene(text, entities, bounds)
    return label(record, seen) if seen else None


def tyings_of(found: Labelled, fitted: stored.Weights) -> list[Tying]:
    """Tie the numbers of one abstract and compare with its gold, each gold result counted once."""
    left = dict(found.results)
    tied = use.tie(found.scene, fitted)
    tyings = []
    for t in tied:
        written = {fold(name(found.scene, t.measure))}
        written |= forms(found.scene.entities[t.measure.entity]) if t.measure.entity >= 0 else set()
        right = t.number in left and found.same(left.pop(t.number).metric, written)
        tyings.append(Tying(t.raw, right))
    return tyings


def calibration(tyings: Sequence[Tying]) -> tuple[float, float]:
    """Slope and intercept on the log odds (Platt 1999)."""
    raw = np.clip(np.array([t.raw for t in tyings]), 1e-6, 1 - 1e-6)
    odds, right = np.log(raw / (1 - raw)), np.array([t.right for t in tyings], dtype=float)

    def loss(x: np.ndarray) -> float:
        z = x[0] * odds + x[1]
        return float(np.logaddexp(0, z).sum() - right @ z)

    slope, intercept = minimize(loss, np.array([1.0, 0.0]), method="BFGS").x
    return float(slope), float(intercept)


def best_least(tyings: Sequence[Tying], fitted: stored.Weights, expected: int) -> tuple[float, float]:
    """The least confidence with the best F1, and that F1; `expected` is how many gold results there are."""
    sure = sorted(((use.calibrated(t.raw, fitted), t.right) for t in tyings), reverse=True)
    right = np.cumsum([r for _, r in sure])
    f1 = 2 * right / (expected + np.arange(1, len(sure) + 1))
    best = int(f1.argmax())
    return sure[best][0], float(f1[best])


def _fit(asked: Sequence[Asked]) -> stored.Weights:
    tables = {
        kind: fit([q for a in asked for q in a[kind]], penalty=PENALTIES[kind], least=LEAST_QUESTIONS) for kind in KINDS
    }
    kept = {k: {c: round(w, DIGITS) for c, w in t.items() if abs(w) >= SMALLEST} for k, t in tables.items()}
    return stored.Weights(**kept, slope=1.0, intercept=0.0, least=0.0)


def _write(fitted: stored.Weights) -> None:
    with atomic_write(FOLDER / stored.FILE) as file:
        json.dump(asdict(fitted), file, ensure_ascii=False, indent=0, sort_keys=True)
        file.write("\n")
    stored.load.cache_clear()


if __name__ == "__main__":
    sys.exit(main())
