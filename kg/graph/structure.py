"""The structure of concepts to triples: what is broader, how that is known, and what the map of the field adds.

A link is skos:broader, which is asserted from narrow to broad only: `^skos:broader` finds the narrower ones. Its
evidence is a statement, as that of a role is: how sure it is, where it is known from, and, where papers say so, how
many do and in which words. SKOS: https://www.w3.org/TR/skos-reference/#semantic-relations
"""

from __future__ import annotations

from collections.abc import Iterator

from pyoxigraph import Literal, NamedNode

from kg import vocab
from kg.graph.terms import Spo, called, count, probability, text
from kg.structure import Area, Broader, Measure, Node


def iri(node: Node, base: str) -> NamedNode:
    """Mint the IRI of a concept or an area."""
    return NamedNode(vocab.iri(node.kind, node.slug, base=base))


def area_triples(area: Area, scheme: NamedNode, base: str) -> Iterator[Spo]:
    """Say what an area is: a concept of none of the five types, at the top of the scheme."""
    node = iri(area.node, base)
    yield node, vocab.RDF_TYPE, vocab.SKOS_CONCEPT
    yield from called(node, area.label, area.alternatives)
    yield node, vocab.SKOS_IN_SCHEME, scheme
    yield node, vocab.SKOS_TOP_CONCEPT_OF, scheme
    yield scheme, vocab.SKOS_HAS_TOP_CONCEPT, node


def link_triple(link: Broader, base: str) -> Spo:
    """Say what is broader."""
    return iri(link.narrow, base), vocab.SKOS_BROADER, iri(link.broad, base)


def measure_triples(node: NamedNode, measure: Measure) -> Iterator[Spo]:
    """Say how a metric is read."""
    if measure.higher_is_better is not None:
        yield node, vocab.KG_HIGHER_IS_BETTER, Literal(measure.higher_is_better)
    if measure.unit:
        yield node, vocab.KG_UNIT, text(measure.unit)


def statement_triples(link: Broader, base: str, run: NamedNode | None) -> Iterator[Spo]:
    """Reify a link: how sure it is, where it is known from, and the words of papers that say so."""
    narrow, term, broad = iri(link.narrow, base), vocab.SKOS_BROADER, iri(link.broad, base)
    node = NamedNode(vocab.iri("statement", vocab.digest(narrow.value, term.value, broad.value), base=base))
    yield node, vocab.RDF_TYPE, vocab.RDF_STATEMENT
    yield node, vocab.RDF_SUBJECT, narrow
    yield node, vocab.RDF_PREDICATE, term
    yield node, vocab.RDF_OBJECT, broad
    yield node, vocab.KG_CONFIDENCE, probability(link.confidence)
    for source in link.sources:
        yield node, vocab.KG_KNOWN_FROM, text(source)
    if link.papers:
        yield node, vocab.KG_PAPER_COUNT, count(link.papers)
    for paper, *spans in link.evidence:
        for start, end in spans:
            mention = f"{vocab.iri('mention', paper, base=base)}/{start}-{end}"
            yield node, vocab.PROV_WAS_DERIVED_FROM, NamedNode(mention)
    if run is not None:
        yield node, vocab.PROV_WAS_GENERATED_BY, run
