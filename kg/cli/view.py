"""`kg view`: the graph as one HTML page."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def view(
    output: Annotated[str, typer.Option("-o", "--output", help="File to write; - is standard output.")] = "graph.html",
    source: Annotated[Path, typer.Option("--from", help="The build to read.")] = Path("output"),
    focus: Annotated[str, typer.Option(help="Only what is near this paper or concept: a name, an id or an IRI.")] = "",
    depth: Annotated[int, typer.Option(help="How many steps from --focus.")] = 1,
    query: Annotated[Path | None, typer.Option(help="Only what the CONSTRUCT query in this file answers.")] = None,
    max_nodes: Annotated[int, typer.Option(help="Draw no more than so many at once: the most connected.")] = 2500,
    aliases: Annotated[Path | None, typer.Option(help="Your own names, to settle concepts anew by.")] = None,
    title: Annotated[str, typer.Option(help="What the page is called.")] = "Paper graph",
) -> None:
    """Draw the graph as one self-contained HTML page that works offline.

    Example: kg view --focus Transformer --depth 2 -o transformer.html
    """
    from kg.field import read_map
    from kg.view import view as draw

    draw(
        source,
        output,
        focus=focus,
        depth=depth,
        query=query,
        max_nodes=max_nodes,
        title=title,
        aliases=aliases,
        field=read_map(),
    )
