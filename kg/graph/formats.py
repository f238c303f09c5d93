"""The graph of a build to any RDF format, streamed from its N-Quads.

Turtle and N-Quads are what the build has written already. TriG and N-Quads keep the three named graphs; the others hold
one graph, the union of the three, so that a plain reader sees all of it. A name that ends in `.gz` is compressed.
Formats and media types: https://www.w3.org/TR/rdf11-primer/#section-graph-syntax
"""

from __future__ import annotations

import gzip
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import groupby, islice
from pathlib import Path
from typing import IO, cast

from pyoxigraph import Quad, RdfFormat, Triple, parse, serialize

from kg import vocab
from kg.errors import InputError, UsageError
from kg.files import atomic_write
from kg.graph.jsonld import json_ld
from kg.graph.terms import Spo
from kg.graph.turtle import block, header
from kg.graph.writers import QUADS, TURTLE

LARGEST_BLOCK = 10_000


@dataclass(frozen=True, slots=True)
class Format:
    """A format that the graph can be written in; `names` are what people call it besides extension and media type."""

    extension: str
    media_type: str
    write: Callable[[Path, IO[bytes]], None]
    names: tuple[str, ...] = ()


def export(source: Path, output: Path | str, *, format: str | None = None) -> None:
    """Write the graph of the build in `source`; the format is told by name, media type or the output's extension.

    `output` may be "-", standard output, where Turtle is the default.
    """
    chosen = find_format(format or _extension(output))
    if not (source / QUADS).is_file():
        raise InputError(f"there is no {QUADS} in {source}; make one by `kg build`, or name another build by --from")
    with _opened(output) as file:
        try:
            chosen.write(source, file)
        except SyntaxError as error:
            raise InputError(f"{source / QUADS} is damaged ({error.msg}); build again to replace it") from error


def find_format(name: str) -> Format:
    """Find a format by extension, name or media type; UsageError, which lists the known ones, if there is none.

    >>> find_format(".TTL").media_type, find_format("application/ld+json; charset=utf-8").extension
    ('text/turtle', 'jsonld')
    """
    wanted = name.partition(";")[0].strip().lower().lstrip(".")
    for known in FORMATS:
        if wanted in (known.extension, known.media_type, *known.names):
            return known
    listed = ", ".join(f"{known.extension} ({known.media_type})" for known in FORMATS)
    raise UsageError(f"unknown format {name!r}; use one of {listed}")


def _extension(output: Path | str) -> str:
    if str(output) == "-":
        return TURTLE.rpartition(".")[2]
    name = Path(output).name.removesuffix(".gz")
    if "." not in name:
        raise UsageError(f"{output} has no extension that tells its format; name one by --format")
    return name.rpartition(".")[2]


@contextmanager
def _opened(output: Path | str) -> Iterator[IO[bytes]]:
    if str(output) == "-":
        yield sys.stdout.buffer
        sys.stdout.buffer.flush()
        return
    path = Path(output)
    with atomic_write(path, binary=True) as file:
        if path.suffix != ".gz":
            yield file
            return
        with gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as compressed:  # no name, no clock in it
            yield cast(IO[bytes], compressed)


def _copy(name: str) -> Callable[[Path, IO[bytes]], None]:
    def copy(source: Path, file: IO[bytes]) -> None:
        with (source / name).open("rb") as made:
            shutil.copyfileobj(made, file)

    return copy


def _quads(source: Path) -> Iterator[Quad]:
    return parse(path=str(source / QUADS), format=RdfFormat.N_QUADS)


def _triples(source: Path) -> Iterator[Triple]:
    return (quad.triple for quad in _quads(source))


def _spo(quad: Quad) -> Spo:
    return cast(Spo, (quad.subject, quad.predicate, quad.object))  # a build has neither blank nodes nor quoted triples


def _prefixes(source: Path) -> dict[str, str]:
    """Give the prefixes of a build, whose base is told by the names of its graphs."""
    first = next(_quads(source), None)
    return vocab.prefixes(str(first.graph_name)[1:].rpartition("graph/")[0]) if first else vocab.prefixes()


def _n_triples(source: Path, file: IO[bytes]) -> None:
    serialize(_triples(source), file, RdfFormat.N_TRIPLES)


def _trig(source: Path, file: IO[bytes]) -> None:
    prefixes = _prefixes(source)
    file.write(header(prefixes))
    for graph, quads in groupby(_quads(source), key=lambda quad: quad.graph_name):
        while some := [quad.triple for quad in islice(quads, LARGEST_BLOCK)]:
            file.write(b"%s {\n\n%s}\n\n" % (str(graph).encode(), block(some, prefixes)))


def _json_ld(source: Path, file: IO[bytes]) -> None:
    file.writelines(json_ld(map(_spo, _quads(source)), _prefixes(source)))


def _rdf_xml(source: Path, file: IO[bytes]) -> None:
    serialize(_triples(source), cast(IO[bytes], _Xml(file)), RdfFormat.RDF_XML, prefixes=_prefixes(source))


class _Xml:
    """A file that RDF/XML is written through: a raw carriage return, which an XML parser reads as a line feed, is
    written as a character reference.
    """

    def __init__(self, file: IO[bytes]) -> None:
        self.file = file

    def write(self, data: bytes) -> int:
        self.file.write(data.replace(b"\r", b"&#xD;"))
        return len(data)

    def flush(self) -> None:
        self.file.flush()


FORMATS = (
    Format("ttl", "text/turtle", _copy(TURTLE), ("turtle",)),
    Format("nt", "application/n-triples", _n_triples, ("ntriples", "n-triples")),
    Format("nq", "application/n-quads", _copy(QUADS), ("nquads", "n-quads")),
    Format("trig", "application/trig", _trig),
    Format("rdf", "application/rdf+xml", _rdf_xml, ("xml", "rdfxml", "rdf/xml")),
    Format("jsonld", "application/ld+json", _json_ld, ("json-ld", "json")),
)
