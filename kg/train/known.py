"""`python -m kg.train.known CORPUS`: what the concepts of a small build can know beforehand, as two tables.

1. `kg/data/abbreviations.tsv`: what short forms stand for in the unlabelled abstracts, and in how many of them, by the
   "long (SHORT)" pairs that they define. The abstracts of dev and of the seeds' gold are left out.
2. `kg/data/known.tsv`: names of things that several of the training abstracts name, and what they are, by the entities
   annotated there: so that a build's labels, types and IRIs don't waver with its first few papers.

Neither table sees the gold concepts.
"""

from __future__ import annotations

import gzip
import json
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

from kg import gold
from kg.concepts import settle
from kg.concepts.doubts import same_but_endings
from kg.extraction.abbreviations import pairs
from kg.files import atomic_write
from kg.groups import Groups
from kg.names import is_short, short_key, words
from kg.score_concepts import extractions_of
from kg.text import clean
from kg.wording import Words, keys

DATA = Path(__file__).parent.parent / "data"
LEAST_PAPERS = 4
LEAST_OF_A_SENSE = 2
LEAST_OF_A_NAME = 3
OTHERS = "*"
LETTERS = re.compile(r"\W+")


def main() -> None:
    """Write both tables."""
    corpus = Path(sys.argv[1])
    with atomic_write(DATA / "abbreviations.tsv") as out:
        out.write("# What short forms stand for in machine-learning abstracts: short form, folded long form, papers.\n")
        out.write("# `*`: other long forms together. Written by `python -m kg.train.known`.\n")
        out.writelines("\t".join(map(str, row)) + "\n" for row in abbreviations(corpus))
    with atomic_write(DATA / "known.tsv") as out:
        out.write("# What several abstracts name, and what it is: label, type, papers. Written by `kg.train.known`.\n")
        out.writelines("\t".join(map(str, row)) + "\n" for row in known(corpus))


def abbreviations(corpus: Path) -> Iterator[tuple[str, str, int]]:
    """Short forms with their senses, sorted."""
    held_out = {_letters(g.text) for name in ("dev", "seeds-gold") for g in gold.read(corpus / f"{name}.jsonl")}
    counts: dict[str, Counter[Words]] = defaultdict(Counter)
    with gzip.open(corpus / "unlabelled.jsonl.gz", "rt", encoding="utf-8") as lines:
        for line in lines:
            if line.strip():
                text = json.loads(line)["abstract"] or ""
                if _letters(text) not in held_out:
                    for short, long in _defined(clean(text).clean):
                        counts[short][long] += 1
    for short in sorted(counts):
        if counts[short].total() >= LEAST_PAPERS:
            yield from _senses(short, counts[short])


def known(corpus: Path) -> Iterator[tuple[str, str, int]]:
    """Labels and types of the concepts of the training annotations, sorted."""
    settled = settle(extractions_of(gold.read(corpus / "train.jsonl")), informed=False)
    for concept in sorted(settled.concepts, key=lambda c: (c.label, c.type)):
        papers = len({paper for paper, _ in concept.members})
        if papers >= LEAST_OF_A_NAME and not re.search(r"[\t\\$]", concept.label):
            yield concept.label, concept.type.value, papers


def _defined(text: str) -> set[tuple[str, Words]]:
    found = {(text[slice(*p.short)], text[slice(*p.long)]) for p in pairs(text)}
    return {(short_key(short), words(long)) for short, long in found if is_short(short)}


def _senses(short: str, counts: Counter[Words]) -> Iterator[tuple[str, str, int]]:
    senses: dict[str, Counter[Words]] = defaultdict(Counter)
    groups = _worded_alike(counts)
    for long, n in counts.items():
        senses[groups.of(" ".join(long))][long] += n
    often = [s for s in senses.values() if s.total() >= LEAST_OF_A_SENSE]
    for sense in sorted(often, key=lambda s: (-s.total(), sorted(s))):
        best = min((-n, long) for long, n in sense.items())[1]
        yield short, " ".join(best), sense.total()
    others = counts.total() - sum(s.total() for s in often)
    if others:
        yield short, OTHERS, others


def _worded_alike(longs: Iterable[Words]) -> Groups:
    groups = Groups()
    first: dict[str, str] = {}
    ordered = sorted(longs)
    for n, long in enumerate(ordered):
        for k in keys(long):
            groups.join(" ".join(long), first.setdefault(k, " ".join(long)))
        for other in ordered[:n]:
            if same_but_endings(long, other):
                groups.join(" ".join(long), " ".join(other))
    return groups


def _letters(text: str) -> str:
    return LETTERS.sub("", text.casefold())[:300]


if __name__ == "__main__":
    main()
