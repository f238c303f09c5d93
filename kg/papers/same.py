"""The same paper from two sources is one paper: the first that is read.

Two records are the same paper where they share the DOI, the arXiv id, the OpenAlex id, or the abstract (letters and
digits only, case folded) while their titles agree or one has none. Two records with one given id and different
abstracts are a mistake of the input: the first stays, the second is told.

What is remembered of a paper are 8-byte digests of these keys and where it was read, never its text: half a kilobyte.
"""

from __future__ import annotations

import re
from hashlib import blake2b

from kg.papers.problems import Problem, Severity
from kg.records import Paper

NOT_WORD = re.compile(r"[\W_]+")


class Seen:
    """The papers that were read so far."""

    def __init__(self) -> None:
        self.origins: list[str] = []
        self.keys: dict[int, int] = {}  # of each key the paper's index in `origins`

    def problem(self, paper: Paper) -> Problem | None:
        """What speaks against a paper as a new one; None where it is new, and then it is remembered."""
        title, text = _folded(paper.title), _folded(paper.text)
        ids, looks = _ids(paper), _looks(title, text)
        own, alone = _digest("id", paper.id), _digest("text", text)
        known = next(((what, key) for what, key in (*ids, *looks) if key in self.keys), None)
        if known:
            what, key = known
            twin = self.keys[key]
            self._know([key for _, key in ids], twin)
            return Problem(
                paper.origin, f"is the same paper as {self.origins[twin]} ({what}); read once", Severity.NOTE
            )
        if own in self.keys:
            first = self.origins[self.keys[own]]
            return Problem(paper.origin, f"has the id {paper.id} of {first} but another abstract; give it its own id")
        self.origins.append(paper.origin)
        self._know([own, alone, looks[0][1], *(key for _, key in ids)], len(self.origins) - 1)
        return None

    def _know(self, keys: list[int], index: int) -> None:
        for key in keys:
            self.keys.setdefault(key, index)


def _ids(paper: Paper) -> list[tuple[str, int]]:
    named = (("DOI", paper.doi), ("arXiv id", paper.arxiv), ("OpenAlex id", paper.openalex))
    return [(f"the {name} {value}", _digest("id", value)) for name, value in named if value]


def _looks(title: str, text: str) -> list[tuple[str, int]]:
    """Keys of title and abstract: that of the paper itself first, then those of papers whose title is not known."""
    if not title:
        return [("the same abstract", _digest("titled", "", text)), ("the same abstract", _digest("text", text))]
    both = ("the same title and abstract", _digest("titled", title, text))
    return [both, ("the same abstract", _digest("titled", "", text))]


def _folded(text: str) -> str:
    return NOT_WORD.sub("", text.casefold()) or text


def _digest(*parts: str) -> int:
    whole = "\n".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(whole, digest_size=8).digest())
