"""A tester for programs that speak the engine protocol: it tries everything once and tells the author what is wrong."""

from __future__ import annotations

import math
import os
import time
from collections.abc import Callable
from dataclasses import dataclass

from malecon.arena.engine import Engine, EngineFailed, describe
from malecon.bots import make
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.randomness import mix
from malecon.match import Match, View

#: Time for a move in the games of the check.
MOVE_MS = 50
#: By how much a program may be late, beyond the time it takes to answer `isready`.
GRACE_MS = 250
#: How often a position is put to a program that was late: other processes may have had the machine.
TRIES = 3


@dataclass(frozen=True)
class EngineFinding:
    """One thing that was tried: what, whether it went well, and what to do about it."""

    what: str
    good: bool
    advice: str = ""
    warning: str = ""  # what may be wrong, or may be due to a busy machine


class MayBeLate(Exception):
    """A program was late, on a machine so busy that it proves nothing."""


def check(command: str, name: str | None = None, rounds: int = 1) -> list[EngineFinding]:
    """Try a program out, in one game or in all it plays; what was found, until something made going on pointless."""
    findings: list[EngineFinding] = []
    try:
        engine = Engine(command)
    except (BadSetup, EngineFailed) as error:
        advice = f"{error}. After `malecon 1` it must write `id name …`, then `malecon ok`, and flush its output."
        return [EngineFinding("starts and introduces itself", False, advice)]
    about = engine.about
    findings.append(EngineFinding("starts and introduces itself", True))
    findings.append(EngineFinding("has a name", bool(about.name), "write `id name YOUR NAME` before `malecon ok`"))
    unknown = [game for game in about.games if game not in registry.names()]
    findings.append(
        EngineFinding("names games there are", not unknown, f"there is no game called {', '.join(unknown)}")
    )
    chosen = [name] if name else [game for game in about.games if game in registry.names()] or list(registry.names())
    steps: list[tuple[str, Callable[[], str]]] = [
        ("answers `isready` with `readyok`", lambda: _ready(engine)),
        ("passes over lines it does not know", lambda: _odd(engine)),
        ("takes its own options", lambda: _options(engine)),
    ]
    for game in chosen:
        for players in range(registry.get(game).fewest_players, registry.get(game).most_players + 1):
            title = f"plays {registry.get(game).title} with {players} players"
            steps.append((title, lambda game=game, players=players: _play(engine, game, players, rounds)))  # type: ignore[misc]
    steps.append(("stops when told to", lambda: _stop(engine, chosen[0])))
    for what, step in steps:
        try:
            advice = step()
        except (MaleconError, AssertionError) as error:
            findings.append(EngineFinding(what, False, str(error)))
            engine.quit()
            return findings
        except MayBeLate as late:
            findings.append(EngineFinding(what, True, warning=str(late)))
            continue
        findings.append(EngineFinding(what, not advice, advice))
    findings.append(EngineFinding("leaves at `quit`", engine.quit(), "end the program within two seconds after `quit`"))
    return findings


def _ready(engine: Engine) -> str:
    engine.ready()
    return ""


def _odd(engine: Engine) -> str:
    engine.send("a line from a later version of the protocol")
    engine.send("")
    engine.ready()
    return ""


def _options(engine: Engine) -> str:
    for name, rest in engine.about.options.items():
        words = rest.split()
        if "default" in words:
            engine.set(name, words[words.index("default") + 1])
    engine.ready()
    return ""


def _play(engine: Engine, game: str, players: int, rounds: int) -> str:
    """Whole games, the program in a seat that changes, greedy in the others; what is to be said about them."""
    late = 0.0
    for number in range(rounds):
        match, other = Match(game, players, seed=mix(players, number)), make("greedy", number)
        engine.send("newgame")
        engine.ready()
        while match.turn is not None:
            view = match.view(match.turn)
            if match.turn != number % players:
                match.push(other.choose(view))
                continue
            text, info, own = _ask(engine, view)
            late = max(late, own)
            if text not in view.legal_moves:
                known = ", ".join(map(str, view.legal_moves))[:200]
                raise engine.failed(f"it answered {text[:60]!r}; legal moves are: {known}")
            for line in info:
                _read_info(engine, line)
            match.push(text)
    if late <= GRACE_MS:
        return ""
    problem = f"told to think for {MOVE_MS} ms, it answered {late:.0f} ms late"
    if (load := machine_load()) > 1:
        raise MayBeLate(f"{problem}; {load:.1f} processes want each processor, so try again when fewer do")
    return problem


def _ask(engine: Engine, view: View) -> tuple[str, list[str], float]:
    """Return its move, what it tells, and by how many ms it was late: the least of several tries.

    A round trip of `isready` is taken off, since a busy machine delays everything that a program says.
    """
    late = math.inf
    for _ in range(TRIES):
        engine.send(f"position {describe(view)}")
        began = time.monotonic()
        text, info = engine.go(f"ms {MOVE_MS}", MOVE_MS / 1000)
        answered = time.monotonic()
        took_ms = 1000 * (answered - began) - MOVE_MS
        if took_ms > GRACE_MS:
            engine.ready()
            took_ms -= 1000 * (time.monotonic() - answered)
        late = min(late, took_ms)
        if late <= GRACE_MS:
            break
    return text, info, late


def machine_load() -> float:
    """Return how many processes wanted each processor in the last minute; 0 if the system does not tell."""
    return os.getloadavg()[0] / (os.cpu_count() or 1) if hasattr(os, "getloadavg") else 0.0


def _read_info(engine: Engine, line: str) -> None:
    """`info` is followed by pairs, and by any text after `string`."""
    words = line.partition("string")[0].split()
    known = {"sims": int, "ms": int, "chance": float, "points": float}
    while words:
        word = words.pop(0)
        if word == "move":
            return
        try:
            known[word](words.pop(0))
        except (KeyError, IndexError, ValueError):
            known_words = "sims N, ms N, chance X, points X, move TEXT, string TEXT"
            raise engine.failed(f"`info {line[:80]}`: it may be followed by {known_words}") from None


def _stop(engine: Engine, game: str) -> str:
    match = Match(game, registry.get(game).fewest_players, seed=1)
    assert match.turn is not None
    view = match.view(match.turn)
    engine.send("newgame")
    engine.send(f"position {describe(view)}")
    engine.send("go infinite")
    engine.send("stop")
    engine.send("isready")
    for line in engine.until("readyok"):
        if line.startswith("bestmove "):
            return "" if line.removeprefix("bestmove ").strip() in view.legal_moves else f"it answered {line!r}"
    return "after `go infinite` and `stop` it must write `bestmove …` before it answers `isready`"
