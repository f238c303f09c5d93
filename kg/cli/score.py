"""`kg score`: extractions against gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def score(
    gold: Annotated[Path, typer.Argument(help="Gold records, one a line; with --concepts, gold concepts or pairs.")],
    source: Annotated[
        Path | None, typer.Option("--from", help="A build, or extraction records; with --concepts, or gold records.")
    ] = None,
    concepts: Annotated[bool, typer.Option("--concepts", help="Score concepts, by B-cubed, not mentions.")] = False,
    json: Annotated[bool, typer.Option(help="Print JSON instead of a table.")] = False,
) -> None:
    """Print precision, recall and F1 of extractions; without --from, gold's own texts are extracted first.

    With --concepts, of the concepts of the build in --from (default: output), or of gold mentions.

    Example: kg score tests/data/seeds-gold.jsonl
    """
    if concepts:
        from kg import score_concepts

        found = score_concepts.score_file(gold, source=source or Path("output"))
        typer.echo(score_concepts.as_json(found) if json else score_concepts.as_table(found))
    else:
        from kg.score import as_json, as_table, score_file

        rows = score_file(gold, source=source)
        typer.echo(as_json(rows) if json else as_table(rows))
