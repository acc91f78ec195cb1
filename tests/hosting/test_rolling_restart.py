"""A rolling restart as the page describes it: two processes behind nginx, one after the other, while people play."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any

import pytest

from malecon.server.operations.examples import example
from tests.hosting.pages import block
from tests.hosting.proxies import SITE, Visitor, free_port, is_up, need, nginx
from tests.server.people import until
from tests.server.postgres import Postgres


class Service:
    """What `malecon@PORT` is for systemd: a process that can be restarted."""

    def __init__(self, port: int, address: str, folder: Path) -> None:
        self._command = [sys.executable, "-m", "malecon", "serve", "--no-browser", "--port", str(port)]
        self._environment = os.environ | {"MALECON_HOSTS": SITE, "MALECON_DATABASE": address, "MALECON_COMPILE": ""}
        self._log = (folder / f"{port}.log").open("ab")
        self.port = port
        self.start()

    def start(self) -> None:
        self._process = subprocess.Popen(self._command, env=self._environment, stdout=self._log, stderr=self._log)

    def stop(self) -> None:
        self._process.terminate()
        self._process.wait(30)


@contextmanager
def services(address: str, folder: Path) -> Iterator[dict[int, Service]]:
    running = {port: Service(port, address, folder) for port in (free_port(), free_port())}
    try:
        for port in running:
            until(lambda port=port: {"ok": is_up(port)}, lambda state: state["ok"], 180)
        yield running
    finally:
        for service in running.values():
            service.stop()
            service._log.close()


class Table(threading.Thread):
    """Somebody who plays through the proxy, as fast as an ordinary person would not, and counts what is answered."""

    def __init__(self, visitor: Any) -> None:
        super().__init__(daemon=True)
        self.visitor, self.statuses, self.stopping = visitor, list[int](), False
        self.moves = 0

    def run(self) -> None:
        token = self.visitor.post("/api/people").json()["token"]
        headers = {"authorization": f"Bearer {token}"}
        body = {"game": "santiago", "seats": [{"who": "me"}, {"who": "me"}], "pace": "instant"}
        state = self.visitor.post("/api/tables", json=body, headers=headers).json()
        while not self.stopping and state["legal"]:
            move = {"move": state["legal"][0]["move"], "version": state["version"]}
            answer = self.visitor.post(f"/api/tables/{state['id']}/moves", json=move, headers=headers)
            self.statuses.append(answer.status_code)
            if answer.status_code == 200:
                self.moves += 1
                state = answer.json()
            else:
                time.sleep(0.5)
            time.sleep(0.1)


@pytest.mark.filterwarnings("ignore::ResourceWarning", "ignore::pytest.PytestUnraisableExceptionWarning")
def test_nobody_notices_a_rolling_restart(tmp_path: Path) -> None:
    need("nginx")
    script, postgres = block("rolling").text, Postgres()
    try:
        with ExitStack() as stack:
            running = stack.enter_context(services(postgres.new_database(), tmp_path))
            ports = list(running)
            upstream = "".join(f"    server 127.0.0.1:{port} max_fails=0;\n" for port in ports)
            proxy = stack.enter_context(
                nginx(example("nginx").replace("    server 127.0.0.1:8000 max_fails=0;\n", upstream), tmp_path)
            )
            tables = [Table(stack.enter_context(Visitor(proxy))) for _ in range(3)]
            for table in tables:
                table.start()
            until(lambda: {"n": min(table.moves for table in tables)}, lambda state: state["n"] >= 5, 60)
            roll(script, running, tmp_path)
            after = [table.moves for table in tables]
            until(
                lambda: {"n": min(t.moves - n for t, n in zip(tables, after, strict=True))},
                lambda state: state["n"] >= 3 or not any(table.is_alive() for table in tables),
                60,
            )
            for table in tables:
                table.stopping = True
            for table in tables:
                table.join(30)
            statuses = [status for table in tables for status in table.statuses]
            assert len(statuses) > 20
            assert set(statuses) == {200}, json.dumps(statuses)
    finally:
        postgres.close()


def roll(script: str, running: dict[int, Service], folder: Path) -> None:
    """Run the script of the page; its `systemctl restart malecon@PORT` restarts what runs here."""
    pipe, programs = folder / "restarts", folder / "bin"
    programs.mkdir()
    os.mkfifo(pipe)
    (programs / "systemctl").write_text(f'#!/bin/sh\n[ "$1" = restart ] && echo "$2" > {pipe}\nsleep 1\n')
    (programs / "systemctl").chmod(0o755)
    ports = " ".join(map(str, running))
    script = script.replace("8000 8001", ports)
    need("curl")

    def restart() -> None:
        for _ in running:
            with pipe.open() as lines:
                port = int(re.sub(r"\D", "", lines.read()))
            running[port].stop()
            running[port].start()

    worker = threading.Thread(target=restart, daemon=True)
    worker.start()
    environment = os.environ | {"PATH": f"{programs}:{os.environ['PATH']}"}
    done = subprocess.run(["sh", "-c", script], env=environment, capture_output=True, text=True, timeout=180)
    worker.join(30)
    assert done.returncode == 0, done.stderr
    assert done.stdout.count('"ok":true') == len(running)
