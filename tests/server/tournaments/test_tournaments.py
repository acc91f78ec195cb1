"""Tournaments through their services: whole ones, withdrawals, byes, restarts, and two processes that want the same."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from fractions import Fraction
from itertools import combinations
from typing import Any

import pytest
from sqlalchemy import func, select
from sqlalchemy.exc import IntegrityError

from malecon.kernel.errors import BadSetup
from malecon.server.accounts.accounts import Accounts
from malecon.server.errors import Refused
from malecon.server.moderation.moderation import BANNED, Moderation
from malecon.server.storage.database import address_of
from malecon.server.storage.schema import PAIRINGS, TABLES
from malecon.server.storage.store import Storage
from malecon.server.tables import timing
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tournaments import model, store
from malecon.server.tournaments.model import NoSuchTournament
from malecon.server.tournaments.runner import Tournaments
from malecon.server.tournaments.store import TournamentStore
from tests.server.postgres import Postgres
from tests.server.tournaments.club import Club, new_tournament, people


@pytest.fixture
def run(tmp_path: Any) -> Iterator[Callable[[int, Callable[[Club], Awaitable[None]]], None]]:
    def running(number: int, test: Callable[[Club], Awaitable[None]]) -> None:
        async def all_of_it() -> None:
            club = Club(address_of(tmp_path), number)
            try:
                await test(club)
            finally:
                await club.close()

        asyncio.run(all_of_it())

    return running  # type: ignore[return-value]


def test_a_whole_swiss(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(8)
        for number in (1, 2, 3):
            now = club.find(name)
            assert (now.state, now.round) == ("on", number)
            here = now.of_round(number)
            assert sorted(pairing.entrant for pairing in here) == list(range(1, 9))
            assert len({pairing.table for pairing in here}) == 4
            table = await club.tables.get(str(here[0].table))
            assert table.row.seats[here[0].seat or 0].name == f"Person{here[0].entrant}"
            assert table.row.tournament == name
            assert table.row.public
            await club.play_round(name)
        over = club.find(name)
        assert (over.state, over.round) == ("over", 3)
        met = Counter(
            pair for pairing in over.past() for table in pairing.tables for pair in combinations(sorted(table), 2)
        )
        assert set(met.values()) == {1}  # nobody meets again
        assert next(line.entrant for line in over.standings) == 8
        assert over.standings[0].score == 3
        assert sum(line.score for line in over.standings) == 12
        await club.tournaments.tick()
        assert club.find(name).revision == over.revision

    run(8, test)


def test_a_swiss_of_larger_tables_with_a_bye(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(5, players=4, rounds=2)
        for number in (1, 2):
            here = club.find(name).of_round(number)
            assert len([pairing for pairing in here if pairing.table is None]) == 1  # 4 and one left over
            await club.play_round(name)
        over = club.find(name)
        assert over.state == "over"
        assert len({pairing.entrant for pairing in over.pairings if pairing.table is None}) == 2
        assert {pairing.score for pairing in over.pairings if pairing.table is None} == {Fraction(1)}
        # the first who resigned comes in last together with the others who did
        assert {pairing.score for pairing in over.pairings if pairing.table is not None} == {
            Fraction(1),
            Fraction(1, 3),
        }

    run(5, test)


def test_a_whole_round_robin(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(5, format=model.ROUND_ROBIN, rounds=1)
        assert club.find(name).last_round == 5
        for _ in range(5):
            await club.play_round(name)
        over = club.find(name)
        assert over.state == "over"
        assert [line.entrant for line in over.standings] == [5, 4, 3, 2, 1]
        assert [line.score for line in over.standings] == [4, 3, 2, 1, 0]  # a bye counts nothing: all have one
        assert {line.byes for line in over.standings} == {1}

    run(5, test)


def test_an_entrant_who_withdraws_resigns_and_is_not_paired_again(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(4)
        first = next(pairing for pairing in club.find(name).of_round(1) if pairing.entrant == 1)
        await club.tournaments.leave(name, "person1")
        table = await club.tables.get(str(first.table))
        assert table.row.seats[first.seat or 0].resigned
        await club.tournaments.tick()
        decided = next(pairing for pairing in club.find(name).of_round(1) if pairing.entrant == 1)
        assert (decided.place, decided.beaten) == (2, 0)
        await club.play_round(name)
        assert sorted(pairing.entrant for pairing in club.find(name).of_round(2)) == [2, 3, 4]
        with pytest.raises(Refused):
            club.store.join(name, "person1")
        await club.tournaments.leave(name, "person2")
        await club.tournaments.leave(name, "person3")
        await club.play_round(name)
        assert club.find(name).state == "over"  # nobody is left to play with

    run(4, test)


def test_withdrawing_from_a_round_robin_leaves_walkovers(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(4, format=model.ROUND_ROBIN, rounds=1)
        await club.play_round(name)
        await club.tournaments.leave(name, "person4")
        for _ in range(4):
            await club.play_round(name)
        over = club.find(name)
        assert over.state == "over"
        assert Counter(pairing.walkover for pairing in over.pairings)[True] >= 1
        assert sum(line.games + line.byes for line in over.standings if line.entrant != 4) == 9

    run(4, test)


def test_an_account_that_is_deleted_leaves_no_name(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(3)
        other = await club.tournaments.open(new_tournament())
        club.store.join(other.id, "person3")
        await Accounts(club.storage).forget("person3", "Person3")
        for _ in range(3):
            await club.play_round(name)
        over = club.find(name)
        assert over.state == "over"
        assert over.entrants[2].person is None
        assert over.entrants[2].withdrawn is not None
        assert 3 not in club.store.names_of(over)
        assert club.find(other.id).entrants == ()

    run(3, test)


def test_a_banned_entrant_is_not_paired_any_more(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(4)
        Moderation(club.storage).sanction("person2", BANNED)
        await club.play_round(name)
        assert sorted(pairing.entrant for pairing in club.find(name).of_round(2)) == [1, 3, 4]
        await club.tournaments.end(name)
        assert club.find(name).state == "ended"
        await club.play_round(name)
        assert club.find(name).round == 2

    run(4, test)


def test_entering_and_starting(run: Any) -> None:
    async def test(club: Club) -> None:
        opened = await club.tournaments.open(new_tournament(most=3, fewest=3, starts=time.time() - 1))
        with pytest.raises(NoSuchTournament):
            club.store.join("nowhere", "person1")
        for person in ("person1", "person2", "person2"):
            club.store.join(opened.id, person)
        with pytest.raises(Refused, match="3"):
            await club.tournaments.start(opened.id)
        club.store.leave(opened.id, "person1")
        club.store.join(opened.id, "person3")
        club.store.join(opened.id, "person1")
        with pytest.raises(Refused, match="full"):
            club.store.join(opened.id, "person4")
        await club.tournaments.tick()  # its time has come
        assert club.find(opened.id).state == "on"
        late = await club.tournaments.open(new_tournament(starts=time.time() - 1))
        await club.tournaments.tick()
        assert club.find(late.id).state == "called-off"  # nobody came
        assert [listing.tournament.id for listing in club.store.listed("person9")] == [opened.id]
        for _ in range(store.MOST_HELD - 1):
            await club.tournaments.open(new_tournament(public=False))
        with pytest.raises(Refused, match="running"):
            await club.tournaments.open(new_tournament())
        assert len(club.store.listed("person1")) == 1  # by link only: they are not shown
        assert len(club.store.listed("host")) == store.MOST_HELD
        assert club.store.open_number() == 0

    run(4, test)


@pytest.mark.parametrize(
    "more",
    [
        {"players": 5},
        {"rounds": 0},
        {"rounds": 16},
        {"format": "knock-out"},
        {"fewest": 1},
        {"fewest": 9, "most": 8},
        {"most": 129},
        {"format": model.ROUND_ROBIN, "most": 17},
        {"clock": "sundial"},
        {"lowest": 30.0, "highest": 20.0},
        {"starts": 9e9},
        {"name": "x" * 61},
        {"format": model.SERIES, "bot": "nobody"},
        {"options": {"nonsense": True}},
    ],
)
def test_invalid_tournaments_are_refused(more: dict[str, Any]) -> None:
    with pytest.raises(BadSetup):
        model.check(replace(new_tournament(), **more), time.time())


def test_the_clock_sees_to_it_that_rounds_end(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(2, clock="day", time_up=timing.RESIGN)
        (table_name,) = club.find(name).tables
        table = await club.tables.get(table_name)
        assert table.row.turn_seconds == 86_400
        club.storage.set_values(table.row, deadline=time.time() - 1)
        await club.tables.time_up(table)
        await club.tournaments.tick()
        now = club.find(name)
        assert now.round == 2
        assert sorted(pairing.beaten or 0 for pairing in now.of_round(1)) == [0, 2]

    run(2, test)


def test_a_game_that_all_stop_is_a_tie(run: Any) -> None:
    async def test(club: Club) -> None:
        name = await club.begin(3, players=3)
        (table_name,) = club.find(name).tables
        table = await club.tables.get(table_name)
        for person in people(3):
            await club.tables.agree_to_stop(table, person, True)
        await club.tournaments.tick()
        assert {pairing.score for pairing in club.find(name).of_round(1)} == {Fraction(1, 2)}

    run(3, test)


#: Looks after all tournaments until there is nothing left to do, as a server does, but without a pause.
LOOKING = """
import asyncio, sys
from tests.server.tournaments.club import Club

async def look():
    club = Club(sys.argv[1])
    print("looking", flush=True)
    while club.find(sys.argv[2]).state != "over":
        await club.tournaments.tick()
    await club.close()

asyncio.run(look())
"""


@pytest.mark.slow
def test_processes_that_are_killed_leave_no_half_rounds(postgres: Postgres) -> None:
    """Three processes look after one tournament, and one after the other is killed at some moment of some round."""
    address, rounds = postgres.new_database(), 6

    def looking(name: str) -> subprocess.Popen[str]:
        command = [sys.executable, "-c", LOOKING, address, name]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert process.stdout
        assert process.stdout.readline() == "looking\n"
        return process

    async def test() -> None:
        club = Club(address, 16)
        name = await club.begin(16, rounds=rounds)
        processes = [looking(name) for _ in range(3)]
        try:
            for number in range(1, rounds + 1):
                end = time.monotonic() + 60
                while club.find(name).round < number:
                    assert time.monotonic() < end
                    await asyncio.sleep(0.01)
                here = club.find(name)
                assert len(here.of_round(number)) == 16
                tables = [at for at in here.tables.values() if at[0].round == number]
                assert len(tables) == 8
                for at in tables:
                    table = await club.tables.get(str(at[0].table))
                    await club.tables.resign(table, f"person{at[0].entrant}", 0)
                await asyncio.sleep(random.Random(number).random() / 20)
                with processes.pop(0) as killed:
                    killed.kill()
                processes.append(looking(name))
            end = time.monotonic() + 60
            while club.find(name).state != "over":
                assert time.monotonic() < end
                await asyncio.sleep(0.01)
        finally:
            for process in processes:
                with process:
                    process.kill()
        with club.storage.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(TABLES)).scalar() == 8 * rounds
        await club.close()

    asyncio.run(test())


def test_a_series_against_bots(run: Any) -> None:
    async def test(club: Club) -> None:
        chosen = new_tournament(format=model.SERIES, players=3, rounds=4, bot="turista", owner="person1", clock="none")
        series = await club.tournaments.open(chosen)
        seats = []
        for number in range(1, 5):
            now = club.find(series.id)
            (mine,) = now.of_round(number)
            table = await club.tables.get(str(mine.table))
            seats.append(mine.seat)
            assert [seat.bot for seat in table.row.seats].count("turista") == 2
            assert table.row.seats[mine.seat or 0].person == "person1"
            assert table.row.owner == "person1"
            await club.tables.resign(table, "person1", mine.seat or 0)
            await club.tournaments.tick()
            if number < 4:
                assert table.row.rematch == club.find(series.id).of_round(number + 1)[0].table
        over = club.find(series.id)
        assert seats == [0, 1, 2, 0]
        assert (over.state, over.score) == ("over", 0)
        assert {(pairing.place, pairing.opponents) for pairing in over.pairings} == {(3, 2)}
        again = await club.tournaments.open(chosen)
        await club.tournaments.leave(again.id, "person1")
        assert club.find(again.id).state == "over"

    run(1, test)


def test_a_round_begins_once_and_whole(database: str) -> None:
    """Two processes want to begin the same rounds at the same moment, many times."""

    async def test() -> None:
        clubs = [Club(database, 8), Club(database)]
        name = await clubs[0].begin(8, rounds=5)
        for number in range(1, 6):
            assert clubs[1].find(name).round == number
            for table_name, seated in clubs[0].find(name).tables.items():
                if seated[0].round == number:
                    table = await clubs[number % 2].tables.get(table_name)
                    await clubs[number % 2].tables.resign(table, f"person{seated[0].entrant}", 0)
            await asyncio.gather(*(club.tournaments.tick() for club in clubs * 2))
        over = clubs[1].find(name)
        assert (over.state, over.round) == ("over", 5)
        with clubs[0].storage.engine.connect() as connection:
            assert connection.execute(select(func.count()).select_from(TABLES)).scalar() == 20
            assert connection.execute(select(func.count()).select_from(PAIRINGS)).scalar() == 40
        for club in clubs:
            await club.close()

    asyncio.run(test())


def test_of_many_who_begin_the_same_round_one_does(database: str) -> None:
    storages = [Storage(database), Storage(database)]
    stores = [TournamentStore(storage) for storage in storages]
    club = Tournaments(storages[0], LiveTables(storages[0]))
    opened = stores[0].open(new_tournament(players=3))
    for person in people(6):
        stores[0].join(opened.id, person)
    known = stores[1].find(opened.id)
    new = known.next_round()
    assert new is not None
    made = [club._new_tables(known, new) for _ in range(6)]
    with ThreadPoolExecutor(6) as pool:
        done = list(
            pool.map(
                lambda number: stores[number % 2].begin_round(known, new, list(made[number]), made[number], None),
                range(6),
            )
        )
    assert sorted(done) == [False] * 5 + [True]
    now = stores[1].find(opened.id)
    assert set(now.tables) == set(made[done.index(True)])
    with storages[0].engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(TABLES)).scalar() == 2
    for storage in storages:
        storage.close()


def test_a_round_is_there_whole_or_not_at_all(database: str) -> None:
    """What breaks between two tables of a round leaves nothing behind, and the round can be tried again."""
    storage = Storage(database)
    held = TournamentStore(storage)
    club = Tournaments(storage, LiveTables(storage))
    opened = held.open(new_tournament())
    for person in people(4):
        held.join(opened.id, person)
    known = held.find(opened.id)
    new = known.next_round()
    assert new is not None
    made = dict(club._new_tables(known, new))
    first, second = made
    broken = made | {second: made[first]}  # the second table cannot be written: there is one of that name
    with pytest.raises(IntegrityError):
        held.begin_round(known, new, [first, second], broken, None)
    assert held.find(opened.id) == known
    with storage.engine.connect() as connection:
        assert connection.execute(select(func.count()).select_from(TABLES)).scalar() == 0
    assert held.begin_round(known, new, [first, second], made, None)
    assert len(held.find(opened.id).tables) == 2
    storage.close()


def test_a_round_survives_a_restart(tmp_path: Any) -> None:
    """A server stops after some results; the next one takes the others, and goes on."""

    async def first() -> str:
        club = Club(address_of(tmp_path), 4)
        name = await club.begin(4)
        tables = list(club.find(name).tables)
        table = await club.tables.get(tables[0])
        await club.tables.resign(table, table.row.seats[0].person or "", 0)  # and nobody has noted it yet
        await club.close()
        return name

    async def second(name: str) -> None:
        club = Club(address_of(tmp_path))
        await club.tournaments.tick()
        assert Counter(pairing.is_decided for pairing in club.find(name).of_round(1)) == {True: 2, False: 2}
        await club.play_round(name)
        assert club.find(name).round == 2
        await club.close()

    asyncio.run(second(asyncio.run(first())))
