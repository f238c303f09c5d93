"""Files that are either the old one or the whole new one, never half of one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any

from kg.errors import OutputError


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
