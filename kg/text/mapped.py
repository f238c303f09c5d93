"""A clean text that knows where each of its characters stood in the source."""

from __future__ import annotations

from array import array
from bisect import bisect_left, bisect_right
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Text:
    """A source, its clean text, and for each clean character the source range it came from.

    `groups` are (clean start, clean end, source start, source end, is maths) of delimiters that were swallowed.
    """

    source: str
    clean: str
    begins: array[int] = field(repr=False)
    ends: array[int] = field(repr=False)
    groups: tuple[tuple[int, int, int, int, bool], ...] = field(repr=False)

    def to_source(self, start: int, end: int) -> tuple[int, int]:
        r"""Source range of a clean range, with the delimiters that belong to it.

        Maths that the range covers comes with its dollars; a wrapper that the range covers and goes beyond comes with
        its delimiters, a wrapper around exactly the range does not.

        >>> from kg.text import clean
        >>> text = clean(r"the \emph{fast} $k$-means of **Lloyd**")
        >>> [text.source[slice(*text.to_source(*span))] for span in ((4, 16), (4, 8), (9, 16), (20, 25))]
        ['\\emph{fast} $k$-means', 'fast', '$k$-means', 'Lloyd']
        """
        if not 0 <= start < end <= len(self.clean):
            raise ValueError(f"no clean range {start}-{end} in a text of {len(self.clean)} characters")
        left, right = self.begins[start], self.ends[end - 1]
        start, end = self.to_clean(left, right)  # the whole of a character that became several
        for i, j, source_start, source_end, maths in self.groups[bisect_left(self.groups, (start,)) :]:
            if i >= end:
                break
            if j <= end and (maths or (start, end) != (i, j)):
                left, right = min(left, source_start), max(right, source_end)
        return left, right

    def to_clean(self, start: int, end: int) -> tuple[int, int]:
        """Clean range of the characters that came from a source range; empty where all of it was swallowed.

        >>> from kg.text import clean
        >>> clean("a **b** c").to_clean(2, 7)
        (2, 3)
        """
        return bisect_right(self.ends, start), bisect_left(self.begins, end)
