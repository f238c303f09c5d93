"""The store of a build, opened for reading, and the questions it is asked.

The store has named graphs; a query sees their union, so it needs no GRAPH, unless it says FROM. It is opened read-only:
a query can run while another process reads, and can change nothing. `SERVICE` and updates are refused (`kg.sparql`).
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from traceback import clear_frames
from typing import TypeVar

import pyoxigraph as ox

from kg import vocab
from kg.answers import Results, Rows, columns, stream
from kg.errors import InputError, QueryError
from kg.parameters import with_values
from kg.sparql import check, has_from

T = TypeVar("T")

STORE = "store"
DAMAGE = ("Corruption", "IO error", "Invalid", "Error while decoding")


def open_store(path: Path) -> ox.Store:
    """Open the store of a build (its folder, or the store's own) read-only; InputError where there is none."""
    folder = path / STORE if (path / STORE).is_dir() else path
    real = os.path.realpath(folder)  # a build may turn the link while the files behind it are opened
    if not os.path.exists(os.path.join(real, "CURRENT")):
        raise InputError(f"{path} has no store to ask; make one with `kg build`, or name a build with --from")
    try:
        store = ox.Store.read_only(real)
    except (OSError, RuntimeError, ValueError) as error:
        raise InputError(_damaged(folder, error)) from error
    if next(iter(store), None) is None:  # a cut manifest opens as an empty store, and no build is empty
        raise InputError(f"{folder} is empty or damaged; `kg build` makes it anew")
    return store


def base_of(store: ox.Store) -> str:
    """Read off the store the base under which its IRIs were minted."""
    for graph in store.named_graphs():
        base, found, _ = graph.value.rpartition("graph/")
        if found:
            return base
    return vocab.DEFAULT_BASE


def evaluate(store: ox.Store, text: str, *, name: str = "the query") -> Results:
    """Ask one query; the answer streams, so read it under `reading`."""
    prefixes = vocab.prefixes(base_of(store))
    check(text, prefixes=prefixes, name=name)
    with reading(name):
        return store.query(text, prefixes=prefixes, use_default_graph_as_union=not has_from(text))


def rows(store: ox.Store, text: str, *, values: Mapping[str, object] | None = None, name: str = "the query") -> Rows:
    """Ask one query, with values for its parameters, and read the whole answer.

    >>> rows(ox.Store(), 'SELECT ?n { VALUES ?n { 1 } }', values={"n": 7})[0].n
    7
    """
    results = evaluate(store, with_values(text, values or {}, name=name), name=name)
    with reading(name):
        return Rows(columns(results), tuple(stream(results)))


@contextmanager
def reading(name: str = "the query") -> Iterator[None]:
    """Turn what goes wrong while an answer is read into one sentence."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (OSError, RuntimeError) as error:
        if str(error).startswith(DAMAGE):
            raise InputError(_damaged("the store", error)) from error
        raise QueryError(f"{name} cannot be answered: {error}") from error


def within(seconds: float | None, work: Callable[[], T], *, name: str = "the query") -> T:
    """Do work that may have to be given up; QueryError after so many seconds.

    Oxigraph cannot be told to stop, but it lets go of the interpreter while it works. So the work has a thread of its
    own, this one stays free for the clock and for Ctrl-C, and the thread ends with the process.
    """
    outcome: list[T | BaseException] = []

    def run() -> None:
        try:
            outcome.append(work())
        except BaseException as error:
            clear_frames(error.__traceback__)  # an answer may be let go only in the thread that asked
            outcome.append(error)

    thread = threading.Thread(target=run, daemon=True)
    thread.start()
    thread.join(seconds)
    if not outcome:
        raise QueryError(f"{name} took more than {seconds:g} s and was given up; narrow it, or allow more --timeout")
    if isinstance(outcome[0], BaseException):
        raise outcome[0]
    return outcome[0]


def _damaged(where: object, error: Exception) -> str:
    reason = " ".join(str(error).split())[:160]
    return f"{where} cannot be read ({reason}); if it is damaged, `kg build` makes it anew from extractions.jsonl"
