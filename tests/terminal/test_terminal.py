"""Games in the terminal: boards, results, replays, and what can be typed while playing."""

from __future__ import annotations

import io
import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from malecon import games
from malecon.kernel.errors import BadSetup
from malecon.match import Match, Record
from malecon.terminal.boards import board
from malecon.terminal.play import TerminalGame, seat_players
from malecon.terminal.replay import print_story, step_through
from malecon.terminal.results import result_table
from malecon.text import LANGUAGES


def played(name: str, moves: int = 10_000) -> Match:
    match, dice = Match(name, 3, seed=3), random.Random(3)
    while not match.is_over and len(match) < moves:
        match.push(dice.choice(list(match.legal_moves)))
    return match


def console_with(answers: list[str], monkeypatch: pytest.MonkeyPatch) -> Console:
    """Return a console at which these lines are typed, and then the end of input."""
    console, lines = Console(record=True, width=160, file=io.StringIO()), iter(answers)

    def type_line(*_: object) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    monkeypatch.setattr(console, "input", type_line)
    return console


@pytest.fixture(params=games.names())
def match(request: pytest.FixtureRequest) -> Iterator[Match]:
    return played(request.param, 60)


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_seat_and_a_spectator_see_a_board(match: Match, language: str) -> None:
    for seat in (*range(match.players), None):
        console = Console(record=True, width=160, file=io.StringIO())
        console.print(board(match.view(seat), language))
        text = console.export_text()
        assert len(text.splitlines()) > 10
        assert "{" not in text


def test_results_have_places_once_the_game_is_over(match: Match) -> None:
    for game, has_places in ((match, False), (played(match.game.name), True)):
        console = Console(record=True, width=160, file=io.StringIO())
        console.print(result_table(game, "en"))
        text = console.export_text()
        assert ("the game is not over yet" in text) != has_places
        assert ("1." in text) == has_places
        assert all(str(score.points) in text for score in game.scores)


def test_a_replay_goes_on_back_and_to_a_number(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    console = console_with(["", "b", "40", "", "q"], monkeypatch)
    step_through(match, "en", console, 30)
    text = console.export_text()
    assert [f"{at}/{len(match)}" in text for at in (30, 31, 40, 41, 42)] == [True, True, True, True, False]
    print_story(match, "en", console)
    assert len(console.export_text().splitlines()) > 20


def test_what_can_be_typed_while_playing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    match = Match("santiago", 2, seed=5)
    first = str(match.legal_moves[0])
    file = tmp_path / "game.json"
    lines = ["help", "board", "log", "fly", "99", "", f"save {file}", first, "undo", "1", "quit"]
    console = console_with(lines, monkeypatch)
    TerminalGame(match, seat_players(["you", "greedy"]), "en", console, tmp_path / "record.json").run()
    text = console.export_text()
    for part in (
        "show the table again",
        "'fly' is not a move",
        "choose a number from 1 to",
        "saved in",
        "See you soon.",
    ):
        assert part in text
    assert Record.read(tmp_path / "record.json").moves[: len(match)] == match.record().moves
    assert Record.read(file).moves != match.record().moves


def test_every_seat_needs_a_player() -> None:
    with pytest.raises(BadSetup, match="3 players need 3 seats, not 2"):
        TerminalGame(Match("santiago", 3, seed=1), seat_players(["you", "greedy"]), "en", Console())
