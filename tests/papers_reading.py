"""What the tests of the readers share: papers of a file or a text, and what was told."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kg.papers import Problem, Severity, read
from kg.records import Paper


def reading(
    *inputs: Path | str, format: str | None = None, fields: Mapping[str, str] | None = None
) -> tuple[list[Paper], list[Problem]]:
    """Papers, and all that was told but how the input is read."""
    told: list[Problem] = []
    papers = list(read(inputs, format=format, fields=fields, on_problem=told.append))
    return papers, [problem for problem in told if problem.severity is not Severity.INFO]


def reading_text(
    folder: Path, name: str, content: str | bytes, *, format: str | None = None, fields: Mapping[str, str] | None = None
) -> tuple[list[Paper], list[Problem]]:
    """The same of one file with the given content; problems name it as `name`."""
    path = folder / name
    path.write_bytes(content if isinstance(content, bytes) else content.encode("utf-8"))
    papers, told = reading(path, format=format, fields=fields)
    return papers, [Problem(p.origin.replace(f"{folder}/", ""), p.message, p.severity) for p in told]
