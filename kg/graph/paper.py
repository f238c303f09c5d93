"""One paper to the facts about it: what it is, where it appeared, what it says of which concept."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from urllib.parse import quote

from pyoxigraph import NamedNode

from kg import vocab
from kg.graph.terms import Spo, looked_up, text, year
from kg.records import ROLES_OF, Entity, EntityType, Extraction, Paper, Place, Role
from kg.text import plain

LABEL_NAMES = 3
LABEL_LENGTH = 60

ROLE_PROPERTIES = {
    Role.PROPOSES: vocab.KG_PROPOSES,
    Role.EVALUATES_ON: vocab.KG_EVALUATES_ON,
    Role.REPORTS: vocab.KG_REPORTS,
    Role.ADDRESSES: vocab.KG_ADDRESSES,
    Role.COMPARES_WITH: vocab.KG_COMPARES_WITH,
    Role.USES: vocab.KG_USES,
    Role.STUDIES: vocab.KG_STUDIES,
    Role.MENTIONS: vocab.KG_MENTIONS,
}
IDENTIFIERS = {"doi": vocab.PRISM_DOI, "arxiv": vocab.FABIO_HAS_ARXIV_ID}
SAME_AS = {"doi": "https://doi.org/", "arxiv": "https://arxiv.org/abs/", "openalex": "https://openalex.org/"}


@dataclass(frozen=True, slots=True)
class Link:
    """The concept that an entity became: its node, its type, and the areas of the field that it is in."""

    node: NamedNode
    type: EntityType
    areas: tuple[NamedNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Source:
    """One paper as the triples are made: its extraction, the links of its entities in their order, its nodes."""

    extraction: Extraction
    links: Sequence[Link]
    node: NamedNode
    base: str

    @property
    def paper(self) -> Paper:
        """The paper itself."""
        return self.extraction.paper

    def context(self, place: Place) -> NamedNode:
        """The node of the paper's abstract or title as a text."""
        return NamedNode(f"{self.node.value}#{place}")

    def span(self, kind: str, place: Place, start: int, end: int) -> NamedNode:
        """The node of a mention or sentence."""
        where = (self.paper.id,) if place is Place.ABSTRACT else (self.paper.id, place.value)
        return NamedNode(f"{vocab.iri(kind, *where, base=self.base)}/{start}-{end}")


def source(extraction: Extraction, links: Mapping[tuple[str, int], Link], base: str) -> Source:
    """Bring together what the triples of one paper are made from."""
    name = extraction.paper.id
    found = [links[name, index] for index in range(len(extraction.entities))]
    return Source(extraction, found, NamedNode(vocab.iri("paper", name, base=base)), base)


def label(extraction: Extraction) -> str:
    """Name a paper: its title, else what it proposes, else its first words."""
    if extraction.paper.title:
        return plain(extraction.paper.title)
    if proposed := _proposed(extraction):
        return ", ".join(proposed[:LABEL_NAMES])
    words = plain(extraction.paper.text[: 4 * LABEL_LENGTH])
    return words if len(words) <= LABEL_LENGTH else f"{words[:LABEL_LENGTH].rsplit(' ', 1)[0]} …"


def _proposed(extraction: Extraction) -> list[str]:
    names = (plain(e.name) for e in extraction.entities if e.role is Role.PROPOSES)
    return list(dict.fromkeys(names))


def paper_triples(this: Source) -> Iterator[Spo]:
    """Say what a paper is and where it appeared."""
    node, paper = this.node, this.paper
    yield node, vocab.RDF_TYPE, vocab.FABIO_RESEARCH_PAPER
    yield node, vocab.RDF_TYPE, vocab.SCHEMA_SCHOLARLY_ARTICLE
    yield node, vocab.RDFS_LABEL, text(label(this.extraction) or paper.id)
    yield node, vocab.DCTERMS_IDENTIFIER, text(paper.id)
    yield from looked_up(node, label(this.extraction), paper.id, paper.doi, paper.arxiv, *_proposed(this.extraction))
    if paper.title:
        yield node, vocab.DCTERMS_TITLE, text(paper.title)
    for author in paper.authors:
        yield node, vocab.DCTERMS_CREATOR, text(author)
    if paper.venue:
        yield node, vocab.DCTERMS_IS_PART_OF, collection(paper, this.base)
    if paper.year:
        yield node, vocab.FABIO_HAS_PUBLICATION_YEAR, year(paper.year)
    yield from _elsewhere(node, paper)
    yield from role_triples(this)
    for area in sorted({area for link in this.links for area in link.areas}):
        yield node, vocab.DCTERMS_SUBJECT, area
    yield node, vocab.DCTERMS_ABSTRACT, text(paper.text)


def _elsewhere(node: NamedNode, paper: Paper) -> Iterator[Spo]:
    for scheme, site in SAME_AS.items():
        if found := getattr(paper, scheme):
            yield node, vocab.SCHEMA_SAME_AS, NamedNode(site + quote(found.lower() if scheme == "doi" else found))
    for scheme, term in IDENTIFIERS.items():
        if found := getattr(paper, scheme):
            yield node, term, text(found)
    if paper.url:
        yield node, vocab.FABIO_HAS_URL, text(paper.url)


def collection(paper: Paper, base: str) -> NamedNode:
    """Mint the node of the venue and year that a paper appeared in."""
    return NamedNode(vocab.iri("collection", vocab.slug(_appeared(paper)), base=base))


def _appeared(paper: Paper) -> str:
    return f"{paper.venue} {paper.year}" if paper.year else paper.venue


def collection_triples(paper: Paper, base: str) -> Iterator[Spo]:
    """Say what a venue in a year is."""
    node = collection(paper, base)
    yield node, vocab.RDF_TYPE, vocab.DCMITYPE_COLLECTION
    yield node, vocab.RDF_TYPE, vocab.SCHEMA_COLLECTION
    yield node, vocab.RDFS_LABEL, text(_appeared(paper))
    yield node, vocab.SCHEMA_NAME, text(paper.venue)
    if paper.year:
        yield node, vocab.DCTERMS_ISSUED, year(paper.year)


def stated(entity: Entity, link: Link) -> NamedNode:
    """Choose the property that states an entity's role; `mentions` where the concept's type cannot play it."""
    return ROLE_PROPERTIES[entity.role if entity.role in ROLES_OF[link.type] else Role.MENTIONS]


def role_triples(this: Source) -> Iterator[Spo]:
    """Say what part each concept plays, most telling roles first, and that the paper mentions all of them."""
    roles: dict[NamedNode, set[NamedNode]] = {term: set() for term in ROLE_PROPERTIES.values()}
    for entity, link in zip(this.extraction.entities, this.links, strict=True):
        roles[stated(entity, link)].add(link.node)
    roles[vocab.KG_MENTIONS] = set().union(*roles.values())
    for term, nodes in roles.items():
        for node in sorted(nodes):
            yield this.node, term, node
