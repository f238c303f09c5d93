"""The last part of a concept's IRI: the first of its names, in an order that no paper changes.

1. A concept's names are those of its group, as folded words: case, plural, spelling and markup are no part of an IRI.
   Abbreviations of another name don't count; names that people say are the same do, even if no paper has them.
2. First come names that are known beforehand (`kg.concepts.known`), the most frequent first; then those of the fewest
   letters, endings aside; then the most parted (`grid world`); then, for endings, nouns (`pruning`, not `prune`).
3. The slug is that name with dashes, zero and a digit that it starts with as words (`zero-shot`, `two-player-game`); of
   a known name, its label.

The order looks at no count, no other concept and no order of papers. So the slug of what two concepts become is that
of one of them, and more papers change an IRI in these cases only, in which `dcterms:isReplacedBy` names the heir:

- merged: papers say that two names are of one thing (or somebody does): the IRI of the second name goes. That holds for
  a name that came alone, too: nothing but history could tell it from the other;
- resolved: a short form that nobody had spelled out is spelled out now;
- parted: a name that stood for one thing stands for several now (an abbreviation, a dataset that is also a word);
- retyped: most papers take it for another type now.

A slug by the most frequent name would be nearer to the label, but change whenever another name overtakes; one that is
kept from an earlier build would make the graph depend on what was built before.
"""

from __future__ import annotations

from collections.abc import Collection

from kg.concepts.known import Index
from kg.names import words
from kg.vocab import slug
from kg.wording import Words, stem

DIGITS = dict(zip("0123456789", "zero one two three four five six seven eight nine".split(), strict=True))
Rank = tuple[int, int, int, int, tuple[int, ...]]


def first(names: Collection[Words], known: Index) -> Words:
    """Choose the name that an IRI is made of.

    >>> first([("neural", "network", "pruning"), ("prune",), ("pruning",)], Index())
    ('pruning',)
    """
    return min(names, key=lambda name: _rank(name, known)) if len(names) > 1 else next(iter(names))


def slug_of(name: Words, known: Index) -> str:
    """Make the slug of a name.

    >>> slug_of(("gpt", "4o"), Index()), slug_of(("c++",), Index())
    ('gpt-4o', 'c_d9bf32f5')
    """
    found = known.of(name)
    return _readable(words(found.label) if found else name)


def _readable(name: Words) -> str:
    rest = ("zero" if word == "0" else word for word in name[1:])
    return slug(" ".join((DIGITS.get(name[0], name[0]), *rest)))


def _rank(name: Words, known: Index) -> Rank:
    """The place of a name in the order."""
    letters = sum(len(stem(word)) for word in name)
    return *known.rank(name), letters, -len(name), tuple(-ord(c) for c in " ".join(name))
