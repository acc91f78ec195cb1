"""A puzzle at the terminal: the table as its seat sees it, one answer, and why the solution is better."""

from __future__ import annotations

from rich.console import Console
from rich.text import Text

from malecon.bots import reasons
from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import Phrase, say
from malecon.match import Move
from malecon.teaching.puzzles import Puzzle
from malecon.terminal.boards import board
from malecon.text import describe_move, translate

RIGHT = say("Right: “{solution}” is the move. It leaves a {chance}% chance of winning.")
WRONG = say("No: “{solution}” is the move. It leaves a {chance}% chance of winning.")


def ask(puzzle: Puzzle, number: int, language: str, console: Console) -> bool:
    """Ask for the solution, then say whether it was right, and why; whether it was."""
    view = puzzle.view
    moves = list(view.legal_moves)

    def tell(line: Phrase, style: str = "") -> None:
        console.print(translate(line, language), style=style, markup=False, highlight=False, soft_wrap=True)

    console.print(board(view, language))
    tell(task(puzzle, number), "bold")
    for place, move in enumerate(moves, 1):
        label = translate(describe_move(view, move), language)
        console.print(Text.assemble((f"{place:3}  ", "bold cyan"), label, "  ", (str(move), "dim")))
    while True:
        typed = console.input(Text("› ", "bold")).strip()
        try:
            is_number = typed.isdigit() and 0 < int(typed) <= len(moves)
            chosen = moves[int(typed) - 1] if is_number else Move.parse(view.game, typed)
            if chosen in moves:
                break
            tell(say("choose a number from 1 to {most}, or type a move", most=len(moves)))
        except MaleconError as error:
            tell(error.phrase, "red")
    right = chosen.text == puzzle.solution
    tell(verdict(puzzle, right), "green" if right else "red")
    for sentence in why(puzzle, chosen.text).sentences:
        tell(sentence)
    return right


def task(puzzle: Puzzle, number: int) -> Phrase:
    """What is asked."""
    return say("Puzzle {number}: {who} is to move. One move is clearly best.", number=number, who=_mover(puzzle))


def _mover(puzzle: Puzzle) -> Phrase | str:
    return puzzle.match.names[puzzle.seat]


def verdict(puzzle: Puzzle, right: bool) -> Phrase:
    """Whether the answer was right, and what the solution is."""
    text, view = RIGHT if right else WRONG, puzzle.view
    solution = describe_move(view, Move(puzzle.game, puzzle.solution))
    return text.fill(solution=solution, chance=round(100 * puzzle.chance))


def why(puzzle: Puzzle, answer: str) -> reasons.Explanation:
    """Why the solution is better than the answer; if that was right, than the move that looks best beside it."""
    code = puzzle.match.game.notation.code
    better, other = code(puzzle.solution), code(answer if answer != puzzle.solution else puzzle.tempting)
    assert better is not None
    assert other is not None
    return reasons.explain(puzzle.view, better, other)
