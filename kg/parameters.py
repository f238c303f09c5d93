r"""What can be set in a query.

`VALUES ?name { "default" }` is the parameter `name`, and `LIMIT 50` at the end is the parameter `limit`; so a query
file with its defaults is plain SPARQL for any endpoint. A value is put in as a serialised term of the kind that the
default is, never as text: what a quotation mark or a brace in it would do in SPARQL, it does not do here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from itertools import pairwise

import pyoxigraph as ox

from kg.errors import UsageError
from kg.sparql import did_you_mean, tokens

LIMIT = "limit"


@dataclass(frozen=True, slots=True)
class Parameter:
    """A value that can be set: its name, its default as SPARQL, and where in the text it stands."""

    name: str
    default: str
    places: tuple[tuple[int, int], ...]


def parameters(text: str) -> dict[str, Parameter]:
    """Find what can be set, in the order of the text.

    >>> [(p.name, p.default) for p in parameters('SELECT * { VALUES ?task { "NER" } } LIMIT 50').values()]
    [('task', '"NER"'), ('limit', '50')]
    """
    found: dict[str, list[tuple[int, int]]] = {}
    all_tokens = list(tokens(text))
    for i, (token, variable, brace) in enumerate(zip(all_tokens, all_tokens[1:], all_tokens[2:], strict=False)):
        if token[0].upper() == "VALUES" and variable.lastgroup == "variable" and brace[0] == "{":
            end = next((t.start() for t in all_tokens[i + 3 :] if t[0] == "}"), len(text))
            found.setdefault(variable[0][1:], []).append((brace.end(), end))
    last = max((i for i, token in enumerate(all_tokens) if token[0] == "}"), default=0)
    limits = [number.span() for word, number in pairwise(all_tokens[last:]) if word[0].upper() == "LIMIT"]
    places = found | ({LIMIT: limits} if limits else {})
    return {name: Parameter(name, text[slice(*at[0])].strip(), tuple(at)) for name, at in places.items()}


def with_values(text: str, values: Mapping[str, object], *, name: str = "the query") -> str:
    r"""Put values in the place of the defaults.

    >>> with_values('SELECT * { VALUES ?d { "a" } }', {"d": 'x" } DROP ALL #'})
    'SELECT * { VALUES ?d { "x\\" } DROP ALL #" } }'
    """
    known = parameters(text)
    edits = []
    for key, value in values.items():
        if key not in known:
            there = f"its parameters are {', '.join(known)}" if known else "it has none"
            raise UsageError(f"{name} has no parameter {key}; {there}{did_you_mean(key, known)}")
        term = _term(known[key], value)
        edits += [(start, end, term if key == LIMIT else f" {term} ") for start, end in known[key].places]
    for start, end, term in sorted(edits, reverse=True):
        text = text[:start] + term + text[end:]
    return text


def pairs(given: Iterable[str]) -> dict[str, str]:
    """Read NAME=VALUE.

    >>> pairs(["metric=F1 = micro", "limit=5"])
    {'metric': 'F1 = micro', 'limit': '5'}
    """
    split = {pair: pair.partition("=") for pair in given}
    for pair, (name, equals, _) in split.items():
        if not (name.strip() and equals):
            raise UsageError(f"{pair!r} sets nothing; write NAME=VALUE")
    return {name.strip(): value for name, _, value in split.values()}


def limit_of(text: str) -> int | None:
    """Read how many rows a query may give.

    >>> limit_of("SELECT * { SELECT * {} LIMIT 2 } LIMIT 5"), limit_of("ASK {}")
    (5, None)
    """
    found = parameters(text).get(LIMIT)
    return int(found.default) if found else None


def _term(parameter: Parameter, value: object) -> str:
    if isinstance(value, ox.NamedNode | ox.Literal) and parameter.name != LIMIT:
        return str(value)
    given, default = str(value), next(tokens(parameter.default), None)
    kind = default.lastgroup if default else None
    try:
        if kind == "number":
            return _number(given.strip(), whole=parameter.default.isdigit())
        if kind == "iri":
            return _iri(given.strip())
        if kind == "prefixed" and default is not None:
            return _prefixed(given.strip(), default[0].partition(":")[0])
        return str(ox.Literal(given)) + _suffix(parameter.default)
    except (ValueError, InvalidOperation) as error:
        raise UsageError(f"{parameter.name} cannot be {given!r}; its default is {parameter.default}") from error


def _number(given: str, *, whole: bool) -> str:
    if whole:
        if not re.fullmatch("[0-9]{1,15}", given):
            raise ValueError(given)
        return str(int(given))
    number = Decimal(given)
    if not number.is_finite():
        raise ValueError(given)
    return f"{number:f}"


def _iri(given: str) -> str:
    return str(ox.NamedNode(given.removeprefix("<").removesuffix(">")))


def _prefixed(given: str, prefix: str) -> str:
    """Write a name under the default's prefix, unless it has its own or is a whole IRI."""
    if "://" in given:
        return _iri(given)
    name = given if ":" in given else f"{prefix}:{given}"
    if not re.fullmatch(r"[A-Za-z][A-Za-z0-9-]*:[A-Za-z0-9_-]+", name):
        raise ValueError(given)
    return name


def _suffix(default: str) -> str:
    """Give the datatype or the language of the default, as it is written."""
    found = re.search(r"""["'](\^\^\S+|@\S+)$""", default)
    return found[1] if found else ""
