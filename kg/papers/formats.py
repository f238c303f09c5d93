"""The formats that papers come in: a registry by name and by extension, and the content that gives one away.

What a file contains outweighs its extension, where it cannot be meant otherwise: JSON Lines are often called `.json`,
exports of reference managers `.txt`. A format that is forced outweighs both.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from kg.errors import UsageError
from kg.papers import bibtex, json_document, json_lines, plain, tables, tagged, xml_records
from kg.papers.shapes import SHAPES
from kg.papers.sources import PACKED, Source
from kg.records import Paper

Reader = Callable[[Source], Iterator[Paper]]


@dataclass(frozen=True, slots=True)
class Format:
    """A format: its name for people, the extensions that mean it, and its reader."""

    title: str
    extensions: tuple[str, ...]
    read: Reader


def _arxiv(source: Source) -> Iterator[Paper]:
    """The arXiv's metadata: Atom, or JSON."""
    if source.head.lstrip().startswith(b"<"):
        return xml_records.read(source)
    return json_document.read(source, shape=SHAPES["arxiv"])


def _shaped(name: str) -> Reader:
    return partial(json_document.read, shape=SHAPES[name])


FORMATS: dict[str, Format] = {
    "text": Format("plain text, an abstract a paragraph", (".txt", ".text"), plain.read),
    "jsonl": Format("JSON Lines", (".jsonl", ".ndjson"), json_lines.read),
    "json": Format("JSON", (".json",), json_document.read),
    "csv": Format("CSV", (".csv",), tables.read),
    "tsv": Format("TSV", (".tsv", ".tab"), tables.read),
    "bibtex": Format("BibTeX", (".bib", ".bibtex"), bibtex.read),
    "ris": Format("RIS", (".ris",), partial(tagged.read, tags=tagged.RIS)),
    "nbib": Format("MEDLINE (nbib)", (".nbib", ".medline"), partial(tagged.read, tags=tagged.MEDLINE)),
    "endnote": Format("EndNote", (".enw",), partial(tagged.read, tags=tagged.ENDNOTE)),
    "xml": Format("XML (Atom, ACL Anthology or EndNote)", (".xml", ".atom"), xml_records.read),
    "openalex": Format("OpenAlex works", (), _shaped("openalex")),
    "semanticscholar": Format("Semantic Scholar papers", (), _shaped("semanticscholar")),
    "arxiv": Format("arXiv metadata", (), _arxiv),
    "crossref": Format("Crossref works", (), _shaped("crossref")),
    "openreview": Format("OpenReview notes", (), _shaped("openreview")),
    "pmlr": Format("PMLR papers", (), json_document.read),
    "acl": Format("ACL Anthology XML", (), xml_records.read),
}
CONTENT: dict[str, re.Pattern[bytes]] = {
    "json": re.compile(rb"\s*(?:\{\s*[\"}]|\[\s*[\[{\]])"),
    "bibtex": re.compile(rb"(?:\s|%[^\n]*\n)*@\s*\w+\s*\{"),
    "ris": re.compile(rb"\s*TY  - "),
    "nbib": re.compile(rb"\s*PMID *- "),
    "endnote": re.compile(rb"\s*%0 [A-Z]"),
    "xml": re.compile(rb"\s*<(?:\?xml|!DOCTYPE|feed|collection|xml)\b"),
}


def named(name: str) -> Format:
    """The format of a name or an extension; UsageError, with the nearest, where there is none.

    >>> named("jsonl").title, named(".txt").title
    ('JSON Lines', 'plain text, an abstract a paragraph')
    """
    wanted = name.casefold()
    by_extension = {e.lstrip("."): f for f in FORMATS.values() for e in f.extensions}
    found = FORMATS.get(wanted) or by_extension.get(wanted.lstrip("."))
    if found is None:
        near = difflib.get_close_matches(wanted, [*FORMATS, *by_extension], n=1)
        hint = f"did you mean {near[0]}?" if near else "known are " + ", ".join(FORMATS)
        raise UsageError(f"there is no input format {name}; {hint}")
    return found


def by_name(path: Path) -> Format | None:
    """The format that a file's name means, compressed or not."""
    suffixes = [s.casefold() for s in path.suffixes if s.casefold() not in PACKED]
    return next((f for f in FORMATS.values() if suffixes and suffixes[-1] in f.extensions), None)


def detected(source: Source) -> Format:
    """The format of a source: by content, else name, else a table if the first line is a header, else text."""
    head = source.head
    of_name = by_name(Path(source.name))
    for name, pattern in CONTENT.items():
        if pattern.match(head):
            lines = name == "json" and (json_document.is_lines(head) or of_name is FORMATS["jsonl"])
            return FORMATS["jsonl" if lines else name]
    if of_name is None and tables.is_header(head.partition(b"\n")[0].decode("utf-8", "replace")):
        return FORMATS["csv"]
    return of_name or FORMATS["text"]
