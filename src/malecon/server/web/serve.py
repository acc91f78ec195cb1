"""Runs the server."""

from __future__ import annotations

import gc
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

HOST = "127.0.0.1"
LOCAL = (HOST, "localhost", "::1")
PORT = 8000
#: The interpreter's switch interval: short, since every move waits for the thread that writes to the database.
SWITCH_SECONDS = 0.0005
#: Ports that are tried when the usual one is taken.
MORE_PORTS = 20


def run(
    port: int | None = None,
    open_browser: bool = True,
    place: Path | str | None = None,
    ready: Callable[[str], None] = lambda address: None,
    host: str = HOST,
    proxy: str | None = None,
    json_logs: bool = False,
) -> None:
    """Serve until stopped, on this machine only unless `host` says otherwise. `ready` is called with the address.

    `place` is the folder of the data, or the address of a database. A given port must be free; without one, the default
    or the next free one is taken. A `proxy` at these addresses is trusted to name the client.
    """
    import uvicorn

    from malecon.kernel import readiness, registry
    from malecon.server.operations.limits import ServerSettings
    from malecon.server.operations.memory import return_large_pieces
    from malecon.server.web.app import create_app
    from malecon.server.web.connections import LimitedHttpProtocol, raise_file_limit
    from malecon.server.web.sockets import LimitedWebSocketProtocol

    if json_logs:
        from malecon.server.operations.metrics import log_as_json

        log_as_json()
    settings = ServerSettings.of()
    if not settings.hosts and proxy is None and host in LOCAL:
        settings = replace(settings, hosts=HOST)  # against DNS rebinding by other sites
    LimitedHttpProtocol.most, LimitedHttpProtocol.most_of_one = raise_file_limit(), settings.connections
    app = create_app(place or default_folder(), settings)
    listening = _listen(host, port)
    address = f"http://{host}:{listening.getsockname()[1]}/"
    config = uvicorn.Config(
        app,
        log_level="warning",
        log_config=None if json_logs else uvicorn.config.LOGGING_CONFIG,
        access_log=False,  # it would contain the addresses of invitations
        forwarded_allow_ips=proxy,
        http=LimitedHttpProtocol,
        ws=LimitedWebSocketProtocol,
        ws_max_size=16_000,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    server = uvicorn.Server(config)
    for name in registry.names():
        readiness.begin(registry.get(name))
    ready(address)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    sys.setswitchinterval(SWITCH_SECONDS)
    return_large_pieces()
    gc.collect()
    gc.freeze()  # what is loaded by now stays: collections need not search it
    server.run(sockets=[listening])


def default_folder() -> Path:
    """Return the default folder of the data."""
    from platformdirs import user_data_path

    return user_data_path("malecon")


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket: on the given port, or on the first free one from the default on, or on any."""
    ports = [port] if port is not None else [*range(PORT, PORT + MORE_PORTS), 0]
    for number in ports[:-1]:
        try:
            return _without_delay(socket.create_server((host, number)))
        except OSError:
            continue
    return _without_delay(socket.create_server((host, ports[-1])))


def _without_delay(listening: socket.socket) -> socket.socket:
    """Switch Nagle's algorithm off: it would delay the rest of a response by up to 40 ms."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
