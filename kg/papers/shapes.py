"""Records as their publishers shape them (OpenAlex, Semantic Scholar, arXiv, Crossref, OpenReview, anyone) to papers.

The shape of a record is told by keys that no other shape has. A record of nobody's shape goes by the names that people
give such fields; `Source.fields` names what goes by another name.

- OpenAlex: https://docs.openalex.org/api-entities/works/work-object; the abstract is an inverted index
- Semantic Scholar: https://api.semanticscholar.org/api-docs/ ; API (`paperId`) and data sets (`corpusid`)
- arXiv: https://www.kaggle.com/datasets/Cornell-University/arxiv, the metadata dump
- Crossref: https://api.crossref.org/swagger-ui ; abstracts in JATS
- OpenReview: notes of API 1 and of API 2, where every value is `{"value": …}`
- anyone: flat records, CSL-JSON and PMLR's (https://proceedings.mlr.press) among them
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from kg.errors import UsageError
from kg.papers.make import arxiv_of, paper, year_of
from kg.papers.markup import without_tags
from kg.papers.sources import Source
from kg.records import Paper

Record = Mapping[str, Any]
GUESSES: dict[str, tuple[str, ...]] = {
    "text": ("text", "abstract", "abstracttext", "summary", "abstractnote", "description", "annotation"),
    "title": ("title", "papertitle", "articletitle", "documenttitle", "name"),
    "venue": (
        *("venue", "conference", "booktitle", "journal", "journaltitle", "containertitle", "publicationtitle"),
        *("sourcetitle", "source", "event", "series", "containertitleshort"),
    ),
    "year": ("year", "publicationyear", "pubyear", "py", "published", "date", "publicationdate", "issued", "pubdate"),
    "authors": ("authors", "author", "authorname", "authornames", "creators", "creator"),
    "doi": ("doi",),
    "arxiv": ("arxiv", "arxivid", "eprint", "arxivurl"),
    "openalex": ("openalex", "openalexid"),
    "url": ("url", "link", "pdf", "pdfurl", "htmlurl", "landingpage", "paperurl"),
    "id": ("id", "paperid", "key", "identifier", "uid", "number"),
}


@dataclass(frozen=True, slots=True)
class Shape:
    """One publisher's records: how they are known, and what their fields mean in ours."""

    title: str
    knows: Callable[[Record], bool]
    fields: Callable[[Record], dict[str, Any]]


def shaped(source: Source, origin: str, record: object, *, shape: Shape | None, told: set[str]) -> Paper | None:
    """Make the paper of a record; the shape is told when it is met first."""
    if not isinstance(record, Mapping):
        what = "null" if record is None else type(record).__name__
        source.error(f"is {what} instead of an object of fields; give title and abstract", origin=origin)
        return None
    shape = shape or next((s for s in SHAPES.values() if s.knows(record)), None)
    if shape and shape.title not in told:
        told.add(shape.title)
        source.info(f"holds records of {shape.title}")
    fields = shape.fields(record) if shape else {}
    return paper(source, origin, **guessed(record, source.fields) if not shape else fields)


def named_fields(given: Iterable[str]) -> dict[str, str]:
    """Read which field goes by which name; "abstract" is "text", too.

    >>> named_fields(["abstract=resumen", "year=Year of issue"])
    {'text': 'resumen', 'year': 'Year of issue'}
    """
    fields = {}
    for one in given:
        field, equals, name = one.partition("=")
        field = "text" if field == "abstract" else field
        if not equals or not name or field not in GUESSES:
            known = ", ".join(("abstract", *list(GUESSES)[1:]))
            raise UsageError(f"{one!r} names no field; give FIELD=NAME, where FIELD is one of {known}")
        fields[field] = name
    return fields


def is_paper(record: Record, names: Mapping[str, str]) -> bool:
    """Whether a record has what an abstract is called, or somebody's shape.

    >>> is_paper({"title": "T", "abstract": None}, {}), is_paper({"status": "ok"}, {})
    (True, False)
    """
    called = {names["text"]} if "text" in names else {key for key in record if _folded(key) in GUESSES["text"]}
    return not called.isdisjoint(record) or any(shape.knows(record) for shape in SHAPES.values())


def guessed(record: Record, names: Mapping[str, str]) -> dict[str, Any]:
    """Fields of a record of nobody's shape, by the names that people use.

    >>> guessed({"Paper Title": "T", "Abstract": "We …", "Author(s)": "A. One; B. Two"}, {"authors": "Author(s)"})
    {'text': 'We …', 'title': 'T', 'authors': ('A. One', 'B. Two')}
    """
    folded = {_folded(key): key for key in reversed(list(record))}
    fields: dict[str, Any] = {}
    for field, guesses in GUESSES.items():
        keys = [names[field]] if field in names else [folded[g] for g in guesses if g in folded]
        value = next((record[key] for key in keys if record.get(key) not in (None, "", [])), None)
        if value is not None:
            fields[field] = value
    fields["text"] = fields.get("text")
    for field in ("title", "venue", "doi", "url"):
        fields |= {field: _first(fields[field])} if field in fields else {}
    if "authors" in fields:
        fields["authors"] = authors_of(fields["authors"])
    if isinstance(fields.get("year"), Mapping):
        fields["year"] = fields["year"].get("date-parts")
    return fields


def authors_of(value: object) -> tuple[str, ...]:
    """Names in the order given, of a text, a list of texts, or a list of objects.

    >>> authors_of("One, Ada and Two, Bo"), authors_of([{"given": "Ada", "family": "One"}, {"name": "Bo Two"}])
    (('Ada One', 'Bo Two'), ('Ada One', 'Bo Two'))
    >>> authors_of("Ada One, Bo Two")
    ('Ada One', 'Bo Two')
    """
    if isinstance(value, str):
        separator = next((s for s in (" and ", ";", "|", "\n") if s in value), "")
        if separator:
            return tuple(turned(name) for name in value.split(separator) if name.strip())
        parts = [part.strip() for part in value.split(",") if part.strip()]
        return tuple(parts) if all(" " in part for part in parts) else (turned(value),)
    if isinstance(value, Mapping):
        return tuple(name for name in [_person(value)] if name)
    if not isinstance(value, Iterable):
        return ()
    return tuple(name for item in value if (name := _person(item)))


def turned(name: str) -> str:
    """A name with its family name last.

    >>> turned("van der Berg, Anna"), turned("King, Jr., Martin"), turned("Anna Berg")
    ('Anna van der Berg', 'Martin King, Jr.', 'Anna Berg')
    """
    parts = [part.strip() for part in name.split(",")]
    if len(parts) == 2:
        return f"{parts[1]} {parts[0]}".strip()
    return f"{parts[2]} {parts[0]}, {parts[1]}" if len(parts) == 3 else " ".join(name.split())


def _person(value: object) -> str:
    if isinstance(value, str):
        return turned(value)
    if not isinstance(value, Mapping):
        return ""
    whole = value.get("name") or value.get("literal") or value.get("full_name") or value.get("display_name")
    if isinstance(whole, str):
        return turned(whole)
    given = value.get("given") or value.get("first") or value.get("first_name") or value.get("firstName") or ""
    family = value.get("family") or value.get("last") or value.get("last_name") or value.get("lastName") or ""
    return f"{given} {family}".strip()


@lru_cache(maxsize=1024)
def _folded(key: str) -> str:
    return "".join(c for c in key.casefold() if c.isalnum())


def _first(value: object) -> object:
    """First of a list, as Crossref and CSL-JSON give titles; a name of an object."""
    if isinstance(value, list | tuple):
        return _first(value[0]) if value else ""
    return value.get("name") or value.get("raw") or "" if isinstance(value, Mapping) else value


def _map(value: object) -> Record:
    return value if isinstance(value, Mapping) else {}


def _items(value: object) -> list[Record]:
    return [item for item in value if isinstance(item, Mapping)] if isinstance(value, list) else []


def uninverted(index: object) -> str | None:
    """The abstract of an inverted index, every position in its place.

    >>> uninverted({"the": [0, 2], "cat": [1], "dog": [3]})
    'the cat the dog'
    """
    if not isinstance(index, Mapping) or not index:
        return None
    placed = [(at, str(word)) for word, places in index.items() if isinstance(places, list) for at in places]
    return " ".join(word for at, word in sorted((p for p in placed if isinstance(p[0], int)), key=lambda p: p[0]))


def _openalex(record: Record) -> dict[str, Any]:
    where = _map(_map(record.get("primary_location")).get("source")) or _map(record.get("host_venue"))
    links = [_map(place).get("landing_page_url") for place in _items(record.get("locations"))]
    arxiv = next((link for link in links if isinstance(link, str) and "arxiv.org/" in link), "")
    text = record.get("abstract") or uninverted(record.get("abstract_inverted_index"))
    return {
        "text": without_tags(text) if isinstance(text, str) else text,
        "title": without_tags(str(record.get("title") or record.get("display_name") or "")),
        "venue": where.get("display_name"),
        "year": record.get("publication_year"),
        "authors": [
            _map(a.get("author")).get("display_name") or a.get("raw_author_name")
            for a in _items(record.get("authorships"))
        ],
        "doi": record.get("doi") or _map(record.get("ids")).get("doi"),
        "arxiv": arxiv,
        "openalex": record.get("id"),
        "url": _map(record.get("primary_location")).get("landing_page_url"),
        "id": str(record.get("id") or "").rsplit("/", 1)[-1],
    }


def _semantic_scholar(record: Record) -> dict[str, Any]:
    ids = _map(record.get("externalIds") or record.get("externalids"))
    journal = _map(record.get("journal") or record.get("publicationVenue"))
    return {
        "text": record.get("abstract"),
        "title": record.get("title"),
        "venue": record.get("venue") or journal.get("name"),
        "year": record.get("year"),
        "authors": [a.get("name") for a in _items(record.get("authors"))],
        "doi": ids.get("DOI"),
        "arxiv": ids.get("ArXiv"),
        "url": record.get("url"),
        "id": record.get("paperId") or record.get("corpusid"),
    }


def _arxiv(record: Record) -> dict[str, Any]:
    parsed = record.get("authors_parsed")
    names = (
        [" ".join(map(str, [*n[1:2], *n[:1], *n[2:]])).strip() for n in parsed] if isinstance(parsed, list) else None
    )
    first = _map((_items(record.get("versions")) or [{}])[0]).get("created")
    return {
        "text": record.get("abstract"),
        "title": record.get("title"),
        "venue": record.get("journal-ref") or "arXiv",
        "year": first or record.get("update_date"),
        "authors": names or authors_of(record.get("authors")),
        "doi": record.get("doi"),
        "arxiv": record.get("id"),
        "url": f"https://arxiv.org/abs/{arxiv_of(str(record.get('id')))}",
    }


def _crossref(record: Record) -> dict[str, Any]:
    dates = [_map(record.get(key)).get("date-parts") for key in ("published", "issued", "published-print", "created")]
    text = record.get("abstract")
    return {
        "text": without_tags(text) if isinstance(text, str) else text,
        "title": without_tags(str(_first(record.get("title")) or "")),
        "venue": _first(record.get("container-title")) or _map(record.get("event")).get("name"),
        "year": next((date for date in dates if year_of(date)), None),
        "authors": authors_of(record.get("author")),
        "doi": record.get("DOI"),
        "url": record.get("URL"),
    }


def _openreview(record: Record) -> dict[str, Any]:
    content = {k: v.get("value") if isinstance(v, Mapping) else v for k, v in _map(record.get("content")).items()}
    forum = str(record.get("forum") or record.get("id") or "")
    when = next((record[k] for k in ("pdate", "odate", "cdate") if isinstance(record.get(k), int | float)), None)
    venue = str(content.get("venue") or content.get("venueid") or record.get("invitation") or "")
    return {
        "text": content.get("abstract"),
        "title": content.get("title"),
        "venue": openreview_venue(venue),
        "year": year_of(venue) or (1970 + int(when / 31_556_952_000) if when else None),
        "authors": content.get("authors") or (),
        "url": f"https://openreview.net/forum?id={forum}" if forum else "",
        "id": forum,
    }


def openreview_venue(venue: str) -> str:
    """Name of a venue without how the paper was presented there.

    >>> openreview_venue("ICLR 2024 poster"), openreview_venue("Submitted to ICLR 2025")
    ('ICLR 2024', 'ICLR 2025')
    >>> openreview_venue("NeurIPS.cc/2023/Conference/-/Submission")
    'NeurIPS 2023'
    """
    if "/" in venue:
        parts = venue.split("/")
        return f"{parts[0].split('.')[0]} {year_of(venue) or ''}".strip()
    venue = venue.removeprefix("Submitted to ")
    year = year_of(venue)
    return venue[: venue.index(str(year)) + 4] if year else venue


SHAPES = {
    "openalex": Shape(
        "OpenAlex",
        lambda r: "abstract_inverted_index" in r or str(r.get("id")).startswith("https://openalex.org/"),
        _openalex,
    ),
    "semanticscholar": Shape(
        "Semantic Scholar", lambda r: "externalIds" in r or "externalids" in r or "corpusid" in r, _semantic_scholar
    ),
    "arxiv": Shape("arXiv", lambda r: "authors_parsed" in r or ("categories" in r and "update_date" in r), _arxiv),
    "crossref": Shape(
        "Crossref", lambda r: "DOI" in r and ("indexed" in r or isinstance(r.get("title"), list)), _crossref
    ),
    "openreview": Shape(
        "OpenReview", lambda r: isinstance(r.get("content"), Mapping) and "abstract" in r["content"], _openreview
    ),
}
