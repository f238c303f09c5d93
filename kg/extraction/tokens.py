"""Clean text to a spaCy Doc whose tokens are the tagger's words.

spaCy's English rules keep `92.4±0.3`, `CIFAR-10/100` and `\\alpha$-GAN` whole, so spans over them could not be tokens'
spans. Here a token is a run of letters and digits, or one other character: BERT's basic tokens.
"""

from __future__ import annotations

import re

from spacy.tokens import Doc
from spacy.vocab import Vocab

TOKEN = re.compile(r"[^\W_]+|\S")


class Tokenizer:
    """Callable that makes the Doc; `doc.text` is the text, where its white space is single spaces."""

    def __init__(self, vocab: Vocab) -> None:
        self.vocab = vocab

    def __call__(self, text: str) -> Doc:
        """Make the Doc."""
        found = [m.span() for m in TOKEN.finditer(text)]
        words = [text[a:b] for a, b in found]
        spaces = [text[b : b + 1] == " " for _, b in found]
        return Doc(self.vocab, words=words, spaces=spaces)

    def to_bytes(self, **_: object) -> bytes:
        """Nothing to save: the rule is code."""
        return b""

    def from_bytes(self, _: bytes, **__: object) -> Tokenizer:
        """Nothing to load."""
        return self
