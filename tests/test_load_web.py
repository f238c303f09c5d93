"""Requests as they go over the wire: retries, redirects, passwords, refusals, and the command line around them."""

from __future__ import annotations

import json
import os
import pty
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
import pytest
from fault_proxy import Exchange, Fault, Proxy, delay, say
from servers import Virtuoso, count

from kg.errors import LoadError, ServiceError, UsageError
from kg.load import Options, load
from kg.load.login import Credentials, Login
from kg.load.profiles import doors, named, profiles
from kg.load.web import Request, Unanswered, Web

SECRET = "s3cret-Pässword"


def anything(exchange: Exchange) -> bool:
    """Want every request."""
    return True


class Patient(Web):
    """A client that does not wait, but remembers how long it would have waited."""

    def __init__(self, login: Login | None = None, **options: Any) -> None:
        self.waited: list[float] = []
        super().__init__(login or Login(None), pause=self.waited.append, **options)


# Retries


@pytest.mark.parametrize("status", [408, 429, 502, 503, 504])
def test_a_server_that_is_busy_is_asked_again(status: int) -> None:
    busy = Fault(say(status, {}), anything, times=3)
    with Proxy("", [busy, Fault(say(200, {}, b"done"), anything)]) as server, Patient() as connection:
        assert connection.send(Request("GET", server.url)).text == "done"
    assert len(connection.waited) == 3
    assert all(0.25 * 2**i <= seconds <= 0.5 * 2**i for i, seconds in enumerate(connection.waited))


@pytest.mark.parametrize("status", [400, 401, 403, 404, 409, 500, 501])
def test_a_refusal_is_not_argued_with(status: int) -> None:
    with Proxy("", [Fault(say(status, {}), anything, times=9)]) as server:
        with Patient() as connection:
            assert connection.send(Request("GET", server.url)).status_code == status
        assert (len(server.seen), connection.waited) == (1, [])


def test_retry_after_is_kept_to() -> None:
    soon = Fault(say(503, {"Retry-After": "7"}), anything)
    at = Fault(say(503, {"Retry-After": "Fri, 01 Jan 1999 00:00:00 GMT"}), anything)
    with Proxy("", [soon, at, Fault(say(200, {}), anything)]) as server, Patient() as connection:
        connection.send(Request("GET", server.url))
        assert connection.waited == [7.0, 0.0]
        server.faults = [Fault(say(429, {"Retry-After": "86400"}), anything)]
        with pytest.raises(ServiceError, match="86400 seconds"):
            connection.send(Request("GET", server.url))


def test_what_may_not_be_repeated_is_sent_once() -> None:
    with Proxy("", [Fault(say(504, {}), anything, times=9)]) as server, Patient() as connection:
        with pytest.raises(Unanswered) as caught:
            connection.send(Request("POST", server.url, again=False))
        assert (len(server.seen), caught.value.begun) == (1, True)


def test_a_server_that_never_answers_is_given_up() -> None:
    silent, patient = Proxy("", [Fault(delay(3), anything)]), Patient(timeout=0.3)
    with silent as server, patient as connection, pytest.raises(ServiceError, match="did not answer in time"):
        connection.send(Request("GET", server.url), attempts=1)


def test_what_a_store_answers_at_its_own_address_is_not_read(few_build: Path, empty_oxigraph: str) -> None:
    def all_of_it(exchange: Exchange) -> None:
        exchange.answer(200, {"Server": "Oxigraph/0.5.13"}, b"<a:> <b:> <c:> .\n", length=10**12)

    with Proxy(empty_oxigraph, [Fault(all_of_it, lambda exchange: exchange.path == "/")]) as proxy:
        load(few_build, proxy.url, options=Options(timeout=30))
        assert proxy.faults[0].times == 0


# Redirects


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_keeps_method_and_body_and_tells_nobody_else_the_password(status: int) -> None:
    with Proxy("", [Fault(say(201, {}), anything, times=9)]) as there, Proxy("") as here:
        here.faults = [
            Fault(say(401, {"WWW-Authenticate": 'Basic realm="x"'}), anything),
            Fault(say(status, {"Location": f"{here.url}/other?a=1"}), anything),
            Fault(say(status, {"Location": there.url.replace("127.0.0.1", "localhost")}), anything),
        ]
        with Patient(Login(Credentials("me", SECRET))) as connection:
            connection.ok(Request("PUT", here.url, {"Content-Type": "text/plain"}, b"body"))
        assert [(method, size) for method, _, _, size in here.seen + there.seen] == [("PUT", 4)] * 4
        assert ["Authorization" in headers for _, _, headers, _ in here.seen] == [False, True, True]
        assert "Authorization" not in there.seen[0][2]


def test_a_circle_of_redirects_is_told() -> None:
    round_and_round = Proxy("", [Fault(say(302, {"Location": "/"}), anything, times=99)])
    with round_and_round as server, Patient() as connection, pytest.raises(LoadError, match="circles"):
        connection.send(Request("GET", server.url))


# Passwords


def challenged(url: str, challenge: str, **options: Any) -> httpx.Request:
    """The request that follows on a challenge."""
    request = httpx.Request("GET", url)
    flow = Login(Credentials("me", SECRET), **options).auth_flow(request)
    headers = [("WWW-Authenticate", c) for c in challenge.split("|")]
    response = httpx.Response(401, headers=headers, request=request)
    first = next(flow)
    assert "Authorization" not in first.headers
    again = flow.send(response)
    return flow.send(response) if "Digest" in challenge and "Authorization" not in again.headers else again


def test_basic_and_tokens_go_in_clear_only_where_that_is_allowed() -> None:
    basic = 'Basic realm="x"'
    for url in ("https://example.org/", "http://127.0.0.1/", "http://[::1]/", "http://localhost/"):
        assert challenged(url, basic).headers["Authorization"].startswith("Basic ")
    with pytest.raises(UsageError, match="in clear"):
        challenged("http://example.org/", basic)
    assert "Authorization" in challenged("http://example.org/", basic, in_clear=True).headers
    with pytest.raises(UsageError, match="in clear"):
        next(Login(Credentials(token=SECRET)).auth_flow(httpx.Request("GET", "http://example.org/")))
    token = next(Login(Credentials(token=SECRET)).auth_flow(httpx.Request("GET", "https://example.org/")))
    assert token.headers["Authorization"] == f"Bearer {SECRET}"


def test_digest_is_taken_where_it_is_offered() -> None:
    digest = 'Digest realm="x", nonce="n", qop="auth", algorithm=SHA-256'
    for challenge in (digest, f'Basic realm="x"|{digest}'):
        header = challenged("http://example.org/", challenge).headers["Authorization"]
        assert header.startswith("Digest ")
        assert SECRET not in header


def test_a_password_is_in_no_text() -> None:
    assert SECRET not in repr(Credentials("me", SECRET)) + repr(Credentials(token=SECRET))


def test_virtuoso_wants_the_right_password(seeds_build: Path, virtuoso_server: Virtuoso) -> None:
    with pytest.raises(LoadError, match="KG_PASSWORD"):
        load(seeds_build, virtuoso_server.url, credentials=Credentials("dba", SECRET))
    with pytest.raises(LoadError, match=r"401|SR186"):
        load(seeds_build, virtuoso_server.url)
    asked: list[int] = []

    def ask() -> Credentials:
        asked.append(1)
        return Credentials("dba", "dba")

    load(seeds_build, virtuoso_server.url, ask=ask, options=Options(graph="urn:x:asked", store="virtuoso"))
    assert asked == [1]
    assert count(f"{virtuoso_server.url}/sparql", "urn:x:asked") > 0


# Refusals


def test_what_the_server_says_is_shown_and_cannot_drive_the_terminal(few_build: Path, empty_oxigraph: str) -> None:
    said = b"\x1b[2JNo space left: " + b"x" * 3000
    with Proxy(empty_oxigraph, [Fault(say(507, {}, said))]) as proxy, pytest.raises(LoadError) as caught:
        load(few_build, proxy.url)
    message = str(caught.value)
    assert "507" in message
    assert "No space left: xxx" in message
    assert "\x1b" not in message
    assert 1400 < message.count("x") < 1510


def test_a_chunk_that_is_too_large_is_halved(few_build: Path, empty_oxigraph: str) -> None:
    def small(exchange: Exchange) -> bool:
        return exchange.writes and len(exchange.body) > 20_000

    with Proxy(empty_oxigraph, [Fault(say(413, {}), small, times=99)]) as proxy:
        there = {"update_url": f"{proxy.url}/update", "store_url": f"{proxy.url}/store"}
        load(few_build, f"{proxy.url}/query", options=Options(store="generic", **there))
    assert count(f"{empty_oxigraph}/query") == (few_build / "graph.nq").read_bytes().count(b"\n")


def test_every_body_has_a_length_and_no_encoding(few_build: Path, empty_oxigraph: str) -> None:
    with Proxy(empty_oxigraph) as proxy:
        load(few_build, proxy.url)
        for method, path, headers, size in proxy.seen:
            names = {name.lower(): value for name, value in headers.items()}
            assert "transfer-encoding" not in names
            assert "content-encoding" not in names
            assert int(names.get("content-length", 0)) == size, (method, path)


# Profiles


def test_each_profile_is_whole() -> None:
    for profile in profiles().values():
        found = doors("https://example.org/base", profile)
        assert found.query.startswith("https://example.org/base")
        assert found.update
        assert profile.chunk >= 100_000
        assert profile.batch >= 100


@pytest.mark.parametrize(
    ("store", "given", "query", "graphs"),
    [
        ("oxigraph", "/sparql", "/query", "/store?graph=urn%3Ag"),
        ("fuseki", "/papers/sparql", "/papers/query", "/papers/data?graph=urn%3Ag"),
        ("virtuoso", "/sparql/", "/sparql", "/sparql-graph-crud-auth?graph-uri=urn%3Ag"),
        (
            "graphdb",
            "/repositories/p/statements",
            "/repositories/p",
            "/repositories/p/rdf-graphs/service?graph=urn%3Ag",
        ),
        ("neptune", "", "/sparql", "/sparql/gsp/?graph=urn%3Ag"),
        ("stardog", "/db/query", "/db/query", "/db?graph=urn%3Ag"),
    ],
)
def test_doors_from_any_address_of_a_store(store: str, given: str, query: str, graphs: str) -> None:
    found = doors(f"https://example.org{given}", named(store))
    assert found.query == f"https://example.org{query}"
    assert found.of_graph("urn:g") == f"https://example.org{graphs}"


# The command line


def kg(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run the command line."""
    env = {name: value for name, value in os.environ.items() if not name.startswith("KG_")} | environment
    command = [sys.executable, "-m", "kg", *arguments]
    return subprocess.run(command, capture_output=True, text=True, env=env, stdin=subprocess.DEVNULL)


def test_the_command_line_says_what_arrived(few_build: Path, empty_oxigraph: str) -> None:
    told = kg("load", empty_oxigraph, "--from", str(few_build))
    assert (told.returncode, told.stdout) == (0, "")
    assert "graph/facts: " in told.stderr
    assert "counted there" in told.stderr
    assert kg("load", empty_oxigraph, "--from", str(few_build), "--delete", "-q").stderr == ""
    assert count(f"{empty_oxigraph}/query") == 0


@pytest.mark.parametrize("store", ["oxigraph", "generic"])
def test_a_dry_run_prints_the_requests_and_sends_none(few_build: Path, empty_oxigraph: str, store: str) -> None:
    with Proxy(empty_oxigraph) as proxy:
        there = ["--update-url", f"{proxy.url}/update", "--store-url", f"{proxy.url}/store", "--store", "generic"]
        options = there if store == "generic" else []
        told = kg("load", f"{proxy.url}/query", "--from", str(few_build), "--dry-run", *options)
        assert told.returncode == 0, told.stderr
        assert f"POST {proxy.url}/store?graph=" in told.stdout
        assert "Content-Length: " in told.stdout
        assert ("MOVE" in told.stdout) == (store == "generic")
        assert not [method for method, path, *_ in proxy.seen if "update" in path or method not in ("GET", "POST")]
    assert count(f"{empty_oxigraph}/query") == 0


def test_wrong_calls(few_build: Path) -> None:
    here = ("--from", str(few_build))
    for arguments, code, said in (
        (("http://127.0.0.1:9", *here), 3, "is the server running?"),
        (("http://me:pw@127.0.0.1", *here), 2, "KG_USER"),
        (("127.0.0.1:7878", *here), 2, "is not an address"),
        (("http://127.0.0.1:9/?apikey=pw", *here), 2, "must not hold parameters"),
        (("http://127.0.0.1:9", *here, "--store", "mysql"), 2, "known are oxigraph, virtuoso"),
        (("http://127.0.0.1:9", *here, "--append", "--delete"), 2, "exclude"),
        (("http://127.0.0.1:9", *here, "--graph", "papers"), 2, "absolute IRI"),
        (("http://127.0.0.1:9", "--from", "nowhere"), 1, "kg build"),
    ):
        told = kg("load", *arguments)
        assert (told.returncode, said in told.stderr, "pw" in told.stderr) == (code, True, False), told.stderr


def test_secrets_are_told_to_nobody(few_build: Path, empty_oxigraph: str) -> None:
    wants = Fault(say(401, {"WWW-Authenticate": 'Digest realm="x", nonce="n"'}), anything, times=99)
    with Proxy(empty_oxigraph, [wants]) as proxy:
        told = kg("load", proxy.url, "--from", str(few_build), "--store", "oxigraph", KG_USER="me", KG_PASSWORD=SECRET)
        assert (told.returncode, "KG_PASSWORD" in told.stderr) == (1, True)
        seen = json.dumps([(path, headers) for _, path, headers, _ in proxy.seen])
    assert SECRET not in told.stderr + told.stdout + seen


def test_a_person_is_asked_for_name_and_password(few_build: Path, virtuoso_server: Virtuoso) -> None:
    command = [sys.executable, "-m", "kg", "load", virtuoso_server.url, "--from", str(few_build)]
    master, slave = pty.openpty()
    process = subprocess.Popen([*command, "--graph", "urn:x:person"], stdin=slave, stdout=slave, stderr=slave)
    os.close(slave)
    said = b""
    for prompt, answer in ((b"User", b"dba\n"), (b"Password", b"dba\n")):
        while prompt not in said:
            said += os.read(master, 1000)
        time.sleep(0.2)  # until the terminal's echo is off
        os.write(master, answer)
    try:
        while block := os.read(master, 1000):
            said += block
    except OSError:  # the other side has closed
        pass
    assert process.wait() == 0, said
    assert re.search(rb"[\d,]+ triples, counted there", said)
    assert said.count(b"dba") == 1
    os.close(master)
