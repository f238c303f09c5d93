"""Extractions and concepts to one networkx graph: what the page draws and what other graph tools open.

A node is a paper or a concept and is named by its IRI without the base (`paper/2401.01234`, `model/transformer`), so
that a link to a view, an export and the RDF speak of the same thing. An edge goes from a paper to a concept and is
keyed by its role: a paper that both proposes and evaluates on a data set has two edges. With the structure of the
concepts (`kg.structure`), edges of the role `broader` go from narrow to broad, up to nodes of the type Area.

    node  type (Paper, Model, Dataset, …), label
          papers: title, venue, year, paper_id; concepts: alternatives, papers (how many name it), and, where anything
          is narrower, within (how many name it or that)
    edge  role, confidence (the highest of the entities behind it), year, entities (their indexes in the paper)
          broader: sources, papers (how many say it), evidence (`paper/x 3-9 12-20`: both mentions in its abstract)

Values are strings, numbers and tuples, never None: GraphML and GEXF writers fail on the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import networkx as nx

from kg.cache import read
from kg.concepts import settle
from kg.field import FieldMap
from kg.memory import uncollected
from kg.records import Concept, Entity, EntityType, Extraction, Paper, Role
from kg.structure import Broader, Node, Said, Structure, above_of, ancestors, node_of, papers_within, structure
from kg.text import clean
from kg.view.stored import stored
from kg.vocab import iri

PAPER, AREA, BROADER = "Paper", "Area", "broader"
TYPES = (PAPER, *(str(t) for t in EntityType))
WORDS_OF_LABEL = 9
_NAMES_A_PAPER = (EntityType.MODEL, EntityType.DATASET, EntityType.METHOD, EntityType.METRIC, EntityType.TASK)


def read_build(build: Path, *, aliases: Path | None = None, field: FieldMap | None = None) -> nx.MultiDiGraph:
    """The graph of the papers in a build's folder.

    Where the build does not have its concepts whole, or `aliases` are given, they are computed again, with these and
    with `field`, a map of the field.
    """
    if aliases is None and (kept := stored(build)):
        return graph(read(build), kept.concepts, kept)
    said = Said()
    settled = settle(said.passing(read(build)), aliases=aliases)
    return graph(read(build), settled.concepts, structure(settled.concepts, said.of, field=field))


@uncollected()
def graph(
    extractions: Iterable[Extraction], nodes: Iterable[Concept], found: Structure | None = None
) -> nx.MultiDiGraph:
    """The graph of papers, concepts and their structure; nodes and edges are in the order of their keys.

    The papers' texts are read once and not kept.
    """
    papers = {x.paper.id: _Paper(paper_key(x.paper), _paper(x), tuple(map(_part, x.entities))) for x in extractions}
    made = nx.MultiDiGraph()
    for _, paper in sorted(papers.items()):
        made.add_node(paper.key, **paper.node)
    for concept in sorted(nodes, key=lambda c: (c.type, c.slug)):
        members = [(papers[paper], index) for paper, index in concept.members if paper in papers]
        if members:
            _add_concept(made, concept, members)
    if found:
        _add_structure(made, found)
    return made


def named_by(drawn: nx.MultiDiGraph, key: str) -> set[str]:
    """What has an edge to a node, but for what is narrower: the papers that name a concept."""
    return {source for source, _, role in drawn.in_edges(key, keys=True) if role != BROADER}


def is_named(drawn: nx.MultiDiGraph, key: str) -> bool:
    """Whether a node is a paper, or papers name it, or nothing is narrower: it is not there for others' sake."""
    return drawn.nodes[key]["type"] == PAPER or bool(named_by(drawn, key)) or not drawn.in_degree(key)


def above(drawn: nx.MultiDiGraph, key: str) -> list[str]:
    """What is right above a concept."""
    return [broad for _, broad, role in drawn.out_edges(key, keys=True) if role == BROADER]


def paper_key(paper: Paper) -> str:
    """A paper's IRI without the base.

    >>> paper_key(Paper("10.1000/a b", ""))
    'paper/10.1000/a%20b'
    """
    return iri("paper", paper.id, base="")


def concept_key(concept: Concept) -> str:
    """A concept's IRI without the base."""
    return iri(concept.type.lower(), concept.slug, base="")


def paper_label(extraction: Extraction) -> str:
    """What a paper is called: its title, else what it proposes, else how its abstract begins.

    >>> paper_label(Extraction(Paper("p", r"We study $k$-means once more, and again, and again, and again.")))
    'We study k-means once more, and again, and again…'
    """
    if title := clean(extraction.paper.title).clean.strip():
        return title
    proposed = [e for e in extraction.entities if e.role is Role.PROPOSES]
    if proposed:
        proposed.sort(key=lambda e: (_NAMES_A_PAPER.index(e.type), -len(e.mentions)))
        return ", ".join(dict.fromkeys(clean(e.name).clean for e in proposed[:2]))
    words = clean(extraction.paper.text[:400]).clean.split()
    return (
        " ".join(words[:WORDS_OF_LABEL]).rstrip(",;:") + ("…" if len(words) > WORDS_OF_LABEL else "")
        or extraction.paper.id
    )


class _Paper(NamedTuple):
    """What is drawn of a paper: its key, its node, and the role and confidence of each of its entities."""

    key: str
    node: dict[str, str | int]
    parts: tuple[tuple[str, float], ...]


def _part(entity: Entity) -> tuple[str, float]:
    return str(entity.role), entity.confidence


def _paper(extraction: Extraction) -> dict[str, str | int]:
    paper = extraction.paper
    return {
        "type": PAPER,
        "label": paper_label(extraction),
        "title": paper.title,
        "venue": paper.venue,
        "year": paper.year or 0,
        "paper_id": paper.id,
    }


def _add_concept(made: nx.MultiDiGraph, concept: Concept, members: Sequence[tuple[_Paper, int]]) -> None:
    key = concept_key(concept)
    count = len({paper.key for paper, _ in members})
    made.add_node(key, type=str(concept.type), label=concept.label, alternatives=concept.alternatives, papers=count)
    for paper, index in members:
        if index < len(paper.parts):
            _add_edge(made, paper, key, index)


def _add_edge(made: nx.MultiDiGraph, paper: _Paper, target: str, index: int) -> None:
    role, confidence = paper.parts[index]
    known = made.get_edge_data(paper.key, target, role)
    if known is None:
        made.add_edge(
            paper.key, target, role, role=role, confidence=confidence, year=paper.node["year"], entities=(index,)
        )
    else:
        known.update(confidence=max(known["confidence"], confidence), entities=(*known["entities"], index))


def _add_structure(made: nx.MultiDiGraph, found: Structure) -> None:
    """Add the links from what is there, step by step up to the areas, and what they lead to."""
    called = {node_of(c): (str(c.type), c.label, c.alternatives) for c in found.concepts}
    called |= {a.node: (AREA, a.label, a.alternatives) for a in found.areas}
    within = papers_within(found)
    above_them = above_of(found.links)
    there = {node for node in called if _key(node) in made}
    there |= {far for node in there for far in ancestors(node, above_them)}
    for node in sorted(there):
        kind, label, alternatives = called[node]
        if _key(node) not in made:
            made.add_node(_key(node), type=kind, label=label, alternatives=alternatives, papers=0)
    for link in (link for link in found.links if link.narrow in there):
        made.add_edge(_key(link.narrow), _key(link.broad), BROADER, **_broader(link))
        made.nodes[_key(link.broad)]["within"] = within[link.broad]


def _broader(link: Broader) -> dict[str, str | int | float | tuple[str, ...]]:
    said = tuple(f"{iri('paper', e.paper, base='')} {_span(e.narrow)} {_span(e.broad)}" for e in link.evidence)
    sources = tuple(map(str, link.sources))
    sure = round(link.confidence, 4)
    return {
        "role": BROADER,
        "confidence": sure,
        "year": 0,
        "sources": sources,
        "papers": link.papers,
        "evidence": said,
    }


def _key(node: Node) -> str:
    return iri(node.kind, node.slug, base="")


def _span(at: tuple[int, int]) -> str:
    return f"{at[0]}-{at[1]}"
