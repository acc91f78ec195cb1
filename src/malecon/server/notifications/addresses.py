"""Addresses that people have chosen for requests: which are valid, and which host they may lead to.

A host is only called if all addresses that its name resolves to are public, so that the server cannot be made to call
its own network. No library checks that: HTTP clients leave it to the code that opens their connections.
"""

from __future__ import annotations

import asyncio
import ipaddress
import socket
import threading
from contextlib import suppress
from urllib.parse import SplitResult, urlsplit

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

#: Characters of an address.
LONGEST_ADDRESS = 300
#: Host names that are looked up at the same time.
MAX_LOOKUPS = 20
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
    """Return an IP address of a host; raise NotAllowed if any of its addresses is not public, OSError without one."""
    addresses = [str(entry[4][0]) for entry in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
    if not any_address and not all(map(is_public, addresses)):
        raise NotAllowed
    return addresses[0]


_looking_up = threading.BoundedSemaphore(MAX_LOOKUPS)


async def resolve_async(host: str, port: int, any_address: bool) -> str:
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

    threading.Thread(target=look_up, name="look-up", daemon=True).start()
    return await result
