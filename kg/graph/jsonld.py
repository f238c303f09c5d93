"""Triples to JSON-LD as a stream: one line for each node, names abbreviated by a context that the file itself holds.

Why not pyoxigraph's writer, which streams as well: it knows no context, so that each name is a full IRI in one endless
line. Why not rdflib's: it needs all of the graph in memory, at a hundredth of the speed. A context that the file holds
is one that nobody has to fetch. https://www.w3.org/TR/json-ld11/
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache, partial
from itertools import groupby

from pyoxigraph import Literal, NamedNode

from kg import vocab
from kg.graph.terms import Spo


def json_ld(triples: Iterable[Spo], prefixes: dict[str, str]) -> Iterator[bytes]:
    """Write triples that come grouped by subject.

    >>> from pyoxigraph import Literal
    >>> a, b = NamedNode("http://e.org/a"), NamedNode("http://e.org/b")
    >>> print(b"".join(json_ld([(a, b, a), (a, b, Literal("x", language="en"))], {"e": "http://e.org/"})).decode())
    {"@context": {"e": "http://e.org/"}, "@graph": [
    {"@id": "e:a", "e:b": [{"@id": "e:a"}, {"@value": "x", "@language": "en"}]}
    ]}
    <BLANKLINE>
    """
    short = lru_cache(maxsize=10_000)(partial(vocab.short, prefixes=prefixes))
    before = f'{{"@context": {_dumps(prefixes)}, "@graph": ['.encode()
    for subject, about in groupby(triples, key=lambda spo: spo[0]):
        yield before + b"\n" + _dumps(_node(subject, about, short)).encode()
        before = b","
    yield b"\n]}\n" if before == b"," else before + b"]}\n"


def _node(subject: NamedNode, about: Iterable[Spo], short: Callable[[str], str]) -> dict[str, object]:
    node: dict[str, list[object]] = {"@id": [short(subject.value)]}
    for _, p, o in about:
        if p == vocab.RDF_TYPE and isinstance(o, NamedNode):
            node.setdefault("@type", []).append(short(o.value))
        else:
            node.setdefault(short(p.value), []).append(_value(o, short))
    return {key: values[0] if len(values) == 1 else values for key, values in node.items()}


def _value(term: NamedNode | Literal, short: Callable[[str], str]) -> object:
    if isinstance(term, NamedNode):
        return {"@id": short(term.value)}
    if term.language:
        return {"@value": term.value, "@language": term.language}
    if term.datatype != vocab.XSD_STRING:
        return {"@value": term.value, "@type": short(term.datatype.value)}
    return term.value


def _dumps(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
