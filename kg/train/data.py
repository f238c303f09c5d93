"""Gold abstracts as training examples: windows of pieces, the spans in them, and which spans are one entity."""

from __future__ import annotations

import gzip
import hashlib
import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from tokenizers import Tokenizer

from kg import gold
from kg.errors import TrainError
from kg.extraction.decode import TYPES, WIDEST
from kg.extraction.pieces import Pieces, windows
from kg.records import Role
from kg.text import clean
from kg.train.spoil import first_half, lower_names, no_proposal

ROLES = tuple(Role)
KEPT_OUT = 200


@dataclass(frozen=True, slots=True)
class Example:
    """One window: `spans` are (first word, last word, type index, entity index), `roles` one role index an entity."""

    pieces: Pieces
    spans: tuple[tuple[int, int, int, int], ...]
    types: tuple[int, ...]
    roles: tuple[int, ...]


def examples(records: Sequence[gold.Gold], tokenizer: Tokenizer) -> list[list[Example]]:
    """The first window of each version of each abstract, the undisturbed one first.

    Spans that no run of at most WIDEST words matches are widened or left out. Markup is no version: it is cleaned away
    before the tagger reads a text.
    """
    ways = (lower_names, first_half, no_proposal)
    return [[_example(version, tokenizer) for version in (r, *(way(r) for way in ways))] for r in records]


def parted(records: Sequence[gold.Gold]) -> tuple[list[gold.Gold], list[gold.Gold]]:
    """The abstracts to train on, and KEPT_OUT others to fit the confidence on; chosen by their ids."""
    ordered = sorted(records, key=lambda r: hashlib.sha256(r.id.encode()).digest())
    return ordered[KEPT_OUT:], ordered[:KEPT_OUT]


def unlabelled(path: Path, *, without: Sequence[gold.Gold], titles: Path | None = None) -> Iterator[str]:
    """Abstracts of a JSON Lines file, gzipped, less those that `without` holds (compared by their letters alone)."""
    held_out = {_fingerprint(r.text) for r in without}
    left_out = 0
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        for line in lines:
            text = json.loads(line)["abstract"]
            if _fingerprint(text) in held_out:
                left_out += 1
            else:
                yield text
    if left_out < len(held_out):
        raise TrainError(f"only {left_out} of {len(held_out)} held-out abstracts were recognised in {path}")


def refuse_held_out(training: Sequence[gold.Gold], held_out: Sequence[gold.Gold]) -> None:
    """Raise TrainError where an abstract to train on is one to measure on."""
    seen = {_fingerprint(r.text): r.id for r in held_out}
    for record in training:
        if _fingerprint(record.text) in seen:
            raise TrainError(f"{record.id} is also held-out abstract {seen[_fingerprint(record.text)]}; take it out")


def _fingerprint(text: str) -> str:
    return re.sub(r"\W+", "", text).casefold()[:200]


def _example(record: gold.Gold, tokenizer: Tokenizer) -> Example:
    text = clean(record.text)
    pieces = windows(tokenizer, text.clean)[0]
    spans = []
    for span in gold.spans(record.text, record.entities):
        words = _words(pieces, *text.to_clean(span.start, span.end))
        if words and words[1] - words[0] < WIDEST:
            spans.append((*words, TYPES.index(record.entities[span.entity].type), span.entity))
    there = sorted({s[3] for s in spans})
    spans = [(a, b, t, there.index(e)) for a, b, t, e in spans]
    kept = [record.entities[e] for e in there]
    return Example(
        pieces, tuple(spans), tuple(TYPES.index(e.type) for e in kept), tuple(ROLES.index(e.role) for e in kept)
    )


def _words(pieces: Pieces, start: int, end: int) -> tuple[int, int] | None:
    """First and last word that a clean range touches; None where it lies beyond the window."""
    touched = [i for i, (a, b) in enumerate(pieces.words) if a < end and b > start]
    return (touched[0], touched[-1]) if touched and pieces.words[touched[-1]][1] >= end else None
