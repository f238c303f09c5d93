r"""Ties the numbers of an abstract to measures: which number is the result of what, on what, against what.

For now by rules: a number with a unit or a decimal point is a result where a metric is named in its sentence; the
metric is the nearest one, the subject the nearest model or method that the paper proposes.
"""

from __future__ import annotations

from collections.abc import Sequence

from kg.extraction.candidates import Number, Shape, find
from kg.records import Entity, EntityType, Mention, Place, Result, Role
from kg.text import Text

SUBJECTS = (EntityType.MODEL, EntityType.METHOD)


def results(text: Text, entities: Sequence[Entity], sentences: Sequence[tuple[int, int]]) -> tuple[Result, ...]:
    """Find the results of one paper, in the order of their values; `sentences` are offsets in the source."""
    found: list[Result] = []
    for number in find(text):
        start, end = text.to_source(number.start, number.end)
        sentence = next(((a, b) for a, b in sentences if a <= start < b), (0, len(text.source)))
        metric = _nearest([e for e in entities if e.type is EntityType.METRIC], start, sentence)
        if metric is None or not _likely(text.clean, number) or (found and found[-1].end > start):
            continue
        proposed = [e for e in entities if e.role is Role.PROPOSES and e.type in SUBJECTS]
        subject = _nearest(proposed, start, (0, len(text.source)))
        dataset = _nearest([e for e in entities if e.type is EntityType.DATASET], start, sentence)
        names = [e.name if e else "" for e in (subject, metric, dataset)]
        found.append(Result(names[0], names[1], text.source[start:end], names[2], "", "", start, end, 0.5))
    return tuple(found)


def _likely(clean: str, number: Number) -> bool:
    written = clean[number.start : number.end]
    return number.shape is not Shape.FORMULA and (not written[-1].isdigit() or "." in written)


def _nearest(entities: Sequence[Entity], at: int, within: tuple[int, int]) -> Entity | None:
    def distance(mention: Mention) -> int:
        return max(mention.start - at, at - mention.end)

    near = [
        (distance(m), i)
        for i, e in enumerate(entities)
        for m in e.mentions
        if m.place is Place.ABSTRACT and within[0] <= m.start < within[1]
    ]
    return entities[min(near)[1]] if near else None
