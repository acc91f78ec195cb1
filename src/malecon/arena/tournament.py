"""Tournaments: bots meet in many games on the same setups, with seats rotated. How results are read is in `results`.

The n-th draw of chance in a setup is the same for every seating, so luck is shared as far as play allows. Every
finished game is one line of a file, so a tournament that was stopped goes on where it was.
"""

from __future__ import annotations

import functools
import json
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from typing import Any, TextIO

from malecon.arena.entrants import dismiss, enter
from malecon.arena.plan import ArenaPlan, PlayedGame, ScheduledGame
from malecon.arena.results import ArenaResult, summarise
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.kernel.randomness import mix
from malecon.match import Match
from malecon.simulation.workers import spread


def play(plan: ArenaPlan, pairing: ScheduledGame) -> PlayedGame:
    """Play one game. Each bot is handed its own view, and its time is its own work: a busy machine decides nothing."""
    match = Match(plan.game, plan.players, options=plan.options, seed=mix(plan.seed, pairing.setup))
    bots = [enter(spec, mix(plan.seed, pairing.number, seat)) for seat, spec in enumerate(pairing.seats)]
    spent, asked = [0.0] * plan.players, [0] * plan.players
    try:
        while match.turn is not None:
            seat = match.turn
            view, clock = match.view(seat), getattr(bots[seat], "clock", time.thread_time)
            began = clock()
            move = bots[seat].choose(view)
            spent[seat] += clock() - began
            asked[seat] += 1
            match.push(move, seat=seat)
    finally:
        for bot in bots:
            dismiss(bot)
    outcome = match.outcome
    assert outcome is not None
    return PlayedGame(
        number=pairing.number,
        setup=pairing.setup,
        seats=pairing.seats,
        points=outcome.points,
        places=outcome.places,
        decisions=sum(asked),
        ms=tuple(round(1000 * s / max(n, 1), 3) for s, n in zip(spent, asked, strict=True)),
    )


def run(
    plan: ArenaPlan,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    file: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ArenaResult:
    """Play the tournament and sum it up; `progress` hears how many games of how many are done.

    Where the games are played, `jobs` and `cluster` say to `workers.spread`; the results do not depend on it. With a
    file, games already in it are not played again; it must be of the same plan.
    """
    plan.check()
    readiness.wait(plan.game)
    pairings = list(plan.pairings())
    done = read(plan, file) if file else {}
    progress(len(done), len(pairings))
    waiting = [pairing for pairing in pairings if pairing.number not in done]
    log = _open(plan, file) if file else None
    try:
        with closing(spread(functools.partial(play, plan), waiting, jobs=jobs, cluster=cluster)) as finished:
            for played in finished:
                done[played.number] = played
                if log:
                    log.write(json.dumps(asdict(played)) + "\n")
                    log.flush()
                progress(len(done), len(pairings))
    finally:
        if log:
            log.close()
    return summarise(plan, [done[number] for number in sorted(done)])


def _head(plan: ArenaPlan) -> dict[str, Any]:
    """What two runs must agree on to share a file; the number of games may grow."""
    head: dict[str, Any] = json.loads(json.dumps(asdict(plan)))
    del head["games"]
    return {"arena": 1, "rules": registry.get(plan.game).rules_version} | head


def read(plan: ArenaPlan, file: Path) -> dict[int, PlayedGame]:
    """The games in the file that belong to the plan; a line cut short by a crash is played again."""
    if not file.exists() or not file.stat().st_size:
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    try:
        same = json.loads(lines[0]) == _head(plan)
    except ValueError:
        same = False
    if not same:
        raise BadSetup(say("{file} belongs to a different tournament; choose another file", file=str(file)))
    pairings = {pairing.number: pairing for pairing in plan.pairings()}
    found = {}
    for line in lines[1:]:
        try:
            data: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(line).items()}
            played = PlayedGame(**data)
        except (ValueError, TypeError, AttributeError):
            continue
        pairing = pairings.get(played.number)
        if pairing and pairing.seats == played.seats:
            found[played.number] = played
    return found


def _open(plan: ArenaPlan, file: Path) -> TextIO:
    """The file at its end, beginning with what is played; a cut line is ended."""
    new = not file.exists() or not file.stat().st_size
    cut = not new and not file.read_bytes().endswith(b"\n")
    log = file.open("a", encoding="utf-8")
    if new:
        log.write(json.dumps(_head(plan)) + "\n")
    elif cut:
        log.write("\n")
    return log
