"""Access control of the studio: admits only the browser of the user who started it.

The printed address carries a secret that is drawn at every start. Visiting it sets a cookie. The page, its files, the
websocket and every other route require the secret or the cookie. Requests from other sites' pages are refused by their
Host or Origin. The server's pages may not be framed and load nothing from other hosts.
"""

from __future__ import annotations

import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING, Final
from urllib.parse import parse_qsl, urlencode

if TYPE_CHECKING:
    from starlette.types import ASGIApp, Message, Receive, Scope, Send

TOKEN: Final = "token"
#: Host names by which a browser may address the server. Any other name means a request from another site's page.
HOST_NAMES: Final = ("127.0.0.1", "localhost")
HTTP_PORT: Final = 80
#: Close code sent to a refused websocket.
POLICY_VIOLATION: Final = 1008

PAGE: Final = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Poise studio</title>{head}</head>
<body style="font-family: sans-serif; margin: 4em auto; max-width: 34em; color: #37404c">{body}</body></html>"""
REFUSAL: Final = PAGE.format(
    head="",
    body="<h1>This studio is private</h1><p>Open the address that <code>poise studio</code> printed, including "
    "everything after <code>?token=</code>. It changes at every start.</p>",
)


@dataclass(frozen=True)
class Key:
    """The secret of one studio, and the addresses it answers on."""

    port: int
    token: str = field(default_factory=lambda: secrets.token_urlsafe(32), repr=False)

    @property
    def url(self) -> str:
        """The address with the secret; it admits anyone who knows it."""
        return f"http://{HOST_NAMES[0]}:{self.port}/?{TOKEN}={self.token}"

    @property
    def cookie(self) -> str:
        """Name of the cookie. It contains the port: browsers share cookies between ports, and two studios must not."""
        return f"poise-studio-{self.port}"

    @property
    def hosts(self) -> frozenset[str]:
        names = {f"{name}:{self.port}" for name in HOST_NAMES}
        return frozenset(names | set(HOST_NAMES) if self.port == HTTP_PORT else names)

    @property
    def origins(self) -> frozenset[str]:
        return frozenset(f"http://{host}" for host in self.hosts)

    @property
    def policy(self) -> str:
        """Content-Security-Policy. NiceGUI writes scripts into its page and evaluates what the server sends."""
        sockets = " ".join(sorted(f"ws://{host}" for host in self.hosts))
        return "; ".join(
            (
                "default-src 'none'",
                "script-src 'self' 'unsafe-inline' 'unsafe-eval'",
                "style-src 'self' 'unsafe-inline'",
                "img-src 'self' data: blob:",
                "font-src 'self' data:",
                f"connect-src 'self' {sockets}",
                "base-uri 'none'",
                "form-action 'none'",
                "frame-ancestors 'none'",
            )
        )

    def opens(self, offered: Iterable[str]) -> bool:
        """Whether one of the secrets is ours, compared in constant time."""
        return any(hmac.compare_digest(text.encode(), self.token.encode()) for text in offered)


class Guard:
    """ASGI middleware around the whole application: every request passes it first."""

    def __init__(self, app: ASGIApp, key: Key) -> None:
        self.app = app
        self._key = key
        self._headers = [
            (b"x-frame-options", b"DENY"),
            (b"content-security-policy", key.policy.encode()),
            (b"x-content-type-options", b"nosniff"),
            (b"referrer-policy", b"no-referrer"),
            (b"cross-origin-resource-policy", b"same-origin"),
            (b"cross-origin-opener-policy", b"same-origin"),
        ]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self.app(scope, receive, send)
            return
        send = self._add_headers(send)
        if not (self._comes_from_here(scope) and self._knows_the_secret(scope)):
            await _refuse(scope, send)
            return
        tokens, query = _split_query(scope)
        if tokens and scope["type"] == "http" and scope["method"] in ("GET", "HEAD") and scope["path"] == "/":
            await self._welcome(query, send)
            return
        # The application does not need the secret; without it, its logs cannot leak it.
        await self.app({**scope, "query_string": query}, receive, send)

    def _comes_from_here(self, scope: Scope) -> bool:
        """Whether the request uses one of our host names and, if a page made it, comes from our own page."""
        hosts, origins = _read_header(scope, b"host"), _read_header(scope, b"origin")
        return len(hosts) == 1 and hosts[0].lower() in self._key.hosts and set(origins) <= self._key.origins

    def _knows_the_secret(self, scope: Scope) -> bool:
        return self._key.opens([*_split_query(scope)[0], *self._read_cookies(scope)])

    def _read_cookies(self, scope: Scope) -> list[str]:
        # Parsed by hand: `http.cookies` gives up on malformed cookies of other servers on this machine.
        parts = [part.strip() for header in _read_header(scope, b"cookie") for part in header.split(";")]
        return [value for name, _, value in (part.partition("=") for part in parts) if name == self._key.cookie]

    async def _welcome(self, query: bytes, send: Send) -> None:
        """Set the cookie and redirect to the address without the secret.

        A redirect by status code fails: a browser that came from a file or another site treats the whole chain as
        cross-site and withholds a strict cookie. A redirect by our own page is same-site.
        """
        target = "/?" + query.decode("latin-1") if query else "/"
        page = PAGE.format(
            head=f'<meta http-equiv="refresh" content="0; url={escape(target)}">',
            body=f'<a href="{escape(target)}">Poise studio</a>',
        )
        cookie = f"{self._key.cookie}={self._key.token}; Path=/; HttpOnly; SameSite=Strict"
        await _answer(send, 200, page, [(b"set-cookie", cookie.encode())])

    def _add_headers(self, send: Send) -> Send:
        names = {name for name, _ in self._headers}

        async def send_guarded(message: Message) -> None:
            if message["type"] in ("http.response.start", "websocket.http.response.start"):
                kept = [pair for pair in message.get("headers", []) if pair[0].lower() not in names]
                message = {**message, "headers": [*kept, *self._headers]}
            await send(message)

        return send_guarded


def _read_header(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1") for key, value in scope["headers"] if key.lower() == name]


def _split_query(scope: Scope) -> tuple[list[str], bytes]:
    """The secrets in an address, and the rest of its query."""
    pairs = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
    tokens = [value for name, value in pairs if name == TOKEN]
    if not tokens:
        return [], scope.get("query_string", b"")
    return tokens, urlencode([pair for pair in pairs if pair[0] != TOKEN]).encode()


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket" and "websocket.http.response" not in scope.get("extensions", {}):
        # Before acceptance, the server answers this with status 403.
        await send({"type": "websocket.close", "code": POLICY_VIOLATION})
        return
    await _answer(send, 403, REFUSAL, kind="websocket.http" if scope["type"] == "websocket" else "http")


async def _answer(
    send: Send, status: int, page: str, headers: Iterable[tuple[bytes, bytes]] = (), kind: str = "http"
) -> None:
    body = page.encode()
    head = [(b"content-type", b"text/html; charset=utf-8"), (b"content-length", str(len(body)).encode())]
    head.append((b"cache-control", b"no-store"))
    await send({"type": f"{kind}.response.start", "status": status, "headers": [*head, *headers]})
    await send({"type": f"{kind}.response.body", "body": body})
