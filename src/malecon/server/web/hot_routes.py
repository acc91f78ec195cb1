"""A shorter path for the most frequent requests: reading the state of a table and moving, as JSON.

Plain requests call the same functions as the routes of `routes.api`; everything unusual is handed to the application.
The checks of the guard apply here too.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any, cast

import msgspec
from starlette.applications import Starlette
from starlette.requests import HTTPConnection
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from malecon.server.accounts.visitors import Visitor
from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.web.dependencies import visitor_of
from malecon.server.web.guard import Hosts, Refuse, refusal_of, refused, standing_headers
from malecon.server.web.models import LONGEST_MOVE
from malecon.server.web.services import Services
from malecon.server.web.table_state import state_json

TABLES_PREFIX = "/api/tables/"
MOVES_SUFFIX = "/moves"
#: Names of the routes in metrics and logs, the same as the application's own.
VIEW_ROUTE = "/api/tables/{table}"
MOVE_ROUTE = "/api/tables/{table}/moves"
#: Headers by which visitors are identified.
IDENTITY_HEADERS = (b"authorization", b"cookie", b"accept-language")
#: Visitors in the cache.
MOST_CACHED = 10_000
_JSON = (b"content-type", b"application/json")


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    move: str
    version: int | None = None
    seat: int | None = None


class HotRoutes:
    """Answers the most frequent requests, and leaves the rest to the application."""

    def __init__(self, app: Starlette, others: ASGIApp, refuse: Refuse, limiter: Limiter, metrics: Metrics) -> None:
        self._app, self._others, self._refuse = app, others, refuse
        self._limiter, self._metrics = limiter, metrics
        self._visitors: dict[tuple[tuple[bytes, bytes], ...], tuple[dict[str, Any], Visitor]] = {}
        self._hosts = Hosts(limiter.settings.hosts)
        self._read = msgspec.json.Decoder(_Move).decode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(TABLES_PREFIX) and self._hosts.allows(scope):
            method, rest = scope["method"], scope["path"][len(TABLES_PREFIX) :]
            query = scope["query_string"]
            since = _since(query)
            if query and since is None:
                pass
            elif method == "POST" and rest.endswith(MOVES_SUFFIX) and "/" not in rest[: -len(MOVES_SUFFIX)]:
                return await self._move(scope, receive, send, rest[: -len(MOVES_SUFFIX)], since)
            elif method == "GET" and rest and "/" not in rest:
                return await self._view(scope, receive, send, rest, since)
        await self._others(scope, receive, send)

    async def _view(self, scope: Scope, receive: Receive, send: Send, table_id: str, since: int | None) -> None:
        began, services = time.perf_counter(), self._services

        async def answer() -> bytes:
            self._limiter.check(scope, writes=False, opens=False)
            visitor = await self._visitor(scope, services)
            table = await services.tables.get(table_id)
            if since is not None and since > table.version:
                await services.tables.refresh(table)
            return state_json(table, visitor, since)

        await self._answer(scope, send, answer, VIEW_ROUTE, began)

    async def _move(self, scope: Scope, receive: Receive, send: Send, table_id: str, since: int | None) -> None:
        began, services = time.perf_counter(), self._services
        message = None if refusal_of(scope) else await receive()
        body = None
        if message is not None and message["type"] == "http.request" and not message.get("more_body"):
            with suppress(msgspec.MsgspecError):
                body = self._read(message.get("body", b""))
        if body is None or len(body.move) > LONGEST_MOVE:  # the application says what is wrong with it
            return await self._others(scope, receive if message is None else _replay_first(message, receive), send)

        async def answer() -> bytes:
            self._limiter.check(scope, writes=True, opens=False)
            visitor = await self._visitor(scope, services)
            table = await services.tables.get(table_id)
            await services.tables.move(table, visitor.person, body.move, body.version, body.seat)
            return state_json(table, visitor, since)

        await self._answer(scope, send, answer, MOVE_ROUTE, began)

    async def _answer(
        self,
        scope: Scope,
        send: Send,
        answer: Callable[[], Awaitable[bytes]],
        route: str,
        began: float,
    ) -> None:
        status = 500
        try:
            try:
                body = await answer()
            except Exception as error:
                response = await refused({**scope, "app": self._app}, error, self._limiter, self._refuse)
                status, body = response.status_code, bytes(response.body)
                standing = standing_headers(scope["scheme"] == "https")
                headers = [
                    *response.raw_headers,
                    *(pair for pair in standing if pair[0].decode() not in response.headers),
                ]
            else:
                status = 200
                length = (b"content-length", b"%d" % len(body))
                headers = [_JSON, length, *standing_headers(scope["scheme"] == "https")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": body})
        finally:
            self._metrics.record_request(scope["method"], route, status, time.perf_counter() - began)

    @property
    def _services(self) -> Services:
        return cast(Services, self._app.state.services)

    async def _visitor(self, scope: Scope, services: Services) -> Visitor:
        """Return the visitor. Guests are cached while their choices are in memory; accounts are read."""
        key = tuple((name, value) for name, value in scope["headers"] if name in IDENTITY_HEADERS)
        cached = self._visitors.get(key)
        if cached is not None and services.storage.cached_choices(cached[1].person) is cached[0]:
            return cached[1]
        visitor = await visitor_of(HTTPConnection({**scope, "app": self._app}))
        stored = services.storage.cached_choices(visitor.person)
        if visitor.account is None and visitor.new_secret is None and stored is not None:
            if len(self._visitors) >= MOST_CACHED:
                self._visitors.clear()
            self._visitors[key] = stored, visitor
        return visitor


def _since(query: bytes) -> int | None:
    name, _, value = query.partition(b"=")
    return int(value) if name == b"since" and value.isdigit() and len(value) < 10 else None


def _replay_first(first: Message, receive: Receive) -> Receive:
    """Return a `receive` that repeats the first message, then receives the rest."""
    pending = [first]

    async def receiving() -> Message:
        return pending.pop() if pending else await receive()

    return receiving
