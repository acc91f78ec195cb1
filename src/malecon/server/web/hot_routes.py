"""The requests that games are made of, past the layers they do not need: looking at a table and moving, as JSON.

It decides nothing: it takes apart what is plain, calls the same functions as the routes of `routes.api`, and hands
everything else, in whatever way unusual, to the application. What stands before every request stands before these.
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

TABLES, MOVES = "/api/tables/", "/moves"
#: By these names the metrics and the log know them; the same as the application's own routes.
VIEW_ROUTE, MOVE_ROUTE = "/api/tables/{table}", "/api/tables/{table}/moves"
#: What visitors are known by, and how many of them are remembered.
IDENTITY, MOST_KNOWN = (b"authorization", b"cookie", b"accept-language"), 10_000
_JSON = (b"content-type", b"application/json")


class _Move(msgspec.Struct, forbid_unknown_fields=True):
    move: str
    version: int | None = None
    seat: int | None = None


class HotRoutes:
    """Answers what it knows, and leaves the rest to the application."""

    def __init__(self, app: Starlette, others: ASGIApp, refuse: Refuse, limiter: Limiter, metrics: Metrics) -> None:
        self._app, self._others, self._refuse = app, others, refuse
        self._limiter, self._metrics = limiter, metrics
        self._known: dict[tuple[tuple[bytes, bytes], ...], tuple[dict[str, Any], Visitor]] = {}
        self._hosts = Hosts(limiter.settings.hosts)
        self._read = msgspec.json.Decoder(_Move).decode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and scope["path"].startswith(TABLES) and self._hosts.knows(scope):
            method, rest = scope["method"], scope["path"][len(TABLES) :]
            query = scope["query_string"]
            since = _since(query)
            if query and since is None:
                pass
            elif method == "POST" and rest.endswith(MOVES) and "/" not in rest[: -len(MOVES)]:
                return await self._move(scope, receive, send, rest[: -len(MOVES)], since)
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
        wanted = None
        if message is not None and message["type"] == "http.request" and not message.get("more_body"):
            with suppress(msgspec.MsgspecError):
                wanted = self._read(message.get("body", b""))
        if wanted is None or len(wanted.move) > LONGEST_MOVE:  # the application says what is wrong with it
            return await self._others(scope, receive if message is None else _again(message, receive), send)

        async def answer() -> bytes:
            self._limiter.check(scope, writes=True, opens=False)
            visitor = await self._visitor(scope, services)
            table = await services.tables.get(table_id)
            await services.tables.move(table, visitor.person, wanted.move, wanted.version, wanted.seat)
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
        """Who asks. Guests are remembered while what they have chosen stays in memory; accounts are looked up."""
        key = tuple((name, value) for name, value in scope["headers"] if name in IDENTITY)
        known = self._known.get(key)
        if known is not None and services.storage.cached_choices(known[1].person) is known[0]:
            return known[1]
        visitor = await visitor_of(HTTPConnection({**scope, "app": self._app}))
        stored = services.storage.cached_choices(visitor.person)
        if visitor.account is None and visitor.new_secret is None and stored is not None:
            if len(self._known) >= MOST_KNOWN:
                self._known.clear()
            self._known[key] = stored, visitor
        return visitor


def _since(query: bytes) -> int | None:
    name, _, value = query.partition(b"=")
    return int(value) if name == b"since" and value.isdigit() and len(value) < 10 else None


def _again(first: Message, receive: Receive) -> Receive:
    """What was received already, then the rest."""
    waiting = [first]

    async def receiving() -> Message:
        return waiting.pop() if waiting else await receive()

    return receiving
