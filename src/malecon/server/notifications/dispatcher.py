"""When requests to addresses that people have chosen are sent, and when they are tried again.

A slow receiver neither delays requests for other people nor keeps the server from stopping.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import Any

from malecon.server.background import Background
from malecon.server.notifications.addresses import NotAllowed
from malecon.server.workers.fair_semaphore import FairSemaphore

log = logging.getLogger("malecon.notifications")
#: Sends one request; returns the outcome in a word.
Attempt = Callable[[], Awaitable[str]]
#: Delays before a failed request is tried again.
RETRY_SECONDS = (5.0, 60.0)
#: Requests at the same time, in all and for one owner.
MAX_CONCURRENT = 50
MAX_CONCURRENT_PER_OWNER = 10
#: Requests that may wait, in all and for one owner; further ones are dropped.
MOST_WAITING = 2_000
MOST_WAITING_PER_OWNER = 100

#: Outcomes of a request that are not the status of a response.
NOT_ALLOWED = "not allowed"
TIMED_OUT = "timed out"
UNREACHABLE = "unreachable"
BUSY = "busy"
#: Those after which a request is tried again.
RETRIED = (TIMED_OUT, UNREACHABLE, BUSY)


async def call(address: str, headers: Mapping[str, str], body: bytes, any_address: bool) -> str:
    """Send a POST request and return its outcome in a word: the status of the response, or why there is none."""
    send = await asyncio.to_thread(_load_client)
    try:
        status = await send(address, headers, body, any_address)
    except NotAllowed:
        return NOT_ALLOWED
    except TimeoutError:
        return TIMED_OUT
    except (OSError, ValueError):  # no connection, not HTTP, or a name that cannot be looked up
        return UNREACHABLE
    return BUSY if status >= 500 or status == 429 else str(status)


def _load_client() -> Callable[[str, Mapping[str, str], bytes, bool], Coroutine[Any, Any, int]]:
    from malecon.server.notifications.outgoing_http import send

    return send


@dataclass
class _Queue:
    """The requests under one name: the newest attempt, and whether it has not been tried yet."""

    owner: str
    newest: Attempt
    retry_seconds: tuple[float, ...]
    fresh: asyncio.Event = field(default_factory=asyncio.Event)


class _Owner:
    """The queues of one owner, and the slots that they share."""

    def __init__(self) -> None:
        self.queues = 0
        self.slots = asyncio.Semaphore(MAX_CONCURRENT_PER_OWNER)


class Dispatcher:
    """Sends requests: under one name one at a time, while only the newest of the others waits.

    Each request has an owner: the person it is for, or their address if it is known. One owner has only some of the
    slots, and owners take turns. Requests that still wait are lost when the server stops.
    """

    def __init__(self, kind: str, owner_of: Callable[[str], str] = str) -> None:
        self._kind, self._owner_of = kind, owner_of
        self._queues: dict[str, _Queue] = {}
        self._owners: dict[str, _Owner] = {}
        self._background = Background()
        self._slots = FairSemaphore(MAX_CONCURRENT)
        self._closing = False

    def submit(self, person: str, name: str, attempt: Attempt, retry: bool = True) -> None:
        """Send a request for a person as soon as possible, unless a newer one under this name replaces it."""
        if self._closing:
            return
        queue = self._queues.get(name)
        if queue is not None:
            queue.newest = attempt
            queue.fresh.set()
            return
        key = self._owner_of(person)
        owner = self._owners.get(key) or _Owner()
        if len(self._queues) < MOST_WAITING and owner.queues < MOST_WAITING_PER_OWNER:
            owner.queues += 1
            self._owners[key] = owner
            self._queues[name] = queue = _Queue(key, attempt, RETRY_SECONDS if retry else ())
            self._background.begin(self._serve(name, queue))

    async def close(self) -> None:
        self._closing = True
        await self._background.cancel()

    @asynccontextmanager
    async def _slot(self, owner: str) -> AsyncGenerator[None]:
        async with self._owners[owner].slots:
            await self._slots.acquire(owner)
            try:
                yield
            finally:
                self._slots.release()

    async def _serve(self, name: str, queue: _Queue) -> None:
        attempts = 0
        try:
            while True:
                async with self._slot(queue.owner):  # held for one attempt, never while waiting for the next
                    attempts = 1 if queue.fresh.is_set() else attempts + 1
                    queue.fresh.clear()
                    result = await queue.newest()
                log.info("a %s was called: %s", self._kind, result)  # never where: addresses hold secrets
                if queue.fresh.is_set():
                    continue
                if result not in RETRIED or attempts > len(queue.retry_seconds):
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(queue.retry_seconds[attempts - 1]):
                        await queue.fresh.wait()
        finally:
            del self._queues[name]
            owner = self._owners[queue.owner]
            owner.queues -= 1
            if not owner.queues:
                del self._owners[queue.owner]
