"""Mentions of one paper to its entities, with the role each plays.

1. mentions with one key (`kg.names.key`) are one entity, whatever their type was taken for;
2. so are a long form and the abbreviation that the paper defines for it, wherever either stands;
3. so are mentions of one type that are worded alike (`kg.wording`), the paper's abbreviations spelled out: `few-shot
   NER` and `Few-shot Named Entity Recognition`; of 321 such pairs in the training abstracts 307 are one entity;
4. so are an abbreviation that the paper does not define and the only name of its type with these initials: 153 of 168;
5. an entity has the type that most of its mentions' confidence is for, an abbreviation counting with its long form;
6. its name is the long form, else the form that occurs most, else the first;
7. the role network reads all entities together and each takes the best role that its type allows.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from spacy.tokens import Doc, Span

from kg.extraction.abbreviations import Pair, pairs
from kg.extraction.decode import log_softmax
from kg.extraction.model import POSITIONS, ROLES, TYPES, Model
from kg.extraction.tagger import MENTIONS
from kg.groups import Groups
from kg.names import is_short, key, plainly, short_key, words
from kg.records import ROLES_OF, EntityType, Role
from kg.wording import keys as wordings
from kg.wording import wording

PARTS = re.compile(r"[\s/-]+")


@dataclass(frozen=True, slots=True)
class Group:
    """Mentions that are one entity, as indices into `doc.spans["mentions"]`; before offsets go back to the source."""

    name: str
    type: EntityType
    role: Role
    confidence: float
    role_confidence: float
    members: tuple[int, ...]


def groups(doc: Doc, model: Model) -> tuple[list[Group], tuple[Pair, ...]]:
    """The entities of a tagged doc, in the order in which they first stand, and its abbreviations."""
    spans, text = doc.spans[MENTIONS], doc.text  # made anew at each use
    defined = pairs(text)
    members = _members([(s.text, s.label_, (s.start_char, s.end_char)) for s in spans], defined, text)
    confidence: Sequence[float] = spans.attrs["confidence"]
    types = [_type([spans[i] for i in m], [confidence[i] for i in m]) for m in members]
    roles = _roles(doc, members, types, model)
    longs = {key(text[slice(*p.long)]) for p in defined}
    found = []
    for which, kind, (role, certainty) in zip(members, types, roles, strict=True):
        right = [confidence[i] for i in which if spans[i].label_ == kind]
        name = _name([spans[i].text for i in which], longs)
        found.append(Group(name, kind, role, max(right, default=0.0) * certainty, certainty, which))
    return found, defined


def _members(
    mentions: Sequence[tuple[str, str, tuple[int, int]]], defined: Sequence[Pair], text: str
) -> list[tuple[int, ...]]:
    """Indices of the mentions, given by form, type and place, of each entity."""
    forms, types = [form for form, _, _ in mentions], [kind for _, kind, _ in mentions]
    keys = [key(form) or form for form in forms]
    shorts = _defined(dict(zip((where for _, _, where in mentions), keys, strict=True)), defined, text)
    spelled = {key(text[slice(*p.short)]): words(text[slice(*p.long)]) for p in defined}
    named = [f"={shorts.get(k, k)}" for k in keys]  # no type begins so
    same, spelt = Groups(), defaultdict[tuple[str, str], list[str]](list)
    for name, kind, form in zip(named, types, forms, strict=True):
        for k in wordings(tuple(chain.from_iterable(spelled.get(w, (w,)) for w in words(form)))):
            same.join(name, f"{kind} {k}")
        for letters in initials(form):
            spelt[kind, letters].append(name)
    for name, k, kind, short in zip(named, keys, types, forms, strict=True):
        longs = spelt.get((kind, short_key(short).casefold()), []) if is_short(short) and k not in shorts else []
        if len({same.of(long) for long in longs}) == 1:
            same.join(name, longs[0])
    members: defaultdict[str, list[int]] = defaultdict(list)
    for i, name in enumerate(named):
        members[same.of(name)].append(i)
    return sorted(map(tuple, members.values()))


def _defined(at: dict[tuple[int, int], str], defined: Sequence[Pair], text: str) -> dict[str, str]:
    """Key of each abbreviation that the paper defines to the key of what it stands for; `at` has the mentions' keys."""
    shorts: dict[str, str] = {}
    for pair in defined:
        long, short = key(text[slice(*pair.long)]), key(text[slice(*pair.short)])
        long = at.get(pair.long) or _ending_at(at, pair.long) or long
        if short and long and short != long:
            shorts.setdefault(short, long)
    return shorts


def initials(name: str) -> set[str]:
    """The first letters of a name's words, with and without small words; none of a single word.

    >>> sorted(initials("probability of maximality")), initials("variational auto-encoder"), initials("BERT")
    (['pm', 'pom'], {'vae'}, set())
    """
    parts = [part.casefold() for part in PARTS.split(plainly(name)) if part]
    telling = [part for part in parts if part not in wording().functions]
    return {"".join(part[0] for part in some) for some in (parts, telling)} if len(parts) > 1 else set()


def _ending_at(at: dict[tuple[int, int], str], long: tuple[int, int]) -> str | None:
    """Key of a mention that ends where the long form ends: `(SHORT)` behind it is its short form, modifiers apart."""
    return next((k for (start, end), k in at.items() if end == long[1] and start > long[0] - 40), None)


def _type(spans: Sequence[Span], confidence: Sequence[float]) -> EntityType:
    votes: Counter[str] = Counter()
    for span, weight in zip(spans, confidence, strict=True):
        votes[span.label_] += weight  # type: ignore[assignment]  # Counter sums floats as well
    return EntityType(max(sorted(votes), key=lambda t: votes[t]))


def _name(forms: Sequence[str], longs: set[str]) -> str:
    full = [f for f in forms if key(f) in longs]
    counts = Counter(full or forms)
    return max(counts, key=lambda f: (counts[f], -list(forms).index(f)))


def _roles(
    doc: Doc, members: Sequence[tuple[int, ...]], types: Sequence[EntityType], model: Model
) -> list[tuple[Role, float]]:
    if not members:
        return []
    spans = doc.spans[MENTIONS]
    starts, stops = (np.stack(states).astype(np.float32) for states in spans.attrs["states"])
    member = np.zeros((len(members), len(spans)), dtype=np.float32)
    for entity, which in enumerate(members):
        member[entity, list(which)] = 1
    position = np.array([min(spans[m[0]].start * POSITIONS // len(doc), POSITIONS - 1) for m in members])
    scores = model.role_scores(starts, stops, member, np.array([TYPES.index(t) for t in types]), position)
    return [_best_role(row, kind, model) for row, kind in zip(scores, types, strict=True)]


def _best_role(scores: np.ndarray, kind: EntityType, model: Model) -> tuple[Role, float]:
    allowed = ROLES_OF[kind]
    chances = np.exp(log_softmax(scores[[ROLES.index(r) for r in allowed]]))
    best = int(chances.argmax())
    return allowed[best], model.role(float(chances[best]))
