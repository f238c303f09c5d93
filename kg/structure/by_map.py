"""Broader links that the map of the field has: from each concept that it knows up to the area, through its parents.

A concept that the map has under another of its names hangs where the map hangs that name. Parents that no paper names
become concepts, too: without them a chain would end below its area.
"""

from __future__ import annotations

from collections.abc import Iterator

from kg.field import FieldMap
from kg.records import EntityType
from kg.structure.index import Index
from kg.structure.links import Broader, Measure, Node, Source

SURE_OF_MAP = 0.99


def by_map(index: Index, field: FieldMap) -> Iterator[Broader]:
    """Give the links of the whole map, and those of concepts that are in it under another name."""
    for concept in field.concepts:
        for parent in field.chain(concept)[:1]:
            yield Broader(index.node(concept), index.node(parent), (Source.MAP,), SURE_OF_MAP)
    for node, concept in index.mapped.items():
        for parent in field.chain(concept)[:1]:
            if node != index.node(concept):
                yield Broader(node, index.node(parent), (Source.MAP,), SURE_OF_MAP)


def tasks(index: Index, field: FieldMap) -> Iterator[tuple[Node, tuple[Node, ...]]]:
    """Give the datasets of the papers that the map has, with the tasks that they are made for."""
    for node, concept in index.mapped.items():
        found = (field.find(name, EntityType.TASK) for name in concept.tasks)
        if made_for := tuple(sorted({index.node(task) for task in found if task})):
            yield node, made_for


def measures(index: Index) -> Iterator[tuple[Node, Measure]]:
    """Give the metrics of the papers that the map has, with how they are read."""
    for node, concept in index.mapped.items():
        if concept.higher_is_better is not None or concept.unit:
            yield node, Measure(concept.higher_is_better, concept.unit)
