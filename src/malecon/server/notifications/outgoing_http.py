"""Requests to addresses that people have chosen, with `httpcore2`.

The connection goes to the address that was checked, while TLS verifies the name of the host. Redirects are not
followed, and only the status of a response is read.

Import this module when the first request is sent, in a thread: loading the library takes some 50 ms.
"""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Iterable, Mapping
from functools import cache
from urllib.parse import urlsplit

import httpcore2

from malecon.server.notifications.addresses import check_address, resolve_async

#: Time for a request, from the look-up of its name to the status of the response.
TIMEOUT_SECONDS = 5.0
logging.getLogger("httpcore2").setLevel(logging.WARNING)  # it would log hosts and headers: addresses hold secrets


class _CheckedBackend(httpcore2.AnyIOBackend):
    """Opens connections to checked addresses only."""

    def __init__(self, any_address: bool) -> None:
        self._any_address = any_address
        self._stream: httpcore2.AsyncNetworkStream | None = None

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.AsyncNetworkStream:
        ip_address = await resolve_async(host, port, self._any_address)
        self._stream = await super().connect_tcp(ip_address, port, timeout, local_address, socket_options)
        return self._stream

    async def close(self) -> None:
        """Close the connection at once; the library leaves it open if it is cancelled during the TLS handshake."""
        if self._stream is not None:
            await self._stream.aclose()


@cache
def _trust() -> ssl.SSLContext:
    return httpcore2.default_ssl_context()


async def send(address: str, headers: Mapping[str, str], body: bytes, any_address: bool = False) -> int:
    """Send a POST request and return the status; raise NotAllowed, TimeoutError, or OSError if it fails."""
    parts = urlsplit(check_address(address, len(address)))
    assert parts.hostname is not None
    url = httpcore2.URL(
        scheme=parts.scheme,
        host=parts.hostname,
        port=parts.port or (443 if parts.scheme == "https" else 80),
        target=(parts.path or "/") + (f"?{parts.query}" if parts.query else ""),
    )
    standard = {"host": parts.netloc, "content-length": str(len(body)), "user-agent": "malecon", "connection": "close"}
    request = httpcore2.Request("POST", url, headers=list({**standard, **headers}.items()), content=body)
    backend = _CheckedBackend(any_address)
    connection = httpcore2.AsyncHTTPConnection(url.origin, _trust(), network_backend=backend)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        try:
            return (await connection.handle_async_request(request)).status
        except (httpcore2.NetworkError, httpcore2.ProtocolError, httpcore2.TimeoutException) as error:
            raise OSError("no connection, or no valid response") from error
        finally:
            await backend.close()
