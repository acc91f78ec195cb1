"""One agent against our bots, as Gymnasium's `Env`: `gymnasium.make("malecon/Santiago-v0", opponents=["greedy"])`.

Importing `malecon.envs.gymnasium` registers it. The bots see what they may see, the agent what its seat remembers.
"""

from __future__ import annotations

import operator
from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from malecon.bots import Bot, make
from malecon.envs.batch import BY_POINTS, REWARDS, settle
from malecon.envs.observation import observation_space
from malecon.envs.picture import RENDER_MODES, check_render_mode, render
from malecon.envs.vector import check_choice
from malecon.kernel import readiness, registry, verbs
from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove
from malecon.kernel.extras import require
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.positions import as_array
from malecon.match import Match, check_seat, check_setup

gymnasium = require("gymnasium", "Gymnasium", "gymnasium")

#: What an illegal move is worth: it ends the game.
ILLEGAL_REWARD = -1.0


class AgainstBots(gymnasium.Env):  # type: ignore[misc, name-defined]
    """A game in which one seat is the agent's, and bots have the others: one for each, by their specifications.

    `seat` is the agent's; where none is given, it is drawn anew for every game. An action is the code of a move; which
    are legal say `action_masks()` and `info["action_mask"]`. An illegal one ends the game with a reward of -1, and
    `info["illegal"]` names the rule. `rewards`: "win" or "rank", at the end, or "points", as they are made.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": list(RENDER_MODES), "render_fps": 4}

    def __init__(
        self,
        game: str = "santiago",
        opponents: Sequence[str] = ("greedy",),
        *,
        seat: int | None = None,
        rewards: str = "win",
        render_mode: str | None = None,
        **options: OptionValue,
    ) -> None:
        if isinstance(opponents, str) or not isinstance(opponents, Sequence):
            raise BadSetup(say("opponents are a list of bots, not {opponents}", opponents=repr(opponents)[:40]))
        self.game = registry.get(game)
        self.players = 1 + len(opponents)
        self._options = check_setup(self.game, self.players, options)
        for spec in opponents:
            make(spec)
        self._opponents = tuple(opponents)
        self._given_seat = None if seat is None else check_seat(self.players, seat)
        readiness.wait(game)
        self._kind = check_choice("rewards", rewards, REWARDS)
        self.render_mode = check_render_mode(render_mode)
        self.observation_space = observation_space(self.game, np.dtype(np.float32), False)
        self.action_space = gymnasium.spaces.Discrete(self.game.decisions)
        self.match: Match | None = None
        self.seat = 0
        self._bots: dict[int, Bot] = {}
        self._held = 0
        self._over = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[np.float32], dict[str, Any]]:
        super().reset(seed=seed)
        lots = self.np_random.integers(1 << 62, size=1 + self.players)
        self.seat = int(lots[0]) % self.players if self._given_seat is None else self._given_seat
        others = [seat for seat in range(self.players) if seat != self.seat]
        self._bots = {seat: make(spec, int(lots[1 + seat])) for seat, spec in zip(others, self._opponents, strict=True)}
        self.match = Match(self.game, self.players, options=self._options, seed=int(self.np_random.integers(1 << 62)))
        self._over = False
        self._let_others_play(self.match)
        self._held = int(verbs.points(self.match.position, self.seat))
        return self._observation(self.match), self._info(self.match)

    def step(self, action: Any) -> tuple[npt.NDArray[np.float32], float, bool, bool, dict[str, Any]]:
        match = self.match
        if match is None or self._over:
            raise gymnasium.error.ResetNeeded("the game is over; call reset")
        try:
            code = operator.index(action)
        except TypeError:
            raise NotAMove(say("{text} is not a move", text=repr(action)[:60])) from None
        if not 0 <= code < self.game.decisions:
            raise NotAMove(say("{text} is not a move", text=str(code)))
        try:
            match.push(self.game.notation.name(code))
        except IllegalMove as error:
            self._over = True
            info = self._info(match) | {"illegal": str(error)}
            return self._observation(match), ILLEGAL_REWARD, True, False, info
        self._let_others_play(match)
        self._over = match.is_over
        return self._observation(match), self._reward(match), self._over, False, self._info(match)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """What is legal now, as MaskablePPO of sb3-contrib asks for it."""
        mask = np.zeros(self.game.decisions, np.bool_)
        if self.match is not None and not self._over:
            mask[self.match.legal_moves.codes] = True
        return mask

    def render(self) -> Any:
        if self.render_mode is None or self.match is None:
            return None
        return render(self.match.view(self.seat), self.render_mode, self.match.everything)

    def _let_others_play(self, match: Match) -> None:
        while match.turn is not None and match.turn != self.seat:
            match.push(self._bots[match.turn].choose(match.view(match.turn)))

    def _observation(self, match: Match) -> npt.NDArray[np.float32]:
        # If nothing is played face down, an agent that remembers all moves knows the whole position.
        position = match.position if self.game.conceals is None else match.view(self.seat).position
        seen = np.zeros(self.game.pieces.size, np.int16)
        verbs.observe(position, self.seat, seen)
        return seen.astype(np.float32)

    def _reward(self, match: Match) -> float:
        if self._kind == BY_POINTS:
            before, self._held = self._held, int(verbs.points(match.position, self.seat))
            return float(self._held - before)
        if not match.is_over:
            return 0.0
        rewards = np.zeros(self.players)
        settle(as_array(match.position), self._kind, rewards)
        return float(rewards[self.seat])

    def _info(self, match: Match) -> dict[str, Any]:
        outcome = match.outcome
        info: dict[str, Any] = {"action_mask": self.action_masks().astype(np.int8), "seat": self.seat}
        return info if outcome is None else info | {"points": outcome.points, "places": outcome.places}
