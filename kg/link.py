"""Links from the concepts of a build to a vocabulary that somebody else keeps, by the names of both.

1. A vocabulary is RDF with SKOS or RDFS labels, in a format that Oxigraph reads, or a CSV or TSV file of label and IRI.
2. A concept and a term of the vocabulary that have a name spelled alike (`kg.names.key`) match exactly, if that makes a
   pair: no other concept and no other term has it, and it is more than an abbreviation.
3. They match closely if their names are only worded alike (`kg.wording`), if it is an abbreviation, or if
   there are others. A concept and a term are linked once, by the better reason.

No network is used, and nothing is said to be the same (`owl:sameAs`): two vocabularies seldom cut the world alike.
"""

from __future__ import annotations

import csv
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pyoxigraph as ox

from kg import vocab
from kg.errors import InputError
from kg.files import atomic_write
from kg.names import is_short, key, words
from kg.store import open_store, rows
from kg.wording import keys

LABELS = frozenset(
    (
        f"{vocab.VOCABULARIES['skos']}prefLabel",
        f"{vocab.VOCABULARIES['skos']}altLabel",
        "http://www.w3.org/2000/01/rdf-schema#label",
    )
)
FORMATS = {".ttl", ".nt", ".nq", ".trig", ".rdf", ".owl", ".xml", ".jsonld", ".json", ".n3"}
ENGLISH = "en"
CONCEPTS = """
SELECT ?concept ?name WHERE {
  ?concept a skos:Concept ; skos:prefLabel|skos:altLabel ?name .
} ORDER BY ?concept ?name
"""
Names = dict[str, set[str]]


@dataclass(frozen=True, slots=True, order=True)
class Link:
    """One concept and one term of the vocabulary; `exact` if nothing speaks against taking them for one."""

    concept: str
    term: str
    exact: bool
    name: str

    @property
    def triple(self) -> ox.Triple:
        """The link as RDF."""
        predicate = vocab.SKOS_EXACT_MATCH if self.exact else vocab.SKOS_CLOSE_MATCH
        return ox.Triple(ox.NamedNode(self.concept), predicate, ox.NamedNode(self.term))


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it: how many concepts and terms there were, and the links."""

    concepts: int
    terms: int
    links: tuple[Link, ...]

    def __str__(self) -> str:
        exact = sum(link.exact for link in self.links)
        linked = len({link.concept for link in self.links})
        return (
            f"{self.concepts:,} concepts, {self.terms:,} terms: {exact:,} exact and {len(self.links) - exact:,} close "
            f"matches; {linked:,} concepts are linked"
        )


def link(source: Path, vocabulary: Path, output: Path) -> Report:
    """Link the concepts of the build in `source` to `vocabulary`; writes the links to `output` as Turtle."""
    terms = read(vocabulary)
    concepts: Names = defaultdict(set)
    for concept, name in rows(open_store(source), CONCEPTS):
        concepts[concept].add(name)
    report = Report(len(concepts), len(terms), tuple(links(concepts, terms)))
    with atomic_write(output, binary=True) as out:
        triples = [found.triple for found in report.links]
        ox.serialize(triples, out, format=ox.RdfFormat.TURTLE, prefixes={"skos": vocab.VOCABULARIES["skos"]})
    return report


def links(concepts: Names, terms: Names) -> Iterator[Link]:
    """Find the links between two vocabularies, each IRIs with their names; sorted.

    >>> [(m.term, m.exact) for m in links({"c:1": {"neural networks"}}, {"t:a": {"Neural network"}, "t:b": {"NN"}})]
    [('t:a', True)]
    """
    found: dict[tuple[str, str], Link] = {}
    for reduced, exactly in ((_spelled, True), (_worded, False)):
        ours, theirs = _index(concepts, reduced), _index(terms, reduced)
        for k in sorted(ours.keys() & theirs.keys()):
            alone = len(ours[k]) == len(theirs[k]) == 1
            for concept, name in sorted(ours[k].items()):
                for term in sorted(theirs[k]):
                    this = Link(concept, term, exactly and alone and not is_short(name), name)
                    if this.exact or (concept, term) not in found:
                        found[concept, term] = this
    yield from (found[pair] for pair in sorted(found))


def read(path: Path) -> Names:
    """Read a vocabulary: IRIs with their names. InputError says what is wrong with it, and where."""
    try:
        found = _rdf(path) if path.suffix.lower() in FORMATS else _table(path)
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read the vocabulary {path}: {error}") from error
    if not found:
        raise InputError(f"{path} has no labels: RDF needs skos:prefLabel or rdfs:label, a table columns label and IRI")
    return found


def _rdf(path: Path) -> Names:
    found: Names = defaultdict(set)
    format = ox.RdfFormat.from_extension(path.suffix.lower().lstrip(".").replace("owl", "rdf"))
    try:
        for quad in ox.parse(path=str(path), format=format):
            thing, name = quad.subject, quad.object
            if quad.predicate.value not in LABELS or not isinstance(name, ox.Literal):
                continue
            if isinstance(thing, ox.NamedNode) and (name.language or ENGLISH).startswith(ENGLISH):
                found[thing.value].add(name.value)
    except SyntaxError as error:
        raise InputError(f"{path}:{error.lineno or '?'} is not RDF: {error.msg}") from error
    return found


def _table(path: Path) -> Names:
    found: Names = defaultdict(set)
    with path.open(encoding="utf-8-sig", newline="") as file:
        sample = file.readline()
        file.seek(0)
        delimiter = "\t" if "\t" in sample else ";" if sample.count(";") > sample.count(",") else ","
        for number, cells in enumerate(csv.reader(file, delimiter=delimiter), 1):
            if any(cells) and not (number == 1 and not _iri(cells)):
                found[_known_iri(cells, f"{path}:{number}")].update(c.strip() for c in cells if c and "://" not in c)
    return found


def _known_iri(cells: Sequence[str], origin: str) -> str:
    iri = _iri(cells)
    if not iri or len(cells) < 2:
        raise InputError(f"{origin} has no IRI beside its label; a line is: label, IRI")
    try:
        ox.NamedNode(iri)
    except ValueError as error:
        raise InputError(f"{origin}: {iri!r} is not an IRI ({error})") from error
    return iri


def _iri(cells: Sequence[str]) -> str:
    return next((c.strip().strip("<>") for c in cells if "://" in c), "")


def _index(names: Names, reduced: Callable[[str], Iterable[str]]) -> dict[str, dict[str, str]]:
    """For each key the things that have it, with the name that has it."""
    found: dict[str, dict[str, str]] = defaultdict(dict)
    for thing in sorted(names):
        for name in sorted(names[thing]):
            for k in reduced(name):
                found[k].setdefault(thing, name)
    return found


def _spelled(name: str) -> Iterable[str]:
    folded = key(name)
    return (folded,) if folded else ()


def _worded(name: str) -> Iterable[str]:
    return keys(words(name))
