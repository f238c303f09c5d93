"""`kg extract`: the extraction records alone."""

from __future__ import annotations

from typing import Annotated

import typer


def extract(
    inputs: Annotated[list[str], typer.Argument(help="Files and folders of papers; - is standard input.")],
    output: Annotated[str, typer.Option("-o", "--output", help="File to write; - is standard output.")] = "-",
    format: Annotated[str | None, typer.Option(help="Format of the input; else told by content and name.")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(help="What a field goes by in JSON or CSV; may be repeated.", metavar="FIELD=NAME"),
    ] = None,
    workers: Annotated[int, typer.Option("-w", "--workers", min=1, help="Processes to extract with.")] = 1,
    min_confidence: Annotated[
        float, typer.Option(min=0, max=1, help="Leave out mentions that are less likely to be right.")
    ] = 0.0,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say only what went wrong.")] = False,
) -> None:
    """Write what each paper names, one JSON record a line, in the order of the input.

    Example: kg extract papers.jsonl -o extractions.jsonl
    """
    from kg.cli.progress import shown
    from kg.extractions import write
    from kg.papers import named_fields

    with shown(quiet=quiet) as to:
        failed = write(
            list(inputs),
            output,
            format=format,
            fields=named_fields(field or ()),
            workers=workers,
            min_confidence=min_confidence,
            on_problem=to.problem,
            on_progress=to.progress,
        )
    raise typer.Exit(1 if failed else 0)
