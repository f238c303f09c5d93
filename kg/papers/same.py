"""The same paper from two sources is one paper: the first that is read.

Two records are the same paper where they share the DOI, the arXiv id, the OpenAlex id, or the abstract (letters and
digits only, case folded) while their titles agree or one has none. Two records with one given id and different
abstracts are a mistake of the input: the first stays, the second is told.

What is remembered of a paper are 8-byte digests of these keys and where it was read, never its text.
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
        self.titles: list[int] = []
        self.texts: dict[int, list[int]] = {}
        self.keys: dict[int, int] = {}

    def problem(self, paper: Paper) -> Problem | None:
        """What speaks against a paper as a new one; None where it is new, and then it is remembered."""
        title, text = _digest(_folded(paper.title)), _digest("text", _folded(paper.text) or paper.text)
        keys = {
            f"the {name} {value}": _digest(name, value)
            for name, value in (("DOI", paper.doi), ("arXiv id", paper.arxiv), ("OpenAlex id", paper.openalex))
            if value
        }
        twin = next((self.keys[key] for key in keys.values() if key in self.keys), None)
        what = next((name for name, key in keys.items() if key in self.keys), "the same abstract")
        if twin is None:
            twin = next((i for i in self.texts.get(text, ()) if self._one_title(i, title)), None)
        if twin is not None:
            for key in keys.values():
                self.keys.setdefault(key, twin)
            return Problem(
                paper.origin, f"is the same paper as {self.origins[twin]} ({what}); read once", Severity.NOTE
            )
        own = _digest("id", paper.id)
        if own in self.keys:
            first = self.origins[self.keys[own]]
            return Problem(paper.origin, f"has the id {paper.id} of {first} but another abstract; give it its own id")
        self._add(paper.origin, title, text, [own, *keys.values()])
        return None

    def _one_title(self, index: int, title: int) -> bool:
        return self.titles[index] == title or NO_TITLE in (self.titles[index], title)

    def _add(self, origin: str, title: int, text: int, keys: list[int]) -> None:
        index = len(self.origins)
        self.origins.append(origin)
        self.titles.append(title)
        self.texts.setdefault(text, []).append(index)
        self.keys.update(dict.fromkeys(keys, index))


def _folded(text: str) -> str:
    return NOT_WORD.sub("", text.casefold())


def _digest(*parts: str) -> int:
    whole = "\n".join(parts).encode("utf-8", "surrogatepass")
    return int.from_bytes(blake2b(whole, digest_size=8).digest())


NO_TITLE = _digest("")
