"""Do the words around a value make it a difference, not a level? `by 5%`, `5% higher`, `an improvement in F1 of 5%`.

A comparative takes `of` (a level may be `more than 93%`), and a verb of change takes no `to` (it `drops to 49%`).
"""

from __future__ import annotations

import re

REACH_BEFORE, REACH_AFTER = 90, 60
STEMS = r"(?:improv|increas|reduc|decreas|drop|boost|gain|sav|degrad)\w*"
COMPARATIVES = r"(?:higher|lower|better|worse|fewer|less|more|larger|smaller|faster|slower|shorter|cheaper|greater)"
NOUNS = (
    r"(?<!cumulative )(?<!information )"  # metrics
    r"(?:improvement|increase|reduction|decrease|drop|boost|gain|saving|degradation|speed-?up)s?"
)
ABOUT = (
    "up|to|at|least|most|over|nearly|almost|an?|average|about|of|around|roughly|approximately|relative|absolute|"
    "margin|further|additional|another|more|than|as|much|only|just|some"
)
LIMIT = r"(?:up to|at least|at most|over|nearly|almost|about|around|roughly|approximately)"
WORD = r"(?!(?:on|in|and|or|of|with|to|for|over|than|from|by|at|while|is|are|was)\b)[\w@.-]+"
BEFORE = re.compile(
    rf"\b(?:(?:by|(?:{STEMS}|{COMPARATIVES}) of|margin of)(?: (?:{ABOUT}))*|{STEMS}(?: {LIMIT})?|"
    rf"{NOUNS} (?:in|on|over|for) (?:(?!(?:of|and|to|with|an?|at|by|from)\b)[\w@-]+ ){{1,5}}of(?: {LIMIT})?|"
    rf"(?:outperform|surpass|exceed)\w* [^.;()]{{1,60}}\((?:by )?(?:{LIMIT})?)\s*$",
    re.IGNORECASE,
)
AFTER = re.compile(
    rf"\s*(?:(?:(?:absolute|relative|average|more|points?) )?(?:{STEMS}|{COMPARATIVES})\b|(?:{WORD} ){{1,4}}{NOUNS}\b)",
    re.IGNORECASE,
)


def is_change(before: str, after: str) -> bool:
    """Whether the value between these words says by how much something changes or differs.

    >>> is_change("improves by up to ", ""), is_change("", " lower cost"), is_change("it drops to ", "")
    (True, True, False)
    """
    found = BEFORE.search(before[-REACH_BEFORE:]) or AFTER.match(after[:REACH_AFTER])
    return found is not None
