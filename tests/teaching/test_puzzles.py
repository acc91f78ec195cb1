"""Puzzles: the shipped ones are sound and all different, and the maker goes on where it was stopped."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from malecon import games
from malecon.bots import make as make_bot
from malecon.games.cuba import position as phases
from malecon.games.santiago import moves, tiles
from malecon.games.santiago.position import USE, VISIT
from malecon.games.santiago.teaching import themes
from malecon.kernel.errors import BadSetup
from malecon.match import Match, Move
from malecon.teaching import puzzle_generation
from malecon.teaching.puzzles import allows_two_moves, colourless_key, puzzles_in, read, shipped, theme_name, themes_of
from malecon.text import translate


@pytest.mark.parametrize("game", games.names())
def test_shipped_puzzles_are_sound_and_all_different(game: str) -> None:
    puzzles = shipped(game)
    assert len(puzzles) >= 100
    known = set()
    for puzzle in puzzles:
        legal = puzzle.view.legal_moves
        assert puzzle.solution in legal
        assert puzzle.tempting in legal
        assert puzzle.solution != puzzle.tempting
        assert len(legal) >= puzzle_generation.FEWEST_MOVES or allows_two_moves(
            puzzle.match, Move(game, puzzle.solution)
        )
        assert puzzle.lead >= puzzle_generation.MARGIN
        assert puzzle.rating
        known.add(colourless_key(puzzle))
        for theme in puzzle.themes:
            assert str(theme_name(game, theme)) != theme or translate(theme_name(game, theme), "de")
    assert len(known) == len(puzzles)


@pytest.mark.parametrize("game", games.names())
def test_the_search_agrees_with_a_few(game: str) -> None:
    for puzzle in random.Random(4).sample(shipped(game), 10):
        assert str(make_bot("search:sims=8000", seed=9).choose(puzzle.view)) == puzzle.solution


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_a_second_of_thought_agrees_with_98_of_100(game: str) -> None:
    drawn = random.Random(2026).sample(shipped(game), 100)
    agreed = sum(str(make_bot("search:ms=1000", seed=5).choose(puzzle.view)) == puzzle.solution for puzzle in drawn)
    assert agreed >= 98


def test_a_tie_for_starting_player_is_a_fourth_card_as_high_as_the_highest() -> None:
    """By the rules, who plays such a card later starts the next round."""
    positions_found = 0
    for seed in range(8):
        match = Match("cuba", 2, seed=seed)
        dice = random.Random(seed)
        while match.turn is not None and positions_found < 3:
            ties = [move for move in match.legal_moves if "tie" in themes_of(match, move)]
            if ties:
                positions_found += 1
                assert allows_two_moves(match, ties[0])
                assert len(match.legal_moves) == 2
                seat, on = match.turn, match.fork(len(match))
                on.push(ties[0])
                while on.turn is not None and on.position.phase not in (phases.BID, phases.ENACT):
                    on.push(on.legal_moves[0])
                assert on.position.starter == seat  # of two players, the second is the last
            match.push(dice.choice(list(match.legal_moves)))
    assert positions_found == 3


def test_blocking_takes_what_another_could_use() -> None:
    match = Match("santiago", 2, seed=1)
    while int(match.position.phase) != VISIT:
        match.push(match.legal_moves[0])
    seat, position = match.turn, match.position.copy()
    assert seat is not None
    position.owner[:] = -1
    distillery = moves.NOTATION.code("visit distillery")
    assert distillery is not None
    position.goods[:, tiles.SUGAR] = 0
    assert "blocking" not in themes.themes(position, distillery)  # nobody has sugar cane
    position.goods[1 - seat, tiles.SUGAR] = 1
    assert themes.themes(position, distillery)[0] == "blocking"
    position.goods[seat, tiles.SUGAR] = 1
    assert "blocking" not in themes.themes(position, distillery)  # one has a use for it oneself
    position.phase = USE
    print_about = moves.NOTATION.code("print pedro")
    assert print_about is not None
    assert themes.themes(position, print_about)[0] == "blocking"


def test_the_key_knows_colours_from_differences() -> None:
    first, second = shipped("santiago")[:2]
    assert colourless_key(first) == colourless_key(first)
    assert colourless_key(first) != colourless_key(second)


def test_the_maker_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_generation, "QUICK", 40)
    monkeypatch.setattr(puzzle_generation, "CONFIRMATIONS", (100, 200))
    monkeypatch.setattr(puzzle_generation, "BUDGETS", (10, 20))
    file, heard = tmp_path / "santiago.jsonl", list[tuple[int, int]]()
    puzzle_generation.make("santiago", 1, seed=3, file=file)
    both = puzzle_generation.make("santiago", 2, seed=3, file=file, progress=lambda *done: heard.append(done))
    assert heard == [(1, 2), (2, 2)]
    assert both == puzzle_generation.make("santiago", 2, seed=3)
    with pytest.raises(BadSetup, match="other puzzles"):
        puzzle_generation.make("santiago", 2, seed=4, file=file)
    packed = tmp_path / "packed.jsonl.xz"
    assert puzzle_generation.pack([file, file], packed) == len(both)  # what is alike is there once
    assert [puzzle for source in read(packed) for puzzle in source.puzzles()] == both
    assert packed.stat().st_size < file.stat().st_size


def test_puzzles_come_from_finished_games_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_generation, "QUICK", 40)
    monkeypatch.setattr(puzzle_generation, "CONFIRMATIONS", (100, 200))
    monkeypatch.setattr(puzzle_generation, "BUDGETS", (10, 20))
    monkeypatch.setattr(puzzle_generation, "MARGIN", 0.02)
    monkeypatch.setattr(puzzle_generation, "PROMISING", 0.01)
    match, dice = Match("santiago", 2, seed=1), random.Random(1)
    with pytest.raises(BadSetup, match="not over"):
        puzzle_generation.from_match(match)
    while match.turn is not None:
        match.push(dice.choice(list(match.legal_moves)))
    record, file = tmp_path / "game.json", tmp_path / "ours.jsonl"
    match.record().write(record)
    puzzles = puzzle_generation.from_records("santiago", [record], file=file)
    assert puzzles
    assert puzzles_in(file, "santiago") == tuple(puzzles)
    assert puzzles_in(file, "cuba") == ()
    played = [str(turn.move) for turn in match.history]
    for puzzle in puzzles:
        assert list(puzzle.moves) == played[: len(puzzle.moves)]
        assert puzzle.solution in puzzle.view.legal_moves
    with pytest.raises(BadSetup, match="is a game of Santiago de Cuba"):
        puzzle_generation.from_records("cuba", [record])
    with pytest.raises(BadSetup, match="usual options"):
        puzzle_generation.from_match(_with_open_screens())


def _with_open_screens() -> Match:
    match = Match("santiago", 2, seed=1, options={"open_screens": True})
    while match.turn is not None:
        match.push(match.legal_moves[0])
    return match
