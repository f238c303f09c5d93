"""Extractions and concepts to quads, one paper at a time.

1. Three named graphs: `facts` (papers, concepts, what the ones say of the others, results), `evidence` (texts, words,
   statements) and `run` (the software and the model), so that facts can be loaded or dropped without their evidence.
2. Blocks come in a fixed order: the run, each paper in the order given (before it its venue, where that is new), the
   concepts by type and slug, the words of their names. Within a block the order is that of the text or of the names.
3. Only the concepts are held in memory, with the links of their members; papers are streamed.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import chain, starmap

from pyoxigraph import NamedNode, Quad, RdfFormat, Triple, serialize

from kg import vocab
from kg.graph import evidence, measured, paper, structure
from kg.graph.paper import Link, Source
from kg.graph.run import Run, run_triples
from kg.graph.terms import Spo, called, count, text
from kg.records import Concept, EntityType, Extraction, Paper
from kg.structure import Broader, Node, Structure, areas_of, node_of, papers_within

CLASSES = {
    EntityType.MODEL: (vocab.KG_MODEL, vocab.MLS_MODEL),
    EntityType.DATASET: (vocab.KG_DATASET, vocab.MLS_DATASET, vocab.SCHEMA_DATASET),
    EntityType.METHOD: (vocab.KG_METHOD,),
    EntityType.METRIC: (vocab.KG_METRIC, vocab.MLS_EVALUATION_MEASURE),
    EntityType.TASK: (vocab.KG_TASK, vocab.MLS_TASK),
}
WORDS_AT_ONCE = 100  # in a line of Turtle


class Provenance(StrEnum):
    """How much evidence goes with the facts: none, the words, or the words and a statement for each fact."""

    NONE = "none"
    MENTIONS = "mentions"
    FULL = "full"


@dataclass(frozen=True, slots=True)
class Block:
    """Triples that belong together, by the graph they are in; `heading` is for people."""

    heading: str
    parts: dict[str, list[Triple]]

    def triples(self) -> Iterator[Triple]:
        """All triples, whichever graph they are in."""
        return chain.from_iterable(self.parts.values())

    def n_quads(self, base: str) -> bytes:
        """Its lines of N-Quads. Written as triples: making quads of them would take four times as long."""
        lines = ((serialize(some, format=RdfFormat.N_TRIPLES) or b"", name) for name, some in self.parts.items())
        return b"".join(text.replace(b" .\n", b" <%s> .\n" % _graph(name, base).encode()) for text, name in lines)


def quads(
    extractions: Iterable[Extraction],
    concepts: Sequence[Concept] | Structure,
    *,
    base: str = vocab.DEFAULT_BASE,
    provenance: Provenance = Provenance.FULL,
    run: Run | None = None,
) -> Iterator[Quad]:
    """Make all quads of a graph, each once; concepts may come with their structure."""
    for block in blocks(extractions, concepts, base=base, provenance=provenance, run=run):
        for name, triples in block.parts.items():
            graph = NamedNode(_graph(name, base))
            yield from (Quad(t.subject, t.predicate, t.object, graph) for t in triples)


def _graph(name: str, base: str) -> str:
    return vocab.iri("graph", name, base=base)


def _block(heading: str, parts: Mapping[str, Iterable[Spo]]) -> Block:
    return Block(heading, {name: list(starmap(Triple, some)) for name, some in parts.items()})


def blocks(
    extractions: Iterable[Extraction],
    concepts: Sequence[Concept] | Structure,
    *,
    base: str = vocab.DEFAULT_BASE,
    provenance: Provenance = Provenance.FULL,
    run: Run | None = None,
) -> Iterator[Block]:
    """Make the triples block by block."""
    vocab.checked_base(base)
    found = concepts if isinstance(concepts, Structure) else Structure(tuple(concepts))
    yield from run_blocks(base, provenance, run)
    yield from paper_blocks(extractions, links_of(found, base), base=base, provenance=provenance, run=run)
    yield from concept_blocks(found, base=base, provenance=provenance, run=run)


def run_blocks(base: str, provenance: Provenance, run: Run | None) -> Iterator[Block]:
    """Say what made the graph, if that is known and asked for."""
    if run and provenance is not Provenance.NONE:
        yield _block("Made by", {"run": run_triples(run, base=base)})


def paper_blocks(
    extractions: Iterable[Extraction],
    links: Mapping[tuple[str, int], Link],
    *,
    base: str,
    provenance: Provenance,
    run: Run | None,
    seen: Iterable[str] = (),
) -> Iterator[Block]:
    """Make the triples of papers whose entities have `links`; the places `seen` have been told of already."""
    made_by, known = _made_by(run, provenance, base), {*seen}
    for extraction in extractions:
        this = paper.source(extraction, links, base)
        if this.paper.venue and (place := paper.collection(this.paper, base).value) not in known:
            known.add(place)
            yield _block("Published in", {"facts": paper.collection_triples(this.paper, base)})
        yield _paper_block(this, provenance, made_by)


def places_of(papers: Iterable[Paper], base: str) -> set[str]:
    """The nodes of the venues, each with its year, that papers appeared in."""
    return {paper.collection(one, base).value for one in papers if one.venue}


def _made_by(run: Run | None, provenance: Provenance, base: str) -> NamedNode | None:
    return NamedNode(run.iri(base)) if run and provenance is not Provenance.NONE else None


def _paper_block(this: Source, provenance: Provenance, run: NamedNode | None) -> Block:
    facts = list(paper.paper_triples(this))
    results = {}
    for node, (result, reading) in measured.results(this).items():
        results[node] = result
        facts += measured.result_triples(this, node, result, reading)
    parts = {"facts": facts}
    if provenance is not Provenance.NONE:
        found = evidence.phrases(this, results.values())
        parts["evidence"] = [*evidence.derivation_triples(this, results, found)]
        if provenance is Provenance.FULL:
            parts["evidence"] += evidence.statement_triples(this, found, run)
        parts["evidence"] += evidence.text_triples(this)
        parts["evidence"] += evidence.span_triples(this, found)
    return _block(paper.label(this.extraction) or this.paper.id, parts)


def links_of(found: Structure, base: str) -> dict[tuple[str, int], Link]:
    """The concept of each entity."""
    areas = {node: tuple(structure.iri(a, base) for a in those) for node, those in areas_of(found).items()}
    made = ((c, Link(structure.iri(node_of(c), base), c.type, areas.get(node_of(c), ()))) for c in found.concepts)
    return {member: link for concept, link in made for member in concept.members}


def concept_blocks(found: Structure, *, base: str, provenance: Provenance, run: Run | None) -> Iterator[Block]:
    """Make the triples of concepts and areas, and of the words in their names."""
    made_by = _made_by(run, provenance, base)
    scheme = NamedNode(f"{base}concepts")
    within = papers_within(found)
    about = list(_about(found, within, scheme, base))
    words = {o.value for _, p, o in about if p is vocab.KG_WORD}
    yield _block("Concepts", {"facts": about})
    broader: dict[Node, list[Broader]] = defaultdict(list)
    for link in found.links:
        broader[link.narrow].append(link)
    for type_ in EntityType:
        of_type = sorted((c for c in found.concepts if c.type is type_), key=lambda c: c.slug)
        for at in range(0, len(of_type), 1000):
            some = of_type[at : at + 1000]
            facts = [t for c in some for t in _facts(c, found, broader[node_of(c)], within, scheme, base)]
            words |= {o.value for _, p, o in facts if p is vocab.KG_WORD}
            parts = {"facts": facts}
            if provenance is Provenance.FULL:
                links = (link for c in some for link in broader[node_of(c)])
                said = [t for link in links for t in structure.statement_triples(link, base, made_by)]
                parts |= {"evidence": said} if said else {}
            yield _block(f"{type_}s" if not at else "", parts)
    yield from _word_blocks(sorted(words), scheme)


def _about(found: Structure, within: Mapping[Node, int], scheme: NamedNode, base: str) -> Iterator[Spo]:
    """Say what the scheme is, and its areas."""
    yield scheme, vocab.RDF_TYPE, vocab.SKOS_CONCEPT_SCHEME
    yield scheme, vocab.RDFS_LABEL, text("Models, datasets, methods, metrics and tasks that papers name")
    for area in found.areas:
        yield from structure.area_triples(area, scheme, base)
        yield structure.iri(area.node, base), vocab.KG_PAPER_COUNT_WITHIN, count(within[area.node])


def _word_blocks(words: Sequence[str], scheme: NamedNode) -> Iterator[Block]:
    """Say each word of a name once, for a search to look through."""
    for at in range(0, len(words), WORDS_AT_ONCE):
        some = [(scheme, vocab.KG_WORD, text(word)) for word in words[at : at + WORDS_AT_ONCE]]
        yield _block("Words of names" if not at else "", {"facts": some})


def _facts(
    concept: Concept,
    found: Structure,
    broader: Iterable[Broader],
    within: Mapping[Node, int],
    scheme: NamedNode,
    base: str,
) -> Iterator[Spo]:
    """All that the graph says of one concept."""
    node = structure.iri(node_of(concept), base)
    yield from concept_triples(concept, node, scheme)
    yield node, vocab.KG_PAPER_COUNT_WITHIN, count(within[node_of(concept)])
    for link in broader:
        yield structure.link_triple(link, base)
    for task in found.tasks.get(node_of(concept), ()):
        yield node, vocab.KG_FOR_TASK, structure.iri(task, base)
    if measure := found.measures.get(node_of(concept)):
        yield from structure.measure_triples(node, measure)


def concept_triples(concept: Concept, node: NamedNode, scheme: NamedNode) -> Iterator[Spo]:
    """Say what a concept is, in our words and in everybody's, what it is called, and how many papers name it."""
    for class_ in (*CLASSES[concept.type], vocab.SKOS_CONCEPT):
        yield node, vocab.RDF_TYPE, class_
    yield from called(node, concept.label, concept.alternatives)
    yield node, vocab.SKOS_IN_SCHEME, scheme
    yield node, vocab.KG_PAPER_COUNT, count(len({paper for paper, _ in concept.members}))
