"""The verbs: every game answers all of them, and generic code reaches the right game by the type of its record."""

import numpy as np
import pytest

from malecon import games
from malecon.kernel import verbs
from malecon.kernel.compile import kernel

SMALL = np.dtype((np.record, [("tally", np.int8)]))
LARGE = np.dtype((np.record, [("tally", np.int16), ("bonus", np.int16)]))


def record(dtype: np.dtype, **fields):
    position = np.zeros(1, dtype).view(np.recarray)[0]
    for name, value in fields.items():
        position[name] = value
    return position


@kernel
def nothing(*arguments):
    return 0


@kernel
def plain_points(position, seat):
    return int(position.tally) + int(seat)


@kernel
def bonus_points(position, seat):
    return position.tally + position.bonus * seat


def answers(**own) -> dict:
    return dict.fromkeys(verbs.VERBS, nothing) | own


@pytest.fixture
def registry():
    """Games registered in a test are forgotten after it."""
    before = dict(verbs._implementations)
    yield
    verbs._implementations.clear()
    verbs._implementations.update(before)


@pytest.mark.parametrize(("name", "limit"), [("santiago", 256), ("cuba", 320)])
def test_a_position_is_small(name, limit):
    assert games.get(name).dtype.itemsize < limit


@pytest.mark.usefixtures("registry")
@pytest.mark.parametrize("verb", ["actor", "legal", "play", "play_logged", "points", "standing", "hide", "worth"])
def test_a_game_that_misses_a_verb_is_refused(verb):
    mine = np.dtype((np.record, [("lonely", np.int8)]))
    functions = answers()
    del functions[verb]
    with pytest.raises(TypeError, match=f"check {verb}"):
        verbs.implement(mine, **functions)
    with pytest.raises(KeyError):
        verbs.actor(record(mine))  # nothing was registered


@pytest.mark.usefixtures("registry")
def test_a_verb_that_does_not_exist_is_refused():
    with pytest.raises(TypeError, match="check dance"):
        verbs.implement(SMALL, **answers(dance=nothing))


@pytest.mark.usefixtures("registry")
def test_a_verb_calls_the_game_of_the_records_type():
    verbs.implement(SMALL, **answers(points=plain_points))
    verbs.implement(LARGE, **answers(points=bonus_points))
    assert verbs.points(record(SMALL, tally=5), 2) == 7
    assert verbs.points(record(LARGE, tally=5, bonus=10), 2) == 25
    # and the same inside a kernel, where the type is known at compile time
    assert leader(record(SMALL, tally=5), 3) == 7
    assert leader(record(LARGE, tally=5, bonus=10), 3) == 25


@kernel
def leader(position, seats):
    """Generic code: it knows no game."""
    best = verbs.points(position, 0)
    for seat in range(1, seats):
        best = max(best, verbs.points(position, seat))
    return best


@pytest.mark.usefixtures("registry")
def test_numbers_of_any_width_may_be_passed():
    verbs.implement(SMALL, **answers(points=plain_points))
    for width in (np.int8, np.int16, np.int64, int):
        assert verbs.points(record(SMALL, tally=100), width(100)) == 200


def test_chance_and_nobody_are_no_seats():
    assert verbs.CHANCE < 0
    assert verbs.NOBODY < 0
    assert verbs.CHANCE != verbs.NOBODY
