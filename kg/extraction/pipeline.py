"""Papers to extractions: the spaCy pipeline, and the way back from its clean text to the source."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from functools import lru_cache
from importlib.metadata import version as installed
from itertools import islice
from pathlib import Path

import spacy
from spacy.language import Language
from spacy.tokens import Doc

from kg.extraction.entities import Group, groups
from kg.extraction.lexicon import COUNTS
from kg.extraction.model import FOLDER, Model, load
from kg.extraction.results import results
from kg.extraction.tagger import MENTIONS, Tagger
from kg.extraction.tokens import Tokenizer
from kg.names import key
from kg.records import Abbreviation, Entity, Extraction, Mention, Paper, Place
from kg.text import Text, clean

RESULTS, FIELD = FOLDER.parent / "results", FOLDER.parent / "field.ttl"
BATCH = 64
DIGITS = 4  # of a confidence; the last of a float's differ between processors


@lru_cache(maxsize=2)
def load_pipeline(folder: Path = FOLDER) -> Language:
    """The pipeline: tokens with sentences, tagger with the model in `folder`. Loaded once a process."""
    nlp = spacy.blank("en")
    nlp.tokenizer = Tokenizer(nlp.vocab)
    nlp.add_pipe("kg_tagger", config={"folder": str(folder)})
    return nlp


@lru_cache(maxsize=1)
def version() -> str:
    """Digest of all that decides what is extracted: tagger, map of the field, weights of results, paperkg itself."""
    digest = hashlib.sha256(f"{load().version} {installed('paperkg')}".encode())
    for path in (FIELD, COUNTS, *sorted(RESULTS.iterdir())):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:12]


def extract(papers: Iterable[Paper], *, folder: Path = FOLDER) -> Iterator[Extraction]:
    """Read papers one by one, in order; memory does not grow with their number.

    Deterministic: a paper's extraction does not depend on the papers beside it.
    """
    nlp = load_pipeline(folder)
    papers = iter(papers)
    while batch := list(islice(papers, BATCH)):
        with nlp.memory_zone():  # else the vocabulary keeps every new word
            found = [_extract(nlp, paper) for paper in batch]
        yield from found


def _extract(nlp: Language, paper: Paper) -> Extraction:
    abstract = clean(paper.text)
    doc = nlp(abstract.clean)
    found, defined = groups(doc, _model(nlp))
    entities = [_entity(g, doc, abstract, Place.ABSTRACT) for g in found]
    if paper.title:
        entities = _with_title(entities, nlp, paper.title)
    text = doc.text if defined else ""  # made anew at each use
    bounds = tuple(abstract.to_source(s.start_char, s.end_char) for s in doc.sents if s.text.strip())
    return Extraction(
        paper,
        tuple(entities),
        results(abstract, entities, bounds),
        tuple(dict.fromkeys(Abbreviation(text[slice(*p.short)], text[slice(*p.long)]) for p in defined)),
        bounds,
    )


def _model(nlp: Language) -> Model:
    tagger = nlp.get_pipe("kg_tagger")
    if not isinstance(tagger, Tagger):
        raise TypeError("the pipeline's tagger is not ours")
    return tagger.model


def _entity(group: Group, doc: Doc, text: Text, place: Place) -> Entity:
    spans, confidence = doc.spans[MENTIONS], doc.spans[MENTIONS].attrs["confidence"]
    mentions = []
    for i in group.members:
        start, end = text.to_source(spans[i].start_char, spans[i].end_char)
        mentions.append(Mention(start, end, text.source[start:end], round(confidence[i], DIGITS), place))
    return Entity(group.name, group.type, group.role, round(group.confidence, DIGITS), tuple(mentions))


def _with_title(entities: list[Entity], nlp: Language, title: str) -> list[Entity]:
    """Add the title's mentions: to the abstract's entity of that key, else as an entity of its own."""

    text = clean(title)
    doc = nlp(text.clean)
    by_key = {key(form): i for i, e in enumerate(entities) for form in (e.name, *(m.text for m in e.mentions))}
    merged = list(entities)
    for group in groups(doc, _model(nlp))[0]:
        entity = _entity(group, doc, text, Place.TITLE)
        at = by_key.get(key(entity.name))
        if at is None:
            merged.append(entity)
        else:
            old = merged[at]
            merged[at] = Entity(old.name, old.type, old.role, old.confidence, old.mentions + entity.mentions)
    return merged
