"""A line of play: positions, steps and views along it are those of the match with the same moves."""

from __future__ import annotations

import random

import pytest

from malecon import games
from malecon.kernel.line import Line
from malecon.match import Match


def played(name: str, moves: int) -> Match:
    match, dice = Match(name, 3, seed=8), random.Random(8)
    while len(match) < moves and not match.is_over:
        match.push(dice.choice(list(match.legal_moves)))
    return match


def line_of(match: Match) -> Line:
    codes = [match.code_at(index) for index in range(len(match))]
    return Line(match.game, match.position_after(0), codes, names=match.names, options=match.options)


@pytest.mark.parametrize("name", games.names())
def test_a_line_goes_as_the_match_went(name):
    match = played(name, 80)
    line = line_of(match)
    assert len(line) == len(match)
    assert line.history == match.history
    assert line.turn == match.turn
    assert list(line.legal_moves) == list(match.legal_moves)
    for moves in range(len(line) + 1):
        assert line.position_after(moves).tobytes() == match.position_after(moves).tobytes()
    assert line.view(0).position.tobytes() == match.view(0).position.tobytes()
    for index, step in enumerate(line.steps):
        assert step.before.tobytes() == match.position_after(index).tobytes()
        assert step.after.tobytes() == match.position_after(index + 1).tobytes()
        assert (step.seat, step.code) == (match.history[index].seat, line.moves[index])
    assert line.step(-1) is line.step(len(line) - 1)
    with pytest.raises(IndexError):
        line.step(len(line))


def test_a_branch_leaves_the_line_as_it_is():
    line = line_of(played("santiago", 30))
    before = line.position.tobytes()
    branch = line.branch(20)
    assert branch.moves == line.moves[:20]
    branch.push(branch.legal_moves.codes[-1])
    assert len(branch) == 21
    assert len(line) == 30
    assert line.position.tobytes() == before
    assert line.branch(20, line.moves[20:]).position.tobytes() == before


def test_positions_are_copies():
    line = line_of(played("santiago", 20))
    changed = line.position
    changed.pesos[0] += 1
    assert changed.tobytes() != line.position.tobytes()
    assert line.start.tobytes() == line.position_after(0).tobytes()
