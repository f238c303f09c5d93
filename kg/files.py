"""Files that are either the old one or the whole new one, and folders that one build at a time writes into."""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from filelock import FileLock, Timeout

from kg.errors import OutputError

LOCK = ".kg-lock"  # also marks a folder as a build


@contextmanager
def atomic_write(path: Path, *, binary: bool = False) -> Iterator[IO[Any]]:
    """Open a temporary file beside `path` (UTF-8, `\\n` line ends) and put it in place when the block ends well.

    Raises OutputError, with the operating system's reason, where the place cannot be written; what was at `path` before
    is then still there.
    """
    temporary = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(temporary, "wb") if binary else open(temporary, "w", encoding="utf-8", newline="\n") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}; choose another place with -o") from error
    finally:
        with suppress(OSError):  # it is gone, or never was
            temporary.unlink()


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold a folder for this process, making it where it is missing; OutputError where another build has it.

    The operating system lets go of the lock when the process ends, however it ends.
    """
    path = folder / LOCK
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = FileLock(path, timeout=0)
        lock.acquire()
    except Timeout as error:
        raise OutputError(f"another build is writing {folder}; wait for it or choose another place with -o") from error
    except (OSError, NotImplementedError) as error:
        reason = getattr(error, "strerror", None) or error
        raise OutputError(f"cannot write {folder}: {reason}; choose another place with -o") from error
    try:
        yield
    finally:
        lock.release()


@contextmanager
def standard_output() -> Iterator[IO[str]]:
    """Standard output as UTF-8 whatever the locale, left open at the end."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    yield sys.stdout
    sys.stdout.flush()
