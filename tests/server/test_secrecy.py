"""Nothing a viewer may not know is in any byte sent: two truths that differ only in what is hidden look the same."""

from __future__ import annotations

import random

import pytest

from malecon.kernel.verbs import NOBODY
from malecon.match import Match
from malecon.server.accounts.visitors import Choices, Visitor
from malecon.server.pages import drawings, live, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.storage.game_log import MOVE, LogEntry
from malecon.server.storage.rows import PERSON, SeatRow, TableRow
from malecon.server.tables.table import Table
from malecon.server.web import table_state
from tests.server.hidden import shuffle_hidden
from tests.server.stored_games import table_of


def sent_to(table: Table, person: str | None) -> list[str]:
    """Everything this viewer is ever sent: page, live message with its flights, JSON, large views, reasons."""
    viewer = Viewer(person, "en")
    visitor = Visitor(person or "nobody", Choices(), "en", "wide")
    messages = [
        live.render_table(table, viewer),
        str(live.Follower(table, viewer, 0).message()),
        table_state.state_json(table, visitor).decode(),
        *(table_state.state_json(table, visitor, max(0, table.version - back)).decode() for back in (0, 1, 5, 50)),
        live.title(table, viewer),
    ]
    where = table_view.perspective(table, viewer)
    view = table.match.view(where.seat)
    messages += [drawings.close_up(view, seat, "en", "wide") for seat in range(table.match.players)]
    messages += [
        str(table_view.why_not(table, view, place, table_view.may_move(table, where))) for place in ("port", "stop-3")
    ]
    return messages


@pytest.mark.parametrize("seed", range(3))
def test_positions_that_differ_in_what_is_hidden_look_the_same(seed: int) -> None:
    dice = random.Random(seed)
    match = Match("santiago", 2 + seed % 3, seed=seed)
    checked = 0
    while match.turn is not None:
        if dice.random() < 0.04:
            for viewer in (*range(match.players), None):
                if viewer != match.turn:
                    person = None if viewer is None else f"person {viewer}"
                    truth, other = table_of(match), table_of(match)
                    shuffle_hidden(other, viewer, dice)
                    assert sent_to(truth, person) == sent_to(other, person)
                    checked += 1
        match.push(dice.choice(list(match.legal_moves)))
    assert match.position.actor == NOBODY
    assert checked > 5


def test_the_mover_sees_nothing_of_the_others_either() -> None:
    """Also what the mover's moves would do, and why others are forbidden, comes from the mover's own view."""
    dice = random.Random(9)
    match = Match("santiago", 3, seed=9)
    for _ in range(40):
        if match.turn is None:
            break
        truth, other = table_of(match), table_of(match)
        shuffle_hidden(other, match.turn, dice)
        person = f"person {match.turn}"
        assert sent_to(truth, person) == sent_to(other, person)
        match.push(dice.choice(list(match.legal_moves)))


@pytest.mark.parametrize("envoys", [False, True])
def test_what_lies_face_down_stays_so(envoys: bool) -> None:
    """Two games that differ only in a move made face down look the same to everybody else."""
    dice = random.Random(int(envoys))
    match = Match("cuba", 3, seed=4, options={"envoys": envoys})
    checked = 0
    while match.turn is not None and checked < 8:
        seat, before = match.turn, len(match)
        first, second = dice.choice(list(match.legal_moves)), dice.choice(list(match.legal_moves))
        truth, other = match.fork(before), match.fork(before)
        truth.push(first)
        other.push(second)
        viewer = (seat + 1) % match.players
        if first != second and truth.turn == other.turn and truth.view(viewer).history[before].move is None:
            for person in (f"person {viewer}", f"person {(seat + 2) % match.players}", None):
                assert sent_to(table_of(truth), person) == sent_to(table_of(other), person)
            assert sent_to(table_of(truth), f"person {seat}") != sent_to(table_of(other), f"person {seat}")
            checked += 1
        match.push(first)
    assert checked > 3


def test_several_people_at_one_screen_see_only_their_own() -> None:
    match = Match("santiago", 2, seed=3)
    seats = tuple(SeatRow(PERSON, person="both") for _ in range(2))
    row = TableRow("t", "santiago", 1, 2, "both", seats, options=dict(match.options))
    table = Table(row, [LogEntry(i, MOVE, turn.seat, str(turn.move)) for i, turn in enumerate(match.history)])
    turn = match.turn
    covered = table_view.perspective(table, Viewer("both", "en"))
    assert (covered.seat, covered.cover) == (None, turn)
    page, unseen = live.render_table(table, Viewer("both", "en")), match.view(None)
    assert 'class="cover"' in page
    assert 'name="move"' not in page
    assert drawings.board(unseen, "en", {}, "wide") in page  # the board is there as anybody may see it
    assert all(drawings.panel(unseen, seat, "en", {}) in page for seat in range(2))
    assert table_view.perspective(table, Viewer("both", "en", as_seat=turn)).seat == turn
    assert table_view.perspective(table, Viewer("both", "en", as_seat=1 - turn)).seat is None
    assert table_view.perspective(table, Viewer("somebody", "en", as_seat=turn)).seat is None
