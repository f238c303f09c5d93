"""Loading into real stores: what arrives, in each of the ways."""

from __future__ import annotations

import re
from dataclasses import replace
from decimal import Decimal
from pathlib import Path

import httpx
import pyoxigraph as ox
import pytest
from fault_proxy import Proxy
from servers import Virtuoso, count

from kg.errors import InputError
from kg.load import Mode, Options, load
from kg.load.login import Credentials
from kg.load.profiles import Profile, named, profiles

Triples = set[tuple[str, str, str]]

FACTS, EVIDENCE = "https://w3id.org/paperkg/graph/facts", "https://w3id.org/paperkg/graph/evidence"
ALL = "https://example.org/graph?a=1&b=ü"
DBA = Credentials("dba", "dba")
SMALL = 300_000
NUMBER = re.compile(r'"([^"]*)"\^\^<http://www.w3.org/2001/XMLSchema#(?:boolean|decimal|nonNegativeInteger|integer)>')


def triples_of(build: Path) -> dict[str, Triples]:
    """What a build says, by graph, read from its N-Quads."""
    found: dict[str, Triples] = {}
    for quad in ox.parse(path=str(build / "graph.nq"), format=ox.RdfFormat.N_QUADS):
        found.setdefault(str(quad.graph_name)[1:-1], set()).add(_key(quad.triple))
    return found


def _key(triple: ox.Triple) -> tuple[str, str, str]:
    return str(triple.subject), str(triple.predicate), NUMBER.sub(_number, str(triple.object))


def _number(found: re.Match[str]) -> str:
    return str(Decimal({"true": "1", "false": "0"}.get(found[1], found[1])).normalize())  # as Virtuoso has booleans


def held(url: str, graph: str, *, parameter: str = "graph", path: str = "/store") -> Triples:
    """What a store holds in a graph, by its own Graph Store Protocol."""
    answer = httpx.get(
        f"{url}{path}", params={parameter: graph}, headers={"Accept": "application/n-triples"}, timeout=60
    )
    if answer.status_code == 404:
        return set()
    answer.raise_for_status()
    return {_key(quad.triple) for quad in ox.parse(answer.content, ox.RdfFormat.N_TRIPLES)}


def generic(url: str, **options: object) -> Options:
    """Options for an Oxigraph behind the standards only, in small chunks."""
    given = {"store": "generic", "update_url": f"{url}/update", "store_url": f"{url}/store", "chunk_bytes": SMALL}
    return Options(**given | options)  # type: ignore[arg-type]


# Arriving


def test_each_named_graph_arrives_in_oxigraph(seeds_build: Path, empty_oxigraph: str) -> None:
    loaded = load(seeds_build, empty_oxigraph)
    assert {one.graph: one.triples for one in loaded} == {g: len(t) for g, t in triples_of(seeds_build).items()}
    for name, triples in triples_of(seeds_build).items():
        assert held(empty_oxigraph, name) == triples


def test_loading_again_and_loading_another_build(seeds_build: Path, other_build: Path, empty_oxigraph: str) -> None:
    httpx.post(
        f"{empty_oxigraph}/update", data={"update": "INSERT DATA { GRAPH <urn:x:theirs> { <urn:a> <urn:b> 1 } }"}
    )
    for one in (seeds_build, seeds_build, other_build, seeds_build):
        load(one, empty_oxigraph)
        assert {name: held(empty_oxigraph, name) for name in triples_of(one)} == triples_of(one)
    assert len(held(empty_oxigraph, "urn:x:theirs")) == 1


def test_a_large_graph_is_merged_and_trimmed(
    seeds_build: Path, other_build: Path, empty_oxigraph: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(profiles(), "oxigraph", _with(named("oxigraph"), put=0))
    for one in (other_build, seeds_build, other_build):
        assert {loaded.way for loaded in load(one, empty_oxigraph)} == {"merge"}
        assert held(empty_oxigraph, FACTS) == triples_of(one)[FACTS]


def test_all_into_one_graph_whose_name_needs_encoding(seeds_build: Path, empty_oxigraph: str) -> None:
    [loaded] = load(seeds_build, f"{empty_oxigraph}/sparql", options=Options(graph=ALL))
    everything = set().union(*triples_of(seeds_build).values())
    assert loaded.triples == len(everything)
    assert held(empty_oxigraph, ALL) == everything
    assert count(f"{empty_oxigraph}/query") == len(everything)


def test_a_triple_that_two_graphs_have_is_counted_once(tmp_path: Path, empty_oxigraph: str) -> None:
    a, b = "<urn:x:a> <urn:x:a> <urn:x:a>", '<urn:x:a> <urn:x:a> "in h only"'
    built(tmp_path, f"{a} <urn:x:g> .\n{a} <urn:x:h> .\n{b} <urn:x:h> .\n")
    [loaded] = load(tmp_path, empty_oxigraph, options=Options(graph="urn:x:both"))
    assert loaded.triples == 2


def built(folder: Path, quads: str) -> None:
    """A build of these N-Quads."""
    (folder / "graph.nq").write_text(quads, encoding="utf-8")
    store = ox.Store(str(folder / "store"))
    store.bulk_load(path=str(folder / "graph.nq"), format=ox.RdfFormat.N_QUADS)
    store.flush()


def test_a_damaged_build_is_not_loaded(tmp_path: Path, empty_oxigraph: str) -> None:
    built(tmp_path, '<urn:x:a> <urn:x:b> <urn:x:c> <urn:x:g> .\n<urn:x:a> <urn:x:b> "d" <urn:x:g> .\n')
    whole = (tmp_path / "graph.nq").read_text(encoding="utf-8")
    for damaged in (whole[:-8], whole[: whole.index("\n") + 1], "", whole + "oops\n"):
        (tmp_path / "graph.nq").write_text(damaged, encoding="utf-8")
        with pytest.raises(InputError, match="build"):
            load(tmp_path, empty_oxigraph)
    (tmp_path / "graph.nq").unlink()
    with pytest.raises(InputError, match="kg build"):
        load(tmp_path, empty_oxigraph)
    assert count(f"{empty_oxigraph}/query") == 0


def test_staged_through_the_standards_only(seeds_build: Path, other_build: Path, empty_oxigraph: str) -> None:
    load(other_build, empty_oxigraph)
    loaded = load(seeds_build, f"{empty_oxigraph}/query", options=generic(empty_oxigraph))
    assert {one.way for one in loaded} == {"staged"}
    assert {name: held(empty_oxigraph, name) for name in triples_of(seeds_build)} == triples_of(seeds_build)
    assert count(f"{empty_oxigraph}/query") == sum(map(len, triples_of(seeds_build).values()))  # and nothing beside


def test_by_updates_where_there_is_no_graph_store(seeds_build: Path, empty_oxigraph: str) -> None:
    with Proxy(empty_oxigraph) as proxy:
        options = Options(store="generic", update_url=f"{proxy.url}/update")
        load(seeds_build, f"{proxy.url}/query", options=options)
        assert not [path for _, path, *_ in proxy.seen if path.startswith("/store")]
    assert {name: held(empty_oxigraph, name) for name in triples_of(seeds_build)} == triples_of(seeds_build)


def test_in_place_where_there_are_no_updates(seeds_build: Path, other_build: Path, empty_oxigraph: str) -> None:
    load(other_build, empty_oxigraph)
    monkey = Options(store="qlever", store_url=f"{empty_oxigraph}/store", chunk_bytes=SMALL)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(profiles(), "qlever", _with(named("qlever"), update=None))
        loaded = load(seeds_build, f"{empty_oxigraph}/query", options=monkey)
    assert {one.way for one in loaded} == {"in place"}
    assert {name: held(empty_oxigraph, name) for name in triples_of(seeds_build)} == triples_of(seeds_build)


@pytest.mark.parametrize("through", ["oxigraph", "generic"])
def test_append_keeps_what_is_there(seeds_build: Path, empty_oxigraph: str, through: str) -> None:
    httpx.post(
        f"{empty_oxigraph}/update", data={"update": f"INSERT DATA {{ GRAPH <{FACTS}> {{ <urn:a> <urn:b> 1 }} }}"}
    )
    options = generic(empty_oxigraph, mode=Mode.APPEND) if through == "generic" else Options(mode=Mode.APPEND)
    for _ in range(2):
        load(seeds_build, f"{empty_oxigraph}/query", options=options)
        assert len(held(empty_oxigraph, FACTS)) == len(triples_of(seeds_build)[FACTS]) + 1
    assert held(empty_oxigraph, EVIDENCE) == triples_of(seeds_build)[EVIDENCE]


def test_delete_takes_our_graphs_and_no_other(seeds_build: Path, empty_oxigraph: str) -> None:
    load(seeds_build, empty_oxigraph)
    load(seeds_build, empty_oxigraph, options=Options(graph="urn:x:kept"))
    kept = held(empty_oxigraph, "urn:x:kept")
    load(seeds_build, empty_oxigraph, options=Options(mode=Mode.DELETE))
    assert count(f"{empty_oxigraph}/query") == len(kept)
    assert held(empty_oxigraph, "urn:x:kept") == kept


def test_virtuoso(seeds_build: Path, other_build: Path, virtuoso_server: Virtuoso) -> None:
    for one in (other_build, seeds_build, seeds_build):
        load(one, f"{virtuoso_server.url}/sparql", credentials=DBA, options=Options(chunk_bytes=SMALL))
        for name, triples in triples_of(one).items():
            path = "/sparql-graph-crud"
            assert len(held(virtuoso_server.url, name, parameter="graph-uri", path=path) ^ triples) == 0
            assert count(f"{virtuoso_server.url}/sparql", name) == len(triples)
    load(seeds_build, f"{virtuoso_server.url}/sparql", credentials=DBA, options=Options(mode=Mode.APPEND))
    assert count(f"{virtuoso_server.url}/sparql", FACTS) == len(triples_of(seeds_build)[FACTS])
    load(seeds_build, virtuoso_server.url, credentials=DBA, options=Options(mode=Mode.DELETE))
    assert count(f"{virtuoso_server.url}/sparql", FACTS) == count(f"{virtuoso_server.url}/sparql", EVIDENCE) == 0


def test_virtuoso_by_updates_that_it_finds_too_large(
    seeds_build: Path, virtuoso_server: Virtuoso, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(profiles(), "virtuoso", _with(named("virtuoso"), store=None, batch=3000))
    load(seeds_build, virtuoso_server.url, credentials=DBA, options=Options(graph="urn:x:updates"))
    assert count(f"{virtuoso_server.url}/sparql", "urn:x:updates") == sum(map(len, triples_of(seeds_build).values()))


def _with(profile: Profile, **changes: object) -> Profile:
    return replace(profile, **changes)  # type: ignore[arg-type]
