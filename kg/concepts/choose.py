"""What a concept is called, what it is, and the last part of its IRI.

1. Type: the one that most of its entities have, weighted by confidence.
2. Label: the name that most entities use, counting its spellings together. An abbreviation gives way to its long form
   where that is an ordinary term (mostly written small: `large language model`), not where it is a name that was made
   to be abbreviated (`CLIP`). Of its spellings the singular, small one that is used most; a plural is made singular.
3. Slug: of the label, unique within its type; where two concepts compete, the one of more entities has it, and the
   others carry a hash of their names.

Nothing here depends on the order of papers.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from kg.concepts.reading import Reading
from kg.names import is_short, key, singular, stands_for
from kg.records import Concept, EntityType
from kg.text import clean
from kg.vocab import digest, slug

LEAST_SMALL = 0.5


@dataclass(slots=True, eq=False)
class Cluster:
    """The entities of one concept, before it has a name."""

    group: str
    readings: list[Reading] = field(default_factory=list)
    label: str = ""
    type: EntityType | None = None

    def kind(self) -> EntityType:
        """The type by evidence, or the one that somebody decided."""
        votes: Counter[EntityType] = Counter()
        for reading in self.readings:
            votes[reading.type] += 1 + round(1000 * reading.confidence)
        return self.type or min(votes, key=lambda t: (-votes[t], t))


def chosen(clusters: Sequence[Cluster]) -> tuple[Concept, ...]:
    """Make concepts of clusters, sorted by type and slug."""
    made: dict[tuple[EntityType, str], list[tuple[Cluster, str, tuple[str, ...]]]] = defaultdict(list)
    for cluster in clusters:
        name, forms = naming(cluster.readings)
        name = cluster.label or name
        made[cluster.kind(), slug(name)].append((cluster, name, forms))
    concepts = []
    for (kind, plain), rivals in made.items():
        rivals.sort(key=lambda r: (-len(r[0].readings), r[0].group))
        for n, (cluster, name, forms) in enumerate(rivals):
            unique = plain if n == 0 else f"{plain}_{digest(cluster.group)[:8]}"
            members = tuple(sorted((r.paper, r.index) for r in cluster.readings))
            concepts.append(Concept(unique, kind, name, tuple(f for f in forms if f != name), members))
    return tuple(sorted(concepts, key=lambda c: (c.type, c.slug)))


def naming(readings: Iterable[Reading]) -> tuple[str, tuple[str, ...]]:
    """Choose the label of some readings; returns it and all their forms, sorted, markup away."""
    counts: Counter[str] = Counter()
    for reading in readings:
        counts.update({plain(f) for f in reading.forms})
    spellings: dict[str, Counter[str]] = defaultdict(Counter)
    for form, n in counts.items():
        spellings[key(form) or form][form] += n
    best = min(spellings, key=lambda k: (-spellings[k].total(), len(k), k))
    form = _spelling(spellings[best])
    if is_short(form):
        form = _long_form(form, spellings) or form
    return in_singular(form), tuple(sorted(counts))


def _long_form(short: str, spellings: Mapping[str, Counter[str]]) -> str | None:
    """The most used long form of a short one, if it is an ordinary term."""
    longs = {k: c for k, c in spellings.items() if stands_for(short, _spelling(c)) and len(k) > len(short) + 2}
    if not longs:
        return None
    best = min(longs, key=lambda k: (-longs[k].total(), k))
    small = sum(n for form, n in longs[best].items() if form[1:].islower())
    return _spelling(longs[best]) if small >= LEAST_SMALL * longs[best].total() else None


def _spelling(forms: Counter[str]) -> str:
    """The spelling to show: singular before plural, small before capital, then the most used."""
    total = forms.total()
    return min(
        forms,
        key=lambda f: (forms[f] < 0.2 * total, in_singular(f) != f, not f.islower(), -forms[f], f),
    )


@lru_cache(maxsize=1 << 16)
def plain(surface: str) -> str:
    r"""Take the markup of a surface form away.

    >>> plain(r"relative $L_2$"), plain("**Free**")
    ('relative L_2', 'Free')
    """
    return clean(surface).clean or surface


@lru_cache(maxsize=1 << 16)
def in_singular(form: str) -> str:
    """Put the last word of a form in the singular, its letters' case as it is.

    >>> [in_singular(f) for f in ("Graph Neural Networks", "LLMs", "policies", "CIFAR-10", "series", "k-means")]
    ['Graph Neural Network', 'LLM', 'policy', 'CIFAR-10', 'series', 'k-means']
    """
    at = max(form.rfind(c) for c in " -/") + 1
    word = form[at:]
    if len(word) > 2 and word[-1] == "s" and word[:-1].isupper():
        return form[:-1]
    one = singular(word.casefold())
    if not word.isalpha() or word.isupper() or one == word.casefold():
        return form
    same = next(
        (n for n, (a, b) in enumerate(zip(word.casefold(), one, strict=False)) if a != b), min(len(word), len(one))
    )
    return form[:at] + word[:same] + one[same:]
