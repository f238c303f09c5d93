"""`kg link`: concepts to the terms of a vocabulary."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def link(
    vocabulary: Annotated[Path, typer.Option("--with", help="SKOS in any RDF format, or CSV of label and IRI.")],
    source: Annotated[Path, typer.Option("--from", help="The build to read.")] = Path("output"),
    output: Annotated[Path, typer.Option("-o", "--output", help="Turtle file to write.")] = Path("links.ttl"),
) -> None:
    """Link the concepts of a build to a vocabulary of yours by their names; no network is used.

    Example: kg link --with topics.csv -o links.ttl
    """
    from kg.link import link as write

    typer.echo(f"{write(source, vocabulary, output)}; written to {output}", err=True)
