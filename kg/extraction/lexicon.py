"""Names that the map of the field knows, as a hint to the tagger: a span that is such a name is likelier of its type.

1. Every label and alias of the map is cut into words, each folded by its key (`kg.names`), hyphens left out.
2. A run of a text's words that folds to such a name is a hint for its type, or types where the map has several.
3. The tagger's score of that span and type goes up by HINT before the spans compete. So a known name still needs the
   text's support, and an unknown one loses nothing.

Not in the network's input: the map can be extended without a new training, and what the network learns from the words
around a name does not come to lean on a list (the world of the map ends with it; unseen names must not suffer).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np

from kg.extraction.decode import TYPES, WIDEST
from kg.field import read_map
from kg.names import key
from kg.records import EntityType

HINT = 1.5  # chosen on dev: 0.5 to 2 are within a point of it; the likelihood of held-out training abstracts peaks at 1
WORD = re.compile(r"\w+")
GLUE = re.compile(r"\s?[-\u2010-\u2013]\s?|\s|[./']|")

_folded = lru_cache(maxsize=100_000)(key)


class Lexicon:
    """Names by their folded words."""

    def __init__(self, names: Iterable[tuple[str, EntityType]]) -> None:
        self._types: dict[tuple[str, ...], set[int]] = {}
        self._longest: dict[str, int] = {}
        for name, type_ in names:
            words = tuple(_folded(w) for w in WORD.findall(name))
            if words:
                self._types.setdefault(words, set()).add(TYPES.index(type_))
                self._longest[words[0]] = max(len(words), self._longest.get(words[0], 0))

    def hints(self, text: str, words: Sequence[tuple[int, int]]) -> Iterator[tuple[int, int, int]]:
        """Yield (first word, last word, type index) of each known name among a text's words, given as (start, end).

        >>> known = Lexicon([("graph neural network", EntityType.MODEL)])
        >>> list(known.hints("Graph neural-networks", [(0, 5), (6, 12), (12, 13), (13, 21)]))
        [(0, 3, 0)]
        """
        plain = [(i, a, b, _folded(text[a:b])) for i, (a, b) in enumerate(words) if WORD.fullmatch(text, a, b)]
        for at, (first, _, end, fold) in enumerate(plain):
            run = [fold]
            for step in range(self._longest.get(fold, 0)):
                if step:
                    if at + step == len(plain) or not GLUE.fullmatch(text, end, plain[at + step][1]):
                        break
                    run.append(plain[at + step][3])
                    end = plain[at + step][2]
                last = plain[at + step][0]
                if last - first < WIDEST:
                    for type_ in sorted(self._types.get(tuple(run), ())):
                        yield first, last, type_


def hinted(logits: np.ndarray, text: str, words: Sequence[tuple[int, int]]) -> np.ndarray:
    """Add the hints of the built-in map to a window's logits, (words, WIDEST, 1 + types)."""
    added = logits.copy()
    for first, last, type_ in _built_in().hints(text, words):
        added[first, last - first, 1 + type_] += HINT
    return added


@lru_cache(maxsize=1)
def _built_in() -> Lexicon:
    return Lexicon((n, c.type) for c in read_map().concepts if c.type is not None for n in (c.label, *c.aliases))
