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
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Protocol, cast

from kg.errors import UsageError
from kg.files import LOCK
from kg.papers.encoding import BLOCK, is_binary, repaired
from kg.papers.problems import Problem, Severity

HEAD = 1 << 16
PACKED = (".gz", ".zst", ".zstd", ".bz2", ".xz")
BROKEN = (OSError, EOFError, zlib.error, lzma.LZMAError)  # what reading and unpacking raise
Report = Callable[[Problem], None]


class Stream(Protocol):
    """Bytes to read, as much as there is at once."""

    def read1(self, size: int, /) -> bytes:
        """Read at most `size` bytes, none at the end."""


@dataclass(frozen=True, slots=True)
class Source:
    """One open input: its name for messages, its bytes in UTF-8, the first of them, and where to tell problems.

    `fields` names the fields of records that do not go by their usual names.
    """

    name: str
    stream: io.BufferedReader
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
    for given in inputs:
        if not str(given):
            raise UsageError("an input is empty text; give a file or a folder (. is the one you are in)")
        path = Path(given)
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
    if LOCK in names:
        report(
            Problem(
                str(folder), "is passed over: it holds a build, not papers; name its files to read them", Severity.INFO
            )
        )
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


@contextmanager
def opened(path: Path, *, report: Report, fields: Mapping[str, str]) -> Iterator[Source | None]:
    """Open a file or standard input; None, told, where it is missing, empty, binary or not to be read."""
    name = "standard input" if str(path) == "-" else str(path)
    with ExitStack() as stack:
        try:
            file = sys.stdin.buffer if str(path) == "-" else stack.enter_context(open(path, "rb"))
            head, stream = _peeked(_unpacked(*_peeked(cast(Stream, file))))
        except FileNotFoundError:
            problem = "does not exist; check the path"
        except BROKEN as error:
            problem = f"cannot be read: {reason(error)}"
        else:
            problem = is_binary(head) if head.strip() else "is empty; there is nothing to read"
        if problem:
            report(Problem(name, problem))
            yield None
            return
        note = partial(_note, name, report)
        head, stream = _peeked(buffered(repaired(stream, head=head, note=note)))
        yield Source(name, stream, head, report, fields)


def _note(name: str, report: Report, message: str) -> None:
    report(Problem(name, message, Severity.NOTE))


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


def buffered(blocks: Iterator[bytes]) -> io.BufferedReader:
    """Blocks of bytes as a stream to read."""
    return io.BufferedReader(_Chunks(blocks), BLOCK)


def _peeked(stream: Stream) -> tuple[bytes, io.BufferedReader]:
    """The first bytes of a stream, and the stream with them; a fault after some bytes waits for its turn."""
    head, fault = b"", None
    try:
        while len(head) < HEAD and (block := stream.read1(HEAD - len(head))):
            head += block
    except BROKEN as error:
        if not head:
            raise
        fault = error

    def blocks() -> Iterator[bytes]:
        yield head
        if fault:
            raise fault
        while block := stream.read1(BLOCK):
            yield block

    return head, buffered(blocks())


def _unpacked(head: bytes, stream: io.BufferedReader) -> Stream:
    if head.startswith(b"\x1f\x8b"):
        return gzip.GzipFile(fileobj=stream)
    if head.startswith(b"BZh"):
        return bz2.BZ2File(stream)
    if head.startswith(b"\xfd7zXZ\x00"):
        return lzma.LZMAFile(stream)
    if head.startswith(b"\x28\xb5\x2f\xfd"):
        return buffered(_zstd(stream))
    return stream


def _zstd(stream: io.BufferedReader) -> Iterator[bytes]:
    """Unpack zstd, frame after frame; EOFError where the last one is not whole."""
    from zstandard import ZstdDecompressor, ZstdError

    frame, whole = ZstdDecompressor().decompressobj(), True
    try:
        while block := stream.read1(BLOCK):
            while block:
                yield frame.decompress(block)
                block, whole = frame.unused_data, frame.eof
                if frame.eof:
                    frame = ZstdDecompressor().decompressobj()
    except ZstdError as error:
        raise OSError(f"its zstd data is damaged ({error})") from error
    if not whole:
        raise EOFError("its zstd data ends too early")
