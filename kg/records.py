"""What passes between the steps: frozen, small, and without behaviour beyond their own shape.

    Paper ──extract──▶ Extraction(paper, entities(mentions), results, …) ──concepts──▶ Concept ──graph──▶ triples

All offsets are Unicode code points of the text as it was given (`Paper.text`, or `Paper.title` for a mention that is
in the title), half-open, and `text[start:end]` equals the surface form, always.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class EntityType(StrEnum):
    """What an entity is; annotation guidelines, section 2."""

    MODEL = "Model"
    DATASET = "Dataset"
    METHOD = "Method"
    METRIC = "Metric"
    TASK = "Task"


class Role(StrEnum):
    """What part an entity plays in a paper; each is a property of the ontology."""

    PROPOSES = "proposes"
    EVALUATES_ON = "evaluatesOn"
    REPORTS = "reports"
    ADDRESSES = "addresses"
    COMPARES_WITH = "comparesWith"
    USES = "uses"
    STUDIES = "studies"
    MENTIONS = "mentions"


ROLES_OF: dict[EntityType, tuple[Role, ...]] = {
    EntityType.MODEL: (Role.PROPOSES, Role.COMPARES_WITH, Role.USES, Role.STUDIES, Role.MENTIONS),
    EntityType.METHOD: (Role.PROPOSES, Role.COMPARES_WITH, Role.USES, Role.STUDIES, Role.MENTIONS),
    EntityType.DATASET: (Role.PROPOSES, Role.EVALUATES_ON, Role.MENTIONS),
    EntityType.METRIC: (Role.PROPOSES, Role.REPORTS, Role.MENTIONS),
    EntityType.TASK: (Role.PROPOSES, Role.ADDRESSES, Role.MENTIONS),
}


class Place(StrEnum):
    """Which text of a paper an offset counts in."""

    ABSTRACT = "abstract"
    TITLE = "title"


@dataclass(frozen=True, slots=True)
class Paper:
    """One paper as it was read: its abstract verbatim, and what the source says about it.

    `id` is the DOI, arXiv id or given id, else a hash of the text; unique within a build. `origin` says where it was
    read (`seeds/a.txt:3`), for messages only.
    """

    id: str
    text: str
    title: str = ""
    venue: str = ""
    year: int | None = None
    authors: tuple[str, ...] = ()
    doi: str = ""
    arxiv: str = ""
    openalex: str = ""
    url: str = ""
    origin: str = ""


@dataclass(frozen=True, slots=True, order=True)
class Mention:
    """One place where a paper names something. `confidence`: probability in [0, 1] that span and type are right."""

    start: int
    end: int
    text: str
    confidence: float
    place: Place = Place.ABSTRACT


@dataclass(frozen=True, slots=True)
class Entity:
    """All mentions of one thing in one paper. `confidence`: probability in [0, 1] that type and role are right."""

    name: str
    type: EntityType
    role: Role
    confidence: float
    mentions: tuple[Mention, ...]


@dataclass(frozen=True, slots=True)
class Result:
    """One number that a paper ties to a measure.

    `subject`, `dataset`, `baseline` are entity names of the same paper, or ""; `metric` is an entity name or the words
    of the text. `value` and `baseline_value` are copied from the text; `start`, `end` locate `value` in the abstract.
    """

    subject: str
    metric: str
    value: str
    dataset: str
    baseline: str
    baseline_value: str
    start: int
    end: int
    confidence: float


@dataclass(frozen=True, slots=True)
class Abbreviation:
    """A long form and the short form that the paper defines for it, as `long (SHORT)` or `SHORT (long)`."""

    short: str
    long: str


@dataclass(frozen=True, slots=True)
class Extraction:
    """What one paper says: all that the later steps know of it.

    `sentences` are (start, end) offsets in the abstract; a triple's evidence is shown as its mention's sentence.
    """

    paper: Paper
    entities: tuple[Entity, ...] = ()
    results: tuple[Result, ...] = ()
    abbreviations: tuple[Abbreviation, ...] = ()
    sentences: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Concept:
    """One thing across papers: a node that they share.

    `members` are (paper id, index into that paper's entities), sorted; `slug` is unique within its type and is the
    last part of the concept's IRI.
    """

    slug: str
    type: EntityType
    label: str
    alternatives: tuple[str, ...]
    members: tuple[tuple[str, int], ...]
