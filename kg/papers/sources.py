"""Inputs to open byte streams: files, folders and standard input, unpacked and in UTF-8.

1. A folder is walked in sorted order; hidden files, and files whose extension belongs to no format, are passed over.
2. The first bytes tell gzip, bzip2, xz and zstd, whatever the name says, and the kinds of file that hold no text.
3. What is not UTF-8 is repaired on the way (`kg.papers.encoding`), so that readers never meet another encoding.

Nothing is held but the first bytes and one block. Why not `smart_open` or `fsspec`: they go by the file's name, and
neither tells a truncated zstd file from a whole one.
"""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, BinaryIO

from kg.papers.encoding import is_binary, repaired
from kg.papers.problems import Problem, Severity

HEAD = 1 << 16
BLOCK = 1 << 18
PACKED = (".gz", ".zst", ".zstd", ".bz2", ".xz")
Report = Callable[[Problem], None]


@dataclass(frozen=True, slots=True)
class Source:
    """One open input: its name for messages, its bytes, the first of them, and where to tell problems.

    `raw` are the bytes as they are in the file (for formats that name their own encoding), `stream` the same in UTF-8:
    a reader takes one of the two. `fields` names the fields of records that do not go by their usual names.
    """

    name: str
    raw: BinaryIO
    stream: BinaryIO
    head: bytes
    report: Report
    fields: Mapping[str, str]

    def at(self, line: int) -> str:
        """Where a line is, for messages and for `Paper.origin`."""
        return f"{self.name}:{line}"

    def error(self, message: str, *, origin: str = "") -> None:
        """Tell what cost a paper, or the whole file."""
        self.report(Problem(origin or self.name, message))

    def note(self, message: str, *, origin: str = "") -> None:
        """Tell what was changed or left out without loss."""
        self.report(Problem(origin or self.name, message, Severity.NOTE))

    def info(self, message: str) -> None:
        """Tell how the input is read."""
        self.report(Problem(self.name, message, Severity.INFO))


def files(inputs: Iterable[Path | str], *, known: Callable[[Path], bool], report: Report) -> Iterator[Path]:
    """Files of the inputs, each once, those of a folder sorted and `known`; `-` stands for standard input."""
    seen: set[str] = set()
    for path in map(Path, inputs):
        if path.is_dir():
            found = list(_walk(path, known=known, report=report, visited=set()))
            if not found:
                report(Problem(str(path), "holds no file that can be read; name a file, or force a format"))
        else:
            found = [path]
        for file in found:
            real = str(file) if str(file) == "-" else os.path.realpath(file)
            if real in seen:
                report(Problem(str(file), "is given more than once; it is read once", Severity.NOTE))
            else:
                seen.add(real)
                yield file


def _walk(folder: Path, *, known: Callable[[Path], bool], report: Report, visited: set[str]) -> Iterator[Path]:
    visited.add(os.path.realpath(folder))
    try:
        names = sorted(os.listdir(folder))
    except OSError as error:
        report(Problem(str(folder), f"cannot be read: {error.strerror}; check its permissions"))
        return
    for path in (folder / name for name in names if not name.startswith(".")):
        if path.is_dir():
            if os.path.realpath(path) not in visited:
                yield from _walk(path, known=known, report=report, visited=visited)
        elif known(path):
            yield path
        else:
            report(
                Problem(
                    str(path), "is passed over: its extension belongs to no format; name it to read it", Severity.INFO
                )
            )


def opened(path: Path, *, report: Report, fields: Mapping[str, str]) -> Source | None:
    """Open a file or standard input; None, told, where it is missing, empty, binary or not to be read."""
    name = "standard input" if str(path) == "-" else str(path)
    try:
        file: IO[bytes] = sys.stdin.buffer if str(path) == "-" else open(path, "rb")  # noqa: SIM115
        whole = _unpacked(file)
        head = _head(whole)
    except FileNotFoundError:
        report(Problem(name, "does not exist; check the path"))
        return None
    except (OSError, EOFError, ValueError) as error:
        report(Problem(name, f"cannot be read: {reason(error)}"))
        return None
    problem = "is empty; there is nothing to read" if not head.strip() else is_binary(head)
    if problem:
        report(Problem(name, problem))
        file.close()
        return None
    raw = _joined(head, whole)
    source = Source(name, raw, raw, head, report, fields)
    return replace(source, stream=buffered(repaired(raw, head=head, note=source.note)))


def reason(error: Exception) -> str:
    """Why reading failed, in the words of the system."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return str(error) or type(error).__name__


class _Chunks(io.RawIOBase):
    """Blocks of bytes as a raw stream."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self.blocks = blocks
        self.left = memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        while not self.left:
            block = next(self.blocks, None)
            if block is None:
                return 0
            self.left = memoryview(block)
        n = min(len(buffer), len(self.left))
        buffer[:n] = self.left[:n]
        self.left = self.left[n:]
        return n


def buffered(blocks: Iterator[bytes]) -> BinaryIO:
    """Blocks of bytes as a stream to read."""
    return io.BufferedReader(_Chunks(blocks), BLOCK)


def _head(stream: IO[bytes] | gzip.GzipFile) -> bytes:
    head = b""
    while len(head) < HEAD and (block := stream.read(HEAD - len(head))):
        head += block
    return head


def _joined(head: bytes, rest: IO[bytes] | gzip.GzipFile) -> BinaryIO:
    def blocks() -> Iterator[bytes]:
        yield head
        while block := rest.read(BLOCK):
            yield block
        rest.close()

    return buffered(blocks())


def _unpacked(file: IO[bytes]) -> IO[bytes] | gzip.GzipFile:
    head = _head(file)
    whole = _joined(head, file)
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=whole)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(whole)
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(whole)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return buffered(_zstd(whole))
    return whole


def _zstd(stream: BinaryIO) -> Iterator[bytes]:
    """Unpack zstd, frame after frame; EOFError where the last one is not whole."""
    from zstandard import ZstdDecompressor, ZstdError

    frame = ZstdDecompressor().decompressobj()
    try:
        while block := stream.read(BLOCK):
            while block:
                yield frame.decompress(block)
                block = frame.unused_data if frame.eof else b""
                if frame.eof:
                    frame = ZstdDecompressor().decompressobj()
                    whole = not block
                else:
                    whole = False
    except ZstdError as error:
        raise OSError(f"its zstd data is damaged ({error})") from error
    if not whole:
        raise EOFError("its zstd data ends too early")
