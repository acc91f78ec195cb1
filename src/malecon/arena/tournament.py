"""Tournaments: bots meet in many games on the same setups, with seats rotated. How results are read is in `results`.

The n-th draw of chance in a setup is the same for every seating, so luck is shared as far as play allows. Every
finished game is one line of a file, so a tournament that was stopped goes on where it was.
"""

from __future__ import annotations

import functools
import itertools
import json
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, TextIO

from malecon import games
from malecon.arena.results import Result, summarise
from malecon.bots import Bot, make
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.randomness import mix
from malecon.match import Match, check_setup
from malecon.workers import spread


@dataclass(frozen=True)
class Plan:
    """What is played: which bots, how many at a table, how often, from which seed."""

    game: str
    bots: tuple[str, ...]
    players: int
    games: int
    seed: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def check(self) -> None:
        """BadSetup where something does not fit."""
        game = games.get(self.game)
        check_setup(game, self.players, self.options)
        if len(self.bots) < 2:
            raise BadSetup(say("a tournament needs at least two bots"))
        for spec in self.bots:
            enter(spec)
        if self.games < 1:
            raise BadSetup(say("there must be at least one game"))

    def tables(self) -> list[tuple[str, ...]]:
        """Who meets whom: every combination; where there are more seats than bots, the last bot fills them."""
        bots = self.bots + self.bots[-1:] * (self.players - len(self.bots))
        return list(itertools.combinations(bots, self.players))

    def pairings(self) -> Iterator[Pairing]:
        """Every game: each setup is played at every table in every rotation of the seats."""
        tables = self.tables()
        setups = -(-self.games // (len(tables) * self.players))
        number = 0
        for setup in range(setups):
            for table in tables:
                for shift in range(self.players):
                    yield Pairing(number, setup, table[shift:] + table[:shift])
                    number += 1


@dataclass(frozen=True)
class Pairing:
    """One game to be played: its number, its setup, and the bots in the order of the seats."""

    number: int
    setup: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class Played:
    """One finished game. `places` are by seat, 1 for every winner; `ms` is the mean time for a decision."""

    number: int
    setup: int
    seats: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    ms: tuple[float, ...]


def enter(spec: str, seed: int = 0) -> Bot:
    """A bot for the arena: ours, a learned one as `policy:FILE`, or OpenSpiel's as `openspiel:sims=100`."""
    if spec.partition(":")[0] == "openspiel":
        from malecon.arena.openspiel_rival import parse_rival

        return parse_rival(spec, seed)
    if spec.partition(":")[0] == "policy":
        from malecon.arena.learned_policy import parse_policy

        return parse_policy(spec)
    return make(spec, seed, time.thread_time)


def play(plan: Plan, pairing: Pairing) -> Played:
    """Play one game. Each bot is handed its own view, and its time is its own work: a busy machine decides nothing."""
    match = Match(plan.game, plan.players, options=plan.options, seed=mix(plan.seed, pairing.setup))
    bots = [enter(spec, mix(plan.seed, pairing.number, seat)) for seat, spec in enumerate(pairing.seats)]
    spent, asked = [0.0] * plan.players, [0] * plan.players
    while match.turn is not None:
        seat = match.turn
        view = match.view(seat)
        began = time.thread_time()
        move = bots[seat].choose(view)
        spent[seat] += time.thread_time() - began
        asked[seat] += 1
        match.push(move, seat=seat)
    outcome = match.outcome
    assert outcome is not None
    return Played(
        number=pairing.number,
        setup=pairing.setup,
        seats=pairing.seats,
        points=outcome.points,
        places=outcome.places,
        decisions=sum(asked),
        ms=tuple(round(1000 * s / max(n, 1), 3) for s, n in zip(spent, asked, strict=True)),
    )


def run(
    plan: Plan,
    *,
    jobs: int | None = None,
    cluster: str | None = None,
    file: Path | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Result:
    """Play the tournament and sum it up; `progress` hears how many games of how many are done.

    Where the games are played, `jobs` and `cluster` say to `workers.spread`; the results do not depend on it. With a
    file, games already in it are not played again; it must be of the same plan.
    """
    plan.check()
    pairings = list(plan.pairings())
    done = _read(plan, file) if file else {}
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


def _head(plan: Plan) -> dict[str, Any]:
    """What two runs must agree on to share a file; the number of games may grow."""
    head: dict[str, Any] = json.loads(json.dumps(asdict(plan)))
    del head["games"]
    return {"arena": 1, "rules": games.get(plan.game).rules_version} | head


def _read(plan: Plan, file: Path) -> dict[int, Played]:
    """The games in the file that belong to the plan; a line cut short by a crash is played again."""
    if not file.exists() or not file.stat().st_size:
        return {}
    lines = file.read_text(encoding="utf-8").splitlines()
    try:
        same = json.loads(lines[0]) == _head(plan)
    except ValueError:
        same = False
    if not same:
        raise BadSetup(say("{file} holds another tournament; choose another file", file=str(file)))
    pairings = {pairing.number: pairing for pairing in plan.pairings()}
    found = {}
    for line in lines[1:]:
        try:
            data: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in json.loads(line).items()}
            played = Played(**data)
        except (ValueError, TypeError, AttributeError):
            continue
        pairing = pairings.get(played.number)
        if pairing and pairing.seats == played.seats:
            found[played.number] = played
    return found


def _open(plan: Plan, file: Path) -> TextIO:
    """The file at its end, beginning with what is played; a cut line is ended."""
    new = not file.exists() or not file.stat().st_size
    cut = not new and not file.read_bytes().endswith(b"\n")
    log = file.open("a", encoding="utf-8")
    if new:
        log.write(json.dumps(_head(plan)) + "\n")
    elif cut:
        log.write("\n")
    return log
