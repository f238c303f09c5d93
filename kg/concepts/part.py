"""Entities that name a narrower and a broader thing, divided: `cumulative regret` isn't `regret`.

Annotators, and taggers after them, put a name and its narrower variant in one entity where a paper uses them in turn.
An entity is in one concept, so such an entity would blur both. It is divided, by its paper alone:

1. its forms are grouped: those worded alike, and short forms with what they abbreviate;
2. a group is broader than another one if a name of the other ends with its name, modifiers before it (`regret`), or if
   its short form abbreviates only the last words of the other's name (`NER`, `zero-shot named entity recognition`);
3. each group that takes part in such a pair becomes an entity with the type and role of the whole; the other groups
   stay where the entity's name is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from kg.groups import Groups
from kg.names import is_short, short_key, stands_for, tokens
from kg.records import Entity, Extraction
from kg.wording import Words, keys, reworded, stem


def part(extraction: Extraction) -> Extraction:
    """Divide the entities of one paper that name a narrower and a broader thing."""
    entities = tuple(p for entity in extraction.entities for p in parts(entity))
    return extraction if len(entities) == len(extraction.entities) else replace(extraction, entities=entities)


def parts(entity: Entity) -> tuple[Entity, ...]:
    """Divide one entity; most come back whole."""
    forms = tuple(dict.fromkeys((entity.name, *(m.text for m in entity.mentions))))
    if len(forms) == 1:
        return (entity,)
    spelled = {s: next((f for f in forms if f != s and stands_for(s, f)), "") for s in forms if is_short(s)}
    named = {f: _words(f, spelled) for f in forms if not spelled.get(f)}
    groups = _groups(named, spelled)
    apart = {g for a in named for b in named if _broader(a, b, named) for g in (groups.of(a), groups.of(b))}
    if len(apart) < 2:
        return (entity,)
    home = groups.of(entity.name) if groups.of(entity.name) in apart else min(apart)
    place = {f: groups.of(f) if groups.of(f) in apart else home for f in forms}
    return _divided(entity, place, home)


def _words(form: str, spelled: dict[str, str]) -> Words:
    """The words of a name, its entity's short forms spelled out, endings off."""
    longs = {short_key(s): long for s, long in spelled.items() if long}
    out = [w for written, w in tokens(form) for w in _long(written, w, longs)]
    return tuple(map(stem, reworded(out)))


def _long(written: str, folded: str, longs: dict[str, str]) -> Iterable[str]:
    long = longs.get(short_key(written))
    return (w for _, w in tokens(long)) if long else (folded,)


def _groups(named: dict[str, Words], spelled: dict[str, str]) -> Groups:
    groups = Groups()
    first: dict[str, str] = {}
    for form in named:
        for k in keys(named[form]) or (form,):
            groups.join(form, first.setdefault(k, form))
    for short, long in spelled.items():
        if long:
            groups.join(short, long)
    return groups


def _broader(a: str, b: str, named: dict[str, Words]) -> bool:
    """Say whether `b` is `a` with modifiers, or ends with what the short form `a` abbreviates."""
    short, long = named[a], named[b]
    if 0 < len(short) < len(long) and long[len(long) - len(short) :] == short:
        return True
    if not is_short(a) or len(long) < 3:
        return False
    ends = b.replace("-", " ").split()
    letters = sum(c.isupper() for c in short_key(a))
    return any(stands_for(a, " ".join(ends[n:])) for n in range(1, len(ends)) if len(ends) - n <= letters)


def _divided(entity: Entity, place: dict[str, str], home: str) -> tuple[Entity, ...]:
    out = []
    for group in sorted(set(place.values()), key=lambda g: (g != home, g)):
        mentions = tuple(m for m in entity.mentions if place[m.text] == group)
        if mentions:
            name = max(sorted({m.text for m in mentions}), key=len)
            out.append(replace(entity, name=name, mentions=mentions))
    if out:
        out[0] = replace(out[0], name=entity.name)
    return tuple(out) or (entity,)
