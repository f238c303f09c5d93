"""Tables: drawn on a terminal, tab-separated lines anywhere else."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import TYPE_CHECKING

import typer

if TYPE_CHECKING:
    from kg.answers import Results

MOST_SHOWN = 1000
WIDEST = 10_000


def print_answer(results: Results, prefixes: Mapping[str, str]) -> int:
    """Draw the answer of a query; gives the number of rows."""
    from kg.answers import cell, columns, is_number, stream

    rows = list(islice(stream(results), MOST_SHOWN + 1))
    right = [all(term is None or is_number(term) for term in column) for column in zip(*rows, strict=True)]
    draw(columns(results), ([cell(term, prefixes) for term in row] for row in rows[:MOST_SHOWN]), right=right)
    if len(rows) > MOST_SHOWN:
        typer.echo(f"kg: only the first {MOST_SHOWN} rows are shown; --format tsv writes all", err=True)
    return len(rows)


def print_rows(head: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Draw a table on a terminal; write lines with tabs elsewhere."""
    if sys.stdout.isatty():
        draw(head, rows)
    else:
        for row in (head, *rows):
            typer.echo("\t".join(row))


def draw(head: Sequence[str], rows: Iterable[Sequence[str]], *, right: Sequence[bool] = ()) -> None:
    """Draw a table as wide as the terminal, or as its contents where there is no terminal."""
    from rich.box import SIMPLE_HEAD
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=SIMPLE_HEAD, pad_edge=False, header_style="bold")
    for i, name in enumerate(head):
        table.add_column(name, justify="right" if i < len(right) and right[i] else "left", overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    Console(width=None if sys.stdout.isatty() else WIDEST).print(table)
