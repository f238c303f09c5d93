r"""SPARQL as text: what a query may do, and where it is wrong.

Oxigraph's parser reports the farthest place it tried, which for a misspelt keyword lies behind the word (`SELEC *` is
reported at column 10). So it is asked again:

1. cut the text into tokens;
2. a beginning of the query is *viable* if the parser, given that beginning and white space, complains only at the very
   end: all that is missing is more text;
3. the first token that makes the beginning unviable is the wrong one; if there is none, the query ends too early.

Grammar: https://www.w3.org/TR/sparql11-query/#sparqlGrammar
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches

import pyoxigraph as ox

from kg.errors import QueryError

TOKEN = re.compile(
    r"""(?P<comment>\#[^\n]*)|(?P<space>\s+)
    |(?P<string>\"{3}(?:[^"\\]|\\.|"(?!""))*\"{3}|'{3}(?:[^'\\]|\\.|'(?!''))*'{3}
       |"(?:[^"\\\n\r]|\\.)*"|'(?:[^'\\\n\r]|\\.)*')
    |(?P<iri><[^<>"{}|^`\\\x00-\x20]*>)|(?P<variable>[?$]\w+)|(?P<lang>@[A-Za-z]+(?:-[A-Za-z0-9]+)*)
    |(?P<prefixed>(?:[^\W\d_](?:[\w.-]*[\w-])?)?:(?:(?:[\w:%-]|\\.)(?:(?:[\w:%.-]|\\.)*(?:[\w:%-]|\\.))?)?|_:\w[\w-]*)
    |(?P<word>[A-Za-z_]\w*)|(?P<number>[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)|(?P<other>\^\^|&&|\|\||[<>!]=|.)""",
    re.VERBOSE | re.DOTALL,
)
FORMS = ("SELECT", "ASK", "CONSTRUCT", "DESCRIBE")
UPDATES = ("INSERT", "DELETE", "LOAD", "CLEAR", "DROP", "CREATE", "ADD", "MOVE", "COPY", "WITH")
WORDS = """
PREFIX BASE SELECT DISTINCT REDUCED ASK CONSTRUCT DESCRIBE FROM NAMED WHERE GROUP BY HAVING ORDER ASC DESC LIMIT OFFSET
VALUES UNDEF OPTIONAL GRAPH UNION MINUS FILTER BIND AS EXISTS NOT IN COUNT SUM MIN MAX AVG SAMPLE GROUP_CONCAT
SEPARATOR STR LANG LANGMATCHES DATATYPE BOUND IRI CONCAT STRLEN SUBSTR REPLACE UCASE LCASE CONTAINS STRSTARTS STRENDS
STRBEFORE STRAFTER YEAR REGEX COALESCE IF ABS ROUND CEIL FLOOR ISIRI ISLITERAL
"""
ERROR = re.compile(r"error at (\d+):(\d+): expected ")
UNDECLARED = "Prefix not found"
FAULTS = {  # what Oxigraph says where the grammar is kept but the meaning is not → what we say
    UNDECLARED: "the prefix is not declared",
    "IRI parsing failed": "this is not an absolute, well-formed IRI",
    "The SELECT contains a variable that is unbound": "SELECT has a variable that is neither grouped nor aggregated",
    "Duplicated variable name in SELECT": "SELECT names a variable twice",
    "The VALUES clause rows should have": "a row of VALUES has too few or too many values",
}
PADDING = " " * 64  # longer than any keyword, so that the parser's overshoot cannot reach its end
CLOSERS = {"{": "}", "(": ")", "[": "]"}


def check(text: str, *, prefixes: Mapping[str, str] | None = None, name: str = "the query") -> None:
    """Raise QueryError unless `text` is a well-formed query that only reads this store.

    >>> check("SELECT * { ?s ?p ?o . FILTR(?o > 3) }")
    Traceback (most recent call last):
    kg.errors.QueryError: the query is wrong at line 1, column 23: FILTR is not expected here; did you mean FILTER?
      SELECT * { ?s ?p ?o . FILTR(?o > 3) }
                            ^
    """
    _refuse(text, name)
    try:
        _parse(text, prefixes or {})
    except SyntaxError as error:
        raise QueryError(f"{name} is wrong at {_explain(text, str(error), prefixes or {})}") from error
    except UnicodeEncodeError as error:
        raise QueryError(f"{name} is not Unicode text at character {error.start + 1}; write it in UTF-8") from error


def has_from(text: str) -> bool:
    """Whether the query chooses its graphs itself.

    >>> has_from("SELECT * FROM <http://example.org/g> { ?s ?p ?o }"), has_from("SELECT ?from { ?from ?p 'FROM <x>' }")
    (True, False)
    """
    return any(t.lastgroup == "word" and t[0].upper() == "FROM" for t in tokens(text))


def tokens(text: str) -> Iterator[re.Match[str]]:
    """Cut a query into tokens, without its white space and comments; `lastgroup` is the kind.

    >>> [(t.lastgroup, t[0]) for t in tokens("ASK { ?s a 'b' } # c")][1:5]
    [('other', '{'), ('variable', '?s'), ('word', 'a'), ('string', "'b'")]
    """
    return (t for t in TOKEN.finditer(text) if t.lastgroup not in ("space", "comment"))


def did_you_mean(word: str, known: Iterable[str], *, end: str = "") -> str:
    """Name the nearest word that is known, as the end of a sentence, or say nothing.

    >>> did_you_mean("FILTR", ["FILTER", "FROM"])
    '; did you mean FILTER?'
    """
    near = get_close_matches(word, list(known), n=1, cutoff=0.7)
    return f"; did you mean {near[0]}{end}?" if near else ""


def _refuse(text: str, name: str) -> None:
    """No network and no writing: Oxigraph would fetch what SERVICE names, and an update cannot be meant."""
    words = [t[0].upper() for t in tokens(text) if t.lastgroup == "word"]
    if not text.strip():
        raise QueryError(f"{name} is empty; write SELECT, ASK, CONSTRUCT or DESCRIBE")
    if "SERVICE" in words:
        raise QueryError(f"{name} asks another endpoint (SERVICE), which is off; ask that endpoint itself")
    first = next((w for w in words if w in (*FORMS, *UPDATES)), "")
    if first in UPDATES:
        raise QueryError(f"{name} is an update ({first}), and queries only read; change the input and build again")


def _parse(text: str, prefixes: Mapping[str, str]) -> None:
    try:
        ox.Store().query(text, prefixes=dict(prefixes))
    except RuntimeError as error:  # a function that Oxigraph does not have: the grammar is kept
        raise QueryError(f"the query cannot be answered: {error}") from error


def _explain(text: str, message: str, prefixes: Mapping[str, str]) -> str:
    found = ERROR.match(message)
    theirs = next((theirs for theirs in FAULTS if theirs in message), "")
    wrong = _wrong_token(text, prefixes)
    if wrong is not None:
        return _at(text, wrong.start(), _fault(wrong, theirs, prefixes))
    if theirs and found:
        return _at(text, _offset(text, found), FAULTS[theirs])
    return _at(text, len(text.rstrip()), f"it ends before it is complete{_missing(text)}")


def _fault(wrong: re.Match[str], theirs: str, prefixes: Mapping[str, str]) -> str:
    if theirs == UNDECLARED:
        prefix = wrong[0].partition(":")[0]
        return (
            f"the prefix {prefix}: is not declared, add PREFIX {prefix}: <…>{did_you_mean(prefix, prefixes, end=':')}"
        )
    if theirs:
        return FAULTS[theirs]
    what = f"{wrong[0].splitlines()[0]} is not expected here"
    misspelt = wrong.lastgroup == "word" and wrong[0].upper() not in WORDS.split()
    return what + (did_you_mean(wrong[0].upper(), WORDS.split()) if misspelt else "")


def _wrong_token(text: str, prefixes: Mapping[str, str]) -> re.Match[str] | None:
    """Return the first token that nothing that follows can save; no later beginning is viable: a binary search."""
    found = list(tokens(text))
    low, high = 0, len(found)
    while low < high:
        middle = (low + high) // 2
        if _viable(text[: found[middle].end()], prefixes):
            low = middle + 1
        else:
            high = middle
    return found[low] if low < len(found) else None


def _viable(beginning: str, prefixes: Mapping[str, str]) -> bool:
    padded = beginning + PADDING
    try:
        _parse(padded, prefixes)
    except SyntaxError as error:
        found = ERROR.match(str(error))
        return found is not None and _offset(padded, found) >= len(padded)
    return True


def _offset(text: str, found: re.Match[str]) -> int:
    line, column = int(found[1]), int(found[2])
    return sum(len(part) + 1 for part in text.split("\n")[: line - 1]) + column - 1


def _at(text: str, at: int, what: str) -> str:
    """Say where and what, and show the line with a caret under the place."""
    line = text.count("\n", 0, at) + 1
    start = text.rfind("\n", 0, at) + 1
    shown = text[start:].split("\n", 1)[0].rstrip().replace("\t", " ")
    return f"line {line}, column {at - start + 1}: {what}\n  {shown}\n  {' ' * (at - start)}^"


def _missing(text: str) -> str:
    """Name the bracket or quotation mark that was never closed.

    >>> _missing("SELECT * { ?s ?p (?o")
    '; a ) is missing'
    """
    open_: list[str] = []
    for token in tokens(text):
        if token[0] in CLOSERS:
            open_.append(CLOSERS[token[0]])
        elif open_ and token[0] == open_[-1]:
            open_.pop()
        elif token[0] in "\"'":
            return "; a quotation mark is missing"
    return f"; a {open_[-1]} is missing" if open_ else ""
