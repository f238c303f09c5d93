"""Gold annotations: reading them, and where their surface forms stand in the text.

A record is {"id", "text", "entities": [{"n": name, "t": type, "r": role, "m": [surface forms]}], "results": [{"s",
"me", "v", "d", "b", "bv"}]}; the annotation guidelines say what each means.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from kg.errors import InputError
from kg.records import EntityType, Role


@dataclass(frozen=True, slots=True)
class GoldEntity:
    """One annotated entity: its fullest name, and every surface form that occurs."""

    name: str
    type: EntityType
    role: Role
    forms: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GoldResult:
    """One annotated result, its values copied from the text."""

    subject: str
    metric: str
    value: str
    dataset: str
    baseline: str
    baseline_value: str


@dataclass(frozen=True, slots=True)
class Gold:
    """One annotated abstract."""

    id: str
    text: str
    venue: str
    entities: tuple[GoldEntity, ...]
    results: tuple[GoldResult, ...]


@dataclass(frozen=True, slots=True, order=True)
class GoldSpan:
    """One occurrence of a surface form: code points of the text, and the index of its entity."""

    start: int
    end: int
    entity: int


def read(path: Path) -> list[Gold]:
    """Read a file of gold records, one a line; InputError names the line that is not one."""
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
    except (OSError, UnicodeDecodeError) as error:
        raise InputError(f"cannot read gold annotations from {path}: {error}") from error
    records = []
    for number, line in enumerate(lines, 1):
        if line.strip():
            try:
                records.append(_gold(json.loads(line)))
            except (ValueError, KeyError, TypeError) as error:
                raise InputError(f"{path}:{number} is not a gold record ({error!r})") from error
    return records


def spans(text: str, entities: Iterable[GoldEntity]) -> list[GoldSpan]:
    """Every word-bounded occurrence of each surface form, the longest form first, without overlaps.

    >>> forms = (GoldEntity("GAN", EntityType.MODEL, Role.USES, ("GAN", "GANs")),)
    >>> [text[s.start:s.end] for text in ["GANs beat a GAN, not GANet"] for s in spans(text, forms)]
    ['GANs', 'GAN']
    """
    forms = sorted(((form, i) for i, e in enumerate(entities) for form in e.forms), key=lambda f: -len(f[0]))
    taken = bytearray(len(text))
    found = []
    for form, entity in forms:
        for hit in re.finditer(re.escape(form), text):
            start, end = hit.span()
            before, after = text[start - 1 : start], text[end : end + 1]
            inside = (before.isalnum() and form[0].isalnum()) or (after.isalnum() and form[-1].isalnum())
            if not inside and not any(taken[start:end]):
                taken[start:end] = b"\1" * (end - start)
                found.append(GoldSpan(start, end, entity))
    return sorted(found)


def _gold(record: dict) -> Gold:  # type: ignore[type-arg]
    entities = tuple(
        GoldEntity(e["n"], EntityType(e["t"]), Role(e["r"]), tuple(dict.fromkeys(filter(None, e["m"]))))
        for e in record["entities"]
    )
    results = tuple(
        GoldResult(*(r.get(k, "") for k in ("s", "me", "v", "d", "b", "bv"))) for r in record.get("results", [])
    )
    return Gold(record["id"], record["text"], record.get("venue", ""), entities, results)
