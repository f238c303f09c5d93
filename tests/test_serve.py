"""The service: what any SPARQL client, and any browser, gets from it, and that no query can bring it down."""

from __future__ import annotations

import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
import rdflib
from graph_sample import by_name, seeds
from page_browser import chromium
from rdflib.plugins.stores.sparqlstore import SPARQLStore
from SPARQLWrapper import JSON, POST, SPARQLWrapper

from kg import codec, graph, view
from kg.queries import catalogue, find

COUNT = "SELECT (COUNT(*) AS ?n) WHERE { ?s ?p ?o }"
RUNS_AWAY = "SELECT (COUNT(*) AS ?n) WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
EATS_MEMORY = "SELECT * WHERE { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?a LIMIT 1"
VOID, SD = "http://rdfs.org/ns/void#", "http://www.w3.org/ns/sparql-service-description#"


@dataclass
class Service:
    """A `kg serve` that runs: its process, its address, and what it has said."""

    process: subprocess.Popen[str]
    url: str = ""
    said: list[str] = field(default_factory=list)

    def listen(self) -> None:
        """Read what it says, to the end."""
        assert self.process.stderr
        for line in self.process.stderr:
            self.said.append(line)

    def waits_for(self, words: str) -> None:
        """Wait until it says this."""
        end = time.monotonic() + 60
        while not any(words in line for line in self.said):
            assert time.monotonic() < end, self.said
            time.sleep(0.05)

    def triples(self) -> int:
        """Count the triples."""
        answer = self.query(COUNT)
        answer.raise_for_status()
        return int(answer.text.split()[1])

    def query(self, text: str, **headers: str) -> httpx.Response:
        """Ask."""
        return httpx.post(
            f"{self.url}/query", data={"query": text}, headers={"Accept": "text/csv"} | headers, timeout=60
        )


@contextmanager
def serving(build: Path, *options: str) -> Iterator[Service]:
    """Run `kg serve` on a free port."""
    command = [sys.executable, "-m", "kg", "serve", "--from", str(build), "--bind", "127.0.0.1:0", *options]
    process = subprocess.Popen(command, stderr=subprocess.PIPE, text=True)
    service = Service(process)
    thread = threading.Thread(target=service.listen)
    thread.start()
    try:
        service.waits_for("Ctrl-C ends it")
        service.url = next(re.findall(r"(http://\S+)/ has", line)[0] for line in service.said if "/ has" in line)
        yield service
    finally:
        process.send_signal(signal.SIGTERM)
        assert process.wait(30) == 0
        thread.join()
        assert process.stderr
        process.stderr.close()


@pytest.fixture(scope="module")
def build(tmp_path_factory: pytest.TempPathFactory, seeds_build: Path) -> Path:
    """The seeds, with a page that leaves most of them out."""
    folder = tmp_path_factory.mktemp("served") / "build"
    shutil.copytree(seeds_build, folder)
    extractions = seeds()
    view.write(folder / "graph.html", lambda: extractions, by_name(extractions), max_nodes=40)
    records = sorted(extractions, key=lambda x: x.paper.id)
    (folder / "extractions.jsonl").write_text("".join(f"{codec.dumps(x)}\n" for x in records), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def service(build: Path) -> Iterator[Service]:
    with serving(build) as running:
        yield running


@pytest.fixture(scope="module")
def size(build: Path) -> int:
    return (build / "graph.nq").read_bytes().count(b"\n")


def test_sparqlwrapper(service: Service, size: int) -> None:
    client = SPARQLWrapper(f"{service.url}/query", returnFormat=JSON)
    for method in ("GET", POST):
        client.setMethod(method)
        client.setQuery(COUNT)
        [row] = client.queryAndConvert()["results"]["bindings"]
        assert int(row["n"]["value"]) == size


def test_rdflib_sparqlstore(service: Service) -> None:
    remote = rdflib.Graph(SPARQLStore(f"{service.url}/query"))
    papers = list(remote.subjects(rdflib.RDF.type, rdflib.URIRef("http://purl.org/spar/fabio/ResearchPaper")))
    assert len(papers) == 38
    described = remote.query(f"CONSTRUCT WHERE {{ <{papers[0]}> ?p ?o }}").graph
    assert described
    assert len(described) > 5


def test_service_description_and_void(service: Service, size: int) -> None:
    description = rdflib.Graph().parse(f"{service.url}/query", format="turtle", publicID=f"{service.url}/query")
    [one] = description.subjects(rdflib.RDF.type, rdflib.URIRef(f"{SD}Service"))
    assert description.value(one, rdflib.URIRef(f"{SD}endpoint")) == rdflib.URIRef(f"{service.url}/query")
    void = rdflib.Graph().parse(f"{service.url}/.well-known/void", format="turtle")
    data = rdflib.URIRef(f"{service.url}/void.ttl#graph")
    assert void.value(data, rdflib.URIRef(f"{VOID}triples")).toPython() == size
    assert void.value(data, rdflib.URIRef(f"{VOID}sparqlEndpoint")) == rdflib.URIRef(f"{service.url}/query")
    parts = [void.value(part, rdflib.URIRef(f"{VOID}triples")) for part in void.objects(data, None)]
    assert sum(int(n) for n in parts if n is not None) == 2 * size  # by graph, and by property
    for dump in void.objects(data, rdflib.URIRef(f"{VOID}dataDump")):
        assert httpx.head(str(dump)).status_code == 200


def test_it_only_reads(service: Service, size: int) -> None:
    update = httpx.post(f"{service.url}/update", data={"update": "DROP ALL"})
    put = httpx.put(f"{service.url}/store?default", content=b"", headers={"Content-Type": "application/n-triples"})
    delete = httpx.delete(f"{service.url}/store?default")
    assert {answer.status_code for answer in (update, put, delete)} == {403}
    assert service.triples() == size


@pytest.mark.parametrize("query", ["SELECT * { SERVICE <http://127.0.0.1:9/> { ?s ?p ?o } }", "ASK { service ?s { } }"])
def test_it_asks_no_others(service: Service, query: str) -> None:
    typed = {"Content-Type": "application/sparql-query"}
    for answer in (
        service.query(query),
        httpx.get(f"{service.url}/query", params={"query": query}),
        httpx.post(f"{service.url}/sparql", content=query, headers=typed),
    ):
        assert (answer.status_code, "SERVICE" in answer.text) == (403, True)
    assert service.query("SELECT * { ?service ?p 'SERVICE' }").status_code == 200


def test_a_wrong_query_is_the_clients_fault(service: Service) -> None:
    assert service.query("SELEC *").status_code == 400
    assert httpx.get(f"{service.url}/nothing").status_code == 404
    assert httpx.post(f"{service.url}/query", content=iter([b"query=ASK{}"])).status_code == 411


def test_other_sites_may_not_ask_unless_told(service: Service, build: Path) -> None:
    there = {"Origin": "https://example.org"}
    assert "access-control-allow-origin" not in service.query(COUNT, **there).headers
    with serving(build, "--cors") as open_to_all:
        assert open_to_all.query(COUNT, **there).headers["access-control-allow-origin"] == "*"


def test_every_question_is_a_link_that_asks_it(service: Service) -> None:
    page = httpx.get(service.url).text
    links = [
        parse_qs(urlsplit(link.replace("&amp;", "&")).fragment) for link in re.findall('href="(/ask/#[^"]+)"', page)
    ]
    assert [link["query"][0] for link in links] == [query.text for query in catalogue()]
    for link in links:
        answer = httpx.post(service.url + link["endpoint"][0], data={"query": link["query"][0]})
        assert answer.status_code == 200


def test_in_a_browser(service: Service) -> None:
    with chromium() as browser:
        page = browser.new_page()
        asked: list[str] = []
        page.on("requestfinished", lambda request: asked.append(request.url))
        page.goto(service.url)
        page.get_by_text(find("papers-by-venue").title, exact=True).click()
        page.wait_for_selector(".yasr table tbody tr")
        assert page.locator(".yasr table tbody tr").count() == 38
        page.goto(f"{service.url}/graph.html")
        page.wait_for_selector("html[data-ready]")
        page.fill("#find", "Legato")
        page.get_by_text("In the rest of the graph").wait_for()
        page.get_by_role("option").filter(has_text="Legato").first.click()
        page.wait_for_url("**/around?iri=*")
        page.wait_for_selector("html[data-ready]")
        assert "Legato" in page.locator("#panel").inner_text()
        assert {urlsplit(url).netloc for url in asked} == {urlsplit(service.url).netloc}


def test_what_is_not_in_the_graph_is_not_found(service: Service) -> None:
    assert httpx.get(f"{service.url}/around", params={"iri": "http://example.org/x"}).status_code == 404
    assert httpx.get(f"{service.url}/search", params={"text": "no such thing anywhere"}).json() == []


def test_queries_that_run_away_are_stopped_and_others_are_not(build: Path, size: int) -> None:
    with serving(build, "--timeout", "1", "--memory", "2") as service:
        started = time.monotonic()
        answer = service.query(RUNS_AWAY)
        assert time.monotonic() - started < 15
        assert answer.status_code == 503
        assert "more than 1 seconds" in answer.text
        assert service.triples() == size
        assert service.query(EATS_MEMORY).status_code == 503
        service.waits_for("it is started again")
        time.sleep(1)
        assert service.triples() == size


def test_a_store_that_is_rebuilt_is_taken_up(tmp_path: Path, build: Path, size: int) -> None:
    shutil.copytree(build, tmp_path / "build")
    few = seeds()[:2]
    with serving(tmp_path / "build") as service:
        assert service.triples() == size
        before = httpx.get(f"{service.url}/void.ttl").text
        counts = graph.write(tmp_path / "build", few, by_name(few))
        service.waits_for("rebuilt")
        assert service.triples() == sum(counts.values()) != size
        assert f"void:triples {sum(counts.values())}" in httpx.get(f"{service.url}/void.ttl").text != before


def test_outside_of_this_machine_is_warned_about(build: Path) -> None:
    with serving(build, "--bind", "0.0.0.0:0") as service:
        assert any("can read the graph" in line for line in service.said)


def kg(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    return subprocess.run([sys.executable, "-m", "kg", *arguments], capture_output=True, text=True, env=os.environ)


def test_what_cannot_be_served_is_said(tmp_path: Path, build: Path) -> None:
    nothing = kg("serve", "--from", str(tmp_path))
    assert (nothing.returncode, "kg build" in nothing.stderr) == (1, True)
    assert kg("serve", "--from", str(build), "--bind", "7878").returncode == 2
    with socket.create_server(("127.0.0.1", 0)) as taken:
        told = kg("serve", "--from", str(build), "--bind", f"127.0.0.1:{taken.getsockname()[1]}")
    assert (told.returncode, "choose another by --bind" in told.stderr) == (3, True)
    (tmp_path / "store").mkdir()
    for name in ("CURRENT", "IDENTITY"):
        (tmp_path / "store" / name).write_text("nonsense\n", encoding="ascii")
    damaged = kg("serve", "--from", str(tmp_path))
    assert (damaged.returncode, "kg build" in damaged.stderr) == (3, True)
