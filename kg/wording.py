"""What two differently worded names of one thing have in common: comparison keys of a name's words.

1. Phrases that mean the same become the same (`memory footprint`, `memory usage`).
2. The spelling key joins the words and takes the ending of the whole off (`fine-tune`, `finetuning`).
3. The wording key leaves function words and fillers out (`LLM-based agent`), takes heads that are as good as each other
   for one (`algorithm`, `method`), leaves `neural` out before `network` in longer names, and takes endings off every
   word (`estimating`, `estimation`).
4. A name that says `X of Y`, or starts with what is done to the rest (`certifying robustness`), also has the key of the
   order in which a noun phrase has them (`robustness certification`).

Names that share a key mean the same. No key is shared by names that differ in a number, a sign or a modifier. Which
phrases, heads and fillers there are is data (`kg/data/wording.tsv`). A full stemmer (Porter's) would take `modeling` to
`model` and `generative` to `gener`: a language model isn't language modelling.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

from kg.records import EntityType

Words = tuple[str, ...]

ENDINGS = tuple(
    (re.compile(pattern), replacement)
    for pattern, replacement in (
        (r"ific(?:ation|ed|es)$|if(?:ying|ied|y)$", "if"),
        (r"iz(?:ation|ed|ing|e)$", "iz"),
        (r"at(?:ion|ed|ing|e)$", "at"),
        (r"(?<=ct|pt|ss|rt|nt|it|ut|et|st)ion(?:al)?$", ""),
        (r"(?<=[a-z]{2})(bb|dd|gg|ll|mm|nn|pp|rr|tt)(?:ing|ed)$", ""),
        (r"(?<=[a-z]{3})(?:ing|ed|e)$", ""),
        (r"(?<=[a-z]{4})(?:ment|ly)$", ""),
    )
)
DOUBLED = re.compile(r"(?<=[a-z]{2})([bdglmnprt])\1(?:ing|ed)$")
KEEP_ENDING = frozenset(("modeling", "network", "setting", "processing", "string", "being", "building"))


@dataclass(frozen=True, slots=True)
class Wording:
    """The data of `wording.tsv`, by kind."""

    classes: dict[str, str]
    fillers: frozenset[str]
    functions: frozenset[str]
    heads: dict[str, frozenset[EntityType]]
    empty: frozenset[str]
    vendors: frozenset[str]
    phrases: dict[str, tuple[tuple[Words, Words, bool], ...]]


@lru_cache(maxsize=1)
def wording() -> Wording:
    """Read `kg/data/wording.tsv` once."""
    rows: dict[str, dict[str, str]] = defaultdict(dict)
    for line in files("kg").joinpath("data/wording.tsv").read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            kind, word, becomes = line.split("\t")
            rows[kind][word] = becomes
    phrases: dict[str, list[tuple[Words, Words, bool]]] = defaultdict(list)
    for kind in ("same", "inner"):
        for phrase, becomes in rows[kind].items():
            parts = tuple(phrase.split())
            phrases[parts[0]].append((parts, tuple(becomes.split()), kind == "inner"))
    return Wording(
        rows["class"],
        frozenset(rows["filler"]),
        frozenset(rows["function"]),
        {head: frozenset(map(EntityType, types.split())) for head, types in (rows["head"] | rows["telling"]).items()},
        frozenset(rows["head"]),
        frozenset(rows["vendor"]),
        {first: tuple(sorted(rules, key=lambda rule: -len(rule[0]))) for first, rules in phrases.items()},
    )


def reworded(words: Sequence[str]) -> Words:
    """Replace each phrase that has an equal, the longest first, from left to right.

    >>> reworded(("peak", "memory", "footprint")), reworded(("artificial", "neural", "network"))
    (('peak', 'memory', 'usage'), ('neural', 'network'))
    """
    phrases, at = wording().phrases, 0
    out: list[str] = []
    while at < len(words):
        for phrase, becomes, inner in phrases.get(words[at], ()):
            if tuple(words[at : at + len(phrase)]) == phrase and not (inner and at == 0):
                out += becomes
                at += len(phrase)
                break
        else:
            out.append(words[at])
            at += 1
    return tuple(out)


@lru_cache(maxsize=1 << 18)
def keys(words: Words) -> Words:
    """Give the comparison keys of a name's folded words, without repetition.

    >>> set(keys(("rate", "of", "convergence"))) & set(keys(("convergence", "rate")))
    {'convergenc rate'}
    >>> set(keys(("offline", "rl"))) & set(keys(("online", "rl")))
    set()
    """
    said = reworded(words)
    found = {spelling_key(said): None}
    for order in (said, *_noun_orders(said)):
        found[" ".join(map(stem, _content(order)))] = None
    return tuple(k for k in found if k and k != "=")


def spelling_key(words: Sequence[str]) -> str:
    """Give the comparison key that words have by their letters only.

    >>> spelling_key(("fine", "tuned")) == spelling_key(("finetuning",)), spelling_key(("language", "modeling"))
    (True, '=languagemodeling')
    """
    whole = "".join(words)
    return f"={whole if words and words[-1] in KEEP_ENDING else stem(whole)}"


@lru_cache(maxsize=1 << 16)
def content_key(words: Words) -> str:
    """Give the one comparison key that says what a name is made of, in its own order.

    >>> content_key(("estimation", "of", "the", "gradient")), content_key(("llm", "based", "agent"))
    ('estimat gradient', 'llm agent')
    """
    return " ".join(map(stem, _content(reworded(words))))


@lru_cache(maxsize=1 << 18)
def stem(word: str) -> str:
    """Take off the ending that makes a noun or another form of a verb, where enough of the word remains.

    >>> [stem(w) for w in ("estimating", "estimation", "tune", "tuning", "certification", "certifying", "modeling")]
    ['estimat', 'estimat', 'tune', 'tun', 'certif', 'certif', 'modeling']
    """
    if len(word) < 5 or word in KEEP_ENDING or not word.isascii():
        return word
    if DOUBLED.search(word):
        return DOUBLED.sub(r"\1", word)
    for pattern, replacement in ENDINGS:
        if pattern.search(word):
            return pattern.sub(replacement, word)
    return word


def _content(words: Sequence[str]) -> list[str]:
    """The words that count: without function words and inner fillers, heads by their class."""
    data = wording()
    last = len(words) - 1
    kept = [
        data.classes.get(word, word)
        for n, word in enumerate(words)
        if word not in data.functions and not (word in data.fillers and 0 < n < last)
    ]
    return [
        word
        for n, word in enumerate(kept)
        if not (word == "neural" and kept[n + 1 : n + 2] == ["network"] and len(kept) > 2 and kept[n - 1] != "graph")
    ] or list(words)


def _noun_orders(words: Words) -> list[Words]:
    """Other orders of the same words: `Y X` for `X of Y`, the gerund that starts a name last."""
    orders = []
    if words.count("of") == 1 and 0 < words.index("of") < len(words) - 1:
        at = words.index("of")
        orders.append(words[at + 1 :] + words[:at])
    if len(words) > 1 and len(words[0]) > 5 and words[0].endswith("ing"):
        orders.append(words[1:] + words[:1])
    return orders
