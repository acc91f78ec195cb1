"""Puzzles: the shipped ones are sound and all different, and the maker goes on where it was stopped."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from rich.console import Console

from malecon import games
from malecon.bots import make as make_bot
from malecon.games.cuba import position as phases
from malecon.games.santiago import moves, tiles
from malecon.games.santiago.position import USE, VISIT
from malecon.games.santiago.teaching import themes
from malecon.kernel.errors import BadSetup
from malecon.match import Match, Move
from malecon.teaching import asking, puzzle_making, winners
from malecon.teaching.puzzles import is_of_two, likeness, puzzles_in, read, shipped, theme_name, themes_of
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
        assert len(legal) >= puzzle_making.FEWEST_MOVES or is_of_two(puzzle.match, Move(game, puzzle.solution))
        assert puzzle.lead >= puzzle_making.MARGIN
        assert puzzle.rating
        known.add(likeness(puzzle))
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
    found = 0
    for seed in range(8):
        match = Match("cuba", 2, seed=seed)
        dice = random.Random(seed)
        while match.turn is not None and found < 3:
            ties = [move for move in match.legal_moves if "tie" in themes_of(match, move)]
            if ties:
                found += 1
                assert is_of_two(match, ties[0])
                assert len(match.legal_moves) == 2
                seat, on = match.turn, match.fork(len(match))
                on.push(ties[0])
                while on.turn is not None and on.position.phase not in (phases.BID, phases.ENACT):
                    on.push(on.legal_moves[0])
                assert on.position.starter == seat  # of two players, the second is the last
            match.push(dice.choice(list(match.legal_moves)))
    assert found == 3


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


def test_likeness_knows_colours_from_differences() -> None:
    first, second = shipped("santiago")[:2]
    assert likeness(first) == likeness(first)
    assert likeness(first) != likeness(second)


def test_the_maker_goes_on_where_it_was_stopped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_making, "QUICK", 40)
    monkeypatch.setattr(puzzle_making, "LOOKS", (100, 200))
    monkeypatch.setattr(puzzle_making, "BUDGETS", (10, 20))
    file, heard = tmp_path / "santiago.jsonl", list[tuple[int, int]]()
    puzzle_making.make("santiago", 1, seed=3, file=file)
    both = puzzle_making.make("santiago", 2, seed=3, file=file, progress=lambda *done: heard.append(done))
    assert heard == [(1, 2), (2, 2)]
    assert both == puzzle_making.make("santiago", 2, seed=3)
    with pytest.raises(BadSetup, match="other puzzles"):
        puzzle_making.make("santiago", 2, seed=4, file=file)
    packed = tmp_path / "packed.jsonl.xz"
    assert puzzle_making.pack([file, file], packed) == len(both)  # what is alike is there once
    assert [puzzle for source in read(packed) for puzzle in source.puzzles()] == both
    assert packed.stat().st_size < file.stat().st_size


def test_puzzles_come_from_finished_games_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(puzzle_making, "QUICK", 40)
    monkeypatch.setattr(puzzle_making, "LOOKS", (100, 200))
    monkeypatch.setattr(puzzle_making, "BUDGETS", (10, 20))
    monkeypatch.setattr(puzzle_making, "MARGIN", 0.02)
    monkeypatch.setattr(puzzle_making, "PROMISING", 0.01)
    match, dice = Match("santiago", 2, seed=1), random.Random(1)
    with pytest.raises(BadSetup, match="not over"):
        puzzle_making.from_match(match)
    while match.turn is not None:
        match.push(dice.choice(list(match.legal_moves)))
    record, file = tmp_path / "game.json", tmp_path / "ours.jsonl"
    match.record().write(record)
    found = puzzle_making.from_records("santiago", [record], file=file)
    assert found
    assert puzzles_in(file, "santiago") == tuple(found)
    assert puzzles_in(file, "cuba") == ()
    played = [str(turn.move) for turn in match.history]
    for puzzle in found:
        assert list(puzzle.moves) == played[: len(puzzle.moves)]
        assert puzzle.solution in puzzle.view.legal_moves
    with pytest.raises(BadSetup, match="is a game of Santiago de Cuba"):
        puzzle_making.from_records("cuba", [record])
    with pytest.raises(BadSetup, match="usual options"):
        puzzle_making.from_match(_with_open_screens())


def _with_open_screens() -> Match:
    match = Match("santiago", 2, seed=1, options={"open_screens": True})
    while match.turn is not None:
        match.push(match.legal_moves[0])
    return match


def test_a_puzzle_is_asked_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, console = shipped("santiago")[0], Console(record=True, width=100)
    answers = iter(["0", "fly", puzzle.solution])
    monkeypatch.setattr(console, "input", lambda *_: next(answers))
    assert asking.ask(puzzle, 1, "de", console)
    text = console.export_text()
    assert "Aufgabe 1" in text
    assert "Richtig" in text
    answers = iter([puzzle.tempting])
    assert not asking.ask(puzzle, 1, "en", console)


def test_where_winners_have_their_points_from_is_measured() -> None:
    measured = winners.measure("santiago", 2, 2)
    assert sum(one.games for one in measured.values()) >= 2
    assert all(sum(one.points.values()) > 10 for one in measured.values())
    assert winners.usual("santiago", 9, 0) is None


def test_what_winners_have_is_known_for_every_seat() -> None:
    for game, most in (("santiago", 4), ("cuba", 5)):
        for players in range(2, most + 1):
            found = [winners.usual(game, players, seat) for seat in range(players)]
            assert all(one is not None and one.games > 0 and sum(one.points.values()) > 10 for one in found)
