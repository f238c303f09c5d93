"""What is to be loaded: the graphs of a build as N-Triples on disk, counted, with a sample.

1. The build's store writes each named graph as N-Triples: parsed, valid, each triple once, always in the same order. So
   what is sent cannot be refused for its syntax, and how many triples must arrive is known before the first request.
2. A part is cut into chunks on line ends; a chunk is read when it is sent, so memory is that of one chunk.
3. Every nth triple is the sample.

N-Triples because every store reads them, and none wrongly: https://www.w3.org/TR/n-triples/.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import cast

import pyoxigraph as ox

from kg.errors import InputError, UsageError
from kg.store import open_store

BLOCK = 1 << 20
SAMPLE = 200


@dataclass(frozen=True, slots=True)
class Chunk:
    """Some lines of a part: half-open in bytes, `lines` of them, `before` them so many."""

    path: Path
    start: int
    end: int
    lines: int
    before: int = 0

    @property
    def size(self) -> int:
        """Length in bytes."""
        return self.end - self.start

    def __iter__(self) -> Iterator[bytes]:
        """Read the bytes, block by block, from the start each time."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            left = self.size
            while left and (block := file.read(min(BLOCK, left))):
                left -= len(block)
                yield block

    def lines_of(self) -> Iterator[bytes]:
        """Read line by line."""
        with self.path.open("rb") as file:
            file.seek(self.start)
            yield from islice(file, self.lines)

    def halves(self) -> tuple[Chunk, Chunk]:
        """Cut in two on a line end."""
        half = self.lines // 2
        middle = self.start + sum(map(len, islice(self.lines_of(), half)))
        return (
            Chunk(self.path, self.start, middle, half, self.before),
            Chunk(self.path, middle, self.end, self.lines - half, self.before + half),
        )


@dataclass(frozen=True, slots=True)
class Part:
    """What goes into one graph of the store: `triples` distinct ones; `digest` stands for all of it."""

    graph: str
    whole: Chunk
    triples: int
    digest: str
    sample: tuple[ox.Triple, ...]

    def chunks(self, size: int) -> Iterator[Chunk]:
        """Cut into chunks of about so many bytes."""
        start = before = 0
        with self.whole.path.open("rb") as file:
            while block := file.read(size):
                block += file.readline()
                lines = block.count(b"\n")
                yield Chunk(self.whole.path, start, start + len(block), lines, before)
                start, before = start + len(block), before + lines

    def batches(self, lines: int) -> Iterator[Chunk]:
        """Cut into chunks of so many triples."""
        start = before = 0
        with self.whole.path.open("rb") as file:
            while some := list(islice(file, lines)):
                end = start + sum(map(len, some))
                yield Chunk(self.whole.path, start, end, len(some), before)
                start, before = end, before + len(some)


@dataclass(frozen=True, slots=True)
class Source:
    """A build that is being loaded: its parts, by graph, and its store, to look a triple up in."""

    parts: tuple[Part, ...]
    store: ox.Store
    graphs: dict[str, tuple[ox.NamedNode, ...]]

    def holds(self, graph: str, triple: ox.Triple) -> bool:
        """Whether a triple is to be in that graph."""
        s, p, o = triple.subject, triple.predicate, triple.object
        return any(ox.Quad(s, p, o, name) in self.store for name in self.graphs[graph])


@contextmanager
def opened(build: Path, *, graph: str | None = None) -> Iterator[Source]:
    """Lay a build out for loading; with `graph`, all of it goes into that one graph."""
    store = open_store(build)
    names = sorted((g for g in store.named_graphs() if isinstance(g, ox.NamedNode)), key=lambda name: name.value)
    if not names:
        raise InputError(f"the graph in {build} is empty; build it again from some papers")
    graphs: dict[str, tuple[ox.NamedNode, ...]] = {name.value: (name,) for name in names}
    if graph:
        graphs = {checked_graph(graph): tuple(names)}
    with tempfile.TemporaryDirectory(prefix="kg-load-") as folder:
        parts = (_part(store, target, of, Path(folder) / f"{i}.nt") for i, (target, of) in enumerate(graphs.items()))
        yield Source(tuple(parts), store, graphs)


def checked_graph(graph: str) -> str:
    """Give a graph's name back; UsageError unless it is an absolute IRI.

    >>> checked_graph("foo")
    Traceback (most recent call last):
    kg.errors.UsageError: a graph is named by an absolute IRI such as https://example.org/papers, not by 'foo'
    """
    try:
        return ox.NamedNode(graph).value
    except ValueError as error:
        raise UsageError(
            f"a graph is named by an absolute IRI such as https://example.org/papers, not by {graph!r}"
        ) from error


def _part(store: ox.Store, graph: str, of: tuple[ox.NamedNode, ...], path: Path) -> Part:
    with path.open("wb") as file:
        for name in of:
            store.dump(file, ox.RdfFormat.N_TRIPLES, from_graph=name)
    digest, lines = hashlib.blake2b(graph.encode(), digest_size=16), 0
    with path.open("rb") as made:
        while block := made.read(BLOCK):
            digest.update(block)
            lines += block.count(b"\n")
    whole = Chunk(path, 0, path.stat().st_size, lines)
    return Part(graph, whole, lines - _twice(store, of), digest.hexdigest(), tuple(_sample(whole)))


def _twice(store: ox.Store, graphs: tuple[ox.NamedNode, ...]) -> int:
    """Count the triples that an earlier one of these graphs has, too; the largest, by far, is only looked up in."""
    if len(graphs) == 1:
        return 0
    by_size = sorted(graphs, key=lambda g: sum(1 for _ in store.quads_for_pattern(None, None, None, g)), reverse=True)
    return sum(
        any(ox.Quad(q.subject, q.predicate, q.object, other) in store for other in by_size[:i])
        for i, name in enumerate(by_size)
        if i
        for q in store.quads_for_pattern(None, None, None, name)
    )


def _sample(whole: Chunk) -> Iterator[ox.Triple]:
    step = max(1, whole.lines // SAMPLE)
    lines = b"".join(islice(whole.lines_of(), step // 2, None, step))
    return (cast(ox.Quad, quad).triple for quad in ox.parse(lines, ox.RdfFormat.N_TRIPLES))
