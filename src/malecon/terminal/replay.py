"""Stepping through a finished or running match in the terminal."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from malecon.kernel.phrases import say
from malecon.match import Match
from malecon.terminal.boards import board
from malecon.text import story as text_story
from malecon.text import translate


def print_story(match: Match, language: str, console: Console) -> None:
    """Print everything that happened, line by line."""
    for lines in text_story(match):
        for line in lines:
            console.print(translate(line, language), markup=False, highlight=False, soft_wrap=True)


def step_through(match: Match, language: str, console: Console, at: int = 0) -> None:
    """Show a match move by move, with everything open: Enter goes on, `b` back, a number to that move, `q` quits."""
    story = list(text_story(match))
    first = next((number for number, turn in enumerate(match.history) if turn.seat >= 0), len(match))
    at = min(max(at, first), len(match))
    while True:
        console.print(board(match.everything(at), language))
        if at > first:
            turn = match.history[at - 1]
            console.print(Text(f"{at}/{len(match)}  {turn.move}", "bold"))
            for line in story[at - 1]:
                console.print(translate(line, language), markup=False, highlight=False, soft_wrap=True)
        help_line = say("Enter: next, b: back, a number: that move, q: quit")
        try:
            typed = console.input(Text(translate(help_line, language) + " › ", "dim")).strip()
        except EOFError:
            return
        if typed == "q" or (typed == "" and at == len(match)):
            return
        if typed == "":
            at += 1
        elif typed == "b":
            at = max(first, at - 1)
        elif typed.isdigit():
            at = min(max(int(typed), first), len(match))
