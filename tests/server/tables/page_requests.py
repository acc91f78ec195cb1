"""Decisions of bots that a page is asked for, with what it must make of them: for Node and for browsers."""

from __future__ import annotations

import base64
import random
from collections.abc import Iterator
from typing import Any

import msgspec

from malecon import bots
from malecon.bots.engine.block import block_for
from malecon.match import Match
from malecon.server.tables.page_bots import think_request

#: All tables, with the options that change what is hidden.
TABLES = [
    *(("santiago", players, {"open_screens": is_open}) for players in (2, 3, 4) for is_open in (False, True)),
    *(("cuba", players, {"envoys": envoys}) for players in (2, 3, 4, 5) for envoys in (False, True)),
]
#: Bots that count simulations, so that their moves can be compared; every kind of setting occurs.
SPECS = (
    "search:sims=150",
    "search:sims=90,miss=0.4,c=0.8,margin=0",
    "search:sims=60,value=worth,prior=3,miss=0.9",
    "search:sims=60,policy=worth,prior=2,rollout=greedy,depth=6",
    "search:sims=60,rollout=random,miss=0.05",
)
#: Every so many decisions the move is compared, too.
STEP = 7
#: How many decisions there are at least, of whole games.
DECISIONS = 100


def record_requests(game: str, players: int, options: dict[str, Any]) -> list[dict[str, Any]]:
    """Return the decisions of random games: the request, the position in the bot's eyes, and some of its moves."""
    decisions: list[dict[str, Any]] = []
    for seed in range(DECISIONS):
        decisions += _decisions(Match(game, players, seed=seed, options=options), random.Random(seed))
        if len(decisions) >= DECISIONS:
            return decisions
    raise AssertionError("no page is asked for enough moves")


def _decisions(match: Match, dice: random.Random) -> Iterator[dict[str, Any]]:
    number = 0
    while match.turn is not None:
        view = match.view(match.turn)
        person = dice.choice([seat for seat in range(match.players) if seat != match.turn])
        spec = SPECS[number // STEP % len(SPECS)]
        request = think_request(match.view(person), view, spec, len(match)) if len(match.legal_moves) > 1 else None
        if request is not None:
            bot = bots.make(spec, request.seed) if number % STEP == 0 else None
            number += 1
            yield {
                "request": msgspec.json.decode(msgspec.json.encode(request)),
                "block": base64.b64encode(block_for(view)).decode(),
                "code": None if bot is None else bot.choose_code(view),  # type: ignore[arg-type]
            }
        match.push(dice.choice(list(match.legal_moves)))
