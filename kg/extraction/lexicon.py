"""What is known of names, as a hint to the tagger: a span that is a known name is likelier, or less likely, of a type.

1. A name is cut into words, each folded by its key (`kg.names`), hyphens left out.
2. A run of a text's words that folds to a known name is a hint. The map of the field says of which type, or types, the
   name is: MAPPED each. The training abstracts say how often it was annotated with each type where it stood
   (`kg/data/lexicon.tsv`): LEARNED times the log-odds, moved by SHIFT, since a mention that one annotator missed is
   counted against a name.
3. The tagger's score of that span and type is moved by the sum before the spans compete. So a known name still needs
   the text's support, and an unknown one loses nothing.

Not in the network's input: the map can be extended without a new training, and what the network learns from the words
around a name does not come to lean on a list, which ends with the day it was made.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import numpy as np

from kg.extraction.decode import TYPES, WIDEST
from kg.field import read_map
from kg.names import key
from kg.records import EntityType

COUNTS = Path(__file__).parent.parent / "data" / "lexicon.tsv"
# Chosen on dev (`kg/train/tried.md`). What is named means one thing nearly everywhere; what is described, less so.
MAPPED = {
    EntityType.MODEL: 2.5,
    EntityType.DATASET: 2.5,
    EntityType.METHOD: 1.5,
    EntityType.METRIC: 1.0,
    EntityType.TASK: 1.0,
}
LEARNED, SHIFT = 0.5, 1.0
WORD, TOKEN = re.compile(r"\w+"), re.compile(r"\w+|[^\w\s]")
GLUE = re.compile(r"\s?[-\u2010-\u2013]\s?|\s|[./']|")

_fold = lru_cache(maxsize=100_000)(key)
Hints = tuple[float, ...]


def folded(name: str) -> tuple[str, ...]:
    """The words of a name, each by its key.

    >>> folded("Graph-Neural Networks")
    ('graph', 'neural', 'network')
    """
    return tuple(map(_fold, WORD.findall(name)))


class Lexicon:
    """Names by their folded words, each with its hints."""

    def __init__(self, names: Mapping[tuple[str, ...], Hints]) -> None:
        self._names = names
        self._longest: dict[str, int] = {}
        for words in names:
            self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))

    def hints(self, text: str, words: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, Hints]]:
        """Yield first word, last word and hints of each known name among a text's words, given as (start, end).

        >>> known = Lexicon({("graph", "neural", "network"): (1.5,)})
        >>> list(known.hints("Graph neural-networks", [(0, 5), (6, 12), (12, 13), (13, 21)]))
        [(0, 3, (1.5,))]
        """
        plain = [(i, a, b, _fold(text[a:b])) for i, (a, b) in enumerate(words) if WORD.fullmatch(text, a, b)]
        for at, (first, _, end, fold) in enumerate(plain):
            run = [fold]
            for step in range(self._longest.get(fold, 0)):
                if step:
                    if at + step == len(plain) or not GLUE.fullmatch(text, end, plain[at + step][1]):
                        break
                    run.append(plain[at + step][3])
                    end = plain[at + step][2]
                hints = self._names.get(tuple(run))
                if hints and plain[at + step][0] - first < WIDEST:
                    yield first, plain[at + step][0], hints


def hinted(logits: np.ndarray, text: str, words: Sequence[tuple[int, int]]) -> np.ndarray:
    """Add the built-in hints to a window's logits, (words, WIDEST, 1 + types)."""
    added = logits.copy()
    for first, last, hints in built_in().hints(text, words):
        added[first, last - first, 1:] += hints
    return added


@lru_cache(maxsize=1)
def built_in() -> Lexicon:
    """What the map of the field and the training abstracts know; read once a process."""
    names: dict[tuple[str, ...], list[float]] = {}
    for line in COUNTS.read_text(encoding="utf-8").splitlines()[1:]:
        words, places, *by_type = line.split("\t")
        names[tuple(words.split())] = [_learned(int(n), int(places)) for n in by_type]
    for concept in read_map().concepts:
        if concept.type is not None:
            for name in (concept.label, *concept.aliases):
                hints = names.setdefault(folded(name), [0.0] * len(TYPES))
                hints[TYPES.index(concept.type)] += MAPPED[concept.type]
    return Lexicon({words: tuple(hints) for words, hints in names.items() if words})


def _learned(annotated: int, places: int) -> float:
    chance = (annotated + 0.2) / (places + 1)
    return LEARNED * (math.log(chance / (1 - chance)) + SHIFT)
