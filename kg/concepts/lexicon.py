"""What the short forms of the whole corpus stand for, and names with those inside them spelled out.

1. Each paper's own pairs count for that paper, whatever the others say.
2. For the corpus, a short form stands for the long form that most papers give it, if at least two papers do and no more
   than one in five disagrees; what is known beforehand counts like a few papers. Differently worded long forms are
   taken together by their comparison keys.
3. Inside a longer name a short form is spelled out (`LLM agent`, `VideoQA`); a name that is nothing but a short form
   isn't: what that stands for is decided by its paper (`kg.concepts.senses`).
"""

from __future__ import annotations

import re
from collections import ChainMap, defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from math import fsum

from kg.concepts.reading import Corpus
from kg.names import is_short, short_key, tokens, words
from kg.wording import Words, content_key, wording

LEAST_PAPERS = 2
LEAST_SHARE = 0.8
COMPOUND = re.compile(r"([A-Z][a-z]{3,})([A-Z]{2,})s?")


@dataclass(slots=True)
class Lexicon:
    """Short form → the words of what it stands for: by paper, and for the corpus.

    `agreed` are the comparison keys of what short forms mean to everybody: no count enters, so that IRIs stay.
    """

    by_paper: dict[str, dict[str, Words]]
    common: dict[str, Words]
    agreed: dict[str, str]
    cache: dict[str, Words]

    def words(self, surface: str, paper: str) -> Words:
        """Give the folded words of a name in a paper, short forms inside it spelled out."""
        own = self.own(surface, paper)
        if own:
            return _spelled(surface, ChainMap(own, self.common), compounds=True)
        found = self.cache.get(surface)
        if found is None:
            found = self.cache[surface] = _spelled(surface, self.common, compounds=True)
        return found

    def written(self, surface: str, paper: str) -> Words:
        """Give the folded words of a name; a word that means something to its paper alone is spelled out."""
        own = {s: long for s, long in self.own(surface, paper).items() if content_key(long) != self.agreed.get(s)}
        return _spelled(surface, own, compounds=False) if own else words(surface)

    def own(self, surface: str, paper: str) -> dict[str, Words]:
        """The short forms that the paper itself spells out, if the name may have one of them."""
        own = self.by_paper.get(paper, {})
        return own if any(short in surface for short in own) else {}


def lexicon(corpus: Corpus, known: Mapping[str, Mapping[Words, float]]) -> Lexicon:
    """Learn the short forms of a corpus; `known` is what they stand for elsewhere, with weights."""
    by_paper = {paper: {s: words(long) for s, long in pairs.items()} for paper, pairs in corpus.defined.items()}
    longs: dict[str, dict[Words, float]] = defaultdict(lambda: defaultdict(float))
    for pairs in by_paper.values():
        for short, long in pairs.items():
            longs[short][long] += 1
    for short, senses in known.items():
        for long, weight in senses.items():
            longs[short][long] += weight
    dominant = {short: found for short, counts in longs.items() if (found := _dominant(counts))}
    common = {short: long for short, (long, weight) in dominant.items() if weight >= LEAST_PAPERS}
    return Lexicon(by_paper, common, _agreed(longs, known), {})


def _agreed(longs: Mapping[str, Mapping[Words, float]], known: Mapping[str, Mapping[Words, float]]) -> dict[str, str]:
    """What short forms mean to everybody: by what is known beforehand, else by all papers without exception."""
    agreed = {}
    for short, counts in longs.items():
        elsewhere = _dominant(known[short]) if short in known else None
        meanings = {content_key(elsewhere[0])} if elsewhere else {content_key(long) for long in counts}
        if len(meanings) == 1 and (elsewhere or short not in known):
            agreed[short] = meanings.pop()
    return agreed


def _dominant(counts: Mapping[Words, float]) -> tuple[Words, float] | None:
    """The long form that counts for nearly all papers, in its most frequent wording, and its weight."""
    senses: dict[str, dict[Words, float]] = defaultdict(dict)
    for long, n in counts.items():
        senses[content_key(long)][long] = n
    best = max(senses.values(), key=lambda sense: (fsum(sense.values()), sorted(sense)))
    weight = fsum(best.values())
    if weight < LEAST_SHARE * fsum(counts.values()):
        return None
    return min(best, key=lambda long: (-best[long], long)), weight


def _spelled(surface: str, longs: Mapping[str, Words], *, compounds: bool) -> Words:
    """The folded words of a name of several, its short forms spelled out; with `compounds`, those inside words, too."""
    parts = tokens(surface)
    out: list[str] = []
    for n, (written, folded) in enumerate(parts):
        before, short = _compound(written, folded)
        if before and not compounds:
            before, short = (), ""
        long = longs.get(short) if before or len(parts) > 1 else None
        if long and [long[-1]] != [folded for _, folded in parts[n + 1 : n + 2]]:
            out += (*before, *long)
        else:
            out += (*before, short.casefold()) if before else (folded,)
    return tuple(out)


def _compound(written: str, folded: str) -> tuple[Words, str]:
    """The words before a short form that a written word ends in (`VideoQA`), and that short form, or ""."""
    if not is_short(written) or folded in wording().vendors:
        return (), ""
    found = COMPOUND.fullmatch(written)
    return (words(found[1]), found[2]) if found else ((), short_key(written))
