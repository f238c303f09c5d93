"""What is to be loaded: the graphs of a build as N-Triples on disk, counted, with a sample.

1. The lines of the build's N-Quads are parted by graph; what is left of each is a line of N-Triples. There must be as
   many as there are quads in the build's store, which has each once: so how many triples must arrive is known before
   the first request, and a damaged build is found out here.
2. A part is cut into chunks on line ends; a chunk is read when it is sent, so memory is that of one chunk.
3. Every nth triple is the sample.

N-Triples because every store reads them, and none wrongly: https://www.w3.org/TR/n-triples/. Oxigraph's own dump of the
store would give them, too, but takes ten times as long.
"""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import IO, cast

import pyoxigraph as ox

from kg.errors import InputError, UsageError
from kg.graph.writers import QUADS
from kg.store import open_store

BLOCK = 1 << 20
SAMPLE = 200
END = b"> .\n"


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
    target = checked_graph(graph) if graph else None
    store = open_store(build)
    with tempfile.TemporaryDirectory(prefix="kg-load-") as folder:
        paths, names = _parted(build / QUADS, Path(folder), target)
        parts = tuple(_part(store, name, names[name], path) for name, path in sorted(paths.items()))
        lines = sum(part.whole.lines for part in parts)
        if not lines:
            raise InputError(f"the graph in {build} is empty; build it again from some papers")
        if lines != len(store):
            raise InputError(
                f"{build / QUADS} has {lines:,} triples and the store beside it {len(store):,}; build again"
            )
        yield Source(parts, store, names)


def _parted(
    quads: Path, folder: Path, target: str | None
) -> tuple[dict[str, Path], dict[str, tuple[ox.NamedNode, ...]]]:
    """Write the triples of each graph into a file, or all into one; gives the files and whose triples are in them."""
    files: dict[bytes, tuple[str, IO[bytes]]] = {}
    paths: dict[str, Path] = {}
    names: dict[str, tuple[ox.NamedNode, ...]] = {}
    with ExitStack() as stack:
        for end, heads in _by_graph(quads):
            if end not in files:
                own = ox.NamedNode(end.removesuffix(END).decode())
                name = target or own.value
                paths.setdefault(name, folder / f"{len(paths)}.nt")
                names[name] = (*names.get(name, ()), own)
                files[end] = (name, stack.enter_context(paths[name].open("ab", buffering=0)))
            files[end][1].write(b" .\n".join([*heads, b""]))
    return paths, names


def _by_graph(quads: Path) -> Iterator[tuple[bytes, list[bytes]]]:
    """Read some lines at a time, and give of those of each graph what is before the graph's name."""
    try:
        with quads.open("rb") as file:
            while lines := file.readlines(BLOCK):
                found: dict[bytes, list[bytes]] = {}
                for line in lines:
                    head, _, end = line.rpartition(b" <")
                    found.setdefault(end, []).append(head)
                for end, heads in found.items():
                    if not end.endswith(END) or b"" in heads:
                        raise InputError(f"{quads} is damaged; build again to replace it")
                    yield end, heads
    except OSError as error:
        raise InputError(f"cannot read {quads} ({error.strerror}); make it by `kg build`") from error


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
