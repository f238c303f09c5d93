"""Which way is better, as far as the map of the field or the words around a number say so.

1. The map of the field knows the direction of common metrics (`higher_is_better`).
2. Of a measure that is itself a gain (`faster`, `speedup`, `reduction`), more is better.
3. What the paper's own proposal reduces is better lower, what it boosts higher; where a text calls a change an
   improvement, its values tell.

A rise or a fall alone says nothing: latency rises, too. No answer is better than a wrong one, so most have none.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import lru_cache

from kg.field import read_map
from kg.records import EntityType

GAIN = re.compile(
    r"\b(?:faster|speed-?ups?|acceleration|improvements?|gains?|boosts?|better|reductions?|savings?|fewer|cheaper|"
    r"compression|smaller|shorter|less|lower)$",
    re.IGNORECASE,
)
NO_LIMIT = r"\b(?! than\s*$)"  # `by more than 3%` is no rise
CUE = re.compile(
    rf"(?P<less>\b(?:reduc|lower|cut(?:s|ting)?\b|(?:fewer|less){NO_LIMIT}|sav(?:e|es|ing|ings)\b|shrink|"
    r"smaller|shorter)|↓)|"
    r"(?P<fall>\b(?:decreas|drop|degrad|declin|fall|fell|los(?:e|es|ing)\b|worse|slower))|"
    rf"(?P<more>\b(?:increas|higher|larger|greater|rais|rise|grow|more{NO_LIMIT})|↑)|"
    r"(?P<gain>\b(?:improv|outperform|surpass|exceed|gain|better|faster|speed|beat|superior|accelerat))|"
    r"(?P<boost>\bboost)",
    re.IGNORECASE,
)
DOWN = ("less", "fall")


def cue(before: str, after: str) -> str:
    """What the nearest telling word says: `less`, `fall`, `more`, `gain`, or nothing.

    >>> cue("improves accuracy by 3% and reduces latency by ", "."), cue("at ", " lower cost"), cue("of ", "")
    ('less', 'less', '')
    """
    if found := CUE.match(after.lstrip()):
        return found.lastgroup or ""
    return next((found.lastgroup or "" for found in reversed([*CUE.finditer(before)])), "")


def sign(value: str) -> str:
    """What the sign of a value says of its direction.

    >>> sign("+5 points"), sign(r"$-3.2$"), sign("5%")
    ('more', 'fall', '')
    """
    first = value.lstrip("$( ")[:1]
    return "more" if first in ("+", "↑") else "fall" if first in ("-", "−", "↓") else ""


def higher_is_better(names: Iterable[str], said: str, *, proposed: bool, value: str, baseline: str) -> bool | None:
    """Whether more of a measure is better, by any of its names; None where neither the map nor the text says so.

    `said` is the cue; `proposed`: the result is of what the paper proposes; `value` and `baseline` are decimals or "".

    >>> higher_is_better(["speedup"], "", proposed=False, value="28", baseline="")
    True
    >>> higher_is_better(["OMR-NED"], "gain", proposed=True, value="63.97", baseline="80.16")
    False
    """
    names = tuple(names)
    known = next((direction for name in names if (direction := known_direction(name)) is not None), None)
    if known is not None:
        return known
    if any(map(is_gain, names)):
        return True
    if said == "gain" and value and baseline and Decimal(value) != Decimal(baseline):
        return Decimal(value) > Decimal(baseline)
    return said == "boost" if said in ("less", "boost") and proposed else None


def is_improvement(higher: bool | None, said: str, *, is_gain: bool, value: str, baseline: str) -> bool | None:
    """Whether a change is for the better; None where that is not known.

    >>> is_improvement(True, "fall", is_gain=False, value="", baseline="")
    False
    >>> is_improvement(False, "", is_gain=False, value="63.97", baseline="80.16")
    True
    """
    if higher is not None and value and baseline and Decimal(value) != Decimal(baseline):
        return (Decimal(value) > Decimal(baseline)) is higher
    if is_gain or said in ("gain", "boost"):
        return True
    if higher is None or not said:
        return None
    return (said not in DOWN) is higher


def is_gain(metric: str) -> bool:
    """Whether a measure is itself a gain, such as a speedup.

    >>> is_gain("wall-time speedup"), is_gain("accuracy")
    (True, False)
    """
    return GAIN.search(metric) is not None


@lru_cache(maxsize=10_000)
def known_direction(metric: str) -> bool | None:
    """What the map of the field says of a metric, or of its head: of accuracy for rank-1 accuracy.

    >>> known_direction("rank-1 accuracy"), known_direction("wobble")
    (True, None)
    """
    words = metric.split()
    heads = (" ".join(words[at:]) for at in range(len(words)))
    found = next((c for head in heads if (c := read_map().find(head, EntityType.METRIC))), None)
    return found.higher_is_better if found else None
