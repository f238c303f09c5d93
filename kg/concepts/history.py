"""What became of the concepts of an earlier build: which IRI stands for one that went."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping

from kg.records import Concept, EntityType

Place = tuple[EntityType, str]


def replaced(
    before: Iterable[Concept], after: Iterable[Concept], *, earlier: Mapping[Place, Place] | None = None
) -> dict[Place, Place]:
    """For each concept that went, type and slug of the one that has most of its entities now.

    `earlier` is what was replaced before; what it led to is followed. A concept that none of its entities is left of
    has no successor.

    >>> llm = Concept("llm", EntityType.MODEL, "LLM", (), (("a", 0),))
    >>> now = Concept("large-language-model", EntityType.MODEL, "large language model", ("LLM",), (("a", 0), ("b", 1)))
    >>> {old[1]: new[1] for old, new in replaced([llm], [now]).items()}
    {'llm': 'large-language-model'}
    """
    now = {(c.type, c.slug): c for c in after}
    of = {member: place for place, concept in now.items() for member in concept.members}
    found = {}
    for concept in before:
        heirs = Counter(of[m] for m in concept.members if m in of)
        if (concept.type, concept.slug) not in now and heirs:
            found[concept.type, concept.slug] = min(heirs, key=lambda place: (-heirs[place], place))
    for old, new in (earlier or {}).items():
        heir = found.get(new, new)
        if old not in now and heir in now:
            found[old] = heir
    return dict(sorted(found.items()))
