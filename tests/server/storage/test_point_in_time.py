"""Back to a moment with PostgreSQL's own tools, as docs/operations.md describes it: a base backup and archived logs."""

from __future__ import annotations

import shutil
import subprocess
import time
from typing import Any

import psycopg
import pytest

from malecon.server.operations.doctor import examine
from tests.hosting.pages import block
from tests.server.people import Player, serving
from tests.server.postgres import AS_POSTGRES, Postgres, programs


def run(program: str, *arguments: str) -> None:
    command = [*AS_POSTGRES, str(programs() / program), *arguments]
    done = subprocess.run(command, capture_output=True, cwd="/", check=False, text=True)
    assert done.returncode == 0, done.stderr


@pytest.mark.slow
def test_back_to_a_moment_before_a_mistake() -> None:
    postgres = Postgres()
    try:
        archive, saved = postgres.folder / "archive", postgres.folder / "base"
        archive.mkdir()
        if AS_POSTGRES:
            shutil.chown(archive, "postgres", "postgres")
        with (postgres.folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(block("archive").text.replace("/backup/archive", str(archive)))
        postgres.stop()
        postgres.start()
        address = postgres.new_database()
        with serving(address) as client:
            player = Player(client)
            state = moves(player, player.open("me", "me", open_screens=True), 10)
            here = f"host=127.0.0.1 port={postgres.port} user=malecon"
            run("pg_basebackup", "-d", here, "-D", str(saved), "-c", "fast")
            state = moves(player, state, 10)
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute("SELECT pg_create_restore_point('before the mistake')")
            with psycopg.connect(address, autocommit=True) as connection:
                connection.execute("DELETE FROM moves")  # the mistake
        postgres.stop()  # and archives the rest
        shutil.rmtree(postgres.folder / "data")
        saved.rename(postgres.folder / "data")
        with (postgres.folder / "data" / "postgresql.conf").open("a") as settings:
            settings.write(block("recovery").text.replace("/backup/archive", str(archive)))
        (postgres.folder / "data" / "recovery.signal").touch()
        if AS_POSTGRES:
            shutil.chown(postgres.folder / "data" / "recovery.signal", "postgres", "postgres")
        postgres.start()
        with psycopg.connect(address, autocommit=True) as connection:  # it reads the archive, and lets nobody write yet
            while connection.execute("SELECT pg_is_in_recovery()").fetchone() == (True,):
                time.sleep(0.1)
        with serving(address) as client:
            player.client = client
            again = player.state(state["id"])
            assert again["history"] == state["history"]
            moves(player, again, 3)
        assert [finding for finding in examine(address) if finding.state == "bad"] == []
    finally:
        postgres.close()


def moves(player: Player, state: dict[str, Any], number: int) -> dict[str, Any]:
    for _ in range(number):
        answer = player.move(state["id"], state["legal"][0]["move"], state["version"])
        assert answer.status_code == 200
        state = answer.json()
    return state
