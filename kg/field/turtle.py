"""A map as SKOS in Turtle; what else the file says of its concepts is left alone."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from pyoxigraph import Literal, NamedNode, RdfFormat, parse

from kg import vocab
from kg.errors import InputError
from kg.field.concepts import AREA, Entry

Properties = Mapping[str, list[NamedNode | Literal]]


def entries(text: str, source: str) -> Iterator[Entry]:
    """Give what a Turtle file says of each concept, in the order of the file."""
    subjects, tops = _subjects(text, source)
    labels = {iri: _one(properties, vocab.SKOS_PREF_LABEL, iri, source) for iri, properties in subjects.items()}
    for iri, properties in subjects.items():
        if not labels[iri]:
            raise InputError(f"{source}: <{iri}> has no skos:prefLabel; give it one")
        parents = properties.get(vocab.SKOS_BROADER.value, [])
        if len(parents) > 1:
            raise InputError(f"{source}: {labels[iri]!r} has {len(parents)} skos:broader; a concept has one parent")
        yield Entry(
            place=source,
            label=labels[iri],
            type=_type(properties, top=iri in tops),
            broader=labels.get(parents[0].value, f"<{parents[0].value}>") if parents else "",
            aliases=tuple(_texts(properties, vocab.SKOS_ALT_LABEL)),
            direction=_one(properties, vocab.KG_HIGHER_IS_BETTER, iri, source),
            unit=_one(properties, vocab.KG_UNIT, iri, source),
            tasks=tuple(labels.get(t.value, t.value) for t in properties.get(vocab.KG_FOR_TASK.value, [])),
        )


def _subjects(text: str, source: str) -> tuple[dict[str, dict[str, list[NamedNode | Literal]]], set[str]]:
    """Give the properties of each concept by IRI, and the IRIs of the top concepts."""
    subjects: dict[str, dict[str, list[NamedNode | Literal]]] = defaultdict(lambda: defaultdict(list))
    tops: set[str] = set()
    try:
        for quad in parse(text, format=RdfFormat.TURTLE):
            predicate, object = quad.predicate.value, quad.object
            if predicate == vocab.SKOS_HAS_TOP_CONCEPT.value:
                tops.add(str(getattr(object, "value", "")))
            elif isinstance(quad.subject, NamedNode) and isinstance(object, NamedNode | Literal):
                subjects[quad.subject.value][predicate].append(object)
    except SyntaxError as error:
        raise InputError(f"{source}:{error.lineno}: broken Turtle: {error.msg}") from error
    tops |= {iri for iri, properties in subjects.items() if vocab.SKOS_TOP_CONCEPT_OF.value in properties}
    scheme = vocab.SKOS_CONCEPT_SCHEME
    return {i: p for i, p in subjects.items() if scheme not in p.get(vocab.RDF_TYPE.value, [])}, tops


def _type(properties: Properties, *, top: bool) -> str:
    """Give the type's name as the file has it: one of ours, an area for a top concept that has none of ours."""
    ours = vocab.VOCABULARIES["kg"]
    named = sorted({t.value for t in properties.get(vocab.RDF_TYPE.value, [])} - {vocab.SKOS_CONCEPT.value})
    return " and ".join(t.removeprefix(ours) for t in named) or (AREA if top else "")


def _texts(properties: Properties, predicate: NamedNode) -> list[str]:
    """Give the literals that are English or of no language."""
    values = [v for v in properties.get(predicate.value, []) if isinstance(v, Literal)]
    return [v.value.strip() for v in values if not v.language or v.language.lower().split("-")[0] == "en"]


def _one(properties: Properties, predicate: NamedNode, iri: str, source: str) -> str:
    """Give the literal of a property that a concept has at most once."""
    values = _texts(properties, predicate)
    if len(values) > 1:
        name = vocab.short(predicate.value, vocab.prefixes())
        raise InputError(f"{source}: <{iri}> has {len(values)} {name} ({', '.join(map(repr, values))}); keep one")
    return values[0] if values else ""
