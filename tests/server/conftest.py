"""A running application for each test, with a folder of its own."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from malecon.server.storage.database import address_of
from tests.clock import Clock
from tests.server.faults import SHOWN
from tests.server.people import serving
from tests.server.postgres import Postgres


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """At the end of `make soak`: what was done to the servers, and what was lost."""
    for line in SHOWN:
        terminalreporter.write_line(line)


@pytest.fixture
def clock() -> Clock:
    """The clock of `client`, which stands still until a test advances it."""
    return Clock()


@pytest.fixture
def client(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[TestClient]:
    """An application that times turns by the fixture `clock`, if the test has it."""
    clock: Callable[[], float] = request.getfixturevalue("clock") if "clock" in request.fixturenames else time.time
    with serving(tmp_path, clock) as client:
        yield client


@pytest.fixture(scope="session")
def postgres() -> Iterator[Postgres]:
    server = Postgres()
    yield server
    server.close()


@pytest.fixture(params=["sqlite", "postgresql"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The address of an empty database, of either kind."""
    if request.param == "sqlite":
        return address_of(tmp_path)
    postgres: Postgres = request.getfixturevalue("postgres")
    return postgres.new_database()
