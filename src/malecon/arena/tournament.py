"""Tournaments of an arena: bots meet in many games on the same setups, with seats rotated.

The n-th draw of chance in a setup is the same for every seating, so luck is shared as far as play allows. Every
finished game is one line of a file, so that a tournament can be stopped and resumed.
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

from malecon.arena.bots import close_bot, make_bot
from malecon.arena.plan import ArenaPlan, PlayedGame, ScheduledGame
from malecon.arena.results import ArenaResult, summarise
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.kernel.randomness import mix
from malecon.match import Match
from malecon.simulation.workers import spread


def play(plan: ArenaPlan, scheduled: ScheduledGame) -> PlayedGame:
    """Play one game. Each bot gets its own view; its time is processor time, so that a busy machine decides nothing."""
    match = Match(plan.game, plan.players, options=plan.options, seed=mix(plan.seed, scheduled.setup))
    bots = [make_bot(spec, mix(plan.seed, scheduled.number, seat)) for seat, spec in enumerate(scheduled.seats)]
    spent, decisions = [0.0] * plan.players, [0] * plan.players
    try:
        while match.turn is not None:
            seat = match.turn
            view, clock = match.view(seat), getattr(bots[seat], "clock", time.thread_time)
            began = clock()
            move = bots[seat].choose(view)
            spent[seat] += clock() - began
            decisions[seat] += 1
            match.push(move, seat=seat)
    finally:
        for bot in bots:
            close_bot(bot)
    outcome = match.outcome
    assert outcome is not None
    return PlayedGame(
        number=scheduled.number,
        setup=scheduled.setup,
        seats=scheduled.seats,
        points=outcome.points,
        places=outcome.places,
        decisions=sum(decisions),
        ms=tuple(round(1000 * s / max(n, 1), 3) for s, n in zip(spent, decisions, strict=True)),
    )


def run(
    plan: ArenaPlan,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    file: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> ArenaResult:
    """Play the tournament and sum it up; `progress` is called with how many games of how many are done.

    `jobs` and `cluster` say where the games are played, as in `workers.spread`; the results do not depend on it. Games
    that are already in the file are not played again; it must be of the same plan.
    """
    plan.check()
    readiness.wait(plan.game)
    schedule = list(plan.schedule())
    done = read(plan, file) if file else {}
    progress(len(done), len(schedule))
    waiting = [game for game in schedule if game.number not in done]
    log = _open(plan, file) if file else None
    try:
        with closing(spread(functools.partial(play, plan), waiting, jobs=jobs, cluster=cluster)) as finished:
            for played in finished:
                done[played.number] = played
                if log:
                    log.write(json.dumps(asdict(played)) + "\n")
                    log.flush()
                progress(len(done), len(schedule))
    finally:
        if log:
            log.close()
    return summarise(plan, [done[number] for number in sorted(done)])


def _head(plan: ArenaPlan) -> dict[str, Any]:
    """Return what two runs must agree on to share a file; the number of games may grow."""
    head: dict[str, Any] = json.loads(json.dumps(asdict(plan)))
    del head["games"]
    return {"arena": 1, "rules": registry.get(plan.game).rules_version} | head


def read(plan: ArenaPlan, file: Path) -> dict[int, PlayedGame]:
    """Return the games in the file that belong to the plan; a line cut short by a crash is left out."""
    if not file.exists() or not file.stat().st_size:
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    try:
        same = json.loads(lines[0]) == _head(plan)
    except ValueError:
        same = False
    if not same:
        raise BadSetup(say("{file} belongs to a different tournament; choose another file", file=str(file)))
    schedule = {game.number: game for game in plan.schedule()}
    games = {}
    for line in lines[1:]:
        try:
            data: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(line).items()}
            played = PlayedGame(**data)
        except (ValueError, TypeError, AttributeError):
            continue
        scheduled = schedule.get(played.number)
        if scheduled and scheduled.seats == played.seats:
            games[played.number] = played
    return games


def _open(plan: ArenaPlan, file: Path) -> TextIO:
    """Open the file at its end; a new one begins with the plan, and a cut line is ended."""
    new = not file.exists() or not file.stat().st_size
    cut = not new and not file.read_bytes().endswith(b"\n")
    log = file.open("a", encoding="utf-8")
    if new:
        log.write(json.dumps(_head(plan)) + "\n")
    elif cut:
        log.write("\n")
    return log
