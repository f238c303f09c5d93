"""`kg review`: doubtful merges, to be decided by a person."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def review(
    source: Annotated[Path, typer.Option("--from", help="The build to read.")] = Path("output"),
    output: Annotated[Path, typer.Option("-o", "--output", help="Table to write.")] = Path("review.tsv"),
    aliases: Annotated[Path | None, typer.Option(help="What you have decided already.")] = None,
) -> None:
    """Write the doubtful merges as a table; edit it and give it to `kg build --aliases`.

    Example: kg review -o review.tsv
    """
    from kg.review import review as write

    count = write(source, output, aliases=aliases)
    typer.echo(f"{count:,} questions in {output}", err=True)
