"""Golden playthroughs and move-tree counts, written by `make_golden.py`: whole games must go on as they always did."""

import json

import pytest

from malecon.match import Record
from santiago.make_golden import GOLDEN, count_moves, digest

FINALS = json.loads((GOLDEN / "finals.json").read_text())
TREES = json.loads((GOLDEN / "trees.json").read_text())


@pytest.mark.parametrize("name", FINALS)
def test_a_golden_game_ends_as_it_always_did(name):
    match = Record.read(GOLDEN / name).replay()
    assert match.is_over
    assert digest(match) == FINALS[name]["position"]
    assert [dict(score.breakdown) for score in match.scores] == FINALS[name]["scores"]
    assert list(match.outcome.winners) == FINALS[name]["winners"]


@pytest.mark.parametrize("name", FINALS)
def test_a_golden_record_is_written_as_it_always_was(name):
    assert Record.read(GOLDEN / name).to_json() == (GOLDEN / name).read_text(encoding="utf-8")


def test_there_are_golden_games_for_two_three_and_four_players():
    assert {json.loads((GOLDEN / name).read_text())["players"] for name in FINALS} == {2, 3, 4}


def test_the_golden_games_use_every_kind_of_move():
    """Every first word of the notation, and with it every Cuban, building and phase."""
    moves = [move.split(": ")[1] for name in FINALS for move in json.loads((GOLDEN / name).read_text())["moves"]]
    match = Record.read(GOLDEN / next(iter(FINALS))).replay()
    assert {move.split()[0] for move in moves} == {move.split()[0] for move in match.game.notation.names()}
    assert {move for move in moves if move.startswith("visit ")} == {
        move for move in match.game.notation.names() if move.startswith("visit ")
    }


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"{tree['game'][:9]} from move {tree['moves']}")
def test_the_number_of_ways_to_go_on(tree):
    match = Record.read(GOLDEN / tree["game"]).replay().fork(tree["moves"])
    assert match.phase == tree["phase"]
    assert [count_moves(match, depth) for depth in range(1, len(tree["counts"]) + 1)] == tree["counts"]


def test_the_tiles_can_be_laid_out_in_as_many_ways_as_there_are():
    """Counted by hand: 12 buildings one after the other, then the Cubans."""
    trees = {tree["moves"]: tree["counts"] for tree in TREES if tree["game"].startswith("4")}
    assert trees[0] == [12, 12 * 11, 12 * 11 * 10, 12 * 11 * 10 * 9]
    assert trees[19][:4] == [2, 2, 2 * 4, 2 * 4 * 6]  # two Cubans left, four starters, a die
    assert trees[25][:3] == [6, 6 * 6, 6 * 6 * 5]  # two dice left, five to leave out
