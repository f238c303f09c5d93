"""A million triples into real servers: all arrive, memory stays flat, nobody sees half of them."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
from million import BASE, million
from servers import count, oxigraph, virtuoso

SIZE = 1_000_000
FACTS, EVIDENCE = f"{BASE}graph/facts", f"{BASE}graph/evidence"
MEGABYTES = 200


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build of a million triples."""
    return million(tmp_path_factory.mktemp("million"), SIZE)


def load(build: Path, url: str, *options: str, **environment: str) -> float:
    """Load by the command line; gives its highest use of memory in megabytes."""
    command = [sys.executable, "-m", "kg", "load", url, "--from", str(build), "-q", *options]
    with subprocess.Popen(command, env=os.environ | environment) as process:
        watched, highest = psutil.Process(process.pid), 0
        while process.poll() is None:
            try:
                highest = max(highest, watched.memory_info().rss)
            except psutil.NoSuchProcess:
                break
            time.sleep(0.1)
    assert process.returncode == 0
    return highest / 1e6


@contextmanager
def watching(query_url: str, graph: str) -> Iterator[set[int]]:
    """Count a graph again and again, and give the different counts."""
    seen: set[int] = set()
    done = threading.Event()

    def look() -> None:
        while not done.wait(0.3):
            seen.add(count(query_url, graph))

    thread = threading.Thread(target=look)
    thread.start()
    try:
        yield seen
    finally:
        done.set()
        thread.join()


def test_oxigraph(build: Path, tmp_path: Path) -> None:
    with oxigraph(tmp_path) as url:
        with watching(f"{url}/query", EVIDENCE) as seen:
            assert load(build, url) < MEGABYTES
        assert seen <= {0, SIZE * 3 // 4}
        assert count(f"{url}/query", FACTS) == SIZE // 4
        assert count(f"{url}/query", EVIDENCE) == SIZE * 3 // 4


def test_virtuoso(build: Path, tmp_path: Path) -> None:
    with virtuoso(tmp_path, allowed=tmp_path) as server:
        with watching(f"{server.url}/sparql", EVIDENCE) as seen:
            assert load(build, server.url, KG_USER="dba", KG_PASSWORD="dba") < MEGABYTES
        assert seen <= {0, SIZE * 3 // 4}
        assert count(f"{server.url}/sparql", FACTS) == SIZE // 4
        assert count(f"{server.url}/sparql", EVIDENCE) == SIZE * 3 // 4
