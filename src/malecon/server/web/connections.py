"""The protocol of HTTP connections: uvicorn's, with limits for heads of requests, for time and for numbers.

A client that sends nothing, or without end, or does not read its answers is disconnected; no client can have all
connections of the process.
"""

from __future__ import annotations

import asyncio
import logging
import sys
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from typing import Any, ClassVar, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

from malecon.server.operations.limits import client_of, is_in
from malecon.server.operations.settings import Networks

log = logging.getLogger("malecon.server")
#: Bytes of a request before its body.
LARGEST_HEAD_BYTES = 65_536
#: Time until a request must be complete, from its first byte or the beginning of the connection.
REQUEST_TIMEOUT_SECONDS = 20.0
#: How often it is checked that a client reads what was written to it, and how much it must have read meanwhile.
READ_CHECK_SECONDS = 20.0
FEWEST_READ_BYTES = 20_000
#: File descriptors that are left for the database, the logs and everything else.
RESERVED_FILES = 64
#: Time between two equal lines of the log.
LOG_INTERVAL_SECONDS = 60.0


class _SafeTransport:
    """A transport that ignores writes once it is closed: uvloop logs a warning for them, and uvicorn does not check.

    `on_write` is called with the size of what was written.
    """

    def __init__(self, transport: asyncio.Transport, on_write: Callable[[int], None]) -> None:
        self.transport, self._on_write = transport, on_write
        self.is_closing = transport.is_closing

    def __getattr__(self, name: str) -> Any:
        return getattr(self.transport, name)

    def write(self, data: bytes) -> None:
        if not self.is_closing():
            self.transport.write(data)
            self._on_write(len(data))


class LimitedHttpProtocol(HttpToolsProtocol):
    """One HTTP connection. Class attributes count and limit the connections of the whole process; `serve` sets them."""

    most, most_of_one = 0, 0  # connections in total and of one address; 0 is no limit
    proxies: ClassVar[Networks] = ()  # not limited: all people's connections come from there
    shared: ClassVar[Networks] = ()  # networks whose addresses stand for
    shared_people = 1  # this many people
    open: ClassVar[Counter[str]] = Counter()
    _logged = -LOG_INTERVAL_SECONDS

    _timer: asyncio.TimerHandle | None = None
    _in_head = False
    _head = 0
    _client = ""
    _read_check: asyncio.TimerHandle | None = None
    _written = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(cast(asyncio.Transport, _SafeTransport(transport, self._watch_reader)))
        client = client_of(self.client[0] if self.client else None)
        too_many = self.most and len(self.connections) > self.most
        if too_many or (client is not None and self._has_too_many(client)):
            self._log("too many connections", "altogether" if too_many else "of one address")
            transport.abort()
            return
        self._client = client or "here"
        self.open[self._client] += 1
        self._start_timer()

    def _has_too_many(self, client: str) -> bool:
        most = self.most_of_one * (self.shared_people if self.shared and is_in(client, self.shared) else 1)
        return 0 < most <= self.open[client] and not (self.proxies and is_in(client, self.proxies))

    def connection_lost(self, exc: Exception | None) -> None:
        self._leave()
        self._stop_read_check()
        super().connection_lost(exc)

    def data_received(self, data: bytes) -> None:
        if self.parser is None or self.transport.is_closing():
            return
        with suppress(RuntimeError):  # it was closed meanwhile
            super().data_received(data)
        if self.parser is None or self.transport.is_closing():
            return
        self._head = self._head + len(data) if self._in_head else 0
        if self._head > LARGEST_HEAD_BYTES:
            self._log("a request without end", "hung up")
            self.send_400_response("The head of this request is too large.")
        elif self._in_head or (self.cycle is not None and self.cycle.more_body):
            if self._timer is None:
                self._start_timer()
        else:
            self._stop_timer()

    def on_message_begin(self) -> None:
        self._in_head = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        self._in_head = False
        super().on_headers_complete()

    def handle_websocket_upgrade(self) -> None:
        self._leave()
        self._stop_read_check()
        self.transport = cast(_SafeTransport, self.transport).transport
        super().handle_websocket_upgrade()

    # --- inside

    def _leave(self) -> None:
        self._stop_timer()
        if self._client:
            self.open[self._client] -= 1
            if not self.open[self._client]:
                del self.open[self._client]
            self._client = ""

    def _watch_reader(self, size: int) -> None:
        self._written += size
        if self._read_check is None:
            self._start_read_check()

    @property
    def _read(self) -> int:
        """Bytes that the client has read, as far as is known."""
        return self._written - self.transport.get_write_buffer_size() - _unsent(self.transport)

    def _start_read_check(self) -> None:
        self._read_check = self.loop.call_later(READ_CHECK_SECONDS, self._check_reader, self._read)

    def _check_reader(self, read_before: int) -> None:
        """Disconnect a client that leaves its answers unread. Closing would wait until it has read them."""
        self._read_check = None
        if not self.transport.get_write_buffer_size():
            return
        if self._read < read_before + FEWEST_READ_BYTES:
            self._log("an answer that is not read", "hung up")
            self.transport.abort()
        else:
            self._start_read_check()

    def _stop_read_check(self) -> None:
        if self._read_check is not None:
            self._read_check.cancel()
            self._read_check = None

    def _start_timer(self) -> None:
        self._timer = self.loop.call_later(REQUEST_TIMEOUT_SECONDS, self._too_slow)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_slow(self) -> None:
        self._timer = None
        self.transport.close()

    @classmethod
    def _log(cls, what: str, more: str) -> None:
        now = time.monotonic()
        if now - cls._logged > LOG_INTERVAL_SECONDS:
            LimitedHttpProtocol._logged = now
            log.warning("%s: %s", what, more)


def _unsent(transport: asyncio.Transport) -> int:
    """Return how many bytes the kernel still has for a client; 0 where it does not say.

    It takes megabytes at once and then none for long, even if a slow client reads all the time.
    """
    try:
        import fcntl
        import termios

        waiting = fcntl.ioctl(transport.get_extra_info("socket").fileno(), termios.TIOCOUTQ, bytes(4))
    except (ImportError, OSError, AttributeError, ValueError):
        return 0
    return int.from_bytes(waiting, sys.byteorder)


def raise_file_limit() -> int:
    """Raise the limit of open files as far as allowed; return how many connections that permits, 0 for no limit."""
    try:
        import resource
    except ImportError:  # Windows
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if hard == resource.RLIM_INFINITY or soft < hard:
        target = 65_536 if hard == resource.RLIM_INFINITY else min(hard, 65_536)
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, target), hard))
    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return 0
    if soft < 16 * RESERVED_FILES:
        log.warning("this process may open only %d files: with more connections than that, newcomers must wait", soft)
    return max(16, soft - RESERVED_FILES)
