"""What the papers say, reduced to what decides identity: one reading for each entity, and the papers' short forms.

A reading is light: a build of a million papers holds all of them. The short forms of a paper come from its entities
(`large language model`, `LLMs`: mentions of one thing) and from the pairs that it defines (`Extraction.abbreviations`).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field

from kg.names import is_short, short_key, stands_for, words
from kg.records import Entity, EntityType, Extraction, Role


@dataclass(frozen=True, slots=True)
class Reading:
    """One entity of one paper: its distinct names, the fullest first, and those that abbreviate another of them."""

    paper: str
    index: int
    type: EntityType
    role: Role
    confidence: float
    forms: tuple[str, ...]
    shorts: frozenset[str] = frozenset()

    @property
    def names(self) -> tuple[str, ...]:
        """The forms that say what the thing is: all but the abbreviations of others."""
        return tuple(f for f in self.forms if f not in self.shorts) or self.forms[:1]


@dataclass(slots=True)
class Corpus:
    """The readings of all papers in their order, each paper's own short forms, and its text."""

    readings: list[Reading] = field(default_factory=list)
    defined: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    texts: dict[str, str] = field(default_factory=dict)


def read(extractions: Iterable[Extraction]) -> Corpus:
    """Take from each extraction what decides identity."""
    corpus = Corpus()
    for extraction in extractions:
        paper = extraction.paper.id
        corpus.texts[paper] = extraction.paper.text
        longs = {short_key(a.short): a.long for a in extraction.abbreviations}
        for index, entity in enumerate(extraction.entities):
            reading = _reading(paper, index, entity, longs)
            corpus.readings.append(reading)
            for short in sorted(reading.shorts):
                long = next(f for f in reading.names if stands_for(short, f))
                corpus.defined[paper].setdefault(short_key(short), long)
        if longs:
            corpus.defined[paper] = longs | corpus.defined[paper]
    return corpus


def _reading(paper: str, index: int, entity: Entity, longs: dict[str, str]) -> Reading:
    """Make the reading of one entity; an abbreviation that its paper spells out has that long form as well."""
    written = dict.fromkeys((entity.name, *(m.text for m in entity.mentions)))
    abbreviations = [f for f in written if is_short(f)]
    spelled = [longs[short_key(f)] for f in abbreviations if short_key(f) in longs]
    forms = tuple(dict.fromkeys((*written, *spelled)))
    full = [f for f in forms if not is_short(f) or len(words(f)) > 1]
    shorts = frozenset(f for f in abbreviations if any(f != g and stands_for(f, g) for g in full))
    return Reading(paper, index, entity.type, entity.role, entity.confidence, forms, shorts)
