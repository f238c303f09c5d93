r"""What a source says of a paper to a `Paper`: every reader ends here.

1. The abstract stays as it is given, character for character; white space alone, or a word for nothing ("N/A"), is
   none. Titles, names and venues lose surplus white space.
2. Characters that XML or UTF-8 cannot hold (controls, lone surrogates, noncharacters) become U+FFFD one for one, so
   that offsets hold.
3. A DOI is lower-cased and bare, an arXiv id bare and without its version, also where only a link or a DOI says it; the
   year of "AISTATS 2024" is the paper's.
4. The id is the DOI, else the arXiv id, else the given id, else a hash of title and abstract.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from urllib.parse import unquote

from kg.papers.sources import Source
from kg.records import Paper

UNSTORABLE = re.compile(
    "[^\t\n\r\x20-\ud7ff\ue000-\ufdcf\ufdf0-\ufffd"
    + "".join(f"{chr(plane << 16)}-{chr((plane << 16) + 0xFFFD)}" for plane in range(1, 17))
    + "]"
)
NOTHING = re.compile(
    r"\W*(?:(?:no )?abstract(?: (?:is )?(?:not |un)?available)?|n/?a|nan|null|none|tba|tbd)\W*", re.IGNORECASE
)
WORD = re.compile(r"\w")
DOI = re.compile(r"10\.\d{4,9}/\S+")
ARXIV = re.compile(r"(?<![\w.])(\d{4}\.\d{4,5}|[a-z-]{2,12}(?:\.[A-Z]{2})?/\d{7})(?:v\d+)?(?![\w.]*\w)")
ARXIV_VENUE = re.compile(r"(?i:arxiv|corr)\b.{0,40}?(?<![\d.])(\d{4}\.\d{4,5})(?:v\d+)?(?!\d)")
ARXIV_DOI = re.compile(r"10\.48550/arxiv\.(.+)")
YEAR = re.compile(r"(?<!\d)(1[5-9]\d\d|20\d\d|21\d\d)(?!\d)")
VENUE_YEAR = re.compile(r"(?<!\d)((?:19|20)\d\d)\)?$")


def paper(
    source: Source,
    origin: str,
    *,
    text: object,
    title: object = "",
    venue: object = "",
    year: object = None,
    authors: Iterable[object] = (),
    doi: object = "",
    arxiv: object = "",
    openalex: object = "",
    url: object = "",
    id: object = "",
) -> Paper | None:
    """Make the paper that a source describes; None, told, where it has no abstract."""
    if not isinstance(text, str) or not WORD.search(text) or NOTHING.fullmatch(text[:60]):
        name = _string(title) or _string(id)
        of = f" ({name[:80]})" if name else ""
        what = "has no abstract" if text is None or isinstance(text, str) else "has an abstract that is not a text"
        source.error(f"{what}{of}; give it one, or leave it out", origin=origin)
        return None
    bare_doi, link = doi_of(_string(doi)), _string(url)
    bare_arxiv = arxiv_of(_string(arxiv)) or arxiv_of(bare_doi) or arxiv_of(link)
    where, when = venue_and_year(_string(venue))
    if found := ARXIV_VENUE.match(where):
        where, bare_arxiv = "arXiv", bare_arxiv or found[1]
    made = {
        "text": text,
        "title": _string(title),
        "venue": where,
        "doi": bare_doi,
        "arxiv": bare_arxiv,
        "openalex": _string(openalex).rsplit("/", 1)[-1],
        "url": link if link.startswith(("http://", "https://")) else "",
        "id": _string(id),
    }
    names = [name for name in map(_string, authors) if name]
    made, names = _storable(source, origin, made, names)
    own = "" if ARXIV_DOI.match(made["doi"]) else made["doi"]
    made["id"] = own or made["arxiv"] or made["id"] or text_id(made["title"], made["text"])
    return Paper(year=year_of(year) or when, authors=tuple(dict.fromkeys(names)), origin=origin, **made)


def text_id(title: str, text: str) -> str:
    """Sixteen hexadecimal digits that stand for a paper without an id.

    >>> text_id("", "We present Foo.")
    '87322eee341f8a29'
    """
    whole = f"{title}\n\n{text}" if title else text
    return hashlib.sha256(whole.encode("utf-8", "surrogatepass")).hexdigest()[:16]


def venue_and_year(venue: str) -> tuple[str, int | None]:
    """Take the year off a venue.

    >>> venue_and_year("AISTATS 2024"), venue_and_year("Findings of ACL (2023)"), venue_and_year("Nature")
    (('AISTATS', 2024), ('Findings of ACL', 2023), ('Nature', None))
    """
    found = VENUE_YEAR.search(venue)
    before = venue[: found.start()].rstrip(" ,:'’(-") if found else ""
    return (before, int(found[1])) if found and before else (venue, None)


def year_of(value: object) -> int | None:
    """First year in a number or a date.

    >>> year_of(2024), year_of("2020-05-01T00:00:00Z"), year_of("12 May 1998"), year_of("forthcoming")
    (2024, 2020, 1998, None)
    """
    found = YEAR.search(str(value))
    return int(found[0]) if found else None


def doi_of(value: str) -> str:
    """Bare DOI in lower case, or nothing.

    >>> doi_of("https://doi.org/10.1000/ABC%3C1%3E."), doi_of("doi:10.1000/x"), doi_of("unknown")
    ('10.1000/abc<1>', '10.1000/x', '')
    """
    found = DOI.search(unquote(value) if "://" in value else value)
    return found[0].lower().rstrip(".,;") if found else ""


def arxiv_of(value: str) -> str:
    """Bare arXiv id without its version, from an id, a link or an arXiv DOI, or nothing.

    >>> arxiv_of("arXiv:2101.00001v3"), arxiv_of("http://arxiv.org/abs/cs.LG/0101001v1"), arxiv_of("10.1000/2101.00001")
    ('2101.00001', 'cs.LG/0101001', '')
    >>> arxiv_of("10.48550/arxiv.2101.00001")
    '2101.00001'
    """
    own = ARXIV_DOI.match(value.lower())
    if own is None and (DOI.search(value) or ("://" in value and "arxiv.org/" not in value)):
        return ""
    found = ARXIV.search(own[1] if own else re.sub(r"(?i)^.*arxiv\.org/(?:abs|pdf)/|^arxiv:|\.pdf$", "", value))
    return found[1] if found else ""


def _string(value: object) -> str:
    """A field as one line: numbers as they are written, nothing for what is no text."""
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return ""
    return " ".join(str(value).split())


def _storable(source: Source, origin: str, made: dict[str, str], names: list[str]) -> tuple[dict[str, str], list[str]]:
    whole = "".join((*made.values(), *names))
    count = 0 if whole.isascii() and whole.isprintable() else len(UNSTORABLE.findall(whole))
    if not count:
        return made, names
    plural = "s that no format can hold were" if count > 1 else " that no format can hold was"
    source.note(f"{count} character{plural} replaced by U+FFFD", origin=origin)
    return {k: UNSTORABLE.sub("\ufffd", v) for k, v in made.items()}, [UNSTORABLE.sub("\ufffd", n) for n in names]
