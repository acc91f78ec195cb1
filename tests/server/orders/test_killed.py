"""Plans survive `kill -9`: what was acknowledged is played by the server that comes after, and only once."""

from __future__ import annotations

import time
from pathlib import Path
from typing import Any

import httpx2

from tests.server.faults import Process


class Person:
    """Somebody with a token who talks to whichever server is running."""

    def __init__(self, address: str) -> None:
        self._address = address
        token = httpx2.post(f"{address}/api/people", timeout=60).json()["token"]
        self._headers = {"authorization": f"Bearer {token}"}

    def post(self, path: str, body: dict[str, Any]) -> dict[str, Any]:
        answer = httpx2.post(f"{self._address}/api{path}", json=body, headers=self._headers, timeout=60)
        assert answer.status_code < 300, answer.text
        return dict(answer.json())

    def state(self, table: str) -> dict[str, Any]:
        answer = httpx2.get(f"{self._address}/api/tables/{table}", headers=self._headers, timeout=60)
        return dict(answer.json())


def test_plans_survive_a_killed_server(tmp_path: Path) -> None:
    process = Process(["--data", str(tmp_path)], tmp_path / "log")
    process.start()
    try:
        process.wait()
        people = [Person(process.address), Person(process.address)]
        body = {"game": "cuba", "seats": [{"who": "me"}, {"who": "open"}], "pace": "instant"}
        opened = people[0].post("/tables", body)
        people[1].post("/join", {"token": opened["seats"][1]["invitation"]})
        name = str(opened["id"])
        state = people[0].state(name)
        first, later = people[state["turn"]], people[1 - state["turn"]]
        answers = []
        for early in later.state(name)["early"]:
            answers.append(early["legal"][1]["move"])
            later.post(f"/tables/{name}/answers", {"question": early["question"], "move": answers[-1]})
        later.post(f"/tables/{name}/orders", {"kind": "pay tax", "limit": 3})
        assert len(answers) == 2
        process.kill()
        process.start()
        process.wait()
        assert [early["answer"] for early in later.state(name)["early"]] == answers
        assert [order["limit"] for order in later.state(name)["orders"]] == [3]
        assert first.state(name)["orders"] == []
        before = len(first.state(name)["history"])
        for _ in range(2):
            first.post(f"/tables/{name}/moves", {"move": first.state(name)["legal"][0]["move"]})
        end = time.monotonic() + 60
        while time.monotonic() < end:
            made = [move for move in first.state(name)["history"][before:] if move.get("automatic")]
            if len(made) >= 2:
                break
            time.sleep(0.05)
        assert [move["move"] for move in made] == answers
        process.kill()
        process.start()
        process.wait()
        again = [move["move"] for move in first.state(name)["history"] if move.get("automatic")]
        assert again == answers
    finally:
        process.kill()
