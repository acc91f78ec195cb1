"""A club under fire: real server processes that are killed while many games go on, and a count of what was lost."""

from __future__ import annotations

import random
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import httpx2

from malecon.match import Match
from malecon.server.storage.game_log import MOVE
from malecon.server.storage.store import Storage

#: What the runs of this session have shown, for the end of the report.
SHOWN: list[str] = []
#: Seconds in which every game must have gone on after a fault.
PATIENCE = 60.0
#: Seconds in which a server must have started, on a machine that has other things to do as well.
START = 240.0


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class Process:
    """One server process at a port of its own, as often as it is started."""

    def __init__(self, place: list[str], log: Path) -> None:
        self.port, self._place, self._log = free_port(), place, log
        self._running: subprocess.Popen[bytes] | None = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", str(self.port), *self._place]
        with self._log.open("ab") as log:
            self._running = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=log)

    def wait(self) -> None:
        """Until it answers; one that has ended instead is not waited for."""
        end = time.monotonic() + START
        while time.monotonic() < end and self._running is not None and self._running.poll() is None:
            try:
                if httpx2.get(f"{self.address}/healthz", timeout=5).status_code == 200:
                    return
            except httpx2.HTTPError:
                time.sleep(0.05)
        raise AssertionError(f"the server at {self.port} does not start: {self._log.read_text()[-2000:]}")

    def kill(self, how: int = signal.SIGKILL) -> None:
        if self._running is not None:
            self._running.send_signal(how)
            self._running.wait()
            self._running = None


class Club:
    """Games that go on all the time over the JSON interface, and what the servers acknowledged of them."""

    def __init__(self, processes: list[Process], games: int, seed: int) -> None:
        self.processes = processes
        self._dice = random.Random(seed)
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        self.tables: list[str] = []
        self.acknowledged: dict[str, list[Any]] = {}
        self.made = 0
        self._over: set[str] = set()
        self.refused: dict[int, int] = {}
        with httpx2.Client(base_url=processes[0].address, timeout=30) as client:
            self.headers = {"authorization": f"Bearer {client.post('/api/people').json()['token']}"}
            for number in range(games):
                opened = self._open(client, ["me", "bot:greedy", "bot:random"] if number % 5 else ["bot:random"] * 2)
                assert opened.status_code == 201, opened.text

    def _open(self, client: httpx2.Client, seats: list[str]) -> httpx2.Response:
        body = {"game": "santiago", "seats": [{"who": who} for who in seats], "pace": "instant"}
        opened = client.post("/api/tables", json=body, headers=self.headers)
        if opened.status_code == 201:
            self.acknowledged[opened.json()["id"]] = opened.json()["history"]
            self.tables.append(opened.json()["id"])
        return opened

    def begin(self, players: int = 4) -> None:
        self._stop.clear()
        self._threads = [threading.Thread(target=self._play, args=(n, players)) for n in range(players)]
        for thread in self._threads:
            thread.start()

    def end(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def wait_for_moves(self, number: int) -> None:
        """Return when this number of further moves has been acknowledged."""
        enough, end = self.made + number, time.monotonic() + PATIENCE
        while self.made < enough and time.monotonic() < end:
            time.sleep(0.005)
        assert self.made >= enough, f"only {number - (enough - self.made)} of {number} moves were acknowledged"

    def _play(self, first: int, step: int) -> None:
        """Play at every `step`-th table, each time through a random process."""
        dice = random.Random(first)
        clients = [httpx2.Client(base_url=process.address, timeout=20) for process in self.processes]
        while not self._stop.is_set():
            for table in self.tables[first::step]:
                if self._stop.is_set():
                    break
                try:
                    self._one(dice.choice(clients), table, dice)
                except httpx2.HTTPError:
                    time.sleep(0.02)
        for client in clients:
            client.close()

    def _one(self, client: httpx2.Client, table: str, dice: random.Random) -> None:
        if table in self._over:
            return
        state = client.get(f"/api/tables/{table}", headers=self.headers)
        if state.status_code != 200:
            self.refused[state.status_code] = self.refused.get(state.status_code, 0) + 1
            return
        legal = state.json()["legal"]
        if state.json()["turn"] is None:  # another game takes its place, so that there are always moves to make
            self._over.add(table)
            self._open(client, ["me", "bot:greedy", "bot:random"])
        if legal:
            body = {"move": dice.choice(legal)["move"], "version": state.json()["version"]}
            answer = client.post(f"/api/tables/{table}/moves", json=body, headers=self.headers)
            if answer.status_code == 200:
                self.acknowledged[table] = answer.json()["history"]
                self.made += 1
            else:
                self.refused[answer.status_code] = self.refused.get(answer.status_code, 0) + 1

    # --- what is left

    def state(self, table: str) -> dict[str, Any]:
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            for process in self.processes:
                try:
                    answer = httpx2.get(f"{process.address}/api/tables/{table}", headers=self.headers, timeout=20)
                    if answer.status_code == 200:
                        current: dict[str, Any] = answer.json()
                        return current
                except httpx2.HTTPError:
                    pass
            time.sleep(0.1)
        raise AssertionError(f"nobody answers for table {table}")

    def behind(self) -> list[str]:
        """Tables that some process still shows without what was acknowledged, long after the last fault."""
        end = time.monotonic() + PATIENCE
        waiting = {(process, table) for process in self.processes for table in self.tables}
        while waiting and time.monotonic() < end:
            for process, table in tuple(waiting):
                try:
                    answer = httpx2.get(f"{process.address}/api/tables/{table}", headers=self.headers, timeout=20)
                except httpx2.HTTPError:
                    continue
                before = self.acknowledged[table]
                if answer.status_code == 200 and answer.json()["history"][: len(before)] == before:
                    waiting.discard((process, table))
        return sorted(table for _, table in waiting)

    def stuck(self) -> list[str]:
        """Games in which neither a person can move nor a bot does, nor are they over."""
        waiting, end = set(self.tables), time.monotonic() + PATIENCE
        seen: dict[str, int] = {}
        while waiting and time.monotonic() < end:
            for table in tuple(waiting):
                state = self.state(table)
                if (
                    state["legal"]
                    or state["turn"] is None
                    or state["version"] > seen.setdefault(table, state["version"])
                ):
                    waiting.discard(table)
        return sorted(waiting)


def check_logs(address: str, acknowledged: dict[str, list[Any]]) -> tuple[int, int]:
    """Replay every log: each number once, each move legal and by whose turn it was. The entries, and moves missing."""
    storage, entries, lost = Storage(address), 0, 0
    for table, before in acknowledged.items():
        loaded = storage.load(table, with_snapshot=False)
        assert loaded is not None
        assert [entry.number for entry in loaded.entries] == list(range(len(loaded.entries)))
        match = Match(loaded.row.game, loaded.row.players, options=loaded.row.options)
        for entry in loaded.entries:
            assert entry.kind == MOVE
            match.push(entry.move, seat=entry.seat)
        assert loaded.row.over == match.is_over
        logged = [{"seat": entry.seat, "move": entry.move} for entry in loaded.entries]
        lost += sum(old != new for old, new in zip(before, logged, strict=False)) + max(0, len(before) - len(logged))
        entries += len(loaded.entries)
    storage.close()
    return entries, lost
