"""One paper's results to triples: what was measured, by what, on what, against what, and a value to compare.

1. A value is one number (`mls:hasValue`), or it has ends: a range both, a bound the one it does not pass. None has
   both, so that who sorts by `mls:hasValue` sorts nothing that is only a limit.
2. Its kinds say how it is meant (level, difference, ratio) and how it is written (range, bound, with error …).
3. Numbers are the digits of the text (`kg.extraction.readings`), never a float's.

Words that are a concept of the paper become its node; what is no concept stays words.
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import NamedNode

from kg import vocab
from kg.extraction.numbers import Kind, Value
from kg.extraction.readings import Reading, readings
from kg.graph.paper import Source
from kg.graph.terms import Spo, boolean, decimal, probability, text
from kg.records import EntityType, Result

KINDS = {
    Kind.ABSOLUTE: vocab.KG_ABSOLUTE,
    Kind.DIFFERENCE: vocab.KG_DIFFERENCE,
    Kind.RATIO: vocab.KG_RATIO,
    Kind.BOUND: vocab.KG_BOUND,
    Kind.RANGE: vocab.KG_RANGE,
    Kind.WITH_ERROR: vocab.KG_WITH_ERROR,
    Kind.POWER: vocab.KG_POWER_OF_TEN,
    Kind.SPELLED_OUT: vocab.KG_SPELLED_OUT,
}
SUBJECTS = (EntityType.MODEL, EntityType.METHOD, *EntityType)


def results(this: Source) -> dict[NamedNode, tuple[Result, Reading]]:
    """Give each distinct result of a paper its node."""
    found: dict[NamedNode, tuple[Result, Reading]] = {}
    for r, reading in zip(this.extraction.results, readings(this.extraction), strict=True):
        parts = (r.subject, r.metric, r.value, r.dataset, r.baseline, r.baseline_value, str(r.start), str(r.end))
        key = vocab.digest(this.node.value, *parts)
        found.setdefault(NamedNode(vocab.iri("result", key, base=this.base)), (r, reading))
    return found


def result_triples(this: Source, node: NamedNode, result: Result, reading: Reading) -> Iterator[Spo]:
    """Say of what, by which measure, on what data and against what a number was reported."""
    yield node, vocab.RDF_TYPE, vocab.KG_RESULT
    yield node, vocab.RDF_TYPE, vocab.MLS_MODEL_EVALUATION
    yield node, vocab.KG_REPORTED_IN, this.node
    if subject := _named(this, result.subject, *SUBJECTS):
        yield node, vocab.KG_OF_SUBJECT, subject
    if metric := _named(this, result.metric, EntityType.METRIC):
        yield node, vocab.MLS_SPECIFIED_BY, metric
    elif result.metric:
        yield node, vocab.KG_MEASURE_TEXT, text(result.metric)
    if dataset := _named(this, result.dataset, EntityType.DATASET):
        yield node, vocab.KG_ON_DATASET, dataset
    if reading.condition:
        yield node, vocab.KG_CONDITION, text(reading.condition)
    yield from _value(node, reading)
    yield node, vocab.KG_VALUE_TEXT, text(result.value)
    yield from _baseline(this, node, result, reading)
    yield node, vocab.KG_CONFIDENCE, probability(result.confidence)


def _value(node: NamedNode, reading: Reading) -> Iterator[Spo]:
    value = reading.value
    for kind in value.kinds:
        yield node, vocab.KG_VALUE_KIND, KINDS[kind]
    for term, digits in _numbers(value):
        if digits:
            yield node, term, decimal(digits)
    for term, words in ((vocab.KG_RELATION, value.relation), (vocab.KG_UNIT, value.unit)):
        if words:
            yield node, term, text(words)
    if reading.higher_is_better is not None:
        yield node, vocab.KG_HIGHER_IS_BETTER, boolean(reading.higher_is_better)
    if reading.is_improvement is not None:
        yield node, vocab.KG_IS_IMPROVEMENT, boolean(reading.is_improvement)


def _numbers(value: Value) -> Iterator[tuple[NamedNode, str]]:
    bound = Kind.BOUND in value.kinds
    upper = bound and value.relation in ("<", "≤")
    yield vocab.MLS_HAS_VALUE, "" if bound else value.number
    yield vocab.KG_LOWER_VALUE, value.lower or (value.number if bound and not upper else "")
    yield vocab.KG_UPPER_VALUE, value.upper or (value.number if upper else "")
    yield vocab.KG_VALUE_ERROR, value.error


def _baseline(this: Source, node: NamedNode, result: Result, reading: Reading) -> Iterator[Spo]:
    if baseline := _named(this, result.baseline, *SUBJECTS):
        yield node, vocab.KG_COMPARED_WITH, baseline
    if reading.baseline:
        yield node, vocab.KG_BASELINE_VALUE, decimal(reading.baseline.number)
    if result.baseline_value:
        yield node, vocab.KG_BASELINE_VALUE_TEXT, text(result.baseline_value)


def _named(this: Source, name: str, *types: EntityType) -> NamedNode | None:
    """Find the concept of the paper's entity of that name, the first of these types that has one."""
    for type_ in types if name else ():
        for entity, link in zip(this.extraction.entities, this.links, strict=True):
            if entity.name == name and link.type is type_:
                return link.node
    return None
