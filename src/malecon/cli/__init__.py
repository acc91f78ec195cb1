"""The `malecon` command. It reads arguments and prints; everything it does is a function of the library.

`playing`   single games: play, verify, replay, review, warm
`research`  many games and bots: simulate, arena, train, check-engine, study, export
`agents`    language models and analysis: mcp, rate-model, analyse
`engine`    the WebAssembly module of the search: engine build
`teaching`  learning: puzzles, puzzle, explorer
`serving`   the server and what its host needs: serve, config, example, think, backup, restore, rescue, new-key, doctor
`accounts`  who may use it: setup, account list, add, reset, moderator
"""

from __future__ import annotations

import sys
from typing import Annotated

import typer
from typer.exceptions import TyperException

from malecon import __version__
from malecon.cli import accounts, agents, engine, playing, research, serving, teaching
from malecon.cli.shared import app, err, fail, out, system_language

__all__ = ["accounts", "agents", "app", "engine", "main", "playing", "research", "serving", "teaching"]


def main() -> None:
    """Run the command: one clear line and exit code 2 for bad arguments, never a traceback."""
    from malecon.kernel.errors import MaleconError

    try:
        sys.exit(app(standalone_mode=False))
    except TyperException as error:
        fail(error.format_message())
    except MaleconError as error:
        from malecon.text import best_language, translate

        fail(translate(error.phrase, best_language(system_language())))
    except OSError as error:
        fail(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except (KeyboardInterrupt, typer.Abort):
        err.print()
        sys.exit(130)


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
        serving.serve()
