r"""What stands right beside a number and settles by itself what it is, so that no classifier is asked.

- `is_old`: the number is what a result is compared with: `from 80.16\%`, `(compared to 43.91\% …`, `vs. 58.5\%`,
  `improving the best known rate of $O(n^2)$`.
- `condition`: the bracket behind a value that says when it holds: `37\% (PBE), 33\% (SCAN)`.
- `LINK`: what is between a measure and its number where the two belong together: `an F1 of 0.9`, `R^2=0.998`.
- `changed`: the end of what is changed by, or to, the number: `reduces peak memory by 39.7\%`.
- `goes_on`: a list of values with a condition each, which all measure the same: `37\% (PBE), 33\% (SCAN)`.
- `is_averaged`: a word before a metric that is no part of its name: `mean accuracy`, but not `mean squared error`.

How far that goes was counted in the training abstracts: of 90 numbers that `is_old`, 64 are a baseline's value and 2 a
result; of 24 results with such a bracket, one has its measure in it; a metric behind its number (`18.46% OMR-NED`)
is the measure of 306 in 311, one before `LINK` of 116 in 120, one that is `changed` of 60 in 60; an average that is no
part of a name is left off 73 metrics, and is part of 7.
"""

from __future__ import annotations

import re

OLD = re.compile(
    r"(?<!ranging )(?<!ranges )(?<!range )(?<!ranged )\b(?:from|compared (?:to|with)|versus|vs\.?|instead of|"
    r"surpassing|as opposed to|in contrast to)(?: the| an?)?"
    r"(?: (?:previous|prior|baseline|original|initial|best|just|only|about))*[ (~≈]*$|"
    r"\bimprov\w+ (?:up)?(?:on |over )?(?:the|an?) (?:(?!to\b|by\b)\w+[ -]+){0,5}(?:of )?$",
    re.IGNORECASE,
)
FROM = re.compile(r"(?<!down )(?<!up )\bfrom(?: (?!to\b)\w+){0,3}[ (~≈]*$", re.IGNORECASE)
REACH = 64
CONDITION = re.compile(r"\s?\(([^()]{1,60})\)")
NO_CONDITION = re.compile(
    r"(?:compared|down|up|vs|versus|from|than|e\.?\s?g|i\.?\s?e|see|fig|tab|sec|eq|cf|respectively|whereas|while|"
    r"instead|representing|ignoring|modulo|or|and|significantly|on average)\b|p\s?[<=>≤]|[^\w\\$]|"
    r"[0-9][0-9.,]*\s?(?![\w-])|[0-9][0-9.,]*\s?[%×]|.*(?:\bet al\b|\b(?:19|20)[0-9]{2}\b|[0-9]\s?[%×])",
    re.IGNORECASE,
)
CIRCUMSTANCE = re.compile(
    r"(?:\s(?!(?:and|or|than|over|by|from|to|of|compared|against|while|whereas|which|that|on|for|in|under|at|when)\b)"
    r"[\w@%-]+){0,3}\s(?:on|for|in|under|at|when)\s(?:(?:the|a|an|our|both|all)\s)?(?P<words>"
    r"(?!(?:terms|average|comparison|less|addition|total|order|par|contrast|case|which|it|them)\b)[^\W\d][^,;.()]{1,70}?)"
    r"(?=\s?(?:[,;(]|\.(?![0-9]))|\sand\s(?:by\b|of\b|up\b|[~<>≤≥≈+-]?[0-9])|\s(?:down|up|while|whereas|compared|against|over|versus|vs|respectively|by|than|"
    r"relative|outperforming|surpassing|without|using|which|where|and achiev\w+)\b|$)"
)
AVERAGES = frozenset("mean average averaged median overall".split())
NAMES_OF_AVERAGES = frozenset(
    "squared square absolute average per percentage reciprocal intersection opinion precision score scores reward "
    "error errors rank ranking treatment causal".split()
)
BY = re.compile(
    r"\s(?:by|to|from\s\S+(?:\s\w+)?\sto)(?:\s(?:up|to|at|least|most|over|nearly|almost|an?|average|about|of|around|"
    r"roughly|approximately|more|less|than|as|much|relative|factor|just|only))*\s$"
)
CHANGING = re.compile(
    r"\b(?:reduc|decreas|increas|lower|rais|boost|enhanc|shorten|cut)\w*\s(?:(?:the|its|their|our|both|average|mean)\s)*$",
    re.IGNORECASE,
)
GOES_ON = re.compile(r"\s?(\([^()]{1,60}\))\s?[,;]?\s?(?:(?:and|or)\s)?(?:by\s)?")
LINK = re.compile(r"\s?(?:of|=|≈|:|is)\s?")


def is_old(clean: str, start: int) -> bool:
    r"""Whether the number that starts here is an earlier or another's value, not a result.

    >>> is_old("reduces it from 80%", 16), is_old("64% (down from 80%)", 15), is_old("ranging from 3%", 13)
    (True, True, False)
    """
    return OLD.search(clean, max(0, start - REACH), start) is not None


def is_old_of_next(clean: str, start: int) -> bool:
    """Whether the number that starts here is the old value of a number to come: `from 80% to 64%`, not `vs. 64%`.

    >>> is_old_of_next("reduces it from 80% to 64%", 16), is_old_of_next("64% (down from 80%)", 15)
    (True, False)
    """
    return FROM.search(clean, max(0, start - REACH), start) is not None


def condition(clean: str, end: int) -> tuple[int, int] | None:
    """Where it is said under what condition the value that ends here holds; None where that is not said.

    >>> text = "by 37% (PBE), from 50% (2.5 days) to 20% (down from 60%)"
    >>> [condition(text, at) for at in (6, 17, 40)], text[8:11]
    ([(8, 11), None, None], 'PBE')
    """
    found = CONDITION.match(clean, end)
    return None if found is None or NO_CONDITION.match(found[1].strip()) else found.span(1)


def circumstance(clean: str, end: int) -> tuple[int, int] | None:
    """Where words behind a value say on or for what it holds, up to the next clause or value; None where none do.

    >>> text = "81% for sunny pixels and 99% on the others, while"
    >>> [text[slice(*circumstance(text, end))] for end in (3, 28)], circumstance("3% over it", 2)
    (['sunny pixels', 'others'], None)
    """
    found = CIRCUMSTANCE.match(clean, end)
    return found.span("words") if found else None


def is_averaged(word: str, next_word: str) -> bool:
    """Whether a word is an average of the metric that the next word begins, and no part of its name.

    >>> is_averaged("mean", "accuracy"), is_averaged("Mean", "squared"), is_averaged("top", "accuracy")
    (True, False, False)
    """
    return word.lower() in AVERAGES and next_word.lower() not in NAMES_OF_AVERAGES


def changed(clean: str, start: int) -> int:
    """Where the thing ends that is changed by, or to, the number that starts here; -1 where nothing is.

    >>> changed("It reduces memory by up to 39%", 27), changed("It has 39%", 7)
    (17, -1)
    """
    found = BY.search(clean, max(0, start - REACH), start)
    return found.start() if found else -1


def is_changing(clean: str, start: int) -> bool:
    """Whether a verb of change stands before the thing that starts here.

    >>> is_changing("It reduces the memory", 15), is_changing("It outperforms BERT", 15)
    (True, False)
    """
    return CHANGING.search(clean, max(0, start - REACH), start) is not None


def goes_on(clean: str, end: int, start: int) -> bool:
    """Whether nothing but a condition is between a value that ends and the next, which then measures the same.

    >>> goes_on("37% (PBE), 33% (SCAN)", 3, 11), goes_on("37% (from 60%), 33%", 3, 16)
    (True, False)
    """
    return condition(clean, end) is not None and GOES_ON.fullmatch(clean, end, start) is not None
