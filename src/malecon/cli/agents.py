"""Commands for other programs that think: mcp, analyse, rate-model."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Annotated

import typer

from malecon.cli.shared import Game, app, err, out, progress_bar


@app.command(epilog="Examples: `malecon mcp`, `malecon mcp --http --port 8765`")
def mcp(
    http: Annotated[bool, typer.Option("--http", help="Serve over HTTP instead of standard input and output.")] = False,
    host: Annotated[str, typer.Option(help="With --http: the address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(help="With --http: the port.", min=0, max=65535)] = 8765,
) -> None:
    """Let a language model play, through the Model Context Protocol: tools for games against bots, rules to read."""
    from malecon.agents.mcp_server import make_server

    server = make_server()
    if http:
        err.print(f"http://{host}:{port}/mcp", markup=False, highlight=False)
        server.run("streamable-http", host=host, port=port)
    else:
        server.run("stdio")


@app.command(
    "rate-model",
    epilog="Example: `malecon rate-model santiago llm:http://127.0.0.1:8000/v1,model=NAME --file models.jsonl`",
)
def rate_model(
    game: Game,
    model: Annotated[str, typer.Argument(help="The model: llm:ADDRESS,model=NAME.", show_default=False)],
    players: Annotated[int, typer.Option(help="How many sit at a table.")] = 2,
    games: Annotated[int, typer.Option(help="Games against each opponent.", min=1)] = 10,
    opponents: Annotated[
        str | None, typer.Option(help="Only these bots, between commas.", show_default="all of the protocol")
    ] = None,
    file: Annotated[Path | None, typer.Option(help="Add the results to this file.", show_default=False)] = None,
    by: Annotated[str, typer.Option(help="Who measured it.")] = os.environ.get("USER", ""),
) -> None:
    """Measure a language model against each level, with illegal answers, tokens and costs counted."""
    from malecon.arena import model_results
    from malecon.bots import split

    chosen = tuple(split(opponents)) if opponents else model_results.OPPONENTS
    results = []
    with progress_bar("Playing") as progress:
        for result in model_results.measure(
            model, game, players=players, games=games, opponents=chosen, by=by, progress=progress
        ):
            results.append(result)
            if file is not None:
                model_results.append(file, result)
    out.print(model_results.table(results), markup=False, highlight=False, soft_wrap=True)


@app.command(epilog='Example: `echo \'{"id":1,"game":"santiago","players":2,"moves":[…]}\' | malecon analyse`')
def analyse(
    jobs: Annotated[int, typer.Option(help="Positions searched at the same time.", min=1, max=256)] = os.cpu_count()
    or 1,
) -> None:
    """Search many positions: questions are JSON lines on standard input, answers JSON lines on standard output."""
    import json
    import sys

    from malecon.agents.analysis import Analyser

    def answer(data: dict[str, object]) -> None:
        print(json.dumps(data, ensure_ascii=False), flush=True)

    analyser = Analyser(answer, jobs)
    try:
        for line in sys.stdin:
            if line.strip():
                analyser.ask(line)
    except BaseException:
        analyser.close(finish=False)
        raise
    analyser.close()
