"""Four ways of writing an abstract differently, applied to gold: to train on, and to measure by (`robust`).

lower-cased names   every annotated name in lower case
markup              a third of the names and a tenth of the other words dressed in LaTeX or Markdown
first half          cut at the last sentence end before the middle
no proposal         without the sentence that first names what the paper proposes
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np

from kg import gold
from kg.records import Role

DRESS = ("\\textbf{%s}", "\\emph{%s}", "\\textit{%s}", "{%s}", "**%s**", "*%s*", "``%s''", "$\\mathtt{%s}$")
NAMES_DRESSED, WORDS_DRESSED = 1 / 3, 1 / 10
SENTENCE_END = re.compile(r"(?<=[.!?])\s+(?=[A-Z\\$])")
WORD = re.compile(r"[A-Za-z]{3,}")


def lower_names(record: gold.Gold) -> gold.Gold:
    """Write every annotated name in lower case.

    >>> e = gold.GoldEntity("GAN", gold.EntityType.MODEL, Role.USES, ("GAN", "GANs"))
    >>> lower_names(gold.Gold("p", "GANs beat a GAN.", "", (e,), ())).text
    'gans beat a gan.'
    """
    text = record.text
    for span in gold.spans(record.text, record.entities):
        lower = text[span.start : span.end].lower()
        if len(lower) == span.end - span.start:
            text = text[: span.start] + lower + text[span.end :]
    return _kept(record, text, str.lower)


def markup(record: gold.Gold) -> gold.Gold:
    """Dress names and words in LaTeX and Markdown, the same ones each time."""
    random = np.random.default_rng(list(record.id.encode()))
    names = [(s.start, s.end) for s in gold.spans(record.text, record.entities)]
    free = bytearray(b"\1" * len(record.text))
    for start, end in [*names, *(m.span() for m in re.finditer(r"\$[^$]*\$|\\\w+(\{[^}]*\})?", record.text))]:
        free[start:end] = bytes(end - start)
    words = [m.span() for m in WORD.finditer(record.text) if all(free[m.start() : m.end()])]
    plain = [(s, e) for s, e in names if not set("$\\*_{}`%&#^~") & set(record.text[max(0, s - 1) : e + 1])]
    dressed = [s for s in plain if random.random() < NAMES_DRESSED]
    dressed += [s for s in words if random.random() < WORDS_DRESSED]
    text = record.text
    for start, end in sorted(dressed, reverse=True):
        inner = text[start:end]
        choices = DRESS[:-1] if not inner.isalnum() else DRESS
        text = text[:start] + choices[random.integers(len(choices))] % inner + text[end:]
    return _kept(record, text)


def first_half(record: gold.Gold) -> gold.Gold:
    """Cut at the last sentence end before the middle; at the first one where there is none before it."""
    ends = [e for _, e in _sentences(record.text)]
    return _kept(record, record.text[: max([e for e in ends if e <= len(record.text) / 2], default=ends[0])])


def no_proposal(record: gold.Gold) -> gold.Gold:
    """Leave out the sentence in which a proposed entity is first named; unchanged where nothing is proposed."""
    proposed = [
        s.start for s in gold.spans(record.text, record.entities) if record.entities[s.entity].role is Role.PROPOSES
    ]
    sentences = _sentences(record.text)
    if not proposed or len(sentences) == 1:
        return record
    kept = [(s, e) for s, e in sentences if not s <= proposed[0] < e]
    return _kept(record, " ".join(record.text[s:e] for s, e in kept))


SPOILT: dict[str, Callable[[gold.Gold], gold.Gold]] = {
    "lower-cased names": lower_names,
    "markup": markup,
    "first half": first_half,
    "no proposal": no_proposal,
}


def _sentences(text: str) -> list[tuple[int, int]]:
    starts = [0, *(m.end() for m in SENTENCE_END.finditer(text))]
    ends = [*(m.start() for m in SENTENCE_END.finditer(text)), len(text)]
    return list(zip(starts, ends, strict=True))


def _kept(record: gold.Gold, text: str, form_of: Callable[[str], str] = str) -> gold.Gold:
    """The record with another text, and what of its entities is still in there."""
    entities = []
    for entity in record.entities:
        forms = tuple(dict.fromkeys(f for f in map(form_of, entity.forms) if f in text))
        if forms:
            entities.append(replace(entity, name=form_of(entity.name), forms=forms))
    return replace(record, text=text, entities=tuple(entities), results=())
