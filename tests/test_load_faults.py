"""What is said when something between us and a store goes wrong, or we are killed; and that a rerun mends it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pyoxigraph as ox
import pytest
from fault_proxy import (
    Exchange,
    Fault,
    Proxy,
    cut_answer,
    cut_body,
    delay,
    drop_body,
    shorten_answer,
    truncate_answer,
    truncate_body,
    unavailable,
)
from servers import Virtuoso, count

from kg.errors import KgError
from kg.load import Options, load, web
from kg.load.login import Credentials
from kg.load.plans import staging

GRAPH = "urn:x:all"
DBA = Credentials("dba", "dba")
# A way of loading, and how many requests that write pass before the fault: before the mark, a chunk, the move.
MERGE, WHOLE, MARK, CHUNK, MOVE = ("merge", 0), ("whole", 0), ("staged", 0), ("staged", 4), ("staged", 9)
VIRTUOSO_CHUNK, VIRTUOSO_MOVE = ("virtuoso", 4), ("virtuoso", 9)
EVERYWHERE = (MERGE, WHOLE, MARK, CHUNK, MOVE, VIRTUOSO_CHUNK, VIRTUOSO_MOVE)
FAULTS = {
    "cut body": (cut_body, EVERYWHERE),
    "cut answer": (cut_answer, EVERYWHERE),
    "drop body": (drop_body, EVERYWHERE),
    "truncate body": (truncate_body, EVERYWHERE),
    "503": (unavailable, (MERGE, CHUNK, MOVE)),
    "delay": (delay(0.2), (MERGE, MOVE)),
    "truncate answer": (truncate_answer, (MERGE, WHOLE, MARK, VIRTUOSO_CHUNK)),
    "shorten answer": (shorten_answer, (MERGE, WHOLE, MARK, VIRTUOSO_CHUNK)),
}


@pytest.fixture(autouse=True)
def _hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web, "FIRST_PAUSE", 0.02)


@pytest.fixture
def url(way: str, request: pytest.FixtureRequest) -> str:
    """Where the store is that is loaded in this way; the graph is not there."""
    if way != "virtuoso":
        return str(request.getfixturevalue("empty_oxigraph"))
    server: Virtuoso = request.getfixturevalue("virtuoso_server")
    for graph in (GRAPH, staging(GRAPH)):
        server.run(f"SPARQL CLEAR GRAPH <{graph}>;")
    return server.url


def size_of(build: Path) -> int:
    """How many triples a build has, whichever graph they are in."""
    return len({quad.triple for quad in ox.parse(path=str(build / "graph.nq"), format=ox.RdfFormat.N_QUADS)})


def eighth(build: Path) -> int:
    """So many bytes that a build's triples, in one graph, go in eight chunks."""
    lines = (build / "graph.nq").read_bytes().splitlines()
    return sum(len(line.rpartition(b" <")[0]) + 3 for line in lines) // 8 + 1


def aim(way: str, proxy: Proxy, build: Path) -> tuple[str, Options, Credentials | None]:
    """Address, options and credentials to load through a proxy in a certain way."""
    if way == "virtuoso":
        return f"{proxy.url}/sparql", Options(chunk_bytes=eighth(build), graph=GRAPH), DBA
    if way == "staged":
        doors = {"update_url": f"{proxy.url}/update", "store_url": f"{proxy.url}/store"}
        return f"{proxy.url}/query", Options(store="generic", chunk_bytes=eighth(build), graph=GRAPH, **doors), None
    return proxy.url, Options(graph=GRAPH), None


@pytest.mark.parametrize(
    ("fault", "way", "skip"), [(fault, *place) for fault, (_, places) in FAULTS.items() for place in places]
)
def test_whatever_happens_the_outcome_is_told_truly_and_a_rerun_mends_it(
    few_build: Path, other_build: Path, url: str, way: str, fault: str, skip: int
) -> None:
    right, before = size_of(few_build), 0
    with Proxy(url) as proxy:
        address, options, credentials = aim(way, proxy, few_build)

        def loading(build: Path) -> str:
            try:
                load(build, address, options=options, credentials=credentials)
            except KgError as error:
                return str(error)
            return ""

        if way != "merge":
            assert loading(other_build) == ""
            before = size_of(other_build)
        spoils_answer = fault in ("truncate answer", "shorten answer")
        if spoils_answer:
            proxy.faults = [Fault(FAULTS[fault][0], lambda exchange: not exchange.writes, skip=2)]
        else:
            proxy.faults = [Fault(FAULTS[fault][0], skip=skip)]
        said, holds = loading(few_build), count(f"{url}/sparql", GRAPH)
        assert proxy.faults[0].times == 0, "the fault has not happened"
        if said:
            assert fault not in ("503", "delay"), said
            assert len(said) > 40
            assert holds in (before, right) or way in ("merge", "whole")  # where a lie is believed before it is seen
        else:
            assert holds == right
        assert loading(few_build) == ""
    assert count(f"{url}/sparql", GRAPH) == right
    assert count(f"{url}/sparql", staging(GRAPH)) == 0


@pytest.mark.parametrize("way", ["merge"])
def test_a_lie_is_told_with_numbers(few_build: Path, url: str) -> None:
    with (
        Proxy(url, [Fault(drop_body)]) as proxy,
        pytest.raises(KgError, match=f"holds 0 triples where {size_of(few_build):,} should be"),
    ):
        load(few_build, proxy.url, options=Options(graph=GRAPH))


def killed(after: bool) -> tuple[list[int], Callable[[Exchange], None]]:
    """A fault that kills a process, before the request goes on or after; and the list to put its number in."""
    pids: list[int] = []

    def act(exchange: Exchange) -> None:
        if after:
            exchange.forward()
        os.kill(pids[0], signal.SIGKILL)
        if not after:
            exchange.forward(exchange.body[: len(exchange.body) // 2], length=len(exchange.body))
        exchange.hang_up()

    return pids, act


@pytest.mark.parametrize("after", [False, True], ids=["before", "after"])
@pytest.mark.parametrize(("way", "skip"), [MERGE, MARK, CHUNK, MOVE, VIRTUOSO_CHUNK, VIRTUOSO_MOVE])
def test_killed_at_any_point_it_can_be_run_again(few_build: Path, url: str, way: str, skip: int, after: bool) -> None:
    pids, act = killed(after)
    with Proxy(url, [Fault(act, skip=skip)]) as proxy:
        address, options, credentials = aim(way, proxy, few_build)
        command = [sys.executable, "-m", "kg", "load", address, "--from", str(few_build), "--graph", GRAPH]
        if way != "merge":
            command += ["--chunk-mb", str(eighth(few_build) / 1e6)]
        if way == "staged":
            command += ["--store", "generic", "--update-url", str(options.update_url)]
            command += ["--store-url", str(options.store_url)]
        env = os.environ | ({"KG_USER": "dba", "KG_PASSWORD": "dba"} if credentials else {})
        process = subprocess.Popen(command, env=env)
        pids.append(process.pid)
        assert process.wait() == -signal.SIGKILL
        assert count(f"{url}/sparql", GRAPH) in (0, size_of(few_build))
        proxy.seen.clear()
        load(few_build, address, options=options, credentials=credentials)
        again = sum(path.startswith(("/store", "/sparql-graph-crud-auth")) for m, path, *_ in proxy.seen if m == "POST")
    assert count(f"{url}/sparql", GRAPH) == size_of(few_build)
    assert count(f"{url}/sparql", staging(GRAPH)) == 0
    if skip == CHUNK[1]:
        assert again < 8  # of eight chunks: it went on where it was
