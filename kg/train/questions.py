"""Gold results as questions to a classifier: is this number a result, and which candidate is its measure, its subject …

A gold result says its value but not where it stands: it is the number with that text; of several, the one nearest to
the words of its metric. A candidate is right where the scorer would take it: a surface form in common, case folded.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from kg import gold
from kg.extraction import clues, measures, things
from kg.extraction.scene import Scene
from kg.records import Entity
from kg.train.softmax import Question, question

KINDS = ("number", "old", "measure", "subject", "dataset", "baseline")
THINGS: dict[str, Callable[[Scene], list[int]]] = {
    "subject": things.subjects,
    "dataset": things.datasets,
    "baseline": things.baselines,
}


@dataclass(frozen=True, slots=True)
class Labelled:
    """A scene with its gold: results by number, numbers that are old values, folded forms by folded entity name."""

    scene: Scene
    results: dict[int, gold.GoldResult]
    olds: frozenset[int]
    forms: dict[str, frozenset[str]]

    def same(self, name: str, forms: Iterable[str]) -> bool:
        """Whether a thing with these folded forms is what gold calls `name`."""
        return not self.names(name).isdisjoint(forms)

    def names(self, name: str) -> frozenset[str]:
        """All folded forms of what gold calls `name`."""
        return self.forms.get(fold(name), frozenset((fold(name),)))


def fold(text: str) -> str:
    r"""As the scorer compares names.

    >>> fold(r"relative $L_2$ "), fold("Accuracy")
    ('relative l_2', 'accuracy')
    """
    return re.sub(r"[\s\\${}]+", " ", text).strip().casefold()


def forms(entity: Entity) -> set[str]:
    """Folded forms of an entity."""
    return {fold(entity.name), *(fold(m.text) for m in entity.mentions)}


def label(record: gold.Gold, scene: Scene) -> Labelled:
    """Find the numbers that the gold results are."""
    known: dict[str, frozenset[str]] = {}
    for e in record.entities:
        known[fold(e.name)] = known.get(fold(e.name), frozenset()) | {fold(e.name), *map(fold, e.forms)}
    found = Labelled(scene, {}, frozenset(), known)
    for result in record.results:
        places = [n for n in _written(scene, result.value) if n not in found.results]
        if places:
            found.results[min(places, key=lambda n: _distance(scene, n, found.names(result.metric)))] = result
    olds = set()
    for number, result in found.results.items():
        at = scene.numbers[number].start
        places = [n for n in _written(scene, result.baseline_value) if n not in found.results]
        if result.baseline_value and places:
            olds.add(min(places, key=lambda n: abs(scene.numbers[n].start - at)))
    return Labelled(scene, found.results, frozenset(olds), known)


def questions(found: Labelled) -> dict[str, list[Question]]:
    """All questions of one scene, by kind."""
    asked: dict[str, list[Question]] = {kind: [] for kind in KINDS}
    for number in range(len(found.scene.numbers)):
        seen = clues.of_number(found.scene, number)
        for kind, true in (("number", number in found.results), ("old", number in found.olds)):
            asked[kind].append(question((seen, ()), (true, not true)))
    last: dict[str, int] | None = None
    measured: tuple[int, measures.Measure] | None = None
    for number in sorted(found.results):
        if measured and not measures.in_reach(found.scene, measured[0], number):
            last = measured = None
        measured = _ask_measure(found, number, measured, asked["measure"])
        last = {kind: _ask_thing(found, number, kind, last, asked[kind]) for kind in THINGS}
    return asked


def _ask_measure(
    found: Labelled, number: int, before: tuple[int, measures.Measure] | None, asked: list[Question]
) -> tuple[int, measures.Measure] | None:
    """Add the question; returns what the next number's question may know of this one."""
    candidates = measures.measures(found.scene, number)
    right = [_is_measure(found, number, c) for c in candidates]
    seen = measures.of_measures(found.scene, number, candidates)
    if before:
        more = measures.after(found.scene, number, candidates, *before)
        seen = [a + b for a, b in zip(seen, more, strict=True)]
    if any(right):
        asked.append(question(seen, right))
        return number, candidates[right.index(True)]
    return None


def _is_measure(found: Labelled, number: int, candidate: measures.Measure) -> bool:
    written = {fold(measures.name(found.scene, candidate))}
    if candidate.entity >= 0:
        written |= forms(found.scene.entities[candidate.entity])
    return found.same(found.results[number].metric, written)


def _ask_thing(found: Labelled, number: int, kind: str, last: dict[str, int] | None, asked: list[Question]) -> int:
    """Add the question; returns the right answer, which is NONE where the entity was not found."""
    options = THINGS[kind](found.scene)
    name = getattr(found.results[number], kind)
    right = [o != things.NONE and bool(name) and found.same(name, forms(found.scene.entities[o])) for o in options]
    right[0] = not any(right)
    if len(options) > 1:
        seen = things.of_things(found.scene, number, options, last[kind] if last else None)
        asked.append(question(seen, right))
    return options[right.index(True)]


def _written(scene: Scene, value: str) -> list[int]:
    """The numbers whose source is just this text."""
    places = (scene.text.to_source(n.start, n.end) for n in scene.numbers)
    return [i for i, (start, end) in enumerate(places) if scene.text.source[start:end] == value]


def _distance(scene: Scene, number: int, names: Sequence[str] | frozenset[str]) -> int:
    clean = scene.text.clean.casefold()
    hits = (h.start() for n in names if n for h in re.finditer(re.escape(n), clean))
    return min((abs(h - scene.numbers[number].start) for h in hits), default=0)
