"""What outgrows one machine, on Ray: extraction, and the graph in shards of N-Quads, of the same bytes once sorted.

1. The driver reads papers, one after the other (the same paper from two sources is one paper), and hands them to Ray
   Data some thousands at a time; a task takes a few, in a process that keeps its model. They come back in order.
2. Concepts, and what is a kind of what, are made by the driver: they need the names of all papers, which is little.
3. The extractions are cut into ranges of lines; a task reads one and writes its shard. It is told what its papers'
   entities became; so no text passes through the driver. The folder must be on a file system that all nodes share.
4. A task that is lost with its node is done again elsewhere: a shard is put in place whole, under a name that its
   number gives. What was extracted before the driver itself is lost is kept, as in any build.

Only the head of the cluster must not be lost. https://docs.ray.io/en/latest/data/data.html
"""

from __future__ import annotations

import logging
import os
import pickle
import socket
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

from kg import cache, engines, vocab
from kg.errors import KgError, OutputError, ServiceError
from kg.files import linked_folder
from kg.graph import bulk
from kg.graph.paper import Link
from kg.graph.run import Run
from kg.graph.triples import Provenance, concept_blocks, links_of, paper_blocks, places_of, run_blocks
from kg.records import Extraction, Paper
from kg.structure import Structure

WINDOW = 8192  # papers that wait in the cluster for their turn
PAPERS = 5000  # in a shard: some 10 MB
SHARDS = "shards"
PATIENCE = 10.0
Row = dict[str, Any]


def extract(papers: Iterable[Paper], *, address: str = "") -> Iterator[Extraction | engines.Failure]:
    """Extract papers on the cluster at `address` (else the one that Ray finds or starts), in order."""
    papers = iter(papers)
    with _cluster(address) as data:
        while window := list(islice(papers, WINDOW)):
            some = [window[at : at + engines.CHUNK] for at in range(0, len(window), engines.CHUNK)]
            rows = [{"papers": pickle.dumps(chunk)} for chunk in some]
            for row in data.from_items(rows, override_num_blocks=len(rows)).map(_extracted).iter_rows():
                yield from pickle.loads(row["found"])


def _extracted(row: Row) -> Row:
    return {"found": pickle.dumps(engines.chunk(pickle.loads(row["papers"])))}


def write(
    output: Path,
    found: Structure,
    *,
    base: str = vocab.DEFAULT_BASE,
    provenance: Provenance = Provenance.FULL,
    run: Run,
    address: str = "",
    papers: int = PAPERS,
) -> dict[str, int]:
    """Write the graph into `shards/`, so many papers to a file; gives the number of triples in each named graph.

    The folder is as `kg export --bulk` makes it: shards, a manifest, and each bulk loader's command.
    """
    with linked_folder(output / SHARDS) as folder, _cluster(address) as data:
        work = partial(_shard, source=output.absolute(), folder=folder.absolute(), about=(base, provenance, run))
        rows = list(_ranges(output, links_of(found, base), base, papers))
        made = [
            pickle.loads(row["made"])
            for row in data.from_items(rows, override_num_blocks=len(rows)).map(work).iter_rows()
        ]
        own = [*run_blocks(base, provenance, run), *concept_blocks(found, base=base, provenance=provenance, run=run)]
        made.append(bulk.shard_of(folder, len(rows) + 1, own, base))
        graphs = bulk.finished(folder, made, place=output / SHARDS).graphs
    return {iri.rpartition("/")[2]: triples for iri, triples in graphs.items()}


def _ranges(output: Path, links: Mapping[tuple[str, int], Link], base: str, papers: int) -> Iterator[Row]:
    """Cut the extractions into shards: where each begins and ends, what its entities became, which venues are known."""
    seen: set[str] = set()
    where, end = iter(cache.offsets(output)), 0
    for number, some in enumerate(iter(lambda: list(islice(where, papers)), []), 1):
        start, end = end, some[-1][1]
        own = {(x.paper.id, i): links[x.paper.id, i] for x, _ in some for i in range(len(x.entities))}
        places = places_of((x.paper for x, _ in some), base)
        told = pickle.dumps((own, sorted(places & seen)))
        seen |= places
        yield {"number": number, "start": start, "end": end, "told": told}


def _shard(row: Row, *, source: Path, folder: Path, about: tuple[str, Provenance, Run]) -> Row:
    """Write one shard; only a whole one has its name, so it does no harm where two tasks come to write it."""
    if not folder.is_dir():
        raise OutputError(f"{folder} is not seen from {socket.gethostname()}; build where all nodes see the same files")
    links, seen = pickle.loads(row["told"])
    base, provenance, run = about
    extractions = cache.read(source, start=row["start"], end=row["end"])
    blocks = paper_blocks(extractions, links, base=base, provenance=provenance, run=run, seen=set(seen))
    return {"made": pickle.dumps(bulk.shard_of(folder, row["number"], blocks, base))}


@contextmanager
def _cluster(address: str) -> Iterator[Any]:
    """Ray Data on a cluster; what goes wrong there is one sentence, and a KgError of ours is itself."""
    try:
        import ray
        import ray.data
    except ImportError as error:
        raise ServiceError("the engine ray is not installed; pip install 'paperkg[ray]'") from error
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")  # nothing of ours leaves the machine
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    own = not ray.is_initialized()
    try:
        _reach(address)
        if own:
            ray.init(address or None, log_to_driver=False, logging_level=logging.ERROR)
        context = ray.data.DataContext.get_current()
        context.enable_progress_bars = False
        context.execution_options.preserve_order = True
        yield ray.data
    except (TimeoutError, ConnectionError, ray.exceptions.RayError) as error:
        raise _explained(error, address) from error
    finally:
        if own:
            ray.shutdown()


def _reach(address: str) -> None:
    """ConnectionError where nobody listens at HOST:PORT; Ray would try for minutes."""
    host, _, port = address.rpartition("/")[2].rpartition(":")
    if host and port.isdecimal():
        try:
            socket.create_connection((host, int(port)), timeout=PATIENCE).close()
        except OSError as error:
            raise ConnectionError(error.strerror or str(error)) from error


def _explained(error: BaseException, address: str) -> KgError:
    """The KgError that a task raised, or what Ray says, in one sentence."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, KgError):
            return cause
        cause = getattr(cause, "cause", None) or cause.__cause__
    reason = " ".join(str(error).split())[:200]
    if isinstance(error, ConnectionError):
        return ServiceError(f"there is no Ray cluster at {address or 'the address that Ray knows'} ({reason})")
    return ServiceError(f"the cluster gave up ({reason}); run again: what was extracted so far is kept")
