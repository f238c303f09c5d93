"""People's decisions, applied to clusters of entities: split, then merge, then rename.

A name in a decision means the cluster of the entities that are worded so; an abbreviation, the one that most entities
called just that are in. `apart` takes the entities that are spelled like its first name out of the cluster that they
share with the second. What is decided later beats what was decided before.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.concepts.aliases import Alias, Kind
from kg.concepts.choose import Cluster
from kg.concepts.groups import Groups
from kg.concepts.wording import keys
from kg.names import is_short, key, short_key, words
from kg.records import EntityType


@dataclass(frozen=True, slots=True)
class _Places:
    """Where a name's cluster is found: by its comparison keys, or by the short form that it is."""

    groups: Groups
    by_key: Mapping[str, str]
    by_short: Mapping[str, str]

    def of(self, name: str) -> str:
        """The group of a name, or "" if no paper has it."""
        if is_short(name) and short_key(name) in self.by_short:
            return self.by_short[short_key(name)]
        found = (self.by_key.get(k) for k in keys(words(name)))
        return next((self.groups.of(text) for text in found if text is not None), "")


def apply(
    aliases: Sequence[Alias], clusters: Sequence[Cluster], groups: Groups, by_key: Mapping[str, str]
) -> list[Cluster]:
    """Apply decisions to clusters; decisions about names that don't occur change nothing."""
    by_group = {c.group: c for c in clusters}
    places = _Places(groups, by_key, _shorts(clusters))
    split = {a.name: group for a in aliases if a.kind is Kind.APART and (group := _split(a, places, by_group))}
    where = {name: split.get(name) or places.of(name) for a in aliases for name in (a.name, a.other)}
    merged = _merged(_standing(aliases), where, by_group)
    for alias in aliases:
        cluster = merged.get(where[alias.name])
        if cluster and alias.kind is Kind.LABEL:
            cluster.label = alias.other
        if cluster and alias.kind is Kind.TYPE:
            cluster.type = EntityType(alias.other)
    return list(dict.fromkeys(merged.values()))


def _shorts(clusters: Sequence[Cluster]) -> dict[str, str]:
    """For each short form, the group of most of the entities that have no other name."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for cluster in clusters:
        for reading in cluster.readings:
            if all(map(is_short, reading.forms)):
                counts[short_key(reading.forms[0])][cluster.group] += 1
    return {short: min(c, key=lambda g: (-c[g], g)) for short, c in counts.items()}


def _split(alias: Alias, places: _Places, by_group: dict[str, Cluster]) -> str:
    """Take the entities that are spelled like the alias's name out of the cluster they share with its other name."""
    group = places.of(alias.name)
    cluster = by_group.get(group)
    if cluster is None or group != places.of(alias.other):
        return ""
    spelled = key(alias.name)
    out = [r for r in cluster.readings if spelled in map(key, r.forms) and key(alias.other) not in map(key, r.forms)]
    if not out:
        return ""
    gone = set(map(id, out))
    cluster.readings = [r for r in cluster.readings if id(r) not in gone]
    own = f"{group} ({spelled})"
    by_group[own] = Cluster(own, out)
    return own


def _standing(aliases: Sequence[Alias]) -> list[Alias]:
    """The merges that no later line takes back."""
    last: dict[frozenset[str], Alias] = {}
    for alias in aliases:
        if alias.kind in (Kind.SAME, Kind.APART):
            last[frozenset((key(alias.name), key(alias.other)))] = alias
    return [a for a in last.values() if a.kind is Kind.SAME]


def _merged(aliases: Sequence[Alias], where: Mapping[str, str], by_group: Mapping[str, Cluster]) -> dict[str, Cluster]:
    """For each group the cluster that it is in, after the merges; names that no paper has are links all the same."""
    links = Groups()
    for alias in aliases:
        links.join(where[alias.name] or f"?{key(alias.name)}", where[alias.other] or f"?{key(alias.other)}")
    merged: dict[str, Cluster] = {}
    for group, cluster in sorted(by_group.items()):
        if cluster.readings:
            home = merged.setdefault(links.of(group), Cluster(links.of(group)))
            home.readings += cluster.readings
            merged[group] = home
    return merged
