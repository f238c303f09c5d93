"""A build on a Ray cluster of two nodes on this machine, one of which is lost while it works."""

from __future__ import annotations

import gzip
import os
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest
from builds import papers_file

import kg.cluster
from kg.errors import OutputError, ServiceError
from kg.flow import Engine, Options, build

pytestmark = pytest.mark.filterwarnings("ignore")  # Ray warns of its own options
PATIENCE = 300
STORE_BYTES = "100000000"


@dataclass(frozen=True, slots=True)
class Cluster:
    """The address of a cluster, and the process of its second node."""

    address: str
    second: subprocess.Popen[bytes]

    def lose(self) -> None:
        """Kill the second node, with all that runs on it."""
        os.killpg(self.second.pid, signal.SIGKILL)
        self.second.wait()


@pytest.fixture
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    port, folder = _free_port(), tmp_path_factory.mktemp("ray")
    head = _node(folder / "head.log", "--head", f"--port={port}", f"--temp-dir={_short()}", "--include-dashboard=false")
    second = _node(folder / "second.log", f"--address=127.0.0.1:{port}")
    try:
        yield Cluster(f"127.0.0.1:{port}", second)
    finally:
        for process in (second, head):
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        while Path(_short()).exists():  # those that lost their node write a last line before they end
            shutil.rmtree(_short(), ignore_errors=True)
            time.sleep(0.1)


def _short() -> str:
    """A folder whose name is short enough for the sockets in it."""
    return f"/tmp/kg-ray-{os.getpid()}"


def _node(log: Path, *options: str) -> subprocess.Popen[bytes]:
    """Start a node that stays in the foreground, in a session of its own."""
    command = [str(Path(sys.executable).with_name("ray")), "start", "--block", "--num-cpus=1", "--disable-usage-stats"]
    env = os.environ | {"RAY_USAGE_STATS_ENABLED": "0", "RAY_worker_niceness": "0"}
    options = (*options, f"--object-store-memory={STORE_BYTES}", "--node-ip-address=127.0.0.1")
    with log.open("wb") as said:
        process = subprocess.Popen([*command, *options], stdout=said, stderr=said, env=env, start_new_session=True)
    end = time.monotonic() + PATIENCE
    while b"Ray runtime started" not in log.read_bytes():
        assert process.poll() is None, log.read_text()
        assert time.monotonic() < end, log.read_text()
        time.sleep(0.2)
    return process


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


def test_a_cluster_makes_the_bytes_of_one_machine_though_it_loses_a_node(
    cluster: Cluster, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, papers = tmp_path / "here", tmp_path / "there", 96
    source = papers_file(tmp_path / "in.jsonl", range(papers))
    build([source], here)
    monkeypatch.setattr(kg.cluster, "write", partial(kg.cluster.write, papers=25))
    options = Options(engine=Engine.RAY, address=cluster.address)
    ended = threading.Event()
    with ThreadPoolExecutor(1) as pool:
        lost = pool.submit(_lose_in_mid_run, cluster, there, ended)
        try:
            report = build([source], there, options=options)
        finally:
            ended.set()
        assert 0 < lost.result() < papers
    assert report.papers == papers
    assert (there / "extractions.jsonl").read_bytes() == (here / "extractions.jsonl").read_bytes()
    shards = sorted((there / "shards").glob("*.nq.gz"))
    assert len(shards) == 5
    lines = [line for shard in shards for line in gzip.decompress(shard.read_bytes()).splitlines()]
    assert sorted(lines) == sorted((here / "graph.nq").read_bytes().splitlines())
    assert sum(report.triples.values()) == len(lines)
    subprocess.run(["sha256sum", "--check", "--quiet", "sha256sums"], cwd=there / "shards", check=True)
    assert build([source], there, options=options).unchanged
    with pytest.raises(OutputError, match="other engine"):
        build([source], there)


def _lose_in_mid_run(cluster: Cluster, output: Path, ended: threading.Event) -> int:
    """Lose the second node when the first papers have come back; gives how many that were."""
    while not ended.wait(0.05):
        found = sum(path.read_bytes().count(b"\n") for path in output.glob("*.partial.jsonl"))
        if found:
            cluster.lose()
            return found
    return 0


def test_no_cluster_is_told(tmp_path: Path) -> None:
    source = papers_file(tmp_path / "in.jsonl", range(1))
    address = f"127.0.0.1:{_free_port()}"
    with pytest.raises(ServiceError, match=f"no Ray cluster at {address}"):
        build([source], tmp_path / "out", options=Options(engine=Engine.RAY, address=address))
