"""Games over days: how many hand-overs, and how many days, answers before one's turn and standing orders save.

Four people play by the real service and look in twice a day, each at hours of their own. On their turn they do what the
bot `greedy` would do, as long as it is their turn. Everybody has fixed habits, of their own, for what is asked out of
turn: what to give El Zorro, what to deliver, which tax to pay and with what the duty. Where a habit does not say, and
for bids, the bot decides. The same people, with the same hours and habits, play without plans, with answers before
their turn only, and with their habits as orders as well. A move that was made for somebody is compared with what that
person would have chosen at that moment.

    .venv/bin/python benchmarks/days.py --games 10
"""

from __future__ import annotations

import argparse
import asyncio
import random
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from malecon import bots
from malecon.kernel.positions import as_array
from malecon.kernel.questions import Order, SharedQuestion, order_kind, question_at
from malecon.kernel.view import View
from malecon.server.orders.planned_moves import asked_view
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from malecon.server.tables.table import Table

PLAYERS = 4
#: The hours at which people look in, on average, and how far a person's own hours and a day's are from that.
HOURS = (8.0, 20.0)
OWN_SPREAD, DAILY_SPREAD = 2.0, 0.75
LOADS = ("cigars", "rum", "citrus", "tobacco", "sugar", "wood")
#: How people play: without plans, with answers before their turn, with standing orders as well.
WITHOUT, EARLY, ORDERS = "without", "early answers", "early answers and orders"
#: The habits of the four people in each game, as the orders that they would give.
HABITS = {
    "santiago": [
        (Order("give", gifts), Order("deliver", loads, least))
        for gifts, loads, least in (
            (("peso", "sugar", "tobacco", "citrus", "rum", "cigars", "point"), LOADS, 3),
            (("sugar", "peso", "citrus", "tobacco", "rum", "cigars", "point"), LOADS[::-1], 2),
            (("point", "peso", "sugar", "tobacco", "citrus", "rum", "cigars"), LOADS, 4),
            (("tobacco", "citrus", "sugar", "peso", "point", "rum", "cigars"), LOADS, 2),
        )
    ],
    "cuba": [
        (Order("pay tax", limit=most), Order("pay duty", goods))
        for most, goods in (
            (3, ("water", "wood", "stone", "sugar", "tobacco", "citrus")),
            (2, ("stone", "wood", "water", "citrus", "tobacco", "sugar")),
            (4, ("wood", "water", "stone", "tobacco", "sugar", "citrus")),
            (6, ("water", "stone", "wood", "sugar", "citrus", "tobacco")),
        )
    ],
}


@dataclass
class Played:
    """What was counted in some games."""

    games: int = 0
    days: float = 0.0
    handovers: int = 0  # the table begins to wait for people for whom it did not wait before
    out_of_turn: int = 0  # those of them for a question that several seats are asked
    automatic: int = 0  # moves that plans made
    not_theirs: int = 0  # those of them that their owner would not have made
    by_question: dict[str, int] = field(default_factory=dict)


def choice_of(view: View, question: SharedQuestion | None) -> str:
    """Return what the person whose view this is chooses when asked: by habit, or what the bot would do."""
    assert view.seat is not None
    for habit in HABITS[view.game.name][view.seat]:
        known = order_kind(view.game, habit.kind)
        if known is not None and known[0] is question:
            code = known[1].choose(view.position, habit)
            if code is not None:
                return view.game.notation.name(code)
    if question is not None and question.together:
        view = _as_if_alone(view)
    return str(bots.make("greedy").choose(view))


def _as_if_alone(view: View) -> View:
    """Return a view in which nobody else is asked: a sealed bid does not depend on how many have been laid before."""
    position = as_array(view.position)[0]
    position.bidders = 1 << (view.seat or 0)
    return View(view.game, view.seat, position, view.history, view.names, view.options)


def visits(seed: int) -> Iterator[tuple[float, int]]:
    """Yield who looks in when, in days."""
    dice = random.Random(seed)
    own = [[hour + dice.uniform(-OWN_SPREAD, OWN_SPREAD) for hour in HOURS] for _ in range(PLAYERS)]
    day = 0
    while True:
        today = [
            (day + (hour + dice.uniform(-DAILY_SPREAD, DAILY_SPREAD)) / 24, seat)
            for seat, hours in enumerate(own)
            for hour in hours
        ]
        yield from sorted(today)
        day += 1


class Days:
    """One game of people who look in, with plans or without."""

    def __init__(self, tables: LiveTables, table: Table, how: str, counted: Played) -> None:
        self.tables, self.table, self.counted = tables, table, counted
        self.plans = how != WITHOUT
        self.waited_for: tuple[int, ...] = ()

    def person(self, seat: int) -> str:
        return f"person {seat}"

    def view_of(self, seat: int) -> tuple[View, SharedQuestion | None]:
        view = self.table.match.view(seat)
        return view, question_at(view.game, view.position, seat)

    async def look_in(self, seat: int) -> None:
        """Do everything that this person can do now."""
        table, match = self.table, self.table.match
        while not table.match.is_over:
            await self.go_on()
            match = table.match
            if match.turn != seat:
                break
            view, question = self.view_of(seat)
            await self.tables.move(table, self.person(seat), choice_of(view, question))
            self.count()
        if not self.plans or table.match.is_over:
            return
        for early in table.early_questions(seat):
            has_order = any(
                known is not None and known[0] is early.question
                for known in (order_kind(match.game, order.kind) for order in table.row.seats[seat].plans.orders)
            )
            if early.answer is None and not has_order:
                asked = asked_view(table.match.view(seat), early.question)
                move = choice_of(asked, early.question)
                await self.tables.answer(table, self.person(seat), early.question.key, move, table.version)

    async def go_on(self) -> None:
        """Make the moves that need nobody, as autoplay does."""
        while self.table.is_automatic:
            seat = self.table.match.turn
            assert seat is not None
            view, question = self.view_of(seat)
            forced = len(view.legal_moves) == 1
            choice = choice_of(view, question)
            await self.tables.automatic_move(self.table, seat, self.table.version)
            if not forced:
                self.counted.automatic += 1
                made = next(e for e in reversed(self.table.game_log.moves) if e.seat >= 0)
                self.counted.not_theirs += made.move != choice
            self.count()

    def count(self) -> None:
        """Count a hand-over if the table waits for somebody for whom it did not wait before."""
        if self.table.is_automatic or self.table.match.is_over:
            return
        turn = self.table.match.turn
        assert turn is not None
        now = self.table.asked_seats if self.plans else (turn,)
        if not set(now) <= set(self.waited_for):
            question = self.view_of(turn)[1]
            self.counted.handovers += 1
            if question is not None:
                self.counted.out_of_turn += 1
                self.counted.by_question[question.key] = self.counted.by_question.get(question.key, 0) + 1
        self.waited_for = now


async def play(tables: LiveTables, game: str, seed: int, how: str, counted: Played) -> None:
    seats = tuple(NewSeat("person", person=f"person {seat}") for seat in range(PLAYERS))
    table = await tables.open(NewTable(game, seats), "person 0")
    days = Days(tables, table, how, counted)
    if how == ORDERS:
        for seat in range(PLAYERS):
            for habit in HABITS[game][seat]:
                await tables.give_order(table, days.person(seat), habit)
    for when, seat in visits(seed):
        await days.look_in(seat)
        if table.match.is_over:
            counted.games += 1
            counted.days += when
            return


async def simulate(game: str, games: int, how: str) -> Played:
    counted = Played()
    with tempfile.TemporaryDirectory() as folder:
        storage = Storage(address_of(Path(folder) / "days"))
        tables = LiveTables(storage)
        try:
            for seed in range(games):
                await play(tables, game, seed, how, counted)
        finally:
            await tables.finish()
            storage.close()
    return counted


def main(arguments: list[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--games", type=int, default=10, help="of each kind")
    games = parser.parse_args(arguments).games
    for game in HABITS:
        results = {how: asyncio.run(simulate(game, games, how)) for how in (WITHOUT, EARLY, ORDERS)}
        without = results[WITHOUT]
        for how, counted in results.items():
            questions = ", ".join(f"{key} {n / games:.1f}" for key, n in sorted(counted.by_question.items()))
            gone, saved = 1 - counted.out_of_turn / without.out_of_turn, 1 - counted.days / without.days
            print(
                f"{game}, {how}: {counted.days / games:.1f} days per game ({saved:.0%} fewer),"
                f" {counted.handovers / games:.1f} hand-overs,"
                f" {counted.out_of_turn / games:.1f} of them out of turn ({gone:.0%} gone; {questions or 'none'});"
                f" {counted.automatic / games:.1f} moves by plans, {counted.not_theirs} not their owner's choice"
            )


if __name__ == "__main__":
    main(sys.argv[1:])
