"""Services of several server processes on one database, inside one test process."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from malecon.server.operations.limits import Limiter
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.settings import ServerSettings
from malecon.server.storage.store import Storage
from malecon.server.web.services import Services

USUAL = ServerSettings()


@asynccontextmanager
async def processes(address: str, number: int, settings: ServerSettings = USUAL) -> AsyncIterator[list[Services]]:
    """The services of a number of servers, without web pages or periodic tasks, whose queries would be counted too."""
    running = [Services(Storage(address), Metrics(), Limiter(settings)) for _ in range(number)]
    listening = []
    for services in running:
        listens = asyncio.Event()

        async def missed(services: Services = services, listens: asyncio.Event = listens) -> None:
            await services._on_missed_notices()
            listens.set()

        services.cluster.listen(services._on_notice, missed)
        listening.append(listens.wait())
    await asyncio.wait_for(asyncio.gather(*listening), 30)
    yield running
    for services in running:
        await services.close()


async def wait_until(holds: Callable[[], bool], seconds: float = 10) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        await asyncio.sleep(0.01)
