"""The protocol of connections: uvicorn's, with limits for heads of requests, for time and for numbers.

A client that sends nothing, or endlessly, is cut off; nobody can have all the connections that this process may open.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections import Counter
from contextlib import suppress
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from malecon.server.operations.limits import client_of

log = logging.getLogger("malecon.server")
#: Bytes of a request before its body.
LARGEST_HEAD = 65_536
#: Seconds until a request must be complete, from the first byte or the beginning of the connection.
SLOWEST = 20.0
#: Descriptors that are left for the database, the logs and everything else.
RESERVE = 64
#: Seconds between two lines of the log that say the same.
QUIET = 60.0


class _Quiet:
    """A connection to which nothing is written once it is closed. uvloop says that it cannot, uvicorn does not ask."""

    def __init__(self, itself: asyncio.Transport) -> None:
        self.itself = itself
        self.is_closing = itself.is_closing

    def __getattr__(self, name: str) -> Any:
        return getattr(self.itself, name)

    def write(self, data: bytes) -> None:
        if not self.is_closing():
            self.itself.write(data)


class Connections(HttpToolsProtocol):
    """One connection. The numbers are of the whole process; `serve` sets what is allowed."""

    most, most_of_one = 0, 0  # connections altogether and of one address; 0: as many as come
    open: ClassVar[Counter[str]] = Counter()
    _said = -QUIET

    _timer: asyncio.TimerHandle | None = None
    _in_head = False
    _head = 0
    _client = ""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(asyncio.Transport, _Quiet(transport)))
        client = client_of(self.client[0] if self.client else None)
        too_many = self.most and len(self.connections) > self.most
        if too_many or (client is not None and self.most_of_one and self.open[client] >= self.most_of_one):
            self._say("too many connections", "altogether" if too_many else "of one address")
            transport.abort()
            return
        self._client = client or "here"
        self.open[self._client] += 1
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.parser is None or self.transport.is_closing():
            return
        with suppress(RuntimeError):  # it was closed meanwhile
            super().data_received(data)
        if self.parser is None or self.transport.is_closing():
            return
        self._head = self._head + len(data) if self._in_head else 0
        if self._head > LARGEST_HEAD:
            self._say("a request without end", "hung up")
            self.send_400_response("The head of this request is too large.")
        elif self._in_head or (self.cycle is not None and self.cycle.more_body):
            if self._timer is None:
                self._wait()
        else:
            self._stop_waiting()

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        self.transport = cast(_Quiet, self.transport).itself
        super().handle_websocket_upgrade()

    # --- inside

    def _leave(self) -> None:
        self._stop_waiting()
        if self._client:
            self.open[self._client] -= 1
            if not self.open[self._client]:
                del self.open[self._client]
            self._client = ""

    def _wait(self) -> None:
        self._timer = self.loop.call_later(SLOWEST, self._too_slow)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        self.transport.close()

    @classmethod
    def _say(cls, what: str, more: str) -> None:
        now = time.monotonic()
        if now - cls._said > QUIET:
            Connections._said = now
            log.warning("%s: %s", what, more)


def make_room() -> int:
    """Open as many files as the system lets us; how many connections that allows. 0 where nobody counts them."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or soft < hard:
        wanted = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return 0
    if soft < 16 * RESERVE:
        log.warning("this process may open only %d files: with more connections than that, newcomers must wait", soft)
    return max(16, soft - RESERVE)
