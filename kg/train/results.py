"""`python -m kg.train.results --corpus CORPUS`: the weights that tie numbers to measures, and their model card.

1. Word classes are learned from the unlabelled abstracts (`words`).
2. The training abstracts that the tagger was not trained on are kept out. Of the others, each with its gold entities,
   the gold results become questions (`questions`), and the answers weights (`softmax`).
3. The numbers of the abstracts kept out are tied with the entities that the package's tagger finds in them, and
   calibration is fitted on that. The least confidence is the one with the best F1 on these and on dev.
4. All of them train the weights that are kept. Dev and the seeds' gold are scored (`results_card`).

Gold entities and not the tagger's: it has seen the training abstracts, errs there less and is surer. Entities spoilt at
random at the tagger's rates were tried, and made weights that trust a metric too little (`tried_results.md`).

Refuses to train on an abstract that is in dev or in the seeds' gold. Seeded: run again, it writes the same files.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import logging
import sys
from collections.abc import Callable, Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from kg import gold
from kg.errors import KgError
from kg.extraction import results as use
from kg.extraction import scene, weights
from kg.extraction.measures import name
from kg.extraction.pipeline import extract
from kg.extraction.sentences import sentences
from kg.files import atomic_write
from kg.records import Entity, Paper
from kg.text import clean
from kg.train import results_card, words
from kg.train.data import refuse_held_out, unlabelled
from kg.train.entities import gold_entities
from kg.train.questions import KINDS, Labelled, fold, forms, label, questions
from kg.train.softmax import Question, fit

FOLDER = Path(__file__).parent.parent / "data" / "results"
KEPT_OUT = 200  # those that `python -m kg.train` keeps out of the tagger's training
PENALTIES = {"number": 10.0, "old": 10.0, "measure": 1.5, "subject": 10.0, "dataset": 10.0, "baseline": 10.0}
LEAST_QUESTIONS = 3
SMALLEST = 0.05
DIGITS = 3
log = logging.getLogger(__name__)


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
    args = parser.parse_args()
    logging.basicConfig(level=logging.INFO, format="%(asctime)s %(message)s")
    try:
        train(args.corpus, keep_words=args.keep_words)
    except KgError as error:
        sys.stderr.write(f"kg.train.results: {error}\n")
        return error.exit_code
    return 0


def train(corpus: Path, *, keep_words: bool) -> None:
    """The four steps of the module's docstring."""
    annotated, dev, seeds = (gold.read(corpus / f"{n}.jsonl") for n in ("train", "dev", "seeds-gold"))
    refuse_held_out(annotated, [*dev, *seeds])
    if not keep_words:
        words.write(unlabelled(corpus / "unlabelled.jsonl.gz", without=dev), FOLDER / "words.txt")
        scene.classes.cache_clear()
    ordered = sorted(annotated, key=lambda r: hashlib.sha256(r.id.encode()).digest())
    kept_out, learned = ordered[:KEPT_OUT], ordered[KEPT_OUT:]
    asked = [questions(s) for s in scenes(learned, gold_entities)]
    asked_last = [questions(s) for s in scenes(kept_out, gold_entities)]
    log.info("%d abstracts with numbers", len(asked) + len(asked_last))

    first = _fit(asked)
    tyings, more = ([t for s in scenes(r, tagged(r)) for t in tyings_of(s, first)] for r in (kept_out, dev))
    slope, intercept = calibration(tyings)
    fitted = replace(_fit(asked + asked_last), slope=slope, intercept=intercept)
    expected = sum(len(r.results) for r in (*kept_out, *dev))
    fitted = replace(fitted, least=best_least([*tyings, *more], fitted, expected))
    _write(fitted)
    trained_on = len(asked) + len(asked_last)
    results_card.write(FOLDER, {"dev": dev, "seeds": seeds}, trained_on=trained_on, tyings=len(tyings))


def scenes(records: Iterable[gold.Gold], entities: Callable[[gold.Gold], Sequence[Entity]]) -> list[Labelled]:
    """The abstracts that have numbers, with their gold."""
    found = []
    for record in records:
        text = clean(record.text)
        bounds = tuple(text.to_source(*s) for s in sentences(text.clean))
        seen = scene.scene(text, entities(record), bounds)
        if seen:
            found.append(label(record, seen))
    return found


def tagged(records: Sequence[gold.Gold]) -> Callable[[gold.Gold], Sequence[Entity]]:
    """What the package's tagger finds."""
    found = {e.paper.id: e.entities for e in extract(Paper(r.id, r.text) for r in records)}
    return lambda record: found[record.id]


def tyings_of(found: Labelled, fitted: weights.Weights) -> list[Tying]:
    """Tie the numbers of one abstract and compare with its gold, each gold result counted once."""
    left = dict(found.results)
    tyings = []
    for tied in use.tie(found.scene, fitted):
        written = {fold(name(found.scene, tied.measure))}
        if tied.measure.entity >= 0:
            written |= forms(found.scene.entities[tied.measure.entity])
        right = tied.number in left and found.same(left.pop(tied.number).metric, written)
        tyings.append(Tying(tied.raw, right))
    return tyings


def calibration(tyings: Sequence[Tying]) -> tuple[float, float]:
    """Slope and intercept on the log odds (Platt 1999)."""
    raw = np.clip(np.array([t.raw for t in tyings]), 1e-6, 1 - 1e-6)
    odds, right = np.log(raw / (1 - raw)), np.array([t.right for t in tyings], dtype=float)

    def loss(x: NDArray[np.float64]) -> float:
        z = x[0] * odds + x[1]
        return float(np.logaddexp(0, z).sum() - right @ z)

    slope, intercept = minimize(loss, np.array([1.0, 0.0]), method="BFGS").x
    return round(float(slope), DIGITS), round(float(intercept), DIGITS)


def best_least(tyings: Sequence[Tying], fitted: weights.Weights, expected: int) -> float:
    """The least confidence with the best F1; `expected` is how many gold results there are."""
    sure = sorted(((use.calibrated(t.raw, fitted), t.right) for t in tyings), reverse=True)
    f1 = 2 * np.cumsum([r for _, r in sure]) / (expected + np.arange(1, len(sure) + 1))
    return round(sure[int(f1.argmax())][0], DIGITS)


def _fit(asked: Sequence[dict[str, list[Question]]]) -> weights.Weights:
    tables = {}
    for kind in KINDS:
        found = fit([q for a in asked for q in a[kind]], penalty=PENALTIES[kind], least=LEAST_QUESTIONS)
        tables[kind] = {c: round(w, DIGITS) for c, w in found.items() if abs(w) >= SMALLEST}
    return weights.Weights(**tables, slope=1.0, intercept=0.0, least=0.0)


def _write(fitted: weights.Weights) -> None:
    with atomic_write(FOLDER / weights.FILE) as file:
        json.dump(asdict(fitted), file, ensure_ascii=False, indent=0, sort_keys=True)
        file.write("\n")
    weights.load.cache_clear()


if __name__ == "__main__":
    sys.exit(main())
