"""The lobby: tables that wait for players, finding a game, who is here; on one process and on two."""

from __future__ import annotations

import asyncio
import random
import re
import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from sqlalchemy import update
from starlette.testclient import TestClient

from malecon.kernel.errors import BadSetup
from malecon.server.errors import Forbidden, NotYourSeat, Refused
from malecon.server.lobby import lobby as lobby_module
from malecon.server.lobby.store import EXPIRY_SECONDS, MOST_PER_PERSON, LobbyStore
from malecon.server.lobby.waiting import NoSuchWaitingTable, SeatCandidate, SeatsTaken, WaitingSeat, WaitingTable
from malecon.server.storage.schema import WAITING
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import new_table
from malecon.server.web.app import create_app
from tests.server.cluster import processes, wait_until
from tests.server.lobby.waiting_tables import waiting
from tests.server.people import HERE, Browser, registered, services_of
from tests.server.postgres import Postgres

LATER = 4e9


@pytest.fixture
def store(database: str) -> Iterator[LobbyStore]:
    storage = Storage(database)
    yield LobbyStore(storage)
    storage.close()


@pytest.mark.parametrize("races", [160, pytest.param(1_000, marks=pytest.mark.slow)])
def test_two_never_get_the_same_seat(database: str, races: int) -> None:
    """Eight people at three free seats, through two servers, every time."""
    storages = [Storage(database), Storage(database)]
    stores = [LobbyStore(storage) for storage in storages]
    tables = [stores[0].open(waiting(f"owner{number}", 4)) for number in range(races // 8)]
    wants = [(table.id, f"guest{number}", number % 2) for table in tables for number in range(8)]
    random.Random(5).shuffle(wants)
    gate = threading.Barrier(8)
    outcomes: Counter[str] = Counter()

    def try_all(mine: list[tuple[str, str, int]]) -> None:
        gate.wait()
        for name, person, process in mine:
            try:
                stores[process].join(name, SeatCandidate(f"{name}{person}", person))
                outcomes["seated"] += 1
            except SeatsTaken:
                outcomes["refused"] += 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(try_all, [wants[start::8] for start in range(8)]))
    assert outcomes == {"seated": 3 * races // 8, "refused": 5 * races // 8}
    for table in tables:
        now = stores[1].find(table.id)
        assert now.is_full
        assert len(set(now.people)) == 4
    for storage in storages:
        storage.close()


def test_a_table_starts_once_if_several_start_it(database: str) -> None:
    storages = [Storage(database), Storage(database)]
    stores = [LobbyStore(storage) for storage in storages]
    for _ in range(20):
        opened = stores[0].open(waiting("ana"))
        full = stores[1].join(opened.id, SeatCandidate("bea", "Bea"))
        assert full.starts_with(0) == 2
        row, entries = new_table(full.game_of(2), full.owner)
        rows = [row, new_table(full.game_of(2), full.owner)[0]]
        with ThreadPoolExecutor(2) as pool:
            done = list(pool.map(lambda n, f=full, r=rows, e=entries: stores[n].start(f, r[n], e), (0, 1)))
        assert sorted(done) == [False, True]
        assert stores[0].find(opened.id).table == rows[done.index(True)].id
        with pytest.raises(NoSuchWaitingTable):
            stores[0].leave(opened.id, "bea")
    for storage in storages:
        storage.close()


def test_leaving_frees_the_seat(store: LobbyStore) -> None:
    opened = store.open(waiting("ana", 3))
    store.join(opened.id, SeatCandidate("bea", "Bea"))
    left = store.leave(opened.id, "ana")
    assert left is not None
    assert left.owner == "bea"
    assert left.people == ("bea",)
    assert store.join(opened.id, SeatCandidate("carl", None)).people == ("carl", "bea")
    assert store.join(opened.id, SeatCandidate("carl", None)).people == ("carl", "bea")  # who sits there stays
    store.leave(opened.id, "carl")
    before = store.find(opened.id)
    for stranger in ("carl", "dora"):
        with pytest.raises(NotYourSeat):
            store.leave(opened.id, stranger)
    assert store.find(opened.id) == before  # with its revision: nobody is notified
    assert store.leave(opened.id, "bea") is None
    with pytest.raises(NoSuchWaitingTable):
        store.find(opened.id)


def test_a_range_of_ratings(store: LobbyStore) -> None:
    opened = store.open(waiting("ana", lowest=20.0, highest=30.0))
    with pytest.raises(Forbidden):
        store.join(opened.id, SeatCandidate("guest", None))
    with pytest.raises(Forbidden):
        store.join(opened.id, SeatCandidate("strong", "Strong", True, ratings={2: 31.0}))
    with pytest.raises(Forbidden):
        store.join(opened.id, SeatCandidate("weak", "Weak", True, ratings={2: 12.0, 3: 25.0}))
    assert store.join(opened.id, SeatCandidate("fits", "Fits", True, ratings={2: 27.4})).seats[1].rating == 27.4


def test_finding_a_game(store: LobbyStore) -> None:
    def seek(person: str, *numbers: int, **more: Any) -> WaitingTable:
        return store.seek(waiting(person, numbers=numbers, **more), SeatCandidate(person, person.capitalize()))

    first = seek("ana", 2, 3, 4, fill_at=LATER)
    assert first.starts_with(time.time()) is None
    assert len(first.seats) == 4
    assert seek("ana", 2, 3, 4, fill_at=LATER).id == first.id  # not against oneself
    other = seek("bea", 2, 3, clock="day")
    assert other.id != first.id  # another clock
    third = seek("carl", 3, 4)
    assert third.id == first.id
    assert third.numbers == (3, 4)
    assert third.starts_with(time.time()) is None
    fourth = seek("dora", 3)
    assert fourth.id == first.id
    assert fourth.numbers == (3,)
    assert fourth.starts_with(time.time()) == 3
    assert seek("emil", 2, game="cuba").id not in (first.id, other.id)
    avoiding = store.seek(waiting("flo", numbers=(2, 3), clock="day"), SeatCandidate("flo", None), avoided=("bea",))
    assert avoiding.id != other.id
    # without bots to come, the first number that is reached is enough
    assert seek("gus", 2, 3, clock="day").starts_with(time.time()) == 2


def test_two_who_look_for_each_other_meet(database: str) -> None:
    storages = [Storage(database), Storage(database)]
    stores = [LobbyStore(storage) for storage in storages]

    def seek(number: int) -> WaitingTable:
        person = f"p{number}"
        return stores[number % 2].seek(waiting(person, numbers=(2,), clock="day"), SeatCandidate(person, None))

    with ThreadPoolExecutor(8) as pool:
        seated = list(pool.map(seek, range(40)))
    tables = Counter(waiting_table.id for waiting_table in seated)
    assert set(tables.values()) == {2}
    for storage in storages:
        storage.close()


def test_bots_fill_up(store: LobbyStore) -> None:
    opened = store.open(waiting("ana", numbers=(2, 4), fill_at=100.0, bot="turista"))
    assert opened.starts_with(99) is None
    assert opened.starts_with(100) == 2
    game = opened.game_of(2)
    assert [seat.who for seat in game.seats] == ["person", "bot:turista"]
    assert game.public
    more = store.join(opened.id, SeatCandidate("bea", "ANA"))
    third = store.join(opened.id, SeatCandidate("carl", "Carl"))
    assert more.starts_with(100) == 2
    assert third.starts_with(100) == 4
    row, _ = new_table(third.game_of(4), third.owner)
    assert [seat.kind for seat in row.seats] == ["person"] * 3 + ["bot"]
    assert [seat.name for seat in row.seats] == ["Ana", None, "Carl", None]  # one of two with the same name


def test_nobody_waits_everywhere_or_for_ever(store: LobbyStore) -> None:
    for _ in range(MOST_PER_PERSON):
        store.open(waiting("ana"))
    with pytest.raises(Refused, match="already"):
        store.open(waiting("ana"))
    store.tidy(time.time() + EXPIRY_SECONDS + 1)
    assert store.waiting() == []


def test_what_cannot_start_is_refused(store: LobbyStore) -> None:
    for wrong in (
        waiting("ana", 5),
        waiting("ana", numbers=(1, 2)),
        waiting("ana", clock="hour"),
        waiting("ana", pace="warp"),
        waiting("ana", bot="tree"),
        waiting("ana", lowest=30.0, highest=20.0),
    ):
        with pytest.raises(BadSetup):
            store.open(wrong)
    twice = WaitingTable(
        id="", game="santiago", numbers=(2,), owner="ana", seats=(WaitingSeat("ana"), WaitingSeat("ana"))
    )
    with pytest.raises(BadSetup):
        store.open(twice)


# --- over the web


def test_two_people_meet_in_the_lobby(client: TestClient) -> None:
    ana, bea = Browser(client, "Ana"), Browser(client, "Bea", "de")
    place = ana.open("me", "open")
    assert re.fullmatch(r"/waiting/[\w-]{12}", place)
    assert "Ana (Gast)" in bea.page()
    assert f'action="{place}/join"' in bea.page()
    seat = bea.post(f"{place}/join").headers["location"]
    assert seat.startswith("/tables/")
    assert ana.get(place).headers["location"] == seat
    assert f'href="{seat}"' in Browser(client).page()  # it is public: everybody may watch
    assert "Ana" in ana.page(seat)
    assert "Bea" in ana.page(seat)
    assert ana.post(f"{place}/leave").status_code == 404


def test_a_guest_is_shown_by_the_name_they_give_with_the_table(client: TestClient) -> None:
    Browser(client).open("me", "open", name="Rosa")
    assert "Rosa (guest)" in Browser(client).page()


def test_a_table_by_link_is_in_no_lobby(client: TestClient) -> None:
    rosa = Browser(client, "Rosa")
    table = rosa.open("me", "open", join="link")
    assert table.startswith("/tables/")
    stranger = Browser(client).page()
    assert "Rosa" not in stranger
    assert table not in stranger


def test_only_the_owner_starts_with_bots(client: TestClient) -> None:
    ana, bea, carl = Browser(client, "Ana"), Browser(client, "Bea"), Browser(client)
    place = ana.open("me", "open", "open", "none", fill="10")
    assert bea.post(f"{place}/join").headers["location"] == place
    assert bea.post(f"{place}/start").status_code == 403
    assert carl.post(f"{place}/start").status_code == 403
    assert ana.post(f"{place}/start").headers["location"].startswith("/tables/")
    assert bea.get(place).headers["location"].startswith("/tables/")


def test_finding_a_game_over_the_web(client: TestClient) -> None:
    ana, bea = Browser(client, "Ana"), Browser(client, "Bea")
    waits = ana.post("/find", game="santiago", players=["2", "3"], clock="none", fill="0").headers["location"]
    assert waits.startswith("/waiting/")
    assert ana.page("/").count('href="' + waits) == 1
    assert (
        bea.post("/find", game="santiago", players=["2"], clock="none", fill="0").headers["location"][:8] == "/tables/"
    )
    for wrong in ({"players": []}, {"players": ["9"]}, {"fill": "99"}, {"clock": "x"}, {"bot": "x"}, {"game": "go"}):
        data: dict[str, Any] = {"game": "santiago", "players": ["2"], "clock": "none", "fill": "0"} | wrong
        assert bea.post("/find", **data).status_code in (400, 404), wrong


def test_the_lobby_is_live_and_takes_those_who_wait_to_their_game(client: TestClient) -> None:
    ana, bea = Browser(client, "Ana"), Browser(client, "Bea")
    place = ana.open("me", "open")
    with ana.connect("/lobby/live") as home, ana.connect(f"{place}/live") as waits:
        assert place in home.receive_json()["html"]
        assert waits.receive_json()["go"] is None
        table = bea.post(f"{place}/join").headers["location"]
        assert _next(home, "go")["go"] == table
        assert _next(waits, "go")["go"] == table
    with bea.connect("/waiting/nothing/live") as nothing:
        assert nothing.receive_json() == {"go": "/waiting/nothing"}  # whose page says so


def _next(socket: Any, key: str) -> dict[str, Any]:
    while True:
        message: dict[str, Any] = socket.receive_json()
        if message.get(key) is not None:
            return message


def test_somebody_who_disconnects_loses_the_seat_unless_the_game_takes_days(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_module, "AWAY_SECONDS", 0.2)
    with TestClient(create_app(tmp_path), raise_server_exceptions=False, client=HERE) as client:
        quick = Browser(client, "Quick").open("me", "open")
        slow = Browser(client, "Slow").open("me", "open", clock="day")
        watcher = Browser(client)
        end = time.monotonic() + 20
        while watcher.get(quick).status_code != 404:
            assert time.monotonic() < end
            time.sleep(0.05)
        assert watcher.get(slow).status_code == 200


def test_names_carry_nothing_but_themselves(client: TestClient) -> None:
    evil = Browser(client, "<b>Eve</b>")
    place = evil.open("me", "open")
    page = Browser(client).page()
    assert "<b>Eve" not in page
    assert "&lt;b&gt;Eve" in page
    assert "<b>Eve" not in evil.page(place)
    assert evil.post("/settings", name="a\u202eb").status_code == 303
    assert "\u202e" not in evil.page("/settings")


def test_the_other_process_hears_of_it(postgres: Postgres) -> None:
    async def run() -> None:
        async with processes(postgres.new_database(), 2) as (first, other):
            changes = other.lobby.changes()
            assert (await anext(changes)).waiting == ()
            opened = await first.lobby.open(waiting("ana", 3))
            heard = await asyncio.wait_for(anext(changes), 60)
            assert [table.id for table in heard.waiting] == [opened.id]
            await other.lobby.join(opened.id, SeatCandidate("bea", None))
            await first.lobby.refresh()
            assert len(first.lobby.snapshot.waiting[0].people) == 2
            await changes.aclose()

    asyncio.run(run())


@pytest.mark.slow
def test_the_other_process_hears_of_it_within_a_second(postgres: Postgres) -> None:
    """From the moment a table is asked for to the moment those who look at the other process are shown it."""

    async def run() -> list[float]:
        took = []
        async with processes(postgres.new_database(), 2) as (first, other):
            changes = other.lobby.changes()
            await anext(changes)
            for number in range(100):
                began = time.monotonic()
                opened = await first.lobby.open(waiting(f"ana{number}", 3))
                while opened.id not in {table.id for table in (await anext(changes)).waiting}:
                    pass
                took.append(time.monotonic() - began)
                await first.lobby.leave(opened.id, f"ana{number}")
                while (await anext(changes)).waiting:
                    pass
            await changes.aclose()
        return sorted(took)

    took = asyncio.run(run())
    median, late = took[50], took[95]
    print(f"heard in the other process after {median:.3f} s (median), {late:.3f} s (95 of 100), {took[-1]:.3f} s (all)")
    assert median < 1


def test_who_is_here_in_either_process(postgres: Postgres) -> None:
    from malecon.server.accounts.accounts import Account
    from malecon.server.accounts.visitors import Choices, Visitor

    def somebody(person: str, here: bool = True) -> Visitor:
        return Visitor(person, Choices(here=here), "en", "wide", account=Account(person, person.capitalize(), 1))

    async def run() -> None:
        async with processes(postgres.new_database(), 2) as (first, other):
            with first.presence.visiting(somebody("ana")), first.presence.visiting(somebody("bea", here=False)):
                with other.presence.visiting(Visitor("guest", Choices(), "en", "wide"), "table"):
                    await wait_until(lambda: len(other.presence.people()) == 3 and len(first.presence.people()) == 3)
                    await first.lobby.refresh()
                    assert first.lobby.snapshot.here == ("Ana",)
                    assert first.lobby.snapshot.guests == 2
                    assert [present.person for present in first.presence.at("table")] == ["guest"]
                await wait_until(lambda: len(first.presence.people()) == 2)

    asyncio.run(run())


def test_a_table_that_cannot_start_is_closed(client: TestClient) -> None:
    """Its people learn it at once, and the others from their page; the lobby tries no more."""
    ana, bea, services = Browser(client, "Ana"), Browser(client, "Bea"), services_of(client)
    path = ana.open("me", "open", clock="day")
    name = path.rpartition("/")[2]
    with services.storage.engine.begin() as connection:
        connection.execute(update(WAITING).where(WAITING.c.id == name).values(pace="no such pace"))
    with ana.connect(f"{path}/live") as waits:
        waits.receive_json()
        answer = bea.post(f"{path}/join")
        assert answer.status_code == 409
        assert "table could not start and was closed" in answer.text
        assert _next(waits, "go")["go"] == path
    assert "no longer waiting" in ana.get(path).text
    assert services.lobby.store.waiting() == []


def test_a_deleted_account_leaves_its_waiting_tables(client: TestClient) -> None:
    ana, bea, services = registered(Browser(client), "Ana"), Browser(client, "Bea"), services_of(client)
    shared, alone = (ana.open("me", "open", "open", clock="day").rpartition("/")[2] for _ in range(2))
    bea.post(f"/waiting/{shared}/join")
    owner = services.lobby.store.find(shared).owner
    assert ana.post("/account/delete", password="a good secret 1").status_code == 303
    now = services.lobby.store.find(shared)
    assert (now.owner,) == now.people != (owner,)
    with pytest.raises(NoSuchWaitingTable):
        services.lobby.store.find(alone)
    assert [table["id"] for table in bea.get("/api/lobby").json()["waiting"]] == [shared]
    assert bea.post(f"/waiting/{shared}/start").status_code == 303
