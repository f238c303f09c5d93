r"""Ties the numbers of an abstract to measures: which number is the result of what, on what, against what.

1. Each number gets the probability that it is a result (`clues.of_number`); of overlapping ones the likelier stays.
2. From left to right, its measure is chosen among the metrics that are named and the words around (`measures`), then
   subject, dataset and baseline among the entities (`things`); what the number before got is a clue to each.
3. Confidence is the calibrated product of the first two probabilities; what falls below the fitted least is left out.
4. A number that is likelier old than new (`from 80.16\%`, `vs. 58.5%`) becomes the baseline's value of the result that
   is nearest to it in its sentence.

All are linear classifiers over named clues, trained by `kg.train.results`: annotators' habits (`improvement`, `faster`)
are learned, not written down as patterns; and half a result an abstract is too few to pay for a second network.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kg.extraction import beside, clues, measures, things
from kg.extraction.scene import Scene, scene
from kg.extraction.weights import Weights, load, probability, score, shares
from kg.records import Entity, Result
from kg.text import Text

LEAST_OLD = 0.5
FLOOR = 0.05  # of being a result: what is below is not worth a look at its measure
DIGITS = 4  # of a confidence, as mentions have


@dataclass(frozen=True, slots=True)
class Tied:
    """A number with what it was tied to; `subject`, `dataset`, `baseline` are indices of entities or things.NONE.

    `raw` is the probability, not yet calibrated, that the number is a result and the measure is right.
    """

    number: int
    measure: measures.Measure
    subject: int
    dataset: int
    baseline: int
    raw: float


def results(text: Text, entities: Sequence[Entity], sentences: Sequence[tuple[int, int]]) -> tuple[Result, ...]:
    """Find the results of one paper, in the order of their values; `sentences` are offsets in the source."""
    stage = scene(text, entities, sentences)
    if stage is None:
        return ()
    weights = load()
    tied = [t for t in tie(stage, weights) if calibrated(t.raw, weights) >= weights.least]
    found = [_result(stage, t, weights) for t in tied]
    for index, number in _old_values(stage, tied, weights):
        owner = things.owner(stage, number)
        baseline = stage.entities[owner].name if owner != things.NONE else found[index].baseline
        found[index] = replace(found[index], baseline=baseline, baseline_value=_source(stage, number)[0])
    return _without_repeats(found)


def tie(stage: Scene, weights: Weights) -> list[Tied]:
    """Tie each number that may be a result, in order, however sure that is."""
    found: list[Tied] = []
    for number, chance in _likely(stage, weights):
        candidates = measures.measures(stage, number)
        if not candidates:
            continue
        last = found[-1] if found and measures.in_reach(stage, found[-1].number, number) else None
        others = things.baselines(stage)
        if last and beside.goes_on(stage.text.clean, stage.numbers[last.number].end, stage.numbers[number].start):
            candidates, others = [last.measure], [last.baseline]  # what is in the bracket is a condition
        measure, certainty = _measure(stage, number, candidates, last, weights.measure)
        subject = _thing(stage, number, things.subjects(stage), last.subject if last else None, weights.subject)
        dataset = _thing(stage, number, things.datasets(stage), last.dataset if last else None, weights.dataset)
        others = [t for t in others if t == things.NONE or t != subject] or [things.NONE]
        baseline = _thing(stage, number, others, last.baseline if last else None, weights.baseline)
        found.append(Tied(number, measure, subject, dataset, baseline, chance * certainty))
    return found


def calibrated(raw: float, weights: Weights) -> float:
    """The probability that value and metric are right."""
    raw = min(max(raw, 1e-6), 1 - 1e-6)
    return probability(weights.slope * math.log(raw / (1 - raw)) + weights.intercept)


def _likely(stage: Scene, weights: Weights) -> list[tuple[int, float]]:
    """Numbers that may be results, with that probability, in order; none overlaps another or is likelier old."""
    kept: list[tuple[int, float]] = []
    for chance, old, number in sorted(_chances(stage, weights), key=lambda c: (-c[0], c[2])):
        this = stage.numbers[number]
        others = [stage.numbers[n] for n, _ in kept if abs(n - number) <= clues.WINDOW]
        if chance >= max(FLOOR, old) and all(o.end <= this.start or this.end <= o.start for o in others):
            kept.append((number, chance))
    return sorted(kept)


def _chances(stage: Scene, weights: Weights) -> list[tuple[float, float, int]]:
    """Of each number the probability that it is a result, and that it is what a result is compared with."""
    return [(*_chance(stage, n, weights), n) for n in range(len(stage.numbers))]


def _chance(stage: Scene, number: int, weights: Weights) -> tuple[float, float]:
    if beside.is_old(stage.text.clean, stage.numbers[number].start):
        return 0.0, 1.0
    seen = clues.of_number(stage, number)
    return probability(score(weights.number, seen)), probability(score(weights.old, seen))


def _measure(
    stage: Scene,
    number: int,
    candidates: Sequence[measures.Measure],
    last: Tied | None,
    weights: dict[str, float],
) -> tuple[measures.Measure, float]:
    """The likeliest measure, and the probability of all candidates that are written like it."""
    found = measures.of_measures(stage, number, candidates)
    if last:
        more = measures.after(stage, number, candidates, last.number, last.measure)
        found = [a + b for a, b in zip(found, more, strict=True)]
    parts = shares([score(weights, c) for c in found])
    best = max(range(len(parts)), key=parts.__getitem__)
    written = measures.name(stage, candidates[best]).casefold()
    alike = (p for c, p in zip(candidates, parts, strict=True) if measures.name(stage, c).casefold() == written)
    return candidates[best], math.fsum(alike)


def _thing(stage: Scene, number: int, options: Sequence[int], last: int | None, weights: dict[str, float]) -> int:
    if len(options) == 1:
        return options[0]
    found = things.of_things(stage, number, options, last)
    scores = [score(weights, c) for c in found]
    return options[max(range(len(options)), key=scores.__getitem__)]


def _old_values(stage: Scene, tied: Sequence[Tied], weights: Weights) -> list[tuple[int, int]]:
    """Pairs (index of a result, number): the nearest of the sentence in a like unit; each once."""
    pairs = []
    for chance, old, number in _chances(stage, weights) if tied else ():
        for index, t in enumerate(tied):
            a, b = stage.spots[number], stage.spots[t.number]
            if old >= max(LEAST_OLD, chance) and a.sentence == b.sentence and _pairs(stage, number, t.number):
                pairs.append((max(b.first - a.after, a.first - b.after), index, number))
    chosen: dict[int, int] = {}
    for _, index, number in sorted(pairs):
        if index not in chosen and number not in chosen.values():
            chosen[index] = number
    return sorted(chosen.items())


def _pairs(stage: Scene, old: int, new: int) -> bool:
    """Whether one number can be the old value of another: they count the same, and no like number is between them."""
    kinds = clues.unit(stage, old), clues.unit(stage, new)
    clean, start = stage.text.clean, stage.numbers[old].start
    of_next = beside.is_old_of_next(clean, start)
    if old == new or (kinds[0] != kinds[1] and not (of_next and kinds[0] == "-")):  # from 80 to 64%
        return False
    low, high = sorted((old, new))
    first, last = stage.numbers[low].end, stage.numbers[high].start
    between = (n for n in range(low + 1, high) if first <= stage.numbers[n].start and stage.numbers[n].end <= last)
    if any(clues.unit(stage, n) in kinds for n in between):
        return False
    return new > old if of_next else new < old or not beside.is_old(clean, start)


def _source(stage: Scene, number: int) -> tuple[str, int, int]:
    start, end = stage.text.to_source(stage.numbers[number].start, stage.numbers[number].end)
    return stage.text.source[start:end], start, end


def _result(stage: Scene, tied: Tied, weights: Weights) -> Result:
    value, start, end = _source(stage, tied.number)
    named = [stage.entities[i].name if i >= 0 else "" for i in (tied.subject, tied.dataset, tied.baseline)]
    sure = round(calibrated(tied.raw, weights), DIGITS)
    metric = measures.name(stage, tied.measure)
    return Result(named[0], metric, value, named[1], named[2], "", start, end, sure)


def _without_repeats(found: Sequence[Result]) -> tuple[Result, ...]:
    """The first of results that say the same: an abstract often repeats its main number."""
    first = {(r.subject, r.metric, r.value, r.dataset): r for r in reversed(found)}
    return tuple(sorted(first.values(), key=lambda r: r.start))
