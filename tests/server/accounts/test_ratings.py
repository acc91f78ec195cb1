"""Ratings and statistics: who is rated for what, once, whichever process counts."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path

from sqlalchemy import insert
from starlette.testclient import TestClient

from malecon.match import Outcome
from malecon.match.dice import Dice
from malecon.server.accounts.ratings import MU, Ratings, final_places, rated_seats
from malecon.server.storage.database import address_of
from malecon.server.storage.rows import BOT, OPEN, PERSON, SeatRow, TableRow
from malecon.server.storage.schema import ACCOUNTS
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.opening import NewTable
from malecon.server.tables.seats import NewSeat
from tests.server.people import Player, register, until

ANA, BEA, GUEST = (SeatRow(PERSON, person=name) for name in ("ana", "bea", "guest"))
LEVEL = SeatRow(BOT, bot="comerciante")
ACCOUNT = {"password": "", "epoch": 1, "created": 0.0}
KNOWN = {"ana", "bea"}


def table(*seats: SeatRow, name: str = "t") -> TableRow:
    dice = Dice.new(0)
    return TableRow(name, "santiago", 1, len(seats), "ana", seats, over=True, dice=dice)


def outcome(*places: int) -> Outcome:
    winners = tuple(seat for seat, place in enumerate(places) if place == 1)
    return Outcome(winners, places, tuple(40 - place for place in places), "points")


def storage_with(address: str, *rows: TableRow) -> Storage:
    storage = Storage(address)
    people = [{"person": name, "name": name, "key": name, "skeleton": name} | ACCOUNT for name in sorted(KNOWN)]
    storage.write(lambda connection: connection.execute(insert(ACCOUNTS), people))
    for row in rows:
        storage.create(row, [])
    return storage


def test_who_is_rated() -> None:
    assert rated_seats(table(ANA, BEA), KNOWN) == {0: "ana", 1: "bea"}
    assert rated_seats(table(ANA, LEVEL, LEVEL), KNOWN) == {0: "ana", 1: "bot:comerciante", 2: "bot:comerciante"}
    assert rated_seats(table(ANA, GUEST, BEA), KNOWN) == {0: "ana", 2: "bea"}
    assert rated_seats(table(ANA, GUEST), KNOWN) == {}  # nobody to compare with
    assert rated_seats(table(GUEST, LEVEL), KNOWN) == {}  # bots alone prove nothing
    assert rated_seats(table(ANA, ANA, LEVEL), KNOWN) == {}  # at one screen
    assert rated_seats(table(ANA, SeatRow(OPEN, bot="aprendiz", taken_over=True)), KNOWN) == {}
    assert rated_seats(table(ANA, BEA, replace(ANA, person="carla", taken_over=True)), KNOWN | {"carla"}) == {
        0: "ana",
        1: "bea",
    }
    assert rated_seats(replace(table(ANA, BEA), dice=Dice.new(30)), KNOWN) == {}  # from an old position
    assert rated_seats(replace(table(ANA, BEA), dice=None), KNOWN) == {}


def test_who_resigned_comes_last() -> None:
    assert final_places([1, 2, 3], [ANA, BEA, LEVEL]) == [1, 2, 3]
    assert final_places([1, 2, 3], [replace(ANA, resigned=True), BEA, LEVEL]) == [3, 1, 2]
    assert final_places([1, 1, 3], [ANA, BEA, replace(LEVEL, resigned=True)]) == [1, 1, 3]


def test_a_game_is_counted_once(database: str) -> None:
    rows = [table(ANA, BEA, LEVEL, name=f"t{number}") for number in range(6)]
    storage = storage_with(database, *rows)
    others = [Ratings(Storage(database)) for _ in range(3)]
    with ThreadPoolExecutor(6) as pool:
        counted = list(
            pool.map(lambda job: job[0].settle(job[1], outcome(1, 3, 2)), [(o, r) for r in rows for o in others])
        )
    assert sum(counted) == len(rows)
    ratings = Ratings(storage)
    (ana,), (bea,) = ratings.statistics("ana"), ratings.statistics("bea")
    assert (ana.games, ana.wins, ana.place) == (6, 6, 1.0)
    assert (bea.games, bea.wins, bea.points) == (6, 0, 37.0)
    bot = ratings.of_bots()["santiago", 3]["comerciante"]
    assert ana.rating is not None
    assert bea.rating is not None
    assert ana.rating.mu > bot.mu > bea.rating.mu
    assert ana.rating.games == bot.games == 6
    assert ana.rating.sigma < 8
    assert len(ratings.results("ana")) == 6
    for other in others:
        other._storage.close()
    storage.close()


def test_numbers_of_players_are_rated_apart_and_guests_not_at_all(database: str) -> None:
    pair, three = table(BEA, LEVEL, name="pair"), table(ANA, GUEST, LEVEL, name="three")
    storage = storage_with(database, pair, three)
    ratings = Ratings(storage)
    ratings.settle(pair, outcome(2, 1))
    ratings.settle(three, outcome(2, 1, 3))  # the guest won: among the rated Ana did
    (bea,), (ana,) = ratings.statistics("bea"), ratings.statistics("ana")
    assert bea.rating is not None
    assert ana.rating is not None
    assert bea.rating.mu < MU < ana.rating.mu
    assert (ana.place, ana.wins) == (2.0, 0)  # the statistics tell the place she had
    assert set(ratings.of_bots()) == {("santiago", 2), ("santiago", 3)}
    assert ratings.statistics("guest") == []
    storage.close()


def test_a_game_to_the_end(client: TestClient) -> None:
    ana = Player(client)
    register(ana)
    opened = ana.open("me", "bot:random")
    state = ana.my_turn(opened["id"])
    while state["turn"] is not None:
        state = ana.move(opened["id"], state["legal"][0]["move"]).json()
        state = state if state["legal"] or state["turn"] is None else ana.my_turn(opened["id"])
    mine = until(lambda: ana.get("/api/account").json(), lambda account: account["results"])
    (result,), (statistics,) = mine["results"], mine["statistics"]
    assert (result["table"], result["game"], result["players"]) == (opened["id"], "santiago", 2)
    assert result["place"] == state["result"]["places"][0]
    assert result["points"] == state["result"]["points"][0]
    assert result["rated"]
    assert (statistics["games"], statistics["rating"]["games"]) == (1, 1)
    token = ana.headers["authorization"].split()[1]
    page = client.get("/account", headers={"cookie": f"malecon-session={token}"}).text
    assert f'href="/tables/{opened["id"]}"' in page
    assert f"{statistics['rating']['mu']:.1f}" in page


ALONE = NewTable("santiago", (NewSeat("me"), NewSeat("me")), automatic=False)


def test_a_game_that_is_not_over_is_not_rated(tmp_path: Path) -> None:
    storage = Storage(address_of(tmp_path))
    table = asyncio.run(LiveTables(storage).open(ALONE, "ana"))
    assert not Ratings(storage).settle(table.row, None)
    loaded = storage.load(table.id)
    assert loaded is not None
    assert not loaded.row.result_recorded
    storage.close()
