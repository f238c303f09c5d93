"""The catalogue on real endpoints: the same rows as on the store of a build, however the graph was loaded."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_proxy import Fault, Proxy, shorten_answer, truncate_answer
from servers import Virtuoso, oxigraph

from kg.answers import Rows
from kg.endpoint import Endpoint
from kg.errors import KgError, QueryError
from kg.load import Mode, Options, load
from kg.load.login import Credentials
from kg.queries import Query, catalogue
from kg.store import open_store, rows

DBA = Credentials("dba", "dba")
every_query = pytest.mark.parametrize("query", catalogue(), ids=lambda query: query.name)


@pytest.fixture(scope="module")
def by_graph(seeds_build: Path, oxigraph_url: str) -> Iterator[Endpoint]:
    """Oxigraph, which has the graph in its three named graphs."""
    httpx.post(f"{oxigraph_url}/update", data={"update": "DROP ALL"}, trust_env=False).raise_for_status()
    load(seeds_build, oxigraph_url)
    with Endpoint(oxigraph_url) as endpoint:
        yield endpoint


@pytest.fixture(scope="module")
def in_one(seeds_build: Path, virtuoso_server: Virtuoso) -> Iterator[Endpoint]:
    """Virtuoso, which has the graph in one graph of another name, and more that is not to be seen."""
    options = Options(graph="urn:x:papers")
    load(seeds_build, virtuoso_server.url, credentials=DBA, options=options)
    with Endpoint(virtuoso_server.url, graphs=["urn:x:papers"]) as endpoint:
        yield endpoint
    load(seeds_build, virtuoso_server.url, credentials=DBA, options=Options(graph="urn:x:papers", mode=Mode.DELETE))


def plain(answer: Rows, *, ordered: bool) -> list[tuple[Any, ...]]:
    """Rows as values that two engines can agree on."""
    made = [tuple(round(float(v), 6) if isinstance(v, Decimal | float) else v for v in row) for row in answer]
    return made if ordered else sorted(made, key=str)


@every_query
@pytest.mark.parametrize("where", ["by_graph", "in_one"])
def test_the_same_rows_as_from_the_build(
    query: Query, where: str, seeds_build: Path, request: pytest.FixtureRequest
) -> None:
    endpoint: Endpoint = request.getfixturevalue(where)
    here, there = rows(open_store(seeds_build), query.text), endpoint.query(query.name)
    assert there.columns == here.columns
    ordered = "CONSTRUCT" not in query.text
    assert plain(there, ordered=ordered) == plain(here, ordered=ordered)


def test_names_as_answers_show_them_and_prefixes_that_are_known(by_graph: Endpoint, in_one: Endpoint) -> None:
    for endpoint in (by_graph, in_one):
        [row] = endpoint.query("compared-with", baseline="model:legato")
        assert row == endpoint.query("compared-with", baseline="legato")[0]
        assert endpoint.query("ASK { ?paper kg:proposes model:transcoda }")
        assert not endpoint.query("ASK { ?paper kg:uses model:transcoda }")
        assert len(endpoint.query("CONSTRUCT WHERE { model:transcoda a ?class }")) == 3


def test_the_query_is_checked_before_it_is_sent(by_graph: Endpoint) -> None:
    with pytest.raises(QueryError, match=r"line 1, column 15"):
        by_graph.query("SELECT * { ?s ? }")
    with pytest.raises(QueryError, match="SERVICE"):
        by_graph.query("SELECT * { SERVICE <http://example.org/> { ?s ?p ?o } }")
    with pytest.raises(QueryError, match="update"):
        by_graph.query("DROP ALL")


def test_an_endpoint_without_papers_is_told_so(tmp_path: Path) -> None:
    with oxigraph(tmp_path) as url, Endpoint(url) as endpoint, pytest.raises(QueryError, match="holds no papers"):
        endpoint.query("counts")


@pytest.mark.parametrize("fault", [truncate_answer, shorten_answer])
def test_an_answer_that_is_cut_off_is_no_answer(by_graph: Endpoint, fault: Any) -> None:
    with Proxy(by_graph.url.removesuffix("/query")) as proxy, Endpoint(proxy.url) as endpoint:
        assert endpoint.query("counts")
        proxy.faults = [Fault(fault, lambda exchange: exchange.method == "POST", times=99)]
        with pytest.raises(KgError, match=r"broke|cut off"):
            endpoint.query("papers-by-venue")


def kg(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    env = os.environ | {"NO_COLOR": "1"}
    return subprocess.run([sys.executable, "-m", "kg", *arguments], capture_output=True, text=True, env=env)


def test_on_the_command_line(by_graph: Endpoint, in_one: Endpoint, seeds_build: Path) -> None:
    question = ("query", "models-most-used", "--format", "csv")
    here = kg(*question, "--from", str(seeds_build))
    assert here.stdout.count("\n") > 5
    assert kg(*question, "--endpoint", by_graph.url).stdout == here.stdout
    there = kg(*question, "--endpoint", in_one.url, "--graph", "urn:x:papers")
    assert there.stdout.split() == here.stdout.split()
    told = kg("query", "-e", "SELECT ?x { ?x a kg:Model } LIMIT 2", "--format", "json", "--endpoint", in_one.url)
    assert len(json.loads(told.stdout)["results"]["bindings"]) == 2


def test_an_endpoint_that_is_not_there_is_exit_3() -> None:
    told = kg("query", "counts", "--endpoint", "http://127.0.0.1:9/sparql")
    assert told.returncode == 3
    assert told.stderr.startswith("kg: GET http://127.0.0.1:9/sparql failed")
