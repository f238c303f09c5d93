"""JSON Lines: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from kg.papers.lines import lines
from kg.papers.shapes import Shape, shaped
from kg.papers.sources import Source
from kg.records import Paper

NOT_JSON = object()  # None is what `null` means


def read(source: Source, *, shape: Shape | None = None) -> Iterator[Paper]:
    """Papers of JSON Lines, in a given shape or the one that each record has."""
    told: set[str] = set()
    for number, line in lines(source):
        if line.strip():
            origin = source.at(number)
            record = parsed(source, origin, line)
            if record is not NOT_JSON and (made := shaped(source, origin, record, shape=shape, told=told)):
                yield made


def parsed(source: Source, origin: str, text: str | bytes) -> Any:
    """The value of a JSON text; NOT_JSON, told, where it is none."""
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        source.error(f"is not JSON ({why(error)}); write one object for each paper", origin=origin)
        return NOT_JSON


def why(error: Exception) -> str:
    """What is wrong with a JSON text, in short."""
    if isinstance(error, json.JSONDecodeError):
        return f"column {error.colno}: {error.msg}"
    return "it is nested too deep" if isinstance(error, RecursionError) else str(error)
