"""A proxy that does wrong on purpose: it stands between client and server and spoils those requests that it is told to.

A fault is a function of the request (`Exchange`); it may forward it or not, answer it or not. `Proxy(upstream, faults)`
tries the faults in order on each request; a fault that has been used up, or that does not want the request, passes.
"""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any
from urllib.parse import urlsplit

HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length"}


@dataclass
class Exchange:
    """One request that has come in, whole, and the means to answer it."""

    handler: Any
    method: str
    path: str
    headers: dict[str, str]
    body: bytes
    upstream: str

    @property
    def writes(self) -> bool:
        """Whether it is to change something: an update, or the Graph Store Protocol."""
        return self.method in ("PUT", "DELETE") or (self.method == "POST" and not self.body.startswith(b"query="))

    def forward(self, body: bytes | None = None, *, length: int | None = None) -> tuple[int, dict[str, str], bytes]:
        """Send it on, with another body if one is given; with `length`, more than that is promised, and not sent."""
        sent = self.body if body is None else body
        connection = http.client.HTTPConnection(urlsplit(self.upstream).netloc, timeout=120)
        try:
            connection.putrequest(self.method, self.path, skip_accept_encoding=True)
            for name, value in self.headers.items():
                if name.lower() not in HOP:
                    connection.putheader(name, value)
            connection.putheader("Content-Length", str(length if length is not None else len(sent)))
            connection.endheaders(sent)
            if length is not None:
                return 0, {}, b""
            answer = connection.getresponse()
            return answer.status, dict(answer.getheaders()), answer.read()
        finally:
            connection.close()

    def answer(self, status: int, headers: dict[str, str], body: bytes, *, length: int | None = None) -> None:
        """Answer it; with `length`, a longer body is promised than is sent."""
        self.handler.send_response_only(status)
        for name, value in headers.items():
            if name.lower() not in HOP:
                self.handler.send_header(name, value)
        self.handler.send_header("Content-Length", str(len(body) if length is None else length))
        self.handler.end_headers()
        self.handler.wfile.write(b"" if self.method == "HEAD" else body)
        self.handler.wfile.flush()

    def hang_up(self) -> None:
        """Break the connection with the client."""
        self.handler.close_connection = True
        self.handler.connection.close()

    def pass_on(self) -> None:
        """Do what a proxy should."""
        self.answer(*self.forward())


Act = Callable[[Exchange], None]


@dataclass
class Fault:
    """What is done to requests that are wanted: `times` of them, after `skip` have been let through."""

    act: Act
    wants: Callable[[Exchange], bool] = lambda exchange: exchange.writes
    times: int = 1
    skip: int = 0


@dataclass
class Proxy:
    """The proxy, as a context manager; `seen` lists what came in: method, path, headers, size of the body."""

    upstream: str
    faults: list[Fault] = field(default_factory=list)
    seen: list[tuple[str, str, dict[str, str], int]] = field(default_factory=list)

    def __enter__(self) -> Proxy:
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def handle_any(self) -> None:
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                exchange = Exchange(self, self.command, self.path, dict(self.headers.items()), body, proxy.upstream)
                with proxy.lock:
                    proxy.seen.append((self.command, self.path, exchange.headers, len(body)))
                    act = proxy.chosen(exchange)
                act(exchange)

            do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = handle_any

            def log_message(self, *args: object) -> None:
                pass

        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.handle_error = lambda *_: None  # type: ignore[method-assign]  # broken connections are its trade
        self.thread = threading.Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self.thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.server.shutdown()
        self.server.server_close()

    @property
    def url(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server.server_address[1]}"

    def chosen(self, exchange: Exchange) -> Act:
        """Choose what to do with a request."""
        for fault in self.faults:
            if fault.times > 0 and fault.wants(exchange):
                if fault.skip > 0:
                    fault.skip -= 1
                    continue
                fault.times -= 1
                return fault.act
        return Exchange.pass_on


def cut_body(exchange: Exchange) -> None:
    """Send on half of the body, and break both connections."""
    exchange.forward(exchange.body[: len(exchange.body) // 2], length=len(exchange.body))
    exchange.hang_up()


def cut_answer(exchange: Exchange) -> None:
    """Let the server do its work, and break the connection before it can say so."""
    exchange.forward()
    exchange.hang_up()


def unavailable(exchange: Exchange) -> None:
    """Answer 503 and send nothing on."""
    exchange.answer(503, {"Retry-After": "0"}, b"come back later")


def drop_body(exchange: Exchange) -> None:
    """Say that all is well, and throw it away."""
    exchange.answer(201, {}, b"")


def truncate_body(exchange: Exchange) -> None:
    """Send on the first half of the lines as if that were all."""
    cut = exchange.body[: exchange.body.rindex(b"\n", 0, len(exchange.body) // 2) + 1]
    exchange.answer(*exchange.forward(cut + (b"} }" if exchange.body.endswith(b"} }") else b"")))


def delay(seconds: float) -> Act:
    """Make it wait."""

    def act(exchange: Exchange) -> None:
        time.sleep(seconds)
        exchange.pass_on()

    return act


def truncate_answer(exchange: Exchange) -> None:
    """Break the connection in the middle of the answer."""
    status, headers, body = exchange.forward()
    exchange.answer(status, headers, body[: len(body) // 2], length=len(body))
    exchange.hang_up()


def shorten_answer(exchange: Exchange) -> None:
    """Give half of the answer as if that were all."""
    status, headers, body = exchange.forward()
    exchange.answer(status, headers, body[: len(body) // 2])


def say(status: int, headers: dict[str, str], body: bytes = b"") -> Act:
    """Answer this, whatever it was."""
    return lambda exchange: exchange.answer(status, headers, body)
