"""What a query answered: rows of terms, as Python values, as text for people, or in the standard formats.

An answer is the results that pyoxigraph gives, which stream, or `Rows`, which are all there. The standard formats are
written by Oxigraph itself: https://www.w3.org/TR/sparql11-results-csv-tsv/, https://www.w3.org/TR/sparql11-results-json/.
"""

from __future__ import annotations

import re
from collections import namedtuple
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import IO, Any, TypeVar

import pyoxigraph as ox

from kg.errors import ServiceError, UsageError

T = TypeVar("T")
Results = ox.QuerySolutions | ox.QueryTriples | ox.QueryBoolean
Term = ox.NamedNode | ox.BlankNode | ox.Literal | ox.Triple

TABLE, PLAIN = "table", "plain"
TABLES = {
    "csv": ox.QueryResultsFormat.CSV,
    "tsv": ox.QueryResultsFormat.TSV,
    "json": ox.QueryResultsFormat.JSON,
    "xml": ox.QueryResultsFormat.XML,
}
TRIPLES = {
    "ttl": ox.RdfFormat.TURTLE,
    "nt": ox.RdfFormat.N_TRIPLES,
    "json": ox.RdfFormat.JSON_LD,
    "xml": ox.RdfFormat.RDF_XML,
}
XSD = "http://www.w3.org/2001/XMLSchema#"
WHOLE = frozenset(
    f"{XSD}{name}" for name in ("integer", "int", "long", "nonNegativeInteger", "positiveInteger", "gYear")
)
NUMERIC = WHOLE | {f"{XSD}{name}" for name in ("decimal", "double", "float")}
LOCAL_NAME = re.compile(r"\w(?:[\w.-]*[\w-])?")


@dataclass(frozen=True, slots=True, repr=False)
class Rows:
    """All rows of an answer; iterating gives named tuples of Python values, `terms` has the RDF terms.

    CONSTRUCT and DESCRIBE give rows of subject, predicate and object; ASK gives one row with `answer`.
    """

    columns: tuple[str, ...]
    terms: tuple[tuple[Term | None, ...], ...]

    def __iter__(self) -> Iterator[Any]:
        row = namedtuple("Row", self.columns, rename=True)  # type: ignore[misc]
        return (row(*map(python, terms)) for terms in self.terms)

    def __getitem__(self, index: int) -> Any:
        row = namedtuple("Row", self.columns, rename=True)  # type: ignore[misc]
        return row(*map(python, self.terms[index]))

    def __len__(self) -> int:
        return len(self.terms)

    def __bool__(self) -> bool:
        """Whether there is a row; for ASK, whether the answer is yes."""
        return bool(self[0].answer) if self.columns == ("answer",) and len(self) == 1 else len(self) > 0

    def __repr__(self) -> str:
        return f"Rows({len(self)} × {', '.join(self.columns)})"

    def to_pandas(self) -> Any:
        """Give a pandas.DataFrame; ServiceError where pandas is not installed."""
        try:
            import pandas
        except ImportError as error:
            raise ServiceError("pandas is not installed; pip install 'paperkg[pandas]'") from error
        return pandas.DataFrame.from_records([tuple(row) for row in self], columns=list(self.columns))


def columns(results: Results) -> tuple[str, ...]:
    """Name the columns of an answer."""
    if isinstance(results, ox.QuerySolutions):
        return tuple(v.value for v in results.variables)
    return ("subject", "predicate", "object") if isinstance(results, ox.QueryTriples) else ("answer",)


def stream(results: Results) -> Iterator[tuple[Term | None, ...]]:
    """Give the rows of an answer one by one."""
    if isinstance(results, ox.QuerySolutions):
        names = columns(results)
        return (tuple(solution[name] for name in names) for solution in results)
    if isinstance(results, ox.QueryTriples):
        return ((t.subject, t.predicate, t.object) for t in results)
    return iter(((ox.Literal(bool(results)),),))


def python(term: Term | None) -> Any:
    """Give a term as the Python value that it stands for; an IRI as its string, what has no value as its text.

    >>> python(ox.Literal("92.10", datatype=ox.NamedNode(f"{XSD}decimal"))), python(ox.Literal(3)), python(None)
    (Decimal('92.10'), 3, None)
    """
    if not isinstance(term, ox.Literal):
        return None if term is None else str(term) if isinstance(term, ox.Triple) else term.value
    try:
        if term.datatype.value in WHOLE:
            return int(term.value)
        if term.datatype.value in NUMERIC:
            return Decimal(term.value) if term.datatype.value.endswith("decimal") else float(term.value)
    except (ValueError, InvalidOperation):  # "abc"^^xsd:integer is legal RDF
        return term.value
    return term.value in ("true", "1") if term.datatype.value == f"{XSD}boolean" else term.value


def is_number(term: Term | None) -> bool:
    """Whether a term is shown to the right."""
    return isinstance(term, ox.Literal) and term.datatype.value in NUMERIC


def cell(term: Term | None, prefixes: Mapping[str, str]) -> str:
    """Write a term on one line for people: a short name for an IRI, a literal without its quotes and type.

    >>> cell(ox.NamedNode("http://e.org/m/bert"), {"e": "http://e.org/", "m": "http://e.org/m/"})
    'm:bert'
    """
    if term is None:
        return ""
    if isinstance(term, ox.NamedNode):
        return _short(term.value, prefixes)
    return " ".join(term.value.split()) if isinstance(term, ox.Literal) else str(term)


def _short(iri: str, prefixes: Mapping[str, str]) -> str:
    known = [(len(ns), prefix, ns) for prefix, ns in prefixes.items() if iri.startswith(ns)]
    for _, prefix, ns in sorted(known, reverse=True):
        if LOCAL_NAME.fullmatch(iri, len(ns)):
            return f"{prefix}:{iri[len(ns) :]}"
    return f"<{iri}>"


def default_format(results: Results, *, terminal: bool) -> str:
    """Choose a format where none is asked for: Turtle for triples, a table for people, plain lines for a pipe."""
    if isinstance(results, ox.QueryTriples):
        return "ttl"
    return TABLE if terminal and isinstance(results, ox.QuerySolutions) else PLAIN


def checked_format(format: str) -> str:
    """Give a format back that some answer can be written in; UsageError, which lists them, where there is none.

    >>> checked_format("xls")
    Traceback (most recent call last):
    kg.errors.UsageError: xls is no format; choose table, plain, csv, tsv, json, xml, ttl or nt
    """
    *some, last = known = dict.fromkeys((TABLE, PLAIN, *TABLES, *TRIPLES))
    if format not in known:
        raise UsageError(f"{format} is no format; choose {', '.join(some)} or {last}")
    return format


def write(results: Results, file: IO[bytes], format: str, prefixes: Mapping[str, str]) -> int | None:
    """Write an answer; gives the number of rows where they were counted. All but Turtle is written as it streams."""
    if format == PLAIN:
        return _write_plain(results, file, prefixes)
    if not isinstance(results, ox.QueryTriples):
        results.serialize(file, _known(format, TABLES))
    elif _known(format, TRIPLES) is ox.RdfFormat.TURTLE:
        file.write(_turtle(sorted(results, key=str), prefixes))
    else:
        results.serialize(file, TRIPLES[format])
    return None


def _known(format: str, formats: Mapping[str, T]) -> T:
    if format not in formats:
        *some, last = (TABLE, PLAIN, *formats)
        raise UsageError(f"{format} is no format for this answer; choose {', '.join(some)} or {last}")
    return formats[format]


def _turtle(triples: list[ox.Triple], prefixes: Mapping[str, str]) -> bytes:
    """Write Turtle that is the same each time: pyoxigraph writes prefixes in an order that differs from run to run."""
    data = ox.serialize(triples, format=ox.RdfFormat.TURTLE, prefixes=dict(prefixes)) or b""
    lines = data.splitlines(keepends=True)
    head = sorted(line for line in lines if line.startswith(b"@prefix "))
    body = b"".join(lines[len(head) :])
    return b"".join([*(line for line in head if line.split()[1] in body), b"\n", body])


def _write_plain(results: Results, file: IO[bytes], prefixes: Mapping[str, str]) -> int:
    """Write lines for people and for `cut`: a head, then tab-separated cells; of ASK, only the answer."""
    if not isinstance(results, ox.QueryBoolean):
        file.write(("\t".join(columns(results)) + "\n").encode())
    count = 0
    for count, terms in enumerate(stream(results), 1):  # noqa: B007
        file.write(("\t".join(cell(term, prefixes) for term in terms) + "\n").encode())
    return count
