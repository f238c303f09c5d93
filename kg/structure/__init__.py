"""Concepts to their structure: what is a kind, a variant or a member of what, so that papers of unlike names meet.

1. by name   a name holds a broader one: `GPT-2 Small` → `GPT-2`                                       (`by_name`)
2. by text   papers say it: `language models such as GPT-2`; collected while concepts are settled      (`by_text`)
3. by map    the map of the field knows it, up to a dozen areas                                        (`by_map`)
4. tidy      no cycle, nothing that a path says already, the surest link first                         (`tidy`)

Never across types, but that a chain ends in an area, which has none. A pure function of the concepts, of what papers
say of kinds and of the map, whatever the order of the papers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from kg.field import FieldMap
from kg.memory import uncollected
from kg.records import Concept, EntityType, Extraction
from kg.structure.by_map import by_map, measures, tasks
from kg.structure.by_name import by_name
from kg.structure.by_text import Saying, by_text, sayings
from kg.structure.index import Index
from kg.structure.links import AREA, Area, Broader, Evidence, Measure, Node, Source, Structure, node_of
from kg.structure.tidy import above_of, ancestors, tidy

__all__ = [
    "AREA",
    "Area",
    "Broader",
    "Evidence",
    "Measure",
    "Node",
    "Said",
    "Source",
    "Structure",
    "above_of",
    "ancestors",
    "areas_of",
    "node_of",
    "papers_within",
    "structure",
]


class Said:
    """Collects what papers say of kinds while their extractions pass to another step."""

    def __init__(self) -> None:
        self.of: dict[str, tuple[Saying, ...]] = {}

    def passing(self, extractions: Iterable[Extraction]) -> Iterator[Extraction]:
        """The same extractions, read."""
        for extraction in extractions:
            if found := sayings(extraction):
                self.of[extraction.paper.id] = found
            yield extraction


@uncollected()
def structure(
    concepts: Iterable[Concept], said: Mapping[str, tuple[Saying, ...]] | None = None, *, field: FieldMap | None = None
) -> Structure:
    """Find the structure of concepts; `said` is `Said.of` of the same extractions, `field` the map of the field."""
    own = tuple(concepts)
    placed = [(node_of(c), c) for c in own]
    index = Index(placed, field)
    links = tidy([*by_name(placed, index), *by_text(said or {}, own), *(by_map(index, field) if field else ())])
    made_for = dict(sorted(tasks(index, field))) if field else {}
    above = above_of(links)
    known = {node for node, _ in placed}
    needed = known | {task for those in made_for.values() for task in those}
    needed |= {far for node in list(needed) for far in ancestors(node, above)}
    added = [*_added(index, field, needed - known)] if field else []
    return Structure(
        tuple(sorted((*own, *(c for c in added if isinstance(c, Concept))), key=lambda c: (c.type, c.slug))),
        tuple(sorted((c for c in added if isinstance(c, Area)), key=lambda a: a.slug)),
        tuple(link for link in links if link.narrow in needed),
        made_for,
        dict(sorted(measures(index))),
    )


def areas_of(found: Structure) -> dict[Node, tuple[Node, ...]]:
    """Give the areas that each concept is in, by name; those of concepts that no chain leads into one are left out."""
    above = above_of(found.links)
    of = {node_of(c): tuple(sorted(n for n in ancestors(node_of(c), above) if n.kind == AREA)) for c in found.concepts}
    return {node: areas for node, areas in of.items() if areas}


def papers_within(found: Structure) -> dict[Node, int]:
    """Give for each concept and area how many papers name it or anything narrower."""
    above = above_of(found.links)
    naming: dict[Node, set[str]] = {
        node: set() for node in (*map(node_of, found.concepts), *(a.node for a in found.areas))
    }
    for concept in found.concepts:
        papers = {paper for paper, _ in concept.members}
        for node in (node_of(concept), *ancestors(node_of(concept), above)) if papers else ():
            naming[node] |= papers
    return {node: len(papers) for node, papers in naming.items()}


def _added(index: Index, field: FieldMap, nodes: set[Node]) -> Iterator[Concept | Area]:
    """Make the concepts and areas that only the map has."""
    for concept in field.concepts:
        if (node := index.node(concept)) in nodes:
            if concept.type:
                yield Concept(node.slug, EntityType(concept.type), concept.label, concept.aliases, ())
            else:
                yield Area(node.slug, concept.label, concept.aliases)
