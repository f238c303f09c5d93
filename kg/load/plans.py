"""The ways of getting a part into its graph, such that whoever reads meanwhile never sees half of it.

`whole`     one PUT, where the store replaces a graph at once: for what it can hold in one transaction.
`merge`     one POST that appears at once, then what the graph has and we have not is taken out; before that is done, it
            is made sure that all of ours has arrived. For a store that takes a large body much faster outside of a
            transaction. Into an empty graph it is a single step.
`staged`    chunks into a graph beside, counted there, then moved. A graph beside that a killed load has left is gone on
            with: it holds the digest of what was being loaded, and how many triples it has tells how far that came.
`in_place`  PUT of the first chunk, POST of the others, where there is no way to move a graph.

Which one is decided in `choose`, by what the store can do (its profile), and by size.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice

import pyoxigraph as ox

from kg.errors import LoadError, UsageError
from kg.load.remote import Remote
from kg.load.source import Chunk, Part, Source
from kg.load.web import Unanswered

DIGEST = ox.NamedNode("http://purl.org/dc/terms/identifier")
DELETED_AT_ONCE = 20_000
LOOKS = 5


@dataclass(frozen=True, slots=True)
class Job:
    """One part on its way; `held` is how many triples its graph had before."""

    remote: Remote
    source: Source
    part: Part
    held: int
    append: bool


Plan = Callable[[Job], None]


def choose(job: Job) -> Plan:
    """Choose the way; UsageError where the store has no door to write through."""
    profile, doors, triples = job.remote.profile, job.remote.doors, job.part.triples
    if doors.store and profile.merge and (job.append or not job.held or triples > profile.put):
        return merge
    if doors.store and triples <= profile.put and not job.append:
        return whole
    if doors.update:
        return staged
    if doors.store:
        return in_place
    raise UsageError(f"{profile.name} has no door to write through; name one by --update-url or --store-url")


def whole(job: Job) -> None:
    """Replace the graph by one PUT."""
    job.remote.put(job.part.graph, job.part.whole)


def merge(job: Job) -> None:
    """Add everything at once, then take out what is not ours."""
    graph, alike = job.part.graph, 0
    if job.held:
        alike = sum(job.source.holds(graph, triple) for triple in job.remote.triples(graph))
    job.remote.post(graph, job.part.whole, at_once=True)
    if job.remote.show or job.append:
        return
    expect(job.remote, graph, job.held + job.part.triples - alike)
    if job.held > alike:
        stale = (triple for triple in job.remote.triples(graph) if not job.source.holds(graph, triple))
        while some := list(islice(stale, DELETED_AT_ONCE)):
            job.remote.delete(graph, some)


def staged(job: Job) -> None:
    """Fill a graph beside, make sure of it, and move it into place (or add it, to append)."""
    beside = staging(job.part.graph)
    resumed = _fill(job, beside)
    if job.remote.show is None:
        try:
            expect(job.remote, beside, job.part.triples + 1)
        except LoadError:
            job.remote.drop(beside)
            if not resumed:
                raise
            _fill(job, beside)  # what the killed load had left was not what it seemed
            expect(job.remote, beside, job.part.triples + 1)
    _move(job, beside)


def in_place(job: Job) -> None:
    """Replace the graph chunk by chunk, in the sight of all."""
    chunks = job.part.chunks(job.remote.profile.chunk)
    if not job.append:
        job.remote.put(job.part.graph, next(chunks))
    for chunk in chunks:
        job.remote.post(job.part.graph, chunk)


def staging(graph: str) -> str:
    """Name the graph beside a graph.

    >>> staging("https://example.org/papers")
    'urn:paperkg:loading:afce82ef6e34db33'
    """
    return f"urn:paperkg:loading:{hashlib.blake2b(graph.encode(), digest_size=8).hexdigest()}"


def expect(remote: Remote, graph: str, triples: int) -> None:
    """See to it that a graph has so many triples; LoadError if it has not."""
    if (found := remote.count(graph)) != triples:
        raise LoadError(
            f"{remote.profile.name} took everything without complaint, but {graph} holds {found:,} triples where "
            f"{triples:,} should be; run it again, and look into the server's log if that does not help"
        )


def _fill(job: Job, beside: str) -> bool:
    """Send what is not there yet; gives whether something was."""
    remote, mark = job.remote, _mark(job.part, beside)
    there = remote.count(beside)
    if resumed := there > 0 and not remote.missing(beside, [mark]):
        there -= 1
    else:
        if there:
            remote.drop(beside)
            there = 0
        remote.update(f"INSERT DATA {{ GRAPH <{beside}> {{ {mark} }} }}")
    send = remote.post if remote.doors.store else remote.insert
    for chunk in _pieces(job):
        if chunk.before + chunk.lines > there:
            send(beside, chunk)
    return resumed


def _pieces(job: Job) -> Iterator[Chunk]:
    """Cut a part as its way of sending wants it: by bytes, or for updates by lines."""
    profile = job.remote.profile
    if job.remote.doors.store:
        return job.part.chunks(profile.chunk)
    return job.part.batches(profile.batch)


def _move(job: Job, beside: str) -> None:
    """Put the graph beside in place, by one request that is never repeated blindly.

    Had it been carried out and were it sent again, the graph to move would be gone, and some stores would empty the
    other one. So where no answer came, the two graphs are looked at.
    """
    remote, graph = job.remote, job.part.graph
    away = (
        f"ADD <{beside}> TO <{graph}> ; DROP SILENT GRAPH <{beside}>" if job.append else f"MOVE <{beside}> TO <{graph}>"
    )
    update = f"DELETE DATA {{ GRAPH <{beside}> {{ {_mark(job.part, beside)} }} }} ; {away}"
    begun, error = False, None
    for attempt in range(1, LOOKS + 1):
        try:
            if not begun:
                remote.update(update, again=False)
                return
        except Unanswered as broken:
            begun, error = broken.begun, broken
        remote.web.wait(attempt)
        if remote.count(beside) == 0:
            return  # it was carried out; whether all of it was is seen when the graph is verified
    raise error or AssertionError


def _mark(part: Part, beside: str) -> ox.Triple:
    return ox.Triple(ox.NamedNode(beside), DIGEST, ox.Literal(part.digest))
