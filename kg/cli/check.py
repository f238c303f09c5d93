"""`kg check`: does the graph hold what it promises?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(
    source: Annotated[Path, typer.Option("--from", help="The build to check.")] = Path("output"),
    most: Annotated[int, typer.Option(min=0, help="How many faults to list at most.")] = 50,
) -> None:
    """Check the graph against its SHACL shapes, and every quoted word against its place in the text.

    Example: kg check --from output
    """
    from kg.check import check as check_graph

    report = check_graph(source)
    for violation in report.violations[:most]:
        typer.echo(violation)
    if len(report.violations) > most:
        typer.echo(f"… and {len(report.violations) - most:,} more; see them by --most {len(report.violations)}")
    typer.echo(report.summary)
    raise typer.Exit(0 if report.conforms else 1)
