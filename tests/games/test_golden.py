"""Golden playthroughs and move-tree counts, written by `make_golden.py`: whole games must go on as they always did."""

import json

import pytest

from malecon import games
from malecon.match import Record
from tests.games.make_golden import GOLDEN, count_moves, digest

FINALS = {game: json.loads(golden.read("finals.json")) for game, golden in GOLDEN.items()}
TREES = {game: json.loads(golden.read("trees.json")) for game, golden in GOLDEN.items()}
EACH_GAME = pytest.mark.parametrize("game", GOLDEN)
EACH_RECORD = pytest.mark.parametrize(("game", "name"), [(game, name) for game in FINALS for name in FINALS[game]])


@EACH_RECORD
def test_a_golden_game_ends_as_it_always_did(game, name):
    match = Record.read(GOLDEN[game].folder / name).replay()
    assert match.is_over
    assert digest(match) == FINALS[game][name]["position"]
    assert [dict(score.breakdown) for score in match.scores] == FINALS[game][name]["scores"]
    assert list(match.outcome.winners) == FINALS[game][name]["winners"]


@EACH_RECORD
def test_a_golden_record_is_written_as_it_always_was(game, name):
    assert Record.read(GOLDEN[game].folder / name).to_json() == GOLDEN[game].read(name)


@EACH_GAME
def test_there_are_golden_games_for_every_number_of_players(game):
    kind = games.get(game)
    players = {json.loads(GOLDEN[game].read(name))["players"] for name in FINALS[game]}
    assert players == set(range(kind.fewest_players, kind.most_players + 1))


@EACH_GAME
def test_the_golden_games_use_every_kind_of_move(game):
    """Every first word of the notation, and with it every phase; all buildings that are visited or simply used."""
    moves = {move.split(": ")[1] for name in FINALS[game] for move in json.loads(GOLDEN[game].read(name))["moves"]}
    known = games.get(game).notation.names()
    assert {move.split()[0] for move in moves} == {move.split()[0] for move in known}
    for word in ("visit ", "use "):
        assert {move for move in moves if move.startswith(word)} == {move for move in known if move.startswith(word)}


@pytest.mark.parametrize(
    ("game", "tree"),
    [
        pytest.param(game, tree, id=f"{game}, {tree['game'][:9]} from move {tree['moves']}")
        for game in TREES
        for tree in TREES[game]
    ],
)
def test_the_number_of_ways_to_go_on(game, tree):
    match = Record.read(GOLDEN[game].folder / tree["game"]).replay().fork(tree["moves"])
    assert match.phase == tree["phase"]
    assert [count_moves(match, depth) for depth in range(1, len(tree["counts"]) + 1)] == tree["counts"]


def test_santiagos_tiles_can_be_laid_out_in_as_many_ways_as_there_are():
    """Counted by hand: 12 buildings one after the other, then the Cubans."""
    trees = {tree["moves"]: tree["counts"] for tree in TREES["santiago"] if tree["game"].startswith("4")}
    assert trees[0] == [12, 12 * 11, 12 * 11 * 10, 12 * 11 * 10 * 9]
    assert trees[19][:4] == [2, 2, 2 * 4, 2 * 4 * 6]  # two Cubans left, four starters, a die
    assert trees[25][:3] == [6, 6 * 6, 6 * 6 * 5]  # two dice left, five to leave out


def test_cubas_first_moves_can_be_counted_by_hand():
    """Fifteen ships one after the other; then, with the starting player known, six pairs of materials, six of crops."""
    trees = {(tree["game"][0], tree["moves"]): tree["counts"] for tree in TREES["cuba"]}  # of either game of three
    assert trees["3", 0] == [15, 15 * 14, 15 * 14 * 13]
    assert trees["3", 4] == [6, 6 * 6, 6 * 6 * 6, 6**4]
