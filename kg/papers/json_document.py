"""One JSON document: a list of records, an object that holds one, records by id, or one record.

1. The first block of the document tells where its records are: in the top-level list; in a list of a name that answers
   of services and exports use (`results`, `message.items`, …); else the top-level object is one record, or holds a
   record under each id.
2. Records are built one at a time as the document streams by, so memory holds one of them (a document that is one
   record must be held whole).

Why ijson and not `json.load`: dumps of gigabytes. A document that is JSON Lines in truth is read as such.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import ijson

from kg.papers import json_lines
from kg.papers.shapes import Shape, is_paper, shaped
from kg.papers.sources import Source
from kg.records import Paper

LISTS = (
    *("results", "data", "items", "notes", "papers", "works", "records", "entries", "articles", "documents"),
    *("publications", "message.items", "response.docs", "rows"),
)


def read(source: Source, *, shape: Shape | None = None) -> Iterator[Paper]:
    """Papers of a JSON document, in a given shape or the one that each record has."""
    if is_lines(source.head) or Path(source.name.removesuffix(".gz").removesuffix(".zst")).suffix in (
        ".jsonl",
        ".ndjson",
    ):
        yield from json_lines.read(source, shape=shape)
        return
    told: set[str] = set()
    number = 0
    try:
        for number, record in enumerate(_records(source), 1):
            if made := shaped(source, f"{source.name}#{number}", record, shape=shape, told=told):
                yield made
    except (ijson.JSONError, UnicodeDecodeError) as error:
        why = " ".join(str(error).split("\n")[0].split())
        source.error(
            f"is not JSON after record {number} ({why}); what came before was read; if it is JSON Lines, force jsonl"
        )


def is_lines(head: bytes) -> bool:
    """Whether a document is JSON Lines: a whole object on its first line and something after it.

    >>> is_lines(b'{"id": 1}\\n{"id": 2}'), is_lines(b'{"id": 1}\\n'), is_lines(b'{\\n"id": 1}')
    (True, False, False)
    """
    first, end, rest = head.lstrip().partition(b"\n")
    return bool(end) and rest.lstrip()[:1] == b"{" and first.startswith(b"{") and first.rstrip().endswith(b"}")


def _records(source: Source) -> Iterator[Any]:
    where = _where(source.head)
    if where is not None:
        yield from ijson.items(source.stream, where, use_float=True)
        return
    whole: dict[str, Any] = {}
    for key, value in ijson.kvitems(source.stream, "", use_float=True):
        if isinstance(value, Mapping) and key != "content" and is_paper(value, source.fields):
            yield {"id": key, **value}
        else:
            whole[key] = value
    if is_paper(whole, source.fields):
        yield whole


def _where(head: bytes) -> str | None:
    """The path of the records in a document, or None where its top level is one record or records by id."""
    try:
        for prefix, event, _ in ijson.parse(head):
            if event == "start_array" and (prefix == "" or prefix in LISTS):
                return f"{prefix}.item".lstrip(".")
    except ijson.IncompleteJSONError:
        pass  # the head is but the beginning
    return None
