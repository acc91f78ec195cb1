"""The `malecon` command. It reads arguments and prints; everything it does is a function of the library."""

from __future__ import annotations

import json
import os
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console
from typer.exceptions import TyperException

from malecon import __version__

if TYPE_CHECKING:
    from malecon.kernel.game import OptionValue

app = typer.Typer(
    name="malecon",
    help="Santiago de Cuba and Cuba: play, simulate and study two board games.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

Game = Annotated[str, typer.Argument(help="Which game: santiago or cuba.", show_default=False)]
Language = Annotated[
    str | None,
    typer.Option("--lang", help="en, de, es or it; the system's language where none is given.", show_default=False),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="A table option, like open_screens=true; may be repeated.", show_default=False),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="Games at a time, each in a process of its own.", min=1, show_default="1; as many as a cluster has cores"
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Play on a Ray cluster: its address, or `auto` for the one that runs here, else a new one.",
        show_default=False,
    ),
]


def main() -> None:
    """Run the command: one clear line and exit code 2 for bad arguments, never a traceback."""
    from malecon.kernel.errors import MaleconError

    try:
        sys.exit(app(standalone_mode=False))
    except TyperException as error:
        _fail(error.format_message())
    except MaleconError as error:
        from malecon import words

        _fail(words.say(error.phrase, words.best_language(_system_language())))
    except OSError as error:
        _fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (KeyboardInterrupt, typer.Abort):
        err.print()
        sys.exit(130)


def _fail(message: str) -> NoReturn:
    err.print(f"malecon: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(2)


def _system_language() -> str:
    return next(
        (value for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), ""
    )


def _language(chosen: str | None) -> str:
    from malecon import words

    if chosen is None:
        return words.best_language(_system_language())
    if chosen not in words.LANGUAGES:
        raise words.UnknownLanguage(chosen)
    return chosen


def _options(pairs: list[str] | None) -> dict[str, OptionValue]:
    """`open_screens=true` as a table option; whether the game has it is for the game to say."""
    found: dict[str, OptionValue] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not of the form name=value", param_hint="'--option'")
        found[name.strip()] = {"true": True, "false": False}.get(value.strip().lower(), value.strip())
    return found


def _prepare(*names: str, show: bool = True) -> None:
    """Compile what has not been compiled for just this version of the engine, with progress shown."""
    from malecon import games, warm

    titles = {name: games.get(name).title for name in names}
    cold = [name for name in names if not warm.is_warm(name)]
    if not cold:
        return
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

    told = TextColumn("{task.description}")
    with Progress(
        SpinnerColumn(), told, BarColumn(), MofNCompleteColumn(), TimeElapsedColumn(), console=err, disable=not show
    ) as bar:
        tasks = {
            name: bar.add_task(f"Preparing {titles[name]} (only once)", total=len(list(warm.steps(name))))
            for name in cold
        }
        warm.warm_all(cold, lambda name: bar.advance(tasks[name]))


@app.callback(invoke_without_command=True)
def malecon(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Say which version this is.")] = False,
) -> None:
    """Santiago de Cuba and Cuba: play, simulate and study two board games.

    Without a command, the table opens in the browser.
    """
    if version:
        out.print(f"malecon {__version__}", highlight=False)
    elif context.invoked_subcommand is None:
        serve()


@app.command(epilog="Example: `malecon play santiago --seats you,greedy,random --lang es`")
def play(
    game: Game = "santiago",
    seats: Annotated[str, typer.Option(help="Who sits where, in turn order: `you` or a bot.")] = "you,greedy,greedy",
    lang: Language = None,
    seed: Annotated[int | None, typer.Option(help="Draw chance's moves from this seed.", show_default=False)] = None,
    option: Options = None,
    record: Annotated[
        Path | None, typer.Option(help="Keep the record in this file, after every move.", show_default=False)
    ] = None,
    resume: Annotated[Path | None, typer.Option(help="Go on with the game in this record.", show_default=False)] = None,
) -> None:
    """Play in the terminal, alone against bots or with friends at one keyboard."""
    from malecon import Match, Record, bots, games
    from malecon.match import check_setup
    from malecon.terminal import play as terminal

    language = _language(lang)
    who = bots.split(seats)
    players = terminal.seat_players(who)
    options = _options(option)
    past = None if resume is None else Record.read(resume)
    if past is None:
        check_setup(games.get(game), len(who), options)
    _prepare(game if past is None else past.game)
    luck = secrets.randbits(64) if seed is None else seed
    match = Match(game, len(who), options=options, seed=luck) if past is None else past.replay(luck)
    terminal.TerminalGame(match, players, language, out, record or resume).run()


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
    from malecon import games as known
    from malecon.match import check_setup
    from malecon.simulation import statistics as simulation

    options = _options(option)
    check_setup(known.get(game), players, options)
    specs = simulation.check_bots(players, [bot.strip() for bot in bots.split(",")] if bots else None)
    _prepare(game, show=not as_json or sys.stderr.isatty())
    if record_dir is not None:
        record_dir.mkdir(parents=True, exist_ok=True)

    with _bar("Playing") as progress:
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


@contextmanager
def _bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """A progress bar that hears how much of how much is done; nothing is shown where nobody could see it move."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


@app.command(epilog="Example: `malecon verify game.json --dice`")
def verify(
    file: Annotated[Path, typer.Argument(help="A record.")],
    dice: Annotated[bool, typer.Option("--dice", help="Prove every chance move from the secret of the dice.")] = False,
    lang: Language = None,
) -> None:
    """Replay a record and check every move; exit code 0 if all is right, 1 with the line and the reason if not."""
    import malecon
    from malecon import words
    from malecon.kernel.phrases import counted, say
    from malecon.terminal.results import result_table

    language = _language(lang)
    try:
        record = malecon.Record.read(file)
        match = record.replay()
        moves = counted("{n} move", "{n} moves", len(match))
        lines = [say("{game}: {moves}, all legal", game=match.game.title, moves=moves)]
        if dice:
            proven, drawn = record.prove_dice()
            lines.append(say("{proven} of {drawn} chance moves proven from the secret", proven=proven, drawn=drawn))
    except malecon.BadRecord as error:
        err.print(
            f"{file}: {words.say(error.phrase, language)}", style="red", markup=False, highlight=False, soft_wrap=True
        )
        raise typer.Exit(1) from None
    for line in lines:
        out.print(f"{file}: {words.say(line, language)}", markup=False, highlight=False, soft_wrap=True)
    out.print(result_table(match, language))


@app.command(
    epilog="Example: `malecon replay game.json --lang de`. Enter: next; b: back; a number: that move; q: quit."
)
def replay(
    file: Annotated[Path, typer.Argument(help="A record.")],
    lang: Language = None,
    at: Annotated[int, typer.Option(help="Start after that many moves.", min=0)] = 0,
    everything: Annotated[bool, typer.Option("--log", help="Print the whole story and stop.")] = False,
) -> None:
    """Step through a record in the terminal."""
    import malecon
    from malecon.terminal import replay as stepping

    language = _language(lang)
    match = malecon.load(file)
    if everything:
        stepping.print_story(match, language, out)
    else:
        stepping.step_through(match, language, out, at)


@app.command(epilog="Example: `malecon warm`")
def warm(game: Annotated[str | None, typer.Argument(help="Only this game.", show_default=False)] = None) -> None:
    """Compile what is missing of the engine and its bots, so that games start at once."""
    from malecon import games
    from malecon import warm as warming

    names = games.NAMES if game is None else (game,)
    _prepare(*names)
    for name in names:
        seconds = warming.warm(name)
        out.print(f"{games.get(name).title}: ready, starts in {seconds:.1f} s", highlight=False)


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
    from malecon.arena.plan import Plan
    from malecon.bots import split

    plan = Plan(game, tuple(split(bots)), players, games, seed, _options(option))
    plan.check()
    _prepare(game, show=not as_json or sys.stderr.isatty())
    with _bar("Playing") as progress:
        result = tournament.run(plan, jobs=jobs, cluster=cluster, file=file, progress=progress)
    if as_json:
        print(json.dumps(result.as_dict()))
    else:
        out.print(results.show(result))


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
    from malecon import games as known

    language = _language(lang)
    title = known.get(game).title
    page = output or Path(f"study-{game}.html")
    if not page.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {page.parent}", param_hint="'--output'")
    _prepare(game)
    from malecon import study as studies
    from malecon.study.page import page as written

    found = studies.study(game, games, seed=seed, jobs=jobs or os.cpu_count() or 1, bar=_bar)
    command = f"malecon study {game} --games {games} --seed {seed} --lang {language}"
    page.write_text(written(found, language, command), encoding="utf-8")
    out.print(
        f"{page}: {title}, {found.played:,} games in {found.seconds:.0f} s",
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

    if jobs or cluster:  # else every worker compiles for itself
        _prepare(game)
    with _bar("Playing") as progress:
        decisions = data.export(
            game,
            file,
            games,
            bots=split(bots),
            seed=seed,
            options=_options(option),
            jobs=jobs,
            cluster=cluster,
            progress=progress,
        )
    out.print(f"{file}: {games:,} games, {decisions:,} decisions", markup=False, highlight=False, soft_wrap=True)


@app.command(epilog="Example: `malecon review game.json --chart chart.svg`")
def review(
    file: Annotated[Path, typer.Argument(help="A record.")],
    bot: Annotated[str, typer.Option(help="The search that judges.")] = "search:sims=1000,margin=0",
    chart: Annotated[Path | None, typer.Option(help="Draw the chances into this SVG file.", show_default=False)] = None,
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Judge every decision of a game: the chance to win, the better move, the turning points."""
    import malecon
    from malecon import review as reviewing
    from malecon import words

    language = _language(lang)
    match = malecon.load(file)
    with _bar("Thinking") as progress:
        found = reviewing.review(match, bot=bot, progress=progress)
    if chart is not None:
        chart.write_text(reviewing.chart(found, match.game.colours, language), encoding="utf-8")
    if as_json:
        print(json.dumps(found.as_dict()))
    else:
        for line in reviewing.tell(found, match):
            out.print(words.say(line, language), markup=False, highlight=False, soft_wrap=True)


Data = Annotated[Path | None, typer.Option(help="The folder where games are kept.", show_default=False)]
Database = Annotated[
    str | None,
    typer.Option(
        envvar="MALECON_DATABASE",
        help="A database instead of a folder: postgresql://user@host/name",
        show_default=False,
    ),
]


def _place(data: Path | None, database: str | None) -> Path | str:
    from malecon.server.web.serve import default_folder

    if data is not None and database is not None:
        raise typer.BadParameter("games are kept in a folder or in a database, not both", param_hint="'--data'")
    return database or data or default_folder()


def _address(data: Path | None, database: str | None) -> str:
    from malecon.server.storage.database import address_of

    place = _place(data, database)
    return place if isinstance(place, str) else address_of(place)


@app.command(epilog="Example: `malecon serve --port 8080 --no-browser --data club`")
def serve(
    port: Annotated[
        int | None, typer.Option(help="The port; a free one where none is given.", show_default=False)
    ] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    data: Data = None,
    database: Database = None,
    host: Annotated[
        str, typer.Option(help="The address to listen at; others than this machine's are open.")
    ] = "127.0.0.1",
    proxy: Annotated[
        str | None,
        typer.Option(help="The proxy's address, if not this machine's: it says who asks.", show_default=False),
    ] = None,
    log: Annotated[str | None, typer.Option(help="`json`: tell every request as a line.", show_default=False)] = None,
) -> None:
    """Open the table in the browser: on this machine only, unless told otherwise."""
    from malecon import games
    from malecon.server.web.serve import run

    if log not in (None, "json"):
        raise typer.BadParameter("the only kind of log is json", param_hint="'--log'")
    place = _place(data, database)
    _prepare(*games.NAMES, show=log is None or sys.stderr.isatty())
    run(
        port,
        browser,
        place,
        _tell_address,
        host=host,
        proxy=proxy,
        json_logs=log == "json",
    )


def _tell_address(address: str) -> None:
    out.print(f"The table is laid: {address}", highlight=False)
    sys.stdout.flush()  # also where it goes into a file or to another program


@app.command(epilog="Example: `malecon backup monday.zip --data club`")
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write.")], data: Data = None, database: Database = None
) -> None:
    """Keep all games and people in one file, also while the server runs; it fits SQLite and PostgreSQL alike."""
    from malecon.server.storage import backup as backups

    _tell_backup(file, "holds", backups.back_up(_address(data, database), file).rows)


@app.command(epilog="Example: `malecon restore monday.zip --database postgresql://malecon@localhost/malecon`")
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")], data: Data = None, database: Database = None
) -> None:
    """Lay a backup into an empty folder or database; the server must not run."""
    from malecon.server.storage import backup as backups

    _tell_backup(file, "gave back", backups.restore(file, _address(data, database)).rows)


def _tell_backup(file: Path, verb: str, rows: dict[str, int]) -> None:
    counts = ", ".join(f"{count} {name}" for name, count in rows.items())
    out.print(f"{file} {verb} {counts}; all of it checked", markup=False, highlight=False, soft_wrap=True)


@app.command("new-key", epilog="Example: `malecon new-key --forget --data club`")
def new_key(
    forget: Annotated[bool, typer.Option("--forget", help="Believe no older key: everybody is logged out.")] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Sign sessions with a new key, also while the server runs; those of the key before go on."""
    from malecon.server.people.sessions import Sessions
    from malecon.server.storage.store import Storage

    storage = Storage(_address(data, database))
    Sessions(storage).new_key(forget)
    storage.close()
    out.print("Everybody is logged out." if forget else "Sessions are signed with a new key.", highlight=False)


@app.command(epilog="Example: `malecon doctor --data club`")
def doctor(data: Data = None, database: Database = None) -> None:
    """Check this installation: exit code 0 if it can serve, 1 with what to do if not."""
    from malecon.server.operation import doctor as doctors

    worst = 0
    for found in doctors.examine(_address(data, database)):
        style = {"ok": "green", "note": "yellow", "bad": "red"}[found.state]
        out.print(f"[{style}]{found.state:<4}[/] ", end="", highlight=False)
        out.print(f"{found.subject}: {found.text}", markup=False, highlight=False, soft_wrap=True)
        worst = max(worst, int(found.state == "bad"))
    raise typer.Exit(worst)
