"""Commands for many games and for bots: simulate, arena, train, check-engine, study, export."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Annotated

import typer

from malecon.cli.shared import (
    Cluster,
    Game,
    Jobs,
    Language,
    Options,
    app,
    language_of,
    options_of,
    out,
    progress_bar,
)


@app.command(
    epilog="Example: `malecon simulate santiago --players 3 --games 200000 --seed 1 --bots greedy,random,random`"
)
def simulate(
    game: Game,
    players: Annotated[int, typer.Option(help="How many sit at the table.")] = 3,
    games: Annotated[int, typer.Option(help="How many games to play.", min=1)] = 10_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    bots: Annotated[
        str | None, typer.Option(help="A simple bot for each seat: random or greedy.", show_default="all random")
    ] = None,
    jobs: Annotated[int, typer.Option(help="Threads to use.", min=1)] = 1,
    option: Options = None,
    record_dir: Annotated[
        Path | None, typer.Option(help="Write a record of each game here.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Play many games between simple bots and show what came of them."""
    from malecon.kernel import readiness, registry
    from malecon.match import check_setup
    from malecon.simulation import statistics as simulation

    options = options_of(option)
    check_setup(registry.get(game), players, options)
    specs = simulation.check_bots(players, [bot.strip() for bot in bots.split(",")] if bots else None)
    readiness.wait(game)
    if record_dir is not None:
        record_dir.mkdir(parents=True, exist_ok=True)

    with progress_bar("Playing") as progress:
        statistics = simulation.simulate(
            game,
            players,
            games,
            seed=seed,
            bots=specs,
            jobs=jobs,
            options=options,
            record_dir=record_dir,
            progress=progress,
        )
    if as_json:
        print(json.dumps(statistics.as_dict()))
    else:
        from malecon.terminal.results import statistics_table

        out.print(statistics_table(statistics))


@app.command(
    epilog="Example: `malecon arena santiago --bots greedy,search:sims=500,search:ms=200 --players 3 --games 1000`"
)
def arena(
    game: Game,
    bots: Annotated[str, typer.Option(help="The bots that meet; with fewer than seats, the last fills the table.")],
    players: Annotated[int, typer.Option(help="How many sit at a table.")] = 2,
    games: Annotated[int, typer.Option(help="At least so many games.", min=1)] = 100,
    seed: Annotated[int, typer.Option(help="The same seed gives the same setups and dice.")] = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    option: Options = None,
    file: Annotated[
        Path | None, typer.Option(help="Keep finished games in this file, and go on where it ends.", show_default=False)
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Let bots meet: seats rotated, the same setups for all, win rates with intervals, ratings."""
    from malecon.arena import results, tournament
    from malecon.arena.plan import ArenaPlan
    from malecon.bots import split
    from malecon.kernel import readiness

    plan = ArenaPlan(game, tuple(split(bots)), players, games, seed, options_of(option))
    plan.check()
    readiness.wait(game)
    with progress_bar("Playing") as progress:
        result = tournament.run(plan, jobs=jobs, cluster=cluster, file=file, progress=progress)
    if as_json:
        print(json.dumps(result.as_dict()))
    else:
        out.print(results.show(result))


@app.command(
    epilog="Example: `malecon train learn_policy santiago --rounds 20`; its own `--help` lists the settings",
    context_settings={"allow_extra_args": True, "ignore_unknown_options": True, "help_option_names": []},
)
def train(
    context: typer.Context,
    script: Annotated[str, typer.Argument(help="learn_policy, play_games, fit_net, train_net or calibration.")],
) -> None:
    """Learn a game by self-play, or train the search's weights: docs/learning.md and docs/bots.md tell how."""
    import runpy
    import sys

    import malecon

    package = Path(malecon.__file__).parent
    folder = next(folder for folder in (package / "training", package.parents[1] / "training") if folder.is_dir())
    scripts = sorted(file.stem for file in folder.glob("*.py") if "__main__" in file.read_text("utf-8"))
    if script not in scripts:
        raise typer.BadParameter(f"there is no {script!r}; choose from: {', '.join(scripts)}", param_hint="'SCRIPT'")
    sys.path.insert(0, str(folder))
    sys.argv = [f"{script}.py", *context.args]
    runpy.run_path(str(folder / f"{script}.py"), run_name="__main__")


@app.command("check-engine", epilog='Example: `malecon check-engine "python docs/example_engine.py"`')
def check_engine(
    command: Annotated[str, typer.Argument(help="The command that starts the program.", show_default=False)],
    game: Annotated[str | None, typer.Option(help="Only this game.", show_default="all that the program names")] = None,
    games: Annotated[int, typer.Option(help="Games to play with each number of players.", min=1)] = 1,
) -> None:
    """Try out a program that plays by the engine protocol, and say what is wrong with it."""
    from malecon.arena.engine_check import check
    from malecon.kernel import registry

    if game is not None:
        registry.get(game)
    findings = check(command, game, games)
    for finding in findings:
        mark = "[red]✗[/]" if not finding.good else "[yellow]![/]" if finding.warning else "[green]✓[/]"
        out.print(f"{mark} {finding.what}", highlight=False)
        if finding.warning or not finding.good:
            out.print(f"  {finding.warning or finding.advice}", markup=False, highlight=False, soft_wrap=True)
    if not all(finding.good for finding in findings):
        raise typer.Exit(1)


@app.command(epilog="Example: `malecon study cuba --games 1000000 --seed 1 --jobs 2 --output cuba.html --lang de`")
def study(
    game: Game,
    games: Annotated[
        int,
        typer.Option(help="Games at random for each number of players; slower levels get a part of it.", min=1),
    ] = 200_000,
    seed: Annotated[int, typer.Option(help="The same seed gives the same numbers.")] = 0,
    jobs: Annotated[
        int | None, typer.Option(help="Jobs at the same time.", show_default="one for each core", min=1)
    ] = None,
    output: Annotated[Path | None, typer.Option(help="The page to write.", show_default="study-GAME.html")] = None,
    lang: Language = None,
) -> None:
    """Play and count many games, and write a page with plots: what starting, buildings, people and laws are worth."""
    from malecon.kernel import readiness, registry

    language = language_of(lang)
    title = registry.get(game).title
    page = output or Path(f"study-{game}.html")
    if not page.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {page.parent}", param_hint="'--output'")
    readiness.wait(game, part=readiness.RESEARCH)
    from malecon import study as studies
    from malecon.study.page import page as study_page

    result = studies.study(game, games, seed=seed, jobs=jobs or os.cpu_count() or 1, bar=progress_bar)
    command = f"malecon study {game} --games {games} --seed {seed} --lang {language}"
    page.write_text(study_page(result, language, command), encoding="utf-8")
    out.print(
        f"{page}: {title}, {result.played:,} games in {result.seconds:.0f} s",
        markup=False,
        highlight=False,
        soft_wrap=True,
    )


@app.command(
    epilog="Example: `malecon export santiago games.parquet --games 1000 --bots greedy,greedy,random --seed 1`"
)
def export(
    game: Game,
    file: Annotated[Path, typer.Argument(help="The Parquet file to write.")],
    games: Annotated[int, typer.Option(help="How many games to play.", min=1)] = 1_000,
    bots: Annotated[str, typer.Option(help="A bot for each seat, in turn order.")] = "greedy,greedy,greedy",
    seed: Annotated[int, typer.Option(help="The same seed gives the same games.")] = 0,
    jobs: Jobs = None,
    cluster: Cluster = None,
    option: Options = None,
) -> None:
    """Write games between bots to a Parquet file: positions, observations, masks, moves and results."""
    from malecon.bots import split
    from malecon.envs import data
    from malecon.kernel import readiness

    readiness.wait(game, part=readiness.RESEARCH)
    with progress_bar("Playing") as progress:
        decisions = data.export(
            game,
            file,
            games,
            bots=split(bots),
            seed=seed,
            options=options_of(option),
            jobs=jobs,
            cluster=cluster,
            progress=progress,
        )
    out.print(f"{file}: {games:,} games, {decisions:,} decisions", markup=False, highlight=False, soft_wrap=True)
