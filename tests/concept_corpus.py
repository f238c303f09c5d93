"""Papers in a line each, for tests of concepts: what a paper calls things, and as what."""

from __future__ import annotations

from kg.concepts import settle
from kg.records import Abbreviation, Concept, Entity, EntityType, Extraction, Mention, Paper, Role

KINDS = {"m": EntityType.MODEL, "d": EntityType.DATASET, "t": EntityType.TASK, "x": EntityType.METRIC}


def entity(spec: str, *, role: Role = Role.USES) -> Entity:
    """`"m: large language model, LLMs"`: a model of two forms; without a letter, a method."""
    letter, _, rest = spec.rpartition(": ")
    forms = [form.strip() for form in rest.split(",")]
    kind = KINDS.get(letter, EntityType.METHOD)
    mentions = tuple(Mention(n * 100, n * 100 + len(f), f, 0.9) for n, f in enumerate(forms))
    return Entity(forms[0], kind, role, 0.9, mentions)


def paper(name: str, *entities: str | Entity, text: str = "", defines: tuple[tuple[str, str], ...] = ()) -> Extraction:
    """One paper; `defines` are (short, long) pairs."""
    made = tuple(e if isinstance(e, Entity) else entity(e) for e in entities)
    return Extraction(Paper(name, text), made, abbreviations=tuple(Abbreviation(s, g) for s, g in defines))


def concept_of(papers: list[Extraction], name: str, index: int = 0, *, informed: bool = False) -> Concept:
    """The concept of an entity of a paper."""
    settled = settle(papers, informed=informed)
    return next(c for c in settled.concepts if (name, index) in c.members)


def same(a: str, b: str, *more: Extraction, kind: str = "") -> bool:
    """Whether two names in two papers are one concept, given other papers."""
    mark = f"{kind}: " if kind else ""
    papers = [paper("a", mark + a), paper("b", mark + b), *more]
    return ("b", 0) in concept_of(papers, "a").members
