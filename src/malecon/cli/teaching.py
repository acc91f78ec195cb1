"""Commands for learning: puzzles makes puzzles, puzzle asks one, explorer shows what was chosen in many games."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from malecon.cli.shared import Game, Language, app, language_of, out, progress_bar

if TYPE_CHECKING:
    from rich.console import Console

    from malecon.teaching.puzzles import Puzzle


@app.command(epilog="Example: `malecon puzzles cuba --games 2000 --seed 1 --file cuba.jsonl`")
def puzzles(
    game: Game,
    games: Annotated[int, typer.Option(help="How many games to look through.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles.")] = 0,
    file: Annotated[
        Path | None, typer.Option(help="Keep the puzzles in this file, and go on where it ends.", show_default=False)
    ] = None,
    theme: Annotated[str | None, typer.Option(help="Look for this theme only.", show_default=False)] = None,
    record: Annotated[
        list[Path] | None,
        typer.Option(help="A finished game to look through instead; may be given several times.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make puzzles from games of the search against itself, or from yours: one move is clearly best in each."""
    from malecon.teaching import puzzle_generation

    with progress_bar("Looking" if record else "Playing") as progress:
        if record:
            games = len(record)
            made = puzzle_generation.from_records(game, record, file=file, theme=theme, progress=progress)
        else:
            made = puzzle_generation.make(game, games, seed=seed, file=file, theme=theme, progress=progress)
    themes = Counter(theme for puzzle in made for theme in puzzle.themes)
    if as_json:
        print(json.dumps({"game": game, "games": games, "puzzles": len(made), "themes": themes}))
        return
    out.print(f"{len(made)} puzzles from {games} games", highlight=False)
    for theme, count in themes.most_common():
        out.print(f"  {theme}: {count}", highlight=False)


@app.command(epilog="Example: `malecon puzzle santiago --theme delivery --lang de`")
def puzzle(
    game: Game = "santiago",
    number: Annotated[int | None, typer.Option(help="This one; else any.", min=1, show_default=False)] = None,
    theme: Annotated[str | None, typer.Option(help="One with this theme.", show_default=False)] = None,
    file: Annotated[
        Path | None, typer.Option(help="One of this file, which `puzzles` made.", show_default=False)
    ] = None,
    lang: Language = None,
) -> None:
    """Solve a puzzle: find the one move that is clearly best."""
    from malecon.teaching.puzzles import puzzles_in, shipped

    language, every = language_of(lang), shipped(game) if file is None else puzzles_in(file, game)
    fitting = [n for n, candidate in enumerate(every, 1) if theme in (None, *candidate.themes)]
    if not fitting or (number is not None and number > len(every)):
        themes = ", ".join(sorted({theme for candidate in every for theme in candidate.themes}))
        raise typer.BadParameter(f"there is no such puzzle: there are {len(every)}, with the themes {themes or '-'}")
    chosen = random.choice(fitting) if number is None else number
    if not ask(every[chosen - 1], chosen, language, out):
        raise typer.Exit(1)


def ask(puzzle: Puzzle, number: int, language: str, console: Console) -> bool:
    """Ask for the solution of a puzzle, print the verdict and its reasons, and return whether the answer was right."""
    from rich.text import Text

    from malecon.bots import reasons
    from malecon.kernel.errors import MaleconError
    from malecon.kernel.phrases import Phrase, say
    from malecon.match import Move
    from malecon.terminal.boards import board
    from malecon.text import describe_move, translate

    def tell(line: Phrase, style: str = "") -> None:
        console.print(translate(line, language), style=style, markup=False, highlight=False, soft_wrap=True)

    view, code = puzzle.view, puzzle.match.game.notation.code
    moves = list(view.legal_moves)
    who = puzzle.match.names[puzzle.seat]
    console.print(board(view, language))
    tell(say("Puzzle {number}: {who} is to move. One move is clearly best.", number=number, who=who), "bold")
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
    is_right = chosen.text == puzzle.solution
    if is_right:
        verdict = say("Right: “{solution}” is the move. It leaves a {chance}% chance of winning.")
    else:
        verdict = say("No: “{solution}” is the move. It leaves a {chance}% chance of winning.")
    solution = describe_move(view, Move(puzzle.game, puzzle.solution))
    tell(verdict.fill(solution=solution, chance=round(100 * puzzle.chance)), "green" if is_right else "red")
    # A right answer is compared with the second best move.
    better, other = code(puzzle.solution), code(puzzle.tempting if is_right else chosen.text)
    assert better is not None
    assert other is not None
    for sentence in reasons.explain(view, better, other).sentences:
        tell(sentence)
    return is_right


@app.command(epilog='Example: `malecon explorer cuba --players 3 --after "materials wood water"`')
def explorer(
    game: Game,
    players: Annotated[int, typer.Option(help="How many play.", min=2)] = 2,
    after: Annotated[
        list[str] | None, typer.Option(help="A choice made before, in order; repeat it.", show_default=False)
    ] = None,
    table: Annotated[
        str | None, typer.Option(help="A table instead of the opening, such as `build 1`.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
    lang: Language = None,
) -> None:
    """Show what the search chose in games against itself, how often, and how it ended."""
    from dataclasses import asdict

    from rich.table import Table

    from malecon.teaching import explorer as exploring
    from malecon.teaching.explorer import texts
    from malecon.text import translate

    language, book = language_of(lang), exploring.shipped(game, players)
    question = table or exploring.after(after or ())
    rows = exploring.explore(game, players, after or ()) if table is None else book.rows(table)
    if as_json:
        print(json.dumps({"game": game, "players": players, "games": book.games, "question": question, "rows": [asdict(row) for row in rows]}))  # fmt: skip # noqa: E501
        return
    questions = sorted(other for other in book.questions if not other.startswith(exploring.OPENING))
    if not rows:
        raise typer.BadParameter(f"nothing was counted there; tables: {', '.join(questions) or '-'}")
    grid = Table(title=translate(texts.games_counted(book.games), language))
    grid.add_column(translate(texts.CHOICE, language))
    for column in (texts.CHOSEN, texts.SHARE, texts.WINS, texts.INTERVAL):
        grid.add_column(translate(column, language), justify="right")
    for row in rows:
        if row.chosen:
            low, high = row.interval
            name = translate(exploring.name_of(game, row.option), language)
            grid.add_row(name, str(row.chosen), f"{row.share:.0%}", f"{row.win_rate:.0%}", f"{low:.0%}–{high:.0%}")
    out.print(grid)
