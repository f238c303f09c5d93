"""A map as a table with tabs, for those who would rather not write Turtle.

    label            type    broader         aliases          higher_is_better   unit   tasks
    kitchen science  Area
    cooking          Task    kitchen science
    soup making      Task    cooking         broth making|potage
    taste score      Metric  kitchen science                  true               %
    SpoonSet         Dataset kitchen science                                            soup making

The first line names the columns; the first three are needed, the others are not, nor are cells at the end of a line.
Types are Model, Dataset, Method, Metric, Task and Area; `#` begins a line that is a remark.
"""

from __future__ import annotations

import csv
from collections.abc import Iterator

from kg.errors import InputError
from kg.field.concepts import Entry

COLUMNS = ("label", "type", "broader", "aliases", "higher_is_better", "unit", "tasks")
NEEDED = COLUMNS[:3]


def entries(text: str, source: str) -> Iterator[Entry]:
    """Give the lines of a table whose first line names its columns; several aliases or tasks have `|` between."""
    lines = [(n, line) for n, line in enumerate(text.splitlines(), 1) if line.strip() and not line.startswith("#")]
    rows = csv.reader((line for _, line in lines), delimiter="\t", quoting=csv.QUOTE_NONE)
    header = [cell.strip().casefold() for cell in next(rows, [])]
    odd = [*(c for c in NEEDED if c not in header), *(c for c in header if c not in COLUMNS)]
    if lines and odd:
        told = f"column {odd[0]!r} is missing or unknown; the first line names {', '.join(COLUMNS)}"
        raise InputError(f"{source}:{lines[0][0]}: {told}")
    for (number, _), row in zip(lines[1:], rows, strict=True):
        if len(row) > len(header):
            raise InputError(f"{source}:{number}: {len(row)} cells where the first line has {len(header)}")
        cells = dict(zip(header, map(str.strip, row), strict=False))
        if not cells.get("label"):
            raise InputError(f"{source}:{number}: no label; each line is a concept")
        yield Entry(
            place=f"{source}:{number}",
            label=cells["label"],
            type=cells.get("type", ""),
            broader=cells.get("broader", ""),
            aliases=_several(cells.get("aliases", "")),
            direction=cells.get("higher_is_better", "").lower(),
            unit=cells.get("unit", ""),
            tasks=_several(cells.get("tasks", "")),
        )


def _several(cell: str) -> tuple[str, ...]:
    return tuple(filter(None, map(str.strip, cell.split("|"))))
