"""One abstract as the classifiers of results see it: words, entities as one item each, and where its numbers stand.

1. Clean text is cut into words; digits are one word whatever they say (`#`), so that no classifier learns a value.
2. Words that an entity's mention covers are one item whose key is the type (`<Metric>`): what stands between a number
   and an entity is then the same few keys in many abstracts (`# improvement in <Metric>`).
3. Each key has a word class, learned from where words stand in abstracts: what was learned of `latency` holds for
   `bandwidth`. Words too rare for a class are told apart by their last two letters.
4. Numbers, and mentions of one type, that are listed with commas or `and` have a place in that list: `A and B by 3% and
   4%, respectively`.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from itertools import pairwise
from typing import NamedTuple

from kg.extraction.candidates import Number, Shape, find
from kg.records import Entity, EntityType, Place
from kg.text import Text

WORD = re.compile(r"[0-9]+(?:[.,][0-9]+)*|[^\W\d_][\w’']*(?:[-@]\w+)*|\S")
COMMAS = frozenset((",", "and", "or", "/", "&"))
JOINERS = COMMAS | frozenset("( ) % × x points scores score in - – of on by to the accuracy".split())
LONGEST_JOIN = 4
LONGEST = 10_000  # characters of a text that are looked at: no abstract is longer, and numbers look at all entities


class Word(NamedTuple):
    """A word of the clean text; `item` is the item that it is in."""

    start: int
    end: int
    form: str
    item: int


class Item(NamedTuple):
    """A word, or the words of a mention: `entity` is the index of its entity, else -1."""

    start: int
    end: int
    key: str
    entity: int
    sentence: int


class Spot(NamedTuple):
    """Where a number stands: items `first` up to `after`, and the sentence."""

    first: int
    after: int
    sentence: int


class Listed(NamedTuple):
    """Place in a list, and how long the list is."""

    place: int
    length: int


Span = tuple[int, int, int]


@dataclass(frozen=True, slots=True)
class Scene:
    """See the module's docstring; `spots` are the numbers'. `numbers_listed` and `mentions_listed` are by index.

    `sentences` are the items (first, after) of each sentence.
    """

    text: Text
    entities: tuple[Entity, ...]
    numbers: tuple[Number, ...]
    words: tuple[Word, ...]
    items: tuple[Item, ...]
    keys: tuple[str, ...]
    classes: tuple[str, ...]
    spots: tuple[Spot, ...]
    sentences: tuple[tuple[int, int], ...]
    numbers_listed: dict[int, Listed]
    mentions_listed: dict[int, Listed]

    def named(self) -> list[int]:
        """Entities that are in the items, or in the title only."""
        here = {i.entity for i in self.items}
        return [i for i, e in enumerate(self.entities) if i in here or all(m.place is Place.TITLE for m in e.mentions)]

    def value(self, number: int) -> str:
        """A number as the clean text writes it."""
        return self.text.clean[self.numbers[number].start : self.numbers[number].end]


def scene(text: Text, entities: Sequence[Entity], sentences: Sequence[tuple[int, int]]) -> Scene | None:
    """Read one abstract; None where it has no number. `sentences` are offsets in the source."""
    numbers = tuple(n for n in find(text) if n.start < LONGEST)
    if not numbers:
        return None
    starts = sorted({0, *(text.to_clean(*s)[0] for s in sentences)})
    words, items = _items(text, entities, starts)
    keys = tuple(i.key for i in items)
    spots = tuple(_spot(items, n, starts) for n in numbers)
    bounds = [bisect_left(items, s, key=lambda i: i.sentence) for s in range(len(starts) + 1)]
    mentions: dict[int, Listed] = {}
    for kind in (EntityType.METRIC, EntityType.DATASET, EntityType.MODEL, EntityType.METHOD):
        mentions |= _listed(items, keys, [(i, i, i + 1) for i, k in enumerate(keys) if k == f"<{kind}>"])
    return Scene(
        text,
        tuple(entities),
        numbers,
        words,
        items,
        keys,
        tuple(word_class(k) for k in keys),
        spots,
        tuple(pairwise(bounds)),
        _listed(items, keys, _apart(numbers, spots)),
        mentions,
    )


def word_class(key: str) -> str:
    """What kind of word a key is; mentions and signs are their own class.

    >>> word_class("latency") == word_class("bandwidth"), word_class("<Metric>"), word_class("zyxing")
    (True, '<Metric>', '?ng')
    """
    return classes().get(key) or ("?" + key[-2:] if key[0].isalpha() else key)


@lru_cache(maxsize=1)
def classes() -> dict[str, str]:
    """The class of each word that has one, named by its line in the file."""
    lines = (files("kg") / "data" / "results" / "words.txt").read_text(encoding="utf-8").splitlines()
    return {word: f"k{number}" for number, line in enumerate(lines) for word in line.split()}


def _items(text: Text, entities: Sequence[Entity], starts: list[int]) -> tuple[tuple[Word, ...], tuple[Item, ...]]:
    spans = sorted(
        (*text.to_clean(m.start, m.end), index)
        for index, entity in enumerate(entities)
        for m in entity.mentions
        if m.place is Place.ABSTRACT
    )
    spans = [s for s in spans if s[0] < s[1]]
    words: list[Word] = []
    items: list[Item] = []
    at, last = 0, -1
    for hit in WORD.finditer(text.clean, 0, LONGEST):
        start, end = hit.span()
        while at < len(spans) and spans[at][1] <= start:
            at += 1
        form = "#" if hit[0][0] in "0123456789" else hit[0].lower()
        if at == len(spans) or spans[at][0] >= end:
            items.append(Item(start, end, form, -1, bisect_right(starts, start) - 1))
        elif last != at:
            first, stop, entity = spans[at]
            items.append(Item(first, stop, f"<{entities[entity].type}>", entity, bisect_right(starts, first) - 1))
            last = at
        words.append(Word(start, end, form, len(items) - 1))
    return tuple(words), tuple(items)


def _spot(items: tuple[Item, ...], number: Number, starts: list[int]) -> Spot:
    first = bisect_left(items, number.start, key=lambda i: i.start)
    while first and items[first - 1].end > number.start:
        first -= 1
    after = max(first + 1, bisect_left(items, number.end, key=lambda i: i.start))
    return Spot(first, after, bisect_right(starts, number.start) - 1)


def _apart(numbers: tuple[Number, ...], spots: tuple[Spot, ...]) -> list[Span]:
    """The numbers that can be in a list, without those that overlap the one before."""
    found, end = [], -1
    for index, (number, spot) in enumerate(zip(numbers, spots, strict=True)):
        if number.start >= end and number.shape is not Shape.WORDS:
            found.append((index, spot.first, spot.after))
            end = number.end
    return found


def _listed(items: tuple[Item, ...], keys: tuple[str, ...], members: Iterable[Span]) -> dict[int, Listed]:
    """Which members (name, first item, item after) follow one another with nothing but joiners between them."""
    found: dict[int, Listed] = {}
    run: list[Span] = []
    for member in (*members, None):
        if run and member and _joined(items, keys, run[-1], member):
            run.append(member)
            continue
        found |= {name: Listed(place, len(run)) for place, (name, _, _) in enumerate(run)}
        run = [member] if member else []
    return found


def _joined(items: tuple[Item, ...], keys: tuple[str, ...], left: Span, right: Span) -> bool:
    between = keys[left[2] : right[1]]
    return (
        right[1] < len(items)
        and 0 < len(between) <= LONGEST_JOIN
        and items[left[1]].sentence == items[right[1]].sentence
        and JOINERS.issuperset(between)
        and not COMMAS.isdisjoint(between)
    )
