"""Which thing a short form stands for where its entity has no other name.

A sense of a short form is a group of names that papers spell it out as. In the order in which they are asked:

1. the paper spells it out: its sense, whatever the others say;
2. one sense only, or one that four in five of the papers give it: that one, unless its single paper coined it and this
   paper coins it as well, or their types differ;
3. several: the one whose own words the paper uses, those that tell it from the others (`semi-supervised` for SSL);
4. several: the one whose papers name the same other things, if it is at least twice as close as the next;
5. otherwise it is kept apart, as a concept of its own.

Forms count with their case (`GoT` isn't `GOT`); a case that nobody spells out is read as any case.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from kg.concepts.reading import Corpus, Reading
from kg.concepts.wording import stem
from kg.names import is_short, short_key, words
from kg.records import EntityType, Role

LEAST_SHARE = 0.8
LEAST_RATIO = 2.0
LEAST_CLOSENESS = 0.05


class Why(StrEnum):
    """Why a short form was taken for what it was taken for."""

    SPELLED = "spelled out in its paper"
    ONLY = "one sense in the corpus"
    WORDS = "the paper's words"
    COMPANY = "the company it keeps"
    APART = "kept apart"


@dataclass(slots=True)
class Sense:
    """What a short form stands for in some papers."""

    papers: set[str] = field(default_factory=set)
    types: Counter[EntityType] = field(default_factory=Counter)
    coined: bool = False


class Senses:
    """The senses of all short forms of a corpus, by short form and group of names."""

    def __init__(self, corpus: Corpus, groups: Sequence[str], words_of: dict[str, frozenset[str]]) -> None:
        self._corpus, self._groups, self._words_of = corpus, groups, words_of
        self._by_form: dict[str, dict[str, Sense]] = defaultdict(dict)
        self._by_key: dict[str, set[str]] = defaultdict(set)
        for reading, group in zip(corpus.readings, groups, strict=True):
            for form in reading.shorts:
                self._add(short_key(form), group, reading)
        self._company: dict[str, set[str]] = defaultdict(set)
        for reading, group in zip(corpus.readings, groups, strict=True):
            self._company[reading.paper].add(group)
        self._frequency = Counter(g for company in self._company.values() for g in company)

    def _add(self, short: str, group: str, reading: Reading) -> None:
        sense = self._by_form[short].setdefault(group, Sense())
        sense.papers.add(reading.paper)
        sense.types[reading.type] += 1
        sense.coined = sense.coined or reading.role is Role.PROPOSES
        self._by_key[short.casefold()].add(short)

    def of(self, reading: Reading, group: str) -> tuple[str, Why]:
        """Say which group of names an entity is of, whose own group is `group`, and why."""
        if reading.shorts or not all(map(is_short, reading.forms)):
            return group, Why.SPELLED
        senses = self._candidates(short_key(reading.forms[0]))
        if not senses:
            return group, Why.ONLY
        best = max(sorted(senses), key=lambda g: len(senses[g].papers))
        total = sum(len(s.papers) for s in senses.values())
        if len(senses[best].papers) >= LEAST_SHARE * total:
            return (best, Why.ONLY) if _agrees(senses[best], reading) else (group, Why.APART)
        return self._by_words(senses, reading) or self._by_company(senses, reading) or (group, Why.APART)

    def _candidates(self, short: str) -> dict[str, Sense]:
        exact = self._by_form.get(short)
        if exact:
            return exact
        others = self._by_key.get(short.casefold(), set())
        return self._by_form[next(iter(others))] if len(others) == 1 else {}

    def _by_words(self, senses: dict[str, Sense], reading: Reading) -> tuple[str, Why] | None:
        """The sense whose telling words the paper uses."""
        used = {stem(w) for w in words(self._corpus.texts.get(reading.paper, ""))}
        own = {g: self._words_of.get(g, frozenset()) for g in senses}
        common = frozenset.intersection(*own.values())
        hits = {g: len((w - common) & used) / (len(w - common) or 1) for g, w in own.items()}
        return _clear(hits, Why.WORDS, least=0.5)

    def _by_company(self, senses: dict[str, Sense], reading: Reading) -> tuple[str, Why] | None:
        """The sense whose papers share the rarest things with this paper."""
        here = self._company[reading.paper]
        close = {g: self._closeness(here, sense.papers - {reading.paper}) for g, sense in senses.items()}
        return _clear(close, Why.COMPANY, least=LEAST_CLOSENESS)

    def _closeness(self, here: set[str], papers: set[str]) -> float:
        """Mean over papers of the cosine between what they name and what this paper names, by inverse frequency."""
        return sum(self._cosine(here, self._company[p]) for p in papers) / (len(papers) or 1)

    def _cosine(self, a: set[str], b: set[str]) -> float:
        norm = math.sqrt(self._weight(a) * self._weight(b))
        return self._weight(a & b) / norm if norm else 0.0

    def _weight(self, groups: Iterable[str]) -> float:
        papers = len(self._company)
        return math.fsum(math.log(1 + papers / self._frequency[g]) ** 2 for g in groups)


def _agrees(sense: Sense, reading: Reading) -> bool:
    """Say whether an entity may be of the only sense: where one paper alone knows that, type and role must fit."""
    if len(sense.papers) > 1 or reading.paper in sense.papers:
        return True
    return reading.type in sense.types and not (sense.coined and reading.role is Role.PROPOSES)


def _clear(score: dict[str, float], why: Why, *, least: float) -> tuple[str, Why] | None:
    """The group with the best score, if it is good enough and well ahead of the next."""
    ranked = sorted(score, key=lambda g: (-score[g], g))
    best, second = score[ranked[0]], score[ranked[1]] if len(ranked) > 1 else 0.0
    return (ranked[0], why) if best >= least and best >= LEAST_RATIO * second else None
