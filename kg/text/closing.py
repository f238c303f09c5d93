"""Where markup that opens closes, if it does: braces, dollars, stars."""

from __future__ import annotations

import re
from typing import NamedTuple

BRACES = re.compile(r"\\.|[{}]", re.DOTALL)
LONGEST_MATHS = 2000
LONGEST_EMPHASIS = 300
MOST_STARS = 20


class Open(NamedTuple):
    """Markup that is open: where and with how many characters it closes, and where it began."""

    close_at: int
    close_length: int
    clean_start: int
    source_start: int
    maths: bool
    stroke: bool  # a numerator: its end becomes a stroke


def braces(source: str) -> dict[int, int]:
    """Where each opening brace closes, if it does; escaped braces are text."""
    pairs: dict[int, int] = {}
    opened: list[int] = []
    for found in BRACES.finditer(source):
        if found[0] == "{":
            opened.append(found.start())
        elif found[0] == "}" and opened:
            pairs[opened.pop()] = found.start()
    return pairs


def closing_dollar(source: str, at: int, mark: str) -> int:
    """Where maths that opens before `at` closes, or -1: Pandoc's rule, which leaves `$5 and $10` alone."""
    if mark == "$" and source[at : at + 1].isspace():
        return -1
    close_at = at
    while (close_at := source.find(mark, close_at, at + LONGEST_MATHS)) >= 0:
        if source[close_at - 1] == "\\" or close_at == at:
            close_at += 1
            continue
        after = source[close_at + len(mark) : close_at + len(mark) + 1]
        if mark == "$" and (source[close_at - 1].isspace() or after.isdigit()):
            return -1
        return -1 if "\n\n" in source[at:close_at] else close_at
    return -1


def closing_stars(source: str, start: int, at: int, mark: str) -> int:
    """Where emphasis closes, or -1; CommonMark's flanking rule: `**kern format **x` opens nothing."""
    before, after = source[start - 1 : start], source[at : at + 1]
    if not after or after.isspace() or after == "*" or (mark == "*" and before.isalnum()):
        return -1
    close_at = at
    for _ in range(MOST_STARS):
        close_at = source.find(mark, close_at + 1, at + LONGEST_EMPHASIS)
        if close_at < 0:
            break
        follows = source[close_at + len(mark) : close_at + len(mark) + 1]
        if mark == "*" and (follows == "*" or source[close_at - 1] == "*"):
            close_at += 1
            continue
        if source[close_at - 1].isspace() and follows and not follows.isspace():
            return -1  # another one opens here: the nearer opener has the claim
        if not source[close_at - 1].isspace() and not (mark == "*" and follows.isalnum()):
            return -1 if "\n" in source[at:close_at] else close_at
    return -1


def after_spaces(source: str, at: int, limit: int) -> int:
    """Where the spaces end that TeX swallows behind a command's name."""
    while at < limit and source[at] == " ":
        at += 1
    return at
