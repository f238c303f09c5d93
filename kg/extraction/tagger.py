"""The spaCy component that finds typed mentions: clean text in, `doc.spans["mentions"]` out.

Each span's label is its type; `attrs["confidence"]` holds the probability that span and type are right, and
`attrs["states"]` the encoder's states at the spans' ends, from which `entities` reads the roles.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from spacy.language import Language
from spacy.tokens import Doc, Span, SpanGroup

from kg.extraction.agree import agreed
from kg.extraction.beside import is_averaged
from kg.extraction.decode import Span as Decoded
from kg.extraction.decode import decode
from kg.extraction.lexicon import hinted
from kg.extraction.model import FOLDER, Model, load
from kg.extraction.pieces import Pieces, windows
from kg.records import EntityType

MENTIONS = "mentions"
KINDS = frozenset("Dataset Benchmark Corpus Challenge".split())  # in the name 26 times in 29 (training abstracts)


def scored(model: Model, pieces: Pieces, text: str) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """What `Model.spans` gives, its logits with hints of known names, and with the places of each name in agreement."""
    logits, starts, stops = model.spans(pieces)
    return agreed(hinted(logits, text, pieces.words), text, pieces.words), starts, stops


@Language.factory("kg_tagger", assigns=["doc.spans"], default_config={"folder": str(FOLDER)})
def make_tagger(nlp: Language, name: str, folder: str) -> Tagger:
    """Tagger with the model in `folder`."""
    return Tagger(Path(folder))


class Tagger:
    """Callable component; holds the model."""

    def __init__(self, folder: Path) -> None:
        self.model = load(folder)

    def __call__(self, doc: Doc) -> Doc:
        """Set `doc.spans["mentions"]`; sentences must be set, long texts are cut between them."""
        spans: list[Span] = []
        confidence: list[float] = []
        starts: list[np.ndarray] = []
        stops: list[np.ndarray] = []
        text = doc.text  # made anew at each use
        cuts = tuple(s.start_char for s in doc.sents)
        for pieces in windows(self.model.tokenizer, text, cuts=cuts):
            scores, first, last = scored(self.model, pieces, text)
            for found in decode(scores):
                first_word = found.first + _is_averaged(text, pieces.words, found)
                last_word = found.last + _is_called(text, pieces.words, found)
                begin, end = pieces.words[first_word][0], pieces.words[last_word][1]
                span = doc.char_span(begin, end, label=found.type.value, alignment_mode="expand")
                if span is None or (spans and span.start < spans[-1].end):
                    continue  # two words of one token: combining characters, which the tokenizer counts apart
                spans.append(span)
                confidence.append(self.model.mention(found.confidence))
                starts.append(first[first_word])
                stops.append(last[last_word])
        group = SpanGroup(doc, name=MENTIONS, spans=spans)
        group.attrs["confidence"] = confidence
        group.attrs["states"] = (starts, stops)
        doc.spans[MENTIONS] = group
        return doc


def _is_averaged(text: str, words: Sequence[tuple[int, int]], found: Decoded) -> bool:
    """Whether a metric begins with a word that annotators leave off: the mean in mean accuracy."""
    if found.type is not EntityType.METRIC or found.first == found.last:
        return False
    one, other = (text[slice(*words[i])] for i in (found.first, found.first + 1))
    return is_averaged(one, other)


def _is_called(text: str, words: Sequence[tuple[int, int]], found: Decoded) -> bool:
    """Whether a data set's name goes on with what it is, capitalised like a name: the Foo Benchmark."""
    if found.type is not EntityType.DATASET or found.last + 1 == len(words):
        return False
    (start, end), (after, until) = words[found.last : found.last + 2]
    return text[start].isupper() and text[end:after] == " " and text[after:until] in KINDS
