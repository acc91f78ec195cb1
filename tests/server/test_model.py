"""A model of the service beside the service: random schedules of two processes, compared with what the database says.

The model is a list for each table: what was acknowledged. Processes are killed, hear of changes late or never, and do
the same thing at once; the log on disk must always be exactly the list.
"""

from __future__ import annotations

import asyncio
import tempfile
import time
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from malecon.kernel.errors import MaleconError
from malecon.server.storage.appends import shadow_log
from malecon.server.storage.database import address_of
from malecon.server.storage.game_log import CHANCE, MOVE, UNDO, LogEntry
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table
from tests.server.faults import SHOWN
from tests.server.postgres import Postgres

PEOPLE = ("ana", "bea")
process, person = some.sampled_from((0, 1)), some.sampled_from(PEOPLE)


class Service(RuleBasedStateMachine):
    """Two processes on one database; `truth` is the model."""

    tables = Bundle("tables")

    def __init__(self, address: str) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.address = address
        self.storages = [Storage(address), Storage(address)]
        self.processes = [LiveTables(storage) for storage in self.storages]
        self.truth: dict[str, list[LogEntry]] = {}

    def teardown(self) -> None:
        for live_tables in self.processes:
            self.run(live_tables.finish())
        for storage in self.storages:
            storage.close()
        self.loop.close()

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def table(self, at: int, name: str) -> Table:
        return self.run(self.processes[at].get(name))

    @initialize(target=tables)
    def first(self) -> str:
        return self.open(0, "santiago")

    @rule(target=tables, at=process, game=some.sampled_from(("santiago", "cuba")))
    def opens(self, at: int, game: str) -> str:
        return self.open(at, game)

    def open(self, at: int, game: str) -> str:
        seats = (NewSeat("me"), NewSeat("open"))
        table = self.run(self.processes[at].open(NewTable(game, seats, automatic=False), "ana"))
        token = table.row.seats[1].token
        self.run(self.processes[at].join(token, "bea", None, automatic=False))
        self.truth[table.id] = self.on_disk(table.id)
        return str(table.id)

    @rule(at=process, name=tables, who=person, choice=some.integers(0, 30), knows=some.booleans())
    def moves(self, at: int, name: str, who: str, choice: int, knows: bool) -> None:
        table = self.table(at, name)
        self.acts(table, self.move(at, table, who, choice, knows), MOVE)

    def move(self, at: int, table: Table, who: str, choice: int, knows: bool) -> Any:
        legal = list(table.match.legal_moves) or ["nothing"]
        version = table.version if knows else None
        return self.processes[at].move(table, who, str(legal[choice % len(legal)]), version)

    @rule(at=process, name=tables, who=person)
    def undoes(self, at: int, name: str, who: str) -> None:
        table = self.table(at, name)
        self.acts(table, self.processes[at].undo(table, who), UNDO)

    def acts(self, table: Table, work: Any, kind: str) -> None:
        """Do something at a table; if it was acknowledged, one such entry and chance's moves have been added."""
        known = self.truth[table.id]
        try:
            self.run(work)
        except MaleconError:
            assert self.on_disk(table.id) == known  # what was refused has changed nothing
        else:
            new = self.on_disk(table.id)
            assert new[: len(known)] == known
            assert [entry.kind for entry in new[len(known) :] if entry.seat != CHANCE] == [kind]
            self.truth[table.id] = new

    @rule(name=tables, who=person, first=some.integers(0, 30), second=some.integers(0, 30))
    def race(self, name: str, who: str, first: int, second: int) -> None:
        """Both processes move at once, each as far as it knows: one of them at most."""
        tables = [self.table(at, name) for at in (0, 1)]
        known = self.truth[name]
        works = [self.move(at, tables[at], who, choice, True) for at, choice in ((0, first), (1, second))]

        async def both() -> list[Any]:
            return await asyncio.gather(*works, return_exceptions=True)

        done = [error for error in self.run(both()) if error is None]
        new = self.on_disk(name)
        assert new[: len(known)] == known
        assert len([entry for entry in new[len(known) :] if entry.seat != CHANCE]) == len(done) <= 1
        self.truth[name] = new

    @rule(at=process)
    def killed(self, at: int) -> None:
        """A process is gone with all it had in memory; another takes its place."""
        self.run(self.processes[at].finish())
        self.storages[at].close()
        self.storages[at] = Storage(self.address)
        self.processes[at] = LiveTables(self.storages[at])

    @rule(at=process)
    def hears(self, at: int) -> None:
        """The news come at last."""
        self.run(self.processes[at].refresh_all())

    def on_disk(self, name: str) -> list[LogEntry]:
        loaded = self.storages[0].load(name, with_snapshot=False)
        assert loaded is not None
        return loaded.entries

    @invariant()
    def the_database_says_what_was_acknowledged(self) -> None:
        for name, truth in self.truth.items():
            assert self.on_disk(name) == truth
            assert [entry.number for entry in truth] == list(range(len(truth)))
        assert shadow_log.altered_logs(self.storages[0].engine) == []

    @rule(name=tables)
    def both_show_the_same(self, name: str) -> None:
        shown = []
        for at in (0, 1):
            table = self.table(at, name)
            self.run(self.processes[at].refresh(table))
            shown.append([table.match.to_bytes(), *(table.match.view(seat).history for seat in (0, 1, None))])
            assert table.version == len(self.truth[name])
        assert shown[0] == shown[1]


#: Seconds.
HALF_AN_HOUR = 1_800


def checked(address: Any, examples: int, steps: int) -> None:
    quiet = list(HealthCheck)
    how = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=quiet, database=None
    )
    run_state_machine_as_test(lambda: Service(address()), settings=how)  # type: ignore[arg-type]


def test_the_service_keeps_to_the_model_on_sqlite() -> None:
    with tempfile.TemporaryDirectory() as folder:
        numbers = iter(range(10_000))
        checked(lambda: address_of(Path(folder) / str(next(numbers))), 6, 30)


def test_the_service_keeps_to_the_model_on_postgresql(postgres: Postgres) -> None:
    checked(postgres.new_database, 4, 25)


@pytest.mark.slow
@pytest.mark.parametrize("database", ["sqlite", "postgresql"])
def test_the_service_keeps_to_the_model_for_half_an_hour(
    database: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """On both databases, so an hour in all; each round draws schedules of its own."""
    postgres = request.getfixturevalue("postgres") if database == "postgresql" else None
    numbers = count()
    rounds, end = 0, time.monotonic() + HALF_AN_HOUR
    while time.monotonic() < end:
        checked(postgres.new_database if postgres else lambda: address_of(tmp_path / str(next(numbers))), 10, 100)
        rounds += 1
    SHOWN.append(f"the model on {database}: {10 * rounds} schedules of 100 steps")
