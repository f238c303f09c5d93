"""Real triple stores on loopback for the tests: Oxigraph's server and OpenLink Virtuoso 7."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

OXIGRAPH = shutil.which("oxigraph") or str(Path(sys.executable).with_name("oxigraph"))
VIRTUOSO = shutil.which("virtuoso-t")
ISQL = shutil.which("isql-vt")
PATIENCE = 90.0

INI = """\
[Database]
DatabaseFile = {folder}/v.db
ErrorLogFile = {folder}/v.log
LockFile = {folder}/v.lck
TransactionFile = {folder}/v.trx
xa_persistent_file = {folder}/v.pxa
[TempDatabase]
DatabaseFile = {folder}/temp.db
TransactionFile = {folder}/temp.trx
[Parameters]
ServerPort = 127.0.0.1:{sql}
DisableUnixSocket = 1
DirsAllowed = {allowed}
NumberOfBuffers = 60000
MaxDirtyBuffers = 45000
[HTTPServer]
ServerPort = 127.0.0.1:{http}
"""


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])


@contextmanager
def oxigraph(folder: Path, *options: str) -> Iterator[str]:
    """Oxigraph's server over a store on disk; gives its address."""
    url = f"http://127.0.0.1:{(port := free_port())}"
    command = [OXIGRAPH, "serve", "--location", str(folder), "--bind", f"127.0.0.1:{port}", *options]
    with _running(command, url, stop=lambda p: p.terminate()):
        yield url


@dataclass(frozen=True)
class Virtuoso:
    """A Virtuoso that runs: its address, and its port for SQL."""

    url: str
    sql: int

    def run(self, script: str) -> str:
        """Run a script in Virtuoso's SQL client and give what it says."""
        assert ISQL
        command = [ISQL, f"127.0.0.1:{self.sql}", "dba", "dba", "ERRORS=STDOUT"]
        return subprocess.run(command, input=script, capture_output=True, text=True, check=True).stdout


@contextmanager
def virtuoso(folder: Path, *, allowed: Path) -> Iterator[Virtuoso]:
    """Virtuoso with an empty database, which may read files in `allowed`."""
    assert VIRTUOSO, "apt-get install virtuoso-opensource-7-bin"
    http, sql = free_port(), free_port()
    folder.mkdir(parents=True, exist_ok=True)
    ini = folder / "v.ini"
    ini.write_text(INI.format(folder=folder, http=http, sql=sql, allowed=allowed), encoding="utf-8")
    url = f"http://127.0.0.1:{http}"
    with _running([VIRTUOSO, "-f", "-c", str(ini)], f"{url}/sparql", stop=lambda p: p.kill(), cwd=folder):
        yield Virtuoso(url, sql)


@contextmanager
def _running(
    command: list[str], url: str, *, stop: Callable[[subprocess.Popen[bytes]], None], cwd: Path | None = None
) -> Iterator[None]:
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=cwd, env=os.environ)
    try:
        _wait(url, process)
        yield
    finally:
        stop(process)
        process.wait()


def _wait(url: str, process: subprocess.Popen[bytes]) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        assert process.poll() is None, f"{process.args} has ended"
        try:
            httpx.get(url, timeout=5, trust_env=False)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    raise AssertionError(f"{url} does not answer")


def count(query_url: str, graph: str | None = None, *, auth: httpx.Auth | None = None) -> int:
    """Count the triples of a graph, or of all named graphs, in a store: not by our own code."""
    inside = f"GRAPH <{graph}> {{ ?s ?p ?o }}" if graph else "GRAPH ?g { ?s ?p ?o }"
    answer = httpx.post(
        query_url,
        data={"query": f"SELECT (COUNT(*) AS ?n) WHERE {{ {inside} }}"},
        headers={"Accept": "application/sparql-results+json"},
        auth=auth,
        timeout=120,
        trust_env=False,
    )
    answer.raise_for_status()
    return int(answer.json()["results"]["bindings"][0]["n"]["value"])
