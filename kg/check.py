"""Does a graph hold what it promises? SHACL Core over a build's store, and what SHACL Core can't say.

1. The files agree: `graph.ttl` and `graph.nq` can be read, and hold as many triples as the store.
2. The store is taken in slices: some papers with their texts, words, statements and results, then the concepts
   with their statements, then what is left; each slice with the nodes that it refers to, so that a shape can ask of
   what class those are. What a slice costs is the same in a graph of any size.
3. Of each slice: the shapes in `kg/data/shapes.ttl` by pySHACL; every `nif:anchorOf` is the slice of its text that its
   offsets say, by code points; every role is a `kg:mentions`; every statement is a triple that is there.
4. Triples that no slice had are strays: nothing leads to them.
5. The records beside the graph (`kg.check_records`).

pySHACL takes a minute for 1,000 papers. A sample checks so many papers, evenly spread, with all that they lead to, in
place of 2-4; files and records are read whole.

https://www.w3.org/TR/shacl/
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from importlib.resources import files
from itertools import islice
from pathlib import Path
from typing import Any

from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, Store, parse, serialize

from kg import vocab
from kg.check_records import faults
from kg.errors import ServiceError
from kg.graph.paper import ROLE_PROPERTIES
from kg.graph.writers import QUADS, TURTLE
from kg.store import base_of, open_store, reading

PAPERS_A_SLICE = 200
NODES_A_SLICE = 1000
OTHERS = (
    vocab.SKOS_CONCEPT,
    vocab.SKOS_CONCEPT_SCHEME,
    vocab.DCMITYPE_COLLECTION,
    vocab.PROV_ACTIVITY,
    vocab.PROV_SOFTWARE_AGENT,
    vocab.PROV_ENTITY,
)
ROLES = frozenset(ROLE_PROPERTIES.values()) - {vocab.KG_MENTIONS}

About = dict[NamedNode, list[Quad]]
Finding = tuple[str, str]  # the node, and what is wrong with it
Validator = Callable[[Store, About], list[Finding]]


@dataclass(frozen=True, slots=True)
class Report:
    """What was checked, and what was found: one line for each thing that is wrong.

    `sample` is how many of the papers were checked against the shapes, where those are not all.
    """

    papers: int
    concepts: int
    triples: int
    violations: tuple[str, ...]
    sample: int | None = None

    @property
    def summary(self) -> str:
        """All of it in one line."""
        verdict = "all well" if self.conforms else f"faults: {len(self.violations):,}"
        part = "" if self.sample is None else f" (a sample: {self.sample:,} of them checked)"
        return f"papers: {self.papers:,}{part}, concepts: {self.concepts:,}, triples: {self.triples:,}; {verdict}"

    @property
    def conforms(self) -> bool:
        """Is all well?"""
        return not self.violations


def check(
    source: Path, *, sample: int | None = None, on_progress: Callable[[str, int], None] = lambda stage, done: None
) -> Report:
    """Check the build in a folder; InputError where its store can't be read, ServiceError without pySHACL.

    With `sample`, only so many papers are held against the shapes. `on_progress` gets a stage and how far it has come.
    """
    validate = _validator()
    store = open_store(source)
    with reading("the check"):
        short = partial(vocab.short, prefixes=vocab.prefixes(base_of(store)))
        papers = _of_type(store, vocab.FABIO_RESEARCH_PAPER)
        on_progress("files", 0)
        found, seen = _files(source, len(store)), 0
        found += faults(source, _ids(store, papers), on_progress=partial(on_progress, "records"))
        chosen = papers if sample is None or sample >= len(papers) else _spread(papers, sample)
        for number, about in enumerate(_slices(store, chosen, others=chosen is papers), 1):
            seen += sum(map(len, about.values()))
            found += [f"{short(node)}: {what}" for node, what in [*_structure(about), *validate(store, about)]]
            on_progress("papers", min(len(chosen), number * PAPERS_A_SLICE))
        if chosen is papers and seen != len(store):
            found += [f"{short(node.value)}: nothing leads to it" for node in _strays(store, papers)]
        concepts, part = len(_of_type(store, vocab.SKOS_CONCEPT)), None if chosen is papers else len(chosen)
        return Report(len(papers), concepts, len(store), tuple(dict.fromkeys(found)), part)


def _spread(papers: list[NamedNode], sample: int) -> list[NamedNode]:
    """So many papers, evenly spread over their ids.

    >>> _spread([1, 2, 3, 4, 5, 6, 7, 8, 9], 3)
    [2, 5, 8]
    """
    return [papers[(2 * i + 1) * len(papers) // (2 * sample)] for i in range(sample)]


def _ids(store: Store, papers: list[NamedNode]) -> set[str]:
    """The ids of papers, as their records have them."""
    quads = (q for paper in papers for q in store.quads_for_pattern(paper, vocab.DCTERMS_IDENTIFIER, None))
    return {q.object.value for q in quads if isinstance(q.object, Literal)}


def _files(source: Path, expected: int) -> list[str]:
    """Read both files, and compare what they hold with the store."""
    found = []
    for name, format_ in ((TURTLE, RdfFormat.TURTLE), (QUADS, RdfFormat.N_QUADS)):
        try:
            count = sum(1 for _ in parse(path=str(source / name), format=format_))
        except FileNotFoundError:
            found.append(f"{name}: is missing; build again")
        except SyntaxError as error:
            found.append(f"{name}: can't be read ({error.msg}); build again")
        else:
            if count != expected:
                found.append(f"{name}: holds {count:,} triples where the store holds {expected:,}; build again")
    return found


def _of_type(store: Store, class_: NamedNode) -> list[NamedNode]:
    quads = store.quads_for_pattern(None, vocab.RDF_TYPE, class_)
    return sorted({q.subject for q in quads if isinstance(q.subject, NamedNode)})


def _slices(store: Store, papers: list[NamedNode], *, others: bool = True) -> Iterator[About]:
    """Take the store apart, each node in one slice; papers first, then what else there is."""
    for some in _batches(papers, PAPERS_A_SLICE):
        yield {node: _about(store, node) for paper in some for node in _belongings(store, paper)}
    rest = dict.fromkeys(node for class_ in (OTHERS if others else ()) for node in _of_type(store, class_))
    for some in _batches(rest, NODES_A_SLICE):
        stated = (statement for node in some for statement in _pointing(store, vocab.RDF_SUBJECT, node))
        yield {node: _about(store, node) for node in (*some, *stated)}


def _batches(nodes: Iterable[NamedNode], size: int) -> Iterator[list[NamedNode]]:
    rest = iter(nodes)
    while some := list(islice(rest, size)):
        yield some


def _belongings(store: Store, paper: NamedNode) -> Iterator[NamedNode]:
    """A paper, its texts, what is in them, and what is said of it."""
    yield paper
    for context in _pointing(store, vocab.DCTERMS_IS_PART_OF, paper):
        yield context
        yield from _pointing(store, vocab.NIF_REFERENCE_CONTEXT, context)
    yield from _pointing(store, vocab.RDF_SUBJECT, paper)
    yield from _pointing(store, vocab.KG_REPORTED_IN, paper)


def _pointing(store: Store, term: NamedNode, node: NamedNode) -> list[NamedNode]:
    return sorted({q.subject for q in store.quads_for_pattern(None, term, node) if isinstance(q.subject, NamedNode)})


def _about(store: Store, node: NamedNode) -> list[Quad]:
    return list(store.quads_for_pattern(node, None, None))


def _strays(store: Store, papers: list[NamedNode]) -> list[NamedNode]:
    led_to = {node for about in _slices(store, papers) for node in about}
    return sorted({q.subject for q in store if isinstance(q.subject, NamedNode) and q.subject not in led_to})


def _structure(about: About) -> Iterator[Finding]:
    """Find what is wrong in a slice that SHACL Core can't see."""
    quads = [quad for of_node in about.values() for quad in of_node]
    triples = {(q.subject, q.predicate, q.object) for q in quads}
    texts = {s: o.value for s, p, o in triples if p == vocab.NIF_IS_STRING and isinstance(o, Literal)}
    for node, of_node in about.items():
        of: dict[NamedNode, Any] = {q.predicate: q.object for q in of_node}
        if vocab.NIF_ANCHOR_OF in of:
            words, there = of[vocab.NIF_ANCHOR_OF].value, _words(texts, of)
            if words != there:
                yield node.value, f"says {words!r} where its text has {there!r}"
        if vocab.RDF_PREDICATE in of:
            stated = (of.get(vocab.RDF_SUBJECT), of[vocab.RDF_PREDICATE], of.get(vocab.RDF_OBJECT))
            if stated not in triples:
                yield node.value, "states a triple that is not there"
        for q in of_node:
            if q.predicate in ROLES and (node, vocab.KG_MENTIONS, q.object) not in triples:
                yield node.value, f"gives a role to {q.object}, but has no kg:mentions of it"


def _words(texts: dict[Any, str], of: dict[NamedNode, Any]) -> str | None:
    """The words in the place that a span's offsets say; None where they say none."""
    text = texts.get(of.get(vocab.NIF_REFERENCE_CONTEXT))
    offsets = [of[p].value for p in (vocab.NIF_BEGIN_INDEX, vocab.NIF_END_INDEX) if p in of]
    if text is None or len(offsets) < 2 or not all(o.isdecimal() for o in offsets):
        return None
    return text[int(offsets[0]) : int(offsets[1])]


def _validator() -> Validator:
    """Make the function that holds a slice against the shapes, which are read once."""
    try:
        import pyshacl
        from rdflib import SH, Graph
    except ImportError as error:
        raise ServiceError("pySHACL is not installed; install it with `pip install 'paperkg[check]'`") from error
    shapes = Graph().parse(data=(files("kg.data") / "shapes.ttl").read_text("utf-8"), format="turtle")

    def validate(store: Store, about: About) -> list[Finding]:
        data = Graph().parse(data=_with_context(store, about), format="nt")
        conforms, results, _ = pyshacl.validate(data, shacl_graph=shapes, inplace=True)
        found = []
        for result in () if conforms else results.objects(None, SH.result):
            value, says = results.value(result, SH.value), results.value(result, SH.resultMessage)
            found.append(
                (str(results.value(result, SH.focusNode)), f"{says}{'' if value is None else f', not {value}'}")
            )
        return sorted(found)

    return validate


def _with_context(store: Store, about: About) -> bytes:
    """The triples of a slice and of all nodes that they lead to, as N-Triples."""
    known = dict(about)
    fresh = [quad for quads in about.values() for quad in quads]
    while fresh:
        ahead = {q.object for q in fresh if isinstance(q.object, NamedNode)} - known.keys()
        known |= {node: _about(store, node) for node in ahead}
        fresh = [quad for node in ahead for quad in known[node]]
    triples = (quad.triple for quads in known.values() for quad in quads)
    return serialize(triples, format=RdfFormat.N_TRIPLES) or b""
