"""`kg export`: the graph in another format."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def export(
    output: Annotated[str | None, typer.Option("-o", "--output", help="File to write; - is standard output.")] = None,
    bulk: Annotated[Path | None, typer.Option(help="Folder for shards and commands of bulk loaders, instead.")] = None,
    source: Annotated[Path, typer.Option("--from", help="The build to read.")] = Path("output"),
    format: Annotated[str | None, typer.Option(help="Extension or media type; else by the name of the output.")] = None,
) -> None:
    """Write the graph as Turtle, N-Triples, N-Quads, TriG, RDF/XML or JSON-LD, by extension; .gz compresses it.

    For other graph tools: .graphml, .gexf, .csv (nodes beside it) and .json (networkx node-link).
    For the bulk loaders of Oxigraph, Virtuoso, Jena, QLever and GraphDB: --bulk.

    Example: kg export -o papers.jsonld.gz
    """
    from kg.errors import UsageError

    if (output is None) == (bulk is None):
        raise UsageError("name a file by -o, or a folder by --bulk, and not both")
    if bulk is not None:
        from kg.graph.bulk import export_bulk

        made = export_bulk(source, bulk)
        typer.echo(f"{made.triples:,} triples in {len(made.shards):,} files; {bulk / 'README.md'} says how", err=True)
    elif output is not None:
        _export(source, output, format)


def _export(source: Path, output: str, format: str | None) -> None:
    """Write one file."""
    from kg.view.exports import export as export_network
    from kg.view.exports import is_network

    if is_network(output, format):
        from kg.field import read_map

        export_network(source, output, format=format, field=read_map())
    else:
        from kg.graph import export as export_graph

        export_graph(source, output, format=format)
