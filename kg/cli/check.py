"""`kg check`: does the graph hold what it promises?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def check(
    source: Annotated[Path, typer.Option("--from", help="The build to check.")] = Path("output"),
    sample: Annotated[
        int | None, typer.Option(min=1, help="Hold only so many papers against the shapes.", metavar="N")
    ] = None,
    most: Annotated[int, typer.Option(min=0, help="How many faults to list at most.")] = 50,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Show no progress.")] = False,
) -> None:
    """Check the graph against its SHACL shapes, and every quoted word against its place in the text.

    All papers take about a minute for 1,000; --sample takes some, evenly spread, and says so.

    Example: kg check --from output
    """
    from kg.check import check as check_graph
    from kg.cli.progress import shown

    with shown(quiet=quiet) as to:
        report = check_graph(source, sample=sample, on_progress=to.progress)
    for violation in report.violations[:most]:
        typer.echo(violation)
    if len(report.violations) > most:
        typer.echo(f"… and {len(report.violations) - most:,} more; see them by --most {len(report.violations)}")
    typer.echo(report.summary)
    raise typer.Exit(0 if report.conforms else 1)
