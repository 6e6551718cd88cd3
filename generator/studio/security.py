"""What keeps other web pages and other machines out: a token, the Host and Origin of each request, limits and headers.
A phone that knows the token may score sheets, and nothing else.

A page on another site could send requests to this machine, and with DNS rebinding even read the answers
(https://developer.mozilla.org/docs/Web/Security/Attacks). So each request needs the cookie that the address with the
token has set, a Host that the server answers to, and, unless it only reads, an Origin of the server's own.
"""

from __future__ import annotations

import re
import secrets
from http.cookies import SimpleCookie
from ipaddress import ip_address
from urllib.parse import parse_qs, urlencode

from msgspec import Struct, field
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_BODY = 64 * 2**20
"""The largest upload in bytes."""
READING = ("GET", "HEAD")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; img-src 'self' blob: data:; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
FOR_PHONES = re.compile(r"/(static/.+|g/[^/]+/(score(/.+)?|picture/.+|cover\.png))")
"""What other machines may see and do: score sheets, and save them to the league."""
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
}


class Access(Struct):
    """Who may use the server: those who know the token, under one of its `hosts` (name:port). `network` is the address
    of the server for other machines; empty if only this one may use it."""

    hosts: frozenset[str]
    port: int
    network: str = ""
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))

    @property
    def cookie(self) -> str:
        """The name of the cookie: cookies are shared by all ports of a host."""
        return f"pencilbox-{self.port}"


class Guard:
    """Answers requests that must not reach the pages, and adds the headers."""

    def __init__(self, app: ASGIApp, access: Access) -> None:
        self.app = app
        self.access = access

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        answer = self._refusal(scope, headers) or self._with_token(scope)
        if answer is None and not self._is_known(headers):
            answer = PlainTextResponse("Open the address that “pencilbox studio” has printed.", 403)

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        await (answer or self.app)(scope, self._bounded(receive), send_with_headers)

    def _refusal(self, scope: Scope, headers: Headers) -> PlainTextResponse | None:
        if headers.get("host", "").lower() not in self.access.hosts:
            return PlainTextResponse("This server does not answer to this name.", 421)
        origin = headers.get("origin")
        own = {f"http://{host}" for host in self.access.hosts}
        if scope["method"] not in READING and origin not in own:
            return PlainTextResponse("This request comes from another page.", 403)
        length = headers.get("content-length", "")
        if length.isdecimal() and (len(length) > 12 or int(length) > MAX_BODY):
            return PlainTextResponse("The file is larger than 64 MB.", 413)
        if not _is_local(scope) and not FOR_PHONES.fullmatch(scope["path"]):
            return PlainTextResponse("Other machines can only score sheets.", 403)
        return None

    def _with_token(self, scope: Scope) -> RedirectResponse | None:
        """Turns the token in an address into a cookie, so that it does not stay in the history."""
        query = parse_qs(scope["query_string"].decode("latin-1"))
        typed = query.pop("token", [""])[0]
        if not secrets.compare_digest(typed.encode(), self.access.token.encode()):
            return None
        rest = urlencode(query, doseq=True)
        answer = RedirectResponse(f"{scope['path']}?{rest}".rstrip("?"), 303)
        answer.set_cookie(self.access.cookie, self.access.token, httponly=True, samesite="strict", path="/")
        return answer

    def _is_known(self, headers: Headers) -> bool:
        cookie = SimpleCookie(headers.get("cookie", "")).get(self.access.cookie)
        return cookie is not None and secrets.compare_digest(cookie.value.encode(), self.access.token.encode())

    def _bounded(self, receive: Receive) -> Receive:
        """Ends a request whose body is larger than it says."""
        size = 0

        async def bounded() -> Message:
            nonlocal size
            message = await receive()
            size += len(message.get("body", b""))
            return message if size <= MAX_BODY else {"type": "http.disconnect"}

        return bounded


def _is_local(scope: Scope) -> bool:
    """Whether a request comes from this machine."""
    host = (scope.get("client") or ("",))[0]
    try:
        return ip_address(host).is_loopback
    except ValueError:  # a socket without an address, as in tests
        return True
