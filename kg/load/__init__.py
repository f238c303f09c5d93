"""A build into any triple store, and no word about it that is not true.

1. Find out what kind of store it is and where its doors are (`profiles`).
2. Lay the build's graphs out on disk, counted (`source`).
3. Bring each into its graph in the way that this store is best at (`plans`), such that nobody sees half of it.
4. Count what is there, and compare a sample. Only then is a graph called loaded.

By default each named graph of the build replaces the graph of that name, and no other graph is touched; with `graph`,
all triples of the build go into that one graph instead. Run again, it ends with the same; killed, it can be run again.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from pathlib import Path

from kg.errors import LoadError
from kg.load.login import Credentials, Login
from kg.load.plans import Job, choose, expect, staging
from kg.load.profiles import Doors, Profile, checked_url, doors, named, told
from kg.load.remote import Remote
from kg.load.source import Part, opened
from kg.load.web import Request, Web


class Mode(StrEnum):
    """What becomes of what a graph holds: it is replaced, added to, or deleted."""

    REPLACE = "replace"
    APPEND = "append"
    DELETE = "delete"


@dataclass(frozen=True, slots=True, kw_only=True)
class Options:
    """How to load: into which graph, which kind of store it is (else found out), and doors that are elsewhere."""

    mode: Mode = Mode.REPLACE
    graph: str | None = None
    store: str | None = None
    update_url: str | None = None
    store_url: str | None = None
    chunk_bytes: int | None = None
    in_clear: bool = False
    timeout: float = 600.0


@dataclass(frozen=True, slots=True)
class Loaded:
    """A graph that is as it should be: how it got there, its triples, how many of them were compared, and seconds."""

    graph: str
    way: str
    triples: int
    compared: int
    seconds: float

    @property
    def told(self) -> str:
        """Say it in words.

        >>> Loaded("https://example.org/g", "merge", 1000, 200, 1.5).told
        '1,000 triples, counted there, 200 of them compared (merge, 1.5 s)'
        """
        if self.way == Mode.DELETE:
            return f"deleted ({self.seconds:.1f} s)"
        checked = f"{self.triples:,} triples, counted there, {self.compared:,} of them compared"
        return f"{checked} ({self.way}, {self.seconds:.1f} s)"


def load(
    build: Path,
    endpoint: str,
    *,
    options: Options | None = None,
    credentials: Credentials | None = None,
    ask: Callable[[], Credentials | None] = lambda: None,
    on_graph: Callable[[Part], None] = lambda part: None,
    on_sent: Callable[[int], None] = lambda triples: None,
    on_request: Callable[[Request], None] | None = None,
) -> list[Loaded]:
    """Load the graphs of a build into the store at `endpoint`; LoadError if anything did not arrive.

    `ask` is called for credentials when the store wants some and there are none. `on_graph` and `on_sent` are told how
    far it has come. With `on_request` nothing is written: it is given each request that would be sent.
    """
    chosen = options or Options()
    login = Login(credentials, in_clear=chosen.in_clear, ask=ask)
    with Web(login, timeout=chosen.timeout) as web, opened(build, graph=chosen.graph) as source:
        profile, found = connect(web, checked_url(endpoint), chosen)
        remote = Remote(web, profile, found, on_sent, on_request)
        done: list[Loaded] = []
        for part in source.parts:
            on_graph(part)
            _log_in(remote, part.graph)
            if chosen.mode is Mode.DELETE:
                done.append(_delete(remote, part.graph))
                continue
            job = Job(remote, source, part, remote.count(part.graph), chosen.mode is Mode.APPEND)
            done.append(_load(job))
        return done


def connect(web: Web, url: str, options: Options) -> tuple[Profile, Doors]:
    """Find out what is at an address, unless we are told, and where its doors are."""
    if options.store:
        profile = named(options.store)
    else:
        answer = web.send(Request("GET", url, {"Accept": "*/*"}), attempts=2, read=False)
        profile = told(url, answer.headers.multi_items())
    if options.chunk_bytes:
        profile = replace(profile, chunk=options.chunk_bytes)
    web.login.unasked = profile.login
    known = web.login.credentials is not None
    return profile, doors(url, profile, known=known, update=options.update_url, store=options.store_url)


def _log_in(remote: Remote, graph: str) -> None:
    """Let the store ask who we are by a request without a body, before a large one is sent twice."""
    if remote.web.login.credentials and remote.doors.store:
        answer = remote.web.send(Request("HEAD", remote.doors.of_graph(graph)))
        if answer.status_code == 401:
            raise LoadError(f"{remote.doors.store} does not know that name and password; see KG_USER and KG_PASSWORD")


def _load(job: Job) -> Loaded:
    started = time.monotonic()
    plan = choose(job)
    plan(job)
    way = plan.__name__.replace("_", " ")
    if job.remote.show:
        return Loaded(job.part.graph, way, 0, 0, 0.0)
    found = _verified(job)
    return Loaded(job.part.graph, way, found, len(job.part.sample), time.monotonic() - started)


def _verified(job: Job) -> int:
    """Count and compare; gives how many triples the graph holds."""
    remote, part = job.remote, job.part
    if job.append:
        found = remote.count(part.graph)
        if not max(job.held, part.triples) <= found <= job.held + part.triples:
            raise LoadError(
                f"{part.graph} held {job.held:,} triples and got {part.triples:,} more, and now it holds {found:,}; "
                "something was lost or somebody else is writing: look into it and run it again"
            )
    else:
        expect(remote, part.graph, found := part.triples)
    if lost := remote.missing(part.graph, part.sample):
        raise LoadError(
            f"{len(lost):,} of {len(part.sample):,} triples that were compared are not in {part.graph} as they were "
            f"sent, such as {lost[0]}; run it again, and look into the server's log if that does not help"
        )
    return found


def _delete(remote: Remote, graph: str) -> Loaded:
    started = time.monotonic()
    for name in (graph, staging(graph)):
        if remote.count(name):
            remote.drop(name)
    if remote.show is None:
        expect(remote, graph, 0)
    return Loaded(graph, Mode.DELETE, 0, 0, time.monotonic() - started)
