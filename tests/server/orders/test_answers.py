"""Answers before one's turn: given in any order, changed until they are used, played in turn, dropped if they must."""

from __future__ import annotations

from pathlib import Path

import pytest

from malecon.kernel.errors import IllegalMove
from malecon.server.errors import NotYourSeat, Refused, Stale
from malecon.server.pages import live, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.events import TurnEnded
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table
from malecon.server.web.table_state import build_state
from tests.server.orders.days import PEOPLE, open_for, phase_of, play_planned, run, table_where


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(address_of(tmp_path / "days"))


async def at_bids(tables: LiveTables) -> Table:
    """Return a table where all four can bid, two pesos at least."""
    return await table_where(
        tables,
        "cuba",
        4,
        lambda table: (
            phase_of(table, "bid") and len(table.asked_seats) == 4 and min(table.match.position.pesos[:4]) > 1
        ),
    )


def test_all_bid_at_once_in_any_order(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await at_bids(tables)
        first, *others = table.asked_seats
        before = table.version
        for seat in reversed(others):
            assert table.early_questions(seat)[0].question.key == "bid"
            await tables.answer(table, PEOPLE[seat], "bid", "bid 1", before)
        assert table.version == before  # nobody before them has bid yet
        assert (table.asked_seats, set(table.decided_seats)) == ((first,), set(others))
        await tables.answer(table, PEOPLE[others[0]], "bid", "bid 0", before)  # changed
        await tables.move(table, PEOPLE[first], "bid 0")
        assert await play_planned(tables, table) == 3
        played = [entry for entry in table.game_log.moves if entry.number >= before]
        assert [(entry.seat, entry.move, entry.automatic) for entry in played[:4]] == [
            (first, "bid 0", False),
            (others[0], "bid 0", True),
            (others[1], "bid 1", True),
            (others[2], "bid 1", True),
        ]

    run(play, storage)


def test_an_answer_can_be_withdrawn_and_must_be_legal(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await at_bids(tables)
        first, second, *_ = table.asked_seats
        who = PEOPLE[second]
        with pytest.raises(IllegalMove):
            await tables.answer(table, who, "bid", "pay tax")
        with pytest.raises(Refused):
            await tables.answer(table, who, "tax", "pay tax")
        with pytest.raises(NotYourSeat):
            await tables.answer(table, "somebody", "bid", "bid 1")
        await tables.answer(table, who, "bid", "bid 1")
        await tables.withdraw_answer(table, who, "bid")
        assert second in table.asked_seats
        await tables.move(table, PEOPLE[first], "bid 0")
        assert not table.is_automatic
        assert table.match.turn == second
        await tables.answer(table, who, "bid", "bid 0")  # its turn has come: played at once
        assert table.game_log.moves[-1].move == "bid 0"
        assert not table.game_log.moves[-1].automatic

    run(play, storage)


def test_all_who_are_asked_are_notified_once_and_together(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        asked: list[tuple[int, ...]] = []
        tables._events.subscribe(TurnEnded, lambda event: asked.append(event.asked))
        table = await at_bids(tables)
        mover = table.game_log.moves[-1].seat  # is there, and sees the question
        assert {*asked[-1], mover} == {0, 1, 2, 3}
        deadline = table.row.deadline
        asked.clear()
        for seat in table.asked_seats:
            if phase_of(table, "bid"):
                await tables.move(table, PEOPLE[seat], "bid 0")
                if phase_of(table, "bid"):
                    assert table.row.deadline == deadline  # the same for all
        assert all(not seats for seats in asked[:-1])

    run(play, storage)


def test_tax_and_duty_may_be_answered_early(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await table_where(
            tables,
            "cuba",
            4,
            lambda table: phase_of(table, "tax") and any(len(table.early_questions(seat)) == 2 for seat in range(4)),
        )
        seat = next(seat for seat in range(4) if len(table.early_questions(seat)) == 2)
        version = table.version
        await tables.answer(table, PEOPLE[seat], "tax", "pay tax", version)
        duty = next(early for early in table.early_questions(seat) if early.question.key == "duty")
        asked = duty.question.asked(table.match.view(seat).position, seat)
        assert int(asked.actor) == seat
        await tables.answer(table, PEOPLE[seat], "duty", "refuse duty", version)
        while phase_of(table, "tax") or phase_of(table, "duty"):
            if not await play_planned(tables, table):
                assert table.match.turn is not None
                await tables.move(table, PEOPLE[table.match.turn], str(list(table.match.legal_moves)[-1]))
        own = [entry for entry in table.game_log.moves if entry.number >= version and entry.seat == seat]
        assert [(entry.move, entry.automatic) for entry in own[:2]] == [("pay tax", True), ("refuse duty", True)]

    run(play, storage)


def test_goods_to_start_with_are_chosen_early(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await open_for(tables, "cuba", 3)
        first = table.match.turn
        assert first is not None
        later = (first + 1) % 3
        assert [early.question.key for early in table.early_questions(later)] == ["materials", "crops"]
        await tables.answer(table, PEOPLE[later], "materials", "materials wood stone")
        await tables.answer(table, PEOPLE[later], "crops", "crops sugar sugar")
        for _ in range(2):
            await tables.move(table, PEOPLE[first], str(next(iter(table.match.legal_moves))))
        assert await play_planned(tables, table) == 2
        assert [entry.move for entry in table.game_log.moves[-2:]] == ["materials wood stone", "crops sugar sugar"]

    run(play, storage)


async def at_delivery(tables: LiveTables) -> Table:
    """Return a table at a delivery where the player to move can choose, and the next is asked, too."""

    def fits(table: Table) -> bool:
        turn = table.match.turn
        if turn is None or not phase_of(table, "delivery"):
            return False
        return bool(table.early_questions((turn + 1) % 3)) and len(table.match.legal_moves) > 2

    return await table_where(tables, "santiago", 3, fits, options={"open_screens": True})


def test_an_answer_is_dropped_if_an_earlier_delivery_changes_what_is_legal(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        while True:
            table = await at_delivery(tables)
            turn = table.match.turn
            assert turn is not None
            later = (turn + 1) % 3
            asked = table.early_questions(later)[0].question.asked(table.match.view(later).position, later)
            before = [*map(int, asked.demand)]
            await tables.answer(table, PEOPLE[later], "delivery", "pass")
            delivery = str(next(iter(table.match.legal_moves)))
            await tables.move(table, PEOPLE[turn], delivery)
            if table.match.turn != later or not phase_of(table, "delivery"):
                continue
            good = next(good for good, demand in enumerate(table.match.position.demand) if demand != before[good])
            if min(before[good], int(table.match.position.goods[later, good])) > int(table.match.position.demand[good]):
                break
        decision = table.plans_decide()
        assert decision.code is None
        assert decision.dropped is not None
        assert not table.is_automatic
        page = live.render_table(table, Viewer(PEOPLE[later], "en"))
        assert "Your answer was not used" in page
        await tables.move(table, PEOPLE[later], "pass")
        assert not table.row.seats[later].plans

    run(play, storage)


def test_a_stale_answer_to_an_open_question_is_refused(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        while True:
            table = await at_delivery(tables)
            turn, version = table.match.turn, table.version
            assert turn is not None
            await tables.move(table, PEOPLE[turn], "pass")
            third = (turn + 2) % 3
            if table.early_questions(third):
                break
        with pytest.raises(Stale):
            await tables.answer(table, PEOPLE[third], "delivery", "pass", version)
        await tables.answer(table, PEOPLE[third], "delivery", "pass", table.version)

    run(play, storage)


def test_nobody_else_can_tell_that_somebody_has_answered_an_open_question(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await at_delivery(tables)
        turn = table.match.turn
        assert turn is not None
        later, other = (turn + 1) % 3, PEOPLE[turn]
        viewers = [Viewer(other, "en"), Viewer(None, "en")]
        followers = [live.Follower(table, viewer, None) for viewer in viewers]
        own = live.Follower(table, Viewer(PEOPLE[later], "en"), None)
        for follower in (*followers, own):
            follower.message()
        pages = [live.render_table(table, viewer) for viewer in viewers]
        hashes = [live.page_hash(table, viewer) for viewer in viewers]
        states = [build_state(table, viewer) for viewer in viewers]
        await tables.answer(table, PEOPLE[later], "delivery", "pass")
        assert [follower.message() for follower in followers] == [None, None]
        assert [live.render_table(table, viewer) for viewer in viewers] == pages
        assert [live.page_hash(table, viewer) for viewer in viewers] == hashes
        assert [build_state(table, viewer) for viewer in viewers] == states
        assert "Your answer" in (own.message() or "")

    run(play, storage)


def test_what_is_sealed_looks_the_same_whatever_it_is(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await at_bids(tables)
        first, second, *_ = table.asked_seats
        shown = []
        for bid in ("bid 0", "bid 1", "bid 2"):
            await tables.answer(table, PEOPLE[second], "bid", bid)
            assert bid in str(build_state(table, Viewer(PEOPLE[second], "en")))
            for viewer in (Viewer(PEOPLE[first], "en"), Viewer(None, "en")):
                shown.append((viewer.person, live.render_table(table, viewer), build_state(table, viewer)))
        assert shown[0] == shown[2] == shown[4]
        assert shown[1] == shown[3] == shown[5]
        assert table_view.seat_views(table, Viewer(None, "en"))[second].decided

    run(play, storage)


def test_several_seats_at_one_screen_answer_in_turn(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        from malecon.server.tables.opening import NewTable
        from malecon.server.tables.seats import NewSeat

        table = await tables.open(NewTable("cuba", (NewSeat("me"), NewSeat("me")), automatic=False), "ana")
        assert not table.early_questions(1)
        assert len(table.asked_seats) == 1
        with pytest.raises(Refused):
            await tables.answer(table, "ana", "materials", "materials wood wood")

    run(play, storage)


def test_an_answer_survives_a_restart_and_is_used_once(tmp_path: Path) -> None:
    async def answered(tables: LiveTables) -> tuple[str, int, int]:
        table = await at_bids(tables)
        first, second, *_ = table.asked_seats
        await tables.answer(table, PEOPLE[second], "bid", "bid 1")
        return table.id, first, second

    name, first, second = run(answered, Storage(address_of(tmp_path / "days")))

    async def goes_on(tables: LiveTables) -> None:
        table = await tables.get(name)
        assert table.decided_seats == (second,)
        await tables.move(table, PEOPLE[first], "bid 0")
        assert await play_planned(tables, table) == 1
        assert table.game_log.moves[-1].move == "bid 1"

    run(goes_on, Storage(address_of(tmp_path / "days")))


def test_a_bot_that_stands_in_does_not_use_the_answer(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await at_bids(tables)
        first, second, *_ = table.asked_seats
        await tables.answer(table, PEOPLE[second], "bid", "bid 1")
        await tables.leave_to_bot(table, PEOPLE[second], second)
        assert not table.decided_seats
        await tables.move(table, PEOPLE[first], "bid 0")
        assert table.match.turn == second
        with pytest.raises(Stale):
            await tables.automatic_move(table, second, table.version)
        await tables.take_back_seat(table, PEOPLE[second], second)
        assert await play_planned(tables, table) >= 1

    run(play, storage)
