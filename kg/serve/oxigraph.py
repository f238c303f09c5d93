"""Oxigraph's server as a child: started on a free port, watched, started again.

1. When the build has a new store, a second child is started on it; requests go there as soon as it answers, and the
   first one is ended when what it is at has had its time.
2. A child that has ended, or has been ended because of a query, is replaced at once.
3. Its memory is limited, so that a query that wants too much ends the child and not the machine's other work.
"""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import IO

import httpx

from kg.errors import InputError, ServiceError
from kg.store import STORE

PATIENCE = 60.0
LOOK_EVERY = 0.5


@dataclass(frozen=True, slots=True)
class Child:
    """A server that runs: its process, its address, and which store it has."""

    process: subprocess.Popen[bytes]
    url: str
    store: str


class Oxigraph:
    """The server over a build's store; a context manager."""

    def __init__(
        self, build: Path, *, timeout: float, memory: float | None, cors: bool, tell: Callable[[str], None]
    ) -> None:
        self._folder = build / STORE
        self.timeout, self._memory, self._cors, self._tell = timeout, memory, cors, tell
        self._lock = threading.Lock()
        self._leaving: list[tuple[float, Child]] = []
        self.child = self._started()

    def __enter__(self) -> Oxigraph:
        return self

    def __exit__(self, *_: object) -> None:
        for child in (self.child, *(child for _, child in self._leaving)):
            _end(child)

    def watch(self, ended: threading.Event) -> None:
        """See to it that there is always a server, over the store that the build has now, until `ended` is set."""
        while not ended.wait(LOOK_EVERY):
            try:
                if self.child.process.poll() is not None:
                    self.replace(self.child, f"the server has ended ({self.child.process.returncode})")
                elif (store := identity(self._folder)) not in ("", self.child.store):
                    self._take_up(store)
            except (InputError, ServiceError) as error:
                self._tell(str(error))
            for due, child in self._leaving[:]:
                if time.monotonic() > due or ended.is_set():
                    _end(child)
                    self._leaving.remove((due, child))

    def replace(self, child: Child, why: str) -> None:
        """Start another child and end this one, if that has not been done yet."""
        with self._lock:
            if child is self.child:
                self._tell(f"{why}; it is started again")
                self.child = self._started()
                child.process.kill()
                child.process.wait()

    def _take_up(self, store: str) -> None:
        with self._lock:
            former, self.child = self.child, self._started()
        self._leaving.append((time.monotonic() + self.timeout, former))
        self._tell("the store has been rebuilt; the new one is served")

    def _started(self) -> Child:
        store = identity(self._folder)
        if not store:
            raise InputError(
                f"{self._folder.parent} has no store to serve; make one by `kg build`, or name one by --from"
            )
        port = _free_port()
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(self._command(port), stdin=subprocess.DEVNULL, stdout=said, stderr=said)
            self._limit(process.pid)
            child = Child(process, f"http://127.0.0.1:{port}", store)
            _wait(child, said)
        return child

    def _command(self, port: int) -> list[str]:
        beside = Path(sys.executable).with_name("oxigraph")
        program = str(beside) if beside.exists() else shutil.which("oxigraph")
        if program is None:
            raise ServiceError("Oxigraph's server is not installed; pip install 'paperkg[serve]'")
        location = ["--location", os.path.realpath(self._folder), "--bind", f"127.0.0.1:{port}"]
        limits = ["--union-default-graph", "--timeout-s", str(max(1, round(self.timeout)))]
        return [program, "serve-read-only", *location, *limits, *(["--cors"] if self._cors else [])]

    def _limit(self, pid: int) -> None:
        """Limit the memory of a child, to half of the machine's unless told; only Linux can."""
        if sys.platform == "linux":
            import resource

            half = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2
            limit = half if self._memory is None else int(self._memory * 2**30)
            resource.prlimit(pid, resource.RLIMIT_AS, (limit, limit))


def identity(store: Path) -> str:
    """Tell one store from another that takes its place; "" where there is none."""
    try:
        return f"{store.stat().st_ino} {(store / 'IDENTITY').read_text(encoding='ascii')}"
    except (OSError, UnicodeDecodeError):
        return ""


def _wait(child: Child, said: IO[bytes]) -> None:
    """Wait until a child answers; ServiceError, with what it said, where it does not."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end and child.process.poll() is None:
        try:
            httpx.get(child.url, timeout=5, trust_env=False)
            return
        except httpx.TransportError:
            time.sleep(0.05)
    _end(child)
    said.seek(0)
    reason = " ".join(said.read(500).decode(errors="replace").split()) or "it does not answer"
    raise ServiceError(f"Oxigraph's server does not start on the store ({reason}); `kg build` makes it anew")


def _end(child: Child) -> None:
    child.process.terminate()
    try:
        child.process.wait(2)
    except subprocess.TimeoutExpired:  # it finishes the query that it is at
        child.process.kill()
        child.process.wait()


def _free_port() -> int:
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return int(s.getsockname()[1])
