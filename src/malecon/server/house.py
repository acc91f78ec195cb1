"""The house: storage, tables and bots of one running server, and what every route needs of it."""

from __future__ import annotations

from typing import Annotated, cast

from fastapi import Depends
from starlette.requests import HTTPConnection, Request
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.server.driver import Driver
from malecon.server.metrics import Metrics
from malecon.server.neighbours import neighbours
from malecon.server.people import Visitor, recognise
from malecon.server.reviewing import Reviews
from malecon.server.storage import Storage
from malecon.server.tables import Table, Tables


class House:
    """Everything that lives as long as the server runs."""

    def __init__(self, storage: Storage, metrics: Metrics) -> None:
        self.storage = storage
        self.metrics = metrics
        self.tables = Tables(storage, metrics)
        self.neighbours = neighbours(storage)
        self.driver = Driver(self.tables, storage, self.neighbours, metrics)
        self.reviews = Reviews(self.driver)

    def open(self) -> None:
        """Begin what goes on by itself."""
        self.neighbours.listen(self._news, self.tables.catch_up_all)
        self.driver.start()

    async def _news(self, name: str) -> None:
        table = self.tables.alive(name)
        if table is not None:
            await self.tables.catch_up(table)

    async def close(self) -> None:
        """Finish what has begun: moves that are being written are written, those still thought about are not made."""
        await self.reviews.close()
        await self.driver.close()
        await self.tables.finish()
        await self.neighbours.close()
        self.storage.close()


def house_of(connection: HTTPConnection) -> House:
    return cast(House, connection.app.state.house)


async def visitor_of(connection: HTTPConnection) -> Visitor:
    return await recognise(connection, house_of(connection).storage)


async def table_of(connection: HTTPConnection, table: str) -> Table:
    """The table named in the path."""
    return await house_of(connection).tables.get(table)


TheHouse = Annotated[House, Depends(house_of)]
TheVisitor = Annotated[Visitor, Depends(visitor_of)]
TheTable = Annotated[Table, Depends(table_of)]


def wants_json(request: Request) -> bool:
    """Whether a program asks, ours in the page included, rather than somebody who looks at pages."""
    return request.url.path.startswith("/api/") or "application/json" in request.headers.get("accept", "")


def done(request: Request, table: Table) -> Response:
    """The answer to a change at a table: for a page without script, the table again."""
    if wants_json(request):
        return JSONResponse({"version": table.version})
    return RedirectResponse(f"/tables/{table.id}", 303)
