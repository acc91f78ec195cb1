"""A puzzle at the terminal: wrong input, a right answer and a wrong one."""

from __future__ import annotations

import pytest
from rich.console import Console

from malecon.cli.teaching import ask
from malecon.teaching.puzzles import shipped


def test_a_puzzle_is_asked_at_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    puzzle, console = shipped("santiago")[0], Console(record=True, width=100)
    answers = iter(["0", "fly", puzzle.solution])
    monkeypatch.setattr(console, "input", lambda *_: next(answers))
    assert ask(puzzle, 1, "de", console)
    text = console.export_text()
    assert "Aufgabe 1" in text
    assert "Richtig" in text
    answers = iter([puzzle.tempting])
    assert not ask(puzzle, 1, "en", console)
