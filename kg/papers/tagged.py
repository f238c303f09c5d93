r"""Reference managers' tagged lines: RIS, MEDLINE (`nbib`) and EndNote (`enw`).

Each line is a tag and a value; lines without a tag go on with the value before. A record ends at its end tag (`ER`), or
where the next one begins. What the tags of each format mean is a table.

- RIS: https://en.wikipedia.org/wiki/RIS_(file_format)
- MEDLINE: https://www.nlm.nih.gov/bsd/mms/medlineelements.html
- EndNote: https://en.wikipedia.org/wiki/EndNote#Tags_and_fields

Why not `rispy`: it reads a file whole, tells no line numbers, and is one of the three formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from kg.papers.lines import lines
from kg.papers.make import doi_of, paper
from kg.papers.shapes import turned
from kg.papers.sources import Source
from kg.records import Paper

Values = dict[str, list[str]]


@dataclass(frozen=True, slots=True)
class Tags:
    """A tagged format: a line of it, the tag that begins a record, and the tags of each field, the best first."""

    line: re.Pattern[str]
    begin: str
    fields: Mapping[str, tuple[str, ...]]


RIS = Tags(
    re.compile(r"(?P<tag>[A-Z][A-Z0-9])  -(?: (?P<value>.*)|$)"),
    "TY",
    {
        "text": ("AB", "N2"),
        "title": ("TI", "T1", "CT"),
        "venue": ("T2", "JF", "JO", "BT", "JA", "J2"),
        "year": ("PY", "Y1", "DA"),
        "authors": ("AU", "A1"),
        "doi": ("DO", "DI", "M3"),
        "url": ("UR", "L2"),
        "id": ("ID", "AN"),
    },
)
MEDLINE = Tags(
    re.compile(r"(?P<tag>[A-Z]{2,4}) *- (?P<value>.*)"),
    "PMID",
    {
        "text": ("AB",),
        "title": ("TI", "TT"),
        "venue": ("JT", "TA"),
        "year": ("DP", "DEP"),
        "authors": ("FAU", "AU"),
        "doi": ("LID", "AID"),
        "id": ("PMID",),
    },
)
ENDNOTE = Tags(
    re.compile(r"%(?P<tag>\S) (?P<value>.*)"),
    "0",
    {
        "text": ("X",),
        "title": ("T",),
        "venue": ("B", "J", "S"),
        "year": ("D", "8"),
        "authors": ("A",),
        "doi": ("R",),
        "url": ("U",),
        "id": ("F", "M"),
    },
)


def read(source: Source, *, tags: Tags) -> Iterator[Paper]:
    """Papers of tagged lines."""
    for number, values in _records(source, tags):
        fields = {field: _best(values, names) for field, names in tags.fields.items()}
        made = paper(
            source,
            source.at(number),
            text=fields["text"] or None,
            title=fields["title"],
            venue=fields["venue"],
            year=fields["year"],
            authors=[turned(name) for name in _all(values, tags.fields["authors"])],
            doi=next((value for value in _all(values, tags.fields["doi"]) if doi_of(value)), ""),
            url=fields.get("url", ""),
            id=fields["id"],
        )
        if made:
            yield made


def _best(values: Values, names: tuple[str, ...]) -> str:
    return next((values[name][0] for name in names if values.get(name)), "")


def _all(values: Values, names: tuple[str, ...]) -> list[str]:
    return next((values[name] for name in names if values.get(name)), [])


def _records(source: Source, tags: Tags) -> Iterator[tuple[int, Values]]:
    values: Values = {}
    first, last = 0, ""
    for number, line in lines(source):
        found = tags.line.match(line)
        if found is None:
            if last and line.strip():
                values[last][-1] += f"\n{line.strip()}"
            continue
        tag = found["tag"]
        if tag in (tags.begin, "ER") and values:
            yield first, values
            values = {}
        if tag == "ER":
            last = ""
            continue
        first = first if values else number
        values.setdefault(tag, []).append((found["value"] or "").strip())
        last = tag
    if values:
        yield first, values
