r"""What the results of a paper say, as values that can be compared: read from its text, from where each stands.

1. The value is read with the words around it (`numbers`), so that a difference is told from a level.
2. Numbers of a list share their head: of `by 37\% (PBE), 33\% (SCAN)` the second is a difference as well, for the words
   before the first are read as those before the second. So does one verb: `boosts A by 5\times and B by 4\times`.
3. The bracket behind a value is its condition (`beside`), where it is not what the result is of, by, on or against.
   Where results of a sentence differ in nothing but their values, so is what each is said to hold on or for.
4. The baseline's value is read the same way, and kept where it is in the same unit.
5. Which way is better is asked of `directions`.

None of this is in the extraction record: it follows from the record and the abstract, so that what is learned about
reading numbers reaches every cached extraction without tagging it again, and the record stays what scorers read.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

from kg.extraction import beside, directions
from kg.extraction.numbers import Kind, Value, read
from kg.records import Entity, Extraction, Result, Role
from kg.text import Text, clean

REACH = 160
LIST = re.compile(r"(?:,|;|\b(?:and|or)|&)\s(?:(?:by|up to|an?|over|about|nearly|almost|another|additional|then)\s)*$")
SHARED = re.compile(r"\bby(?: (?:up|to|an?|over|about|nearly|almost|average|of))*\s$")
LONGEST_LINK = 100


@dataclass(frozen=True, slots=True)
class Reading:
    """What one result says. `baseline` is its value where that is in the unit of `value`, else None.

    `higher_is_better` is about the measure, `is_improvement` about the result; None where it is not known.
    """

    value: Value
    condition: str = ""
    baseline: Value | None = None
    higher_is_better: bool | None = None
    is_improvement: bool | None = None


@dataclass(frozen=True, slots=True)
class Around:
    """A value's place in the clean text, where its sentence begins, the text before and after it there, and its cue."""

    start: int
    end: int
    sentence: int
    before: str
    after: str
    said: str


def readings(extraction: Extraction) -> tuple[Reading, ...]:
    """Read all results of a paper, in their order."""
    if not extraction.results:
        return ()
    text = clean(extraction.paper.text)
    entities = {e.name: e for e in extraction.entities}
    places = _places(text, extraction)
    found = [_reading(r, at, text, entities) for r, at in zip(extraction.results, places, strict=True)]
    return tuple(_told_apart(extraction.results, places, found, text, entities))


def _places(text: Text, extraction: Extraction) -> list[Around]:
    """Where each value stands; one that continues a list has the words before the list's first value."""
    bounds = sorted(text.to_clean(*s) for s in extraction.sentences)
    order = sorted(range(len(extraction.results)), key=lambda i: extraction.results[i].start)
    found: dict[int, Around] = {}
    last: Around | None = None
    for index in order:
        start, end = text.to_clean(extraction.results[index].start, extraction.results[index].end)
        first, stop = next(((a, b) for a, b in bounds if a <= start < b), (0, len(text.clean)))
        before = text.clean[max(first, start - REACH, last.end if last and last.end <= start else 0) : start]
        if last and first <= last.start < last.end <= start and _continues(text.clean[last.end : start]):
            before = last.before
        after = text.clean[end : min(stop, end + REACH)]
        said = directions.cue(before, after) or directions.sign(extraction.results[index].value)
        if not said and last and last.start >= first and SHARED.search(before):
            said = last.said
        last = found[index] = Around(start, end, first, before, after, said)
    return [found[i] for i in range(len(found))]


def _continues(link: str) -> bool:
    """Whether what stands between two values makes the second one of the first one's list."""
    return len(link) <= LONGEST_LINK and LIST.search(link) is not None and directions.CUE.search(link) is None


def _reading(result: Result, at: Around, text: Text, entities: Mapping[str, Entity]) -> Reading:
    value = read(result.value, before=at.before, after=at.after)
    baseline = _comparable(result.baseline_value, value)
    subject = entities.get(result.subject)
    proposed = subject is not None and subject.role is Role.PROPOSES
    levels = {"value": value.number, "baseline": baseline.number if baseline else ""}
    names = _names(result.metric, entities)
    higher = directions.higher_is_better(names, at.said, proposed=proposed, **levels)
    better = None
    if levels["baseline"] or not {Kind.DIFFERENCE, Kind.RATIO}.isdisjoint(value.kinds):
        is_gain = any(map(directions.is_gain, names))
        better = directions.is_improvement(higher, at.said, is_gain=is_gain, **levels)
    return Reading(value, _condition(result, at, text, entities), baseline, higher, better)


def _told_apart(
    results: Sequence[Result],
    places: Sequence[Around],
    found: list[Reading],
    text: Text,
    entities: Mapping[str, Entity],
) -> list[Reading]:
    """Give results of one sentence that differ in nothing else the circumstances that each is said to hold in."""
    alike: dict[tuple[object, ...], list[int]] = {}
    for index, (r, at) in enumerate(zip(results, places, strict=True)):
        alike.setdefault((r.subject, r.metric, r.dataset, at.sentence), []).append(index)
    words = list(map(partial(_circumstance, text=text, entities=entities), results, places))
    for some in alike.values():
        if len({words[i] for i in some} - {""}) == len(some) > 1:  # each has its own
            for index in some:
                found[index] = replace(found[index], condition=found[index].condition or words[index])
    return found


def _circumstance(result: Result, at: Around, *, text: Text, entities: Mapping[str, Entity]) -> str:
    when = beside.circumstance(text.clean, at.end)
    if when is None or "respectively" in at.after:
        return ""
    words = text.clean[slice(*when)].strip()
    return "" if any(name and name in words.casefold() for name in _said(result, entities)) else words


def _comparable(written: str, value: Value) -> Value | None:
    """The baseline's value, if it counts what the value counts; one without a unit is taken to."""
    baseline = read(written)
    return baseline if baseline.number and baseline.unit in ("", value.unit) else None


def _condition(result: Result, at: Around, text: Text, entities: Mapping[str, Entity]) -> str:
    when = beside.condition(text.clean, at.end)
    if when is None:
        return ""
    words = text.clean[slice(*when)].strip()
    return "" if words.casefold() in _said(result, entities) else words


def _said(result: Result, entities: Mapping[str, Entity]) -> set[str]:
    """What the result is of, by, on or against, by any name."""
    parts = (result.subject, result.metric, result.dataset, result.baseline)
    return {clean(name).clean.casefold() for part in parts for name in _names(part, entities)}


def _names(name: str, entities: Mapping[str, Entity]) -> tuple[str, ...]:
    """A name, and the other forms of its entity if it is one's."""
    entity = entities.get(name)
    return (name, *(m.text for m in entity.mentions)) if entity else (name,)
