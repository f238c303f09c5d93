"""A build for the bulk loaders of triple stores: gzipped N-Quads in shards, a manifest, and each loader's command.

A shard holds whole lines of `graph.nq`, in order. Names and bytes depend on the graph alone: no clock is in them. The
commands are files of `kg/data/bulk`, in which `{{folder}}` becomes the absolute path of the folder.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import os
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import islice
from pathlib import Path

from kg import vocab
from kg.errors import InputError, OutputError
from kg.files import atomic_write
from kg.graph.triples import Block
from kg.graph.writers import QUADS, replaced_folder

MANIFEST, SUMS, NAME = "manifest.json", "sha256sums", "graph-{:05}.nq.gz"
TEMPLATES = Path(__file__).parent.parent / "data" / "bulk"
SHARD = 1_000_000


@dataclass(frozen=True, slots=True)
class Shard:
    """One file: its triples, its size in bytes, and its SHA-256."""

    file: str
    triples: int
    bytes: int
    sha256: str


@dataclass(frozen=True, slots=True)
class Manifest:
    """What there is in all, in each named graph, and in each file."""

    triples: int
    graphs: dict[str, int]
    shards: tuple[Shard, ...]


def export_bulk(source: Path, output: Path, *, shard: int = SHARD) -> Manifest:
    """Write the graph of the build in `source` into the folder `output`, so many triples to a file.

    Only a folder that is empty, or was written so before, is written to; else OutputError.
    """
    quads = source / QUADS
    if not quads.is_file():
        raise InputError(f"there is no {QUADS} in {source}; make one by `kg build`, or name another build by --from")
    _check_is_ours(output)
    graphs: Counter[str] = Counter()
    with quads.open("rb") as lines, replaced_folder(output) as folder:
        shards = tuple(_shards(_counted(lines, quads, graphs), folder, shard))
        return _finish(folder, Manifest(sum(graphs.values()), dict(sorted(graphs.items())), shards), output)


def shard_of(folder: Path, number: int, made: Iterable[Block], base: str) -> tuple[Shard, dict[str, int]]:
    """Write the triples of blocks as one shard; gives it, and how many there are in each named graph."""
    path, graphs = folder / NAME.format(number), Counter[str]()
    with atomic_write(path, binary=True) as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as shard:
        for block in made:
            shard.write(block.n_quads(base))
            graphs.update({vocab.iri("graph", name, base=base): len(triples) for name, triples in block.parts.items()})
    return _written(path, sum(graphs.values())), dict(graphs)


def finished(folder: Path, made: Iterable[tuple[Shard, dict[str, int]]], *, place: Path) -> Manifest:
    """Write what goes with the shards in `folder`, which is to stand at `place`."""
    graphs: Counter[str] = Counter()
    shards = []
    for shard, counts in made:
        shards.append(shard)
        graphs.update(counts)
    return _finish(folder, Manifest(sum(graphs.values()), dict(sorted(graphs.items())), tuple(shards)), place)


def _finish(folder: Path, manifest: Manifest, place: Path) -> Manifest:
    (folder / MANIFEST).write_text(json.dumps(asdict(manifest), indent=1) + "\n", encoding="utf-8")
    (folder / SUMS).write_text("".join(f"{s.sha256}  {s.file}\n" for s in manifest.shards), encoding="ascii")
    for template in sorted(TEMPLATES.iterdir()):
        text = template.read_text(encoding="utf-8").replace("{{triples}}", f"{manifest.triples:,}")
        text = text.replace("{{folder}}", str(place.absolute()))
        (folder / template.name).write_text(text, encoding="utf-8")
    return manifest


def _shards(lines: Iterator[bytes], folder: Path, size: int) -> Iterator[Shard]:
    number = 0
    while first := next(lines, b""):
        number += 1
        path, triples = folder / NAME.format(number), 0
        with path.open("wb") as file, gzip.GzipFile(filename="", fileobj=file, mode="wb", mtime=0) as shard:
            shard.write(first)
            for triples, line in enumerate(islice(lines, size - 1), 1):  # noqa: B007
                shard.write(line)
        yield _written(path, triples + 1)


def _written(path: Path, triples: int) -> Shard:
    with path.open("rb") as written:
        digest = hashlib.file_digest(written, "sha256").hexdigest()
    return Shard(path.name, triples, path.stat().st_size, digest)


def _counted(lines: Iterator[bytes], path: Path, graphs: Counter[str]) -> Iterator[bytes]:
    """Count the lines by graph as they pass; InputError where one is not what a build writes."""
    for number, line in enumerate(lines, 1):
        graph = line.rpartition(b" <")[2]
        if not graph.endswith(b"> .\n") or len(graph) == len(line):
            raise InputError(f"{path}:{number} is damaged; build again to replace it")
        graphs[graph[:-4].decode()] += 1
        yield line


def _check_is_ours(folder: Path) -> None:
    """Refuse a folder in which there is anything but an earlier export."""
    try:
        there = {entry.name for entry in os.scandir(folder)}
    except FileNotFoundError:
        return
    except OSError as error:
        raise OutputError(f"cannot write {folder}: {error.strerror or error}; choose another place") from error
    ours = {MANIFEST, SUMS, *(template.name for template in TEMPLATES.iterdir())}
    others = sorted(name for name in there - ours if not (name.startswith("graph-") and name.endswith(".nq.gz")))
    if others or (there and MANIFEST not in there):
        raise OutputError(f"{folder} has other files in it ({', '.join(others[:3])} …); choose an empty folder")
