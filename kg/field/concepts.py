"""What a map is made of: its concepts as they are given out, and as they were written."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kg.names import key
from kg.records import EntityType

AREA = "Area"


@dataclass(frozen=True, slots=True)
class FieldConcept:
    """One concept of the map; `type` is None for an area, and `broader` is the label of its parent."""

    label: str
    type: EntityType | None
    aliases: tuple[str, ...] = ()
    broader: str | None = None
    higher_is_better: bool | None = None
    unit: str | None = None
    tasks: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FieldMap:
    """All concepts, sorted by type and label (areas first), and what finds them."""

    concepts: tuple[FieldConcept, ...]
    _named: Mapping[tuple[str, EntityType | None], FieldConcept] = field(repr=False, compare=False)

    def find(self, name: str, type: EntityType | None) -> FieldConcept | None:
        """Give the concept of a type that a name means, if the map has it; type None looks among the areas.

        >>> from kg.field import read_map
        >>> found = read_map().find("Residual Networks", EntityType.MODEL)
        >>> found and found.label
        'ResNet'
        """
        return self._named.get((key(name), type))

    def chain(self, concept: FieldConcept) -> tuple[FieldConcept, ...]:
        """Give the parents of a concept, the nearest first, the area last.

        >>> from kg.field import read_map
        >>> field = read_map()
        >>> [c.label for c in field.chain(field.find("ResNet", EntityType.MODEL))]
        ['convolutional neural network', 'neural network', 'learning methods and theory']
        """
        parents: list[FieldConcept] = []
        while concept.broader is not None:
            concept = self._parent(concept.broader, concept.type)
            parents.append(concept)
        return tuple(parents)

    def area(self, concept: FieldConcept) -> FieldConcept:
        """Give the area that a concept is in; an area is in itself."""
        return (concept, *self.chain(concept))[-1]

    def _parent(self, label: str, type: EntityType | None) -> FieldConcept:
        name = key(label)
        return self._named.get((name, type)) or self._named[name, None]


@dataclass(frozen=True, slots=True)
class Entry:
    """A concept as it was written, not yet checked, and where."""

    place: str
    label: str
    type: str
    broader: str
    aliases: tuple[str, ...]
    direction: str
    unit: str
    tasks: tuple[str, ...]
