"""What kind of triple store an address is, and where its doors are.

The facts about each store are data: `kg/data/stores.toml`. A store is told by what it says of itself in the head of any
answer, or by its address; an address may be the server's own or that of any of its doors.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from urllib.parse import quote, urlsplit

from kg.errors import UsageError

STORES = Path(__file__).parent.parent / "data" / "stores.toml"
GENERIC = "generic"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """What is known of one kind of store; the fields are explained in `kg/data/stores.toml`."""

    name: str
    query: str
    private: str | None = None
    update: str | None = None
    store: str | None = None
    manual: str = ""
    tested: str = ""
    head: str = ""
    url: str = ""
    also: tuple[str, ...] = ()
    graph: str = "graph"
    merge: str = ""
    put: int = 0
    chunk: int = 8_000_000
    batch: int = 1_000
    union: str = ""
    login: str = ""


@dataclass(frozen=True, slots=True)
class Doors:
    """The addresses of one store; one that is not there is None."""

    query: str
    update: str | None
    store: str | None
    graph: str = "graph"

    def of_graph(self, graph: str, *parameters: str) -> str:
        """Address a graph by the Graph Store Protocol.

        >>> Doors("", None, "http://e.org/store").of_graph("http://e.org/g?a=1&b", "no_transaction")
        'http://e.org/store?graph=http%3A%2F%2Fe.org%2Fg%3Fa%3D1%26b&no_transaction'
        """
        return f"{self.store}?" + "&".join((f"{self.graph}={quote(graph, safe='')}", *filter(None, parameters)))


@cache
def profiles() -> dict[str, Profile]:
    """Read all profiles, by name."""
    table = tomllib.loads(STORES.read_text(encoding="utf-8"))
    return {
        name: Profile(name=name, **fields | {"also": tuple(fields.get("also", ()))}) for name, fields in table.items()
    }


def named(name: str) -> Profile:
    """Find a profile; UsageError, which lists them, where there is none.

    >>> named("virtuoso").graph
    'graph-uri'
    """
    if name not in profiles():
        raise UsageError(f"no store is called {name!r}; known are {', '.join(profiles())}")
    return profiles()[name]


def told(url: str, head: Iterable[tuple[str, str]]) -> Profile:
    """Tell the store by the head of an answer, else by its address; `generic` where neither says.

    >>> told("http://127.0.0.1:7878", [("Server", "Oxigraph/0.5.13")]).name, told("http://e.org/sparql", []).name
    ('oxigraph', 'generic')
    """
    lines = [f"{name}: {value}".lower() for name, value in head]
    for profile in profiles().values():
        if profile.head and any(re.search(profile.head, line) for line in lines):
            return profile
    return next((p for p in profiles().values() if p.url and re.search(p.url, url)), named(GENERIC))


def doors(
    url: str, profile: Profile, *, known: bool = False, update: str | None = None, store: str | None = None
) -> Doors:
    """Find the doors of a store from its address or that of one of its doors; `update` and `store` are given ones.

    `known` is whether we have a name there: some stores have another door for queries then.

    >>> doors("http://127.0.0.1:8890/sparql/", named("virtuoso")).update
    'http://127.0.0.1:8890/sparql-auth'
    """
    base = url.rstrip("/")
    if base.endswith("/repositories"):
        raise UsageError(f"{url} is a list of repositories; name one of them: {base}/NAME")
    endings = {ending.rstrip("/") for ending in (profile.query, profile.update, profile.store, *profile.also) if ending}
    for ending in sorted(endings, key=len, reverse=True):
        if base.endswith(ending):
            base = base.removesuffix(ending)
            break
    return Doors(
        base + (profile.private if known and profile.private else profile.query),
        update or (None if profile.update is None else base + profile.update),
        store or (None if profile.store is None else base + profile.store),
        profile.graph,
    )


def checked_url(url: str) -> str:
    """Give an endpoint's address back; UsageError for one that is none, or that holds a password or parameters.

    >>> checked_url("http://127.0.0.1:7878")
    'http://127.0.0.1:7878'
    >>> checked_url("http://me:secret@127.0.0.1:7878")
    Traceback (most recent call last):
    kg.errors.UsageError: an address must not hold a password; give it by KG_USER and KG_PASSWORD
    """
    try:
        parts = urlsplit(url)
        _ = parts.port
    except ValueError as error:
        raise UsageError(f"{url!r} is not an address ({error}); give one such as http://127.0.0.1:7878") from error
    if "@" in parts.netloc:
        raise UsageError("an address must not hold a password; give it by KG_USER and KG_PASSWORD")
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"{url!r} is not an address; give one such as http://127.0.0.1:7878")
    if parts.query or parts.fragment:
        raise UsageError(
            "an address must not hold parameters; leave out what follows the path, and set KG_TOKEN for a key"
        )
    return url
