"""CSV and TSV with a header: a paper a row.

1. The delimiter is the one of comma, semicolon, tab and bar that parts the header into most columns.
2. Columns go by the names that people use (`shapes.GUESSES`), or by the ones given.

Read by Python's `csv`; a row that cannot be read is told with its line, and the next row goes on. A quote that never
closes takes all that follows into its row, and `csv` does not say so: a line that no table has is given it last, and a
row that has taken that one in is such a row.
"""

from __future__ import annotations

import csv
import sys
from collections.abc import Iterator

from kg.papers.lines import lines
from kg.papers.shapes import is_paper, shaped
from kg.papers.sources import Source
from kg.records import Paper

DELIMITERS = ",;\t|"
END = "\x1aend of table\x1a"
LARGEST_FIELD = min(sys.maxsize, 1 << 24)


def read(source: Source) -> Iterator[Paper]:
    """Papers of a table."""
    csv.field_size_limit(LARGEST_FIELD)  # abstracts may be longer than the 131,072 characters that csv allows by itself
    numbered = _Lines(source)
    first = next(numbered, "")
    delimiter = delimiter_of(first)
    header = _cells(first, delimiter)
    if not is_paper(dict.fromkeys(header), source.fields):
        names = ", ".join(name or "(no name)" for name in header[:12])
        source.error(f"has no column of abstracts in its header ({names}); call one 'abstract', or say which it is")
        return
    told: set[str] = set()
    for origin, row in _rows(source, numbered, delimiter):
        if len(row) > len(header) and any(row[len(header) :]):
            here = f"column {len(header) + 1} of a row whose header has {len(header)}"
            source.error(f"has more cells than the header ({here}); quote cells that hold '{delimiter}'", origin=origin)
        elif any(row):
            record = dict(zip(header, row, strict=False))
            if made := shaped(source, origin, record, shape=None, told=told):
                yield made


def _rows(source: Source, numbered: _Lines, delimiter: str) -> Iterator[tuple[str, list[str]]]:
    """Where each row is, and its cells."""
    rows = csv.reader(numbered, delimiter=delimiter)
    while not numbered.ended:
        origin, before = source.at(numbered.number + 1), numbered.number
        try:
            row = next(rows)
        except csv.Error as error:
            source.error(f"is not a row of a table ({error}); check its quotes", origin=origin)
            continue
        if not numbered.ended:
            yield origin, row
        elif row != [END]:
            lost = f"it is lost with the {numbered.number - before - 1} lines after it"
            source.error(f"has a quote that never closes; {lost}: close it", origin=origin)


def delimiter_of(header: str) -> str:
    r"""The delimiter of a header line.

    >>> delimiter_of("id;title, long;abstract"), delimiter_of("abstract")
    (';', ',')
    """
    return max(DELIMITERS, key=lambda d: len(_cells(header, d)))


def is_header(line: str) -> bool:
    """Whether a line is a table's header with a column of abstracts.

    >>> is_header("id,title,abstract"), is_header("In this abstract, we")
    (True, False)
    """
    names = _cells(line.strip(), delimiter_of(line))
    return len(names) > 1 and is_paper(dict.fromkeys(names), {})


def _cells(line: str, delimiter: str) -> list[str]:
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


class _Lines:
    """Lines for `csv`, which wants their ends, then END; and the number of the last one."""

    def __init__(self, source: Source) -> None:
        self.lines = lines(source)
        self.number = 0
        self.ended = False

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        found = next(self.lines, None)
        if found is None:
            if self.ended:
                raise StopIteration
            self.ended = True
            return END + "\n"
        self.number, line = found
        return line + "\n"
