"""Doubles of triple stores that cannot be run in the tests: each has the doors of its manual, and no others.

Behind the doors is a real store (pyoxigraph's), so that what is sent has its true effect. What a manual does not have
is refused: a path, a parameter, a type of content, a body without its length, an update at the door for queries. Every
request is recorded with what was answered. The manuals are named in `kg/data/stores.toml`.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, parse_qsl, urlsplit

import pyoxigraph as ox

FORM, UPDATE, QUERY = "application/x-www-form-urlencoded", "application/sparql-update", "application/sparql-query"
JSON = "application/sparql-results+json"
BASIC = "Basic bWU6c2VjcmV0"  # me:secret
BEARER = "Bearer secret"


@dataclass(frozen=True)
class Manual:
    """What a manual says: where the doors are, what a request to change something is answered, who may make one."""

    at: str
    query: str
    update: str
    graphs: str | None = None
    updated: int = 204
    created: int = 201
    replaced: int = 204
    head: tuple[str, str] = ("Server", "")
    asks: str = ""
    refuses: int = 401
    largest: int = 1 << 62


RDF4J = {"query": "", "update": "/statements", "graphs": "/rdf-graphs/service", "created": 204}
MANUALS = {
    "fuseki": Manual(
        "/papers", "/query", "/update", "/data", replaced=200, head=("Fuseki-Request-Id", "7"), asks=BASIC
    ),
    "graphdb": Manual("/repositories/papers", head=("Server", "GraphDB/10.8.0 RDF4J/4.3.15"), asks=BASIC, **RDF4J),  # type: ignore[arg-type]
    "rdf4j": Manual("/rdf4j-server/repositories/papers", asks=BASIC, **RDF4J),  # type: ignore[arg-type]
    "blazegraph": Manual("/blazegraph/namespace/kb/sparql", "", "", updated=200),
    "stardog": Manual("/papers", "/query", "/update", "", updated=200, head=("Server", "Stardog"), asks=BASIC),
    "qlever": Manual(
        "", "", "", "", updated=200, created=200, replaced=200, head=("Server", "QLever"), asks=BEARER, refuses=403
    ),
    "neptune": Manual("", "/sparql", "/sparql", "/sparql/gsp/", updated=200, largest=157_286_400),
}


@dataclass(frozen=True)
class Seen:
    """A request that came in, and what it was answered."""

    method: str
    path: str
    parameters: dict[str, str]
    type: str
    body: bytes
    status: int

    @property
    def writes(self) -> bool:
        """Whether it was to change something."""
        return self.method in ("PUT", "DELETE") or self.type not in ("", FORM)


@dataclass
class Double:
    """One double, as a context manager."""

    manual: Manual
    store: ox.Store = field(default_factory=ox.Store)
    seen: list[Seen] = field(default_factory=list)

    def __enter__(self) -> Double:
        double, lock = self, threading.Lock()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                parts = urlsplit(self.path)
                given, kind = dict(parse_qsl(parts.query, keep_blank_values=True)), self.headers.get("Content-Type", "")
                with lock:
                    status, type_, answer = double.answer(
                        self.command, parts.path, given, kind, body, dict(self.headers)
                    )
                    double.seen.append(Seen(self.command, parts.path, given, kind, body, status))
                self.send_response_only(status)
                for name, value in (double.manual.head, ("Content-Type", type_), ("Content-Length", str(len(answer)))):
                    if value and not (status == 204 and name == "Content-Length"):
                        self.send_header(name, value)
                if status == 401:
                    self.send_header("WWW-Authenticate", 'Basic realm="double"')
                self.end_headers()
                self.wfile.write(b"" if self.command == "HEAD" or status == 204 else answer)

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        """The address that its users give."""
        return f"http://127.0.0.1:{self.server.server_address[1]}{self.manual.at}"

    def answer(
        self, method: str, path: str, given: dict[str, str], kind: str, body: bytes, headers: dict[str, str]
    ) -> tuple[int, str, bytes]:
        """Answer as the manual says."""
        manual = self.manual
        path = path.removeprefix(manual.at) if path.startswith(manual.at) else "elsewhere"
        path = path if path != "/" or manual.query == "/" else ""
        writes = method in ("PUT", "DELETE") or kind not in ("", FORM)
        if body and ("Content-Length" not in headers or "Content-Encoding" in headers):
            return 411, "", b"how long is it?"
        if len(body) > manual.largest:
            return 413, "", b"too large"
        if writes and manual.asks and headers.get("Authorization") != manual.asks:
            return manual.refuses, "", b"who are you?"
        if manual.graphs is not None and path == manual.graphs and "graph" in given:
            return self._graph(method, given, kind, body)
        if path == manual.update and method == "POST" and kind == UPDATE:
            return self._changed(lambda: self.store.update(body.decode()), manual.updated)
        if path == manual.query and method == "POST" and kind == FORM and list(parse_qs(body.decode())) == ["query"]:
            results = self.store.query(parse_qs(body.decode())["query"][0])
            return 200, JSON, results.serialize(format=ox.QueryResultsFormat.JSON) or b""  # type: ignore[union-attr]
        if path == manual.query and method == "GET" and not given:
            return 400, "text/plain", b"no query"
        return 404, "", b"the manual knows nothing of that"

    def _graph(self, method: str, given: dict[str, str], kind: str, body: bytes) -> tuple[int, str, bytes]:
        """The Graph Store Protocol."""
        try:
            graph = ox.NamedNode(given["graph"])
        except ValueError:
            return 400, "", b"not an IRI"
        there = self.store.contains_named_graph(graph)
        if set(given) != {"graph"}:
            return 400, "", b"the manual has no such parameter"
        if method in ("GET", "HEAD", "DELETE") and not there:
            return 404, "", b"no such graph"
        if method == "DELETE":
            return self._changed(lambda: self.store.remove_graph(graph), self.manual.updated)
        if method in ("GET", "HEAD"):
            return 200, "application/n-triples", self.store.dump(format=ox.RdfFormat.N_TRIPLES, from_graph=graph) or b""
        if kind != "application/n-triples":
            return 415, "", b"N-Triples only"
        triples = [q.triple for q in ox.parse(body, ox.RdfFormat.N_TRIPLES)]  # type: ignore[union-attr]
        if method == "PUT" and there:
            self.store.clear_graph(graph)
        self.store.extend(ox.Quad(*t, graph) for t in triples)
        return self.manual.replaced if there else self.manual.created, "text/plain", b"done"

    def _changed(self, change: Callable[[], None], status: int) -> tuple[int, str, bytes]:
        try:
            change()
        except (SyntaxError, OSError) as error:
            return 400, "text/plain", str(error).encode()
        return status, "text/plain", b"done"
