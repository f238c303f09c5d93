"""Extractions to concepts: the nodes that papers share."""

from __future__ import annotations

import hashlib
import re
from collections import Counter, defaultdict
from collections.abc import Iterable
from pathlib import Path

from kg.names import key
from kg.records import Concept, EntityType, Extraction


def concepts(extractions: Iterable[Extraction], *, aliases: Path | None = None) -> tuple[Concept, ...]:
    """Group the entities of all papers into concepts; every entity is a member of exactly one."""
    members: dict[tuple[EntityType, str], list[tuple[str, int]]] = defaultdict(list)
    forms: dict[tuple[EntityType, str], Counter[str]] = defaultdict(Counter)
    for extraction in extractions:
        for index, entity in enumerate(extraction.entities):
            node = (entity.type, key(entity.name) or entity.name)
            members[node].append((extraction.paper.id, index))
            forms[node].update([entity.name, *(m.text for m in entity.mentions)])
    return tuple(_concept(type_, forms[type_, k], members[type_, k]) for type_, k in sorted(members))


def _concept(type_: EntityType, forms: Counter[str], members: list[tuple[str, int]]) -> Concept:
    label, *alternatives = sorted(forms, key=lambda f: (-forms[f], f))
    plain = re.sub(r"[^a-z0-9]+", "-", label.casefold()).strip("-")
    slug = f"{plain}-{hashlib.sha256(label.encode()).hexdigest()[:8]}"
    return Concept(slug, type_, label, tuple(sorted(alternatives)), tuple(sorted(members)))
