"""Which concept a phrase means, of one type: those of the papers, then those that only the map of the field has.

A concept is found by its label; by another of its names only where that says the same, for names that papers use for
one thing differ more than names for one kind: `map` is no name of maximum a posteriori, nor `time` of time complexity.
A name says the same as the label if

1. it is worded alike (`kg.wording`), but for a word at the end that it adds to the label (`diffusion model`)
   or the label to a name (`LSTM network`);
2. or it is a short form, in these very letters, of the label, or the label is one of it.

Where two concepts could be meant, the one that is called so comes first, then the one that more papers name.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from kg import vocab
from kg.concepts.known import Index as Known
from kg.concepts.slugs import slug_of
from kg.field import FieldConcept, FieldMap
from kg.names import is_short, key, plainly, short_key, stands_for, words
from kg.records import Concept, EntityType
from kg.structure.links import AREA, Node
from kg.structure.phrases import lists
from kg.wording import keys, wording

NOTHING_KNOWN = Known()
HASHED = "_"  # in a slug, before what tells it from others


class Index:
    """Finds nodes by type and phrase; `mapped` are the concepts of the map that corpus concepts are."""

    def __init__(self, concepts: Iterable[tuple[Node, Concept]], field: FieldMap | None) -> None:
        self._found: dict[tuple[str, str], Node] = {}
        self._forms: dict[tuple[str, str], tuple[str, Node]] = {}
        self.mapped: dict[Node, FieldConcept] = {}
        self.of_map: dict[tuple[EntityType | None, str], Node] = {}
        ordered = sorted(concepts, key=lambda placed: (-len(placed[1].members), placed[0]))
        self.called = {node: concept.label for node, concept in ordered}
        for node, concept in ordered:
            self._found.setdefault((node.kind, key(concept.label)), node)
        for node, concept in ordered:
            for form in alike(concept):
                self._add(node, form)
        if field:
            self._match(ordered, field)
            self._add_map(field)

    def find(self, kind: str, phrase: str) -> Node | None:
        """Give the node that a phrase means; None where nothing is called so, or it says too little to be a kind."""
        name = key(phrase)
        if name in lists().hollow and not is_short(phrase):
            return None
        if found := self._found.get((kind, name)):
            return found
        form, node = self._forms.get((kind, name), ("", None))
        return node if not is_short(form) or short_key(form) == short_key(phrase) else None

    def node(self, concept: FieldConcept) -> Node:
        """Give the node of a concept of the map."""
        return self.of_map[concept.type, concept.label]

    def _add(self, node: Node, form: str) -> None:
        self._forms.setdefault((node.kind, key(form)), (form, node))

    def _match(self, concepts: Iterable[tuple[Node, Concept]], field: FieldMap) -> None:
        """Say which concepts of the papers are in the map; of several that are one there, the first has its place."""
        matches = [(node, found) for node, concept in concepts if (found := _in_map(concept, field))]
        matches.sort(key=lambda match: key(self.called[match[0]]) != key(match[1].label))
        for node, found in matches:
            self.mapped[node] = found
            self.of_map.setdefault((found.type, found.label), node)

    def _add_map(self, field: FieldMap) -> None:
        taken = {*self.called}
        for concept in field.concepts:
            kind = concept.type.lower() if concept.type else AREA
            if (concept.type, concept.label) not in self.of_map:
                slug = slug_of(words(concept.label), NOTHING_KNOWN) if concept.type else vocab.slug(concept.label)
                node = Node(
                    kind, slug if Node(kind, slug) not in taken else f"{slug}_{vocab.digest(concept.label)[:8]}"
                )
                taken.add(node)
                self.of_map[concept.type, concept.label] = node
            node = self.node(concept)
            self.called.setdefault(node, concept.label)
            self._found.setdefault((kind, key(concept.label)), node)
            for alias in concept.aliases:
                self._add(node, alias)


def alike(concept: Concept) -> Iterator[str]:
    """Give the other names of a concept that say the same as its label, by name.

    >>> names = ("LMs", "LM", "lm models", "text model")
    >>> list(alike(Concept("x", EntityType.MODEL, "language model", names, ())))
    ['LMs', 'LM']
    """
    return (form for form in concept.alternatives if _says_the_same(form, concept.label))


@lru_cache(maxsize=1 << 16)
def _says_the_same(form: str, label: str) -> bool:
    a, b = words(form), words(label)
    if not a or not b:
        return False
    if is_short(form) or is_short(label):
        abbreviates = stands_for(form, label) or stands_for(label, form) or key(form) == key(label)
        return abbreviates or (a == b[:-1] and b[-1] in wording().heads)
    if a[:-1] == b and a[-1] in wording().heads:
        return True
    if a == b[:-1] and b[-1] in wording().heads:
        return not plainly(form).islower() or b[-1] not in ("model", "network")
    return bool(set(keys(a)) & set(keys(b)))


def _in_map(concept: Concept, field: FieldMap) -> FieldConcept | None:
    """Find a concept in the map by its names, or by the one that its slug is made of (`positional-encoding`)."""
    for name in (concept.label, *alike(concept), *([] if HASHED in concept.slug else [concept.slug])):
        if found := field.find(name, concept.type):
            return found
    return None
