"""Somebody else's search at our tables: OpenSpiel's MCTS bot (C++), playing our games through the verbs.

The only module here that needs the package `open_spiel`; it is imported when a bot called `openspiel` is asked for.
Versions 1.6.13 to 2.0.2 of it crash in this bot on any game written in Python, OpenSpiel's own included.
"""

from __future__ import annotations

import functools
import time
from typing import Any

import numpy as np

from malecon import games
from malecon.bots.specs import parse
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.kernel.randomness import below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position, actor, legal, play
from malecon.match import Move, View

LONGEST_GAME = 50_000
MEMORY_MB = 1_000
#: OpenSpiel's own examples explore with 2.
EXPLORE = 2.0
NO_MOVE = -1


def _pyspiel() -> Any:
    try:
        import pyspiel  # type: ignore[import-not-found]
    except ImportError:
        raise BadSetup(say("OpenSpiel is not installed; try: pip install open_spiel==1.6.12")) from None
    return pyspiel


def utilities(position: Position, players: int) -> list[float]:
    """Zero-sum results of a finished game: 1 for a single winner, shared wins in equal parts."""
    standings = [int(verbs.standing(position, seat)) for seat in range(players)]
    winners = standings.count(max(standings))
    shares = [1 / winners if own == max(standings) else 0.0 for own in standings]
    return [(share * players - 1) / (players - 1) for share in shares]


@kernel
def survey(cells: Any, move: int, moves: Moves) -> tuple[int, int]:
    """Make a move, if any; who acts then, and how many legal moves are in the list. One call, as calls are dear."""
    if move != NO_MOVE:
        play(cells[0], move)
    seat = actor(cells[0])
    return seat, 0 if seat == NOBODY else legal(cells[0], moves)


@functools.cache
def spiel_game(name: str, players: int) -> Any:
    """A game of ours as OpenSpiel knows games: sequential, chance explicit, the result at the end."""
    pyspiel = _pyspiel()
    ours = games.get(name)
    kind = pyspiel.GameType
    game_type = kind(
        short_name=f"malecon_{name}_{players}",
        long_name=ours.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.PERFECT_INFORMATION,  # the bot plays in a world that it has guessed
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=len(ours.notation),
        max_chance_outcomes=len(ours.notation),
        num_players=players,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=LONGEST_GAME,
    )

    terminal, chance = int(pyspiel.PlayerId.TERMINAL), int(pyspiel.PlayerId.CHANCE)

    class SpielState(pyspiel.State):  # type: ignore[misc, name-defined]
        """A position in OpenSpiel's clothes."""

        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.cells = np.zeros(1, ours.dtype).view(np.recarray)
            self.cells[0] = ours.new_position(players)
            self.look()

        def look(self) -> None:
            """Note who acts and what is legal; to be called when the position was changed from outside."""
            moves = np.empty(ours.most_legal, np.int16)
            self.seat, count = survey(self.cells, NO_MOVE, moves)
            self.codes = sorted(moves[:count].tolist())

        def current_player(self) -> int:
            return terminal if self.seat == NOBODY else chance if self.seat == CHANCE else self.seat

        def _legal_actions(self, player: int) -> list[int]:
            return self.codes

        def chance_outcomes(self) -> list[tuple[int, float]]:
            return [(code, 1 / len(self.codes)) for code in self.codes]

        def _apply_action(self, action: int) -> None:
            moves = np.empty(ours.most_legal, np.int16)
            self.seat, count = survey(self.cells, action, moves)
            self.codes = sorted(moves[:count].tolist())

        def _action_to_string(self, player: int, action: int) -> str:
            return ours.notation.name(action)

        def is_terminal(self) -> bool:
            return self.seat == NOBODY

        def returns(self) -> list[float]:
            return utilities(self.cells[0], players) if self.is_terminal() else [0.0] * players

        def __str__(self) -> str:
            return str(self.cells[0].tobytes().hex())

    class SpielGame(pyspiel.Game):  # type: ignore[misc, name-defined]
        def __init__(self, params: Any = None) -> None:
            super().__init__(game_type, info, params or {})

        def new_initial_state(self) -> Any:
            return SpielState(self)

    pyspiel.register_game(game_type, SpielGame)
    return SpielGame()


class OpenSpielBot:
    """OpenSpiel's MCTS with random playouts. It gets the same view as our bots, and the same memory."""

    def __init__(self, name: str, sims: int, ms: int, c: float = EXPLORE, seed: int = 0) -> None:
        _pyspiel()
        self.name = name
        self._sims, self._ms, self._c = sims, ms, c
        self._random = randomness(seed)
        self._speed = 0.1  # simulations a millisecond, until measured

    def __repr__(self) -> str:
        return f"<OpenSpielBot {self.name}>"

    def choose(self, view: View) -> Move:
        codes = view.legal_moves.codes
        if len(codes) == 1:
            return Move(view.game.name, view.game.notation.name(codes[0]))
        game = spiel_game(view.game.name, len(view.names))
        state = game.new_initial_state()
        state.cells[0] = view.remembered()
        verbs.guess(state.cells[0], view.turn or 0, self._random)
        state.look()
        sims = self._sims or max(len(codes), int(self._speed * self._ms))
        bot = self._new_bot(game, sims)
        began = time.perf_counter()
        code = bot.step(state)
        spent = max(1000 * (time.perf_counter() - began), 1e-3)
        self._speed = 0.7 * self._speed + 0.3 * sims / spent
        return Move(view.game.name, view.game.notation.name(code))

    def _new_bot(self, game: Any, sims: int) -> Any:
        """One for this move. It knows no clock: a time budget becomes the simulations the last moves had time for."""
        pyspiel = _pyspiel()
        seed = below(self._random, 2**31)
        return pyspiel.MCTSBot(
            game=game,
            evaluator=pyspiel.RandomRolloutEvaluator(1, seed),
            uct_c=self._c,
            max_simulations=sims,
            max_memory_mb=MEMORY_MB,
            solve=False,
            seed=seed,
            verbose=False,
        )


def parse_rival(spec: str, seed: int = 0) -> OpenSpielBot:
    """The bot written as `openspiel:sims=100` or `openspiel:ms=200`, with `c` if wanted."""
    plan = parse("plain" + spec.removeprefix("openspiel")).plan
    written = spec.partition(":")[2]
    return OpenSpielBot(spec, plan.sims, plan.ms, plan.c if "c=" in written else EXPLORE, seed)
