"""What a number can measure: the metrics that are named, and the words of its sentence.

Only three of four results have a metric that is an entity; the others say `faster`, `improvement`, `labels`, or name a
metric that the tagger missed. So each run of up to four words of the number's sentence is a candidate, too: without
function words at its ends, and in the singular where the word is one like `improvements`. A classifier ranks them all,
but where a metric stands right beside the number (`18.46% OMR-NED`) or a thing is said to change by it.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kg.extraction import beside
from kg.extraction.clues import relation, unit
from kg.extraction.scene import Scene, word_class
from kg.records import EntityType

NO_ENDS = frozenset(
    "a an the of in on by to for with and or as at from is are be was were that this it its our we their than over up "
    "more less below above around about versus vs compared only just which while can when using used under into per "
    "these those such also not has have had both each all any most other some via between across within among against "
    "achieves achieving achieve show shows respectively e i g he she they there where how what who but if then so no "
    "nor yet".split()
)
SINGULAR = {w + "s": w for w in "improvement gain speedup speed-up reduction increase boost drop".split()}
LETTER = re.compile(r"[^\W\d_]")
LONGEST = 4
WINDOW = 30


class Measure(NamedTuple):
    """A candidate: an entity, by index; or words `start` up to `stop`, then `entity` is -1. Items `first` to `last`."""

    entity: int
    first: int
    last: int
    start: int = 0
    stop: int = 0
    singular: bool = False


def measures(scene: Scene, number: int) -> list[Measure]:
    """All candidates: metrics wherever they are named, entities of other types and words in the number's sentence."""
    spot = scene.spots[number]
    nearest: dict[int, tuple[bool, int, int]] = {}
    for index, item in enumerate(scene.items):
        if item.entity >= 0 and LETTER.search(scene.entities[item.entity].name):
            away = spot.first - index if index < spot.first else index - spot.after + 1
            rank = (item.sentence != spot.sentence, abs(away), index)
            nearest[item.entity] = min(rank, nearest.get(item.entity, rank))
    named = [
        Measure(entity, index, index)
        for entity, (elsewhere, _, index) in nearest.items()
        if not elsewhere or scene.entities[entity].type is EntityType.METRIC
    ]
    return _settled(scene, number, named + list(_phrases(scene, number)))


def _settled(scene: Scene, number: int, candidates: list[Measure]) -> list[Measure]:
    """What is beside the number or changes by it, if anything does; else all but what only says when it holds."""
    clean, this = scene.text.clean, scene.numbers[number]
    behind = scene.spots[number].after
    if _is_metric(scene, behind) and scene.items[behind].start - this.end <= 1:
        return [Measure(scene.items[behind].entity, behind, behind)]
    for before in range(max(0, scene.spots[number].first - 3), scene.spots[number].first):
        if _is_metric(scene, before) and beside.LINK.fullmatch(clean, scene.items[before].end, this.start):
            return [Measure(scene.items[before].entity, before, before)]
    if (thing := _changed(scene, number)) is not None:
        return [Measure(scene.items[thing].entity, thing, thing)]
    near = range(max(0, number - WINDOW), min(len(scene.numbers), number + WINDOW))
    ends = {scene.numbers[n].end for n in near if scene.spots[n].sentence == scene.spots[number].sentence}
    brackets = [when for end in ends if (when := beside.condition(clean, end))]
    written = Counter(clean[slice(*when)] for when in brackets)
    conditions = [when for when in brackets if written[clean[slice(*when)]] == 1]
    if len(conditions) == 1 and _is_metric(scene, behind + 1):
        return candidates  # 10.7% (AUROC): one metric in one bracket is no condition
    return [c for c in candidates if not _is_in(conditions, scene.items[c.first].start)] or candidates


def _changed(scene: Scene, number: int) -> int | None:
    """The item of what is changed by the number. What goes up or down by a number is measured, whatever its type."""
    clean = scene.text.clean
    end = beside.changed(clean, scene.numbers[number].start)
    for index in range(max(0, scene.spots[number].first - WINDOW), scene.spots[number].first) if end >= 0 else ():
        item = scene.items[index]
        if item.end == end and item.entity >= 0 and beside.is_changing(clean, item.start):
            return index
    return None


def _is_metric(scene: Scene, item: int) -> bool:
    if item >= len(scene.items) or scene.keys[item] != f"<{EntityType.METRIC}>":
        return False
    return LETTER.search(scene.entities[scene.items[item].entity].name) is not None


def _is_in(spans: Sequence[tuple[int, int]], place: int) -> bool:
    return any(start <= place < end for start, end in spans)


def name(scene: Scene, measure: Measure) -> str:
    """How a result writes its metric: the entity's name, or the words as the source has them."""
    if measure.entity >= 0:
        return scene.entities[measure.entity].name
    last = scene.words[measure.stop - 1]
    start, end = scene.text.to_source(scene.words[measure.start].start, last.end)
    return scene.text.source[start : end - measure.singular]


def of_measures(scene: Scene, number: int, candidates: Sequence[Measure]) -> list[list[str]]:
    """Clues for each candidate."""
    spot = scene.spots[number]
    metrics = sorted(
        (_away(c, spot.first, spot.after), i)
        for i, c in enumerate(candidates)
        if _kind(scene, c) == EntityType.METRIC and scene.items[c.first].sentence == spot.sentence
    )
    rank = {i: place for place, (_, i) in enumerate(metrics)}
    tag = f"nearest {min(metrics[0][0] // 3, 4)}" if metrics else "no metric here"
    tag += "" if any(_kind(scene, c) == EntityType.METRIC for c in candidates) else " or anywhere"
    found = []
    for i, candidate in enumerate(candidates):
        kind = _kind(scene, candidate)
        words = _forms(scene, candidate)
        clues = _own(scene, candidate, kind, words)
        clues += relation(scene, number, candidate.first, candidate.last, kind)
        clues += [f"{kind} {tag}", f"{unit(scene, number)} {kind}", f"{unit(scene, number)} {word_class(words[-1])}"]
        if kind == "words":
            clues.append(f"{tag} {word_class(words[-1])}")
        if i in rank:
            side = "L" if candidate.last < spot.first else "R"
            clues += [f"rank {min(rank[i], 3)}", f"rank {min(rank[i], 3)} of {min(len(metrics), 3)} {side}"]
        found.append(clues)
    return found


def in_reach(scene: Scene, earlier: int, number: int) -> bool:
    """Whether what an earlier number measures is a clue to what this one does."""
    return scene.spots[number].sentence - scene.spots[earlier].sentence <= 1


def after(scene: Scene, number: int, candidates: Sequence[Measure], earlier: int, chosen: Measure) -> list[list[str]]:
    """Further clues for each candidate, where the `earlier` number's measure is `chosen`."""
    spot, there = scene.spots[number], scene.spots[earlier]
    between = min(2, scene.keys[there.after : spot.first].count("<Metric>"))
    listed, theirs = scene.numbers_listed.get(number), scene.numbers_listed.get(earlier)
    in_list = bool(listed and theirs and listed.length > 1 and listed.length == theirs.length)
    found = []
    for c in candidates:
        same = c.entity == chosen.entity and (c.entity >= 0 or c[3:] == chosen[3:])
        base = f"again {same} {spot.sentence == there.sentence}"
        clue = f"{base} {between}"
        found.append([base, clue, f"{clue} list {in_list}", f"{clue} {'named' if c.entity >= 0 else 'words'}"])
    return found


def _phrases(scene: Scene, number: int) -> Iterator[Measure]:
    this, spot = scene.numbers[number], scene.spots[number]
    words, items = scene.words, scene.items
    begin = bisect_left(words, spot.first - WINDOW, key=lambda w: w.item)
    for start in range(begin, bisect_left(words, spot.first + WINDOW + 1, key=lambda w: w.item)):
        if items[words[start].item].sentence != spot.sentence or not _open(scene, start):
            continue
        for stop in range(start + 1, min(start + LONGEST, len(words)) + 1):
            word = words[stop - 1]
            if not word.form[0].isalpha() or items[word.item].sentence != spot.sentence:
                break
            if this.start < word.end and word.start < this.end:
                break
            if stop - 1 > start and word.start - words[stop - 2].end > 2:
                break
            if word.form in NO_ENDS or _is_mention(scene, start, stop):
                continue
            yield Measure(-1, words[start].item, word.item, start, stop)
            if word.form in SINGULAR:
                yield Measure(-1, words[start].item, word.item, start, stop, singular=True)


def _open(scene: Scene, word: int) -> bool:
    form = scene.words[word].form
    after = scene.words[word + 1].form if word + 1 < len(scene.words) else ""
    return form[0].isalpha() and form not in NO_ENDS and not beside.is_averaged(form, after)


def _is_mention(scene: Scene, start: int, stop: int) -> bool:
    """Whether the words are just what an entity's mention covers: that candidate is there already."""
    first, last = scene.words[start], scene.words[stop - 1]
    item = scene.items[first.item]
    return item.entity >= 0 and first.item == last.item and (item.start, item.end) == (first.start, last.end)


def _kind(scene: Scene, measure: Measure) -> str:
    return scene.entities[measure.entity].type if measure.entity >= 0 else "words"


def _forms(scene: Scene, measure: Measure) -> list[str]:
    if measure.entity >= 0:
        return scene.entities[measure.entity].name.lower().split() or ["?"]
    forms = [w.form for w in scene.words[measure.start : measure.stop]]
    return [*forms[:-1], SINGULAR[forms[-1]]] if measure.singular else forms


def _away(measure: Measure, first: int, after_: int) -> int:
    return first - measure.last if measure.last < first else max(0, measure.first - after_ + 1)


def _own(scene: Scene, measure: Measure, kind: str, words: list[str]) -> list[str]:
    """Clues that are the same for each number of the sentence."""
    head = word_class(words[-1])
    clues = [f"head {words[-1]}", f"head c {head}", f"{kind} head {words[-1]}", f"{kind} head c {head}"]
    clues.append(f"{kind} ends {words[-1][-3:]}")
    begin, end = scene.sentences[scene.items[measure.first].sentence]
    if measure.entity >= 0:
        entity = scene.entities[measure.entity]
        clues += [f"is {kind}", f"is {kind} {entity.role}"]
        left = scene.keys[measure.first - 1] if measure.first > begin else "^"
        right = scene.keys[measure.last + 1] if measure.last + 1 < end else "$"
    else:
        clues += [
            "words",
            f"words {len(words)}",
            f"words {' '.join(words)}",
            f"w0 {words[0]}",
            f"c0 {word_class(words[0])}",
        ]
        clues.append(f"classes {' '.join(word_class(w) for w in words[:3])}")
        clues += [f"w {w}" for w in words[1:-1]] + ["singular"] * measure.singular
        over = {scene.items[i].entity for i in range(measure.first, measure.last + 1)} - {-1}
        clues += [f"over {t}" for t in {scene.entities[e].type for e in over}]
        left = scene.words[measure.start - 1].form if measure.start else "^"
        right = scene.words[measure.stop].form if measure.stop < len(scene.words) else "$"
    clues += [f"{kind} after {left}", f"{kind} before {right}", f"{kind} after c {word_class(left)}"]
    return [*clues, f"{kind} before c {word_class(right)}", f"{kind} amid {word_class(left)} {word_class(right)}"]
