"""Commands for single games: play, verify, replay, review; and warm, which compiles the engine."""

from __future__ import annotations

import json
import secrets
import signal
import sys
from pathlib import Path
from typing import Annotated

import typer

from malecon.cli.shared import Game, Language, Options, app, err, language_of, options_of, out, progress_bar


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
    from malecon import Match, Record, bots
    from malecon.arena.bots import close_bot, make_bot
    from malecon.kernel import registry
    from malecon.match import check_setup
    from malecon.terminal import play as terminal

    language = language_of(lang)
    who = bots.split(seats)
    players = terminal.seat_players(who, make_bot)
    options = options_of(option)
    past = None if resume is None else Record.read(resume)
    if past is None:
        check_setup(registry.get(game), len(who), options)
    luck = secrets.randbits(64) if seed is None else seed
    match = Match(game, len(who), options=options, seed=luck) if past is None else past.replay(luck)
    try:
        terminal.TerminalGame(match, players, language, out, record or resume).run()
    finally:
        for player in players:
            if player is not None:
                close_bot(player)


@app.command(epilog="Example: `malecon verify game.json --dice`")
def verify(
    file: Annotated[Path, typer.Argument(help="A record.")],
    dice: Annotated[bool, typer.Option("--dice", help="Prove every chance move from the secret of the dice.")] = False,
    lang: Language = None,
) -> None:
    """Replay a record and check every move; exit code 0 if all is right, 1 with the line and the reason if not."""
    import malecon
    from malecon.kernel.phrases import counted, say
    from malecon.terminal.results import result_table
    from malecon.text import translate

    language = language_of(lang)
    try:
        record = malecon.Record.read(file)
        match = record.replay()
        moves = counted("{n} move", "{n} moves", len(match))
        lines = [say("{game}: {moves}, all legal", game=match.game.title, moves=moves)]
        if dice:
            proven, drawn = record.prove_dice()
            lines.append(say("{proven} of {drawn} chance moves verified with the secret", proven=proven, drawn=drawn))
    except malecon.BadRecord as error:
        err.print(
            f"{file}: {translate(error.phrase, language)}", style="red", markup=False, highlight=False, soft_wrap=True
        )
        raise typer.Exit(1) from None
    for line in lines:
        out.print(f"{file}: {translate(line, language)}", markup=False, highlight=False, soft_wrap=True)
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

    language = language_of(lang)
    match = malecon.load(file)
    if everything:
        stepping.print_story(match, language, out)
    else:
        stepping.step_through(match, language, out, at)


@app.command(
    epilog="Examples: `malecon review game.json --chart chart.svg`, `malecon review game.json --words --lang de`"
)
def review(
    file: Annotated[Path, typer.Argument(help="A record.")],
    bot: Annotated[str, typer.Option(help="The search that judges.")] = "search:sims=1000,margin=0",
    chart: Annotated[Path | None, typer.Option(help="Draw the chances into this SVG file.", show_default=False)] = None,
    reasons: Annotated[bool, typer.Option("--words", help="Say why the better moves are better.")] = False,
    lang: Language = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print one JSON object.")] = False,
) -> None:
    """Judge every decision of a game: the chance to win, the better move, the turning points."""
    import malecon
    from malecon.teaching import review as reviewing
    from malecon.text import translate

    language = language_of(lang)
    match = malecon.load(file)
    with progress_bar("Thinking") as progress:
        reviewed = reviewing.review(match, bot=bot, progress=progress)
    why = reviewing.explain(reviewed, match) if reasons else {}
    if chart is not None:
        chart.write_text(reviewing.chart(reviewed, match.game.colours, language), encoding="utf-8")
    if as_json:
        extra = {"reasons": {index: explanation.as_dict() for index, explanation in why.items()}} if reasons else {}
        print(json.dumps(reviewed.as_dict() | extra))
    else:
        for line in reviewing.tell(reviewed, match, why):
            out.print(translate(line, language), markup=False, highlight=False, soft_wrap=True)


@app.command(epilog="Examples: `malecon warm`, `malecon warm santiago`")
def warm(
    game: Annotated[str | None, typer.Argument(help="Only this game.", show_default=False)] = None,
) -> None:
    """Compile what is missing of the engine, its bots and its tools for research. Playing does not need it."""
    from malecon import warm as warming
    from malecon.kernel import readiness, registry
    from malecon.kernel.machine_code import cache

    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # or the processes that compile would go on
    names = registry.names() if game is None else (registry.get(game).name,)
    cache.check_folder()
    for part in readiness.KERNELS:
        readiness.wait(*names, part=part)
        for name in names:
            if not readiness.is_compiled(name, part):
                warming.warm(name, part)  # it failed apart from us; here it says why
    for name in names:
        out.print(f"{registry.get(name).title}: ready", highlight=False)
