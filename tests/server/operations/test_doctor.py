"""`malecon doctor`: what it reports about a machine and a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from malecon.cli import app
from malecon.server.operations import doctor
from malecon.server.storage import database
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage


def test_the_doctor(database: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def states(address: str) -> dict[str, str]:
        return {found.subject: found.state for found in doctor.examine(address)}

    assert states(database)["database"] == "ok"  # nothing there yet
    Storage(database).close()
    assert states(database)["database"] == "ok"
    assert states("postgresql://x@127.0.0.1:1/y")["database"] == "bad"
    assert states("nothing")["database"] == "bad"
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "malecon.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert states(address_of(tmp_path / "torn"))["database"] == "bad"
    found = CliRunner().invoke(app, ["doctor", "--data", str(tmp_path / "club")])
    assert found.exit_code == 0
    assert "Python" in found.stdout
    assert CliRunner().invoke(app, ["doctor", "--database", "postgresql://x@127.0.0.1:1/y"]).exit_code == 1
    engine = database_at(tmp_path / "old", "0001")
    assert {found.subject: found.state for found in doctor.examine(engine)}["database"] == "note"


def database_at(folder: Path, revision: str) -> str:
    engine = database.open_engine(address_of(folder))
    with database.writing(engine) as connection:
        database.migrate(connection, revision)
    engine.dispose()
    return address_of(folder)
