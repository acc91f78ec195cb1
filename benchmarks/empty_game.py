"""A game for OpenSpiel, written in Python, that only counts its moves: as fast as any such game can be.

It is as long as a random game of Santiago de Cuba with two players, and as much of it is chance. What OpenSpiel's
search needs for it is the price of calling Python from C++, whatever the game.
"""

from __future__ import annotations

import random
from typing import Any

import pyspiel

NAME = "python_empty"
STEPS, SHARE_OF_CHANCE = 239, 0.125
_DICE = random.Random(1)
#: Who acts at each step; nobody at the end.
ACTORS = [
    int(pyspiel.PlayerId.CHANCE) if _DICE.random() < SHARE_OF_CHANCE else _DICE.randrange(2) for _ in range(STEPS)
]
ACTORS.append(int(pyspiel.PlayerId.TERMINAL))
ACTIONS = list(range(8))
OUTCOMES = [(face, 1 / 6) for face in range(6)]

_Kind = pyspiel.GameType
TYPE = _Kind(
    short_name=NAME,
    long_name=NAME,
    dynamics=_Kind.Dynamics.SEQUENTIAL,
    chance_mode=_Kind.ChanceMode.EXPLICIT_STOCHASTIC,
    information=_Kind.Information.PERFECT_INFORMATION,
    utility=_Kind.Utility.ZERO_SUM,
    reward_model=_Kind.RewardModel.TERMINAL,
    max_num_players=2,
    min_num_players=2,
    provides_information_state_string=False,
    provides_information_state_tensor=False,
    provides_observation_string=False,
    provides_observation_tensor=False,
    parameter_specification={},
)
INFO = pyspiel.GameInfo(
    num_distinct_actions=len(ACTIONS),
    max_chance_outcomes=len(OUTCOMES),
    num_players=2,
    min_utility=-1.0,
    max_utility=1.0,
    utility_sum=0.0,
    max_game_length=STEPS,
)


class State(pyspiel.State):  # type: ignore[misc, name-defined]
    def __init__(self, game: Any) -> None:
        super().__init__(game)
        self.made = 0

    def current_player(self) -> int:
        return ACTORS[self.made]

    def _legal_actions(self, player: int) -> list[int]:
        return ACTIONS

    def chance_outcomes(self) -> list[tuple[int, float]]:
        return OUTCOMES

    def _apply_action(self, action: int) -> None:
        self.made += 1

    def is_terminal(self) -> bool:
        return self.made == STEPS

    def returns(self) -> list[float]:
        return [0.0, 0.0]


class Game(pyspiel.Game):  # type: ignore[misc, name-defined]
    def __init__(self, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(TYPE, INFO, parameters or {})

    def new_initial_state(self) -> State:
        return State(self)


pyspiel.register_game(TYPE, Game)
