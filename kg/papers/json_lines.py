"""JSON Lines: one JSON object a line."""

from __future__ import annotations

import json
from collections.abc import Iterator

from kg.papers.lines import lines
from kg.papers.shapes import Shape, shaped
from kg.papers.sources import Source
from kg.records import Paper


def read(source: Source, *, shape: Shape | None = None) -> Iterator[Paper]:
    """Papers of JSON Lines, in a given shape or the one that each record has."""
    told: set[str] = set()
    for number, line in lines(source):
        if not line.strip():
            continue
        origin = source.at(number)
        try:
            record = json.loads(line)
        except (ValueError, RecursionError) as error:
            source.error(f"is not JSON ({_why(error)}); put one object on each line", origin=origin)
            continue
        if made := shaped(source, origin, record, shape=shape, told=told):
            yield made


def _why(error: Exception) -> str:
    if isinstance(error, json.JSONDecodeError):
        return f"column {error.colno}: {error.msg}"
    return "it is nested too deep" if isinstance(error, RecursionError) else str(error)
