"""Pairs of a long form and the short form that a paper defines for it, in clean text.

Schwartz and Hearst 2003, "A simple algorithm for identifying abbreviation definitions in biomedical text", on
characters: for each bracketed candidate short form, walk both texts from the right; each letter or digit of the short
form must occur in the long form in order, its first one at the beginning of a word. Where they differ here:

1. a long form never starts just behind a hyphen, so `semi-supervised learning (SSL)` keeps its `semi`, and `$k$-nearest
   neighbour search (kNN)` its `k`;
2. where the initials of the last words spell the short form, that is the long form: the shortest match for `mutual
   information maximization (MIM)` would be its last word;
3. a plural s of the short form is left out of the match: `large language models (LLMs)`;
4. `SHORT (long form)` is read as well, where what is in the brackets has several words.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

BRACKET = re.compile(r"\(([^()]{2,120})\)")
SHORT = re.compile(r"(?=\S*[A-Za-z])[^\W_][\w.+/&-]{1,9}(?: [\w.+-]{1,5})?")
BEFORE = re.compile(r"([^\W_][\w+/&-]{1,11})\s*$")
WORD_START = re.compile(r"(?:^|(?<=[\s(\[“\"'/–—]))[^\s(\[“\"']|(?<=-)[^\W_]")
STOPS = re.compile(r"[.;:!?]\s|[()]")


@dataclass(frozen=True, slots=True)
class Pair:
    """Half-open clean ranges of a long form and of its short form."""

    long: tuple[int, int]
    short: tuple[int, int]


@lru_cache(maxsize=2)
def pairs(text: str) -> tuple[Pair, ...]:
    """Every definition, in the order of the text.

    >>> text = "We use large language models (LLMs), semi-supervised learning (SSL) and MLP (multilayer perceptron)."
    >>> [(text[slice(*p.long)], text[slice(*p.short)]) for p in pairs(text)]
    [('large language models', 'LLMs'), ('semi-supervised learning', 'SSL'), ('multilayer perceptron', 'MLP')]
    """
    found = []
    for bracket in BRACKET.finditer(text):
        pair = _long_before(text, bracket) or _short_before(text, bracket)
        if pair:
            found.append(pair)
    return tuple(found)


def _long_before(text: str, bracket: re.Match[str]) -> Pair | None:
    inside = re.split(r"[,;]| or ", bracket[1])[0].strip(" “”\"'")
    if not SHORT.fullmatch(inside) or not any(c.isupper() for c in inside):
        return None
    end = len(text[: bracket.start()].rstrip())
    letters = sum(c.isalnum() for c in inside)
    window = _window(text, end, min(letters + 5, letters * 2) + 2)
    start = long_start(text[window:end], inside)
    if start is None:
        return None
    at = text.index(inside, bracket.start())
    return Pair((window + start, end), (at, at + len(inside)))


def _short_before(text: str, bracket: re.Match[str]) -> Pair | None:
    before = BEFORE.search(text, max(0, bracket.start() - 14), bracket.start())
    inside = bracket[1].strip()
    if before is None or " " not in inside or sum(c.isupper() for c in before[1]) < 2 or len(inside) <= len(before[1]):
        return None
    if long_start(inside, before[1]) != 0 or any(c in inside for c in ",;:=<>%"):
        return None
    at = bracket.start(1) + bracket[1].index(inside)
    return Pair((at, at + len(inside)), before.span(1))


def _window(text: str, end: int, words: int) -> int:
    """Where the last `words` words before `end` begin, within the clause."""
    left = max((s.end() for s in STOPS.finditer(text, max(0, end - 300), end)), default=max(0, end - 300))
    starts = [m.start() for m in re.finditer(r"\S+", text[left:end])]
    return left + (starts[-words] if len(starts) > words else starts[0] if starts else 0)


def long_start(candidate: str, short: str) -> int | None:
    """Where the long form for `short` begins in `candidate`, which ends with it; None where there is none.

    >>> long_start("trained by graph neural networks", "GNNs")
    11
    >>> long_start("a simple baseline", "XYZ") is None
    True
    """
    letters = [c.casefold() for c in short if c.isalnum()]
    if len(letters) > 2 and letters[-1] == "s" and short.endswith("s") and any(c.isupper() for c in short[:-1]):
        letters.pop()
    words = list(re.finditer(r"[^\s-]+", candidate))[-len(letters) :]
    if [w[0][0].casefold() for w in words] == letters:
        return _whole(candidate, words[0].start())
    starts = {m.start() for m in WORD_START.finditer(candidate)}
    folded = candidate.casefold()
    if len(folded) != len(candidate):
        return None
    at = len(candidate)
    for number, letter in reversed(list(enumerate(letters))):
        at = folded.rfind(letter, 0, at)
        while number == 0 and at > 0 and at not in starts:
            at = folded.rfind(letter, 0, at)
        if at < 0:
            return None
    at = _whole(candidate, at)
    long = candidate[at:]
    if (
        len(long) <= len(short)
        or short.casefold() in re.split(r"[\s-]", long.casefold())
        or long.count(" ") > len(letters) + 4
    ):
        return None
    return at


def _whole(candidate: str, at: int) -> int:
    """Move a start behind a hyphen to the beginning of the hyphenated word."""
    while at and candidate[at - 1] == "-":
        at = max(candidate.rfind(" ", 0, at - 1), candidate.rfind("(", 0, at - 1)) + 1
    return at
