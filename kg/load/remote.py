"""What a triple store is asked and told while it is loaded; in a dry run, what it would be told is shown instead.

Reading is by SPARQL Query, writing by the Graph Store Protocol (https://www.w3.org/TR/sparql11-http-rdf-update/) and by
SPARQL Update. Every request that writes can be repeated without harm, since the data have no blank nodes, but for the
move of a graph.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import cast

import pyoxigraph as ox

from kg.errors import LoadError
from kg.load.ask import ask
from kg.load.profiles import Doors, Profile
from kg.load.source import Chunk
from kg.load.web import Request, Web, refusal, where

N_TRIPLES = "application/n-triples"
UPDATE = "application/sparql-update"
ASKED_AT_ONCE = 25
BOOLEANS = {"true": Decimal(1), "1": Decimal(1), "false": Decimal(0), "0": Decimal(0)}
TOO_BIG = re.compile(r"\b(37000|SP030|SP031|10,?000 lines|too (large|big|long))\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Remote:
    """One store: its kind, its doors, and how to get there.

    `sent` is told how many triples of a part have gone out; `show`, in a dry run, gets what would be sent.
    """

    web: Web
    profile: Profile
    doors: Doors
    sent: Callable[[int], None] = lambda triples: None
    show: Callable[[Request], None] | None = None

    def count(self, graph: str) -> int:
        """Count the triples of a graph."""
        query = f"SELECT (COUNT(*) AS ?n) WHERE {{ GRAPH {ox.NamedNode(graph)} {{ ?s ?p ?o }} }}"
        return int(next(self._rows(query))[0].value)

    def missing(self, graph: str, sample: Sequence[ox.Triple]) -> list[ox.Triple]:
        """Give those triples that a graph does not have; a number may have lost its spelling, not its value."""
        lost: list[ox.Triple] = []
        for i in range(0, len(sample), ASKED_AT_ONCE):
            some = sample[i : i + ASKED_AT_ONCE]
            pairs = " ".join(sorted({f"({triple.subject} {triple.predicate})" for triple in some}))
            query = f"""SELECT DISTINCT ?s ?p ?o WHERE {{
                GRAPH {ox.NamedNode(graph)} {{ VALUES (?s ?p) {{ {pairs} }} ?s ?p ?o }} }}"""
            there = {(s, p, value(o)) for s, p, o in self._rows(query)}
            lost += (t for t in some if (t.subject, t.predicate, value(t.object)) not in there)
        return lost

    def triples(self, graph: str) -> Iterator[ox.Triple]:
        """Read a whole graph as it comes."""
        request = Request("GET", self.doors.of_graph(graph), {"Accept": N_TRIPLES})
        with self.web.opened(request) as response:
            stream = cast(io.BytesIO, io.BufferedReader(_Stream(response.iter_bytes())))
            try:
                for quad in ox.parse(stream, ox.RdfFormat.N_TRIPLES):
                    yield quad.triple
            except SyntaxError as error:
                raise LoadError(f"{where(request)} was answered with what is not N-Triples: {error}") from error

    def put(self, graph: str, chunk: Chunk) -> None:
        """Replace a graph by these triples."""
        self._write(self._of_chunk("PUT", self.doors.of_graph(graph), chunk))

    def post(self, graph: str, chunk: Chunk, *, at_once: bool = False) -> None:
        """Add these triples to a graph; in smaller chunks where the server finds this one too large.

        `at_once`: in the way in which all of them appear at the same time.
        """
        url = self.doors.of_graph(graph, self.profile.merge if at_once else "")
        self._write_or_halve(self._of_chunk("POST", url, chunk), chunk, lambda half: self.post(graph, half))

    def insert(self, graph: str, chunk: Chunk) -> None:
        """Add these triples to a graph by an update; by smaller ones where the server finds it too large."""
        body = b"".join((f"INSERT DATA {{ GRAPH {ox.NamedNode(graph)} {{\n".encode(), *chunk, b"} }"))
        request = self._of_update(body, note=f"{chunk.lines:,} triples")
        self._write_or_halve(request, chunk, lambda half: self.insert(graph, half))
        self.sent(chunk.before + chunk.lines)

    def update(self, text: str, *, again: bool = True) -> None:
        """Run an update; `again`: it does the same if it is run twice."""
        self._write(self._of_update(text.encode(), again=again))

    def delete(self, graph: str, triples: Iterable[ox.Triple]) -> None:
        """Take these triples out of a graph."""
        data = " .\n".join(map(str, triples))
        self._write(self._of_update(f"DELETE DATA {{ GRAPH {ox.NamedNode(graph)} {{\n{data} }} }}".encode()))

    def drop(self, graph: str) -> None:
        """See to it that a graph is not there."""
        if self.doors.update:
            self.update(f"DROP SILENT GRAPH {ox.NamedNode(graph)}")
        else:
            self._write(Request("DELETE", self.doors.of_graph(graph)), absent=True)

    def _rows(self, query: str) -> Iterator[tuple[ox.NamedNode | ox.Literal, ...]]:
        results = ask(self.web, self.doors.query, query, name="what the store holds").results
        for solution in cast(ox.QuerySolutions, results):
            yield tuple(cast(ox.NamedNode | ox.Literal, term) for term in solution)

    def _of_chunk(self, method: str, url: str, chunk: Chunk) -> Request:
        body = _Told(chunk, self.sent)
        return Request(method, url, {"Content-Type": N_TRIPLES}, body, chunk.size, note=f"{chunk.lines:,} triples")

    def _of_update(self, body: bytes, *, again: bool = True, note: str = "") -> Request:
        if self.doors.update is None:
            raise LoadError(f"{self.profile.name} has no door for updates here; name one by --update-url")
        return Request("POST", self.doors.update, {"Content-Type": UPDATE}, body, len(body), again, note)

    def _write(self, request: Request, *, absent: bool = False) -> None:
        if self.show:
            self.show(request)
        else:
            self.web.ok(request, absent=absent)

    def _write_or_halve(self, request: Request, chunk: Chunk, each: Callable[[Chunk], None]) -> None:
        if self.show:
            self.show(request)
            return
        response = self.web.send(request)
        if response.is_success:
            return
        if chunk.lines > 1 and (response.status_code == 413 or TOO_BIG.search(response.text)):
            for half in chunk.halves():
                each(half)
            return
        raise LoadError(f"{where(request)} was refused: {refusal(response)}")


def value(term: object) -> object:
    """Give what two spellings of a term have in common: a number's value, a language in lower case.

    Virtuoso keeps a boolean as the number one or zero.

    >>> xsd = "http://www.w3.org/2001/XMLSchema#"
    >>> value(ox.Literal("92.10", datatype=ox.NamedNode(f"{xsd}decimal"))) == value(ox.Literal(92.1))
    True
    >>> value(ox.Literal(True)) == value(ox.Literal(1)) != value(ox.Literal(False))
    True
    """
    if not isinstance(term, ox.Literal):
        return term
    if term.language:
        return term.value, term.language.lower()
    if term.datatype.value.endswith("#boolean") and term.value in BOOLEANS:
        return BOOLEANS[term.value]
    try:
        if term.datatype.value.rpartition("#")[2] in ("decimal", "integer", "double", "float", "nonNegativeInteger"):
            return Decimal(term.value)
    except InvalidOperation:
        return term
    return term


class _Told:
    """A chunk that tells how much of it has been read."""

    def __init__(self, chunk: Chunk, tell: Callable[[int], None]) -> None:
        self._chunk, self._tell = chunk, tell

    def __iter__(self) -> Iterator[bytes]:
        done = self._chunk.before
        for block in self._chunk:
            yield block
            self._tell(done := done + block.count(b"\n"))


class _Stream(io.RawIOBase):
    """The body of an answer as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._left = blocks, b""

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self._left:
            if not (block := next(self._blocks, b"")):
                return 0
            self._left = block
        n = min(len(buffer), len(self._left))
        buffer[:n], self._left = self._left[:n], self._left[n:]
        return n
