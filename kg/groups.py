"""Disjoint groups that grow together: union and find, with the smallest member as the name of a group.

The outcome depends on which unions are made, not on their order. Source: Tarjan 1975.
"""

from __future__ import annotations

from collections import defaultdict


class Groups:
    """Groups of strings; one that was never mentioned is a group of its own.

    >>> groups = Groups()
    >>> groups.join("b", "c"), groups.join("c", "a"), groups.of("b"), groups.of("z")
    ('b', 'a', 'a', 'z')
    """

    __slots__ = ("_parent",)

    def __init__(self) -> None:
        self._parent: dict[str, str] = {}

    def of(self, item: str) -> str:
        """The name of the group of an item."""
        parent, root = self._parent, item
        while (above := parent.get(root, root)) != root:
            root = above
        while item != root:
            item, parent[item] = parent.get(item, item), root
        return root

    def join(self, a: str, b: str) -> str:
        """Make the groups of two items one; returns its name."""
        a, b = self.of(a), self.of(b)
        low, high = (a, b) if a <= b else (b, a)
        self._parent[high] = low
        return low

    def members(self) -> dict[str, list[str]]:
        """Every group of more than one, by its name."""
        found: dict[str, list[str]] = defaultdict(list)
        for item in self._parent:
            found[self.of(item)].append(item)
        return {name: sorted({name, *items}) for name, items in found.items()}
