"""What stands before every request: the origin of writes, the size of bodies, and the headers of every answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.errors import Forbidden, TooLarge

LARGEST_BODY = 64_000
LARGEST_RECORD = 4_200_000  # with what a form puts around a file
RECORDS = ("/records", "/api/records")
POLICY = (
    "default-src 'self'; img-src 'self' data:; object-src 'none'; base-uri 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": POLICY,
    "x-content-type-options": "nosniff",
    "referrer-policy": "same-origin",
    "x-frame-options": "DENY",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
}
Refuse = Callable[[Request, MaleconError], Awaitable[Response]]
SAFE_METHODS = ("GET", "HEAD", "OPTIONS")


def same_origin(scope: Scope) -> bool:
    """Whether a browser sent this from one of our own pages; programs that are no browsers send no origin."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None:
        return headers.get("sec-fetch-site", "none") in ("none", "same-origin")
    scheme = {"ws": "http", "wss": "https"}.get(scope["scheme"], scope["scheme"])
    return origin == f"{scheme}://{headers.get('host', '')}"


class Guard:
    """The outermost layer of the application; `refuse` answers a request that is not even looked at."""

    def __init__(self, app: ASGIApp, refuse: Refuse) -> None:
        self._app = app
        self._refuse = refuse

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and not same_origin(scope):
            await send({"type": "websocket.close", "code": 1008})
        elif scope["type"] != "http":
            await self._app(scope, receive, send)
        else:
            send = _with_headers(send)
            refusal = _refusal(scope)
            if refusal is None:
                await self._app(scope, _Limited(scope, receive), send)
            else:
                response = await self._refuse(Request(scope), refusal)
                await response(scope, receive, send)


def _refusal(scope: Scope) -> MaleconError | None:
    if scope["method"] not in SAFE_METHODS and not same_origin(scope):
        return Forbidden(say("this request comes from another site"))
    length = Headers(scope=scope).get("content-length", "0")
    if not length.isdigit() or int(length) > _most(scope):
        return TooLarge(say("this is too large"))
    return None


def _most(scope: Scope) -> int:
    return LARGEST_RECORD if scope["path"] in RECORDS else LARGEST_BODY


class _Limited:
    """Stops reading a body that is longer than it may be, whatever its header said."""

    def __init__(self, scope: Scope, receive: Receive) -> None:
        self._left = _most(scope)
        self._receive = receive

    async def __call__(self) -> Message:
        message = await self._receive()
        self._left -= len(message.get("body", b""))
        if self._left < 0:
            raise TooLarge(say("this is too large"))
        return message


def _with_headers(send: Send) -> Send:
    async def sending(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers.setdefault(name, value)
            headers.setdefault("cache-control", "no-store")
        await send(message)

    return sending
