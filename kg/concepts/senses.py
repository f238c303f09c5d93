"""Which thing a short form stands for where its entity has no other name.

A sense of a short form is a group of names that papers spell it out as, here or elsewhere (`kg.concepts.known`). In the
order in which they are asked:

1. the paper spells it out: its sense, whatever the others say;
2. one sense only, or one that four in five of the papers give it: that one, unless only one paper knows it, and that
   paper coined it as this one does, or their types differ;
3. several: the one whose own words the paper uses, those that tell it from the others (`semi-supervised` for SSL);
4. several: the one whose papers name the same other things, if it is at least twice as close as the next;
5. otherwise it is kept apart, as a concept of its own.

Forms count with their case (`GoT` isn't `GOT`); a case that nobody spells out is read as any case.
"""

from __future__ import annotations

import math
import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from kg.concepts.known import OTHERS
from kg.concepts.reading import Corpus, Reading
from kg.names import american, is_short, short_key, singular
from kg.records import EntityType, Role
from kg.wording import Words, stem

LEAST_SHARE = 0.8
LEAST_RATIO = 2.0
LEAST_CLOSENESS = 0.05
LEAST_WORDS = 0.5
WORD = re.compile(r"[^\W\d_]+")


class Why(StrEnum):
    """Why a short form was taken for what it was taken for."""

    NAMED = "it has other names"
    UNKNOWN = "nobody spells it out"
    ONLY = "one sense in the corpus"
    WORDS = "the paper's words"
    COMPANY = "the company it keeps"
    APART = "kept apart"


@dataclass(slots=True)
class Sense:
    """What a short form stands for in some papers; `elsewhere` is what other papers weigh."""

    papers: set[str] = field(default_factory=set)
    types: set[EntityType] = field(default_factory=set)
    coined: bool = False
    elsewhere: float = 0.0

    @property
    def weight(self) -> float:
        """How much speaks for it, in papers."""
        return len(self.papers) + self.elsewhere


class Senses:
    """The senses of all short forms of a corpus.

    `homes` are the groups of its readings, `words_of` the words that a group's names are made of; `elsewhere` says what
    short forms stand for in other papers, and `group_of` which group the words of a long form are in.
    """

    def __init__(
        self,
        corpus: Corpus,
        homes: Sequence[str],
        words_of: Mapping[str, frozenset[str]],
        elsewhere: Mapping[str, Mapping[Words, float]],
        group_of: Callable[[Words], str],
    ) -> None:
        self._texts, self._words_of, self._elsewhere, self._group_of = corpus.texts, words_of, elsewhere, group_of
        self._by_form: dict[str, dict[str, Sense]] = defaultdict(dict)
        self._cases: dict[str, set[str]] = defaultdict(set)
        self._company: dict[str, set[str]] = defaultdict(set)
        for reading, home in zip(corpus.readings, homes, strict=True):
            self._company[reading.paper].add(home)
            for form in reading.shorts:
                self._add(short_key(form), home, reading)
        self._frequency = Counter(g for company in self._company.values() for g in company)

    def _add(self, short: str, group: str, reading: Reading) -> None:
        sense = self._by_form[short].setdefault(group, Sense())
        sense.papers.add(reading.paper)
        sense.types.add(reading.type)
        sense.coined = sense.coined or reading.role is Role.PROPOSES
        self._cases[short.casefold()].add(short)

    def of(self, reading: Reading, home: str) -> tuple[str, Why]:
        """Say which group an entity is of whose names are of the group `home`, and why."""
        if reading.shorts or not all(map(is_short, reading.forms)):
            return home, Why.NAMED
        senses, others = self._candidates(short_key(reading.forms[0]))
        if not senses:
            return home, Why.UNKNOWN
        best = max(sorted(senses), key=lambda g: senses[g].weight)
        if senses[best].weight >= LEAST_SHARE * (math.fsum(s.weight for s in senses.values()) + others):
            return (best, Why.ONLY) if _agrees(senses[best], reading) else (home, Why.APART)
        return self._by_words(senses, reading) or self._by_company(senses, reading) or (home, Why.APART)

    def rivals(self, reading: Reading) -> list[str]:
        """The groups that an entity with nothing but a short form could be of, the likeliest first."""
        senses, _ = self._candidates(short_key(reading.forms[0]))
        return sorted(senses, key=lambda g: (-senses[g].weight, g))

    def _candidates(self, short: str) -> tuple[dict[str, Sense], float]:
        """The senses of a short form, and the weight of senses that nothing more is known of."""
        cases = self._cases.get(short.casefold(), set())
        form = short if short in cases or len(cases) != 1 else next(iter(cases))
        senses = {group: replace(sense) for group, sense in self._by_form.get(form, {}).items()}
        others = 0.0
        for long, weight in self._elsewhere.get(short, {}).items():
            if long == OTHERS:
                others += weight
            else:
                senses.setdefault(self._group_of(long), Sense()).elsewhere += weight
        return senses, others

    def _by_words(self, senses: Mapping[str, Sense], reading: Reading) -> tuple[str, Why] | None:
        """The sense whose telling words the paper uses."""
        used = {stem(american(singular(w))) for w in set(WORD.findall(self._texts.get(reading.paper, "").casefold()))}
        own = {g: self._words_of.get(g) or frozenset(map(stem, g.split())) for g in senses}
        common = frozenset.intersection(*own.values()) if len(own) > 1 else frozenset()
        hits = {g: len((w - common) & used) / (len(w - common) or 1) for g, w in own.items()}
        return _clear(hits, Why.WORDS, least=LEAST_WORDS)

    def _by_company(self, senses: Mapping[str, Sense], reading: Reading) -> tuple[str, Why] | None:
        """The sense whose papers share the rarest things with this paper."""
        here = self._company[reading.paper]
        close = {g: self._closeness(here, sense.papers - {reading.paper}) for g, sense in senses.items()}
        return _clear(close, Why.COMPANY, least=LEAST_CLOSENESS)

    def _closeness(self, here: set[str], papers: set[str]) -> float:
        """Mean over papers of the cosine between what they name and what this paper names, by inverse frequency."""
        return math.fsum(self._cosine(here, self._company[p]) for p in papers) / (len(papers) or 1)

    def _cosine(self, a: set[str], b: set[str]) -> float:
        norm = math.sqrt(self._weight(a) * self._weight(b))
        return self._weight(a & b) / norm if norm else 0.0

    def _weight(self, groups: Iterable[str]) -> float:
        papers = len(self._company)
        return math.fsum(math.log(1 + papers / self._frequency[g]) ** 2 for g in groups)


def _agrees(sense: Sense, reading: Reading) -> bool:
    """Say whether an entity may be of the only sense: where one paper alone knows it, type and role must fit."""
    if sense.weight > 1 or reading.paper in sense.papers:
        return True
    return reading.type in sense.types and not (sense.coined and reading.role is Role.PROPOSES)


def _clear(score: Mapping[str, float], why: Why, *, least: float) -> tuple[str, Why] | None:
    """The group with the best score, if it is good enough and well ahead of the next."""
    ranked = sorted(score, key=lambda g: (-score[g], g))
    best, second = score[ranked[0]], score[ranked[1]] if len(ranked) > 1 else 0.0
    return (ranked[0], why) if best >= least and best >= LEAST_RATIO * second else None
