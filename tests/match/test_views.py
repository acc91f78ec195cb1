"""What a match tells: events, scores, and the views of its seats."""

import numpy as np
import pytest

from malecon import BadSetup, IllegalMove, Match
from malecon.bots.history import position_from_history
from malecon.kernel.view import look
from tests.match.games import first_drive, play_on
from tests.open_match import OpenMatch

# --- what happened


def test_events_tell_what_a_move_changed():
    match = first_drive()
    match.push("drive 3")
    kinds = [event.kind for event in match.events(28)]
    assert len(kinds) >= 2
    assert match.events(28) == match.events(len(match) - 1)
    with pytest.raises(IndexError):
        match.events(len(match))


def test_asking_for_events_changes_nothing(match):
    before = match.to_bytes()
    for index in range(len(match)):
        match.events(index)
    assert match.to_bytes() == before


def test_scores_name_where_every_point_came_from(match):
    for score in match.scores:
        assert next(iter(score.breakdown)) == "start"
        assert score.breakdown["start"] == 2
        assert set(score.breakdown) == {"start", *match.game.sources}
        assert sum(score.breakdown.values()) == score.points


def test_the_outcome_is_told_only_at_the_end(match):
    assert match.outcome is None
    play_on(match, 10_000)
    assert match.outcome.winners
    assert sorted(match.outcome.points, reverse=True)[0] == match.outcome.points[match.outcome.winners[0]]


# --- views


@pytest.mark.parametrize("seat", [3, -1, 99, "red", 1.5])
def test_there_is_no_view_of_a_seat_that_is_not_there(match, seat):
    with pytest.raises(BadSetup, match="there is no seat"):
        match.view(seat)


def test_a_view_lists_moves_only_for_the_seat_to_move(match):
    for viewer in (None, 0, 1, 2):
        view = match.view(viewer)
        assert view.turn == match.turn
        if viewer == match.turn:
            assert view.legal_moves.codes == match.legal_moves.codes
        else:
            with pytest.raises(IllegalMove, match="it is not this seat’s turn"):
                _ = view.legal_moves


def test_a_spectator_has_no_moves_while_chance_acts():
    with pytest.raises(IllegalMove):
        _ = Match("santiago", 2).view(None).legal_moves


def test_a_view_knows_who_it_is_for_and_the_players_names(match):
    assert match.view(1).seat == 1
    assert match.view(None).seat is None
    assert match.view(1).names == match.names


def test_a_perfect_memory_of_moves_made_in_the_open_knows_everything(match):
    """A bot may count what it has seen, as a person with a good memory would."""
    for viewer in (None, 0, 1, 2):
        assert position_from_history(match.view(viewer)).tobytes() == match.position.tobytes()


def test_a_memory_is_a_copy(match):
    view = match.view(0)
    before = view.position.tobytes()
    position_from_history(view).car = 9
    assert view.position.tobytes() == before


def test_who_has_not_seen_the_whole_game_remembers_only_what_they_see(match):
    match = OpenMatch.of(match)
    match.board.pesos[1] += 5  # a table laid out by hand: the moves do not lead here
    assert position_from_history(match.view(1)).tobytes() == match.view(1).position.tobytes()
    assert position_from_history(match.view(1)).pesos[0] == -1


def test_a_view_of_everything_hides_nothing_and_goes_back_to_any_move(match):
    assert match.everything().position.tobytes() == match.position.tobytes()
    assert match.everything().history == match.history
    for moves in (0, 5, 30, len(match)):
        view = match.everything(moves)
        assert view.history == match.history[:moves]
        assert view.position.tobytes() == match.record().replay().fork(moves).position.tobytes()
    for moves in (-1, len(match) + 1):
        with pytest.raises(IndexError, match=f"this match has {len(match)} moves"):
            match.everything(moves)


def test_a_log_of_codes_can_be_made_at_once(match):
    again = Match("santiago", 3)
    again.make_all([turn.move.code for turn in match.history])
    assert again.history == match.history
    assert again.position.tobytes() == match.position.tobytes()
    again.pop()
    assert again.position.tobytes() == match.everything(len(match) - 1).position.tobytes()


def test_a_seat_is_any_whole_number_and_costs_no_compilation() -> None:
    match = Match("santiago", 3, seed=1, options={"open_screens": True})
    view = match.view(1)
    before = len(getattr(look, "overloads", ()))
    for seat in (np.int8(1), np.uint64(1)):
        assert match.view(seat) == view  # type: ignore[arg-type]
        assert type(match.view(seat).seat) is int  # type: ignore[arg-type]
    assert len(getattr(look, "overloads", ())) == before
    for wrong in (True, 1.0, np.array([1, 2]), "1", 3, -1):
        with pytest.raises(BadSetup, match="there is no seat"):
            match.view(wrong)  # type: ignore[arg-type]
    assert match.everything().options == view.options
