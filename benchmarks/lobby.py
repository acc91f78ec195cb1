"""The lobby with a thousand people looking and ten tables changing a second: what it costs the server, in cores.

Everything runs on this machine, so the processor time of the server is taken from the system, not from a clock.
"""

from __future__ import annotations

import argparse
import asyncio
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack, closing
from pathlib import Path
from urllib.parse import urlencode

#: What must hold: this many cores.
PROMISE = 0.3
PING = 0x89
HANDSHAKE = (
    "GET /lobby/live HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n"
    "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: bWFsZWNvbi1sb2JieS0xNg==\r\n"
    "Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n"
)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


def processor_time(process: int) -> float:
    """Seconds of processor that a process has used so far."""
    fields = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


class Web:
    """Sends forms, each over a connection of its own: the server hangs up on those that are idle."""

    def __init__(self, port: int) -> None:
        self._port = port

    def post(self, path: str, who: dict[str, str], **form: str) -> tuple[int, str, str]:
        """The status, where it leads, and the text of an answer."""
        headers = who | {"content-type": "application/x-www-form-urlencoded"}
        connection = http.client.HTTPConnection("127.0.0.1", self._port, timeout=60)
        with closing(connection):
            connection.request("POST", path, urlencode(form), headers)
            answer = connection.getresponse()
            return answer.status, answer.headers.get("location", ""), answer.read().decode()

    def person(self) -> dict[str, str]:
        token = json.loads(self.post("/api/people", {})[2])["token"]
        return {"authorization": f"Bearer {token}"}


async def measure(port: int, server: int, lookers: int, rate: float, seconds: float) -> None:
    web = Web(port)
    seats = {"seat-0": "me", "seat-1": "open", "seat-2": "open"}
    form = {"game": "santiago", "join": "public", "clock": "day"} | seats
    tables = [web.post("/tables", web.person(), **form)[1] for _ in range(10)]
    guests = [web.person() for _ in range(10)]
    heard = [0, 0]

    async def look() -> None:
        """A client that costs next to nothing itself: it counts what it is sent, and answers pings."""
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(HANDSHAKE.format(port=port).encode())
        await reader.readuntil(b"\r\n\r\n")
        looking.append(writer)
        while True:
            first, length = await reader.readexactly(2)
            if length == 126:
                length = int.from_bytes(await reader.readexactly(2), "big")
            data = await reader.readexactly(length)
            if first == PING:
                writer.write(bytes([0x8A, 0x80 | length]) + bytes(4) + data)
            else:
                heard[0] += 1
                heard[1] = length

    looking: list[asyncio.StreamWriter] = []
    tasks = []
    for _ in range(lookers):
        tasks.append(asyncio.create_task(look()))
        if len(tasks) % 20 == 0:
            await asyncio.sleep(0.2)
    while len(looking) < lookers:
        await asyncio.sleep(0.2)
    await asyncio.sleep(3)  # all have come, and have been told so
    heard[0] = 0
    began, used, changes = time.perf_counter(), processor_time(server), 0
    while time.perf_counter() < began + seconds:
        place, guest = tables[changes % 10], guests[changes % 10]
        act = "join" if changes // 10 % 2 == 0 else "leave"
        status, _, said = await asyncio.to_thread(web.post, f"{place}/{act}", guest)
        assert status == 303, said
        changes += 1
        await asyncio.sleep(max(0.0, began + changes / rate - time.perf_counter()))
    took = time.perf_counter() - began
    cores = (processor_time(server) - used) / took
    figures = {
        "people looking": lookers,
        "changes a second": round(changes / took, 1),
        "messages a second and person": round(heard[0] / lookers / took, 2),
        "bytes of a message": heard[1],
        "cores": round(cores, 3),
        "promise": PROMISE,
    }
    print(json.dumps(figures))
    for task in tasks:
        task.cancel()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lookers", type=int, default=1000)
    parser.add_argument("--rate", type=float, default=10.0)
    parser.add_argument("--seconds", type=float, default=20.0)
    asked = parser.parse_args()
    port = free_port()
    with ExitStack() as stack:
        data = stack.enter_context(tempfile.TemporaryDirectory())
        command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", str(port), "--data", data]
        server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        stack.callback(server.wait)
        stack.callback(server.terminate)
        end = time.monotonic() + 120
        while True:
            try:
                Web(port).person()
                break
            except OSError:
                if time.monotonic() > end:
                    raise
            time.sleep(0.2)
        asyncio.run(measure(port, server.pid, asked.lookers, asked.rate, asked.seconds))


if __name__ == "__main__":
    main()
