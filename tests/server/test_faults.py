"""Faults: servers killed at any moment, one of two killed, the database restarted. Nothing acknowledged is lost."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import pytest

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
