"""What stands for the concepts of earlier builds: a merge leaves `dcterms:isReplacedBy` behind for the IRI that went.

`concepts.jsonl` remembers a build's concepts, and what earlier ones were replaced by; `replaced.ttl` says the latter in
RDF. Both tell a folder's history, so they are apart from the graph, which depends on its papers alone.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path

from pyoxigraph import NamedNode, Triple

from kg import vocab
from kg.concepts import replaced
from kg.concepts.history import Place
from kg.files import atomic_write
from kg.graph.turtle import block, header
from kg.records import Concept, EntityType

MEMORY, TURTLE = "concepts.jsonl", "replaced.ttl"
PREAMBLE = "IRIs of earlier builds, and what stands for them now."


def update(folder: Path, concepts: Iterable[Concept], *, base: str = vocab.DEFAULT_BASE) -> int:
    """Compare with the concepts of the last build, write both files, and say how many IRIs are replaced."""
    after = list(concepts)
    before, earlier = last(folder)
    gone = replaced(before, after, earlier=earlier)
    prefixes = vocab.prefixes(base)
    with atomic_write(folder / TURTLE, binary=True) as file:
        file.write(header(prefixes, PREAMBLE))
        for old, new in gone.items():
            file.write(block([Triple(_node(old, base), vocab.DCTERMS_IS_REPLACED_BY, _node(new, base))], prefixes))
    with atomic_write(folder / MEMORY) as file:
        for concept in after:
            record = {"type": concept.type, "slug": concept.slug, "members": concept.members}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
        for old, new in gone.items():
            record = {"type": old[0], "slug": old[1], "replaced_by": new}
            file.write(json.dumps(record, ensure_ascii=False) + "\n")
    return len(gone)


def _node(place: Place, base: str) -> NamedNode:
    return NamedNode(vocab.iri(place[0].lower(), place[1], base=base))


def last(folder: Path) -> tuple[list[Concept], Mapping[Place, Place]]:
    """The concepts of the last build, and what had been replaced by then; nothing where that is lost or damaged."""
    concepts: list[Concept] = []
    earlier: dict[Place, Place] = {}
    try:
        for record in map(json.loads, (folder / MEMORY).read_text(encoding="utf-8").splitlines()):
            kind, slug = EntityType(record["type"]), record["slug"]
            if "replaced_by" in record:
                new_kind, new_slug = record["replaced_by"]
                earlier[kind, slug] = EntityType(new_kind), new_slug
            else:
                members = tuple((paper, index) for paper, index in record["members"])
                concepts.append(Concept(slug, kind, "", (), members))
    except (OSError, ValueError, KeyError, TypeError):
        return [], {}
    return concepts, earlier
