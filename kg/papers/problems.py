"""What a reader tells about its input: which place, what is wrong with it, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Severity(StrEnum):
    """How much a problem matters: an error cost a paper or a file, a note changed something, an info only tells."""

    ERROR = "error"
    NOTE = "note"
    INFO = "info"


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing to tell about one place of the input.

    `origin` is `file:line`, `file#record` (a record of a file without lines) or a file; `message` says in one sentence
    what is wrong and what to do.

    >>> str(Problem("a.jsonl:3", "has no abstract; give it one"))
    'a.jsonl:3: has no abstract; give it one'
    """

    origin: str
    message: str
    severity: Severity = Severity.ERROR

    def __str__(self) -> str:
        return f"{self.origin}: {self.message}"
