"""One paper to the evidence for its facts: the texts, the sentences and words in them, and the statements they support.

1. The abstract (and the title) is a nif:Context whose nif:isString is the text; all offsets count its code points.
2. A mention is a nif:Phrase of it with its own words, the concept they name, how sure that is, and their sentence.
3. A statement reifies one triple of a paper and a concept, derived from each mention that supports it. Statements are
   nodes with IRIs, not quoted triples: every store and every SPARQL 1.1 query can use them.

NIF 2.0 Core: https://persistence.uni-leipzig.org/nlp2rdf/ontologies/nif-core/nif-core.html;
ITS RDF: https://www.w3.org/2005/11/its/rdf; PROV-O: https://www.w3.org/TR/prov-o/.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from pyoxigraph import NamedNode

from kg import vocab
from kg.graph.paper import Link, Source, stated
from kg.graph.terms import Spo, offset, probability, text
from kg.records import Place, Result

Span = tuple[Place, int, int]


@dataclass(frozen=True, slots=True)
class Phrase:
    """Words of a paper: a mention with the concept that it names, or the value of a result without one."""

    node: NamedNode
    words: str
    link: Link | None = None
    confidence: float = 1.0


def phrases(this: Source, results: Iterable[Result]) -> dict[Span, Phrase]:
    """Give each span that is evidence its node, in the order of the text; a value may be a mention, too."""
    found: dict[Span, Phrase] = {}
    for entity, link in zip(this.extraction.entities, this.links, strict=True):
        for m in entity.mentions:
            node = this.span("mention", m.place, m.start, m.end)
            found.setdefault((m.place, m.start, m.end), Phrase(node, m.text, link, m.confidence))
    for r in results:
        node = this.span("mention", Place.ABSTRACT, r.start, r.end)
        found.setdefault((Place.ABSTRACT, r.start, r.end), Phrase(node, r.value))
    return dict(sorted(found.items(), key=lambda item: item[0]))


def text_triples(this: Source) -> Iterator[Spo]:
    """Give the texts that the offsets count in."""
    for place, string in ((Place.TITLE, this.paper.title), (Place.ABSTRACT, this.paper.text)):
        if string:
            node = this.context(place)
            yield node, vocab.RDF_TYPE, vocab.NIF_CONTEXT
            yield node, vocab.DCTERMS_IS_PART_OF, this.node
            yield node, vocab.NIF_IS_STRING, text(string)


def sentence_of(this: Source, span: Span) -> Span | None:
    """Find the sentence that a span begins in; a title is one sentence."""
    place, start, _ = span
    if place is Place.TITLE:
        return place, 0, len(this.paper.title)
    at = bisect_right(this.extraction.sentences, start, key=lambda s: s[0]) - 1
    if at < 0 or start >= this.extraction.sentences[at][1]:
        return None
    return place, *this.extraction.sentences[at]


def span_triples(this: Source, found: Mapping[Span, Phrase]) -> Iterator[Spo]:
    """Locate the phrases and, before them, the sentences that they are in."""
    within = {span: sentence_of(this, span) for span in found}
    nodes = {s: this.span("sentence", *s) for s in dict.fromkeys(within.values()) if s is not None}
    contexts = {place: this.context(place) for place in Place}
    for sentence, node in nodes.items():
        place, start, end = sentence
        whole = this.paper.title if place is Place.TITLE else this.paper.text
        yield from _located(node, vocab.NIF_SENTENCE, sentence, contexts[place], whole[start:end])
    for span, phrase in found.items():
        yield from _located(phrase.node, vocab.NIF_PHRASE, span, contexts[span[0]], phrase.words)
        if (in_sentence := within[span]) is not None:
            yield phrase.node, vocab.NIF_IN_SENTENCE, nodes[in_sentence]
        if phrase.link is not None:
            yield phrase.node, vocab.ITSRDF_TA_IDENT_REF, phrase.link.node
            yield phrase.node, vocab.ITSRDF_TA_CONFIDENCE, probability(phrase.confidence)


def _located(node: NamedNode, type_: NamedNode, span: Span, context: NamedNode, words: str) -> Iterator[Spo]:
    yield node, vocab.RDF_TYPE, type_
    yield node, vocab.NIF_REFERENCE_CONTEXT, context
    yield node, vocab.NIF_BEGIN_INDEX, offset(span[1])
    yield node, vocab.NIF_END_INDEX, offset(span[2])
    yield node, vocab.NIF_ANCHOR_OF, text(words)


def statement_triples(this: Source, found: Mapping[Span, Phrase], run: NamedNode | None) -> Iterator[Spo]:
    """Reify what the paper says of each concept: how sure it is, and from which words it was derived."""
    support: dict[tuple[NamedNode, NamedNode], dict[NamedNode, float]] = {}
    for entity, link in zip(this.extraction.entities, this.links, strict=True):
        words = support.setdefault((stated(entity, link), link.node), {})
        for m in entity.mentions:
            words[found[m.place, m.start, m.end].node] = entity.confidence
    for (term, concept), words in support.items():
        key = vocab.digest(this.node.value, term.value, concept.value)
        node = NamedNode(vocab.iri("statement", key, base=this.base))
        yield node, vocab.RDF_TYPE, vocab.RDF_STATEMENT
        yield node, vocab.RDF_SUBJECT, this.node
        yield node, vocab.RDF_PREDICATE, term
        yield node, vocab.RDF_OBJECT, concept
        yield node, vocab.KG_CONFIDENCE, probability(max(words.values(), default=0.0))
        for phrase in words:
            yield node, vocab.PROV_WAS_DERIVED_FROM, phrase
        if run is not None:
            yield node, vocab.PROV_WAS_GENERATED_BY, run


def derivation_triples(
    this: Source, results: Mapping[NamedNode, Result], found: Mapping[Span, Phrase]
) -> Iterator[Spo]:
    """Say which words each result's value is."""
    for node, r in results.items():
        yield node, vocab.PROV_WAS_DERIVED_FROM, found[Place.ABSTRACT, r.start, r.end].node
