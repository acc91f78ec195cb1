"""The guard before every request: origins of writes, sizes, rates, and the headers of every response."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable
from ipaddress import ip_address
from urllib.parse import urlsplit

from starlette.datastructures import MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, TooLarge, TooOften, WrongHost
from malecon.server.operations.costs import FILE_ROUTES, Meter, metered
from malecon.server.operations.limits import Limiter, address_of
from malecon.server.pages.rendering import STATIC

log = logging.getLogger("malecon.server")
#: Between two lines of the log about names that are not this server's.
LOG_INTERVAL_SECONDS = 60.0
LARGEST_BODY_BYTES = 64_000
LARGEST_RECORD_BYTES = 4_200_000  # with what a form puts around a file
OPENING = ("/tables", "/find", "/tournaments", *FILE_ROUTES)
#: Files that proxies and browsers cache, and the sign of life: they have a limit of their own.
#: Only existing files: the page that says that there is none costs as much as any page.
FILES = {"/drawing.css", "/healthz"} | {
    f"/static/{file.relative_to(STATIC).as_posix()}" for file in STATIC.rglob("*") if file.is_file()
}
#: What a live connection costs when it is opened: the page it sends first. What it sends later is others' doing.
SOCKET_COST = 2.0
#: Only resources of this server: no script or style inside a page, nothing of other sites, no frames. Scripts may
#: compile WebAssembly (the engine), but nothing that comes from elsewhere.
POLICY = (
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; worker-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)
#: A browser that has used https does not fall back to http.
HTTPS_ONLY = "max-age=31536000"
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=(), payment=(), usb=()",
}
_STANDING = [(name.encode(), value.encode()) for name, value in (HEADERS | {"cache-control": "no-store"}).items()]
_SECURE = [*_STANDING, (b"strict-transport-security", HTTPS_ONLY.encode())]
Refuse = Callable[[Request, Exception], Awaitable[Response]]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def same_origin(scope: Scope) -> bool:
    """Return whether a request comes from a page of this server, or from a program that sends no origin."""
    origin = host = None
    site = b"none"
    for name, value in scope["headers"]:
        if name == b"origin" and origin is None:
            origin = value
        elif name == b"host" and host is None:
            host = value
        elif name == b"sec-fetch-site":
            site = value
    if origin is None:
        return site in (b"none", b"same-origin")
    scheme: str = {"ws": "http", "wss": "https"}.get(scope["scheme"]) or scope["scheme"]
    return bool(origin == scheme.encode() + b"://" + (host or b""))


class Hosts:
    """The host names under which this server may be addressed; IP addresses and `localhost` are always allowed."""

    def __init__(self, names: str) -> None:
        self._names = {name.strip().lower() for name in names.split(",") if name.strip()}
        self._allowed: set[bytes] = set()
        self._logged = -LOG_INTERVAL_SECONDS

    def allows(self, scope: Scope) -> bool:
        if not self._names:
            return True
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        if host in self._allowed:
            return True
        try:
            name = urlsplit(f"//{host.decode('latin-1')}").hostname or ""
        except ValueError:  # a bracket that is not closed
            return False
        if name not in self._names and name != "localhost" and not _is_ip_address(name):
            self._log(name)
            return False
        if len(self._allowed) < 100:
            self._allowed.add(host)
        return True

    def _log(self, name: str) -> None:
        """Tell the host once a minute which name is asked for; a client may send any, so it is shortened."""
        if time.monotonic() - self._logged > LOG_INTERVAL_SECONDS:
            self._logged = time.monotonic()
            log.warning("somebody asked for %r; if that is this server, set MALECON_HOSTS=%s", name[:60], name[:60])


def _is_ip_address(host: str) -> bool:
    try:
        ip_address(host)
    except ValueError:
        return False
    return True


class Guard:
    """The outermost layer of the application; `refuse` answers requests that do not reach it."""

    def __init__(self, app: ASGIApp, refuse: Refuse, limiter: Limiter) -> None:
        self._app = app
        self._refuse = refuse
        self._limiter = limiter
        self._hosts = Hosts(limiter.settings.hosts)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and (not same_origin(scope) or self._wrong_host(scope)):
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] == "websocket":
            await self._connect(scope, receive, send)
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            send = _with_headers(send, scope["scheme"] == "https")
            refusal = refusal_of(scope) or self._wrong_host(scope)
            if refusal is None:
                refusal = await self._handle(scope, receive, send)
            if refusal is not None:
                response = await refused(scope, refusal, self._limiter, self._refuse)
                await response(scope, receive, send)

    async def _handle(self, scope: Scope, receive: Receive, send: Send) -> MaleconError | None:
        """Handle a request and charge its sender for it; return why not if they must wait."""
        limiter, path, writes = self._limiter, scope["path"], scope["method"] not in SAFE_METHODS
        route, is_file = limiter.costs.route_of(path), not writes and path in FILES
        cost = limiter.cost_of(route, writes)
        try:
            if is_file:
                limiter.check_file(scope, cost)
            else:
                limiter.check(scope, writes, writes and _opens_a_table(path), cost)
        except TooOften as error:
            return error
        meter = Meter()
        try:
            work = self._app(scope, _LimitedBody(scope, receive), send)
            await metered(work, meter, limiter.turns, address_of(scope))  # type: ignore[arg-type]
        finally:
            limiter.settle(scope, route, writes, cost, meter.seconds, is_file)
        return None

    def _wrong_host(self, scope: Scope) -> MaleconError | None:
        return None if self._hosts.allows(scope) else WrongHost()

    async def _connect(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Accept a live connection, unless its sender has too many of them."""
        try:
            self._limiter.check(scope, False, False, SOCKET_COST)
            is_accepted = self._limiter.open_socket(scope)
        except TooOften:
            is_accepted = False
        if not is_accepted:
            await self._limiter.delay(scope)
            await send({"type": "websocket.close", "code": 1008})
            return
        try:
            await self._app(scope, receive, send)
        finally:
            self._limiter.close_socket(scope)


async def refused(scope: Scope, error: Exception, limiter: Limiter, refuse: Refuse) -> Response:
    """Return the response to a refused request; for floods of them a delayed and empty one."""
    if isinstance(error, TooOften) and await limiter.delay(scope):
        return Response(status_code=error.status, headers={"retry-after": str(error.wait), "connection": "close"})
    return await refuse(Request(scope), error)


def _opens_a_table(path: str) -> bool:
    if path.startswith("/analysis/"):
        return path.startswith("/analysis/new") or path.endswith(("/copy", "/setup", "/load"))
    return path in OPENING or path.endswith("/again") or "/fork/" in path


def refusal_of(scope: Scope) -> MaleconError | None:
    """Return why a request is refused: it comes from another site, or is too large; None if it is not."""
    if scope["method"] not in SAFE_METHODS and not same_origin(scope):
        return Forbidden(say("this request comes from another site"))
    length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
    if not length.isdigit() or int(length) > _largest_body(scope):
        return TooLarge(say("the request is too large"))
    return None


def standing_headers(secure: bool) -> list[tuple[bytes, bytes]]:
    """Return the headers of every response that has none of its own by that name."""
    return _SECURE if secure else _STANDING


def _largest_body(scope: Scope) -> int:
    return LARGEST_RECORD_BYTES if scope["path"] in FILE_ROUTES else LARGEST_BODY_BYTES


class _LimitedBody:
    """Raises TooLarge while reading a body that is too long, whatever its header says."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._remaining = _largest_body(scope)
        self._receive = receive

    async def __call__(self) -> Message:
        message = await self._receive()
        self._remaining -= len(message.get("body", b""))
        if self._remaining < 0:
            raise TooLarge(say("the request is too large"))
        return message


def _with_headers(send: Send, secure: bool) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in standing_headers(secure):
                headers.setdefault(name.decode(), value.decode())
        await send(message)

    return sending
