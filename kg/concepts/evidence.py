"""What entities say about names: which name of an entity counts, and which names papers use for one thing.

An entity with several names is counted under the group of names that most of its forms are in, the more frequent one
among equals. Beyond that, its groups of names become one if the papers bear it out:

1. of two groups, the rarer one is taken to be another name of the more frequent one, if the entities that have both
   are at least half of all entities that have the rarer;
2. and no other group has as good a claim, nor is the more frequent one used mostly with several such: a name that
   papers use for several things (`attribution`) joins none of them;
3. and the two don't differ in a number, nor is one the other with modifiers before it: these are versions or kinds;
4. and no more papers name the two as two entities than as one.

So one paper's wrong grouping can't join two things that many papers name. What fails a test only narrowly is a doubt.

Before that, long forms of one short form that agree word by word but for endings (`differential privacy`,
`differentially private`: DP) become one group.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from kg.concepts.doubts import Doubt, same_but_endings
from kg.concepts.naming import Naming
from kg.concepts.reading import Corpus
from kg.groups import Groups
from kg.names import short_key

LEAST_SHARE = 0.5
DOUBT_SHARE = 0.1
NUMBER = re.compile(r"\d+")


@dataclass(frozen=True, slots=True)
class Claim:
    """A rarer and a more frequent group that are names of one entity in some papers."""

    rarer: str
    other: str
    together: int
    total: int


def homes(naming: Naming, groups: Groups, total: Counter[str]) -> list[str]:
    """The group that each reading counts under."""
    of = {name: groups.of(name) for name in naming.names}
    found = []
    for names in naming.of:
        first = of[names[0]]
        if len(names) > 1 and any(of[n] != first for n in names):
            own = Counter(of[n] for n in names)
            found.append(max((n, total[g], g == first, g) for g, n in own.items())[-1])
        else:
            found.append(first)
    return found


def totals(naming: Naming, groups: Groups) -> Counter[str]:
    """How many entities have a name of each group."""
    of = {name: groups.of(name) for name in naming.names}
    return Counter(g for names in naming.of for g in ({of[n] for n in names} if len(names) > 1 else (of[names[0]],)))


def join(corpus: Corpus, naming: Naming, groups: Groups) -> list[Doubt]:
    """Join the groups that papers use for one thing, in `groups`; returns the doubts."""
    total = totals(naming, groups)
    home = homes(naming, groups, total)
    if _join_long_forms(corpus, naming, groups, home):
        total = totals(naming, groups)
        home = homes(naming, groups, total)
    claims = _claims(corpus, naming, groups, home, total)
    apart = _apart(corpus, home, {(c.rarer, c.other) for c in claims})
    rivals: dict[str, list[Claim]] = defaultdict(list)
    for claim in claims:
        rivals[claim.rarer].append(claim)
    doubts, accepted = [], []
    shared = _shared(claims, total)
    for claim in claims:
        against = _against(claim, rivals[claim.rarer], naming, apart)
        if claim.other in shared and not against:
            against = "several things are called so"
        if not against:
            accepted.append(claim)
        elif claim.total > claim.together and claim.together >= DOUBT_SHARE * claim.total:
            doubts.append(Doubt(claim.rarer, claim.other, claim.together, f"one entity in some papers, but {against}"))
    for claim in accepted:
        groups.join(claim.rarer, claim.other)
    return doubts


def _join_long_forms(corpus: Corpus, naming: Naming, groups: Groups, home: Sequence[str]) -> int:
    """Join long forms of one short form that differ in endings only; returns how many joins that took."""
    longs: dict[tuple[str, int], set[str]] = defaultdict(set)
    for reading, names, at in zip(corpus.readings, naming.of, home, strict=True):
        for short in reading.shorts:
            longs[short_key(short), len(naming.names[names[0]].words)].add(
                names[0] if groups.of(names[0]) == at else at
            )
    joined = 0
    for rivals in longs.values():
        ordered = sorted(rivals)
        for n, name in enumerate(ordered):
            for other in ordered[n + 1 :]:
                if groups.of(name) != groups.of(other) and same_but_endings(
                    naming.names[name].words, naming.names[other].words
                ):
                    groups.join(name, other)
                    joined += 1
    return joined


def _claims(corpus: Corpus, naming: Naming, groups: Groups, home: Sequence[str], total: Counter[str]) -> list[Claim]:
    together: Counter[tuple[str, str]] = Counter()
    for names, at in zip(naming.of, home, strict=True):
        for group in {groups.of(n) for n in names} - {at} if len(names) > 1 else ():
            together[_ordered(group, at, total)] += 1
    for i, j in corpus.apposed:
        if home[i] != home[j]:
            together[_ordered(home[i], home[j], total)] += 1
    return [Claim(rarer, other, n, total[rarer]) for (rarer, other), n in sorted(together.items())]


def _ordered(a: str, b: str, total: Counter[str]) -> tuple[str, str]:
    """Two groups, the rarer one first."""
    return (a, b) if (total[a], a) < (total[b], b) else (b, a)


def _shared(claims: Sequence[Claim], total: Counter[str]) -> set[str]:
    """Groups that lend their name to several rarer ones and hardly stand alone."""
    together: Counter[str] = Counter()
    several: Counter[str] = Counter()
    for claim in claims:
        together[claim.other] += claim.together
        several[claim.other] += claim.total > 1
    return {g for g, n in several.items() if n > 1 and 2 * together[g] > total[g]}


def _apart(corpus: Corpus, home: Sequence[str], pairs: set[tuple[str, str]]) -> Counter[tuple[str, str]]:
    """How many papers have the two groups of a pair as two entities, and don't say that these are one."""
    by_paper: dict[str, set[str]] = defaultdict(set)
    for reading, group in zip(corpus.readings, home, strict=True):
        by_paper[reading.paper].add(group)
    partners: dict[str, list[str]] = defaultdict(list)
    for rarer, other in sorted(pairs):
        partners[rarer].append(other)
    apart = Counter((g, o) for own in by_paper.values() for g in own if g in partners for o in partners[g] if o in own)
    for i, j in corpus.apposed:
        apart.subtract({pair: 1 for pair in ((home[i], home[j]), (home[j], home[i])) if pair in apart})
    return apart


def _against(claim: Claim, rivals: Sequence[Claim], naming: Naming, apart: Counter[tuple[str, str]]) -> str:
    if any(r.together >= claim.together for r in rivals if r != claim):
        return "several things are called so"
    if apart[claim.rarer, claim.other] >= claim.together:
        return "papers name both"
    a, b = naming.names[claim.rarer].words, naming.names[claim.other].words
    short, long = sorted((a, b), key=len)
    if len(short) < len(long) and long[-len(short) :] == short:
        return "one is a kind of the other"
    if sorted(NUMBER.findall(" ".join(a))) != sorted(NUMBER.findall(" ".join(b))) and claim.total > claim.together:
        return "numbers differ"
    return "" if claim.together >= LEAST_SHARE * claim.total else "few papers say so"
