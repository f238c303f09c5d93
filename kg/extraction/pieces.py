"""Clean text to what the tagger reads: word pieces, their casing, and the words they belong to.

The encoder's vocabulary is uncased, yet case is what tells `Transcoda` from a common noun, so the shape of each whole
word and of each piece goes in beside the piece itself, one class of eight. Words are BERT's basic tokens (runs between
white space, each punctuation mark alone): spans are chosen over words, so that none can end inside one.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from pathlib import Path

import numpy as np
from tokenizers import Tokenizer

CASES = ("none", "lower", "title", "upper", "capital", "mixed", "digits", "symbol")
MAX_PIECES = 510  # BERT's 512 positions less [CLS] and [SEP]


@dataclass(frozen=True, slots=True)
class Pieces:
    """One window of text, ready for the encoder: arrays over pieces, then arrays over words.

    `ids`, `word_case`, `piece_case`: int64, one a piece, [CLS] and [SEP] included. `first`, `last`: int64, the piece
    index of each word's first and last piece. `words`: each word's (start, end) in the text, in code points.
    """

    ids: np.ndarray
    word_case: np.ndarray
    piece_case: np.ndarray
    first: np.ndarray
    last: np.ndarray
    words: tuple[tuple[int, int], ...]


def load_tokenizer(path: Path) -> Tokenizer:
    """Read a tokenizer and switch off its own padding and truncation: windows are cut here."""
    tokenizer = Tokenizer.from_file(str(path))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


@lru_cache(maxsize=100_000)
def casing(form: str) -> int:
    """Class of a form's letters, an index into CASES.

    >>> [CASES[casing(form)] for form in ("graph", "Graph", "GNN", "X", "QM9s", "2024", "$")]
    ['lower', 'title', 'upper', 'capital', 'mixed', 'digits', 'symbol']
    """
    letters = [c for c in form if c.isalpha()]
    if not letters:
        return CASES.index("digits" if any(c.isdigit() for c in form) else "symbol")
    if all(c.islower() for c in letters):
        return CASES.index("lower" if len(letters) == len(form) else "mixed")
    if len(form) == 1:
        return CASES.index("capital")
    if all(c.isupper() for c in letters):
        return CASES.index("upper")
    return CASES.index("title" if letters[0].isupper() and all(c.islower() for c in letters[1:]) else "mixed")


def windows(tokenizer: Tokenizer, text: str, *, cuts: tuple[int, ...] = ()) -> list[Pieces]:
    """Split a text into windows the encoder can take; nearly always one.

    A text of more than 510 pieces is cut before the last of `cuts` (code points, sentence starts) that fits, or before
    the last word that fits where a sentence is longer than a window.
    """
    encoding = tokenizer.encode(text, add_special_tokens=False)
    offsets, words = encoding.offsets, encoding.word_ids
    starts = [i for i, w in enumerate(words) if i == 0 or w != words[i - 1]]
    bounds = [*starts, len(words)]
    begins = set(cuts)
    found, left = [], 0
    while left < len(starts):
        right = left
        while right < len(starts) and bounds[right + 1] - bounds[left] <= MAX_PIECES:
            right += 1
        if right < len(starts):
            inside = [w for w in range(left + 1, right) if offsets[starts[w]][0] in begins]
            right = inside[-1] if inside else max(right, left + 1)
        found.append(_window(text, encoding.ids, offsets, bounds[left : right + 1]))
        left = right
    return found


def _window(text: str, ids: list[int], offsets: list[tuple[int, int]], bounds: list[int]) -> Pieces:
    first, last, spans, word_case, piece_case = [], [], [], [0], [0]
    base = bounds[0]
    end = min(bounds[-1], base + MAX_PIECES)  # a single "word" of more than 510 pieces keeps its beginning
    for a, b in pairwise(bounds):
        b = min(b, end)
        span = offsets[a][0], offsets[b - 1][1]
        shape = casing(text[slice(*span)])
        first.append(a - base + 1)
        last.append(b - base)
        spans.append(span)
        for start, stop in offsets[a:b]:
            word_case.append(shape)
            piece_case.append(casing(text[start:stop]))
    return Pieces(
        np.array([CLS, *ids[base:end], SEP], dtype=np.int64),
        np.array([*word_case, 0], dtype=np.int64),
        np.array([*piece_case, 0], dtype=np.int64),
        np.array(first, dtype=np.int64),
        np.array(last, dtype=np.int64),
        tuple(spans),
    )


CLS, SEP = 101, 102  # of the uncased BERT vocabulary
