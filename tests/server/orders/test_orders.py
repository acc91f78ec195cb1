"""Standing orders: given with one click, visible only to their giver, stopped by themselves with a reason."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from malecon.kernel.questions import Order, order_kind
from malecon.server.errors import Refused
from malecon.server.pages import live, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.table import Table
from malecon.server.web.table_state import build_state
from malecon.text import LANGUAGES, translate
from tests.server.orders.days import PEOPLE, open_for, phase_of, play_planned, play_until, run, table_where
from tests.server.people import ORIGIN, Player


@pytest.fixture
def storage(tmp_path: Path) -> Storage:
    return Storage(address_of(tmp_path / "days"))


def test_an_order_pays_the_tax_until_it_costs_more(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        def asked(table: Table) -> bool:
            offers = table_view.offered_orders(table, table.match.view(1), True)
            return phase_of(table, "tax") and table.match.turn == 1 and offers[0].order.limit > 1

        table = await table_where(tables, "cuba", 2, asked)
        offer = table_view.offered_orders(table, table.match.view(1), True)[0].order
        await tables.give_order(table, "bea", offer)
        assert await play_planned(tables, table) == 1
        made = next(entry for entry in reversed(table.game_log.moves) if entry.seat == 1)
        assert (made.move, made.automatic) == ("pay tax", True)
        assert len(table.row.seats[1].plans.orders) == 1

        table = await table_where(tables, "cuba", 2, asked)
        await tables.give_order(table, "bea", replace(offer, limit=1))
        assert not table.is_automatic
        assert table.plans_decide().stopped == table.row.seats[1].plans.orders[0]
        assert "Your order has stopped: the tax costs more" in live.render_table(table, Viewer("bea", "en"))
        await tables.move(table, "bea", "refuse tax")
        assert not table.row.seats[1].plans

    run(play, storage)


def test_an_order_is_given_and_stopped_only_by_its_player(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await open_for(tables, "santiago", 3)
        for bad in (
            Order("nothing"),
            Order("give"),
            Order("give", ("gold",)),
            Order("give", ("rum", "rum")),
            Order("pass", limit=1000),
            Order("pass until change"),
        ):
            with pytest.raises(Refused):
                await tables.give_order(table, "ana", bad)
        await tables.give_order(table, "bea", Order("give", ("rum", "peso")))
        viewers = [Viewer(person, "en") for person in ("ana", "carl", None)]
        for viewer in viewers:
            assert "Standing orders" not in live.render_table(table, viewer)
            assert not build_state(table, viewer).orders
        own = live.render_table(table, Viewer("bea", "en"))
        assert "Give El Zorro first: rum, a peso" in own
        await tables.stop_order(table, "bea", "give")
        assert not table.row.seats[1].plans

    run(play, storage)


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_every_order_that_is_offered_answers_at_once(storage: Storage, game: str) -> None:
    """One click gives the order and makes the move: an order that stops where it was given would be of no use."""

    async def play(tables: LiveTables) -> None:
        kinds: set[str] = set()

        def check(table: Table) -> bool:
            turn = table.match.turn
            if turn is None:
                return True
            view = table.match.view(turn)
            for offer in table_view.offered_orders(table, view, True):
                known = order_kind(view.game, offer.order.kind)
                assert known is not None
                kind = known[1]
                assert kind.is_valid(offer.order)
                seen = "" if kind.seen is None else kind.seen(view.position)
                code = kind.choose(view.position, replace(offer.order, seen=seen))
                assert code in table.match.legal_moves.codes, offer
                assert all(translate(offer.text, language) for language in LANGUAGES)
                kinds.add(kind.key)
            return False

        for seed in range(3):
            await play_until(tables, await open_for(tables, game, 3), check, seed)
        known = {"santiago": {"give", "pass", "pass until change", "deliver"}}
        assert kinds == known.get(game, {"pay tax", "refuse tax", "pay duty", "refuse duty"})

    run(play, storage)


def test_an_undone_move_stops_the_order_that_would_repeat_it(storage: Storage) -> None:
    async def play(tables: LiveTables) -> None:
        table = await open_for(tables, "santiago", 2, options={"open_screens": True})
        await play_until(tables, table, lambda table: phase_of(table, "delivery"))
        turn = table.match.turn
        assert turn is not None
        await tables.move(table, PEOPLE[turn], "pass")
        await tables.give_order(table, PEOPLE[turn], Order("pass", limit=12))
        if table.may_undo((turn,)) is not None:
            await tables.undo(table, PEOPLE[turn])
            assert not table.is_automatic
            assert not table.row.seats[turn].plans

    run(play, storage)


def test_orders_and_answers_over_json_and_forms(client: TestClient) -> None:
    ana, bea = Player(client), Player(client)
    state = ana.open("me", "open", game="santiago")
    name, token = state["id"], state["seats"][1]["invitation"]
    assert bea.post("/api/join", {"token": token}).status_code == 200
    answer = bea.post(f"/api/tables/{name}/orders", {"kind": "give", "prefers": ["peso", "rum"]})
    assert [order["kind"] for order in answer.json()["orders"]] == ["give"]
    assert ana.state(name)["orders"] == []
    assert bea.post(f"/api/tables/{name}/orders", {"kind": "give", "prefers": ["gold"]}).status_code == 400
    assert bea.post(f"/api/tables/{name}/answers", {"question": "bid", "move": "bid 1"}).status_code == 400
    assert client.delete(f"/api/tables/{name}/orders/give", headers=bea.headers).status_code == 204
    assert bea.state(name)["orders"] == []
    form = {"kind": "give", "prefers": ["", "rum", "rum", "peso"], "limit": "0"}
    assert client.post(f"/tables/{name}/orders", data=form, headers=bea.headers | ORIGIN).status_code == 200
    assert [order["prefers"] for order in bea.state(name)["orders"]] == [["rum", "peso"]]
    client.post(f"/tables/{name}/orders/stop", data={"kind": "give"}, headers=bea.headers | ORIGIN)
    assert bea.state(name)["orders"] == []
    cuba = ana.open("me", "open", "bot:turista", game="cuba")
    bea.post("/api/join", {"token": cuba["seats"][1]["invitation"]})
    for player in (ana, bea):
        shown = player.state(cuba["id"])
        for early in shown["early"]:
            move = early["legal"][0]["move"]
            body = {"question": early["question"], "move": move, "version": shown["version"]}
            given = player.post(f"/api/tables/{cuba['id']}/answers", body)
            assert given.status_code == 200, given.text
            stored = next(each for each in given.json()["early"] if each["question"] == early["question"])
            assert stored["answer"] == move
            path = f"/api/tables/{cuba['id']}/answers/{early['question']}"
            assert client.delete(path, headers=player.headers).status_code == 204
            form = {"question": early["question"], "move": move, "version": str(shown["version"])}
            page = client.post(f"/tables/{cuba['id']}/answer", data=form, headers=player.headers | ORIGIN)
            assert "Your answer: " in page.text
            client.post(
                f"/tables/{cuba['id']}/answer/withdraw",
                data={"question": early["question"]},
                headers=player.headers | ORIGIN,
            )
            assert all(each["answer"] is None for each in player.state(cuba["id"])["early"])
