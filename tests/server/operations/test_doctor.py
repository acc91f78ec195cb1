"""`malecon doctor`: what it reports about a machine and a database."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from malecon.cli import app
from malecon.server.operations import doctor
from malecon.server.storage import database as databases
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from tests.server.second_migration import newer_migrations


def test_the_doctor(database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def states(address: str) -> dict[str, str]:
        return {diagnosis.subject: diagnosis.state for diagnosis in doctor.examine(address)}

    assert states(database)["database"] == "ok"  # nothing there yet
    Storage(database).close()
    assert states(database)["database"] == "ok"
    assert states("postgresql://x@127.0.0.1:1/y")["database"] == "bad"
    assert states("nothing")["database"] == "bad"
    (tmp_path / "torn").mkdir()
    (tmp_path / "torn" / "malecon.sqlite3").write_bytes(b"SQLite format 3\0" + b"x" * 5000)
    assert states(address_of(tmp_path / "torn"))["database"] == "bad"
    result = CliRunner().invoke(app, ["doctor", "--data", str(tmp_path / "club")])
    assert result.exit_code == 0
    assert "Python" in result.stdout
    assert CliRunner().invoke(app, ["doctor", "--database", "postgresql://x@127.0.0.1:1/y"]).exit_code == 1
    monkeypatch.setattr(databases, "MIGRATIONS", newer_migrations(tmp_path))
    assert states(database)["database"] == "note"  # the next start of the newer program upgrades it
