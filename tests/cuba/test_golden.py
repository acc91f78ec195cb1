"""Golden playthroughs and move-tree counts, written by `make_golden.py`: whole games must go on as they always did."""

import json

import pytest

from cuba.make_golden import GOLDEN, count_moves, digest
from malecon import games
from malecon.match import Record

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


def test_there_are_golden_games_for_two_to_five_players():
    assert {json.loads((GOLDEN / name).read_text())["players"] for name in FINALS} == {2, 3, 4, 5}


def test_the_golden_games_use_every_kind_of_move():
    """Every first word of the notation, and every building that is simply used."""
    moves = {move.split(": ")[1] for name in FINALS for move in json.loads((GOLDEN / name).read_text())["moves"]}
    known = games.get("cuba").notation.names()
    assert {move.split()[0] for move in moves} == {move.split()[0] for move in known}
    assert {move for move in moves if move.startswith("use ")} == {move for move in known if move.startswith("use ")}


@pytest.mark.parametrize("tree", TREES, ids=lambda tree: f"{tree['game'][:9]} from move {tree['moves']}")
def test_the_number_of_ways_to_go_on(tree):
    match = Record.read(GOLDEN / tree["game"]).replay().fork(tree["moves"])
    assert match.phase == tree["phase"]
    assert [count_moves(match, depth) for depth in range(1, len(tree["counts"]) + 1)] == tree["counts"]


def test_the_first_moves_can_be_counted_by_hand():
    """Fifteen ships one after the other; then, with the start player known, six pairs of materials, six of crops."""
    trees = {(tree["game"][0], tree["moves"]): tree["counts"] for tree in TREES}  # of either game of three
    assert trees["3", 0] == [15, 15 * 14, 15 * 14 * 13]
    assert trees["3", 4] == [6, 6 * 6, 6 * 6 * 6, 6**4]
