"""Triples to Turtle that a person reads: all prefixes bound at the head, headings, a gap between subjects, short lines.

pyoxigraph writes the triples, in the order they come, and decides which names can be abbreviated; a name that is
escaped by hand is a name that some parser refuses. What it writes is then only laid out: literals hold no raw line end
in its Turtle, so what stands at a line's start or end is markup. Its own prefix lines are dropped from each block,
since their order differs from run to run. https://www.w3.org/TR/turtle/
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain

from pyoxigraph import RdfFormat, Triple, serialize

from kg.graph.terms import legible

LINE_LENGTH = 120


def header(prefixes: dict[str, str], *comments: str) -> bytes:
    """Write the head of a file: comments, then all prefixes, aligned.

    >>> print(header({"a": "http://e.org/", "long": "http://l.org/"}, "Two prefixes.").decode(), end="")
    # Two prefixes.
    <BLANKLINE>
    @prefix a:    <http://e.org/> .
    @prefix long: <http://l.org/> .
    <BLANKLINE>
    """
    width = max(map(len, prefixes)) + 1
    lines = [f"@prefix {f'{prefix}:':{width}} <{namespace}> ." for prefix, namespace in sorted(prefixes.items())]
    return "\n".join([*(f"# {comment}" for comment in comments), "", *lines, "", ""]).encode()


def heading(title: str) -> bytes:
    """Write a comment line that says what follows.

    >>> heading("Transcoda\\nNeurIPS").decode()
    '\\n# ── Transcoda NeurIPS ──\\n\\n'
    """
    return f"\n# ── {' '.join(legible(title).split())} ──\n\n".encode()


def block(triples: Iterable[Triple], prefixes: dict[str, str]) -> bytes:
    """Write triples, grouped by subject in the order in which the subjects first come.

    >>> from pyoxigraph import Literal, NamedNode
    >>> a, b = NamedNode("http://e.org/a"), NamedNode("http://e.org/b")
    >>> triples = Triple(a, b, a), Triple(a, b, Literal("x")), Triple(a, a, b)
    >>> print(block(triples, {"": "http://e.org/"}).decode(), end="")
    :a :b :a , "x" ;
        :a :b .
    <BLANKLINE>
    """
    subjects: dict[object, list[Triple]] = {}
    for triple in triples:
        subjects.setdefault(triple.subject, []).append(triple)
    grouped = chain.from_iterable(subjects.values())
    data = serialize(grouped, format=RdfFormat.TURTLE, prefixes=prefixes) or b""
    lines = (line for line in data.split(b"\n") if not line.startswith(b"@prefix "))
    return b"\n".join(map(_laid_out, lines))


def _laid_out(line: bytes) -> bytes:
    """Indent by blanks, end a subject with a gap, and give each of many names its own line."""
    if line[:1] == b"\t":
        line = b"    " + line[1:]
    if len(line) > LINE_LENGTH and b'"' not in line:
        line = line.replace(b" , ", b" ,\n        ")
    return line + b"\n" if line[-2:] == b" ." else line
