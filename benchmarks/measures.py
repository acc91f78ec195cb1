"""What `make bench` measures, ours and the peers'. Each side runs in a process of its own and never loads another's.

`python benchmarks/measures.py SIDE` says what it can measure, then answers each name it reads with one figure a second.
"""

from __future__ import annotations

import importlib.metadata
import json
import random
import sys
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

#: At least so long for one figure.
SECONDS = 0.4
#: Games in one array.
TABLES = 4096
#: What a figure counts.
ENGINE, STEPPED, VECTOR, SEARCH = GROUPS = ("engine", "stepped", "vector", "search")


@dataclass(frozen=True)
class Measure:
    """One line of a table: what is played how, and how to take the figure once, in things a second."""

    group: str
    title: str
    take: Callable[[], float]


def rate(work: Callable[[], int]) -> float:
    """How much a second the work gets done, repeated for long enough."""
    done, began = 0, time.perf_counter()
    while (spent := time.perf_counter() - began) < SECONDS:
        done += work()
    return done / spent


# --- ours


def malecon() -> Iterable[Measure]:
    from functools import partial

    from malecon import games
    from malecon.bots.specs import parse
    from malecon.bots.thinking import Mind
    from malecon.envs import pettingzoo
    from malecon.match import Match
    from malecon.simulation.statistics import simulate
    from vector import step_rate

    def engine(game: str, players: int) -> float:
        return simulate(game, players, 6_000, seed=time.time_ns()).decisions_per_second

    def search(game: str, spec: str) -> float:
        found = games.get(game)
        mind = Mind(found, found.fewest_players, parse(spec).plan, seed=time.time_ns())
        match = Match(game, found.fewest_players, seed=1)  # chance has set up; the first decision
        thoughts = mind.think(match.everything().position)
        return thoughts.simulations / thoughts.seconds

    for name in games.NAMES:
        game = games.get(name)
        for players in range(game.fewest_players, game.most_players + 1):
            title = f"{game.title}, {players} players"
            yield Measure(ENGINE, title, partial(engine, name, players))
            yield Measure(VECTOR, title, partial(step_rate, name, players, TABLES))
        env = pettingzoo.env(name, players=game.fewest_players)
        yield Measure(STEPPED, f"{game.title}, PettingZoo", partial(play_pettingzoo, env))
        for text, spec in (
            ("random playouts to the end", "plain:sims=8000,depth=20000,value=worth"),
            ("plain", "plain:sims=40000"),
            ("search", "search:sims=40000"),
        ):
            yield Measure(SEARCH, f"{game.title}, {text}", partial(search, name, spec))


def malecon_in_openspiel() -> Iterable[Measure]:
    import malecon.envs.openspiel  # noqa: F401  (registers the games)

    for name in ("santiago", "cuba"):
        yield from of_openspiel(f"python_malecon_{name}", f"{name.title()} in OpenSpiel", 1, 100)


# --- OpenSpiel


def openspiel() -> Iterable[Measure]:
    import open_spiel.python.games  # noqa: F401  (registers the ones written in Python)

    yield from of_openspiel("connect_four", "connect four (C++)", 2_000, 20_000)
    yield from of_openspiel("backgammon", "backgammon (C++)", 20, 200)
    yield from of_openspiel("chess", "chess (C++)", 10, 100)
    yield from of_openspiel("python_tic_tac_toe", "tic-tac-toe (Python)", 20, 200)


def of_openspiel(name: str, title: str, playouts: int, simulations: int) -> Iterable[Measure]:
    import pyspiel

    game = pyspiel.load_game(name)
    chance = random.Random(1)

    def deal(state: Any) -> None:
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])

    def play(seen: bool) -> int:
        """A random game; the decisions in it."""
        state, decisions = game.new_initial_state(), 0
        deal(state)
        while not state.is_terminal():
            if seen:
                state.observation_tensor(state.current_player())
                state.legal_actions_mask(state.current_player())
            state.apply_action(chance.choice(state.legal_actions()))
            decisions += 1
            deal(state)
        return decisions

    def think(playouts: int, simulations: int) -> int:
        evaluator = pyspiel.RandomRolloutEvaluator(playouts, chance.randrange(2**31))
        bot = pyspiel.MCTSBot(game, evaluator, 2.0, simulations, 1_000, False, chance.randrange(2**31), False)
        state = game.new_initial_state()
        deal(state)
        bot.step(state)
        return simulations

    def engine() -> float:
        """Decisions in C++: its search asked for four simulations with many playouts each, times their usual length."""
        return rate(lambda: playouts * think(playouts, 4)) * length

    if "C++" in title:
        length = sum(play(False) for _ in range(50)) / 50
        yield Measure(ENGINE, title, engine)
    yield Measure(STEPPED, title, lambda: rate(lambda: play(True)))
    yield Measure(SEARCH, f"{title}, MCTS, random playouts", lambda: rate(lambda: think(1, simulations)))


# --- Pgx


def pgx() -> Iterable[Measure]:
    import jax
    import jax.numpy as jnp
    import pgx as envs
    from pgx.experimental import auto_reset

    def batch(name: str) -> Callable[[], float]:
        env = envs.make(name)
        step = jax.vmap(auto_reset(env.step, env.init))

        @jax.jit
        def once(state: Any, key: Any) -> Any:
            chooser, dealer = jax.random.split(key)
            # The n-th legal move for a random n: cheaper than a number for every move, as its examples draw.
            legal = state.legal_action_mask.astype(jnp.int32).cumsum(axis=1)
            wanted = jax.random.randint(chooser, (TABLES, 1), 0, legal[:, -1:])
            return step(state, (legal > wanted).argmax(axis=1), jax.random.split(dealer, TABLES))

        state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), TABLES))

        def work() -> int:
            nonlocal state
            state = jax.block_until_ready(once(state, jax.random.key(random.randrange(2**31))))
            return TABLES

        return lambda: rate(work)

    for name, title in (
        ("connect_four", "connect four"),
        ("backgammon", "backgammon"),
        ("go_9x9", "go, 9 × 9"),
        ("chess", "chess"),
    ):
        yield Measure(VECTOR, title, batch(name))


# --- catanatron


def catanatron() -> Iterable[Measure]:
    from catanatron import Color, Game, RandomPlayer

    def new() -> Any:
        return Game([RandomPlayer(colour) for colour in Color])

    def play() -> int:
        game = new()
        game.play()
        return len(game.state.actions)

    start = new()

    def playout() -> int:
        start.copy().play()
        return 1

    yield Measure(ENGINE, "Catan, 4 players", lambda: rate(play))
    yield Measure(SEARCH, "Catan, copies and random playouts", lambda: rate(playout))


# --- PettingZoo


def pettingzoo() -> Iterable[Measure]:
    from pettingzoo.classic import chess_v6, connect_four_v3

    for title, env in (("connect four", connect_four_v3.env()), ("chess", chess_v6.env())):
        yield Measure(STEPPED, title, lambda env=env: play_pettingzoo(env))


def play_pettingzoo(env: Any) -> float:
    """Steps a second of random games, the observation and the mask looked at before each."""

    def game() -> int:
        env.reset()
        steps = 0
        for _ in env.agent_iter():
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                env.step(None)
            else:
                env.step(random.choice(observation["action_mask"].nonzero()[0]))
                steps += 1
        return steps

    return rate(game)


#: Each side: what it is called in the tables, whose version is told, what it needs, and its measures.
SIDES: dict[str, tuple[str, tuple[str, ...], Callable[[], Iterable[Measure]]]] = {
    "malecon": ("Malecón", ("malecon", "numba", "numpy"), malecon),
    "malecon_in_openspiel": ("Malecón", (), malecon_in_openspiel),
    "openspiel": ("OpenSpiel", ("open_spiel",), openspiel),
    "pgx": ("Pgx", ("pgx", "jax"), pgx),
    "catanatron": ("catanatron", ("catanatron",), catanatron),
    "pettingzoo": ("PettingZoo", ("pettingzoo", "chess"), pettingzoo),
}


def serve(side: str) -> None:
    answers = sys.stdout
    sys.stdout = sys.stderr  # some greet whoever imports them
    _, packages, measures = SIDES[side]
    try:
        found = list(measures())
        versions = {package: importlib.metadata.version(package) for package in packages}
        hello: dict[str, Any] = {"measures": [(one.group, one.title) for one in found], "versions": versions}
    except Exception as error:  # it may be absent, or broken in ways of its own
        found, hello = [], {"missing": f"{type(error).__name__}: {error}"}
    print(json.dumps(hello), file=answers, flush=True)
    for line in sys.stdin:
        print(found[int(line)].take(), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
