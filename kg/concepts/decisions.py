"""People's decisions, applied to clusters of entities: split, then merge, then rename.

A name in a decision means the cluster of the entities that are worded so; an abbreviation, the one that most entities
called just that are in. `apart` takes the entities that are spelled like its first name, and that name, out of the
cluster that they share with the second. What is decided later beats what was decided before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.concepts.aliases import Alias, Kind
from kg.concepts.choose import Cluster
from kg.concepts.places import Places
from kg.groups import Groups
from kg.names import key, words
from kg.records import EntityType
from kg.wording import Words


def apply(aliases: Sequence[Alias], clusters: Sequence[Cluster], places: Places) -> dict[str, Cluster]:
    """Apply decisions; returns for each group the cluster that it is then in. Names that don't occur change nothing."""
    by_group = {c.group: c for c in clusters}
    split = {a.name: group for a in aliases if a.kind is Kind.APART and (group := _split(a, places, by_group))}
    where = {name: split.get(name) or places.of(name) for a in aliases for name in (a.name, a.other)}
    merged = _merged(_standing(aliases), where, by_group)
    for alias in aliases:
        cluster = merged.get(where[alias.name])
        if cluster and alias.kind is Kind.LABEL:
            cluster.label = alias.other
        if cluster and alias.kind is Kind.TYPE:
            cluster.type = EntityType(alias.other)
    return merged


def _split(alias: Alias, places: Places, by_group: dict[str, Cluster]) -> str:
    """Take the entities that are spelled like the alias's name out of the cluster they share with its other name."""
    group = places.of(alias.name)
    cluster = by_group.get(group)
    if cluster is None or group != places.of(alias.other):
        return ""
    spelled, other = key(alias.name), key(alias.other)
    out = [r for r in cluster.readings if spelled in (named := set(map(key, r.forms))) and other not in named]
    if not out:
        return ""
    gone = set(map(id, out))
    cluster.readings = [r for r in cluster.readings if id(r) not in gone]
    names = {name for name in cluster.names if "".join(name) == spelled}
    cluster.names = cluster.names - names or {words(alias.other)}
    own = f"{group} ({spelled})"
    by_group[own] = Cluster(own, out, names or {words(alias.name)})
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
    unsaid: dict[str, Words] = {}
    for alias in aliases:
        a, b = (where[name] or f"?{key(name)}" for name in (alias.name, alias.other))
        unsaid |= {place: words(name) for place, name in ((a, alias.name), (b, alias.other)) if place[0] == "?"}
        links.join(a, b)
    homes: dict[str, Cluster] = {}
    merged: dict[str, Cluster] = {}
    for group, cluster in sorted(by_group.items()):
        if cluster.readings:
            merged[group] = homes.setdefault(links.of(group), Cluster(links.of(group)))
            merged[group].add(cluster)
    for place, name in unsaid.items():
        if home := homes.get(links.of(place)):
            home.names.add(name)
    return merged
