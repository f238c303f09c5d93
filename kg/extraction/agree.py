"""Places of one name in one abstract, heard together: what a clear place says of a name holds for the others.

1. The names are those of the spans that would be chosen, and the short or long forms that the text defines for them. A
   name's places are these spans and all runs of words that fold to it (`kg.extraction.lexicon`), but not where what
   follows makes another name of it (`ScanNet++`, `GPT-4.5`), nor lower-case words for a name with capitals inside (`is`
   for `IS`). Places within longer names count: what is mostly a part is less of a name.
2. The log-probabilities at each place become a weighted mean: its own, the logarithm of the mean probability at all
   places (ALL), and those at the place where a type stands out most (CLEAREST).
3. The spans compete again. A name that stands once keeps its scores.

A paper uses a name in one sense (Gale et al., One Sense Per Discourse, 1992).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence

import numpy as np

from kg.extraction.abbreviations import pairs
from kg.extraction.decode import decode, log_softmax
from kg.extraction.lexicon import Lexicon, folded
from kg.names import key

ALL, CLEAREST = 0.25, 0.25  # chosen on kept-out training abstracts and dev, where all from 0.2 to 0.4 do as well
GOES_ON = re.compile(r"[+*#@]|[-\u2010-\u2013.]?\d")  # as `kg.names.key` tells names apart
CAPITAL_INSIDE = re.compile(r"\w[A-Z]")
Run = tuple[int, int]  # first and last word


def agreed(logits: np.ndarray, text: str, words: Sequence[tuple[int, int]]) -> np.ndarray:
    """Give log-probabilities, (words, WIDEST, 1 + types), not normalised where a name stands more than once."""
    own = log_softmax(logits.astype(np.float64))
    together = own.copy()
    for runs in _runs_of_names(text, words, [(span.first, span.last) for span in decode(logits)]):
        places = [(first, last - first) for first, last in runs]
        some = own[tuple(zip(*places, strict=True))]
        mean = np.log(np.exp(some).mean(axis=0))
        clearest = some[(some[:, 1:].max(axis=1) - some[:, 0]).argmax()]
        for place, here in zip(places, some, strict=True):
            together[place] = (1 - ALL - CLEAREST) * here + ALL * mean + CLEAREST * clearest
    return together


def _runs_of_names(text: str, words: Sequence[tuple[int, int]], chosen: Sequence[Run]) -> Iterator[list[Run]]:
    """Where each name stands, in either form, of those that stand more than once."""
    forms = {_form(run, text, words) for run in chosen}
    names = {key(form) for form in forms}
    long_of: dict[str, str] = {}
    for pair in pairs(text):
        long, short = text[slice(*pair.long)], text[slice(*pair.short)]
        if not names.isdisjoint((key(long), key(short))):
            long_of.setdefault(key(short), key(long))
            forms |= {long, short}
    names |= {*long_of, *long_of.values()}
    found: defaultdict[str, list[Run]] = defaultdict(list)
    at: dict[int, str] = {}
    for run in chosen:
        name = key(_form(run, text, words))
        found[long_of.get(name, name)].append(run)
        at |= dict.fromkeys(range(run[0], run[1] + 1), name)
    lower = {key(form) for form in forms if not CAPITAL_INSIDE.search(form)}
    for run in _runs(forms, text, words):
        form = _form(run, text, words)
        name = key(form)
        counted = name in (at.get(run[0]), at.get(run[1]))  # also `BERT` in `(BERT`
        if name in names and not counted and (name in lower or not form.islower()):
            found[long_of.get(name, name)].append(run)
    return (runs for runs in found.values() if len(runs) > 1)


def _runs(forms: set[str], text: str, words: Sequence[tuple[int, int]]) -> Iterator[Run]:
    """Runs of words that fold to one of the forms and end there."""
    known = Lexicon({name: (0.0,) for name in map(folded, forms) if name})
    for first, last, _ in known.hints(text, words):
        if not GOES_ON.match(text, words[last][1]):
            yield first, last


def _form(run: Run, text: str, words: Sequence[tuple[int, int]]) -> str:
    return text[words[run[0]][0] : words[run[1]][1]]
