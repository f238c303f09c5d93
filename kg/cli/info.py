"""`kg info`: what is installed, what a build holds, and what it knows of a concept."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def info(
    concept: Annotated[
        str | None, typer.Argument(help="A concept to tell about: one of its names, or its IRI.", show_default=False)
    ] = None,
    source: Annotated[
        Path | None, typer.Option("--from", help="The build to tell about.", show_default="output")
    ] = None,
) -> None:
    """Tell versions and what the build in a folder holds, or all that it knows of one concept.

    Example: kg info transformer
    """
    if concept is None:
        from kg.report import told

        typer.echo(told(source or Path("output"), expected=source is not None))
        return
    from kg.about import about, lines
    from kg.graphs import Graph

    for n, found in enumerate(about(Graph(source or Path("output")), concept)):
        typer.echo("\n" * (n > 0) + "\n".join(lines(found)))
