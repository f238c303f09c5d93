"""Names across papers: each name's words, where it occurs and as what, and which names are worded alike.

A name is the folded words of a surface form, short forms inside it spelled out, joined by spaces; it is also known by
what was written, unless the paper has its own meaning for a short form (`LLaMA-2` and `LLaMA2` stay one). A dataset
with a capital letter is a name of its own where others write the same word small (`MATH`, `math`). Names with a common
comparison key (`kg.wording`) are one group; so are names of which one

1. leaves out a head that both types allow (`Frank-Wolfe algorithm`, `Frank-Wolfe`);
2. leaves out its maker (`OpenAI o1`, `o1`);
3. has the same parts in another order, for models and datasets of at least four parts (`Llama-3-LLaVA-NeXT`);
4. keeps the first letter of a word only, where one name alone can be meant (`F-MNIST`, `GPT-4V`).
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from kg.concepts.lexicon import Lexicon
from kg.concepts.reading import Corpus
from kg.groups import Groups
from kg.records import EntityType
from kg.wording import Words, keys, spelling_key, wording

PROPER = re.compile(r"[A-Z\d]")
SAME_TYPE = {"model", "network", "framework"}
MADE = {EntityType.MODEL, EntityType.METHOD}
DATASET_MARK = " (dataset)"  # brackets don't occur in folded words


@dataclass(slots=True)
class Name:
    """One name: its words, the types of the entities it names, and how many of them there are.

    `spellings` are the words that it was written as; where a paper has its own meaning for a short form, its words.
    """

    words: Words
    mark: str = ""
    types: Counter[EntityType] = field(default_factory=Counter)
    spellings: set[Words] = field(default_factory=set)
    count: int = 0
    proper: bool = False

    @property
    def type(self) -> EntityType:
        """The type that most entities of this name have."""
        return min(self.types, key=lambda t: (-self.types[t], t))


@dataclass(slots=True)
class Naming:
    """All names, and for each reading the names of its forms in their order, without repetition."""

    names: dict[str, Name]
    of: list[tuple[str, ...]]


def naming(corpus: Corpus, lexicon: Lexicon) -> Naming:
    """Find the names of all readings."""
    spelled = [[(form, lexicon.words(form, r.paper) or (form,)) for form in r.names] for r in corpus.readings]
    small = {
        words
        for reading, forms in zip(corpus.readings, spelled, strict=True)
        for form, words in forms
        if reading.type is not EntityType.DATASET and form.islower()
    }
    names: dict[str, Name] = {}
    found: list[tuple[str, ...]] = []
    for reading, forms in zip(corpus.readings, spelled, strict=True):
        own = {}
        for form, words in forms:
            marked = reading.type is EntityType.DATASET and words in small and not form.islower()
            text = " ".join(words) + (DATASET_MARK if marked else "")
            own[text] = names.setdefault(text, Name(words, DATASET_MARK if marked else ""))
            own[text].types[reading.type] += 1
            own[text].count += 1
            own[text].spellings.add(lexicon.written(form, reading.paper) or words)
            own[text].proper = own[text].proper or PROPER.search(form, 1) is not None
        found.append(tuple(own))
    return Naming(names, found)


def alike(names: dict[str, Name]) -> tuple[Groups, dict[str, str]]:
    """Group the names that are worded alike; returns the groups, and one name for each comparison key."""
    groups = Groups()
    first: dict[str, str] = {}
    for text, name in names.items():
        for k in (*keys(name.words), *map(spelling_key, name.spellings)):
            groups.join(text, first.setdefault(k + name.mark, text))
        if len(name.words) > 3 and name.proper and name.type in (EntityType.MODEL, EntityType.DATASET):
            groups.join(text, first.setdefault(" ".join(("*", *sorted(name.words), name.type)), text))
    for text, other in [*_without_head(names), *_without_maker(names), *_initials(names)]:
        groups.join(text, other)
    return groups, first


def _without_head(names: dict[str, Name]) -> Iterator[tuple[str, str]]:
    """Pairs of a name and the same without its head; a head that says something only where no other one competes."""
    data = wording()
    telling: dict[str, set[str]] = defaultdict(set)
    pairs = []
    for text, name in names.items():
        *rest, last = name.words
        head, short = data.classes.get(last, last), " ".join(rest)
        other = names.get(short + DATASET_MARK) if name.type is EntityType.DATASET else None
        other = other or names.get(short)
        if other and head in data.heads and {name.type, other.type} <= data.heads[head]:
            if head not in data.empty:
                telling[short].add(head)
            alike = name.type is other.type
            if (alike or head not in SAME_TYPE) and (len(rest) > 1 or other.proper or (alike and head != "method")):
                pairs.append((text, short + other.mark, short, head))
    for text, other_text, short, head in pairs:
        if head in data.empty or len(telling[short]) == 1:
            yield text, other_text


def _without_maker(names: dict[str, Name]) -> Iterator[tuple[str, str]]:
    for text, name in names.items():
        rest = " ".join(name.words[1:])
        if name.words[0] in wording().vendors and rest in names and {name.type, names[rest].type} <= MADE:
            yield text, rest


def _initials(names: dict[str, Name]) -> Iterator[tuple[str, str]]:
    """Pairs where one name has the initial of the other's first (datasets) or last word (versions)."""
    candidates: dict[Words, set[str]] = defaultdict(set)
    for text, name in names.items():
        w = name.words
        if len(w) > 1 and name.type is EntityType.DATASET and len(w[0]) > 2:
            candidates[("first", w[0][0], *w[1:])].add(text)
        if len(w) > 1 and len(w[-1]) > 2 and w[-2][-1:].isdigit():
            candidates[("last", w[-1][0], *w[:-1])].add(text)
    for text, name in names.items():
        for place in _initial_of(name):
            if len(candidates.get(place, ())) == 1:
                yield text, next(iter(candidates[place]))


def _initial_of(name: Name) -> Iterator[Words]:
    w = name.words
    if len(w) > 1 and len(w[0]) == 1 and name.type is EntityType.DATASET:
        yield ("first", *w)
    if name.proper and len(w[-1]) > 1 and w[-1][:-1].isdigit() and w[-1][-1].isalpha():
        yield ("last", w[-1][-1], *w[:-1], w[-1][:-1])
