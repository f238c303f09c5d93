"""A map as SKOS in Turtle; what else the file says of its concepts is left alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg import vocab
from kg.errors import InputError
from kg.field.concepts import AREA, Entry

TERMS = (NamedNode, Literal)
TYPE, LABEL, ALIAS = (t.value for t in (vocab.RDF_TYPE, vocab.SKOS_PREF_LABEL, vocab.SKOS_ALT_LABEL))
BROADER, TOP, HAS_TOP = (t.value for t in (vocab.SKOS_BROADER, vocab.SKOS_TOP_CONCEPT_OF, vocab.SKOS_HAS_TOP_CONCEPT))
DIRECTION, UNIT, FOR_TASK = (t.value for t in (vocab.KG_HIGHER_IS_BETTER, vocab.KG_UNIT, vocab.KG_FOR_TASK))
Properties = Mapping[str, list[NamedNode | Literal]]


def entries(text: str, source: str) -> Iterator[Entry]:
    """Give what a Turtle file says of each concept, in the order of the file."""
    subjects, tops = _subjects(text, source)
    labels = {iri: _one(properties, LABEL, iri, source) for iri, properties in subjects.items()}
    for iri, properties in subjects.items():
        if not labels[iri]:
            raise InputError(f"{source}: <{iri}> has no skos:prefLabel; give it one")
        parents = properties.get(BROADER, [])
        if len(parents) > 1:
            raise InputError(f"{source}: {labels[iri]!r} has {len(parents)} skos:broader; a concept has one parent")
        yield Entry(
            place=source,
            label=labels[iri],
            type=_type(properties, top=iri in tops),
            broader=labels.get(parents[0].value, f"<{parents[0].value}>") if parents else "",
            aliases=tuple(_texts(properties, ALIAS)),
            direction=_one(properties, DIRECTION, iri, source),
            unit=_one(properties, UNIT, iri, source),
            tasks=tuple(labels.get(t.value, t.value) for t in properties.get(FOR_TASK, [])),
        )


def _subjects(text: str, source: str) -> tuple[dict[str, dict[str, list[NamedNode | Literal]]], set[str]]:
    """Give the properties of each concept by IRI, and the IRIs of the top concepts."""
    subjects: dict[str, dict[str, list[NamedNode | Literal]]] = defaultdict(lambda: defaultdict(list))
    tops: set[str] = set()
    try:
        for quad in parse(text, format=RdfFormat.TURTLE):
            predicate, object = quad.predicate.value, quad.object
            if predicate == HAS_TOP:
                tops.add(str(getattr(object, "value", "")))
            elif isinstance(quad.subject, NamedNode) and isinstance(object, TERMS):
                subjects[quad.subject.value][predicate].append(object)
    except SyntaxError as error:
        raise InputError(f"{source}:{error.lineno}: broken Turtle: {error.msg}") from error
    tops |= {iri for iri, properties in subjects.items() if TOP in properties}
    return {i: p for i, p in subjects.items() if _is_concept(p)}, tops


def _is_concept(properties: Properties) -> bool:
    """Say whether a subject is one of SKOS's or ours, and not the scheme; people and documents are let be."""
    types = {t.value for t in properties.get(TYPE, [])}
    return vocab.SKOS_CONCEPT_SCHEME.value not in types and any(
        name.startswith((vocab.VOCABULARIES["skos"], vocab.VOCABULARIES["kg"])) for name in (*types, *properties)
    )


def _type(properties: Properties, *, top: bool) -> str:
    """Give the type's name as the file has it: one of ours, an area for a top concept that has none of ours."""
    ours = vocab.VOCABULARIES["kg"]
    named = sorted({t.value for t in properties.get(TYPE, [])} - {vocab.SKOS_CONCEPT.value})
    return " and ".join(t.removeprefix(ours) for t in named) or (AREA if top else "")


def _texts(properties: Properties, predicate: str) -> list[str]:
    """Give the literals that are English or of no language."""
    values = [v for v in properties.get(predicate, []) if isinstance(v, Literal)]
    return [v.value.strip() for v in values if not v.language or v.language.lower().split("-")[0] == "en"]


def _one(properties: Properties, predicate: str, iri: str, source: str) -> str:
    """Give the literal of a property that a concept has at most once."""
    values = _texts(properties, predicate)
    if len(values) > 1:
        name = vocab.short(predicate, vocab.prefixes())
        raise InputError(f"{source}: <{iri}> has {len(values)} {name} ({', '.join(map(repr, values))}); keep one")
    return values[0] if values else ""
