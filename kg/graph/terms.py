"""Python values to RDF literals that every writer can write and every reader reads back the same.

Text keeps its length: a character that XML 1.0 forbids (a control character, a lone surrogate) becomes U+FFFD, one for
one, so that offsets still hold and RDF/XML still parses. Numbers never pass through binary floating point on the way
from a text: xsd:decimal keeps the digits that the authors wrote.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from pyoxigraph import Literal, NamedNode

from kg import vocab
from kg.text import plain

Spo = tuple[NamedNode, NamedNode, NamedNode | Literal]

NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")


def legible(value: str) -> str:
    r"""Put U+FFFD where XML 1.0 has no character.

    >>> legible("a\x00b\ud800c\n")
    'a�b�c\n'
    """
    return NOT_IN_XML.sub("\ufffd", value)


def text(value: str) -> Literal:
    """Make a plain string."""
    return Literal(legible(value))


def english(value: str) -> Literal:
    """Make a label; abstracts are English, and SKOS wants a language."""
    return Literal(legible(value), language="en")


def decimal(digits: str) -> Literal:
    """Make an xsd:decimal of digits as they were written.

    >>> str(decimal("92.10"))
    '"92.10"^^<http://www.w3.org/2001/XMLSchema#decimal>'
    """
    return Literal(digits, datatype=vocab.XSD_DECIMAL)


@lru_cache(maxsize=20_000)
def probability(value: float) -> Literal:
    """Make an xsd:decimal of a probability, to four digits.

    >>> probability(0.98).value, probability(1).value
    ('0.98', '1.0')
    """
    whole, _, part = f"{value:.4f}".partition(".")
    return decimal(f"{whole}.{part.rstrip('0') or '0'}")


def boolean(value: bool) -> Literal:
    """Make an xsd:boolean.

    >>> boolean(True).value
    'true'
    """
    return Literal("true" if value else "false", datatype=vocab.XSD_BOOLEAN)


@lru_cache(maxsize=20_000)
def offset(value: int) -> Literal:
    """Make an offset as NIF types it."""
    return Literal(str(value), datatype=vocab.XSD_NON_NEGATIVE_INTEGER)


def count(value: int) -> Literal:
    """Make a number of things."""
    return Literal(str(value), datatype=vocab.XSD_INTEGER)


def year(value: int) -> Literal:
    """Make an xsd:gYear, which has at least four digits.

    >>> year(987).value
    '0987'
    """
    return Literal(f"{value:04d}", datatype=vocab.XSD_G_YEAR)


def looked_up(node: NamedNode, *names: str) -> Iterator[Spo]:
    """Say by which names a thing is found: without case and markup, so that a query can look them up and need not scan.

    >>> [o.value for _, _, o in looked_up(NamedNode("http://e.org/x"), "BERT", "Bert", r"$\\alpha$-GAN", "")]
    ['$\\\\alpha$-gan', 'bert', 'α-gan']
    """
    forms = {vocab.fold(legible(form)) for name in names for form in (name, plain(name))}
    for form in sorted(forms - {""}):
        yield node, vocab.SKOS_HIDDEN_LABEL, text(form)


def called(node: NamedNode, label: str, alternatives: Iterable[str]) -> Iterator[Spo]:
    """Say what a concept is called, by which names it is found, and the words of these, cut at blanks, in lower case.

    >>> from kg.vocab import KG_WORD
    >>> triples = called(NamedNode("http://e.org/x"), "Graph Neural Network", ["graph neural net (GNN)"])
    >>> [o.value for _, p, o in triples if p == KG_WORD]
    ['(gnn)', 'graph', 'net', 'network', 'neural']
    """
    written = (label, *alternatives)
    names = {*written, *map(plain, written)} - {""}  # as people search, too: α-GAN
    yield node, vocab.SKOS_PREF_LABEL, english(label)
    for name in sorted(names - {label}):
        yield node, vocab.SKOS_ALT_LABEL, english(name)
    yield from looked_up(node, *written)
    for word in sorted({word for name in names for word in legible(name).lower().split(" ")} - {""}):
        yield node, vocab.KG_WORD, text(word)
