"""Commands of the teacher: puzzles, which makes them, puzzle, which asks one, and explorer."""

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
    theme: Annotated[str | None, typer.Option(help="Look for this theme only.", show_default=False)] = None,
    record: Annotated[
        list[Path] | None,
        typer.Option(help="A finished game to look through instead; may be given several times.", show_default=False),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Make puzzles from games of the search against itself, or from yours: one move is clearly best in each."""
    from malecon.teaching import puzzle_making

    with progress_bar("Looking" if record else "Playing") as progress:
        if record:
            games = len(record)
            found = puzzle_making.from_records(game, record, file=file, theme=theme, progress=progress)
        else:
            found = puzzle_making.make(game, games, seed=seed, file=file, theme=theme, progress=progress)
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
    file: Annotated[
        Path | None, typer.Option(help="One of this file, which `puzzles` made.", show_default=False)
    ] = None,
    lang: Language = None,
) -> None:
    """Solve a puzzle: find the one move that is clearly best."""
    from malecon.kernel import readiness
    from malecon.teaching import asking
    from malecon.teaching.puzzles import puzzles_in, shipped

    language, known = language_of(lang), shipped(game) if file is None else puzzles_in(file, game)
    fitting = [n for n, one in enumerate(known, 1) if theme in (None, *one.themes)]
    if not fitting or (number is not None and number > len(known)):
        themes = ", ".join(sorted({theme for one in known for theme in one.themes}))
        raise typer.BadParameter(f"there is no such puzzle: there are {len(known)}, with the themes {themes or '-'}")
    chosen = random.choice(fitting) if number is None else number
    readiness.wait(game)
    if not asking.ask(known[chosen - 1], chosen, language, out):
        raise typer.Exit(1)


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
    known = sorted(one for one in book.questions if not one.startswith(exploring.OPENING))
    if not rows:
        raise typer.BadParameter(f"nothing was counted there; tables: {', '.join(known) or '-'}")
    shown = Table(title=translate(texts.games_counted(book.games), language))
    shown.add_column(translate(texts.CHOICE, language))
    for column in (texts.CHOSEN, texts.SHARE, texts.WINS, texts.INTERVAL):
        shown.add_column(translate(column, language), justify="right")
    for row in rows:
        if row.chosen:
            low, high = row.interval
            name = translate(exploring.name_of(game, row.option), language)
            shown.add_row(name, str(row.chosen), f"{row.share:.0%}", f"{row.win_rate:.0%}", f"{low:.0%}–{high:.0%}")
    out.print(shown)
