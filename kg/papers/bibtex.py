r"""BibTeX and BibLaTeX: entries that have an abstract.

1. The lines of one entry are collected, from `@type{` to its closing brace; an entry that never closes ends where the
   next one begins a line, and is told.
2. An entry is a key and fields: `name = value`, where a value is a braced or quoted text, a number, or a macro of
   `@string` or a month, joined by `#`.
3. Titles, names and venues are read as LaTeX (`kg.text`): accents become letters, braces that protect capitals go. The
   abstract stays as it is between its delimiters.

Why not `pybtex` or `bibtexparser`: they read files whole, and give up on, or silently drop, what is only a bit wrong.
Format: http://mirrors.ctan.org/biblio/bibtex/base/btxdoc.pdf
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from kg.papers.lines import lines
from kg.papers.make import paper
from kg.papers.shapes import turned
from kg.papers.sources import Source
from kg.records import Paper
from kg.text import clean

BEGIN = re.compile(r"@\s*(?P<type>\w+)\s*\{")
KEY = re.compile(r"\s*(?P<key>[^\s,{}()=\"]*)\s*,")
NAME = re.compile(r"(?<![\w:+-])(?P<name>[A-Za-z][\w:+-]{0,80})\s*=\s*")
PLAIN = re.compile(r"\s*(?P<word>[^\s,{}\"#]+)")
JOIN = re.compile(r"\s*#\s*")
DELIMITER = re.compile(r'\\.|[{}"]', re.DOTALL)
BRACE = re.compile(r"\\.|[{}]", re.DOTALL)
MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
Entry = dict[str, str]


def read(source: Source) -> Iterator[Paper]:
    """Papers of BibTeX entries; entries without an abstract are counted and told once."""
    macros = {month: month for month in MONTHS}
    without, first = 0, 0
    for number, kind, body, whole in _entries(source):
        origin = source.at(number)
        if not whole:
            source.error(f"is an @{kind} whose braces never close; close them", origin=origin)
        elif kind == "string":
            macros |= fields_of(body, macros)
        elif kind not in ("comment", "preamble"):
            key, entry = entry_of(body, macros)
            if not entry.get("abstract", "").strip():
                without, first = without + 1, first or number
            elif made := _paper(source, origin, key, entry):
                yield made
    if without:
        more = f"{without} entries have" if without > 1 else "an entry has"
        source.error(f"{more} no abstract; give them one, or leave them out", origin=source.at(first))


def _paper(source: Source, origin: str, key: str, entry: Entry) -> Paper | None:
    archive = (entry.get("archiveprefix") or entry.get("eprinttype") or "").casefold()
    eprint = entry.get("eprint", "") if archive in ("arxiv", "") else ""
    venue = entry.get("booktitle") or entry.get("journal") or entry.get("journaltitle") or entry.get("series", "")
    return paper(
        source,
        origin,
        text=entry["abstract"],
        title=_plain(entry.get("title", "")),
        venue=_plain(venue),
        year=entry.get("year") or entry.get("date"),
        authors=[_plain(turned(name)) for name in _names(entry.get("author", "")) if name not in ("", "others")],
        doi=entry.get("doi", "").replace("\\_", "_"),
        arxiv=eprint,
        url=entry.get("url", "").replace("\\_", "_"),
        id=key,
    )


def _names(author: str) -> list[str]:
    """Names between the `and`s that stand outside of braces.

    >>> _names("Berg, Ada and {Aviary and Sons} and  others")
    ['Berg, Ada', '{Aviary and Sons}', 'others']
    """
    names: list[list[str]] = []
    depth = 0
    for part in " ".join(author.split()).split(" and "):
        if depth > 0:
            names[-1].append(part)
        else:
            names.append([part])
        depth += part.count("{") - part.count("}")
    return [" and ".join(parts).strip() for parts in names]


def _plain(text: str) -> str:
    return clean(text).clean


def entry_of(body: str, macros: Entry) -> tuple[str, Entry]:
    r"""Key and fields of what stands between an entry's outer braces.

    >>> entry_of('a1, title = {The {BERT} of} # " things", year = 2020, month = jan', {"jan": "January"})
    ('a1', {'title': 'The {BERT} of things', 'year': '2020', 'month': 'January'})
    """
    found = KEY.match(body)
    return (found["key"], fields_of(body[found.end() :], macros)) if found else (body.strip(), {})


def fields_of(body: str, macros: Entry) -> Entry:
    """Fields of an entry, their names in lower case; what cannot be read is passed over up to the next name."""
    entry: Entry = {}
    at = 0
    while found := NAME.search(body, at):
        value, at = _value(body, found.end(), macros)
        entry.setdefault(found["name"].casefold(), value)
    return entry


def _value(body: str, at: int, macros: Entry) -> tuple[str, int]:
    parts = []
    while True:
        if body[at : at + 1] in ("{", '"'):
            end = _value_end(body, at)
            parts.append(body[at + 1 : end])
            at = end + 1
        elif found := PLAIN.match(body, at):
            parts.append(macros.get(found["word"].casefold(), found["word"]))
            at = found.end()
        joined = JOIN.match(body, at)
        if joined is None:
            return "".join(parts), at
        at = joined.end()


def _value_end(body: str, at: int) -> int:
    """Where the value that opens at `at` closes; the end of the body where it does not."""
    quoted, depth = body[at] == '"', 0
    for found in DELIMITER.finditer(body, at + 1):
        if found[0] == "{":
            depth += 1
        elif found[0] == "}":
            if depth == 0 and not quoted:
                return found.start()
            depth = max(0, depth - 1)
        elif quoted and depth == 0 and found[0] == '"':
            return found.start()
    return len(body)


def _entries(source: Source) -> Iterator[tuple[int, str, str, bool]]:
    """Line, type, body and wholeness of each entry; what stands outside of entries is a comment."""
    first, kind, depth = 0, "", 0
    parts: list[str] = []
    for number, line in lines(source):
        if kind and line.startswith("@") and BEGIN.match(line):
            yield first, kind, "", False
            kind = ""
        while kind or (begins := BEGIN.search(line)):
            if not kind and begins:
                first, kind, depth, parts = number, begins["type"].casefold(), 1, []
                line = line[begins.end() :]
            closing, depth = _closing(line, depth)
            parts.append(line[:closing])
            if depth:
                break
            yield first, kind, "\n".join(parts), True
            kind, line = "", line[closing + 1 :]
    if kind:
        yield first, kind, "", False


def _closing(line: str, depth: int) -> tuple[int, int]:
    """Where in a line an entry closes (its end where it does not), and the depth of braces after it."""
    for found in BRACE.finditer(line):
        if found[0] in "{}":
            depth += 1 if found[0] == "{" else -1
            if depth == 0:
                return found.start(), 0
    return len(line), depth
