"""How often the names of the training abstracts are a mention, and of what type.

1. Every annotated name is folded to its words (`kg.extraction.lexicon`).
2. Each place in the training abstracts where these words stand is counted, and how often it is annotated with each
   type; those kept out of the tagger's training are left out here, too, since the confidence is fitted on them.
3. `kg/data/lexicon.tsv` gets the names that were annotated at least twice: words, places, places by type.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from kg import gold
from kg.extraction.decode import TYPES
from kg.extraction.lexicon import COUNTS, TOKEN, Lexicon, folded
from kg.files import atomic_write
from kg.text import clean

LEAST = 2
HEAD = "# Names of the training abstracts: folded words, places where they stand, and of these how many are a "


def counts(records: Sequence[gold.Gold]) -> dict[tuple[str, ...], list[int]]:
    """Folded words to the number of places and, by type, of annotated ones."""
    annotated: defaultdict[tuple[str, ...], list[int]] = defaultdict(lambda: [0] * len(TYPES))
    for record in records:
        for span in gold.spans(record.text, record.entities):
            words = folded(clean(record.text[span.start : span.end]).clean)
            annotated[words][TYPES.index(record.entities[span.entity].type)] += 1
    kept = {words: by_type for words, by_type in annotated.items() if words and sum(by_type) >= LEAST}
    places = _places(records, list(kept))
    return {words: [max(places[words], sum(by_type)), *by_type] for words, by_type in kept.items()}


def _places(records: Sequence[gold.Gold], names: list[tuple[str, ...]]) -> dict[tuple[str, ...], int]:
    known = Lexicon({words: (float(i),) for i, words in enumerate(names)})
    found = dict.fromkeys(names, 0)
    for record in records:
        text = clean(record.text).clean
        for _, _, (i,) in known.hints(text, [m.span() for m in TOKEN.finditer(text)]):
            found[names[int(i)]] += 1
    return found


def lines(table: dict[tuple[str, ...], list[int]]) -> Iterator[str]:
    """The file's lines, sorted."""
    yield f"{HEAD}{', '.join(TYPES)}. Written by `kg.train`.\n"
    for words in sorted(table):
        yield "\t".join([" ".join(words), *map(str, table[words])]) + "\n"


def write(learned: Sequence[gold.Gold]) -> None:
    """Write the table of the abstracts that the tagger is trained on."""
    with atomic_write(COUNTS) as file:
        file.writelines(lines(counts(learned)))
