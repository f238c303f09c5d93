"""The map of the field: concepts that many papers name, each below one parent, up to a dozen areas.

1. A map is read whole, as SKOS in Turtle (`kg/data/field.ttl` is the built-in one) or as a table with tabs.
2. A concept has one label, a type, and one parent of its own type or an area; only an area has no parent.
3. Names are looked up by their key (`kg.names`), within a type; a name that would lead to two concepts is refused,
   and so is every other fault, before anything is given out: a map is right or it is not there.

Why not any SKOS vocabulary as it is: with several parents and several labels for one concept there would be no single
chain to show and no single name for a node. SKOS: https://www.w3.org/TR/skos-reference/
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from pathlib import Path

from kg.errors import InputError
from kg.field import table, turtle
from kg.field.checks import checked
from kg.field.concepts import FieldConcept, FieldMap

__all__ = ["FieldConcept", "FieldMap", "read_map"]

READERS = {".ttl": turtle.entries, ".tsv": table.entries}


def read_map(path: Path | None = None) -> FieldMap:
    """Read a map from a `.ttl` or `.tsv` file; InputError, with the place, where it is faulty.

    Without a path it is the built-in one, which is read once a process.
    """
    return _read(path) if path else _built_in()


@lru_cache(maxsize=1)
def _built_in() -> FieldMap:
    return _read(None)


def _read(path: Path | None) -> FieldMap:
    source = str(path) if path else "kg/data/field.ttl"
    reader = READERS.get(Path(source).suffix.lower())
    if reader is None:
        raise InputError(f"{source} is no map of the field: give SKOS in Turtle (.ttl) or a table with tabs (.tsv)")
    try:
        data = path.read_bytes() if path else files("kg").joinpath("data/field.ttl").read_bytes()
        entries = [*reader(data.decode("utf-8-sig"), source)]
    except OSError as error:
        raise InputError(f"cannot read the map {source}: {error.strerror or error}") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{source} is not UTF-8 (byte {error.start}); save the map as UTF-8") from error
    if not entries:
        raise InputError(f"{source} holds no concept; a map needs at least an area and a concept below it")
    return checked(entries)
