"""Options of `kg` itself."""

from __future__ import annotations

from typing import Annotated

import typer


def version(
    show: Annotated[bool, typer.Option("--version", help="Print the version and exit.", is_eager=True)] = False,
) -> None:
    """Paper abstracts to a knowledge graph you can trust."""
    if show:
        from importlib.metadata import version as installed

        typer.echo(f"kg {installed('paperkg')}")
        raise typer.Exit
