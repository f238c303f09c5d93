"""Doubtful merges as a table that a person edits and feeds back with `--aliases`.

A line for each question: a `?` to be made `same` or `apart`, the two names, in how many places the question arises, and
why it is one. Lines that still start with `?` decide nothing (`kg.concepts.aliases`), so the table can go back at once.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from kg import cache
from kg.concepts import Doubt, settle
from kg.files import atomic_write

HEAD = """\
# Make a line's ? into same or apart, and give the file to `kg build --aliases`. Lines with ? are left alone.
# Other decisions: label, a name, what to call it; type, a name, Model, Dataset, Method, Metric or Task. Tabs between.
"""


def review(source: Path, output: Path, *, aliases: Path | None = None) -> int:
    """Write the doubts about the concepts of a build; returns how many there are."""
    settled = settle(cache.read(source), aliases=aliases)
    with atomic_write(output) as out:
        out.write(HEAD)
        out.writelines(table(settled.doubts))
    return len(settled.doubts)


def table(doubts: Iterable[Doubt]) -> Iterator[str]:
    r"""Give the lines of the table.

    >>> list(table([Doubt("dense retrieval", "dense retriever", 5, "they differ in an ending")]))
    ['?\tdense retrieval\tdense retriever\t5\tthey differ in an ending\n']
    """
    for doubt in doubts:
        cells = ("?", doubt.name, doubt.other, str(doubt.papers), doubt.reason)
        yield "\t".join(" ".join(cell.split()) for cell in cells) + "\n"
