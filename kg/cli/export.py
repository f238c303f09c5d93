"""`kg export`: the graph in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    output: Annotated[str, typer.Option("-o", "--output", help="File to write; - is standard output.")],
    source: Annotated[Path, typer.Option("--from", help="The build to read.")] = Path("output"),
    format: Annotated[str | None, typer.Option(help="Extension or media type; else by the name of the output.")] = None,
) -> None:
    """Write the graph as Turtle, N-Triples, N-Quads, TriG, RDF/XML or JSON-LD, by extension; .gz compresses it.

    For other graph tools: .graphml, .gexf, .csv (nodes beside it) and .json (networkx node-link).

    Example: kg export -o papers.jsonld.gz
    """
    from kg.view.exports import export as export_network
    from kg.view.exports import is_network

    if is_network(output, format):
        export_network(source, output, format=format)
    else:
        from kg.graph import export as export_graph

        export_graph(source, output, format=format)
