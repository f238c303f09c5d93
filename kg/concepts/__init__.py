"""Extractions to concepts: the nodes that papers share.

1. read       what each entity is called and as what (`reading`), and what short forms stand for (`lexicon`)
2. name       folded words for each name; names that are worded alike are one group (`naming`, `wording`)
3. join       groups that papers use for one thing (`evidence`), and those that people say are one (`aliases`)
4. resolve    entities with nothing but a short form, by their paper (`senses`)
5. choose     type, label (`choose`) and slug (`slugs`)

A concept is a set of entities with evidence that they are one thing; a wrong merge is worse than a missed one. The
outcome depends on the papers, not on their order nor on what was built before. More papers change an IRI only where the
concept is another one now: merged, resolved, parted or retyped (`slugs` says when that is); `replaced` names its heir.
The names of all papers are kept in memory, not their texts' spans.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path

from kg.concepts import decisions, evidence, known
from kg.concepts import doubts as doubts_of
from kg.concepts.aliases import read as read_aliases
from kg.concepts.choose import Cluster, chosen
from kg.concepts.doubts import Doubt
from kg.concepts.history import replaced
from kg.concepts.lexicon import lexicon
from kg.concepts.naming import Name, Naming, alike, naming
from kg.concepts.part import part
from kg.concepts.places import Places, short_forms
from kg.concepts.reading import Corpus, read
from kg.concepts.senses import Senses, Why
from kg.groups import Groups
from kg.memory import uncollected
from kg.names import key
from kg.records import Concept, Extraction
from kg.wording import Words, stem

__all__ = ["Doubt", "Settled", "concepts", "part", "replaced", "settle"]


@dataclass(frozen=True, slots=True)
class Settled:
    """Concepts, and what was decided on the way.

    `disagreements`: concepts whose entities differ in type; `overruled`: entities that another type than theirs was
    chosen for; `resolved`: how many entities with nothing but a short form were taken for something, by the reason.
    """

    concepts: tuple[Concept, ...]
    disagreements: int
    overruled: int
    resolved: dict[str, int]
    doubts: tuple[Doubt, ...]


def concepts(extractions: Iterable[Extraction], *, aliases: Path | None = None) -> tuple[Concept, ...]:
    """Group the entities of all papers into concepts; every entity is a member of exactly one.

    `aliases` is a file of decisions (`kg.concepts.aliases`) that add to those that come with the program.
    """
    return settle(extractions, aliases=aliases).concepts


@uncollected()
def settle(
    extractions: Iterable[Extraction],
    *,
    aliases: Path | None = None,
    informed: bool = True,
) -> Settled:
    """Make concepts, and say what was decided on the way; `informed=False` leaves out what is known beforehand."""
    decided = read_aliases(aliases)
    corpus = read(extractions)
    resolved = _resolved(corpus, known.short_forms() if informed else {})
    clusters = decisions.apply(decided, _clusters(corpus, resolved), resolved.places)
    made = chosen(dict.fromkeys(clusters.values()), known.index() if informed else known.Index())
    pairs = {frozenset((key(a.name), key(a.other))) for a in decided}
    doubts = _labelled(resolved.doubts, clusters, resolved.places, pairs)
    return Settled(made, *_types(corpus, made), resolved.reasons, doubts)


@dataclass(frozen=True, slots=True)
class _Resolved:
    """For each reading its group of names, the names, and where groups are found; what was decided on the way."""

    groups: list[str]
    names: Mapping[str, Name]
    places: Places
    reasons: dict[str, int]
    doubts: list[Doubt]


def _resolved(corpus: Corpus, elsewhere: Mapping[str, Mapping[Words, float]]) -> _Resolved:
    names = naming(corpus, lexicon(corpus, elsewhere))
    groups, by_key = alike(names.names)
    doubts = evidence.join(corpus, names, groups)
    total = evidence.totals(names, groups)
    homes = evidence.homes(names, groups, total)
    places = Places(groups, by_key, {})
    senses = Senses(corpus, homes, _words(names, groups), elsewhere, lambda long: places.worded(long) or " ".join(long))
    found = [senses.of(reading, home) for reading, home in zip(corpus.readings, homes, strict=True)]
    own = [group for group, _ in found]
    kept_apart = [r for r, (_, why) in zip(corpus.readings, found, strict=True) if why is Why.APART]
    doubts += doubts_of.apart(kept_apart, senses.rivals)
    doubts += doubts_of.endings({text: name.words for text, name in names.names.items()}, groups, total)
    reasons = Counter(why.value for _, why in found if why not in (Why.NAMED, Why.UNKNOWN))
    places = replace(places, by_short=short_forms(corpus.readings, own))
    return _Resolved(own, names.names, places, dict(sorted(reasons.items())), doubts)


def _labelled(
    doubts: Iterable[Doubt], clusters: Mapping[str, Cluster], places: Places, decided: Set[frozenset[str]]
) -> tuple[Doubt, ...]:
    """Doubts about groups as doubts about the concepts that they became part of; nobody is asked twice."""
    labels = {group: cluster.label for group, cluster in clusters.items()}
    found = set()
    for doubt in doubts:
        name, other = (labels.get(places.groups.of(n), n) for n in (doubt.name, doubt.other))
        pair = frozenset((key(name), key(other)))
        if len(pair) > 1 and pair not in decided:
            found.add(Doubt(name, other, doubt.papers, doubt.reason))
    return tuple(sorted(found, key=lambda d: (-d.papers, d)))


def _words(names: Naming, groups: Groups) -> dict[str, frozenset[str]]:
    """The words that the names of each group are made of, endings off."""
    found: dict[str, set[str]] = defaultdict(set)
    for text, name in names.names.items():
        found[groups.of(text)].update(map(stem, name.words))
    return {group: frozenset(words) for group, words in found.items()}


def _clusters(corpus: Corpus, resolved: _Resolved) -> list[Cluster]:
    """A cluster for each group that has readings, with the names of that group; one that none has is its own."""
    found: dict[str, Cluster] = {}
    for reading, group in zip(corpus.readings, resolved.groups, strict=True):
        found.setdefault(group, Cluster(group)).readings.append(reading)
    for text, name in resolved.names.items():
        if cluster := found.get(resolved.places.groups.of(text)):
            cluster.names |= name.spellings
            cluster.marked = cluster.marked or bool(name.mark)
    for group, cluster in found.items():
        cluster.names = cluster.names or {tuple(group.split())}
    return list(found.values())


def _types(corpus: Corpus, made: Sequence[Concept]) -> tuple[int, int]:
    """How many concepts have entities of several types, and how many entities were overruled."""
    chosen_type = {member: concept.type for concept in made for member in concept.members}
    overruled = [r for r in corpus.readings if chosen_type[r.paper, r.index] is not r.type]
    place = {member: n for n, concept in enumerate(made) for member in concept.members}
    return len({place[r.paper, r.index] for r in overruled}), len(overruled)
