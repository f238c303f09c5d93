"""What a long command shows on standard error: a bar on a terminal, nothing elsewhere; problems as they come.

What only informs (a format that was detected) is said of the first file, and counted for the others.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from kg.papers import Problem, Severity


@dataclass(frozen=True, slots=True)
class Shown:
    """Where a command reports to: `problem` prints one, `progress` moves the bar to a stage and a count."""

    problem: Callable[[Problem], None]
    progress: Callable[[str, int], None]


@contextmanager
def shown(*, quiet: bool = False) -> Iterator[Shown]:
    """Show progress and problems while the block runs; `quiet` leaves out the bar and what only informs."""
    from rich.console import Console
    from rich.progress import MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    console = Console(stderr=True)
    columns = (SpinnerColumn(), TextColumn("{task.description}"), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=console, transient=True, disable=quiet or not console.is_terminal) as bar:
        task = bar.add_task("extract", total=None)
        told: Counter[str] = Counter()  # a folder of a thousand files is read as BibTeX once, not a thousand times

        def problem(one: Problem) -> None:
            told[one.message] += one.severity is Severity.INFO
            if one.severity is Severity.ERROR or not (quiet or told[one.message] > 1):
                style = "red" if one.severity is Severity.ERROR else None
                console.print(f"kg: {one}", style=style, markup=False, soft_wrap=True)

        yield Shown(problem, lambda stage, done: bar.update(task, description=stage, completed=done))
        for message, times in told.items():
            if times > 1 and not quiet:
                console.print(f"kg: {times - 1:,} more: {message}", markup=False, soft_wrap=True)
