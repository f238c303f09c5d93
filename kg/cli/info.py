"""`kg info`: what is installed and what a build holds."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def info(
    source: Annotated[Path, typer.Option("--from", help="The build to tell about.")] = Path("output"),
) -> None:
    """Tell versions and what the build in a folder holds.

    Example: kg info --from output
    """
    from kg.report import told

    typer.echo(told(source))
