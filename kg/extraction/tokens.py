"""Clean text to a spaCy Doc whose tokens are the tagger's words, with its sentences marked.

spaCy's English rules keep `92.4±0.3`, `CIFAR-10/100` and `\\alpha$-GAN` whole, so spans over them could not be tokens'
spans. Here a token is a run of letters and digits, or one other character: BERT's basic tokens. Sentences are marked
here as well: set on tokens one by one, each costs a pass over the doc.
"""

from __future__ import annotations

import re

from spacy.tokens import Doc
from spacy.vocab import Vocab

from kg.extraction.sentences import sentences

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
        begins = {start for start, _ in sentences(text)}
        return Doc(
            self.vocab,
            words=words,
            spaces=spaces,
            sent_starts=[a in begins or i == 0 for i, (a, _) in enumerate(found)],
        )

    def to_bytes(self, **_: object) -> bytes:
        """Nothing to save: the rule is code."""
        return b""

    def from_bytes(self, _: bytes, **__: object) -> Tokenizer:
        """Nothing to load."""
        return self
