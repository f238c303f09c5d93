"""Where a name is found among the groups of a corpus, however it is worded."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from kg.concepts.reading import Reading
from kg.groups import Groups
from kg.names import is_short, short_key, words
from kg.wording import Words, keys


@dataclass(frozen=True, slots=True)
class Places:
    """Groups by the comparison keys of their names, and by the short forms that are all an entity is called."""

    groups: Groups
    by_key: Mapping[str, str]
    by_short: Mapping[str, str]

    def of(self, name: str) -> str:
        """The group of a surface form, or "" if no paper has it."""
        if is_short(name) and short_key(name) in self.by_short:
            return self.by_short[short_key(name)]
        return self.worded(words(name))

    def worded(self, name: Words) -> str:
        """The group of a name by its folded words, or ""."""
        found = (self.by_key.get(k) for k in keys(name))
        return next((self.groups.of(text) for text in found if text is not None), "")


def short_forms(readings: Sequence[Reading], groups: Sequence[str]) -> dict[str, str]:
    """For each short form, the group of most of the entities that are called nothing else."""
    counts: dict[str, Counter[str]] = defaultdict(Counter)
    for reading, group in zip(readings, groups, strict=True):
        if all(map(is_short, reading.forms)):
            counts[short_key(reading.forms[0])][group] += 1
    return {short: min(c, key=lambda g: (-c[g], g)) for short, c in counts.items()}
