"""Requests to addresses that people have chosen: which are allowed, how they are sent, and when they are tried again.

An address is only called if all addresses it resolves to are public, and the connection goes to the address that was
checked, so that the server cannot be made to call its own network. Redirects are not followed, and only the status of a
response is read. A slow receiver neither delays requests to others nor keeps the server from stopping.
"""

from __future__ import annotations

import asyncio
import ipaddress
import logging
import socket
import ssl
import threading
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from functools import cache
from urllib.parse import SplitResult, urlsplit

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.background import Background

log = logging.getLogger("malecon.hooks")
#: Sends one request; returns the outcome in a word.
Attempt = Callable[[], Awaitable[str]]
#: Time for a request, from the look-up of its name to the status of the response.
TIMEOUT_SECONDS = 5.0
#: Delays before a failed request is tried again.
RETRY_SECONDS = (5.0, 60.0)
#: Requests at the same time.
MAX_CONCURRENT = 50
#: Names under which a request may wait.
MOST_WAITING = 500
#: Host names that are looked up at the same time.
MAX_LOOKUPS = 20
#: Characters of an address.
LONGEST_ADDRESS = 300
#: Bytes of the first line of a response.
LONGEST_STATUS = 1_000
#: Networks of IPv6 that embed addresses of IPv4.
_EMBEDDED_IPV4 = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))


class NotAllowed(Exception):
    """An address that resolves to a network that is not public."""


def check_address(address: str, longest: int = LONGEST_ADDRESS) -> str:
    """Return a valid address, or raise BadSetup. What it resolves to is checked with every request."""
    address = address.strip()
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    fits = parts.scheme in ("http", "https") and parts.hostname and not parts.username and not parts.password
    if not fits or len(address) > longest or not address.isascii() or not address.isprintable() or " " in address:
        raise BadSetup(say("this address cannot be called; a valid one looks like https://example.org/hook"))
    if port == 0:
        raise BadSetup(say("this address cannot be called; a valid one looks like https://example.org/hook"))
    return address


def is_public(text: str) -> bool:
    """Return whether an IP address is one of the public internet."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if any(address in network for network in _EMBEDDED_IPV4):
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def resolve(host: str, port: int, any_address: bool) -> str:
    """Return an IP address of a host; raise NotAllowed if any of its addresses is not public."""
    addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not any_address and not all(map(is_public, addresses)):
        raise NotAllowed
    return addresses[0]


_looking_up = threading.BoundedSemaphore(MAX_LOOKUPS)


async def _resolve_async(host: str, port: int, any_address: bool) -> str:
    """Return an IP address of a host, as `resolve` does, without blocking.

    A look-up cannot be cancelled. So each has a thread of its own, for which neither the caller nor the end of the
    process waits; while too many of them hang, no request is sent.
    """
    if not _looking_up.acquire(blocking=False):
        raise OSError("too many names are being looked up")
    loop = asyncio.get_running_loop()
    result: asyncio.Future[str] = loop.create_future()

    def set_result(address: str | None, error: Exception | None) -> None:
        if result.done():
            return
        if address is not None:
            result.set_result(address)
        else:
            result.set_exception(error or OSError())

    def look_up() -> None:
        address: str | None = None
        problem: Exception | None = None
        try:
            address = resolve(host, port, any_address)
        except Exception as error:
            problem = error
        finally:
            _looking_up.release()
        with suppress(RuntimeError):  # the server has stopped
            loop.call_soon_threadsafe(set_result, address, problem)

    threading.Thread(target=look_up, name="hook", daemon=True).start()
    return await result


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


async def send(address: str, headers: Mapping[str, str], body: bytes, any_address: bool = False) -> int:
    """Send a POST request and return the status; raise NotAllowed, or OSError or ValueError if it fails."""
    parts = urlsplit(check_address(address, len(address)))
    assert parts.hostname is not None
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    standard = {"host": parts.netloc, "content-length": str(len(body)), "user-agent": "malecon", "connection": "close"}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**standard, **headers}.items())]
    head = "\r\n".join(lines) + "\r\n\r\n"
    async with asyncio.timeout(TIMEOUT_SECONDS):
        ip_address = await _resolve_async(parts.hostname, port, any_address)
        reader, writer = await asyncio.open_connection(
            ip_address,
            port,
            limit=LONGEST_STATUS,
            ssl=_trust() if secure else None,
            server_hostname=parts.hostname if secure else None,
        )
        try:
            writer.write(head.encode() + body)
            return _status(await reader.readline())
        finally:
            writer.transport.abort()  # closing in order could take as long as the other side likes


async def outcome(sending: Awaitable[int]) -> str:
    """Return the outcome of a request in a word: its status, or why it failed; `busy` and `unreachable` are retried."""
    try:
        status = await sending
    except NotAllowed:
        return "not allowed"
    except (OSError, ValueError):  # no connection, no response in time, or not HTTP
        return "unreachable"
    return "busy" if status >= 500 or status == 429 else str(status)


def _status(line: bytes) -> int:
    """Return the status in the first line of a response; raise ValueError if there is none."""
    protocol, _, rest = line.partition(b" ")
    status = rest[:3]
    if not protocol.startswith(b"HTTP/") or not status.isdigit() or rest[3:4] not in (b" ", b"\r", b"\n", b""):
        raise ValueError("this is no answer")
    return int(status)


@dataclass
class _Queue:
    """The requests under one name: the newest attempt, and whether it has not been tried yet."""

    newest: Attempt
    fresh: asyncio.Event = field(default_factory=asyncio.Event)


class Dispatcher:
    """Sends requests: under one name one at a time, while only the newest of the others waits.

    Requests that still wait are lost when the server stops.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._queues: dict[str, _Queue] = {}
        self._background = Background()
        self._slots = asyncio.Semaphore(MAX_CONCURRENT)
        self._closing = False

    def submit(self, name: str, attempt: Attempt) -> None:
        """Send a request as soon as possible, unless a newer one under this name replaces it."""
        if self._closing:
            return
        queue = self._queues.get(name)
        if queue is not None:
            queue.newest = attempt
            queue.fresh.set()
        elif len(self._queues) < MOST_WAITING:
            self._queues[name] = queue = _Queue(attempt)
            self._background.begin(self._serve(name, queue))

    async def close(self) -> None:
        self._closing = True
        await self._background.cancel()

    async def _serve(self, name: str, queue: _Queue) -> None:
        attempts = 0
        try:
            while True:
                async with self._slots:  # held for one attempt, never while waiting for the next
                    attempts = 1 if queue.fresh.is_set() else attempts + 1
                    queue.fresh.clear()
                    result = await queue.newest()
                log.info("a %s was called: %s", self._kind, result)  # never where: addresses hold secrets
                if queue.fresh.is_set():
                    continue
                if result not in ("unreachable", "busy") or attempts > len(RETRY_SECONDS):
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(RETRY_SECONDS[attempts - 1]):
                        await queue.fresh.wait()
        finally:
            del self._queues[name]
