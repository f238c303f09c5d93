"""Places of one name in one abstract, heard together: what a clear place says of a name holds for the others.

1. The names are those of the spans that would be chosen. A name's places are all runs of words that fold to it
   (`kg.extraction.lexicon`), and those of its short or long form where the text defines one.
2. The log-probabilities at each place become a mixture: its own, the logarithm of the mean probability at all places
   (ALL), and those at the place where a type stands out most (CLEAREST).
3. The spans compete again. A name that stands once keeps its scores.

A paper uses a name in one sense (Gale et al., One Sense Per Discourse, 1992).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

import numpy as np

from kg.extraction.abbreviations import pairs
from kg.extraction.decode import decode, log_softmax
from kg.extraction.lexicon import Lexicon, folded

ALL, CLEAREST = 0.25, 0.25  # chosen on kept-out training abstracts and dev, where all from 0.2 to 0.4 do as well
Name = tuple[str, ...]
Place = tuple[int, int]  # first word, words after it


def agreed(logits: np.ndarray, text: str, words: Sequence[tuple[int, int]]) -> np.ndarray:
    """Give a window's log-probabilities, (words, WIDEST, 1 + types), with the places of each name brought together."""
    own = log_softmax(logits.astype(np.float64))
    together = own.copy()
    spans = decode(logits)
    for places in _places({folded(text[words[s.first][0] : words[s.last][1]]) for s in spans}, text, words):
        some = own[tuple(zip(*places, strict=True))]
        mean = np.log(np.exp(some).mean(axis=0))
        clearest = some[(some[:, 1:].max(axis=1) - some[:, 0]).argmax()]
        for place, here in zip(places, some, strict=True):
            together[place] = (1 - ALL - CLEAREST) * here + ALL * mean + CLEAREST * clearest
    return together


def _places(names: set[Name], text: str, words: Sequence[tuple[int, int]]) -> list[list[Place]]:
    """Where each name stands, with its other form, of those that stand more than once."""
    short_of = {}
    for pair in pairs(text):
        long, short = folded(text[slice(*pair.long)]), folded(text[slice(*pair.short)])
        if long and short and not names.isdisjoint((long, short)):
            short_of[long] = short
    known = sorted({*names, *short_of, *short_of.values()} - {()})
    found: defaultdict[Name, list[Place]] = defaultdict(list)
    for first, last, (name,) in Lexicon({name: (i,) for i, name in enumerate(known)}).hints(text, words):
        found[short_of.get(known[int(name)], known[int(name)])].append((first, last - first))
    return [places for places in found.values() if len(places) > 1]
