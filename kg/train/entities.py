"""Gold entities as the extraction records have them."""

from __future__ import annotations

from kg import gold
from kg.records import Entity, Mention


def gold_entities(record: gold.Gold) -> list[Entity]:
    """The gold entities that occur."""
    spans = gold.spans(record.text, record.entities)
    found = []
    for index, e in enumerate(record.entities):
        places = [s for s in spans if s.entity == index]
        mentions = tuple(Mention(s.start, s.end, record.text[s.start : s.end], 1.0) for s in places)
        if mentions:
            found.append(Entity(e.name, e.type, e.role, 1.0, mentions))
    return found
