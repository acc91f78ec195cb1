"""Random schedules of people who plan, two processes, kills and restarts: no plan makes a move that it must not.

The model beside the service knows the last plans of each person that were acknowledged. A move that nobody made must be
legal, be the last answer that was given or what an order in force chooses, on the board it was made for, and only once.
"""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as some
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from malecon.kernel.errors import MaleconError
from malecon.kernel.questions import order_kind, question_at, questions_of
from malecon.kernel.view import legal_codes
from malecon.server.pages import table_view
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table
from tests.server.orders.days import PEOPLE, open_for
from tests.server.postgres import Postgres

process, seat_number = some.sampled_from((0, 1)), some.integers(0, 2)


@dataclass
class Given:
    """An answer that was acknowledged: with what its giver could do then, and what that cost."""

    move: str
    legal: list[int]
    cost: int


@dataclass
class Known:
    """What the model knows of a seat's plans."""

    answers: dict[str, Given] = field(default_factory=dict)
    orders: set[str] = field(default_factory=set)


class Planning(RuleBasedStateMachine):
    """Three people at one table of two processes."""

    def __init__(self, address: str) -> None:
        super().__init__()
        self.loop = asyncio.new_event_loop()
        self.address = address
        self.storages = [Storage(address), Storage(address)]
        self.processes = [LiveTables(storage) for storage in self.storages]
        self.known = [Known() for _ in range(3)]
        self.name = ""
        self.automatic = 0

    def teardown(self) -> None:
        for live_tables in self.processes:
            self.run(live_tables.finish())
        for storage in self.storages:
            storage.close()
        self.loop.close()

    def run(self, work: Any) -> Any:
        return self.loop.run_until_complete(work)

    def table(self, at: int) -> Table:
        return self.run(self.processes[at].get(self.name))

    @initialize(game=some.sampled_from(("santiago", "cuba")), screens=some.booleans(), start=some.integers(0, 120))
    def opens(self, game: str, screens: bool, start: int) -> None:
        options = {"open_screens": screens} if game == "santiago" else {"envoys": screens}
        table = self.run(open_for(self.processes[0], game, 3, options=options))
        self.name = table.id
        for step in range(start):  # so that schedules meet every part of a game
            self.chosen(table, 0, step * 7 + start)

    def chosen(self, table: Table, at: int, choice: int) -> None:
        turn = table.match.turn
        if turn is None:
            return
        legal = list(table.match.legal_moves)
        self.run(self.processes[at].move(table, PEOPLE[turn], str(legal[choice % len(legal)]), table.version))

    @rule(at=process, choice=some.integers(0, 60))
    def moves(self, at: int, choice: int) -> None:
        table = self.table(at)
        turn, question = table.match.turn, None
        if turn is not None:
            question = question_at(table.match.game, table.match.position, turn)
        try:
            self.chosen(table, at, choice)
        except MaleconError:
            return
        if turn is not None and question is not None:
            self.known[turn].answers.pop(question.key, None)

    @rule(at=process, seat=seat_number, choice=some.integers(0, 60), which=some.integers(0, 1))
    def answers(self, at: int, seat: int, choice: int, which: int) -> None:
        table = self.table(at)
        early = table.early_questions(seat)
        if not early:
            return
        question = early[which % len(early)].question
        asked = question.asked(table.match.view(seat).position, seat)
        legal = legal_codes(table.match.game, asked)
        code = legal[choice % len(legal)]
        move = table.match.game.notation.name(code)
        try:
            self.run(self.processes[at].answer(table, PEOPLE[seat], question.key, move, table.version))
        except MaleconError:
            return
        stored = table.row.seats[seat].plans.answer_to(question.key)
        if stored is not None and stored.move == move:
            self.known[seat].answers[question.key] = Given(move, legal, question.cost(asked, code))

    @rule(at=process, seat=seat_number, key=some.integers(0, 6))
    def withdraws(self, at: int, seat: int, key: int) -> None:
        table = self.table(at)
        questions = questions_of(table.match.game)
        try:
            question = questions[key % len(questions)].key
            self.run(self.processes[at].withdraw_answer(table, PEOPLE[seat], question))
        except MaleconError:
            return
        self.known[seat].answers.pop(question, None)

    @rule(at=process, seat=seat_number, choice=some.integers(0, 20))
    def orders(self, at: int, seat: int, choice: int) -> None:
        table = self.table(at)
        view = table.match.view(seat)
        offers = table_view.offered_orders(table, view, table.match.turn == seat)
        if not offers:
            return
        order = offers[choice % len(offers)].order
        known = order_kind(table.match.game, order.kind)
        assert known is not None
        try:
            self.run(self.processes[at].give_order(table, PEOPLE[seat], order))
        except MaleconError:
            return
        self.known[seat].orders -= {kind.key for kind in known[0].orders}
        self.known[seat].orders.add(order.kind)
        self.known[seat].answers.pop(known[0].key, None)

    @rule(at=process, seat=seat_number)
    def stops(self, at: int, seat: int) -> None:
        table = self.table(at)
        for kind in sorted(self.known[seat].orders):
            try:
                self.run(self.processes[at].stop_order(table, PEOPLE[seat], kind))
            except MaleconError:
                return
            self.known[seat].orders.discard(kind)

    @rule(at=process, seat=seat_number)
    def undoes(self, at: int, seat: int) -> None:
        try:
            self.run(self.processes[at].undo(self.table(at), PEOPLE[seat]))
        except MaleconError:
            return
        for known in self.known:
            known.answers.clear()  # a plan that was made for a board that is gone may never be used

    @rule(at=process, both=some.booleans())
    def plays_planned(self, at: int, both: bool) -> None:
        """Autoplay makes the planned move, in one process or in both at once."""
        table = self.table(at)
        if not table.is_automatic:
            return
        seat, match = table.match.turn, table.match.copy()
        assert seat is not None
        question = question_at(match.game, match.position, seat)
        before = self.entries()
        others = [self.table(1 - at)] if both else []
        works = [
            self.processes[number].automatic_move(each, seat, each.version)
            for number, each in ((at, table), *((1 - at, other) for other in others))
        ]

        async def all_of_them() -> list[Any]:
            return await asyncio.gather(*works, return_exceptions=True)

        done = [error for error in self.run(all_of_them()) if error is None]
        new = [entry for entry in self.entries()[len(before) :] if entry.seat >= 0]
        assert len(new) == len(done)
        if not new or new[0].number != len(match):  # the other process was further, or nothing happened
            return
        first = new[0]
        assert first.automatic
        assert match.game.notation.code(first.move) in match.legal_moves.codes
        assert question is not None
        given = self.known[seat].answers.pop(question.key, None)
        ordered = self.known[seat].orders & {kind.key for kind in question.orders}
        assert given is not None or ordered or len(match.legal_moves) == 1, "nobody planned this"
        if given is not None and not ordered:
            assert first.move == given.move
            assert match.legal_moves.codes == given.legal
            assert question.cost(match.view(seat).position, match.game.notation.code(first.move) or 0) == given.cost
        self.automatic += 1

    def entries(self) -> list[Any]:
        loaded = self.storages[0].load(self.name, with_snapshot=False)
        assert loaded is not None
        return loaded.entries

    @rule(at=process)
    def killed(self, at: int) -> None:
        """A process is gone with all it had in memory; another takes its place."""
        self.run(self.processes[at].finish())
        self.storages[at].close()
        self.storages[at] = Storage(self.address)
        self.processes[at] = LiveTables(self.storages[at])

    @rule(at=process)
    def hears(self, at: int) -> None:
        self.run(self.processes[at].refresh_all())


def checked(address: Any, examples: int, steps: int) -> None:
    quiet = list(HealthCheck)
    how = settings(
        max_examples=examples, stateful_step_count=steps, deadline=None, suppress_health_check=quiet, database=None
    )
    run_state_machine_as_test(lambda: Planning(address()), settings=how)  # type: ignore[arg-type]


def test_plans_keep_to_the_model_on_sqlite() -> None:
    with tempfile.TemporaryDirectory() as folder:
        numbers = count()
        checked(lambda: address_of(Path(folder) / str(next(numbers))), 15, 40)


def test_plans_keep_to_the_model_on_postgresql(postgres: Postgres) -> None:
    checked(postgres.new_database, 4, 30)


@pytest.mark.slow
def test_plans_keep_to_the_model_for_long(tmp_path: Path) -> None:
    numbers = count()
    checked(lambda: address_of(tmp_path / str(next(numbers))), 400, 80)
