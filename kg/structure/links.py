"""What the structure of concepts is made of: nodes, links from narrow to broad, and where each link is known from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from kg.records import Concept

AREA = "area"


class Node(NamedTuple):
    """What an IRI is minted of: a type in small letters, or `area`, and the slug."""

    kind: str
    slug: str


class Source(StrEnum):
    """Where a link is known from: the names themselves, what papers say, the map of the field."""

    NAME = "name"
    TEXT = "text"
    MAP = "field map"


class Evidence(NamedTuple):
    """Two mentions in the abstract of a paper that says that one is a kind of the other: their (start, end)."""

    paper: str
    narrow: tuple[int, int]
    broad: tuple[int, int]


@dataclass(frozen=True, slots=True, order=True)
class Broader:
    """`narrow` is a kind, a variant or a member of `broad`.

    `confidence` is the probability in [0, 1] that this is so; `papers` is how many papers say it, and `evidence` are
    the words of the first few of them; both are nothing where the link is known from names or the map alone.
    """

    narrow: Node
    broad: Node
    sources: tuple[Source, ...]
    confidence: float
    papers: int = 0
    evidence: tuple[Evidence, ...] = ()


@dataclass(frozen=True, slots=True)
class Area:
    """A part of the field, such as computer vision: the top of chains of broader concepts."""

    slug: str
    label: str
    alternatives: tuple[str, ...] = ()

    @property
    def node(self) -> Node:
        """The node of the area."""
        return Node(AREA, self.slug)


@dataclass(frozen=True, slots=True)
class Measure:
    """How a metric is read: whether more of it is better, and in what it is usually given."""

    higher_is_better: bool | None
    unit: str | None


@dataclass(frozen=True, slots=True)
class Structure:
    """Concepts with what is broader than they are.

    `concepts` are those of the papers and, without members, those that only the map has and that chains lead through;
    `links` go from narrow to broad, sorted, without a cycle and without one that a path of others says already; `tasks`
    are those that a dataset is made for; `measures` are those of metrics that the map has.
    """

    concepts: tuple[Concept, ...] = ()
    areas: tuple[Area, ...] = ()
    links: tuple[Broader, ...] = ()
    tasks: Mapping[Node, tuple[Node, ...]] = field(default_factory=dict)
    measures: Mapping[Node, Measure] = field(default_factory=dict)


def node_of(concept: Concept) -> Node:
    """Give the node of a concept."""
    return Node(concept.type.lower(), concept.slug)
