"""Where extraction runs: in this process, or in worker processes of it.

Both yield what was found in the order of the papers, so the choice changes no byte. A worker loads the model once and
runs on one thread: on two cores, two processes are nearly twice as fast, two threads of one session are not. Workers
are spawned, not forked: a fork copies the locks of ONNX Runtime's threads, held or not.
"""

from __future__ import annotations

import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from itertools import islice

from kg.errors import KgError, ServiceError
from kg.records import Extraction, Paper

CHUNK = 16  # papers handed to a worker at once
AHEAD = 4  # chunks in flight for each worker: memory does not grow with the input


@dataclass(frozen=True, slots=True)
class Failure:
    """A paper that extraction could not read, and why; the others go on."""

    paper: Paper
    reason: str


def extract(papers: Iterable[Paper], *, workers: int = 1) -> Iterator[Extraction | Failure]:
    """Extract papers in `workers` processes (1: in this one), in order; a paper that fails yields a Failure.

    Raises ServiceError where a worker was killed.
    """
    if workers <= 1:
        for paper in papers:
            yield from chunk([paper])
        return
    context = multiprocessing.get_context("spawn")
    papers = iter(papers)
    with ProcessPoolExecutor(workers, mp_context=context, initializer=_warm) as pool:
        waiting: deque[Future[list[Extraction | Failure]]] = deque()
        try:
            while some := list(islice(papers, CHUNK)):
                waiting.append(pool.submit(chunk, some))
                if len(waiting) >= workers * AHEAD:
                    yield from waiting.popleft().result()
            while waiting:
                yield from waiting.popleft().result()
        except BrokenProcessPool as error:
            raise ServiceError(
                "a worker process was killed, perhaps for want of memory; run again with fewer --workers: "
                "what was extracted so far is kept"
            ) from error


def _warm() -> None:
    from kg.extraction.pipeline import load_pipeline

    load_pipeline()


def chunk(papers: list[Paper]) -> list[Extraction | Failure]:
    """Extract some papers in this process."""
    from kg.extraction.pipeline import extract as in_process

    found: list[Extraction | Failure] = []
    for paper in papers:
        try:
            found += in_process([paper])
        except KgError:
            raise
        except Exception as error:  # one bad paper must not stop the others; it is told with what went wrong
            found.append(Failure(paper, f"{type(error).__name__}: {error}"))
    return found
