"""Stores that cannot be run here: what is sent to each is what its manual has, and the right triples end there."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pyoxigraph as ox
import pytest
from store_doubles import MANUALS, UPDATE, Double

from kg.errors import LoadError
from kg.load import Mode, Options, load
from kg.load.login import Credentials
from kg.load.profiles import named, profiles

TOLD_BY = {"neptune": "neptune"}  # by the name of its host, which a double cannot have
CREDENTIALS = {"qlever": Credentials(token="secret")}
ME = Credentials("me", "secret")
every_store = pytest.mark.parametrize("name", MANUALS)


def quads(path: Path) -> set[ox.Quad]:
    """What a build says, as Oxigraph holds it (a nonNegativeInteger is an integer there)."""
    store = ox.Store()
    store.load(path=str(path / "graph.nq"), format=ox.RdfFormat.N_QUADS)
    return set(store)


def loading(build: Path, double: Double, name: str, **options: object) -> set[str]:
    """Load a build; gives the ways in which it was done."""
    chosen = Options(store=TOLD_BY.get(name), **options)  # type: ignore[arg-type]
    credentials = CREDENTIALS.get(name, ME if double.manual.asks else None)
    return {one.way for one in load(build, double.url, options=chosen, credentials=credentials)}


@every_store
@pytest.mark.parametrize("size", ["small", "large"])
def test_what_the_manual_has_is_sent_and_the_right_triples_arrive(
    name: str, size: str, few_build: Path, other_build: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if size == "large":
        monkeypatch.setitem(profiles(), name, replace(named(name), put=0, chunk=40_000, batch=500))
    with Double(MANUALS[name]) as double:
        for build in (other_build, few_build, few_build):
            ways = loading(build, double, name)
            assert set(double.store) == quads(build)
        odd = [one for one in double.seen if one.status >= 400 and not (one.method == "HEAD" and one.status == 404)]
        assert [one.method for one in odd] in ([], ["GET"] * 3)  # what is at the address, asked without a query
        assert ways == ({"whole"} if named(name).put else {"staged"})
        updates = [one for one in double.seen if one.type == UPDATE]
        assert any(b"MOVE <" in one.body for one in updates) == (ways == {"staged"})
        loading(other_build, double, name, mode=Mode.APPEND)
        assert set(double.store) == quads(few_build) | quads(other_build)
        loading(few_build, double, name, mode=Mode.DELETE)
        loading(other_build, double, name, mode=Mode.DELETE)
        assert len(double.store) == 0


@every_store
def test_other_graphs_are_left_alone(name: str, few_build: Path) -> None:
    theirs = ox.Quad(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), ox.Literal("c"), ox.NamedNode("urn:x:theirs"))
    default = ox.Quad(ox.NamedNode("urn:a"), ox.NamedNode("urn:b"), ox.Literal("d"))
    with Double(MANUALS[name]) as double:
        double.store.extend((theirs, default))
        for mode in (Mode.REPLACE, Mode.APPEND, Mode.DELETE):
            loading(few_build, double, name, mode=mode)
            assert {theirs, default} <= set(double.store)
        assert set(double.store) == {theirs, default}


@pytest.mark.parametrize("name", [name for name, manual in MANUALS.items() if manual.asks])
def test_who_may_not_write_is_told_so(name: str, few_build: Path) -> None:
    with Double(MANUALS[name]) as double:
        wrong = Credentials(token="wrong") if name == "qlever" else Credentials("me", "wrong")
        for credentials in (None, wrong):
            with pytest.raises(LoadError, match=r"KG_USER|KG_PASSWORD|may not do that"):
                load(few_build, double.url, options=Options(store=name), credentials=credentials)
        assert len(double.store) == 0


@every_store
def test_names_of_graphs_are_encoded(name: str, few_build: Path) -> None:
    graph = "https://example.org/graph?a=1&b=ü#c d".replace(" ", "+")
    with Double(MANUALS[name]) as double:
        loading(few_build, double, name, graph=graph)
        assert set(double.store.named_graphs()) == {ox.NamedNode(graph)}


@pytest.mark.parametrize("name", [name for name in MANUALS if name not in TOLD_BY])
def test_the_kind_of_store_is_found_out(name: str, few_build: Path) -> None:
    with Double(MANUALS[name]) as double:
        loading(few_build, double, name)
        doors = {one.path for one in double.seen if one.writes}
    manual = MANUALS[name]
    known = {manual.at + door for door in (manual.update, manual.graphs) if door is not None}
    assert doors <= (known | {"/"} if "" in known else known)


def test_each_profile_names_its_manual() -> None:
    for profile in profiles().values():
        assert profile.manual.startswith("https://"), profile.name
    assert set(MANUALS) | {"oxigraph", "virtuoso", "generic"} == set(profiles())
