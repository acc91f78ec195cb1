"""Runs the server."""

from __future__ import annotations

import asyncio
import gc
import logging
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from malecon.server.operations import logs, systemd
from malecon.server.operations.settings import (
    DEFAULT,
    ReadSettings,
    ServerSettings,
    export_to_kernel,
    read_settings,
)

HOST = "127.0.0.1"
LOCAL = (HOST, "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")
#: The interpreter's switch interval: short, since every move waits for the thread that writes to the database.
SWITCH_SECONDS = 0.0005
#: Ports that are tried when the usual one is taken.
MORE_PORTS = 20
#: How long connections that are open may still send a request when the server stops.
DRAIN_SECONDS = 1.0
log = logging.getLogger("malecon.server")


def run(
    read: ReadSettings | None = None,
    open_browser: bool = True,
    ready: Callable[[str], None] = lambda address: None,
) -> None:
    """Serve until stopped, as the settings say. `ready` is called with the address once the server answers.

    A port that was chosen must be free; without one, the default or the next free one is taken.
    """
    import uvicorn

    from malecon.kernel import readiness, registry
    from malecon.server.operations.memory import return_large_pieces
    from malecon.server.storage.folder_lock import lock_folder
    from malecon.server.web.app import create_app
    from malecon.server.web.connections import LimitedHttpProtocol, raise_file_limit
    from malecon.server.web.sockets import LimitedWebSocketProtocol

    read = read or read_settings()
    settings, is_private = read.settings, is_private_server(read.settings)
    logs.set_up(settings.log, settings.log_level)
    export_to_kernel(settings)
    if is_private:
        settings = replace(settings, hosts=HOST)  # against DNS rebinding by other sites
    LimitedHttpProtocol.most, LimitedHttpProtocol.most_of_one = raise_file_limit(), settings.connections
    LimitedHttpProtocol.proxies = settings.proxies
    LimitedHttpProtocol.shared, LimitedHttpProtocol.shared_people = settings.shared, max(1, settings.shared_people)
    with ExitStack() as stack:
        place = place_of(settings)
        if isinstance(place, Path):
            lock = lock_folder(place)
            if lock is not None:
                stack.enter_context(lock)
        app = create_app(place, settings)
        app.state.asks_for_setup = not is_private
        listening = _listen(settings.host, None if read.sources["port"] == DEFAULT else settings.port)
        config = uvicorn.Config(
            app,
            log_level="warning",
            log_config=None,
            access_log=False,  # it would contain the addresses of invitations
            forwarded_allow_ips=",".join(filter(None, (HOST, "::1", settings.proxy))),
            http=LimitedHttpProtocol,
            ws=LimitedWebSocketProtocol,
            ws_max_size=16_000,
            timeout_graceful_shutdown=3,
            server_header=False,
        )
        address = f"http://{_shown_host(settings.host)}:{listening.getsockname()[1]}/"

        class Server(uvicorn.Server):
            async def startup(self, sockets: list[socket.socket] | None = None) -> None:
                await super().startup(sockets)
                systemd.notify("READY=1")
                log.info("serving at %s", address)
                ready(address)
                if open_browser:
                    threading.Timer(0.5, webbrowser.open, (address,)).start()

            async def _drain(self) -> None:
                """Accept no connections any more, and let those of a proxy end with their next response.

                A proxy that sends a request just when its idle connection is closed could not repeat it elsewhere.
                """
                app.state.is_stopping = True
                for server in self.servers:
                    server.close()
                if self.server_state.connections and not self.force_exit:
                    await asyncio.sleep(DRAIN_SECONDS)

            async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
                systemd.notify("STOPPING=1")
                await self._drain()
                await super().shutdown(sockets)
                log.info("stopped")

        for name in registry.names():
            readiness.begin(registry.get(name))
        sys.setswitchinterval(SWITCH_SECONDS)
        return_large_pieces()
        gc.collect()
        gc.freeze()  # what is loaded by now stays: collections need not search it
        Server(config).run(sockets=[listening])


def is_private_server(settings: ServerSettings) -> bool:
    """Return whether a server is only for the person at this machine: no other can reach it, and no proxy is named."""
    return not settings.hosts and not settings.proxy and settings.host in LOCAL


def place_of(settings: ServerSettings) -> Path | str:
    """Return where the settings say that data are kept: the address of a database, or a folder."""
    return settings.database or (Path(settings.data) if settings.data else default_folder())


def default_folder() -> Path:
    """Return the default folder of the data."""
    from platformdirs import user_data_path

    return user_data_path("malecon")


def _shown_host(host: str) -> str:
    """Return a host for an address that people can be given: this machine's, if the server listens everywhere."""
    if host in EVERYWHERE:
        try:
            with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as line:
                line.connect(("192.0.2.1", 9))  # nothing is sent: it only says which network leads outside
                return str(line.getsockname()[0])
        except OSError:
            return HOST
    return f"[{host}]" if ":" in host else host


def _listen(host: str, port: int | None) -> socket.socket:
    """Return a listening socket: on the given port, or on the first free one from the default on, or on any."""
    usual = ServerSettings().port
    ports = [port] if port is not None else [*range(usual, usual + MORE_PORTS), 0]
    for number in ports[:-1]:
        try:
            return _without_delay(_socket(host, number))
        except OSError:
            continue
    return _without_delay(_socket(host, ports[-1]))


def _socket(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    return socket.create_server((host, port), family=family)


def _without_delay(listening: socket.socket) -> socket.socket:
    """Switch Nagle's algorithm off: it would delay the rest of a response by up to 40 ms."""
    listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return listening
