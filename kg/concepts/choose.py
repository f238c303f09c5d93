"""What a concept is called, what it is, and the last part of its IRI.

1. Type: the one that most of its entities have, weighted by confidence; what it is elsewhere counts like a few papers.
2. Label: the name that most entities use, counting its spellings together. An abbreviation gives way to its long form
   where that is an ordinary term (mostly written small: `large language model`), not where it is a name that was made
   to be abbreviated (`CLIP`). Of its spellings the singular, small one that is used most; a plural is made singular.
3. Slug: of the name that it has elsewhere, if it is known; else of the name that most entities use, where counts of one
   order are equal and the name says which is first: a paper more or less rarely changes it. A concept that had one of
   its type before keeps it. It is unique within the type: where two concepts compete, the one of more entities has it,
   and the others carry a hash of their names.

Nothing here depends on the order of papers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

from kg.concepts.known import Known
from kg.concepts.reading import Reading
from kg.names import in_singular, is_short, key, stands_for, words
from kg.records import Concept, EntityType
from kg.text import clean
from kg.vocab import digest, slug

LEAST_SMALL = 0.5
LEAST_SPELLING = 0.2
MOST_PAPERS_ELSEWHERE = 5


@dataclass(slots=True, eq=False)
class Cluster:
    """The entities of one concept, before it has a name.

    `label` and `type` are set if somebody decided them, `known` if other papers have it, `before` if it has an IRI.
    """

    group: str
    readings: list[Reading] = field(default_factory=list)
    label: str = ""
    type: EntityType | None = None
    known: Known | None = None
    before: tuple[EntityType, str] | None = None

    def kind(self) -> EntityType:
        """The type by evidence, or the one that somebody decided."""
        votes: Counter[EntityType] = Counter()
        for reading in self.readings:
            votes[reading.type] += 1 + round(1000 * reading.confidence)
        if self.known:
            votes[self.known.type] += 1000 * min(self.known.papers, MOST_PAPERS_ELSEWHERE)
        return self.type or min(votes, key=lambda t: (-votes[t], t))

    def forms(self) -> Counter[str]:
        """Its surface forms, markup away, and how many of its entities have each."""
        if len(self.readings) == 1:
            return Counter(dict.fromkeys(map(plain, self.readings[0].forms), 1))
        return Counter(f for reading in self.readings for f in dict.fromkeys(map(plain, reading.forms)))


def chosen(clusters: Iterable[Cluster]) -> tuple[Concept, ...]:
    """Make concepts of clusters, sorted by type and slug; a cluster learns what it is called."""
    rivals: dict[tuple[EntityType, str], list[tuple[Cluster, Counter[str]]]] = defaultdict(list)
    for cluster in clusters:
        forms, kind = cluster.forms(), cluster.kind()
        named = slug(cluster.known.label if cluster.known else headword(forms))
        had = cluster.before[1] if cluster.before and cluster.before[0] is kind else named
        rivals[kind, had].append((cluster, forms))
    concepts = []
    for (kind, plainest), these in rivals.items():
        these.sort(key=lambda r: (r[0].before != (kind, plainest), -len(r[0].readings), r[0].group))
        for n, (cluster, forms) in enumerate(these):
            label = cluster.label = cluster.label or label_of(forms)
            unique = plainest if n == 0 else f"{plainest}_{digest(cluster.group)[:8]}"
            members = tuple(sorted((r.paper, r.index) for r in cluster.readings))
            concepts.append(Concept(unique, kind, label, tuple(sorted(forms.keys() - {label})), members))
    return tuple(sorted(concepts, key=lambda c: (c.type, c.slug)))


def headword(forms: Counter[str]) -> str:
    """The form that the slug is made of: often used, spelled out, of few words, without brackets; in the singular.

    >>> headword(Counter({"LLMs": 3, "Large Language Models": 2, "large language models (LLMs)": 1}))
    'Large Language Model'
    """
    if len(forms) == 1:
        return in_singular(next(iter(forms)))
    counts: Counter[str] = Counter()
    for form, n in forms.items():
        counts[key(form)] += n
    return in_singular(min(forms, key=lambda f: (-_order(counts[key(f)]), is_short(f), *_plainness(f))))


def _order(count: int) -> int:
    """The order of a count: up to 3, up to 15, up to 63 …"""
    return (count.bit_length() + 1) // 2


def _plainness(form: str) -> tuple[bool, int, int, str, int, str]:
    """An order of names that no count enters."""
    return "(" in form, len(words(form)), len(key(form)), key(form), form.count(" "), form


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


@lru_cache(maxsize=1 << 18)
def plain(surface: str) -> str:
    r"""Take the markup of a surface form away.

    >>> plain(r"relative $L_2$"), plain("**Free**")
    ('relative L_2', 'Free')
    """
    return clean(surface).clean or surface
