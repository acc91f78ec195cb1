"""Dispatcher to addresses that people have chosen: what may be called and how, and when a call is tried again.

An address is only called if everything it resolves to is public, and the connection goes to just what was looked at, so
nobody can have this server knock at its neighbours' doors. Redirections are not followed, and only the status of an
answer is read. A slow receiver neither delays calls to others nor keeps the server from stopping.
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
#: Makes one call; what came of it, in a word.
Attempt = Callable[[], Awaitable[str]]
#: Seconds a call may take, from the look-up of its name to the status of the answer; those to wait before it is tried
#: again.
PATIENCE, AGAIN = 5.0, (5.0, 60.0)
#: Dispatcher at the same time, people one of whose calls may wait, and names that are looked up at the same time.
CALLERS, MOST_WAITING, LOOKUPS = 50, 500, 20
#: Characters of an address, and bytes of the first line of an answer.
LONGEST, LONGEST_STATUS = 300, 1_000
#: Networks of IPv6 in which addresses of IPv4 are hidden.
_DISGUISES = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))


class NotAllowed(Exception):
    """An address that leads to where nobody may call."""


def check_address(address: str, longest: int = LONGEST) -> str:
    """A valid address, or BadSetup. What it resolves to is checked with every call."""
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
    """Whether an address of the network is one of the public internet."""
    address = ipaddress.ip_address(text.partition("%")[0])
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo or (None, None))[1]
        if inner is not None:
            return is_public(str(inner))
        if any(address in network for network in _DISGUISES):
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.is_site_local:
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def resolve(host: str, port: int, any_address: bool) -> str:
    """An address of a host that may be called; NotAllowed where one of its addresses may not."""
    found = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not any_address and not all(map(is_public, found)):
        raise NotAllowed
    return found[0]


_looking_up = threading.BoundedSemaphore(LOOKUPS)


async def _resolved(host: str, port: int, any_address: bool) -> str:
    """The same without waiting for the system longer than the caller does.

    Nothing stops a look-up that has begun. So it has a thread of its own, which neither the caller nor the end of the
    process waits for; while too many of them hang, nobody is called.
    """
    if not _looking_up.acquire(blocking=False):
        raise OSError("too many names are being looked up")
    loop = asyncio.get_running_loop()
    found: asyncio.Future[str] = loop.create_future()

    def tell(address: str | None, error: Exception | None) -> None:
        if found.done():
            return
        if address is not None:
            found.set_result(address)
        else:
            found.set_exception(error or OSError())

    def look_up() -> None:
        address: str | None = None
        problem: Exception | None = None
        try:
            address = resolve(host, port, any_address)
        except Exception as error:
            problem = error
        finally:
            _looking_up.release()
        with suppress(RuntimeError):  # nobody waits any more: the server has stopped
            loop.call_soon_threadsafe(tell, address, problem)

    threading.Thread(target=look_up, name="hook", daemon=True).start()
    return await found


@cache
def _trust() -> ssl.SSLContext:
    return ssl.create_default_context()


async def send(address: str, headers: Mapping[str, str], body: bytes, any_address: bool = False) -> int:
    """POST something; the status of the answer. NotAllowed, or an OSError or ValueError of the attempt."""
    parts = urlsplit(check_address(address, len(address)))
    assert parts.hostname is not None
    secure = parts.scheme == "https"
    port = parts.port or (443 if secure else 80)
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    always = {"host": parts.netloc, "content-length": str(len(body)), "user-agent": "malecon", "connection": "close"}
    lines = [f"POST {path} HTTP/1.1", *(f"{name}: {value}" for name, value in {**always, **headers}.items())]
    head = "\r\n".join(lines) + "\r\n\r\n"
    async with asyncio.timeout(PATIENCE):
        to = await _resolved(parts.hostname, port, any_address)
        reader, writer = await asyncio.open_connection(
            to,
            port,
            limit=LONGEST_STATUS,
            ssl=_trust() if secure else None,
            server_hostname=parts.hostname if secure else None,
        )
        try:
            writer.write(head.encode() + body)
            return _status(await reader.readline())
        finally:
            writer.transport.abort()  # a polite end could take as long as the other side likes


async def outcome(sending: Awaitable[int]) -> str:
    """What came of a call, in a word: its status, or why it was not made; `busy` and `unreachable` may pass."""
    try:
        status = await sending
    except NotAllowed:
        return "not allowed"
    except (OSError, ValueError):  # nobody there, nobody who answers in time, or not in HTTP
        return "unreachable"
    return "busy" if status >= 500 or status == 429 else str(status)


def _status(line: bytes) -> int:
    """The status in the first line of an answer; ValueError where that is none."""
    protocol, _, rest = line.partition(b" ")
    status = rest[:3]
    if not protocol.startswith(b"HTTP/") or not status.isdigit() or rest[3:4] not in (b" ", b"\r", b"\n", b""):
        raise ValueError("this is no answer")
    return int(status)


@dataclass
class _Line:
    """What is to be told under one name: the newest call, and whether it has not been tried yet."""

    newest: Attempt
    fresh: asyncio.Event = field(default_factory=asyncio.Event)


class Dispatcher:
    """Makes calls: under one name one at a time, while the newest of the others waits.

    A server that stops forgets what still waits.
    """

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._lines: dict[str, _Line] = {}
        self._background = Background()
        self._callers = asyncio.Semaphore(CALLERS)
        self._closing = False

    def submit(self, name: str, once: Attempt) -> None:
        """Call sooner or later, if the other side wants it and nothing newer is to be told under this name."""
        if self._closing:
            return
        line = self._lines.get(name)
        if line is not None:
            line.newest = once
            line.fresh.set()
        elif len(self._lines) < MOST_WAITING:
            self._lines[name] = line = _Line(once)
            self._background.begin(self._serve(name, line))

    async def close(self) -> None:
        self._closing = True
        await self._background.cancel()

    async def _serve(self, name: str, line: _Line) -> None:
        tried = 0
        try:
            while True:
                async with self._callers:  # held for one attempt, never while waiting for the next
                    tried = 1 if line.fresh.is_set() else tried + 1
                    line.fresh.clear()
                    found = await line.newest()
                log.info("a %s was called: %s", self._kind, found)  # never where: addresses hold secrets
                if line.fresh.is_set():
                    continue
                if found not in ("unreachable", "busy") or tried > len(AGAIN):
                    return
                with suppress(TimeoutError):
                    async with asyncio.timeout(AGAIN[tried - 1]):
                        await line.fresh.wait()
        finally:
            del self._lines[name]
