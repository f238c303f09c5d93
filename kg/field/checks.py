"""What was written, checked and made a map: one label and one parent a concept, one concept a name, no circle."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from kg.errors import InputError
from kg.field.concepts import AREA, Entry, FieldConcept, FieldMap
from kg.names import key
from kg.records import EntityType

TYPES: dict[str, EntityType | None] = {**{t.value: t for t in EntityType}, AREA: None}
DIRECTIONS = {"": None, "true": True, "1": True, "false": False, "0": False}


def checked(entries: Sequence[Entry]) -> FieldMap:
    """Make a map of what was written, if nothing is wrong with it."""
    named: dict[tuple[str, EntityType | None], int] = {}
    for n, entry in enumerate(entries):
        for name in dict.fromkeys(map(key, (entry.label, *entry.aliases))):
            other = entries[named.setdefault((name, _known_type(entry)), n)]
            if other is not entry:
                both = f"{entry.label!r} and {other.label!r} ({entry.type})"
                raise InputError(f"{entry.place}: {both} share the name {name!r}; a name means one concept of its type")
    areas = {name for name, type in named if type is None}
    for (name, type), n in named.items():
        if type and name in areas:
            raise InputError(f"{entries[n].place}: {entries[n].label!r} has the name of an area, {name!r}; rename one")
    parents = [_parent(entry, entries, named) for entry in entries]
    _check_chains(entries, parents)
    concepts = [_concept(*pair, entries, named) for pair in zip(entries, parents, strict=True)]
    by_name = {name: concepts[n] for name, n in named.items()}
    return FieldMap(tuple(sorted(concepts, key=lambda c: (c.type or "", c.label.casefold(), c.label))), by_name)


def _known_type(entry: Entry) -> EntityType | None:
    if entry.type not in TYPES:
        told = f"type {entry.type!r} is unknown" if entry.type else "has no type"
        raise InputError(f"{entry.place}: {entry.label!r}: {told}; use one of {', '.join(TYPES)}")
    return TYPES[entry.type]


def _parent(entry: Entry, entries: Sequence[Entry], named: Mapping[tuple[str, EntityType | None], int]) -> int | None:
    """Give the place in the list of the parent that an entry names."""
    type, name = _known_type(entry), key(entry.broader)
    if type is None:
        if entry.broader:
            raise InputError(f"{entry.place}: area {entry.label!r} has the parent {entry.broader!r}; areas have none")
        return None
    if not entry.broader:
        raise InputError(f"{entry.place}: {entry.label!r} has no parent; give it a broader {entry.type} or an area")
    found = named.get((name, type), named.get((name, None)))
    if found is None:
        elsewhere = next((t for t in EntityType if (name, t) in named), None)
        told = f"is a {elsewhere}, it is a {entry.type}" if elsewhere else "is not in the map"
        raise InputError(f"{entry.place}: the parent of {entry.label!r}, {entry.broader!r}, {told}; correct it")
    return found


def _check_chains(entries: Sequence[Entry], parents: Sequence[int | None]) -> None:
    """Refuse a cycle."""
    safe: set[int] = set()
    for start in range(len(entries)):
        chain: dict[int, None] = {}
        at: int | None = start
        while at is not None and at not in safe and at not in chain:
            chain[at] = None
            at = parents[at]
        if at in chain:
            names = [entries[n].label for n in (*[*chain][[*chain].index(at) :], at)]
            raise InputError(f"{entries[at].place}: broader goes in a circle: {' → '.join(names)}; cut it")
        safe.update(chain)


def _concept(
    entry: Entry, parent: int | None, entries: Sequence[Entry], named: Mapping[tuple[str, EntityType | None], int]
) -> FieldConcept:
    """Make a concept of an entry whose names and parent are right."""
    if entry.direction not in DIRECTIONS:
        raise InputError(f"{entry.place}: {entry.label!r}: direction {entry.direction!r}; say true or false")
    tasks = []
    for task in entry.tasks:
        if (key(task), EntityType.TASK) not in named:
            raise InputError(f"{entry.place}: the task of {entry.label!r}, {task!r}, is no Task of the map; correct it")
        tasks.append(entries[named[key(task), EntityType.TASK]].label)
    return FieldConcept(
        label=entry.label,
        type=TYPES[entry.type],
        aliases=tuple(sorted(entry.aliases)),
        broader=None if parent is None else entries[parent].label,
        higher_is_better=DIRECTIONS[entry.direction],
        unit=entry.unit or None,
        tasks=tuple(sorted(tasks)),
    )
