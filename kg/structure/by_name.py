"""Broader links that the names of concepts hold: `GPT-2 Small` → `GPT-2`, `offline RL` → `reinforcement learning`.

A concept's label, and other names that say the same, are cut down to broader names (`kg.structure.phrases`); the
nearest one that a concept of the same type has (`kg.structure.index`) is what it is a kind of. Both ends are known, so
nothing is invented: where there is no such concept, there is no link.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from kg.names import key, words
from kg.records import Concept, EntityType
from kg.structure.index import Index, alike
from kg.structure.links import Broader, Node, Source
from kg.structure.phrases import bases, kinds, lists

VERSIONED = frozenset((EntityType.MODEL, EntityType.DATASET, EntityType.METHOD))
SURE_OF_VERSION = 0.95
SURE_OF_KIND = 0.95
SURE_OF_WORD = 0.9


def by_name(concepts: Iterable[tuple[Node, Concept]], index: Index) -> Iterator[Broader]:
    """Give the links that names hold, each concept's nearest ones."""
    for node, concept in concepts:
        for name in (concept.label, *alike(concept)):
            links = [*_version_of(node, name, concept, index), *_kind_of(node, name, index)]
            yield from links
            if links:
                break


def _version_of(node: Node, name: str, concept: Concept, index: Index) -> Iterator[Broader]:
    """Give the link to what a name is a version of; `GLM-4` is none of a generalized linear model."""
    for base in bases(name, model=concept.type is EntityType.MODEL) if concept.type in VERSIONED else ():
        found = index.find(node.kind, base)
        if found and found != node and _may_have_versions(base, index.called[found], concept.type):
            yield Broader(node, found, (Source.NAME,), SURE_OF_VERSION)
            return


def _may_have_versions(base: str, label: str, kind: EntityType) -> bool:
    """Say whether a base is the name of something, rather than a word or an abbreviation of words."""
    if key(base) != key(label):
        return not label.islower() or not base.isupper()
    return kind is EntityType.MODEL or (label == base if kind is EntityType.METHOD else not label.islower())


def _kind_of(node: Node, name: str, index: Index) -> Iterator[Broader]:
    """Give the link to the nearest kind, and to the nearest of those that leave out what is behind the head."""
    found: dict[str, Broader] = {}
    for phrase in kinds(name):
        broad = index.find(node.kind, phrase)
        if broad and broad != node and (key(name), key(phrase)) not in lists().apart:
            sure = SURE_OF_KIND if len(words(phrase)) > 1 else SURE_OF_WORD
            found.setdefault(phrase.split()[-1], Broader(node, broad, (Source.NAME,), sure))
    yield from found.values()
