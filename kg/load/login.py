"""Who we are to a store: a name and password, or a token, from the environment or from a prompt.

1. Nothing is sent before the store asks for it, unless its profile says that it never asks.
2. What the store asks for decides: Digest wherever it is offered, else Basic.
3. A password in clear (Basic) or a token goes over TLS or to this machine only, unless that is allowed.

A password is never part of an address, a message, or the text of these objects.
"""

from __future__ import annotations

import ipaddress
import os
from collections.abc import Callable, Generator
from dataclasses import dataclass, field

import httpx

from kg.errors import LoadError, UsageError

USER, PASSWORD, TOKEN = "KG_USER", "KG_PASSWORD", "KG_TOKEN"
BASIC = "basic"


@dataclass(frozen=True, slots=True)
class Credentials:
    """A name with its password, or a token."""

    user: str = ""
    password: str = field(default="", repr=False)
    token: str = field(default="", repr=False)


def from_environment() -> Credentials | None:
    """Read KG_TOKEN, or KG_USER and KG_PASSWORD; None where there are none."""
    if token := os.environ.get(TOKEN):
        return Credentials(token=token)
    if user := os.environ.get(USER):
        return Credentials(user, os.environ.get(PASSWORD, ""))
    if os.environ.get(PASSWORD):
        raise UsageError(f"{PASSWORD} is set and {USER} is not; set both")
    return None


def is_loopback(host: str) -> bool:
    """Whether a host is this machine.

    >>> is_loopback("localhost"), is_loopback("127.0.0.2"), is_loopback("[::1]"), is_loopback("example.org")
    (True, True, True, False)
    """
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return host == "localhost"


class Login(httpx.Auth):
    """Answers what a store asks for. `ask` is called when it asks and there are no credentials."""

    def __init__(
        self,
        credentials: Credentials | None,
        *,
        unasked: str = "",
        in_clear: bool = False,
        ask: Callable[[], Credentials | None] = lambda: None,
    ) -> None:
        self.credentials, self.unasked = credentials, unasked
        self._in_clear, self._ask = in_clear, ask
        self._chosen: httpx.Auth | None = None

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        """Send a request with what the store wants to know."""
        if self._chosen is None and self.credentials and (self.credentials.token or self.unasked == BASIC):
            self._choose(request, [])
        if self._chosen is None:
            response = yield request
            challenges = response.headers.get_list("www-authenticate")
            if response.status_code != 401 or not challenges:
                return
            if self.credentials is None:
                self.credentials = self._ask()
            if self.credentials is None:
                return
            self._choose(request, challenges)
        assert self._chosen is not None
        if isinstance(self._chosen, httpx.BasicAuth | _Token):
            self._guard(request)
        yield from self._chosen.auth_flow(request)

    def _choose(self, request: httpx.Request, challenges: list[str]) -> None:
        known = self.credentials
        assert known is not None
        schemes = {challenge.split(maxsplit=1)[0].lower() for challenge in challenges if challenge}
        if known.token:
            self._chosen = _Token(self.unasked if self.unasked not in ("", BASIC) else "Bearer", known.token)
        elif "digest" in schemes:
            self._chosen = httpx.DigestAuth(known.user, known.password)
        elif "basic" in schemes or not schemes:
            self._chosen = httpx.BasicAuth(known.user, known.password)
        else:
            raise LoadError(f"{request.url.host} wants {', '.join(sorted(schemes))} to log in; set {TOKEN}")

    def _guard(self, request: httpx.Request) -> None:
        if request.url.scheme != "https" and not self._in_clear and not is_loopback(request.url.host):
            raise UsageError(
                f"the password would go to {request.url.host} in clear; use https, or allow it by --in-clear"
            )


class _Token(httpx.Auth):
    def __init__(self, scheme: str, token: str) -> None:
        self._header = f"{scheme} {token}"

    def auth_flow(self, request: httpx.Request) -> Generator[httpx.Request, httpx.Response, None]:
        request.headers["Authorization"] = self._header
        yield request
