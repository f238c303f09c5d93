"""Many links to few: one for each pair, no cycle, nothing that a path of others says already.

1. One link for each narrow and broad concept: the sources together, the chance that not all of them are wrong.
2. From the surest link to the least sure one, equal ones by name: a link that would close a cycle is left out. So the
   outcome depends on the links, not on their order.
3. A link from A to C is left out where others lead from A by B to C: what is left is the transitive reduction, which is
   one and the same for a graph without cycles. Source: Aho, Garey, Ullman 1972.

Chains are a few links long, so each step looks at a few concepts only.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from itertools import chain
from math import prod

from kg.structure.links import Broader, Node

SUREST = 0.99

Above = Mapping[Node, list[Node]]


def tidy(links: Iterable[Broader]) -> tuple[Broader, ...]:
    """Reduce links to a directed graph without cycles and short cuts, sorted."""
    return _without_short_cuts(_without_cycles(_joined(links)))


def ancestors(node: Node, above: Above) -> set[Node]:
    """All that is broader than a node, by any path.

    >>> a, b, c = (Node("task", x) for x in "abc")
    >>> sorted(ancestors(a, {a: [b], b: [c]})) == [b, c]
    True
    """
    found: set[Node] = set()
    ahead = list(above.get(node, ()))
    while ahead:
        if (at := ahead.pop()) not in found:
            found.add(at)
            ahead += above.get(at, ())
    return found


def above_of(links: Iterable[Broader]) -> dict[Node, list[Node]]:
    """For each narrow concept those right above it."""
    above: dict[Node, list[Node]] = defaultdict(list)
    for link in links:
        above[link.narrow].append(link.broad)
    return dict(above)


def _joined(links: Iterable[Broader]) -> list[Broader]:
    """One link for each pair of concepts that are two."""
    pairs: dict[tuple[Node, Node], list[Broader]] = defaultdict(list)
    for link in links:
        if link.narrow != link.broad:
            pairs[link.narrow, link.broad].append(link)
    return [these[0] if len(these) == 1 else _one(sorted(these)) for these in pairs.values()]


def _one(these: list[Broader]) -> Broader:
    first = these[0]
    return Broader(
        first.narrow,
        first.broad,
        tuple(sorted({source for link in these for source in link.sources})),
        max(min(SUREST, 1 - prod(1 - link.confidence for link in these)), *(link.confidence for link in these)),
        max(link.papers for link in these),
        tuple(chain.from_iterable(link.evidence for link in these)),
    )


def _without_cycles(links: list[Broader]) -> list[Broader]:
    kept: list[Broader] = []
    above: dict[Node, list[Node]] = defaultdict(list)
    for link in sorted(links, key=lambda link: (-link.confidence, -link.papers, link)):
        if link.narrow not in ancestors(link.broad, above):
            above[link.narrow].append(link.broad)
            kept.append(link)
    return kept


def _without_short_cuts(links: list[Broader]) -> tuple[Broader, ...]:
    above = above_of(links)
    longer = {
        (narrow, far)
        for narrow, parents in above.items()
        if len(parents) > 1
        for parent in parents
        for far in ancestors(parent, above).intersection(parents)
    }
    return tuple(sorted(link for link in links if (link.narrow, link.broad) not in longer))
