"""The explorer's pages, and what a server counts of its own games: finished ones, once each, naming nobody."""

from __future__ import annotations

import html
import re
from dataclasses import replace
from urllib.parse import quote

import pytest
from starlette.testclient import TestClient

from malecon.match import Match
from malecon.server.accounts.ratings import Ratings
from malecon.server.learning.explorer_counts import ExplorerCounts
from malecon.server.storage.store import Storage
from malecon.server.tables.opening import NewTable, new_table
from malecon.server.tables.seats import NewSeat
from malecon.teaching.explorer import OPENING, after, shipped
from malecon.text import LANGUAGES
from tests.server.people import Player, until


def test_openings_are_explored_step_by_step_in_every_language(client: TestClient) -> None:
    assert client.get("/explorer", follow_redirects=False).headers["location"] == "/explorer/santiago/2"
    for language in LANGUAGES:
        page = client.get("/explorer/cuba/3", headers={"accept-language": language}).text
        assert f'lang="{language}"' in page
        assert "style=" not in page
        best = shipped("cuba", 3).rows(OPENING)[0]
        assert f'href="/explorer/cuba/3?after={quote(best.option)}#opening"' in page
    onward = html.unescape(re.findall(r'<th scope="row">\s*<a href="([^"#]+)', page)[0])
    further = client.get(onward)
    assert further.status_code == 200
    assert 'aria-current="step"' in further.text
    for nowhere in (
        "/explorer/chess/2",
        "/explorer/cuba/9",
        "/explorer/cuba/3?after=fly",
        "/explorer/cuba/3?source=here&after=worker",
    ):
        assert client.get(nowhere).status_code == 404
    for nonsense in ("/explorer/cuba/3?source=mars", "/explorer/cuba/x", "/explorer/cuba/3?" + "after=a&" * 30):
        assert client.get(nonsense).status_code == 400


def test_a_game_counts_once_it_is_over(client: TestClient) -> None:
    player = Player(client)
    player.open("me", "bot:greedy")  # a game that goes on tells nothing
    assert "No game has got this far yet." in client.get("/explorer/santiago/2?source=here").text
    table = str(player.open("bot:greedy", "bot:greedy")["id"])
    until(lambda: player.state(table), lambda state: state["turn"] is None, 60)
    page = until(lambda: client.get("/explorer/santiago/2?source=here").text, lambda text: "From 1 game." in text, 60)
    assert "Leave out the die" in page
    assert table not in page


def finished(seed: int = 11, **options: object) -> Match:
    match = Match("santiago", 2, seed=seed, options=options)  # type: ignore[arg-type]
    while match.turn is not None:
        match.push(match.legal_moves[0])
    return match


def test_every_game_is_counted_once_and_those_of_others_not(database: str) -> None:
    storage = Storage(database)
    explored, ratings = ExplorerCounts(storage), Ratings(storage)
    match = finished()
    row, entries = new_table(NewTable("santiago", (NewSeat("me"), NewSeat("open"))), "")
    row = replace(row, over=True)
    storage.create(row, entries)
    for _ in range(3):  # several processes may notice that it is over
        ratings.settle(row, match.outcome, beside=explored.writer(row, match, False))
    first = explored.book("santiago", 2, [])
    assert first.games == 1
    (chosen,) = (counted.option for counted in first.rows(OPENING) if counted.chosen)
    deeper = explored.book("santiago", 2, [after([chosen]), "seize 1"])
    assert set(deeper.questions) == {OPENING, after([chosen]), "seize 1"} - (
        set() if deeper.choices_at("seize 1") else {"seize 1"}
    )
    assert deeper.choices_at(after([chosen])) == 1
    second, entries = new_table(NewTable("santiago", (NewSeat("me"), NewSeat("open"))), "")
    second = replace(second, over=True)
    storage.create(second, entries)
    ratings.settle(second, match.outcome, beside=explored.writer(second, match, False))
    assert explored.book("santiago", 2, []).games == 2
    assert explored.book("santiago", 3, []).games == 0
    # a record, other options, a game begun elsewhere, one that is still on
    assert explored.writer(row, match, True) is None
    assert explored.writer(row, finished(open_screens=True), False) is None
    assert row.dice is not None
    assert explored.writer(replace(row, dice=replace(row.dice, first=5)), match, False) is None
    assert explored.writer(row, Match("santiago", 2, seed=1), False) is None
    storage.close()


def test_a_game_that_cannot_be_read_still_counts_as_a_result(
    database: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    from malecon.server.learning import explorer_counts as module

    def fail(match: Match) -> None:
        raise ValueError("no")

    monkeypatch.setattr(module, "read_match", fail)
    storage = Storage(database)
    row, entries = new_table(NewTable("santiago", (NewSeat("me"), NewSeat("open"))), "")
    storage.create(row, entries)
    assert ExplorerCounts(storage).writer(row, finished(), False) is None
    assert "cannot be explored" in caplog.text
    storage.close()
