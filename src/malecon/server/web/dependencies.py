"""What every route needs: the services, the visitor, the table of the address, and the usual answers."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import aclosing
from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.websockets import WebSocket

from malecon.kernel.errors import MaleconError
from malecon.server import texts
from malecon.server.accounts.visitors import Visitor, recognise
from malecon.server.errors import Forbidden
from malecon.server.tables.table import Table
from malecon.server.web.services import Services


def services_of(connection: HTTPConnection) -> Services:
    return cast(Services, connection.app.state.services)


async def visitor_of(connection: HTTPConnection) -> Visitor:
    services = services_of(connection)
    return await recognise(connection, services.storage, services.accounts, services.sessions, services.guests)


async def accept_socket(socket: WebSocket, table: str) -> tuple[Table, Visitor] | None:
    """Accept a live connection to a table; None, and it is closed, where there is none."""
    try:
        found, visitor = await table_of(socket, table), await visitor_of(socket)
    except MaleconError:
        await socket.close(1008)
        return None
    await socket.accept()
    return found, visitor


def waiting_count_stream(services: Services, socket: WebSocket, visitor: Visitor) -> tuple[AsyncGenerator[str], ...]:
    """What a live connection is told of the number of games that wait: nothing, unless it asks for it."""

    async def messages() -> AsyncGenerator[str]:
        async with aclosing(services.waiting_counts.numbers(visitor.person)) as numbers:
            async for number in numbers:
                await services.session_check.check(visitor)
                yield f'{{"waits":{number}}}'

    return () if visitor.is_new or "waits" not in socket.query_params else (messages(),)


async def table_of(connection: HTTPConnection, table: str) -> Table:
    """The table named in the path."""
    return await services_of(connection).tables.get(table)


async def _services(connection: HTTPConnection) -> Services:
    return services_of(connection)  # what is not a coroutine would be called in a thread of its own


TheServices = Annotated[Services, Depends(_services)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]
TheTable = Annotated[Table, Depends(table_of)]


def check_known(visitor: Visitor) -> None:
    """Forbidden where a program has no token: it could never come back to what it does."""
    if visitor.is_new:
        raise Forbidden(texts.NO_TOKEN)


def wants_json(request: Request) -> bool:
    """Whether a program asks, ours in the page included, rather than somebody who looks at pages."""
    return request.url.path.startswith("/api/") or "application/json" in request.headers.get("accept", "")


def redirect_or_version(request: Request, table: Table) -> Response:
    """The answer to a change at a table: for a page without script, the table again."""
    if wants_json(request):
        return JSONResponse({"version": table.version})
    return RedirectResponse(f"/tables/{table.id}", 303)


def number_or_none(text: str | None) -> int | None:
    """The number in a query; None where there is none, or something else."""
    return int(text) if text is not None and text.isascii() and text.isdigit() and len(text) < 10 else None
