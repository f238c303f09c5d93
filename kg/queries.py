"""The catalogue: each file of `queries/` is one question, with a head that says what it asks and what can be set.

A file is plain SPARQL for any endpoint. Its head is Markdown in comments: a title, **Question**, **Parameters** (name,
kind, meaning; the default stands in the query), **Example**, **Columns**, **Note**. A parameter's kind says how its
value is read: what is called by a name (a Dataset, a paper …) is found by any of its labels, which the graph has in
lower case as skos:hiddenLabel, so that it is looked up and no labels are scanned.

Why the files are written as they are: Oxigraph orders joins by how many bindings it expects, and for all it knows ten
thousand nodes bear a name; the inner `SELECT … LIMIT 20` tells it that they do not. And of what is counted, the top is
taken before it is named, for counts compare faster than names.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from kg import vocab
from kg.errors import QueryError, UsageError
from kg.parameters import parameters, with_values
from kg.records import EntityType
from kg.sparql import did_you_mean, tokens

PACKAGE = Path(__file__).parent
SUFFIX = ".rq"
CLASS, CONCEPT, PAPER, YEAR = "class", "concept", "paper", "year"
NAMED = frozenset((*EntityType, CONCEPT, PAPER))
TITLE = re.compile(r"# # (.+)")
SECTION = re.compile(r"# \*\*(\w+)\*\* ?(.*)")
ITEM = re.compile(r"# - `(\w+)`(?: \((\w+)\))?: (.+)")


@dataclass(frozen=True, slots=True)
class Item:
    """A line of a head about a parameter or a column: its name, its kind (of a parameter), what it means."""

    name: str
    kind: str
    meaning: str


@dataclass(frozen=True, slots=True)
class Query:
    """One question: what its head says, and the SPARQL."""

    name: str
    text: str
    title: str = ""
    question: str = ""
    parameters: tuple[Item, ...] = ()
    example: str = ""
    columns: tuple[Item, ...] = ()

    @property
    def defaults(self) -> dict[str, str]:
        """Parameter → default, as people write it."""
        return {name: _unquoted(p.default) for name, p in parameters(self.text).items()}

    def with_values(self, values: Mapping[str, object]) -> str:
        """Give the SPARQL with these values in the place of the defaults."""
        kinds = {item.name: item.kind for item in self.parameters}
        return with_values(self.text, {k: _read(k, kinds.get(k, ""), v) for k, v in values.items()}, name=self.name)


def folder() -> Path:
    """Find the catalogue: in the package once installed, beside it in a checkout."""
    installed = PACKAGE / "data" / "queries"
    return installed if installed.is_dir() else PACKAGE.parent / "queries"


def catalogue() -> tuple[Query, ...]:
    """Read all questions, by name."""
    return tuple(read(path) for path in _paths())


def find(name: str) -> Query:
    """Read the question of that name, or a query file; QueryError, with the nearest name, where there is none.

    >>> find("paper-by-dataset")
    Traceback (most recent call last):
    kg.errors.QueryError: no query is called paper-by-dataset; did you mean papers-by-dataset? `kg query` lists them all
    """
    known = {path.stem: path for path in _paths()}
    if name in known or Path(name).is_file() or name.endswith(SUFFIX):
        return read(known.get(name, Path(name)))
    raise QueryError(f"no query is called {name}{did_you_mean(name, known) or ';'} `kg query` lists them all")


def read(path: Path) -> Query:
    """Read a query file; what its head does not say is left empty, so any file will do."""
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = "it is not UTF-8" if isinstance(error, UnicodeDecodeError) else error.strerror
        raise QueryError(f"{path} cannot be read as a query: {reason}") from error
    head = _head(text)
    return Query(
        name=path.stem,
        text=text,
        title=" ".join(head["Title"]),
        question=" ".join(head["Question"]),
        parameters=tuple(_items(head["Parameters"])),
        example=" ".join(head["Example"]).strip("`"),
        columns=tuple(_items(head["Columns"])),
    )


def _paths() -> list[Path]:
    return sorted(folder().glob(f"*{SUFFIX}"), key=lambda path: path.stem)


def _head(text: str) -> dict[str, list[str]]:
    """Cut the comments at the top of a query into its sections."""
    head: dict[str, list[str]] = {s: [] for s in ("Title", "Question", "Parameters", "Example", "Columns", "Note")}
    section = ""
    for line in text.splitlines():
        if not line.startswith("#"):
            break
        if title := TITLE.match(line):
            head["Title"].append(title[1])
        elif (found := SECTION.match(line)) and found[1] in head:
            section = found[1]
            head[section] += [found[2]] if found[2] else []
        elif section and line.strip("# "):
            head[section].append(line if section in ("Parameters", "Columns") else line.strip("# "))
    return head


def _items(lines: list[str]) -> Iterator[Item]:
    return (Item(found[1], found[2] or "", found[3]) for line in lines if (found := ITEM.match(line)))


def _read(name: str, kind: str, value: object) -> object:
    """Read a value as its kind asks: a name in lower case, a class in its own spelling."""
    if kind in NAMED:
        return vocab.fold(str(value))
    if kind == YEAR and not re.fullmatch(r"[0-9]{4}", str(value)):
        raise UsageError(f"{name} cannot be {value}; give four digits")
    if kind != CLASS:
        return value
    classes = {t.lower(): t.value for t in EntityType}
    if str(value).lower() not in classes:
        raise UsageError(f"{name} cannot be {value}; choose {', '.join(classes.values())}")
    return classes[str(value).lower()]


def _unquoted(default: str) -> str:
    token = next(tokens(default), None)
    return token[0].strip("\"'") if token and token.lastgroup == "string" else default
