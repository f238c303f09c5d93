"""Requests that arrive: tried again where that helps and is safe, followed where sent on, explained where refused.

1. 408, 429, 502, 503, 504 and broken connections are tried again, after what Retry-After says or else after a time that
   doubles, with jitter; but only a request that may be repeated.
2. A redirect keeps the method and the body (httpx would turn a POST into a GET), and another host gets no credentials.
3. An answer that says no is shown with what the server said, its first 1,500 characters.

Status codes: https://www.rfc-editor.org/rfc/rfc9110#section-15
"""

from __future__ import annotations

import random
import re
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from importlib.metadata import version

import httpx

from kg.errors import LoadError, ServiceError
from kg.load.login import Login, is_loopback

AGAIN = frozenset((408, 429, 502, 503, 504))
MOVED = frozenset((301, 302, 307, 308))
ATTEMPTS = 6
FIRST_PAUSE, LONGEST_PAUSE, LONGEST_ASKED = 0.5, 30.0, 300.0
MOST_REDIRECTS = 5
SHOWN = 1500
CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
HINTS = {
    401: "log in by KG_USER and KG_PASSWORD, or KG_TOKEN",
    403: "these credentials may not do that there",
    404: "check the address, or name the kind of store by --store",
    405: "check the address, or name the kind of store by --store",
    413: "the server takes only smaller requests",
}


@dataclass(frozen=True, slots=True)
class Request:
    """What is to be sent. `body` may be iterated several times, `size` is its length; `note` is for people."""

    method: str
    url: str
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | Iterable[bytes] = b""
    size: int = 0
    again: bool = True
    note: str = ""


class Unanswered(ServiceError):
    """No answer that counts; `begun` is whether the server may have begun to do what it was asked."""

    def __init__(self, message: str, *, begun: bool) -> None:
        super().__init__(message)
        self.begun = begun


class Web:
    """A client of one server."""

    def __init__(self, login: Login, *, timeout: float = 600.0, pause: Callable[[float], None] = time.sleep) -> None:
        self.login, self._timeout, self._pause = login, timeout, pause
        self._clients: dict[tuple[bool, bool], httpx.Client] = {}

    def wait(self, attempt: int) -> None:
        """Wait before an attempt."""
        self._pause(pause_before(attempt))

    def __enter__(self) -> Web:
        return self

    def __exit__(self, *_: object) -> None:
        for client in self._clients.values():
            client.close()

    def send(self, request: Request, *, attempts: int = ATTEMPTS, read: bool = True) -> httpx.Response:
        """Send a request and give the answer, whatever it says; Unanswered where there is no answer to be had.

        Without `read`, only its head: some stores answer their own address with all that they hold.
        """
        for attempt in range(attempts):
            asked: float | None = None
            try:
                response = self._follow(request, stream=not read)
                if response.status_code in AGAIN:
                    response.read()
            except httpx.TransportError as error:
                why, begun = told(error), not isinstance(error, httpx.ConnectError | httpx.ConnectTimeout)
            else:
                if response.status_code not in AGAIN:
                    response.close()
                    return response
                why, asked = refusal(response), _asked(response)
                begun = response.status_code not in (429, 503)
            if not request.again or attempt + 1 == attempts:
                break
            if asked is not None and asked > LONGEST_ASKED:
                raise Unanswered(f"{where(request)} asks to wait {asked:.0f} seconds; try again then", begun=False)
            self._pause(pause_before(attempt + 1) if asked is None else asked)
        tried = f" (tried {attempt + 1} times)" if attempt else ""
        raise Unanswered(f"{where(request)} failed{tried}: {why}", begun=begun)

    def ok(self, request: Request, *, absent: bool = False) -> httpx.Response:
        """Send a request that has to succeed; `absent`: that there is nothing there is a success, too."""
        response = self.send(request)
        if response.is_success or (absent and response.status_code == 404):
            return response
        raise LoadError(f"{where(request)} was refused: {refusal(response)}")

    @contextmanager
    def opened(self, request: Request) -> Iterator[httpx.Response]:
        """Send a request and read the answer as it comes."""
        try:
            response = self._follow(request, stream=True)
            try:
                if not response.is_success:
                    response.read()
                    raise LoadError(f"{where(request)} was refused: {refusal(response)}")
                yield response
            finally:
                response.close()
        except httpx.TransportError as error:
            raise Unanswered(f"{where(request)} failed: {told(error)}", begun=True) from error

    def _follow(self, request: Request, *, stream: bool) -> httpx.Response:
        origin = httpx.URL(request.url)
        for _ in range(MOST_REDIRECTS + 1):
            response = self._once(request, trusted=_same_origin(origin, httpx.URL(request.url)), stream=stream)
            if response.status_code not in MOVED or "location" not in response.headers:
                return response
            response.close()
            request = replace(request, url=str(httpx.URL(request.url).join(response.headers["location"])))
        raise LoadError(f"{where(request)} sends us in circles; check the address")

    def _once(self, request: Request, *, trusted: bool, stream: bool) -> httpx.Response:
        url = httpx.URL(request.url)
        headers = dict(request.headers)
        if not isinstance(request.body, bytes):
            headers["Content-Length"] = str(request.size)  # or else httpx sends chunks, which Virtuoso takes and drops
        client = self._client(is_loopback(url.host), url.scheme == "https")
        made = client.build_request(request.method, url, headers=headers, content=request.body or None)
        return client.send(made, auth=self.login if trusted else None, stream=stream)

    def _client(self, here: bool, tls: bool) -> httpx.Client:
        """Make the client at first use; what is on this machine is not asked for through a proxy."""
        if (here, tls) not in self._clients:
            self._clients[here, tls] = httpx.Client(
                timeout=httpx.Timeout(self._timeout, connect=10.0),
                headers={"User-Agent": f"paperkg/{version('paperkg')}", "Accept-Encoding": "identity"},
                trust_env=not here,
                verify=tls,  # without TLS there is nothing to verify, and the certificates take a while to read
            )
        return self._clients[here, tls]


def where(request: Request) -> str:
    """Say what was sent where."""
    return f"{request.method} {request.url}"


def told(error: httpx.TransportError) -> str:
    """Say why there was no answer."""
    if isinstance(error, httpx.ReadTimeout):
        return "the server did not answer in time; it may still be working, allow more by --timeout"
    if isinstance(error, httpx.ConnectError | httpx.ConnectTimeout):
        return f"no connection ({error or 'it timed out'}); is the server running?"
    return f"the connection broke ({error or type(error).__name__})"


def refusal(response: httpx.Response) -> str:
    """Show the status and what the server said, without control characters, which could drive a terminal."""
    said = CONTROL.sub(" ", response.text[:SHOWN]).strip()
    hint = HINTS.get(response.status_code)
    status = f"{response.status_code} {response.reason_phrase}".strip()
    return status + (f", {said}" if said else "") + (f"; {hint}" if hint else "")


def pause_before(attempt: int) -> float:
    """Seconds to wait before an attempt: twice as long each time, and not all clients at once."""
    longest: float = min(LONGEST_PAUSE, FIRST_PAUSE * 2 ** (attempt - 1))
    return longest * random.uniform(0.5, 1.0)


def _asked(response: httpx.Response) -> float | None:
    """Read Retry-After: seconds or a date."""
    value = response.headers.get("retry-after", "").strip()
    if value.isdigit():
        return float(value)
    try:
        return max(0.0, (parsedate_to_datetime(value) - datetime.now(UTC)).total_seconds())
    except (TypeError, ValueError):
        return None


def _same_origin(a: httpx.URL, b: httpx.URL) -> bool:
    """Whether credentials for the one may go to the other: the same host, or the same host by TLS at last."""
    upgraded = a.scheme == "http" and b.scheme == "https" and a.port is None and b.port is None
    return a.host == b.host and ((a.scheme, a.port) == (b.scheme, b.port) or upgraded)
