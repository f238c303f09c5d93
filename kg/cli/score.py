"""`kg score`: extractions against gold."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer


def score(
    gold: Annotated[Path, typer.Argument(help="Gold records, one a line.")],
    source: Annotated[Path | None, typer.Option("--from", help="A build, or a file of extraction records.")] = None,
    json: Annotated[bool, typer.Option(help="Print JSON instead of a table.")] = False,
) -> None:
    """Print precision, recall and F1 of extractions; without --from, gold's own texts are extracted first.

    Example: kg score tests/data/seeds-gold.jsonl
    """
    from kg.score import as_json, as_table, score_file

    rows = score_file(gold, source=source)
    typer.echo(as_json(rows) if json else as_table(rows))
