"""Broader links that papers say: `language models such as GPT-4 and LLaMA`, `CHIVI, a variational inference method`.

1. Between two neighbouring mentions of a sentence stands a cue: `such as`, `including`, a bracket, `, a`, `is a` …
   (Hearst 1992). Behind a list cue the mentions that `,` and `and` join belong to the list.
2. A list is taken only behind a plural: `language models (GPT-2, LLaMA)` are kinds, `multi-object tracking (robotics)`
   is something else; in brackets it has at least two members, for one alone is mostly an abbreviation.
3. What is said to be `a Z` counts only if Z is the head: nothing or a word such as `method` follows it, and nothing but
   adjectives stands before it (`a proxy for Z` says something else).
4. Both concepts must be of one type. One paper may err: of a concept that many name, several must say it.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import pairwise, takewhile
from typing import NamedTuple

from kg.names import in_singular, is_short, stands_for
from kg.records import Concept, EntityType, Extraction, Place
from kg.structure.links import Broader, Evidence, Node, Source, node_of

LIST = re.compile(r",?\s*\(?(?:such as|including|includes?|e\.\s?g\.?,?|like|for example,?|namely)\s+(?:the\s+)?")
BRACKET = re.compile(r"\s*\(")
OTHERS = re.compile(r",?\s+(?:and|or)\s+other\s+(?:[a-z-]+\s+)?")
JOINED = re.compile(r",?\s*(?:and|or|&)?\s+(?:the\s+)?|\s*,\s*(?:and|or)?\s*|\s*/\s*")
IS_A = re.compile(
    r"(?:\s*\([\w.+-]+\))?(?:\s*,|\s+is)\s+(?:an?|one|the\s+(?:popular|well-known))\s+"
    r"(?:(?:(?!(?:of|for|in|to|on|with|within|by|from|that|non|and|as|via|using|solving|leveraging|combining|exploiting|"
    r"employing|utilizing|integrating|incorporating|extending|tasks?|problem|method|approach|model|framework|technique|"
    r"algorithm|paradigm|domain|area|extension|alternative|system|step|part)\b)[a-z][a-z-]*\s+){0,3}"
    r"|(?:\w+\s+)?(?:variant|type|form|kind|version|instance|special case|class)\s+of\s+(?:an?\s+|the\s+)?)"
)
AFTER = re.compile(
    r"(?:\s*\([^()]*\))?(?:\s+(?:based\s+)?(?:methods?|algorithms?|techniques?|approach|paradigm|scheme|strategy|"
    r"model|architecture|network|variant|problem|task|benchmark|dataset|metric))?"
    r"(?!(?:\s*\([^()]*\))?,\s+(?:and|an?)\b)\s*(?:$|[.,;:)]|\b(?:that|which|where|whose|for|with|trained|designed|capable|by|from|to|in|on|of|using|and|built|"
    r"developed|specifically|tailored|aimed|aiming|pre-?trained|consisting|comprising|based on)\b)"
)
BEFORE = re.compile(r"(?:\b(?:to|of|for|in|on|with|from|by|than|as|between)|[\w)]-)\s*$", re.IGNORECASE)
SURE_OF_LIST = 0.9
SURE_OF_BRACKET = 0.85
SURE_OF_OTHERS = 0.9
SURE_OF_IS = 0.85
FREQUENT = 10
KEPT = 5


class Saying(NamedTuple):
    """One paper says that one of its entities is a kind of another: their places in the paper, the words, how sure."""

    narrow: int
    broad: int
    evidence: Evidence
    sure: float


class _Mention(NamedTuple):
    start: int
    end: int
    entity: int
    text: str


def sayings(extraction: Extraction) -> tuple[Saying, ...]:
    """Find what one paper says of kinds; its types are not yet looked at."""
    text = extraction.paper.text
    placed = sorted(
        _Mention(m.start, m.end, i, m.text)
        for i, e in enumerate(extraction.entities)
        for m in e.mentions
        if m.place is Place.ABSTRACT
    )
    found = []
    for n, first in enumerate(placed[:-1]):
        gap = text[first.end : placed[n + 1].start]
        if 0 < len(gap) < 60:
            found += [*_listed(text, placed, n, gap), *_others(text, placed, n, gap), *_is_a(text, placed, n, gap)]
    return tuple(
        Saying(a.entity, b.entity, Evidence(extraction.paper.id, (a.start, a.end), (b.start, b.end)), sure)
        for a, b, sure in found
        if a.entity != b.entity
    )


Found = Iterator[tuple[_Mention, _Mention, float]]


def _listed(text: str, placed: list[_Mention], n: int, gap: str) -> Found:
    """The members of a list that follows a kind of things."""
    kind, bracket = placed[n], BRACKET.fullmatch(gap) is not None
    if _is_plural(kind.text) and (bracket or LIST.fullmatch(gap)):
        members = [*_joined(text, placed[n + 1 :])]
        if bracket and (len(members) < 2 or any(_may_abbreviate(m.text, kind.text) for m in members)):
            return
        for member in members:
            if not text.startswith("-", member.end):
                yield member, kind, SURE_OF_BRACKET if bracket else SURE_OF_LIST


def _others(text: str, placed: list[_Mention], n: int, gap: str) -> Found:
    """The members of a list before `and other` things of their kind."""
    kind = placed[n + 1]
    if _is_plural(kind.text) and OTHERS.fullmatch(gap):
        before = [placed[n]]
        for m in reversed(placed[:n]):
            if not JOINED.fullmatch(text[m.end : before[-1].start]):
                break
            before.append(m)
        yield from ((member, kind, SURE_OF_OTHERS) for member in before)


def _is_a(text: str, placed: list[_Mention], n: int, gap: str) -> Found:
    """What is said to be a thing of a kind."""
    one, kind = placed[n], placed[n + 1]
    if (
        IS_A.fullmatch(gap)
        and AFTER.match(text, kind.end)
        and not BEFORE.search(text, max(0, one.start - 12), one.start)
    ):
        yield one, kind, SURE_OF_IS


def _joined(text: str, rest: list[_Mention]) -> Iterator[_Mention]:
    """The first of some mentions, and those that `,` or `and` joins to it."""
    pairs = pairwise(rest)
    yield rest[0]
    yield from (b for _, b in takewhile(lambda pair: JOINED.fullmatch(text[pair[0].end : pair[1].start]), pairs))


def _is_plural(name: str) -> bool:
    return in_singular(name) != name


def _may_abbreviate(short: str, long: str) -> bool:
    return is_short(short) and stands_for(short, long)


def by_text(said: Mapping[str, tuple[Saying, ...]], concepts: Iterable[Concept]) -> Iterator[Broader]:
    """Give the links between concepts that papers say, each once, by what is said of their entities."""
    wanted = {(paper, i) for paper, these in said.items() for s in these for i in (s.narrow, s.broad)}
    of: dict[tuple[str, int], Concept] = {m: c for c in concepts for m in c.members if m in wanted}
    pairs: dict[tuple[Node, Node], dict[str, tuple[float, Evidence]]] = defaultdict(dict)
    members: dict[Node, int] = {}
    for paper in sorted(said):
        for one in said[paper]:
            narrow, broad = of[paper, one.narrow], of[paper, one.broad]
            if narrow.type is broad.type and narrow is not broad and narrow.type is not EntityType.METRIC:
                members[node_of(narrow)] = len(narrow.members)
                pairs[node_of(narrow), node_of(broad)].setdefault(paper, (one.sure, one.evidence))
    for (narrow_node, broad_node), papers in pairs.items():
        if len(papers) > 1 or members[narrow_node] < FREQUENT:
            wrong = 1.0
            for sure, _ in papers.values():
                wrong *= 1 - sure
            evidence = tuple(e for _, e in papers.values())[:KEPT]
            yield Broader(narrow_node, broad_node, (Source.TEXT,), min(0.99, 1 - wrong), len(papers), evidence)
