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
ENGINE, PLAIN_C, STEPPED, VECTOR, SEARCH = GROUPS = ("engine", "plain C", "stepped", "vector", "search")
#: No game of a peer is followed for longer.
LONGEST = 300


@dataclass(frozen=True)
class Measure:
    """One line of a table: what is played how, and how to take the figure once, in things a second."""

    group: str
    title: str
    take: Callable[[], float]


def rate(work: Callable[[], int], clock: Callable[[], float] = time.process_time) -> float:
    """How much gets done in a second, repeated for long enough: of the processor, which others at work take away."""
    done, began = 0, clock()
    while (spent := clock() - began) < SECONDS:
        done += work()
    return done / spent


# --- ours


def malecon() -> Iterable[Measure]:
    from functools import partial

    import plain_c
    from malecon import games
    from malecon.bots.searcher import Searcher
    from malecon.bots.specs import parse
    from malecon.envs import gymnasium, pettingzoo
    from malecon.envs.vector import Tables
    from malecon.match import Match
    from malecon.simulation.statistics import simulate
    from vector import step_rate

    def engine(game: str, players: int) -> float:
        began = time.process_time()
        statistics = simulate(game, players, 6_000, seed=time.time_ns())
        return statistics.games * statistics.mean_decisions / (time.process_time() - began)

    def one_match(game: str, players: int) -> int:
        match = Match(game, players, seed=random.randrange(2**32))
        moves = 0
        while match.turn is not None:
            legal = match.legal_moves
            match.push(legal[random.randrange(len(legal))])
            moves += 1
        return moves

    def hundred_steps(tables: Tables) -> int:
        for _ in range(100):
            tables.step(tables.sample())
        return 100

    def hundred_vector_steps(env: Any) -> int:
        seen, _ = env.reset(seed=random.randrange(2**31))
        for _ in range(100):
            seen, *_ = env.step([random.choice(seen["action_mask"][0].nonzero()[0])])
        return 100

    def search(game: str, spec: str) -> float:
        rules = games.get(game)
        searcher = Searcher(rules, rules.fewest_players, parse(spec).plan, seed=time.time_ns())
        match = Match(game, rules.fewest_players, seed=1)  # chance has set up; the first decision
        began = time.process_time()
        result = searcher.search(match.everything().position)
        return result.simulations / (time.process_time() - began)

    for name in games.names():
        game = games.get(name)
        for players in range(game.fewest_players, game.most_players + 1):
            title = f"{game.title}, {players} players"
            yield Measure(ENGINE, title, partial(engine, name, players))
            yield Measure(VECTOR, title, partial(step_rate, name, players, TABLES))
        two = game.fewest_players
        yield Measure(STEPPED, f"{game.title}, Match", lambda name=name, two=two: rate(partial(one_match, name, two)))
        tables = Tables(name, two, 1, seed=1)
        yield Measure(STEPPED, f"{game.title}, Tables of one", lambda all=tables: rate(partial(hundred_steps, all)))
        for kind, make in (("raw", pettingzoo.raw_env), ("with its wrappers", pettingzoo.env)):
            env = make(name, players=two)
            yield Measure(STEPPED, f"{game.title}, PettingZoo, {kind}", partial(play_pettingzoo, env))
        many = gymnasium.VectorEnv(name, two, 1)
        title = f"{game.title}, Gymnasium, vector of one"
        yield Measure(STEPPED, title, lambda env=many: rate(partial(hundred_vector_steps, env)))
        for text, spec in (
            ("random playouts to the end", "search:sims=8000,rollout=random,value=worth,prior=0,c=1"),
            ("random playouts of 8 decisions", "search:sims=40000,rollout=random,depth=8,policy=worth,prior=0,c=1"),
            ("search", "search:sims=40000"),
        ):
            yield Measure(SEARCH, f"{game.title}, {text}", partial(search, name, spec))

    yield Measure(PLAIN_C, "Santiago de Cuba, 3 players", partial(plain_c.rate, plain_c.play_ours))


def in_plain_c() -> Iterable[Measure]:
    import plain_c

    if not all(plain_c.are_alike(players) for players in (2, 3, 4)):
        raise RuntimeError("the C port plays other games than ours")
    title = f"the same rules in C, {' '.join(plain_c.FLAGS[:1])}"
    yield Measure(PLAIN_C, title, lambda: plain_c.rate(plain_c.play_in_c))


def malecon_in_openspiel() -> Iterable[Measure]:
    import malecon.envs.openspiel  # noqa: F401  (registers the games)

    for name in ("santiago", "cuba"):
        yield from of_openspiel(f"python_malecon_{name}", f"{name.title()} in OpenSpiel", 1, 100)


# --- OpenSpiel


def openspiel() -> Iterable[Measure]:
    import open_spiel.python.games  # noqa: F401  (registers the ones written in Python)

    import empty_game

    yield from of_openspiel("connect_four", "connect four (C++)", 2_000, 20_000)
    yield from of_openspiel("backgammon", "backgammon (C++)", 20, 200)
    yield from of_openspiel("chess", "chess (C++)", 10, 100)
    yield from of_openspiel("python_tic_tac_toe", "tic-tac-toe (Python)", 20, 200)
    yield list(of_openspiel(empty_game.NAME, "a game without rules, as long as Santiago (Python)", 1, 100))[-1]


def of_openspiel(name: str, title: str, playouts: int, simulations: int) -> Iterable[Measure]:
    import pyspiel
    from open_spiel.python.observation import make_observation

    game = pyspiel.load_game(name)
    chance = random.Random(1)

    def deal(state: Any) -> None:
        while state.is_chance_node():
            outcomes, weights = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(chance.choices(outcomes, weights)[0])

    def play(seen: bool) -> int:
        """A random game; the decisions in it."""
        state, decisions = game.new_initial_state(), 0
        observer = make_observation(game) if seen else None
        deal(state)
        while not state.is_terminal():
            if observer is not None:
                observer.set_from(state, state.current_player())
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
        bot.step_with_policy(state)
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
            chosen = jax.random.randint(chooser, (TABLES, 1), 0, legal[:, -1:])
            return step(state, (legal > chosen).argmax(axis=1), jax.random.split(dealer, TABLES))

        state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.key(1), TABLES))

        def work() -> int:
            nonlocal state
            state = jax.block_until_ready(once(state, jax.random.key(random.randrange(2**31))))
            return TABLES

        return lambda: rate(work, time.perf_counter)  # it works on all cores

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
    yield Measure(STEPPED, "Catan, its random players", lambda: rate(play))
    yield Measure(SEARCH, "Catan, copies and random playouts", lambda: rate(playout))


# --- python-chess


def python_chess() -> Iterable[Measure]:
    import chess

    def game() -> int:
        board, moves = chess.Board(), 0
        while moves < LONGEST and (legal := list(board.legal_moves)):
            board.push(legal[random.randrange(len(legal))])
            moves += 1
        return moves

    yield Measure(STEPPED, "chess, Board", lambda: rate(game))


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
    "plain_c": ("plain C", (), in_plain_c),
    "malecon_in_openspiel": ("Malecón", (), malecon_in_openspiel),
    "openspiel": ("OpenSpiel", ("open_spiel",), openspiel),
    "pgx": ("Pgx", ("pgx", "jax"), pgx),
    "catanatron": ("catanatron", ("catanatron",), catanatron),
    "python_chess": ("python-chess", ("chess",), python_chess),
    "pettingzoo": ("PettingZoo", ("pettingzoo",), pettingzoo),
}


def serve(side: str) -> None:
    answers = sys.stdout
    sys.stdout = sys.stderr  # some print a greeting when they are imported
    _, packages, measures = SIDES[side]
    try:
        all_measures = list(measures())
        versions = {package: importlib.metadata.version(package) for package in packages}
        titles = [(measure.group, measure.title) for measure in all_measures]
        hello: dict[str, Any] = {"measures": titles, "versions": versions}
    except Exception as error:  # it may be absent, or broken in ways of its own
        all_measures, hello = [], {"missing": f"{type(error).__name__}: {error}"}
    print(json.dumps(hello), file=answers, flush=True)
    for line in sys.stdin:
        print(all_measures[int(line)].take(), file=answers, flush=True)


if __name__ == "__main__":
    serve(sys.argv[1])
