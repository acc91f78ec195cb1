"""The table in the browser: pages, live updates, storage and a JSON interface. `run` serves it."""

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
#: Seconds after which one thread of the interpreter gives way to another: the one that writes to the database needs it
#: for moments only, but many times, and everybody waits for it.
SWITCH = 0.0005
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
    """Serve until told to stop, on this machine only unless `host` says otherwise. `ready` hears the address.

    `place` is the folder games are kept in, or the address of a database. A port that was asked for must be free;
    otherwise the usual one or the next free one is taken. Of a `proxy` at these addresses it is believed who asks.
    """
    import uvicorn

    from malecon.kernel import readiness, registry
    from malecon.server.operations.limits import ServerSettings
    from malecon.server.operations.memory import return_large_pieces
    from malecon.server.web.app import create_app
    from malecon.server.web.connections import Connections, make_room
    from malecon.server.web.sockets import Sockets

    if json_logs:
        from malecon.server.operations.metrics import log_as_json

        log_as_json()
    settings = ServerSettings.of()
    if not settings.hosts and proxy is None and host in LOCAL:
        settings = replace(settings, hosts=HOST)  # a page elsewhere could make a browser believe it is from here
    Connections.most, Connections.most_of_one = make_room(), settings.connections
    app = create_app(place or default_folder(), settings)
    listening = _listen(host, port)
    address = f"http://{host}:{listening.getsockname()[1]}/"
    config = uvicorn.Config(
        app,
        log_level="warning",
        log_config=None if json_logs else uvicorn.config.LOGGING_CONFIG,
        access_log=False,  # it would tell the addresses of invitations
        forwarded_allow_ips=proxy,
        http=Connections,
        ws=Sockets,
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
    sys.setswitchinterval(SWITCH)
    return_large_pieces()
    gc.collect()
    gc.freeze()  # what is loaded by now stays; searching all of it for garbage would make moves wait
    server.run(sockets=[listening])


def default_folder() -> Path:
    """Where games are kept if nobody says where."""
    from platformdirs import user_data_path

    return user_data_path("malecon")


def _listen(host: str, port: int | None) -> socket.socket:
    """A socket that listens: on the port asked for, or on the first free one from the usual one on, or on any."""
    ports = [port] if port is not None else [*range(PORT, PORT + MORE_PORTS), 0]
    for number in ports[:-1]:
        try:
            return _promptly(socket.create_server((host, number)))
        except OSError:
            continue
    return _promptly(socket.create_server((host, ports[-1])))


def _promptly(listening: socket.socket) -> socket.socket:
    """Its connections do not hold the rest of an answer back until the beginning was acknowledged, 40 ms later."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
