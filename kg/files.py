"""Files that are either the old one or the whole new one, and folders that one build at a time writes into.

A folder cannot be replaced from one moment to the next; a symbolic link can. So a folder of several files (the store)
stands beside under a number, `.store-7`, and `store` is a link to it. The one before stays until the next build: a
reader that has it open may open more of its files later on.
"""

from __future__ import annotations

import io
import os
import shutil
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
def linked_folder(path: Path) -> Iterator[Path]:
    """Give an empty folder; when the block ends well, `path` leads to it, and until then to what it led to before.

    What killed builds left behind is cleared away first: only one build at a time writes into a folder. Raises
    OutputError where the place cannot be written.
    """
    try:
        fresh = _numbered(path)
        fresh.mkdir(parents=True)
        try:
            yield fresh
            _link(path, fresh)
        except BaseException:
            shutil.rmtree(fresh, ignore_errors=True)
            raise
    except OSError as error:
        raise OutputError(f"cannot write {path}: {error.strerror or error}; choose another place with -o") from error


def _numbered(path: Path) -> Path:
    """The next folder for a link, all others being cleared away but the one that it leads to."""
    current, number = Path(os.path.realpath(path)), 0
    for folder in path.parent.glob(f".{path.name}-*"):
        digits = folder.name.rpartition("-")[2]
        number = max(number, int(digits) if digits.isdecimal() else 0)
        if folder.resolve() != current:
            shutil.rmtree(folder, ignore_errors=True)
    return path.with_name(f".{path.name}-{number + 1}")


def _link(path: Path, folder: Path) -> None:
    """Let `path` lead to `folder`. A folder that stands there itself (a copy, or one made without links) moves away."""
    link, former = path.with_name(f".{path.name}.link"), path.with_name(f".{path.name}-0")
    link.unlink(missing_ok=True)
    try:
        link.symlink_to(folder.name, target_is_directory=True)
    except (OSError, NotImplementedError):  # a file system, or a Windows account, without links
        link = folder
    if path.is_dir() and not path.is_symlink():
        shutil.rmtree(former, ignore_errors=True)
        path.rename(former)
    os.replace(link, path)


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
        _clear(folder)
        yield
    finally:
        lock.release()


def _clear(folder: Path) -> None:
    """Clear away temporary files of processes that were killed; those of a command that runs are its own."""
    for path in folder.glob(".*.tmp"):
        pid = path.name.split(".")[-2]
        if pid.isdecimal() and not _runs(int(pid)):
            path.unlink(missing_ok=True)


def _runs(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # another user's
        return True
    return True


@contextmanager
def standard_output() -> Iterator[IO[str]]:
    """Standard output as UTF-8 whatever the locale, left open at the end."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(encoding="utf-8")
    yield sys.stdout
    sys.stdout.flush()
