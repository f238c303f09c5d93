r"""Plain text: a heading line that names venue and year, then one abstract a paragraph.

1. Paragraphs are parted by blank lines; the lines of one stay as they are.
2. A paragraph of one short line with a year in it, and no full stop at its end, is a heading: what follows it appeared
   there. A file may have several headings, or none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.papers.lines import lines
from kg.papers.make import paper
from kg.papers.sources import Source
from kg.records import Paper

HEADING = re.compile(
    r"#*\s*(?P<before>[^\n]{0,60}?)[\s,:'’(-]*(?<!\d)(?P<year>(?:19|20)\d\d)(?!\d)\)?\s*(?P<after>[^\n]{0,40})"
)


def read(source: Source) -> Iterator[Paper]:
    """Papers of a plain text."""
    venue, year = "", None
    for number, text in _paragraphs(source):
        if found := heading(text):
            venue, year = found
        elif made := paper(source, source.at(number), text=text, venue=venue, year=year):
            yield made


def heading(text: str) -> tuple[str, int] | None:
    """Venue and year that a heading names, or None where it is none.

    >>> heading("NeurIPS 2026 论文列表"), heading("# ICML 2025"), heading("2024 Interspeech")
    (('NeurIPS', 2026), ('ICML', 2025), ('Interspeech', 2024))
    >>> heading("We trained it in 2026.")
    """
    found = HEADING.fullmatch(text)
    if found is None or text.rstrip().endswith((".", "!", "?", ";", "。")):
        return None
    return (found["before"] or found["after"]).strip(" :-#"), int(found["year"])


def _paragraphs(source: Source) -> Iterator[tuple[int, str]]:
    first, paragraph = 0, list[str]()
    for number, line in lines(source):
        if line.strip():
            first = first if paragraph else number
            paragraph.append(line)
        elif paragraph:
            yield first, "\n".join(paragraph)
            paragraph = []
    if paragraph:
        yield first, "\n".join(paragraph)
