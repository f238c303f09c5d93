"""paperkg: paper abstracts to a knowledge graph you can trust.

    >>> import kg
    >>> paper = kg.Paper("p1", "We propose FooNet, a transformer for machine translation.")
    >>> [extraction] = kg.extract([paper])
    >>> [(entity.name, entity.role.value) for entity in extraction.entities][0]
    ('FooNet', 'proposes')

Three functions and the records they speak in; each loads what it needs when it is called, so that `import kg` is quick.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kg.errors import KgError
from kg.records import Concept, Entity, EntityType, Extraction, Mention, Paper, Result, Role

if TYPE_CHECKING:
    from kg.flow import Options
    from kg.graphs import Graph
    from kg.papers import Problem
    from kg.report import Report

__all__ = [
    "Concept",
    "Entity",
    "EntityType",
    "Extraction",
    "KgError",
    "Mention",
    "Paper",
    "Result",
    "Role",
    "build",
    "extract",
    "open",
]


def extract(papers: Iterable[Paper]) -> Iterator[Extraction]:
    """Read papers one by one, in order: what each names, in which role, with which numbers, and where it says so."""
    from kg.extraction.pipeline import extract as extract_all

    return extract_all(papers)


def build(
    inputs: Sequence[Path | str] | Path | str,
    output: Path | str = "output",
    *,
    options: Options | None = None,
    on_problem: Callable[[Problem], None] = lambda problem: None,
) -> Report:
    """Build the graph of files and folders in the folder `output` and say what came of it.

    Raises InputError where no paper can be read and OutputError where the folder cannot be written; a paper that fails
    is told to `on_problem` and in the report, and the others are built.
    """
    from kg.flow import build as build_all

    several = [inputs] if isinstance(inputs, str | Path) else inputs
    return build_all(several, Path(output), options=options, on_problem=on_problem)


def open(path: Path | str = "output") -> Graph:
    """Open the graph of a build for reading; InputError where there is none.

    The result answers `.query(text_or_name, **values)`, gives `.to_networkx()`, and its `.rdflib` is an rdflib Dataset.
    """
    from kg.graphs import Graph

    return Graph(Path(path))
