"""Do the records of a build hold what they promise? Every offset against its text, each role against its type.

`extractions.jsonl` is what the scorer, the page and the next build rely on. Each line is read as they read it; then

1. a mention is the slice of its text that its offsets say, and so is the value of a result; sentences lie in the text;
2. a role is one that the type can have; a confidence is a probability;
3. papers are sorted by id, each once, and are those of the graph.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from pathlib import Path

from kg import codec
from kg.cache import FINAL
from kg.errors import InputError
from kg.graph.terms import legible
from kg.records import ROLES_OF, Entity, Extraction, Place


def faults(folder: Path, papers: Set[str], *, on_progress: Callable[[int], None] = lambda done: None) -> Iterator[str]:
    """Find what is wrong with the records of a build whose graph has papers of these ids; nothing where it has none."""
    path, last, seen = folder / FINAL, "", set[str]()
    if not path.exists():
        return
    with path.open("rb") as lines:
        for number, line in enumerate(lines, 1):
            try:
                record = codec.loads(line.decode(), origin=f"{FINAL}:{number}")
            except (InputError, UnicodeDecodeError) as error:
                yield str(error) if isinstance(error, InputError) else f"{FINAL}:{number} is not UTF-8; build again"
                continue
            if number > 1 and record.paper.id <= last:
                yield f"{FINAL}:{number}: paper {record.paper.id} is there twice or not in its place; build again"
            last = record.paper.id
            seen.add(legible(last))
            yield from (f"paper {last}: {what}" for what in of_record(record))
            on_progress(number)
    yield from (
        f"paper {name}: has a record in {FINAL} and is not in the graph; build again" for name in sorted(seen - papers)
    )
    yield from (
        f"paper {name}: is in the graph and has no record in {FINAL}; build again" for name in sorted(papers - seen)
    )


def of_record(record: Extraction) -> Iterator[str]:
    """Find what is wrong with one record.

    >>> from kg.records import EntityType, Mention, Paper, Role
    >>> bert = Entity("BERT", EntityType.MODEL, Role.REPORTS, 0.9, (Mention(3, 7, "BERT", 1.2),))
    >>> for what in of_record(Extraction(Paper("p", "We use BERT."), (bert,))): print(what)
    BERT is a Model that it reports
    says 'BERT' at 3-7 where its abstract has 'use '
    BERT has a confidence of 1.2
    """
    texts = {Place.ABSTRACT: record.paper.text, Place.TITLE: record.paper.title}
    for entity in record.entities:
        yield from _of_entity(entity, texts)
    for r in record.results:
        there = record.paper.text[r.start : r.end] if 0 <= r.start < r.end else ""
        if there != r.value:
            yield f"says the value {r.value!r} at {r.start}-{r.end} where its abstract has {there!r}"
    ends = [0, *(i for sentence in record.sentences for i in sentence), len(record.paper.text)]
    if ends != sorted(ends):
        yield "has sentences that overlap, or that lie outside of its abstract"


def _of_entity(entity: Entity, texts: dict[Place, str]) -> Iterator[str]:
    if entity.role not in ROLES_OF[entity.type]:
        yield f"{entity.name} is a {entity.type} that it {entity.role}"
    if not entity.mentions:
        yield f"{entity.name} is mentioned nowhere"
    for m in entity.mentions:
        there = texts[m.place][m.start : m.end] if 0 <= m.start < m.end else ""
        if there != m.text:
            yield f"says {m.text!r} at {m.start}-{m.end} where its {m.place} has {there!r}"
    if odd := next((c for c in (entity.confidence, *(m.confidence for m in entity.mentions)) if not 0 <= c <= 1), None):
        yield f"{entity.name} has a confidence of {odd}"
