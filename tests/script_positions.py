"""Positions for the unit tests of scripts, which run without Python: `python -m tests.script_positions` writes them.

tests/test_scripts.py fails if the file does not fit the games any more.
"""

from __future__ import annotations

import base64
import json
import random
from typing import Any

from malecon.bots.engine.block import block_for, block_of
from malecon.match import Match
from tests.paths import ROOT

FILE = ROOT / "tests" / "scripts" / "positions.json"
PLAYERS = 3
#: The first decision with so many moves is taken.
FEWEST_MOVES = 6
SEED = 3


def positions() -> str:
    """Return the text of the file: of each game a decision, as the seat that decides sees it, and a finished game."""
    return json.dumps({name: _positions_of(name) for name in ("cuba", "santiago")}, indent=2) + "\n"


def _positions_of(name: str) -> dict[str, Any]:
    chooser = random.Random(SEED)
    match = Match(name, PLAYERS, seed=SEED)
    decision: dict[str, Any] | None = None
    while match.turn is not None:
        legal = list(match.legal_moves)
        if decision is None and len(legal) >= FEWEST_MOVES:
            block = block_for(match.view(match.turn))
            moves = sorted(str(move) for move in legal)
            decision = {"seat": match.turn, "block": _text(block), "moves": moves}
        match.push(chooser.choice(legal))
    over = block_of(match.game, PLAYERS, match.view(0).position, 0)
    return {"players": PLAYERS, "decision": decision, "over": _text(over)}


def _text(block: bytes) -> str:
    return base64.b64encode(block).decode()


if __name__ == "__main__":
    FILE.write_text(positions())
