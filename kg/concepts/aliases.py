"""What people have decided about names: merge, keep apart, rename. A human's word beats every rule.

A tab-separated file, a decision a line; empty lines and lines that start with `#` or `?` say nothing:

    same    NAME    OTHER       both are names of one thing
    apart   NAME    OTHER       they aren't, whatever the rules say
    label   NAME    LABEL       the concept with this name is called that
    type    NAME    TYPE        the concept with this name is a Model, Dataset, Method, Metric or Task

Names are compared by `kg.names.key`. What follows a fourth column is a note.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from importlib.resources import files
from pathlib import Path

from kg.errors import InputError
from kg.names import key
from kg.records import EntityType


class Kind(StrEnum):
    """What a line decides."""

    SAME = "same"
    APART = "apart"
    LABEL = "label"
    TYPE = "type"


@dataclass(frozen=True, slots=True)
class Alias:
    """One decision, and where it stands."""

    kind: Kind
    name: str
    other: str
    origin: str


def read(path: Path | None = None) -> tuple[Alias, ...]:
    """Read the decisions that come with the program, then those of `path`; InputError names the line that is wrong."""
    own = files("kg").joinpath("data/aliases.tsv").read_text(encoding="utf-8")
    decisions = tuple(_parse(own, "kg/data/aliases.tsv"))
    if path is None:
        return decisions
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read aliases from {path}: {error}") from error
    return decisions + tuple(_parse(text, str(path)))


def _parse(text: str, origin: str) -> Iterator[Alias]:
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and line[0] not in "#?":
            yield _alias(line, f"{origin}:{number}")


def _alias(line: str, origin: str) -> Alias:
    kind, name, other, *_ = (cell.strip() for cell in (*line.split("\t"), "", ""))
    if kind not in list(Kind):
        raise InputError(
            f"{origin}: {kind!r} is no decision; a line starts with {', '.join(Kind)}, and tabs part its cells"
        )
    if not key(name) or not other:
        raise InputError(f"{origin}: {kind!r} needs two cells after it, parted by tabs")
    if kind == Kind.TYPE and other not in list(EntityType):
        raise InputError(f"{origin}: {other!r} is no type; it must be one of {', '.join(EntityType)}")
    if kind in (Kind.SAME, Kind.APART) and not key(other):
        raise InputError(f"{origin}: {other!r} is no name")
    if kind in (Kind.SAME, Kind.APART) and key(name) == key(other):
        raise InputError(
            f"{origin}: {name!r} and {other!r} are spelled alike, so nothing can tell them apart or join them"
        )
    return Alias(Kind(kind), name, other, origin)
