"""What routes need: the services, the visitor, the table of the address, and common responses."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, cast

from fastapi import Depends
from pydantic import BeforeValidator, Field
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.websockets import WebSocket

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import say
from malecon.server.accounts.visitors import Visitor, recognise
from malecon.server.errors import Forbidden
from malecon.server.tables.table import Table
from malecon.server.web.services import Services


def services_of(connection: HTTPConnection) -> Services:
    return cast(Services, connection.app.state.services)


async def visitor_of(connection: HTTPConnection) -> Visitor:
    services = services_of(connection)
    visitor = await recognise(connection, services.storage, services.accounts, services.sessions, services.guests)
    if visitor.account is not None:
        services.limiter.remember_person(connection.scope, visitor.person, visitor.account.created)
    return visitor


async def accept_socket(socket: WebSocket, table: str) -> tuple[Table, Visitor] | None:
    """Accept a live connection to a table; close it and return None if there is no such table."""
    try:
        live_table, visitor = await table_of(socket, table), await visitor_of(socket)
    except MaleconError:
        await socket.close(1008)
        return None
    await socket.accept()
    return live_table, visitor


def waiting_count_stream(services: Services, socket: WebSocket, visitor: Visitor) -> tuple[AsyncGenerator[str], ...]:
    """Return the stream of the number of games that wait for a visitor, if the connection asks for it."""

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.waiting_counts.numbers(visitor.person)) as numbers:
            async for number in numbers:
                yield f'{{"waits":{number}}}'

    return () if visitor.is_new or "waits" not in socket.query_params else (messages(),)


async def table_of(connection: HTTPConnection, table: str) -> Table:
    """Return the table named in the path."""
    return await services_of(connection).tables.get(table)


async def _services(connection: HTTPConnection) -> Services:
    return services_of(connection)  # FastAPI would call a plain function in a thread


def _ascii_digits(value: object) -> object:
    if isinstance(value, str) and not (value.isascii() and value.isdigit()):
        raise ValueError("not a number")
    return value


#: A number in a path or a query: plain digits, and small enough for every database.
Number = Annotated[int, BeforeValidator(_ascii_digits), Field(ge=0, lt=2**31)]
TheServices = Annotated[Services, Depends(_services)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]
TheTable = Annotated[Table, Depends(table_of)]


def check_known(visitor: Visitor) -> None:
    """Raise Forbidden if a program has no token: it could never return to what it creates."""
    if visitor.is_new:
        raise Forbidden(say("authentication required: get a token from POST /api/people and send it along"))


def wants_json(request: Request) -> bool:
    """Return whether a request wants JSON, as programs and our own scripts do, rather than a page."""
    return request.url.path.startswith("/api/") or "application/json" in request.headers.get("accept", "")


def redirect_or_version(request: Request, table: Table) -> Response:
    """Return the response to a change at a table: the new version as JSON, or, without scripts, the table's page."""
    if wants_json(request):
        return JSONResponse({"version": table.version})
    return RedirectResponse(f"/tables/{table.id}", 303)


def number_or_none(text: str | None) -> int | None:
    """Return the number in a query; None if there is none."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None
