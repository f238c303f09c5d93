"""The formats that papers come in: a registry by name and by extension, and the content that gives one away.

What a file contains outweighs its extension, where it cannot be meant otherwise: JSON Lines are often called `.json`,
exports of reference managers `.txt`. A format that is forced outweighs both.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from kg.errors import UsageError
from kg.papers import json_lines, plain
from kg.papers.sources import PACKED, Source
from kg.records import Paper

Reader = Callable[[Source], Iterator[Paper]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name for people, the extensions that mean it, and its reader."""

    title: str
    extensions: tuple[str, ...]
    read: Reader


FORMATS: dict[str, Format] = {
    "text": Format("plain text, an abstract a paragraph", (".txt", ".text"), plain.read),
    "jsonl": Format("JSON Lines", (".jsonl", ".ndjson"), json_lines.read),
}


def named(name: str) -> Format:
    """The format of a name or an extension; UsageError, with the nearest, where there is none.

    >>> named("jsonl").title, named(".txt").title
    ('JSON Lines', 'plain text, an abstract a paragraph')
    """
    wanted = name.casefold()
    by_extension = {e.lstrip("."): f for f in FORMATS.values() for e in f.extensions}
    found = FORMATS.get(wanted) or by_extension.get(wanted.lstrip("."))
    if found is None:
        near = difflib.get_close_matches(wanted, [*FORMATS, *by_extension], n=1)
        hint = f"did you mean {near[0]}?" if near else "known are " + ", ".join(FORMATS)
        raise UsageError(f"there is no input format {name}; {hint}")
    return found


def by_name(path: Path) -> Format | None:
    """The format that a file's name means, compressed or not."""
    suffixes = [s.casefold() for s in path.suffixes if s.casefold() not in PACKED]
    return next((f for f in FORMATS.values() if suffixes and suffixes[-1] in f.extensions), None)


def detected(source: Source) -> Format:
    """The format of a source: by its content, else by its name, else plain text."""
    for name, pattern in CONTENT.items():
        if pattern.match(source.head):
            return FORMATS[name]
    return by_name(Path(source.name)) or FORMATS["text"]


CONTENT: dict[str, re.Pattern[bytes]] = {
    "jsonl": re.compile(rb"\s*\{\s*[\"}]"),
}
