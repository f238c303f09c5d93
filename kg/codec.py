"""Extractions as JSON Lines: the record that `kg extract` writes, the scorer reads and a build caches.

One object a line:

    {"id": str,
     "entities": [{"name": str, "type": str, "role": str, "confidence": float,
                   "mentions": [{"start": int, "end": int, "text": str, "confidence": float,
                                 "in": "title" where it is in the title}]}],
     "results": [{"subject": str, "metric": str, "value": str, "dataset": str, "baseline": str, "baseline_value": str,
                  "start": int, "end": int, "confidence": float}],
     "abbreviations": [{"short": str, "long": str}],
     "sentences": [[start, end], …],
     "paper": {"text": str, "title": str, "venue": str, "year": int, …}}

Offsets are Unicode code points of the abstract (or the title) as it was given. Keys are sorted nowhere and empty paper
fields are left out, as is where it was read, so the same extraction is always the same line.
"""

from __future__ import annotations

import json
from dataclasses import asdict, fields
from typing import Any

from kg.errors import InputError
from kg.records import Abbreviation, Entity, EntityType, Extraction, Mention, Paper, Place, Result, Role


def dumps(extraction: Extraction) -> str:
    """One line of JSON, without its line end."""
    paper = {
        k: v for k, v in asdict(extraction.paper).items() if k == "text" or (v not in ("", None, ()) and k != "origin")
    }
    record = {
        "id": paper.pop("id"),
        "entities": [_entity(e) for e in extraction.entities],
        "results": [asdict(r) for r in extraction.results],
        "abbreviations": [asdict(a) for a in extraction.abbreviations],
        "sentences": extraction.sentences,
        "paper": paper,
    }
    return json.dumps(record, ensure_ascii=False)


def loads(line: str, *, origin: str = "extractions") -> Extraction:
    """Read one line; InputError, naming `origin`, where it is not what `dumps` writes."""
    try:
        record = json.loads(line)
        return _extraction(record)
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{origin} is not an extraction record ({error}); build again to replace it") from error


def _entity(entity: Entity) -> dict[str, Any]:
    mentions = [
        {"start": m.start, "end": m.end, "text": m.text, "confidence": m.confidence}
        | ({"in": m.place} if m.place is not Place.ABSTRACT else {})
        for m in entity.mentions
    ]
    head = {"name": entity.name, "type": entity.type, "role": entity.role, "confidence": entity.confidence}
    return head | {"mentions": mentions}


def _extraction(record: dict[str, Any]) -> Extraction:
    known = {f.name for f in fields(Paper)}
    paper: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in record["paper"].items() if k in known
    }
    entities = [
        Entity(e["name"], EntityType(e["type"]), Role(e["role"]), e["confidence"], tuple(map(_mention, e["mentions"])))
        for e in record["entities"]
    ]
    return Extraction(
        Paper(id=record["id"], **paper),
        tuple(entities),
        tuple(Result(**r) for r in record["results"]),
        tuple(Abbreviation(**a) for a in record["abbreviations"]),
        tuple((start, end) for start, end in record["sentences"]),
    )


def _mention(m: dict[str, Any]) -> Mention:
    return Mention(m["start"], m["end"], m["text"], m["confidence"], Place(m.get("in", Place.ABSTRACT)))
