"""The one address: hands requests through to Oxigraph's server, and has the few pages that the server has not.

| path | answer |
| `/` | what is here, and the catalogue: each question opens in the SPARQL page |
| `/graph.html`, `/search`, `/around` | the graph's page, and what it asks of this server |
| `/graph.ttl`, `/graph.nq` | the build's files |
| `/void.ttl`, `/.well-known/void` | what the graph holds, as VoID |
| `/ask/…` | Oxigraph's SPARQL page |
| `/query`, `/sparql`, `/store`, `/update` | Oxigraph's server: the last says that it is read-only |

Requests are read whole before they are handed on, answers as they come.
"""

from __future__ import annotations

import json
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx

from kg.errors import KgError
from kg.serve.oxigraph import Oxigraph
from kg.serve.pages import around, graph_page, home, search
from kg.serve.void import void
from kg.sparql import tokens

FILES = {
    "/graph.ttl": "text/turtle; charset=utf-8",
    "/graph.nq": "application/n-quads",
}
DOORS = ("/query", "/sparql", "/store", "/update", "/logo.svg", "/ask/")
HOP = frozenset(("connection", "keep-alive", "transfer-encoding", "te", "trailer", "upgrade", "host", "expect"))
MOST = 10_000_000
GRACE = 3.0
TURTLE, HTML, TEXT = "text/turtle; charset=utf-8", "text/html; charset=utf-8", "text/plain; charset=utf-8"
JSON = "application/json"
NOTHING = b"there is nothing here; see /\n"
NO_OTHERS = ("Content-Security-Policy", "connect-src 'self'")  # Oxigraph's page would fetch prefixes from prefix.cc


class Front(ThreadingHTTPServer):
    """The HTTP server; serves in threads from when it is entered until it is left."""

    daemon_threads = True

    def __init__(self, address: tuple[str, int], build: Path, oxigraph: Oxigraph) -> None:
        self.address_family = socket.AF_INET6 if ":" in address[0] else socket.AF_INET
        super().__init__(address, _Handler)
        self.build, self.oxigraph = build, oxigraph
        self.client = httpx.Client(
            trust_env=False, timeout=httpx.Timeout(oxigraph.timeout + GRACE, connect=5.0), limits=httpx.Limits()
        )

    @property
    def url(self) -> str:
        """Where it listens."""
        host, port = self.server_address[:2]
        return f"http://[{host!s}]:{port}" if self.address_family is socket.AF_INET6 else f"http://{host!s}:{port}"

    def __enter__(self) -> Front:
        threading.Thread(target=self.serve_forever, kwargs={"poll_interval": 0.2}, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()
        self.client.close()

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of clients that have left."""


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_version, sys_version = "paperkg", ""
    server: Front

    def do_GET(self) -> None:
        parts = urlsplit(self.path)
        if parts.path.startswith(DOORS):
            self._hand_on()
        elif parts.path in FILES:
            self._file(self.server.build / parts.path[1:], FILES[parts.path])
        elif parts.path == "/ask":
            self._say(301, TEXT, b"", location="/ask/")
        else:
            self._made(parts.path, {name: values[0] for name, values in parse_qs(parts.query).items()})

    do_HEAD = do_GET

    def do_POST(self) -> None:
        if urlsplit(self.path).path.startswith(DOORS):
            self._hand_on()
        else:
            self._say(404, TEXT, NOTHING)

    do_OPTIONS = do_PUT = do_DELETE = do_POST

    def log_message(self, *args: object) -> None:
        pass

    def _made(self, path: str, given: dict[str, str]) -> None:
        """Answer with what is made here."""
        build = self.server.build
        try:
            if path == "/":
                self._say(200, HTML, home().encode())
            elif path == "/graph.html":
                self._say(200, HTML, graph_page(build).encode())
            elif path in ("/void.ttl", "/.well-known/void"):
                self._say(200, TURTLE, void(build, self._here()))
            elif path == "/search":
                self._say(200, JSON, json.dumps(search(build, given.get("text", ""))).encode())
            elif path == "/around":
                self._say(200, HTML, around(build, given.get("iri", "")).encode())
            else:
                self._say(404, TEXT, NOTHING)
        except (KgError, OSError) as error:
            self._say(404, TEXT, f"{error}\n".encode())

    def _here(self) -> str:
        return f"http://{self.headers.get('Host') or self.server.url.partition('//')[2]}"

    def _hand_on(self) -> None:
        """Ask Oxigraph's server and give its answer as it comes."""
        if (body := self._body()) is None:
            return
        if asks_others(self.path, self.headers.get("Content-Type", ""), body):
            self._say(403, TEXT, b"SERVICE is off here: ask that endpoint itself\n")
            return
        child, begun = self.server.oxigraph.child, False
        url = child.url + self.path.removeprefix("/ask")
        headers = [(name, value) for name, value in self.headers.items() if name.lower() not in HOP]
        try:
            with self.server.client.stream(self.command, url, headers=headers, content=body or None) as answer:
                send = self._begin(answer)
                begun = True
                for block in answer.iter_raw():
                    send(block)
                send(b"")
        except httpx.ReadTimeout:
            self.server.oxigraph.replace(child, "a query ran away and the server with it")
            self._fail(begun, f"stopped: it took more than {self.server.oxigraph.timeout:g} seconds")
        except httpx.TransportError:
            self._fail(begun, "the server has ended, perhaps of a query that took too much memory; try again")

    def _body(self) -> bytes | None:
        if "chunked" in self.headers.get("Transfer-Encoding", ""):
            self._say(411, TEXT, b"send Content-Length, not chunks\n")
            return None
        length = int(self.headers.get("Content-Length") or 0)
        if length > MOST:
            self.close_connection = True
            self._say(413, TEXT, b"that is too large for a query\n")
            return None
        return self.rfile.read(length)

    def _begin(self, answer: httpx.Response) -> Callable[[bytes], None]:
        """Send the head of an answer and give the function that sends a block; an empty one is the last."""
        sized = "content-length" in answer.headers or self.command == "HEAD"
        chunked = not sized and self.request_version == "HTTP/1.1"
        self.close_connection |= not (sized or chunked)
        self.send_response_only(answer.status_code)
        for name, value in answer.headers.multi_items():
            if name not in HOP:
                self.send_header(name, value)
        if chunked:
            self.send_header("Transfer-Encoding", "chunked")
        if self.path.startswith("/ask/"):
            self.send_header(*NO_OTHERS)
        self.end_headers()

        def send(block: bytes) -> None:
            if chunked:
                self.wfile.write(b"%x\r\n%b\r\n" % (len(block), block))
            elif block:
                self.wfile.write(block)

        return send

    def _fail(self, begun: bool, why: str) -> None:
        """Say why there is no answer; if a part has been sent, break off, so that nobody takes it for all."""
        self.close_connection = True
        if not begun:
            self._say(503, TEXT, f"{why}\n".encode())

    def _file(self, path: Path, type_: str) -> None:
        try:
            file = path.open("rb")
        except OSError:
            self._say(404, TEXT, b"this build does not have it\n")
            return
        with file:
            self._head(200, type_, path.stat().st_size)
            if self.command != "HEAD":
                shutil.copyfileobj(file, self.wfile)

    def _say(self, status: int, type_: str, body: bytes, *, location: str = "") -> None:
        self._head(status, type_, len(body), location=location)
        if self.command != "HEAD":
            self.wfile.write(body)

    def _head(self, status: int, type_: str, length: int, *, location: str = "") -> None:
        self.send_response(status)
        self.send_header("Content-Type", type_)
        self.send_header("Content-Length", str(length))
        self.send_header("X-Content-Type-Options", "nosniff")
        if location:
            self.send_header("Location", location)
        self.end_headers()


def asks_others(path: str, type_: str, body: bytes) -> bool:
    """Whether a request's query would make the server ask other servers.

    >>> asks_others("/query?query=SELECT+*+%7B+SERVICE+%3Chttp%3A%2F%2Fe.org%3E+%7B%7D+%7D", "", b"")
    True
    """
    return any(
        t.lastgroup == "word" and t[0].upper() == "SERVICE" for q in _queries(path, type_, body) for t in tokens(q)
    )


def _queries(path: str, type_: str, body: bytes) -> Iterator[str]:
    text = body.decode("utf-8", "replace")
    for name, values in parse_qs(urlsplit(path).query).items():
        if name == "query":
            yield from values
    if type_.startswith("application/x-www-form-urlencoded"):
        yield from parse_qs(text).get("query", [])
    else:
        yield text
