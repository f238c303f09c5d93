"""English names of things: where their head is, and what a name without its first or last words still says.

1. The head of a noun phrase is its last word (`graph neural *network*`); behind it stands what a preposition begins
   (`*reinforcement learning* from human feedback`).
2. A name without its first words is broader (`image segmentation` → `segmentation`), unless these words can't be left
   out: not from within a compound with hyphens (`semi-supervised learning` isn't supervised), not after an adverb or a
   word that denies or belongs to the next one (`weakly supervised`, `fake news`, `vision language`), and not where the
   first word says what is done to the rest (`learning a map`).
3. A name without what follows its head is broader, too.
4. A name with a version, a size or a tuning at its end is a variant of what it is without (`GPT-2 Small`, `GPT-2`).

Words that no rule tells are data (`kg/data/structure.tsv`).
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from kg.names import key, plainly, tokens

SEVERAL = re.compile(r"[,/&;]| and | or | vs\.? | versus | meets? | empowers? ", re.IGNORECASE)
BASED = re.compile(r"(.+)-based (?:model|network|architecture)s?", re.IGNORECASE)
VERSION = re.compile(r"v?\d+(?:\.\d+)*[a-z]{0,2}|\d+x\d+[bm]|[bslhgtm]\d*|\++", re.IGNORECASE)
GLUED = re.compile(r"([A-Za-z][A-Za-z-]*?[A-Za-z])-?v?\d+(?:\.\d+)*[a-zKM]?")
LETTERED = re.compile(r"(.*\D\d+(?:\.\d+)?)[a-zV]")
PLUSSED = re.compile(r"(.*\w)\+{1,2}")


@dataclass(frozen=True, slots=True)
class Lists:
    """The data of `structure.tsv`, by kind."""

    prepositions: frozenset[str]
    bound: frozenset[str]
    compounds: frozenset[tuple[str, ...]]
    gerunds: frozenset[str]
    hollow: frozenset[str]
    nouns: frozenset[str]
    tails: frozenset[str]
    apart: frozenset[tuple[str, str]]


@lru_cache(maxsize=1)
def lists() -> Lists:
    """Read `kg/data/structure.tsv` once."""
    rows: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for line in files("kg").joinpath("data/structure.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, word, other = line.split("\t")
            rows[kind].append((word, other))
    of = {kind: frozenset(word for word, _ in pairs) for kind, pairs in rows.items()}
    return Lists(
        of["preposition"],
        of["bound"],
        frozenset(tuple(compound.split()) for compound in of["compound"]),
        of["gerund"],
        frozenset(map(key, of["hollow"])),
        of["noun"],
        of["tail"],
        frozenset((key(narrow), key(broad)) for narrow, broad in rows["apart"]),
    )


def kinds(name: str) -> Iterator[str]:
    """Give the broader names that a name holds, the nearest first.

    >>> list(kinds("offline multi-agent reinforcement learning"))
    ['multi-agent reinforcement learning', 'reinforcement learning', 'learning']
    >>> list(kinds("semi-supervised learning from noisy labels"))
    ['learning from noisy labels', 'semi-supervised learning', 'learning']
    """
    said = (plain := plainly(name)).split()
    if SEVERAL.search(plain) or not said or said[0].casefold() in lists().gerunds:
        return
    end = next((n for n, w in enumerate(said) if n and w.casefold() in lists().prepositions), len(said))
    starts = [n for n in range(1, end) if _may_start(said, n)]
    if end < len(said):
        yield from (" ".join(said[n:]) for n in starts)
    yield from (" ".join(said[n:end]) for n in ([0] if end < len(said) else []) + starts)
    if found := BASED.fullmatch(plain):
        yield found[1]


def _may_start(said: list[str], n: int) -> bool:
    """Say whether the words from the nth on are a kind of thing without those before."""
    before, first = said[n - 1].casefold(), said[n].casefold()
    adverb = before.endswith("ly") and before not in lists().nouns
    bound = adverb or before in lists().bound or before.endswith("-")
    return not bound and (before.rpartition("-")[2], first) not in lists().compounds and first[0].isalnum()


def bases(name: str, *, model: bool = True) -> Iterator[str]:
    """Give the names of which a name may be a version or a size, the nearest first; a model may be a tuning, too.

    >>> list(bases("Llama-3.1-8B-Instruct")), list(bases("GPT-4o")), list(bases("YOLOv5")), list(bases("U-Net++"))
    (['Llama 3.1 8B', 'Llama 3.1', 'Llama'], ['GPT-4', 'GPT'], ['YOLO'], ['U-Net'])
    """
    plain = plainly(name)
    for pattern in (PLUSSED, LETTERED):
        if found := pattern.fullmatch(plain):
            yield found[1]
    written = [w for w, _ in tokens(name)]
    while len(written) > 1 and ((model and written[-1].casefold() in lists().tails) or VERSION.fullmatch(written[-1])):
        written.pop()
        if _is_proper(" ".join(written)):
            yield " ".join(written)
    if len(written) == 1 and (found := GLUED.fullmatch(written[0])) and len(found[1]) > 2 and _is_proper(found[1]):
        yield found[1]


def _is_proper(name: str) -> bool:
    return len(name) > 1 and not name.islower() and any(c.isalpha() for c in name)
