"""What the classifiers of results look at, as names of plain features.

Each function returns strings; a classifier's weight file maps some of them to numbers, and a score is their sum. So a
score can be read: `kg.extraction.weights` says which clue gave how much. The same functions serve training and use.

- `of_number`: is this number a result? Its unit and shape, the words around it and their classes, its sentence.
- `relation`: how an item stands to a number: side, distance, what is between and beyond.

`kg.extraction.measures` and `kg.extraction.things` have the clues of what a number may be tied to.
"""

from __future__ import annotations

import re

from kg.extraction.candidates import Shape
from kg.extraction.scene import Scene
from kg.records import Role

UNITS = (
    ("points", re.compile(r"(?:points?|pts?|pp)$")),
    ("%", re.compile(r"(?:%\+?|percent)$")),
    ("times", re.compile(r"(?:[×xX]\+?|times|fold)$")),
    ("time", re.compile(r"(?:ms|µs|μs|ns|[0-9 ]s|secs?|seconds?|mins?|minutes?|hours?|hrs?|days?|weeks?)$")),
    ("bytes", re.compile(r"(?:[KMGTP]i?B|kb)$")),
    ("count", re.compile(r"[0-9] ?[KMB]$")),
    ("dB", re.compile(r"dB$")),
    ("other", re.compile(r"[A-Za-z]{2,}$")),
)
DIGITS = re.compile(r"[0-9][0-9,]*(\.[0-9]+)?")
YEAR = re.compile(r"(?:19|20)[0-9]{2}")
ORDER = re.compile(r"[OΩΘ𝒪]")
MARKS_OF_FORMULAS = ("log", "√", "=", "^", "ε", "ϵ", "T", "n", "≤", "<", ",")
NEAR = 8
FAR = 12
WINDOW = 40  # numbers on either side


def unit(scene: Scene, number: int) -> str:
    """The kind of a number's unit; for a number in words or a formula, its shape."""
    shape = scene.numbers[number].shape
    if shape in (Shape.WORDS, Shape.FORMULA):
        return shape
    written = scene.value(number)
    return next((name for name, pattern in UNITS if pattern.search(written)), "-")


def of_number(scene: Scene, number: int) -> list[str]:
    """Clues that a number is a result, or the old value that a result is compared with."""
    kind, spot = unit(scene, number), scene.spots[number]
    begin, end = scene.sentences[spot.sentence]
    keys, classes = scene.keys, scene.classes
    left = ["^", *keys[begin : spot.first]][:-FAR:-1]
    right = [*keys[spot.after : end], "$"][:FAR]
    left_class = ["^", *classes[begin : spot.first]][:-FAR:-1]
    right_class = [*classes[spot.after : end], "$"][:FAR]
    clues = [f"unit {kind}", *_written(scene, number, kind)]
    clues += [f"l{i} {w}" for i, w in enumerate(left[:3])] + [f"r{i} {w}" for i, w in enumerate(right[:3])]
    clues += [f"l01 {' '.join(left[:2])}", f"r01 {' '.join(right[:2])}", f"lr {left[0]} {right[0]}"]
    clues += [
        f"{kind} l {left[0]}",
        f"{kind} r {right[0]}",
        f"{kind} lc {left_class[0]}",
        f"{kind} rc {right_class[0]}",
    ]
    clues += [f"lc01 {' '.join(left_class[:2])}", f"rc01 {' '.join(right_class[:2])}"]
    clues += [f"lrc {left_class[0]} {right_class[0]}", f"llrc {' '.join(left_class[:2])} {right_class[0]}"]
    clues.append(f"lrrc {left_class[0]} {' '.join(right_class[:2])}")
    clues += [f"L {w}" for w in {*left[:NEAR]}] + [f"R {w}" for w in {*right[:NEAR]}]
    clues += [f"LC {w}" for w in {*left_class[:NEAR]}] + [f"RC {w}" for w in {*right_class[:NEAR]}]
    clues += [f"{kind} W {w[:5]}" for w in {*left[:6], *right[:6]}]
    return clues + _neighbours(scene, number, kind) + _surroundings(scene, number, kind)


def _written(scene: Scene, number: int, kind: str) -> list[str]:
    written, shape = scene.value(number), scene.numbers[number].shape
    clues = [f"shape {shape}", f"first {written[0] if not written[0].isalnum() else 'w'}"]
    digits = DIGITS.search(written)
    if shape is Shape.FORMULA:
        clues += [f"order {bool(ORDER.match(written))}", f"length {min(len(written) // 5, 6)}"]
        clues += [f"has {mark}" for mark in MARKS_OF_FORMULAS if mark in written]
    elif digits:
        clues += [f"part {kind} {bool(digits[1])}", f"digits {kind} {min(len(digits[0]), 6)}"]
        clues += ["year"] if YEAR.fullmatch(written) else []
        clues += ["one digit"] if len(written) == 1 else []
        clues += ["thousands"] if "," in digits[0] else []
    return clues


def _neighbours(scene: Scene, number: int, kind: str) -> list[str]:
    """The numbers before and after in the sentence, and what stands between: `93% vs. 89%`, `from 3 to 5`."""
    this, spot = scene.numbers[number], scene.spots[number]
    clues = []
    for other in _near(scene, number):
        candidate = scene.numbers[other]
        if candidate is not this and candidate.start <= this.start and this.end <= candidate.end:
            clues.append("inner")
        if candidate is not this and this.start <= candidate.start and candidate.end <= this.end:
            clues.append("outer")
        there = scene.spots[other]
        if there.sentence != spot.sentence:
            continue
        side, between = ("prev", scene.keys[there.after : spot.first]) if there.after <= spot.first else ("next", ())
        if there.first >= spot.after:
            between = scene.keys[spot.after : there.first]
        if between and len(between) <= FAR and unit(scene, other) == kind:
            clues += [f"{side} {w}" for w in {*between}] + [f"{side} same"]
    return clues


def _near(scene: Scene, number: int) -> range:
    """The numbers around one: a sentence has no more, and a long text must not cost its square."""
    return range(max(0, number - WINDOW), min(len(scene.numbers), number + WINDOW + 1))


def _surroundings(scene: Scene, number: int, kind: str) -> list[str]:
    spot = scene.spots[number]
    begin, end = scene.sentences[spot.sentence]
    inside = [scene.keys[i] for i in range(spot.first, spot.after) if scene.items[i].entity >= 0]
    types = {k for k in scene.keys[begin:end] if k in ("<Metric>", "<Dataset>")}
    roles = {scene.entities[i.entity].role for i in scene.items[begin:end] if i.entity >= 0}
    near = _near(scene, number)
    percents = sum(scene.spots[n].sentence == spot.sentence and "%" in scene.value(n) for n in near)
    clues = [f"in {k}" for k in inside[:1]] + [f"{kind} with {t}" for t in types]
    clues += [f"{kind} with proposal"] if Role.PROPOSES in roles else []
    clues += [f"percents {kind} {min(percents, 3)}", f"last {min(3, len(scene.sentences) - 1 - spot.sentence)}"]
    clues.append(f"quarter {kind} {4 * scene.numbers[number].start // max(1, len(scene.text.clean))}")
    listed = scene.numbers_listed.get(number)
    return [*clues, f"list {min(3, listed.length)}", f"list {kind}"] if listed and listed.length > 1 else clues


def relation(scene: Scene, number: int, item: int, last: int, kind: str) -> list[str]:
    """Clues on how the items `item` to `last` stand to a number; `kind` keeps the types' clues apart."""
    spot = scene.spots[number]
    if (away := scene.items[item].sentence - spot.sentence) != 0:
        return [f"{kind} sentence {max(-3, min(2, away))}"]
    side, start, stop = "R", spot.after, item
    if last < spot.first:
        side, start, stop = "L", last + 1, spot.first
    elif item < spot.after:
        side, start, stop = "I", 0, 0
    name, keys, classes = kind + side, scene.keys[start:stop], scene.classes[start:stop]
    distance = len(keys)
    clues = [f"{name} d{distance if distance < 6 else 6 + min(distance // 4, 6)}"]
    for what, count in (
        ("#", keys.count("#")),
        ("same", keys.count(f"<{kind}>" if kind != "words" else "<Metric>")),
        ("named", sum(k[0] == "<" for k in keys)),
        (",", keys.count(",")),
        ("and", keys.count("and")),
    ):
        clues.append(f"{name} {what} {min(count, 3)}")
    clues.append(f"{name} stops {''.join(k for k in keys if k in ',;:().—–')[:4]}")
    if 0 < distance <= 6:
        clues += [f"{name} is {' '.join(keys)}", f"{name} isc {' '.join(classes)}"]
    if distance:
        clues += [
            f"{name} b0 {keys[0]}",
            f"{name} b9 {keys[-1]}",
            f"{name} c0 {classes[0]}",
            f"{name} c9 {classes[-1]}",
        ]
        clues.append(f"{name} c09 {classes[0]} {classes[-1]}")
    clues += [f"{name} b {k}" for k in {*keys[:FAR]}] + [f"{name} c {k}" for k in {*classes[:FAR]}]
    beyond = slice(spot.after, spot.after + 2) if side == "L" else slice(max(0, spot.first - 2), spot.first)
    clues += [f"{name} o {' '.join(scene.keys[beyond])}", f"{name} oc {' '.join(scene.classes[beyond])}"]
    return clues + _aligned(scene, number, item, kind)


def _aligned(scene: Scene, number: int, item: int, kind: str) -> list[str]:
    """`A and B … 3% and 4%`: the same place in lists of one length, or not."""
    ours, theirs = scene.numbers_listed.get(number), scene.mentions_listed.get(item)
    if not ours or not theirs or ours.length < 2 or theirs.length < 2:
        return []
    return [f"{kind} aligned {ours.place == theirs.place if ours.length == theirs.length else 'other length'}"]
