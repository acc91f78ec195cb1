"""Recorded positions of a table, with what the native search finds out about them: for engines in other languages."""

from __future__ import annotations

import base64
import random
import shutil
from pathlib import Path
from typing import Any

from malecon.bots.engine.block import block_for, block_of
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchPlan
from malecon.kernel import registry
from malecon.match import Match

NODE = shutil.which("node")
#: What compares in JavaScript.
COMPARE = Path(__file__).with_name("compare.js")
#: All tables, and how many positions of each are compared: more than 200 in all.
TABLES = [(name, players) for name, most in (("santiago", 4), ("cuba", 5)) for players in range(2, most + 1)]
POSITIONS = 30
SIMULATIONS = 60
PROOF = 3_000
SEED = 5


def record_table(name: str, players: int) -> dict[str, Any]:
    """Return positions of games at random, in turn with what a perfect memory knows and with the bare view.

    They belong together: the tree is kept from one to the next.
    """
    plan = SearchPlan(sims=SIMULATIONS, margin=0.0, proof=PROOF)
    searcher = Searcher(registry.get(name), players, plan, SEED)
    chooser, positions, seed = random.Random(players), list[dict[str, Any]](), 0
    while len(positions) < POSITIONS:
        match = Match(name, players, seed=seed)
        seed += 1
        while match.turn is not None and len(positions) < POSITIONS:
            legal = list(match.legal_moves)
            if len(legal) > 1 and chooser.random() < 0.2:
                positions.append(_record(searcher, match, with_history=len(positions) % 2 == 1))
            match.push(chooser.choice(legal))
    return {
        "game": name,
        "options": {"nodes": plan.nodes, "seed": SEED, "margin": 0},
        "simulations": SIMULATIONS,
        "proof": PROOF,
        "positions": positions,
    }


def _record(searcher: Searcher, match: Match, with_history: bool) -> dict[str, Any]:
    assert match.turn is not None
    view = match.view(match.turn)
    if with_history:
        block, position = block_for(view), position_from_history(view)
    else:
        block, position = block_of(match.game, match.players, view.position, match.turn), view.position
    result = searcher.search(position)
    return {
        "block": base64.b64encode(block).decode(),
        "codes": list(result.codes),
        "visits": list(result.visits),
        "chances": list(result.chances),
        "seats": list(result.seats),
        "proofs": [result.verdict.moves.get(code) for code in result.codes],
        "winner": [result.verdict.winner],
        "canWin": list(result.verdict.can_win),
    }
