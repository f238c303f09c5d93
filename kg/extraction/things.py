"""Which entity is a result's subject, its dataset, its baseline: candidates, and the clues for each and for none.

The clues are role and type, how the entity stands to the number (`kg.extraction.clues.relation`), the words around it,
how recently it was named, what the result before chose; for none, how many there are to choose from.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from kg.extraction.clues import relation, unit
from kg.extraction.scene import Scene, Spot, word_class
from kg.records import Entity, EntityType, Role

NONE = -1
OF = frozenset("for of by from obtained achieved reached".split())
ENDS = frozenset(") ; . : # and while".split())
OWNER_REACH = 10  # items
MODELS = (EntityType.MODEL, EntityType.METHOD)


def subjects(scene: Scene) -> list[int]:
    """What a result can be a result of: a model or method, or a dataset that the paper proposes."""
    ours = (EntityType.DATASET, Role.PROPOSES)
    found = ((i, scene.entities[i]) for i in scene.named())
    return [NONE, *(i for i, e in found if e.type in MODELS or (e.type, e.role) == ours)]


def baselines(scene: Scene) -> list[int]:
    """What a result can be compared with."""
    return [NONE, *(i for i in scene.named() if scene.entities[i].type in MODELS)]


def owner(scene: Scene, number: int) -> int:
    """What an old value is said to be of, right behind it: `80.16% for SMT++`; NONE where that is not said."""
    spot = scene.spots[number]
    for index in range(spot.after + 1, min(spot.after + OWNER_REACH, len(scene.items))):
        item = scene.items[index]
        if scene.keys[spot.after] not in OF or item.sentence != spot.sentence or item.key in ENDS:
            return NONE
        if item.entity >= 0 and scene.entities[item.entity].type in MODELS:
            return item.entity
    return NONE


def datasets(scene: Scene) -> list[int]:
    """What a result can be measured on."""
    return [NONE, *(i for i in scene.named() if scene.entities[i].type is EntityType.DATASET)]


def of_things(scene: Scene, number: int, candidates: Sequence[int], previous: int | None) -> list[list[str]]:
    """Clues for each candidate entity (its index, or NONE) to be what a result is of, on, or compared with.

    `previous` is what the result before chose, None where there is no such result.
    """
    spot = scene.spots[number]
    begin, end = scene.sentences[spot.sentence]
    ranks = _ranks(scene, spot)
    there = Counter(scene.entities[i.entity].role for i in scene.items[begin:end] if i.entity >= 0)
    proposals = sum(e.role is Role.PROPOSES and e.type in MODELS for e in scene.entities)
    found = []
    for candidate in candidates:
        if candidate == NONE:
            clues = _none(scene, number, there, proposals)
        else:
            clues = _thing(scene, number, candidate, ranks, there, proposals)
        if previous is not None:
            near = any(i.entity == candidate for i in scene.items[begin:end])
            clues.append(f"before {candidate == previous} {near if candidate != NONE else 'none'}")
        found.append(clues)
    return found


def _none(scene: Scene, number: int, there: Counter[Role], proposals: int) -> list[str]:
    spot = scene.spots[number]
    begin, end = scene.sentences[spot.sentence]
    start = " ".join(scene.keys[begin : min(begin + 2, end)])
    clues = ["none", f"none of {min(proposals, 3)}", f"none {unit(scene, number)}", f"none starts {start}"]
    clues += [f"none {role} {min(2, there[role])}" for role in (Role.PROPOSES, Role.COMPARES_WITH, Role.USES)]
    clues.append(f"none of {min(proposals, 3)} {min(2, there[Role.PROPOSES])}")
    clues += [f"none with {min(3, sum(there.values()))}", f"none starts {scene.keys[begin] if begin < end else ''}"]
    clues.append(f"none sets {min(2, scene.keys[begin:end].count('<Dataset>'))}")
    clues.append(f"none any set {any(e.type is EntityType.DATASET for e in scene.entities)}")
    clues += [f"none l {k}" for k in {*scene.keys[max(begin, spot.first - 3) : spot.first]}]
    return clues + [f"none r {k}" for k in {*scene.keys[spot.after : min(end, spot.after + 3)]}]


Ranks = tuple[dict[int, int], list[int]]


def _ranks(scene: Scene, spot: Spot) -> Ranks:
    """Each entity's first item, and the entities before the number, the nearest first."""
    first: dict[int, int] = {}
    for index, item in enumerate(scene.items):
        if item.entity >= 0:
            first.setdefault(item.entity, index)
    named = (scene.items[i].entity for i in range(spot.first - 1, -1, -1))
    return first, list(dict.fromkeys(e for e in named if e >= 0))


def _thing(scene: Scene, number: int, candidate: int, ranks: Ranks, there: Counter[Role], proposals: int) -> list[str]:
    entity, spot = scene.entities[candidate], scene.spots[number]
    begin, end = scene.sentences[spot.sentence]
    part = f"{entity.type} {entity.role}"
    mentions = [i for i, item in enumerate(scene.items) if item.entity == candidate]
    here = [i for i in mentions if begin <= i < end]
    clues = [f"is {part}", f"is {part} {bool(here)}", f"of {part} {min(proposals, 3)}", f"{unit(scene, number)} {part}"]
    clues.append(f"named {entity.role} {_coarse(len(mentions))}")
    clues += _standing(scene, entity, candidate, ranks)
    if not mentions:
        return clues
    clues.append(f"from {entity.role} {_coarse(scene.items[mentions[0]].sentence)}")
    if here:
        nearest = min(here, key=lambda i: min(abs(i - spot.first), abs(i - spot.after + 1)))
        clues += relation(scene, number, nearest, nearest, entity.type)
        return [*clues, *_context(scene, nearest, entity.role), f"only {entity.role} {there[entity.role]}"]
    back = max((scene.items[i].sentence - spot.sentence for i in mentions if i < spot.first), default=1)
    clues += [f"back {entity.role} {max(back, -5)}", f"others {entity.role} {min(2, there[Role.PROPOSES])}"]
    words = scene.keys[begin:end]
    return [
        *clues,
        f"starts {entity.role} {words[0] if words else ''}",
        f"we {entity.role} {'our' in words or 'we' in words}",
    ]


def _standing(scene: Scene, entity: Entity, candidate: int, ranks: Ranks) -> list[str]:
    first, recent = ranks
    like = [e for e in first if scene.entities[e].role is entity.role]
    of_type = [e for e in recent if scene.entities[e].type in _kin(entity.type)]
    of_role = [e for e in recent if scene.entities[e].role is entity.role]
    places = (("rank", like), ("recent", of_type), ("recent role", of_role))
    return [f"{n} {entity.role} {min(4, w.index(candidate)) if candidate in w else 9}" for n, w in places]


def _context(scene: Scene, item: int, role: Role) -> list[str]:
    """The words around a mention: `than <Method>`, `<Method> achieves`."""
    begin, end = scene.sentences[scene.items[item].sentence]
    before, after = scene.keys[max(begin, item - 2) : item], scene.keys[item + 1 : min(end, item + 3)]
    left, right = before[-1] if before else "^", after[0] if after else "$"
    clues = [f"after {left}", f"after {' '.join(before)}", f"after {role} {left}", f"after c {word_class(left)}"]
    clues += [f"before {right}", f"before {' '.join(after)}", f"before c {word_class(right)}"]
    clues += [f"before {role} {word_class(right)}", f"place {role} {min(item - begin, 5)}"]
    return clues + [f"behind {k}" for k in scene.keys[max(begin, item - 5) : item]]


def _kin(kind: EntityType) -> tuple[EntityType, ...]:
    return (kind,) if kind is EntityType.DATASET else MODELS


def _coarse(count: int) -> int:
    return count if count < 4 else 4 if count < 7 else 5
