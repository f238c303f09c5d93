"""XML: Atom (arXiv's answers), the ACL Anthology, EndNote's export.

1. Expat streams over the document; the elements of one record are built, handed on, and forgotten, so memory holds one.
2. A record, and what stands around it (the ACL volume's venue and year), becomes a paper.

Entities that a document declares are refused, so none can expand without end: neither Atom nor the others need them.
Why not `iterparse`: it shows no declarations and keeps the emptied elements.

- Atom of arXiv: https://info.arxiv.org/help/api/user-manual.html
- ACL Anthology: https://github.com/acl-org/acl-anthology/blob/master/data/xml/schema.rnc
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import partial
from typing import Any
from xml.etree.ElementTree import Element, TreeBuilder
from xml.parsers import expat

from kg.papers.encoding import BLOCK
from kg.papers.make import doi_of, paper, venue_and_year
from kg.papers.shapes import turned
from kg.papers.sources import Source
from kg.records import Paper

DEEPEST = 100
Record = tuple[int, Element, "Context"]


@dataclass(slots=True)
class Context:
    """What stood before a record: attributes and elements by name."""

    attributes: dict[str, dict[str, str]] = field(default_factory=dict)
    texts: dict[str, str] = field(default_factory=dict)


class _Refused(Exception):
    """What no document of ours needs and some attack with."""


def read(source: Source) -> Iterator[Paper]:
    """Papers of an XML document, by its outermost element."""
    try:
        for line, element, context in _records(source):
            if made := MAKERS[element.tag](source, source.at(line), element, context):
                yield made
    except _Refused as refused:
        source.error(f"{refused}, and was not read on; give a plain document")
    except expat.ExpatError as error:
        where = source.at(error.lineno)
        why = expat.errors.messages[error.code]
        source.error(f"is not XML at column {error.offset + 1} ({why}); what came before was read", origin=where)


class _Builder:
    """Expat's events to elements of records."""

    def __init__(self) -> None:
        self.done: list[Record] = []
        self.tree: TreeBuilder | None = None
        self.depth, self.line = 0, 0
        self.context = Context()
        self.text: list[str] = []
        self.parser = expat.ParserCreate("utf-8", namespace_separator="}")  # whatever it says, it is in UTF-8 by now
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self.start
        self.parser.EndElementHandler = self.end
        self.parser.CharacterDataHandler = self.data
        self.parser.EntityDeclHandler = self.refuse

    def start(self, name: str, attributes: dict[str, str]) -> None:
        tag = name.rpartition("}")[2]
        if self.tree is None and tag in MAKERS:
            self.tree, self.depth, self.line = TreeBuilder(), 0, self.parser.CurrentLineNumber
        if self.tree is None:
            self.context.attributes[tag] = attributes
            self.text = []
        else:
            self.depth += 1
            if self.depth > DEEPEST:
                raise _Refused(f"nests elements more than {DEEPEST} deep")
            self.tree.start(tag, attributes)

    def end(self, name: str) -> None:
        tag = name.rpartition("}")[2]
        if self.tree is None:
            self.context.texts[tag] = "".join(self.text).strip()
            self.text = []
            return
        self.tree.end(tag)
        self.depth -= 1
        if self.depth == 0:
            around = Context(dict(self.context.attributes), dict(self.context.texts))  # of this moment
            self.done.append((self.line, self.tree.close(), around))
            self.tree = None

    def data(self, text: str) -> None:
        if self.tree is None:
            self.text.append(text)
        else:
            self.tree.data(text)

    def refuse(self, *declaration: Any) -> None:
        raise _Refused("declares XML entities, which may expand without end")


def _records(source: Source) -> Iterator[Record]:
    builder = _Builder()
    block, fault = source.stream.read(BLOCK), None
    while fault is None:
        try:
            builder.parser.Parse(block, not block)
        except (expat.ExpatError, _Refused) as error:
            fault = error
        yield from builder.done
        builder.done.clear()
        if not block:
            break
        block = source.stream.read(BLOCK)
    if fault:
        raise fault


def _text(element: Element | None) -> str:
    return "" if element is None else "".join(element.itertext())


def _marked(element: Element | None) -> str:
    """Text of an element of the Anthology: formulas keep the dollars by which they are known."""
    if element is None:
        return ""
    inner = "".join(_marked(child) + (child.tail or "") for child in element)
    text = (element.text or "") + inner
    return f"${text}$" if element.tag == "tex-math" else text


def _atom(source: Source, origin: str, entry: Element, context: Context) -> Paper | None:
    links = [link.get("href", "") for link in entry.iter("link") if link.get("rel", "alternate") == "alternate"]
    url = next(iter(links), "") or _text(entry.find("id"))
    arxiv = url if "arxiv.org/" in url else _text(entry.find("id"))
    return paper(
        source,
        origin,
        text=_text(entry.find("summary")).strip() or _text(entry.find("content")).strip() or None,
        title=_text(entry.find("title")),
        venue=_text(entry.find("journal_ref")) or ("arXiv" if "arxiv.org/" in arxiv else ""),
        year=_text(entry.find("published")) or _text(entry.find("updated")),
        authors=[_text(author.find("name")) for author in entry.findall("author")],
        doi=_text(entry.find("doi")),
        arxiv=arxiv if "arxiv.org/" in arxiv else "",
        url=url,
        id=_text(entry.find("id")),
    )


def _anthology(source: Source, origin: str, element: Element, context: Context) -> Paper | None:
    collection = context.attributes.get("collection", {}).get("id", "")
    volume = context.attributes.get("volume", {}).get("id", "")
    name = _text(element.find("url")).strip() or f"{collection}-{volume}.{element.get('id', '')}"
    venue = context.texts.get("venue", "")
    title, _ = venue_and_year(context.texts.get("booktitle", ""))
    return paper(
        source,
        origin,
        text=_marked(element.find("abstract")).strip() or None,
        title=_marked(element.find("title")),
        venue=(venue.upper() if venue != "findings" else "Findings") or title,
        year=_text(element.find("year")) or context.texts.get("year"),
        authors=[f"{_text(a.find('first'))} {_text(a.find('last'))}".strip() for a in element.findall("author")],
        doi=_text(element.find("doi")),
        url=name if "://" in name else f"https://aclanthology.org/{name}",
        id=name.rsplit("/", 1)[-1],
    )


def _endnote(source: Source, origin: str, record: Element, context: Context) -> Paper | None:
    at = partial(_path, record)
    return paper(
        source,
        origin,
        text=at("abstract") or None,
        title=at("titles/title"),
        venue=at("titles/secondary-title") or at("periodical/full-title"),
        year=at("dates/year"),
        authors=[turned(_text(author)) for author in record.iterfind("contributors/authors/author")],
        doi=next((d for d in (at("electronic-resource-num"), at("urls/related-urls/url")) if doi_of(d)), ""),
        url=at("urls/related-urls/url"),
        id=at("accession-num"),
    )


def _path(record: Element, path: str) -> str:
    return _text(record.find(path)).strip()


MAKERS: dict[str, Callable[[Source, str, Element, Context], Paper | None]] = {
    "entry": _atom,
    "paper": _anthology,
    "record": _endnote,
}
