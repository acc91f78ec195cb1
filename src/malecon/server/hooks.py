"""Web hooks: a short message to an address of a player's choice when it is their turn. Off unless the host says so.

An address is only called if everything it resolves to is public, and the connection goes to just what was looked at, so
nobody can have this server knock at its neighbours' doors. Redirections are not followed, answers are not read.
"""

from __future__ import annotations

import asyncio
import http.client
import ipaddress
import json
import logging
import socket
import ssl
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import SplitResult, urlsplit

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

log = logging.getLogger("malecon.hooks")
#: Seconds a call may take, and those to wait before it is tried again.
PATIENCE, AGAIN = 5.0, (5.0, 60.0)
#: Calls at the same time, and those that may wait.
CALLERS, MOST_WAITING = 4, 500
LONGEST = 300
#: Networks of IPv6 in which addresses of IPv4 are hidden.
_DISGUISES = (ipaddress.ip_network("64:ff9b::/96"), ipaddress.ip_network("64:ff9b:1::/48"))


class NotAllowed(Exception):
    """An address that leads to where nobody may call."""


def check_address(address: str) -> str:
    """An address that could be called; BadSetup where it could not. Where it leads is looked at with every call."""
    address = address.strip()
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        parts, port = SplitResult("", "", "", "", ""), None
    fits = parts.scheme in ("http", "https") and parts.hostname and not parts.username and not parts.password
    if not fits or len(address) > LONGEST or not address.isascii() or not address.isprintable() or " " in address:
        raise BadSetup(say("this is no address that can be called; one looks like https://example.org/hook"))
    if port == 0:
        raise BadSetup(say("this is no address that can be called; one looks like https://example.org/hook"))
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


class _Plain(http.client.HTTPConnection):
    """A connection to the address that was looked at, whatever the name leads to by now."""

    def __init__(self, host: str, port: int, to: str) -> None:
        super().__init__(host, port, timeout=PATIENCE)
        self.to = to

    def connect(self) -> None:
        self.sock = socket.create_connection((self.to, self.port), PATIENCE)


class _Secure(_Plain):
    def connect(self) -> None:
        super().connect()
        self.sock = ssl.create_default_context().wrap_socket(self.sock, server_hostname=self.host)


def post(address: str, message: Mapping[str, Any], any_address: bool = False) -> int:
    """Send a message; the status of the answer. NotAllowed, or an OSError or HTTPException of the attempt."""
    parts = urlsplit(check_address(address))
    assert parts.hostname is not None
    port = parts.port or (443 if parts.scheme == "https" else 80)
    to = resolve(parts.hostname, port, any_address)
    kind = _Secure if parts.scheme == "https" else _Plain
    connection = kind(parts.hostname, port, to)
    try:
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        headers = {"content-type": "application/json", "user-agent": "malecon", "connection": "close"}
        connection.request("POST", path, json.dumps(message).encode(), headers)
        return connection.getresponse().status
    finally:
        connection.close()


class Hooks:
    """Calls what is to be called, in threads of its own; a server that stops forgets what still waits."""

    def __init__(self, allowed: str) -> None:
        self.allowed = allowed
        self._pool: ThreadPoolExecutor | None = None
        self._calls: set[asyncio.Task[None]] = set()

    @property
    def are_on(self) -> bool:
        return self.allowed != "off"

    def call(self, address: str, message: Mapping[str, Any]) -> None:
        """Send a message sooner or later, if the other side wants it."""
        if self.are_on and len(self._calls) < MOST_WAITING:
            task = asyncio.get_running_loop().create_task(self._call(address, message))
            self._calls.add(task)
            task.add_done_callback(self._calls.discard)

    async def close(self) -> None:
        for task in tuple(self._calls):
            task.cancel()
        await asyncio.gather(*self._calls, return_exceptions=True)
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)

    async def _call(self, address: str, message: Mapping[str, Any]) -> None:
        for wait in (*AGAIN, None):
            outcome = await self._once(address, message)
            log.info("a hook was called: %s", outcome)  # never where: addresses hold secrets
            if wait is None or outcome not in ("unreachable", "busy"):
                return
            await asyncio.sleep(wait)

    async def _once(self, address: str, message: Mapping[str, Any]) -> str:
        if self._pool is None:
            self._pool = ThreadPoolExecutor(CALLERS, thread_name_prefix="hook")
        work = self._pool.submit(post, address, message, self.allowed == "any")
        try:
            status = await asyncio.wrap_future(work)
        except NotAllowed:
            return "not allowed"
        except (OSError, http.client.HTTPException, UnicodeError, BadSetup):
            return "unreachable"
        return "busy" if status >= 500 or status == 429 else str(status)
