"""One JSON document: a list of records, an object that holds one, records by id, or one record.

1. The document is cut at its brackets (those outside of strings) as it streams by, so memory holds one record.
2. Records are the elements of the top-level list, or of a list under a name that answers of services and exports use
   (`results`, `message.items`, …); else the top-level object is one record, or holds a record under each id.
3. Each record is read by `json` for itself: a bad one is told by its number, and the others go on.

Why not `json.load`: dumps of gigabytes. Why not `ijson`: it keeps the path of every open bracket, so that 64,000 of
them, `[[[[…`, take ten gigabytes; and it ends at the first fault.
"""

from __future__ import annotations

import io
import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from kg.papers import json_lines
from kg.papers.encoding import BLOCK
from kg.papers.shapes import Shape, is_paper, shaped
from kg.papers.sources import PACKED, Source
from kg.records import Paper

LISTS = frozenset(
    "results data items notes papers works records entries articles documents publications rows message.items "
    "response.docs".split()
)
INSIDE = frozenset(["message", "response"])
SPACE = re.compile(rb"[\s,]*")
STRING = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL)
SCALAR = re.compile(rb'[^\s,\[\]{}":]+(?=[\s,\[\]{}":])')
BRACKET = re.compile(rb'[^\[\]{}"]*+(?:"[^"\\]*+(?:\\.[^"\\]*+)*+"[^\[\]{}"]*+)*+([\[\]{}])', re.DOTALL)
LONGEST = 1 << 24
Raw = bytes | Mapping[str, Any] | None


def read(source: Source, *, shape: Shape | None = None) -> Iterator[Paper]:
    """Papers of a JSON document, in a given shape or the one that each record has."""
    name = Path(source.name)
    if is_lines(source.head) or {".jsonl", ".ndjson"} & {s.casefold() for s in name.suffixes if s not in PACKED}:
        yield from json_lines.read(source, shape=shape)
        return
    scanner = _Scanner(source.stream)
    told: set[str] = set()
    number = 0
    try:
        for number, raw in enumerate(_records(scanner, source.fields), 1):
            origin = f"{source.name}#{number}"
            record = json_lines.parsed(source, origin, raw) if isinstance(raw, bytes) else raw
            if raw is None:
                source.error("is longer than 16 MB, and was passed over; split it into papers", origin=origin)
            elif record is not json_lines.NOT_JSON and (made := shaped(source, origin, record, shape=shape, told=told)):
                yield made
    except _Malformed as fault:
        source.error(f"{fault}; the {number} records before that were read", origin=source.at(scanner.line))


def is_lines(head: bytes) -> bool:
    """Whether a document is JSON Lines: a whole object on its first line and another below it.

    >>> is_lines(b'{"id": 1}\\n{"id": 2}'), is_lines(b'{"id": 1}\\n'), is_lines(b'{\\n"id": 1}')
    (True, False, False)
    """
    first, end, rest = head.lstrip().partition(b"\n")
    return bool(end) and rest.lstrip()[:1] == b"{" and first.startswith(b"{") and first.rstrip().endswith(b"}")


def _records(scanner: _Scanner, names: Mapping[str, str]) -> Iterator[Raw]:
    while first := scanner.peek():
        if first == b"[":
            yield from _elements(scanner)
        elif first == b"{":
            yield from _object(scanner, names, "")
        else:
            raise _Malformed("is not JSON")


def _elements(scanner: _Scanner) -> Iterator[Raw]:
    scanner.take(b"[")
    while scanner.peek() not in (b"]", b""):
        yield scanner.value()
    scanner.take(b"]")


def _object(scanner: _Scanner, names: Mapping[str, str], path: str) -> Iterator[Raw]:
    """Records inside of an object, or the object if it is one."""
    scanner.take(b"{")
    whole: dict[str, Any] = {}
    while scanner.peek() not in (b"}", b""):
        key = str(_loaded(scanner.value()))
        scanner.take(b":")
        first = scanner.peek()
        if first == b"[" and path + key in LISTS and not is_paper(whole, names):
            yield from _elements(scanner)
        elif first == b"{" and key in INSIDE:
            yield from _object(scanner, names, f"{key}.")
        else:
            value = _loaded(scanner.value())
            if isinstance(value, Mapping) and key != "content" and is_paper(value, names):
                yield {"id": key, **value}
            else:
                whole[key] = value
    scanner.take(b"}")
    if is_paper(whole, names):
        yield whole


def _loaded(raw: bytes | None) -> Any:
    try:
        return None if raw is None else json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise _Malformed(f"is not JSON ({json_lines.why(error)})") from error


class _Malformed(Exception):
    """A fault after which nobody knows where the next record begins."""


class _Scanner:
    """Cuts values out of a stream; `line` is where it stands."""

    def __init__(self, stream: io.BufferedReader) -> None:
        self.stream = stream
        self.buffer = b""
        self.at = 0
        self.line = 1

    def peek(self) -> bytes:
        """First byte of what comes next, past white space and commas; none at the end."""
        while True:
            space = SPACE.match(self.buffer, self.at)
            self.advance(space.end() if space else self.at)
            if self.at < len(self.buffer) or not self.more():
                return self.buffer[self.at : self.at + 1]

    def take(self, byte: bytes) -> None:
        """Pass over a bracket or colon that must come next."""
        found = self.peek()
        if found != byte:
            seen = f"has {found.decode(errors='replace')!r}" if found else "ends"
            raise _Malformed(f"is not JSON (it {seen} where {byte.decode()!r} is due)")
        self.advance(self.at + 1)

    def value(self) -> bytes | None:
        """The next value as it is written; None for one that is too long."""
        first = self.peek()
        if first in (b"{", b"["):
            return self.container()
        pattern = STRING if first == b'"' else SCALAR
        while not (found := pattern.match(self.buffer, self.at)):
            self.need()
        self.advance(found.end())
        return found[0]

    def container(self) -> bytes | None:
        depth, length, too_long = 0, 0, False
        while True:
            found = BRACKET.match(self.buffer, self.at + length)
            if found is None:
                if length > LONGEST:
                    self.advance(self.at + length)
                    length, too_long = 0, True
                self.need(length)
                continue
            depth += 1 if found[1] in (b"{", b"[") else -1
            length = found.end() - self.at
            if depth == 0:
                raw = self.buffer[self.at : self.at + length]
                self.advance(self.at + length)
                return None if too_long or length > LONGEST else raw

    def need(self, length: int = 0) -> None:
        """Read on; there must be more, and no single string longer than a record may be."""
        if len(self.buffer) - self.at - length > 4 * LONGEST or not self.more():
            raise _Malformed("is not JSON (a string or bracket never closes, or something else is amiss)")

    def more(self) -> bool:
        block = self.stream.read(max(BLOCK, len(self.buffer) - self.at))
        self.buffer = self.buffer[self.at :] + block
        self.at = 0
        return bool(block)

    def advance(self, to: int) -> None:
        self.line += self.buffer.count(b"\n", self.at, to)
        self.at = to
