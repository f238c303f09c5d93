r"""Bytes to valid UTF-8, whatever they were: UTF-16 and UTF-32 with a mark, cp1252, damaged UTF-8.

1. A byte order mark decides, and is dropped.
2. Blocks that are valid UTF-8 pass as they are.
3. A line that is not: with other multi-byte characters in it, it is damaged UTF-8, and what is damaged becomes U+FFFD;
   with single accented letters and quotes among ASCII, it is cp1252; else nobody knows, and its bytes become U+FFFD.

Each is told once a file, with the first line and the number of lines. Why line by line and not by a detector
(charset-normalizer): files joined from several sources change their encoding midway, and a detector needs all of it.
"""

from __future__ import annotations

import codecs
import io
import re
from collections.abc import Callable, Iterator

BLOCK = 1 << 16
LONGEST_LINE = 1 << 24
MARKS = (  # the longer mark first: UTF-32's begins like UTF-16's
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
KINDS = (
    (b"%PDF-", "a PDF"),
    (b"PK\x03\x04", "a zip archive (or an Office file)"),
    (b"PAR1", "a Parquet file"),
    (b"\x89PNG", "an image"),
    (b"\xff\xd8\xff", "an image"),
    (b"SQLite format 3", "an SQLite database"),
    (b"\x7fELF", "a program"),
    (b"\xd0\xcf\x11\xe0", "an old Office file"),
)
CONTROL = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
MULTI_BYTE = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}")
HIGH = re.compile(rb"[\x80-\xff]")
NOT_CP1252 = re.compile(rb"[\x81\x8d\x8f\x90\x9d]|[\x80-\xff]{4}")
MESSAGES = {
    "cp1252": "is not UTF-8 and was read as cp1252; convert it to UTF-8 if a character looks wrong",
    "damaged": "holds damaged UTF-8, replaced by U+FFFD; restore the file from its source",
    "unknown": "is neither UTF-8 nor cp1252, and its bytes were replaced by U+FFFD; convert it, as with iconv -t UTF-8",
}


def is_binary(head: bytes) -> str:
    r"""Say what a file without text is, or nothing of one that has text.

    >>> is_binary(b"%PDF-1.7 ...")
    'is a PDF, not text; give a file of abstracts'
    >>> is_binary(b"plain text\n") or is_binary("Ünïcödé".encode("utf-16"))
    ''
    """
    for start, kind in KINDS:
        if head.startswith(start):
            return f"is {kind}, not text; give a file of abstracts"
    if head.startswith(tuple(mark for mark, _ in MARKS)):
        return ""
    if head.count(0) > len(head) / 4 and head.isascii():
        return "looks like UTF-16 without its mark; convert it to UTF-8, as with iconv -f UTF-16LE -t UTF-8"
    return "is binary, not text; give a file of abstracts" if len(CONTROL.findall(head)) > len(head) / 50 else ""


def repaired(stream: io.BufferedReader, *, head: bytes, note: Callable[[str], None]) -> Iterator[bytes]:
    """The stream's blocks as valid UTF-8 without a byte order mark; what was changed is told at its end."""
    for mark, encoding in MARKS:
        if head.startswith(mark):
            note(f"is in {encoding[:-3].upper()}, and was read so")
            return _decoded(stream, encoding)
    return _checked(stream, note)


def _decoded(stream: io.BufferedReader, encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)(errors="replace")
    while block := stream.read(BLOCK):
        yield decoder.decode(block).lstrip("\ufeff").encode()
    yield decoder.decode(b"", final=True).encode()


def _checked(stream: io.BufferedReader, note: Callable[[str], None]) -> Iterator[bytes]:
    found: dict[str, list[int]] = {}
    line, rest = 1, b""
    block = stream.read(BLOCK).removeprefix(codecs.BOM_UTF8)
    while block or rest:
        following = stream.read(BLOCK)
        block = rest + block
        try:
            cut = codecs.utf_8_decode(block, "strict", not following)[1]
            yield block[:cut]
        except UnicodeDecodeError as error:
            cut = _line_end(block, error.start) if following else len(block)
            yield _mended(block[:cut], line, found)
        line += block.count(b"\n", 0, cut)
        block, rest = following, block[cut:]
    for fault, lines in found.items():
        more = f" ({lines[1]} lines; line {lines[0]} is the first)" if lines[1] > 1 else f" (line {lines[0]})"
        note(MESSAGES[fault] + more)


def _line_end(block: bytes, fault: int) -> int:
    """Where the last whole line of a block with a fault ends; 0, to wait for more, where there is none."""
    cut = block.rfind(b"\n", fault) + 1
    return cut if cut or len(block) < LONGEST_LINE else len(block)


def _mended(block: bytes, line: int, found: dict[str, list[int]]) -> bytes:
    """Put the lines of a block right, and count in `found` the first line and the number of lines of each fault."""
    lines = block.split(b"\n")
    for i, text in enumerate(lines):
        fault, lines[i] = _line(text)
        if fault:
            found.setdefault(fault, [line + i, 0])[1] += 1
    return b"\n".join(lines)


def _is_utf8(block: bytes) -> bool:
    try:
        block.decode("utf-8")
    except UnicodeDecodeError:
        return False
    return True


def _line(line: bytes) -> tuple[str, bytes]:
    r"""Name what is wrong with a line's encoding, if anything, and put it right.

    >>> _line("naïve “BERT”".encode("cp1252"))[1].decode()
    'naïve “BERT”'
    >>> _line("Ünïcödé".encode() + b"\xff")[0], _line("论文列表".encode("gbk"))[0], _line(b"plain")[0]
    ('damaged', 'unknown', '')
    """
    if _is_utf8(line):
        return "", line
    high = len(HIGH.findall(line))
    damaged = 2 * sum(map(len, MULTI_BYTE.findall(line))) > high
    if damaged or NOT_CP1252.search(line):
        return "damaged" if damaged else "unknown", line.decode("utf-8", errors="replace").encode()
    return "cp1252", line.decode("cp1252").encode()
