"""Taking moves back, and matches that go on apart from one another."""

import pickle

import numpy as np
import pytest

import malecon
from malecon import CHANCE, BadSetup, Match, Move
from tests.match.games import first_drive, play_on

# --- pop


def test_pop_takes_the_last_move_back():
    match = first_drive()
    before = match.to_bytes()
    match.push("drive 1")
    assert match.pop() == Move("santiago", "drive 1")
    assert match.to_bytes() == before


def test_pop_takes_back_what_chance_drew_and_pushing_again_draws_the_same():
    match = malecon.new("santiago", 3, seed=1)
    while not (len(match) > 40 and match.history[-1].seat == CHANCE):
        match.push(match.legal_moves[-1])
    after = match.to_bytes()
    move = match.pop()
    match.push(move)
    assert match.to_bytes() == after


def test_another_move_after_pop_draws_its_own_chance():
    match = malecon.new("santiago", 3, seed=1)
    moves = [str(match.push(match.legal_moves[-1])) for _ in range(40)]
    for _ in moves:
        match.pop()
    assert match.phase == "demand"
    match.push("leave sugar" if moves[0] != "leave sugar" else "leave rum")
    assert match.phase == "drive"


def test_nothing_can_be_taken_back_at_the_start():
    with pytest.raises(IndexError, match="no move to take back"):
        Match("santiago", 3).pop()
    match = malecon.new("santiago", 3, seed=1)  # only chance has moved, and it is not ours to undo
    before = match.to_bytes()
    with pytest.raises(IndexError, match="no move to take back"):
        match.pop()
    assert match.to_bytes() == before


def test_where_chance_is_ones_own_its_moves_are_taken_back_one_by_one():
    match = Match("santiago", 3)
    match.push("place casino")
    match.push("place bank")
    assert str(match.pop()) == "place bank"
    assert str(match.pop()) == "place casino"
    assert len(match) == 0


def test_pop_works_after_a_snapshot(match):
    again = Match.from_bytes(match.to_bytes())
    while len(match) > 28:
        assert again.pop() == match.pop()
        assert again.to_bytes() == match.to_bytes()


def chance_after(match: Match) -> list[str]:
    """What chance draws when the players go on."""
    play_on(match, 150)
    return [str(turn.move) for turn in match.history if turn.seat == CHANCE][27:]


def test_chance_still_draws_at_random_after_a_move_older_than_the_dealer_was_taken_back():
    """A record is replayed, goes on with chance drawn, and a move of the record is taken back."""
    record = play_on(malecon.new("santiago", 3, seed=11), 5).record()
    drawn = []
    for seed in range(6):
        match = record.replay(seed=seed)
        match.pop()
        drawn.append(tuple(chance_after(match)[:10]))
    assert len(set(drawn)) > 1


def test_chance_still_draws_at_random_after_a_move_of_a_fork_was_taken_back():
    match = play_on(malecon.new("santiago", 3, seed=11), 10)
    drawn = []
    for _ in range(6):
        fork = match.fork(len(match))
        fork.pop()
        drawn.append(tuple(chance_after(fork)[:10]))
    assert len(set(drawn)) > 1


# --- fork, copy


def test_a_fork_has_only_the_first_moves(match):
    for moves in (0, 5, 22, 28, len(match)):
        fork = match.fork(moves)
        assert fork.history[:moves] == match.history[:moves]
        assert (fork.options, fork.names, fork.players) == (match.options, match.names, match.players)


def test_a_fork_of_a_match_with_a_dealer_has_a_dealer_of_its_own(match):
    assert match.fork(0).phase == "demand"
    assert len({match.fork(5).history for _ in range(4)}) == 4


def test_a_fork_of_a_match_without_a_dealer_waits_for_chance():
    match = Match("santiago", 3)
    match.push("place casino")
    fork = match.fork(1)
    assert fork.turn == CHANCE
    assert fork.history == match.history


@pytest.mark.parametrize("moves", [-1, 10_000])
def test_a_fork_beyond_the_match_is_refused(match, moves):
    with pytest.raises(IndexError, match=f"this match has {len(match)} moves"):
        match.fork(moves)


def test_a_fork_leaves_the_match_alone(match):
    before = match.to_bytes()
    play_on(match.fork(28), 20)
    assert match.to_bytes() == before


def test_a_copy_goes_on_independently(match):
    before = match.to_bytes()
    copy = match.copy()
    assert copy.to_bytes() == before
    play_on(copy, 10)
    assert match.to_bytes() == before
    copy = match.copy()
    play_on(match, 10)
    assert copy.to_bytes() == before


def test_a_copy_draws_the_same_chance(match):
    copy = match.copy()
    play_on(match, 200)
    play_on(copy, 200)
    assert copy.history == match.history


def _future(match: Match) -> list[str]:
    """What chance draws until the end of the game, whatever is legal first being played."""
    drawn = len(match)
    while match.turn is not None:
        match.push(match.legal_moves[0])
    return [str(turn.move) for turn in match.history[drawn:] if turn.seat < 0]


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_copy_has_the_same_future_and_a_fork_one_of_its_own(game: str) -> None:
    match = Match(game, 2, seed=4)
    for _ in range(9):
        match.push(match.legal_moves[0])
    future = _future(match.copy())
    assert _future(match.copy()) == future
    forks = [_future(match.fork()) for _ in range(3)]
    assert all(fork != future for fork in forks)
    assert forks[0] != forks[1]
    assert _future(match.fork(seed=np.int8(3))) == _future(match.fork(len(match), seed=3))
    assert _future(match) == future  # nothing that a fork does changes the match


def test_moves_are_numbers_of_this_match() -> None:
    match = Match("santiago", 2, seed=4)
    assert match.everything(np.int8(3)) == match.everything(3)
    for wrong in ("x", 1.0, None, -1, 99_999):
        with pytest.raises(IndexError, match="this match has"):
            match.fork(wrong if wrong is not None else "")  # type: ignore[arg-type]
    with pytest.raises(IndexError, match="this match has"):
        match.everything("x")  # type: ignore[arg-type]


@pytest.mark.parametrize("game", ["santiago", "cuba"])
def test_a_match_begins_in_any_position(game: str) -> None:
    match = Match(game, 3, seed=4)
    for _ in range(20):
        match.push(match.legal_moves[0])
    again = Match.from_position(game, match.position, 3, options=match.options, seed=1)
    assert len(again) == 0
    assert list(again.legal_moves) == list(match.legal_moves)
    for _ in range(4):
        again.push(again.legal_moves[0])
    same = pickle.loads(pickle.dumps(again))
    for other in (same, again):
        for _ in range(4):
            other.pop()
        assert other.position.tobytes() == match.position.tobytes()
    assert again.fork(0).position.tobytes() == match.position.tobytes()
    with pytest.raises(BadSetup, match="has no record"):
        again.record()
    with pytest.raises(BadSetup, match="not a position of"):
        Match.from_position(game, np.zeros(3), 3)  # type: ignore[arg-type]


def test_a_match_from_a_view_has_what_the_seat_sees_and_guesses_the_rest() -> None:
    match = Match("cuba", 3, seed=1)
    while match.phase != "bid" or not any(turn.move is None for turn in match.view(match.turn).history):
        match.push(match.legal_moves[-1])
    assert match.turn is not None
    view = match.view(match.turn)
    guesses = [Match.from_view(view, seed=seed) for seed in range(20)]
    assert len({guess.position.tobytes() for guess in guesses}) > 1
    assert Match.from_view(view, seed=3).position.tobytes() == guesses[3].position.tobytes()
    for guess in guesses:
        assert guess.view(view.seat).position.tobytes() == view.position.tobytes()
        assert list(guess.legal_moves) == list(view.legal_moves)
