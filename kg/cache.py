"""The file of extractions in a build, which is also its cache.

`extractions.jsonl` holds one record a paper, sorted by paper id, so that its bytes do not depend on the order of the
input. A build reuses a record where the paper is the same and the model that made it is (`extractions.model` names it).

While a build runs, what it finds is appended to `extractions.MODEL.partial.jsonl`, batch by batch: a build that is
killed loses the batch in flight, and the next one goes on from there. Offsets, not records, are held in memory.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from mmap import ACCESS_READ, mmap
from pathlib import Path

from kg.codec import dumps, loads
from kg.concepts import part
from kg.errors import InputError, OutputError
from kg.files import atomic_write
from kg.records import Extraction, Paper

FINAL, MODEL = "extractions.jsonl", "extractions.model"
PARTIAL = "extractions.{}.partial.jsonl"
FLUSH_EVERY = 16
RECORD = re.compile(rb'\{"id": ("(?:[^"\\]|\\.)*")')


def read(folder: Path, *, start: int = 0, end: int | None = None) -> Iterator[Extraction]:
    """The extractions of a build, one at a time, entities that name two things divided (`kg.concepts.part`).

    `start` and `end`, ends of lines in bytes, take a part of them. Raises InputError where there are none or a line is
    damaged.
    """
    for extraction, at in offsets(folder, start=start):
        if end is not None and at > end:
            return
        yield extraction


def offsets(folder: Path, *, start: int = 0) -> Iterator[tuple[Extraction, int]]:
    """The extractions of a build from a byte on, each with the byte at which its line ends."""
    path, at = folder / FINAL, start
    try:
        with path.open("rb") as lines:
            lines.seek(start)
            for number, line in enumerate(lines, 1):
                at += len(line)
                yield part(loads(line.decode(), origin=f"{path}:{number}")), at
    except FileNotFoundError as error:
        raise InputError(f"there is no build in {folder}: run `kg build INPUT -o {folder}` first") from error
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read {path} ({error}); build again to replace it") from error


def find(folder: Path, ids: Iterable[str]) -> Iterator[Extraction]:
    """The extractions of some papers of a build, as `read` gives them, without reading the others.

    The file is sorted by id: a record is found by halving. InputError where one is not there.
    """
    path = folder / FINAL
    try:
        with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as data:
            for paper_id in ids:
                line = data[(at := _start(data, paper_id)) : _end(data, at)].decode()
                found = loads(line or "{}", origin=str(path))
                if found.paper.id != paper_id:
                    raise InputError(f"{path} has no paper {paper_id}; if no build is running, build again to mend it")
                yield part(found)
    except (OSError, ValueError) as error:
        raise InputError(f"cannot read {path} ({error}); build again to replace it") from error


def _start(data: mmap, paper_id: str) -> int:
    """Where the first record begins whose id is not before this one."""
    low, high = 0, len(data)
    while low < high:
        start = data.rfind(b"\n", 0, (low + high) // 2) + 1
        if _id(data, start) < paper_id:
            low = _end(data, start)
        else:
            high = start
    return low


def _id(data: mmap, start: int) -> str:
    found = RECORD.match(data, start)
    return str(json.loads(found[1])) if found else ""


def _end(data: mmap, start: int) -> int:
    """Where the record after this one begins."""
    return data.find(b"\n", start) + 1 or len(data)


class Cache:
    """The extractions of a folder while it is built: looked up, added to, and put in place at the end."""

    def __init__(self, folder: Path, *, model: str) -> None:
        self.folder = folder
        self.model = model
        self.damaged = 0
        self._where: dict[str, tuple[Path, int]] = {}
        self._partial = folder / PARTIAL.format(model)
        if self._model_was() == model:
            self._index(folder / FINAL)
        self._index(self._partial)

    def __contains__(self, paper_id: str) -> bool:
        return paper_id in self._where

    def get(self, paper: Paper) -> Extraction | None:
        """What is known of a paper, with the paper as it now is; None where it, or the model, has changed."""
        found = self._load(paper.id)
        if found is None or found.paper != replace(paper, origin=""):
            return None
        return replace(found, paper=paper)

    def add_all(self, extractions: Iterable[Extraction]) -> Iterator[Extraction]:
        """Append new extractions as they come, passing them on; each is safe on disk a few papers later."""
        path = self._partial
        try:
            _end_last_line(path)
            with path.open("ab") as file:
                for number, extraction in enumerate(extractions, 1):
                    at = file.tell()
                    file.write(dumps(extraction).encode() + b"\n")
                    self._where[extraction.paper.id] = path, at
                    if number % FLUSH_EVERY == 0:
                        file.flush()
                    yield extraction
        except OSError as error:
            raise OutputError(
                f"cannot write {path}: {error.strerror or error}; choose another place with -o"
            ) from error

    def finish(self, ids: Iterable[str]) -> None:
        """Write the extractions of `ids`, sorted, in place of the old file, and clear partial ones away.

        Until the model's name is written again, a reader of the cache takes the file for another model's: a build
        killed in between extracts anew rather than mix two models.
        """
        with atomic_write(self.folder / FINAL, binary=True) as file:
            for paper_id in sorted(ids):
                file.write(self._line(paper_id))
            if self._model_was() != self.model:
                (self.folder / MODEL).unlink(missing_ok=True)
        self._note_model()
        for partial in self.folder.glob(PARTIAL.format("*")):
            partial.unlink()
        self._where = {}

    def _line(self, paper_id: str) -> bytes:
        path, at = self._where[paper_id]
        with path.open("rb") as file:
            file.seek(at)
            return file.readline()

    def _load(self, paper_id: str) -> Extraction | None:
        if paper_id not in self._where:
            return None
        return loads(self._line(paper_id).decode(), origin=f"paper {paper_id}")

    def _index(self, path: Path) -> None:
        """Note where each paper's record stands; what is damaged is left out, and so extracted again."""
        if not path.exists():
            return
        with path.open("rb") as file:
            at = 0
            for line in file:
                try:
                    self._where[loads(line.decode()).paper.id] = path, at
                except (InputError, UnicodeDecodeError):
                    self.damaged += 1
                at += len(line)

    def _model_was(self) -> str:
        try:
            return (self.folder / MODEL).read_text(encoding="utf-8").strip()
        except (OSError, UnicodeDecodeError):
            return ""

    def _note_model(self) -> None:
        with atomic_write(self.folder / MODEL) as file:
            file.write(f"{self.model}\n")


def _end_last_line(path: Path) -> None:
    """Cut off what a killed build left of a line."""
    if path.exists():
        with path.open("rb+") as file:
            data = file.read()
            file.truncate(data.rfind(b"\n") + 1)
