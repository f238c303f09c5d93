"""`kg build`: papers to a graph."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

if TYPE_CHECKING:
    from rich.table import Table

    from kg.report import Report


def build(
    inputs: Annotated[list[str], typer.Argument(help="Files and folders of papers; - is standard input.")],
    output: Annotated[Path, typer.Option("-o", "--output", help="Folder to build in.")] = Path("output"),
    format: Annotated[str | None, typer.Option(help="Format of the input; else told by content and name.")] = None,
    field: Annotated[
        list[str] | None,
        typer.Option(help="What a field goes by in JSON or CSV; may be repeated.", metavar="FIELD=NAME"),
    ] = None,
    workers: Annotated[int, typer.Option("-w", "--workers", min=1, help="Processes to extract with.")] = 1,
    engine: Annotated[
        Literal["local", "ray"], typer.Option(help="Where to work: here, or on a Ray cluster, which makes shards only.")
    ] = "local",
    address: Annotated[str, typer.Option(help="The Ray cluster, HOST:PORT; else the one that Ray finds.")] = "",
    aliases: Annotated[Path | None, typer.Option(help="Your own names to merge, keep apart or rename.")] = None,
    field_map: Annotated[
        Path | None,
        typer.Option(
            help="Your own map of the field (SKOS in .ttl, or .tsv), in place of the one that comes along.",
            metavar="FILE",
        ),
    ] = None,
    no_field_map: Annotated[bool, typer.Option("--no-field-map", help="Use no map of the field.")] = False,
    provenance: Annotated[
        Literal["none", "mentions", "full"], typer.Option(help="How much evidence goes with each fact.")
    ] = "full",
    base_iri: Annotated[str | None, typer.Option(help="What the graph's IRIs begin with.")] = None,
    title: Annotated[str | None, typer.Option(help="Title of the page.")] = None,
    any_language: Annotated[bool, typer.Option(help="Extract abstracts that are not in English, too.")] = False,
    quiet: Annotated[bool, typer.Option("-q", "--quiet", help="Say only what went wrong.")] = False,
) -> None:
    """Turn papers into a knowledge graph: triples with their evidence, a store to query, a page to look at.

    Example: kg build seeds/
    """
    from dataclasses import replace

    from kg.cli.progress import shown
    from kg.flow import Engine, Options
    from kg.flow import build as build_graph
    from kg.graph import Provenance
    from kg.papers import named_fields

    given = {"base": base_iri, "title": title}
    options = replace(
        Options(
            format=format,
            fields=named_fields(field or ()),
            workers=workers,
            engine=Engine(engine),
            address=address,
            aliases=aliases,
            field_map=field_map,
            with_map=not no_field_map,
            provenance=Provenance(provenance),
            any_language=any_language,
        ),
        **{name: value for name, value in given.items() if value is not None},  # type: ignore[arg-type]
    )
    with shown(quiet=quiet) as to:
        report = build_graph(list(inputs), output, options=options, on_problem=to.problem, on_progress=to.progress)
    if not quiet:
        _summary(report, output)
    raise typer.Exit(1 if report.failed else 0)


def _summary(report: Report, output: Path) -> None:
    from rich.console import Console

    console = Console(stderr=True)
    console.print(_table(report))
    console.print(
        f"{report.papers:,} papers ({report.extracted:,} read anew), {report.shared_concepts:,} shared concepts, "
        f"{report.results:,} results, {sum(report.triples.values()):,} triples, {sum(report.seconds.values()):.1f} s",
        highlight=False,
    )
    if report.unchanged:
        console.print(f"nothing has changed since the last build in {output}")
    elif (output / "shards").exists():
        console.print(f"load the shards as {output / 'shards' / 'README.md'} says", markup=False)
    else:
        console.print(f"open {output / 'graph.html'}, ask `kg query`, or load {output / 'graph.nq'}", markup=False)
    if report.failed:
        told = f"{len(report.failed):,} failed, told above and in {output / 'report.json'}; the others are built"
        console.print(f"{told}\n{report.retry}", markup=False, soft_wrap=True)


def _table(report: Report) -> Table:
    from rich.table import Table

    table = Table("", *report.entities, "all", box=None, pad_edge=False, header_style="bold")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, counts in (("entities", report.entities), ("concepts", report.concepts)):
        table.add_row(name, *(f"{n:,}" for n in counts.values()), f"{sum(counts.values()):,}")
    return table
