"""What a concept is called, what it is, and the last part of its IRI.

1. Type: the one that most of its entities have, weighted by confidence; what it is elsewhere counts like a few papers.
2. Label: the name of its own that most entities use, counting its spellings together. An abbreviation gives way to its
   long form where that is an ordinary term (mostly written small: `large language model`), not where it is a name that
   was made to be abbreviated (`CLIP`). Of its spellings the singular, small one that is used most; a plural is made
   singular.
3. Slug: of the name that comes first in a fixed order (`slugs`). No two groups share a name, so it is unique, but for
   what is a dataset if written large and a word if written small (`MATH`), and for a short form that is known to stand
   for one thing and is kept apart from it: if both are of one type, the word, or the short form, carries a hash.

Nothing here depends on the order of papers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from kg.concepts.known import Index, Known
from kg.concepts.reading import Reading
from kg.concepts.slugs import first, slug_of
from kg.names import in_singular, is_short, key, stands_for, words
from kg.records import Concept, EntityType
from kg.text import plain
from kg.vocab import digest
from kg.wording import Words

LEAST_SMALL = 0.5
LEAST_SPELLING = 0.2
MOST_PAPERS_ELSEWHERE = 5


@dataclass(slots=True, eq=False)
class Cluster:
    """The entities of one concept, before it has a name.

    `names` are what its IRI can be made of; `label` and `type` are set if somebody decided them, `known` if other
    papers have it; `marked` if its name is also a word, of something else.
    """

    group: str
    readings: list[Reading] = field(default_factory=list)
    names: set[Words] = field(default_factory=set)
    label: str = ""
    type: EntityType | None = None
    known: Known | None = None
    marked: bool = False

    def kind(self) -> EntityType:
        """The type by evidence, or the one that somebody decided."""
        votes: Counter[EntityType] = Counter()
        for reading in self.readings:
            votes[reading.type] += 1 + round(1000 * reading.confidence)
        if self.known:
            votes[self.known.type] += 1000 * min(self.known.papers, MOST_PAPERS_ELSEWHERE)
        return self.type or min(votes, key=lambda t: (-votes[t], t))

    def add(self, other: Cluster) -> None:
        """Take what another cluster has, too."""
        self.readings += other.readings
        self.names |= other.names
        self.marked = self.marked or other.marked

    def forms(self) -> Counter[str]:
        """Its surface forms, markup away, and how many of its entities have each."""
        if len(self.readings) == 1:
            return Counter(dict.fromkeys(map(_plain, self.readings[0].forms), 1))
        return Counter(f for reading in self.readings for f in dict.fromkeys(map(_plain, reading.forms)))

    def own(self, forms: Counter[str]) -> Counter[str]:
        """Those of its forms that are names of nothing else, and their abbreviations; all, if there are none."""
        own = [form for form in forms if words(form) in self.names]
        own += [form for form in forms if is_short(form) and any(stands_for(form, name) for name in own)]
        return Counter({form: forms[form] for form in own or forms})


def chosen(clusters: Iterable[Cluster], known: Index) -> tuple[Concept, ...]:
    """Make concepts of clusters, sorted by type and slug; a cluster learns what it is called."""
    rivals: dict[tuple[EntityType, str], list[tuple[bool, int, str, Cluster]]] = defaultdict(list)
    for cluster in clusters:
        name = first(cluster.names, known)
        cluster.known = known.of(name)
        rivals[cluster.kind(), slug_of(name, known)].append((not cluster.marked, -len(name), cluster.group, cluster))
    concepts = []
    for (kind, slug), these in rivals.items():
        for n, (*_, cluster) in enumerate(sorted(these, key=lambda rival: rival[:-1])):
            forms = cluster.forms()
            label = cluster.label = cluster.label or label_of(cluster.own(forms))
            unique = slug if n == 0 else f"{slug}_{digest(cluster.group)[:8]}"
            members = tuple(sorted((r.paper, r.index) for r in cluster.readings))
            concepts.append(Concept(unique, kind, label, tuple(sorted(forms.keys() - {label})), members))
    return tuple(sorted(concepts, key=lambda c: (c.type, c.slug)))


def label_of(forms: Counter[str]) -> str:
    """Choose the label among forms with their counts.

    >>> label_of(Counter({"LLMs": 5, "Large language models": 3, "large language models": 4}))
    'large language model'
    """
    if len(forms) == 1:
        return in_singular(next(iter(forms)))
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for form, n in forms.items():
        spellings[key(form) or form][form] = n
    best = min(spellings, key=lambda k: (-spellings[k].total(), len(k), k))
    form = _spelling(spellings[best])
    if is_short(form):
        form = _long_form(form, spellings) or form
    return in_singular(form)


def _long_form(short: str, spellings: Mapping[str, Counter[str]]) -> str | None:
    """The most used long form of a short one, if it is an ordinary term."""
    longs = {k: c for k, c in spellings.items() if stands_for(short, _spelling(c)) and len(k) > len(short) + 2}
    if not longs:
        return None
    best = min(longs, key=lambda k: (-longs[k].total(), k))
    small = sum(n for form, n in longs[best].items() if form[1:].islower())
    return _spelling(longs[best]) if small >= LEAST_SMALL * longs[best].total() else None


def _spelling(forms: Counter[str]) -> str:
    """The spelling to show: not a rare one, singular before plural, small before capital, then the most used."""
    least = LEAST_SPELLING * forms.total()
    return min(forms, key=lambda f: (forms[f] < least, in_singular(f) != f, not f.islower(), -forms[f], f))


def _plain(surface: str) -> str:
    """A surface form without its markup, unless it is nothing else."""
    return plain(surface) or surface
