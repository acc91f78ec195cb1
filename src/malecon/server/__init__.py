"""The table in the browser: pages, live updates, storage and a JSON interface. `run` serves it."""

from __future__ import annotations

import gc
import socket
import threading
import webbrowser
from collections.abc import Callable
from pathlib import Path

HOST = "127.0.0.1"
PORT = 8000
#: Ports that are tried when the usual one is taken.
MORE_PORTS = 20


def run(
    port: int | None = None,
    open_browser: bool = True,
    data_dir: Path | None = None,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve on this machine until interrupted. `ready` hears the address when the door is open.

    A port that was asked for must be free; otherwise the usual one or the next free one is taken.
    """
    import uvicorn
    from platformdirs import user_data_path

    from malecon.server.app import create_app

    listening = _listen(port)
    address = f"http://{HOST}:{listening.getsockname()[1]}/"
    config = uvicorn.Config(
        create_app(data_dir or user_data_path("malecon")),
        log_level="warning",
        ws="websockets-sansio",
        ws_max_size=16_000,
        timeout_graceful_shutdown=3,
        server_header=False,
    )
    server = uvicorn.Server(config)
    ready(address)
    if open_browser:
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    gc.collect()
    gc.freeze()  # what is loaded by now stays; searching all of it for garbage would make moves wait
    server.run(sockets=[listening])


def _listen(port: int | None) -> socket.socket:
    """A socket that listens: on the port asked for, or on the first free one from the usual one on, or on any."""
    ports = [port] if port is not None else [*range(PORT, PORT + MORE_PORTS), 0]
    for number in ports[:-1]:
        try:
            return socket.create_server((HOST, number))
        except OSError:
            continue
    return socket.create_server((HOST, ports[-1]))
