r"""What stands right beside a number and settles by itself what it is, so that no classifier is asked.

- `is_old`: the number is what a result is compared with: `from 80.16\%`, `(compared to 43.91\% …`, `vs. 58.5\%`,
  `improving the best known rate of $O(n^2)$`.
- `condition`: the bracket behind a value that says when it holds: `37\% (PBE), 33\% (SCAN)`.
- `LINK`: what is between a measure and its number where the two belong together: `an F1 of 0.9`, `R^2=0.998`.
- `is_averaged`: a word before a metric that is no part of its name: `mean accuracy`, but not `mean squared error`.

How far that goes was counted in the training abstracts: of 90 numbers that `is_old`, 64 are a baseline's value and 2 a
result; of 24 results with such a bracket, one has its measure in it; a metric behind its number (`18.46% OMR-NED`)
is the measure of 306 in 311, one before `LINK` of 116 in 120; an average that is none of a name is left off 73 metrics,
and is part of 7.
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
REACH = 64
CONDITION = re.compile(r"\s?\(([^()]{1,60})\)")
NO_CONDITION = re.compile(
    r"(?:compared|down|up|vs|versus|from|than|e\.?\s?g|i\.?\s?e|see|fig|tab|sec|eq|cf|respectively|whereas|while|"
    r"instead|representing|ignoring|modulo|or|and|significantly|on average)\b|p\s?[<=>≤]|[^\w\\$]|"
    r"[0-9][0-9.,]*\s?(?![\w-])|[0-9][0-9.,]*\s?[%×]|.*(?:\bet al\b|\b(?:19|20)[0-9]{2}\b|[0-9]\s?[%×])",
    re.IGNORECASE,
)
AVERAGES = frozenset("mean average averaged median overall".split())
NAMES_OF_AVERAGES = frozenset(
    "squared square absolute average per percentage reciprocal intersection opinion precision score scores reward "
    "error errors rank ranking treatment causal".split()
)
LINK = re.compile(r"\s?(?:of|=|≈|:|is)\s?")


def is_old(clean: str, start: int) -> bool:
    r"""Whether the number that starts here is an earlier or another's value, not a result.

    >>> is_old("reduces it from 80%", 16), is_old("64% (down from 80%)", 15), is_old("ranging from 3%", 13)
    (True, True, False)
    """
    return OLD.search(clean, max(0, start - REACH), start) is not None


def condition(clean: str, end: int) -> tuple[int, int] | None:
    """Where it is said under what condition the value that ends here holds; None where that is not said.

    >>> text = "by 37% (PBE), from 50% (2.5 days) to 20% (down from 60%)"
    >>> [condition(text, at) for at in (6, 17, 40)], text[8:11]
    ([(8, 11), None, None], 'PBE')
    """
    found = CONDITION.match(clean, end)
    return None if found is None or NO_CONDITION.match(found[1].strip()) else found.span(1)


def is_averaged(word: str, next_word: str) -> bool:
    """Whether a word is an average of the metric that the next word begins, and no part of its name.

    >>> is_averaged("mean", "accuracy"), is_averaged("Mean", "squared"), is_averaged("top", "accuracy")
    (True, False, False)
    """
    return word.lower() in AVERAGES and next_word.lower() not in NAMES_OF_AVERAGES
