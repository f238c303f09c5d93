"""What the papers say, reduced to what decides identity: one reading for each entity, and the papers' short forms.

A reading is light: a build of a million papers holds all of them. The short forms of a paper come from its entities
(`large language model`, `LLMs`: mentions of one thing) and from the pairs that it defines (`Extraction.abbreviations`).
A mention in brackets just behind another one (`Finch (RWKV-6)`) says that both name one thing, if their types agree.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import pairwise

from kg.names import in_singular, is_short, short_key, stands_for, words
from kg.records import Entity, EntityType, Extraction, Place, Role


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
    """The readings of all papers in their order, each paper's own short forms, and its text.

    `apposed` are pairs of readings, by index, of which a paper gives the one in brackets behind the other.
    """

    readings: list[Reading] = field(default_factory=list)
    apposed: list[tuple[int, int]] = field(default_factory=list)
    defined: dict[str, dict[str, str]] = field(default_factory=lambda: defaultdict(dict))
    texts: dict[str, str] = field(default_factory=dict)


def read(extractions: Iterable[Extraction]) -> Corpus:
    """Take from each extraction what decides identity."""
    corpus = Corpus()
    for extraction in extractions:
        paper = extraction.paper.id
        corpus.texts[paper] = extraction.paper.text
        longs = {short_key(a.short): a.long for a in extraction.abbreviations}
        first = len(corpus.readings)
        corpus.apposed += ((first + i, first + j) for i, j in _apposed(extraction))
        for index, entity in enumerate(extraction.entities):
            reading = _reading(paper, index, entity, longs)
            corpus.readings.append(reading)
            for short in sorted(reading.shorts):
                long = next(f for f in reading.names if stands_for(short, f))
                corpus.defined[paper].setdefault(short_key(short), long)
        if longs:
            corpus.defined[paper] = longs | corpus.defined[paper]
    return corpus


def _apposed(extraction: Extraction) -> set[tuple[int, int]]:
    """Pairs of entities of one type of which a mention of one is all that a bracket behind the other holds."""
    text, entities = extraction.paper.text, extraction.entities
    placed = sorted(
        (m.start, m.end, i) for i, e in enumerate(entities) for m in e.mentions if m.place is Place.ABSTRACT
    )
    return {
        (i, j)
        for (first, end, i), (start, last, j) in pairwise(placed)
        if i != j and text[end:start].strip() == "(" and text[last : last + 1] == ")"
        if entities[i].type is entities[j].type and _equals(text[first:end], text[start:last])
    }


def _equals(name: str, bracketed: str) -> bool:
    """Say whether what is in brackets behind a name can be another name for it.

    An abbreviation of other words (`networks (CNNs)`) can't, nor an instance of a class (`Transformers (Graphormer)`).
    """
    if any(is_short(form) and form.isalpha() for form in (name, bracketed)) and not stands_for(bracketed, name):
        return False
    return (in_singular(name) == name) is (in_singular(bracketed) == bracketed)


def _reading(paper: str, index: int, entity: Entity, longs: dict[str, str]) -> Reading:
    """Make the reading of one entity; an abbreviation that its paper spells out has that long form as well."""
    written = dict.fromkeys((entity.name, *(m.text for m in entity.mentions)))
    abbreviations = [f for f in written if is_short(f)]
    spelled = [longs[short_key(f)] for f in abbreviations if short_key(f) in longs]
    forms = tuple(dict.fromkeys((*written, *spelled)))
    full = [f for f in forms if not is_short(f) or len(words(f)) > 1]
    shorts = frozenset(f for f in abbreviations if any(f != g and stands_for(f, g) for g in full))
    return Reading(paper, index, entity.type, entity.role, entity.confidence, forms, shorts)
