"""The graph to its three forms on disk: Turtle for people, N-Quads for machines, a store for queries.

1. Blocks are made once; each is written to both files at once, so a corpus of any size passes through little memory.
2. The store is bulk-loaded from the N-Quads file into a folder beside the old store.
3. The files are put in place when all is well, then `store`, a link, is turned to the new folder: there is no moment
   without a store, a reader that has the old one open goes on reading it, and a failure leaves what was there before.

Of the time, half is Oxigraph's loading, a quarter is making triples, and an eighth each the two files: what is left to
gain is little.
"""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from pyoxigraph import RdfFormat, Store, serialize

from kg import vocab
from kg.errors import OutputError
from kg.files import atomic_write, linked_folder
from kg.graph.run import Run
from kg.graph.triples import Block, Provenance, block_quads, blocks
from kg.graph.turtle import block, header, heading
from kg.records import Concept, Extraction
from kg.structure import Structure

TURTLE, QUADS, STORE = "graph.ttl", "graph.nq", "store"
PREAMBLE = (
    "What papers propose, use, compare with, evaluate on and report, and the words in them that say so.",
    "The words of this graph are explained in https://w3id.org/paperkg/ontology",
)


def write(
    output: Path,
    extractions: Callable[[], Iterable[Extraction]] | Iterable[Extraction],
    concepts: Sequence[Concept] | Structure,
    *,
    base: str = vocab.DEFAULT_BASE,
    provenance: Provenance = Provenance.FULL,
    run: Run | None = None,
) -> dict[str, int]:
    """Write `graph.ttl`, `graph.nq` and `store/` into a folder; gives the number of triples in each named graph."""
    papers = extractions() if callable(extractions) else extractions
    counts: Counter[str] = Counter()
    with (
        linked_folder(output / STORE) as folder,
        atomic_write(output / TURTLE, binary=True) as ttl,
        atomic_write(output / QUADS, binary=True) as nq,
    ):
        ttl.write(header(prefixes := vocab.prefixes(base), *PREAMBLE))
        for part in blocks(papers, concepts, base=base, provenance=provenance, run=run):
            ttl.write(_turtle(part, prefixes))
            nq.write(serialize(block_quads(part, base), format=RdfFormat.N_QUADS))
            counts.update({name: len(triples) for name, triples in part.parts.items()})
        nq.flush()
        _fill(folder, Path(nq.name))
    return dict(counts)


def _turtle(part: Block, prefixes: dict[str, str]) -> bytes:
    return (heading(part.heading) if part.heading else b"") + block(part.triples(), prefixes)


def _fill(folder: Path, quads: Path) -> None:
    """Load N-Quads that we have just written, hence without checking each IRI again."""
    store = Store(str(folder))
    store.bulk_load(path=str(quads), format=RdfFormat.N_QUADS, lenient=True)
    store.flush()


@contextmanager
def replaced_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder beside `path` and put it in its place when the block ends well; OutputError if it can't be.

    What a killed build left behind is cleared away first: only one build at a time writes into a folder.
    """
    fresh, former = path.with_name(f".{path.name}.new"), path.with_name(f".{path.name}.old")
    try:
        for leftover in (fresh, former):
            shutil.rmtree(leftover, ignore_errors=True)
        fresh.mkdir(parents=True)
        yield fresh
        if path.exists():
            path.rename(former)
        fresh.rename(path)
    except OSError as error:
        reason = error.strerror or error
        raise OutputError(f"cannot write {path}: {reason}; choose another place with -o") from error
    finally:
        shutil.rmtree(fresh, ignore_errors=True)
        shutil.rmtree(former, ignore_errors=True)
