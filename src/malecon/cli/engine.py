"""The commands about the engine module: `malecon engine build`."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from typing import Annotated

import typer

from malecon.cli.shared import app, out

engine = typer.Typer(help="The search as a WebAssembly module, for browsers and other languages.", no_args_is_help=True)
app.add_typer(engine, name="engine")
#: Numba's code depends on the order of sets: with another seed the module is as good, but not the same bytes.
HASH_SEED = "0"


@engine.command(epilog="Example: `malecon engine build`; it needs the package `ziglang` (requirements-engine.txt)")
def build(
    games: Annotated[list[str] | None, typer.Argument(help="Which games.", show_default="all with weights")] = None,
) -> None:
    """Build the engine modules of games into their folders; about a minute each."""
    if os.environ.get("PYTHONHASHSEED") != HASH_SEED:
        command = [sys.executable, "-m", "malecon", "engine", "build", *(games or ())]
        done = subprocess.run(command, env=os.environ | {"PYTHONHASHSEED": HASH_SEED, "MALECON_COMPILE": "now"})
        raise typer.Exit(done.returncode)
    from malecon.bots.engine.building import build as build_module
    from malecon.bots.engine.module import describe, files
    from malecon.bots.network import weights_path
    from malecon.kernel import registry

    for name in games or [name for name in registry.names() if weights_path(name).is_file()]:
        game = registry.get(name)
        paths = files(game)
        if paths is None:
            raise typer.BadParameter(f"{name} is a single file and has no folder for a module", param_hint="'GAMES'")
        wasm = build_module(game)
        paths[0].write_bytes(wasm)
        paths[1].write_text(json.dumps(describe(game, wasm), indent=1) + "\n", encoding="utf-8")
        out.print(f"{paths[0].name} of {game.title}: {len(wasm):,} bytes", markup=False, highlight=False)
