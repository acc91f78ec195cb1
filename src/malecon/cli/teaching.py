"""Commands of the teacher: puzzles, which makes them, and puzzle, which asks one."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Annotated

import typer

from malecon.cli.shared import Game, Language, app, language_of, out, progress_bar


@app.command(epilog="Example: `malecon puzzles cuba --games 2000 --seed 1 --file cuba.jsonl`")
def puzzles(
    game: Game,
    games: Annotated[int, typer.Option(help="How many games to look through.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same puzzles.")] = 0,
    file: Annotated[
        Path | None, typer.Option(help="Keep the puzzles in this file, and go on where it ends.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make puzzles from games of the search against itself: positions in which one move is clearly best."""
    from malecon.study.teacher import making

    with progress_bar("Playing") as progress:
        found = making.make(game, games, seed=seed, file=file, progress=progress)
    themes = Counter(theme for puzzle in found for theme in puzzle.themes)
    if as_json:
        print(json.dumps({"game": game, "games": games, "puzzles": len(found), "themes": themes}))
        return
    out.print(f"{len(found)} puzzles from {games} games", highlight=False)
    for theme, count in themes.most_common():
        out.print(f"  {theme}: {count}", highlight=False)


@app.command(epilog="Example: `malecon puzzle santiago --theme delivery --lang de`")
def puzzle(
    game: Game = "santiago",
    number: Annotated[int | None, typer.Option(help="This one; else any.", min=1, show_default=False)] = None,
    theme: Annotated[str | None, typer.Option(help="One with this theme.", show_default=False)] = None,
    lang: Language = None,
) -> None:
    """Solve a puzzle: find the one move that is clearly best."""
    from malecon.games import readiness
    from malecon.study.teacher import asking
    from malecon.study.teacher.puzzles import shipped

    language, known = language_of(lang), shipped(game)
    fitting = [n for n, one in enumerate(known, 1) if theme in (None, *one.themes)]
    if not fitting or (number is not None and number > len(known)):
        themes = ", ".join(sorted({theme for one in known for theme in one.themes}))
        raise typer.BadParameter(f"there is no such puzzle: there are {len(known)}, with the themes {themes or '-'}")
    chosen = random.choice(fitting) if number is None else number
    readiness.wait(game)
    if not asking.ask(known[chosen - 1], chosen, language, out):
        raise typer.Exit(1)
