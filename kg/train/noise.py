"""Gold entities as a tagger would find them: some missed, cut wrongly, of another type or role, and some that are none.

What ties numbers to entities must not trust the entities more than it will be able to. Training it on the tagger's own
entities of the training abstracts would be worse: the tagger has seen them, so it errs there less and is surer.

The rates are those of the tagger on the 200 training abstracts that it was not trained on.
"""

from __future__ import annotations

import random
import re
from collections.abc import Sequence

from kg import gold
from kg.records import ROLES_OF, Entity, EntityType, Mention, Role
from kg.text import Text

MISSED = {
    Role.ADDRESSES: 0.25,
    Role.COMPARES_WITH: 0.30,
    Role.EVALUATES_ON: 0.08,
    Role.MENTIONS: 0.30,
    Role.PROPOSES: 0.11,
    Role.REPORTS: 0.21,
    Role.STUDIES: 0.16,
    Role.USES: 0.21,
}
CUT = 0.08
OTHER_TYPE = 0.06
OTHER_ROLE = 0.13
ONE_MENTION = 0.10
FALSE = 0.14
CONFUSED = {
    EntityType.METHOD: (EntityType.TASK, EntityType.MODEL, EntityType.METRIC),
    EntityType.TASK: (EntityType.METHOD,),
    EntityType.MODEL: (EntityType.METHOD, EntityType.DATASET, EntityType.TASK),
    EntityType.METRIC: (EntityType.METHOD, EntityType.TASK),
    EntityType.DATASET: (EntityType.METHOD, EntityType.MODEL),
}
SURE, UNSURE = (4.2, 1.4), (6.5, 4.9)  # beta distributions of the confidence in what is right, and in what isn't
WORD = re.compile(r"[^\W\d_][\w-]*")
SHORTEST_FALSE = 4


def entities(record: gold.Gold) -> list[Entity]:
    """The gold entities with their mentions, wholly sure; those that do not occur are left out."""
    spans = gold.spans(record.text, record.entities)
    found = []
    for index, e in enumerate(record.entities):
        places = [s for s in spans if s.entity == index]
        mentions = tuple(Mention(s.start, s.end, record.text[s.start : s.end], 1.0) for s in places)
        if mentions:
            found.append(Entity(e.name, e.type, e.role, 1.0, mentions))
    return found


def with_confidence(found: Sequence[Entity], rng: random.Random) -> list[Entity]:
    """Right entities, as sure as the tagger is of right ones."""
    return [_sure(e, SURE, rng) for e in found]


def noisy(found: Sequence[Entity], text: Text, rng: random.Random) -> list[Entity]:
    """The entities as a tagger might find them; mentions do not overlap."""
    words = [m.span() for m in WORD.finditer(text.clean)]
    kept: list[Entity] = []
    for entity in found:
        chance = rng.random() - MISSED[entity.role]
        if chance < 0:
            continue
        if chance < CUT:
            kept.append(_sure(_cut(entity, text, words, rng), UNSURE, rng))
        elif chance < CUT + OTHER_TYPE:
            kind = rng.choice(CONFUSED[entity.type])
            changed = Entity(entity.name, kind, rng.choice(ROLES_OF[kind]), 1.0, entity.mentions)
            kept.append(_sure(changed, UNSURE, rng))
        else:
            role = rng.choice(ROLES_OF[entity.type]) if rng.random() < OTHER_ROLE else entity.role
            mentions = tuple(m for m in entity.mentions if rng.random() >= ONE_MENTION) or entity.mentions[:1]
            kept.append(_sure(Entity(entity.name, entity.type, role, 1.0, mentions), SURE, rng))
    kept += [e for _ in found if words and rng.random() < FALSE for e in _false(text, words, rng)]
    return _without_overlaps(kept)


def _cut(entity: Entity, text: Text, words: Sequence[tuple[int, int]], rng: random.Random) -> Entity:
    """Each mention a word longer or shorter at one end, where that leaves a word."""
    left, right = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
    mentions = []
    for m in entity.mentions:
        start, end = text.to_clean(m.start, m.end)
        inside = [i for i, (a, b) in enumerate(words) if a >= start and b <= end]
        first, last = (inside[0] + left, inside[-1] + right) if inside else (0, -1)
        if 0 <= first <= last < len(words):
            start, end = text.to_source(words[first][0], words[last][1])
            mentions.append(Mention(start, end, text.source[start:end], 1.0))
        else:
            mentions.append(m)
    longest = max(mentions, key=lambda m: len(m.text))
    return Entity(longest.text, entity.type, entity.role, 1.0, tuple(mentions))


def _false(text: Text, words: Sequence[tuple[int, int]], rng: random.Random) -> list[Entity]:
    first = rng.randrange(len(words))
    last = min(len(words) - 1, first + rng.choice((0, 1, 1, 2)))
    if any(b - a < SHORTEST_FALSE for a, b in words[first : last + 1]):
        return []
    start, end = text.to_source(words[first][0], words[last][1])
    kind = rng.choice(tuple(EntityType))
    mention = Mention(start, end, text.source[start:end], 1.0)
    return [_sure(Entity(mention.text, kind, rng.choice(ROLES_OF[kind]), 1.0, (mention,)), UNSURE, rng)]


def _sure(entity: Entity, shape: tuple[float, float], rng: random.Random) -> Entity:
    mentions = tuple(Mention(m.start, m.end, m.text, rng.betavariate(*shape)) for m in entity.mentions)
    return Entity(entity.name, entity.type, entity.role, rng.betavariate(*shape), mentions)


def _without_overlaps(found: Sequence[Entity]) -> list[Entity]:
    """Each entity with the mentions that no entity before it covers."""
    taken: set[int] = set()
    kept = []
    for entity in found:
        mentions = []
        for m in entity.mentions:
            if taken.isdisjoint(range(m.start, m.end)):
                taken.update(range(m.start, m.end))
                mentions.append(m)
        if mentions:
            kept.append(Entity(entity.name, entity.type, entity.role, entity.confidence, tuple(mentions)))
    return kept
