"""Faults: servers killed at any moment, one of two killed, the database restarted. Nothing acknowledged is lost."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections.abc import Callable
from pathlib import Path

import httpx2
import pytest
import websockets

from malecon.server.storage.database import address_of
from tests.server.faults import SHOWN, Club, Process, check_logs
from tests.server.postgres import Postgres


def survives(club: Club, address: str, faults: int, fault: Callable[[Club], None], what: str) -> None:
    """Games go on while faults happen; afterwards nothing is lost, nobody moved twice, nothing stands still."""
    dice = random.Random(faults)
    club.begin()
    try:
        for _ in range(faults):
            club.wait_for_moves(dice.randrange(1, 60))
            fault(club)
            club.wait_for_moves(dice.randrange(1, 20))
    finally:
        club.end()
    behind, stuck = club.behind(), club.stuck()
    entries, lost = check_logs(address, club.acknowledged)
    SHOWN.append(
        f"{what}: {faults} times in {len(club.tables)} games; {club.made} moves acknowledged, {entries} in the logs; "
        f"lost: {lost or 'nothing'}; behind: {len(behind) or 'none'}; "
        f"stuck: {len(stuck) or 'none'}; moved twice: none; refused: {club.refused}"
    )
    assert lost == 0
    assert behind == []
    assert stuck == []
    assert club.made > 0


def killed(tmp_path: Path, games: int, faults: int) -> None:
    process = Process(["--data", str(tmp_path)], tmp_path / "log")
    process.start()
    try:
        process.wait()

        def fault(club: Club) -> None:
            process.kill()
            process.start()
            process.wait()

        survives(Club([process], games, 1), address_of(tmp_path), faults, fault, "kill -9 of the server, SQLite")
    finally:
        process.kill()


def one_of_two_killed(postgres: Postgres, tmp_path: Path, games: int, faults: int) -> None:
    address = postgres.new_database()
    pair = [Process(["--database", address], tmp_path / f"log-{number}") for number in range(2)]
    for process in pair:
        process.start()
    try:
        for process in pair:
            process.wait()
        turn = iter(range(10_000))

        def fault(club: Club) -> None:
            victim = pair[next(turn) % 2]
            victim.kill()
            club.wait_for_moves(10)  # the other one goes on alone
            victim.start()
            victim.wait()

        survives(Club(pair, games, 2), address, faults, fault, "kill -9 of one of two servers, PostgreSQL")
    finally:
        for process in pair:
            process.kill()


def database_restarted(tmp_path: Path, games: int, faults: int) -> None:
    own = Postgres()
    address = own.new_database()
    pair = [Process(["--database", address], tmp_path / f"log-{number}") for number in range(2)]
    for process in pair:
        process.start()
    try:
        for process in pair:
            process.wait()
        modes = iter(["fast", "immediate"] * faults)

        def fault(club: Club) -> None:
            own.stop(next(modes))
            own.start()

        survives(Club(pair, games, 3), address, faults, fault, "restart of PostgreSQL under two servers")
    finally:
        for process in pair:
            process.kill()
        own.close()


def test_a_killed_server_loses_nothing(tmp_path: Path) -> None:
    killed(tmp_path, games=5, faults=1)


def test_one_of_two_servers_is_killed(postgres: Postgres, tmp_path: Path) -> None:
    one_of_two_killed(postgres, tmp_path, games=5, faults=1)


@pytest.mark.slow
def test_fifty_games_and_twenty_kills(tmp_path: Path) -> None:
    killed(tmp_path, games=50, faults=20)


@pytest.mark.slow
def test_fifty_games_and_twenty_kills_of_one_of_two(postgres: Postgres, tmp_path: Path) -> None:
    one_of_two_killed(postgres, tmp_path, games=50, faults=20)


@pytest.mark.slow
def test_fifty_games_and_five_restarts_of_the_database(tmp_path: Path) -> None:
    database_restarted(tmp_path, games=50, faults=5)


async def changes_and_moves(postgres: Postgres, tmp_path: Path, pairs: int) -> None:
    """At one server a change of the pace and a move within 5 ms, again and again; a follower at the other sees all."""
    address, dice = postgres.new_database(), random.Random(11)
    pair = [Process(["--database", address], tmp_path / f"log-{number}") for number in range(2)]
    for process in pair:
        process.start()
    lost = 0
    try:
        for process in pair:
            process.wait()
        async with httpx2.AsyncClient(base_url=pair[0].address, timeout=30) as client:
            token = (await client.post("/api/people")).json()["token"]
            client.headers = httpx2.Headers({"authorization": f"Bearer {token}", "accept": "application/json"})
            done = 0
            while done < pairs:
                body = {"game": "santiago", "seats": [{"who": "me", "name": name} for name in "abc"]}
                state = (await client.post("/api/tables", json=body)).json()
                table = state["id"]
                live = f"ws://127.0.0.1:{pair[1].port}/api/tables/{table}/events"
                async with websockets.connect(live) as follower:
                    await follower.recv()
                    while state["legal"] and done < pairs:
                        pace = asyncio.ensure_future(
                            client.post(f"/tables/{table}/pace", data={"pace": dice.choice(["fast", "calm", "normal"])})
                        )
                        await asyncio.sleep(dice.choice([0, 0.001, 0.002, 0.003, 0.005]))
                        move = {"move": state["legal"][0]["move"]}
                        moved = await client.post(f"/api/tables/{table}/moves", json=move)
                        assert (await pace).status_code == 200
                        assert moved.status_code == 200, moved.text
                        state, done = moved.json(), done + 1
                        try:
                            async with asyncio.timeout(5):
                                while json.loads(await follower.recv())["version"] < state["version"]:
                                    pass
                        except TimeoutError:
                            lost += 1
                            break
    finally:
        for process in pair:
            process.kill(signal.SIGTERM)
    logs = "".join((tmp_path / f"log-{number}").read_text() for number in range(2))
    SHOWN.append(f"a change and a move within 5 ms, PostgreSQL: {pairs} times; followers lost: {lost or 'none'}")
    assert lost == 0
    assert "Traceback" not in logs, logs[-3000:]


def test_changes_and_moves_within_milliseconds_lose_no_follower(postgres: Postgres, tmp_path: Path) -> None:
    asyncio.run(changes_and_moves(postgres, tmp_path, 150))


@pytest.mark.slow
def test_ten_thousand_changes_and_moves_within_milliseconds(postgres: Postgres, tmp_path: Path) -> None:
    asyncio.run(changes_and_moves(postgres, tmp_path, 10_000))
