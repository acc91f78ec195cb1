"""Every game as an OpenSpiel game. Importing this registers them by name: `python_malecon_cuba`.

Needs the extra `openspiel`: version 1.6.12. Those from 1.6.13 to 2.0.2 crash in their own search bots on any game
written in Python, OpenSpiel's included.
"""

from __future__ import annotations

import functools
import hashlib
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon import games
from malecon.envs.batch import BY_RANK, BY_WIN, reward
from malecon.envs.vector import check_choice
from malecon.kernel import verbs
from malecon.kernel.compile import kernel
from malecon.kernel.errors import BadSetup
from malecon.kernel.extras import require
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.pieces import Piece
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position, actor, hide, legal, play
from malecon.match import check_setup

pyspiel = require("pyspiel", "OpenSpiel", "openspiel")

PREFIX = "python_malecon_"
#: No game of ours comes near it; OpenSpiel wants to know.
LONGEST_GAME = 50_000
#: Rewards come at the end and add up to 0.
REWARDS = {"win": BY_WIN, "rank": BY_RANK}
NO_MOVE = -1
#: How a move that lies face down is written in the information state of those who do not know it.
FACE_DOWN = "?"


@kernel
def survey(cells: Any, rows: npt.NDArray[np.uint8], move: int, moves: Moves, secrets: bool) -> tuple[int, int, bool]:
    """Make a move, if any; who acts then, how many legal moves are in the list, and whether anything lies face down.

    One call, as calls are dear. The position before the move stays in the second cell; the third is scratch.
    """
    cells[1] = cells[0]
    if move != NO_MOVE:
        play(cells[0], move)
    seat = actor(cells[0])
    hidden = False
    if secrets:
        cells[2] = cells[0]
        hide(cells[2], -1)
        for i in range(rows.shape[1]):
            hidden |= rows[0, i] != rows[2, i]
    return seat, 0 if seat == NOBODY else legal(cells[0], moves), hidden


class PlayedPosition:
    """A position with what was seen of the way there. OpenSpiel copies states deeply: this knows how to do it fast."""

    __slots__ = ("cells", "codes", "game", "laid", "log", "rows", "seat")

    def __init__(self, game: Game, position: Position) -> None:
        self.game = game
        self._hold(np.zeros(3, game.dtype).view(np.recarray))
        self.cells[0] = position
        self.log: str | None = ""  # the codes of all moves in the open, and of the others that they were made
        self.laid: tuple[Position, ...] = ()  # positions in which a move was made that still lies face down
        self._look(NO_MOVE)

    def _hold(self, cells: Any) -> None:
        self.cells = cells
        self.rows = cells.view(np.ndarray).view(np.uint8).reshape(3, -1)

    def __deepcopy__(self, memo: dict[int, object]) -> PlayedPosition:
        twin = PlayedPosition.__new__(PlayedPosition)
        twin._hold(self.cells.copy())
        twin.game, twin.log, twin.laid, twin.seat, twin.codes = self.game, self.log, self.laid, self.seat, self.codes
        return twin

    def __reduce__(self) -> tuple[Any, ...]:
        laid = b"".join(position.tobytes() for position in self.laid)
        return _revive, (self.game.name, self.cells[0].tobytes(), self.log, laid)

    def _look(self, code: int) -> bool:
        moves = np.empty(self.game.most_legal, np.int16)
        secrets = self.log is not None and self.game.conceals is not None
        self.seat, count, hidden = survey(self.cells, self.rows, code, moves, secrets)
        self.codes = sorted(moves[:count].tolist())
        return bool(hidden)

    def place(self, position: Position) -> None:
        """Another position in place of this one. How it came about is not known; no history is kept from now on."""
        self.cells[0] = position
        self.log, self.laid = None, ()
        self._look(NO_MOVE)

    def make(self, code: int) -> None:
        hidden, conceals = self._look(code), self.game.conceals
        if self.log is None:
            return
        if conceals is None or not (hidden or self.laid):
            self.log += f" {code}"
            return
        then, now = self.cells[1].copy(), self.cells[0]
        if conceals(then, now, code):
            self.log += f" {FACE_DOWN}"
            self.laid = (*self.laid, then)
        else:
            self.log += f" {code}"
        if self.laid and not all(conceals(before, now, code) for before in self.laid):
            # What is turned up shows in what everybody sees now; a digest of that tells such histories apart.
            self.log += f" ={self._digest(-1)}"
            self.laid = tuple(before for before in self.laid if conceals(before, now, code))

    def view(self, player: int, remember: bool) -> Position:
        """What a player sees; one who remembers has counted along where every move was made in the open."""
        view = self.cells[0].copy()
        if not remember or self.game.conceals is not None:
            hide(view, player)
        return view

    def history_of(self, player: int) -> str:
        """All a player has seen, move by move, and while moves lie face down, a digest of what it sees of them."""
        if self.log is None:
            return f"{player}: own={self._digest(player)}"
        own = f" own={self._digest(player)}" if self.laid else ""
        return f"{player}:{self.log}{own}"

    def _digest(self, player: int) -> str:
        return hashlib.blake2b(self.view(player, remember=False).tobytes(), digest_size=6).hexdigest()


def _revive(name: str, cells: bytes, log: str | None, laid: bytes) -> PlayedPosition:
    """A position that was pickled, as OpenSpiel does to write states down."""
    game = games.get(name)
    played = PlayedPosition(game, np.frombuffer(cells, game.dtype).view(np.recarray)[0])
    played.log, played.laid = log, tuple(np.frombuffer(laid, game.dtype).view(np.recarray))
    return played


class State(pyspiel.State):  # type: ignore[misc, name-defined]
    """A position in OpenSpiel's clothes. Chance's actions are numbered from 0, like the seats'."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.played = PlayedPosition(game.ours, game.start)
        self._kind = game.kind

    def current_player(self) -> int:
        seat = self.played.seat
        if seat >= 0:
            return seat
        return int(pyspiel.PlayerId.CHANCE if seat == CHANCE else pyspiel.PlayerId.TERMINAL)

    def _legal_actions(self, player: int) -> list[int]:
        return self.played.codes

    def chance_outcomes(self) -> list[tuple[int, float]]:
        codes, first = self.played.codes, self.played.game.decisions
        return [(code - first, 1 / len(codes)) for code in codes]

    def _apply_action(self, action: int) -> None:
        self.played.make(self._code(self.played.seat, action))

    def _code(self, player: int, action: int) -> int:
        return action if player >= 0 else action + self.played.game.decisions

    def _action_to_string(self, player: int, action: int) -> str:
        return self.played.game.notation.name(self._code(player, action))

    def is_terminal(self) -> bool:
        return self.played.seat == NOBODY

    def returns(self) -> list[float]:
        players = self.num_players()
        if not self.is_terminal():
            return [0.0] * players
        return [float(reward(self.played.cells[0], seat, players, self._kind)) for seat in range(players)]

    def resample_from_infostate(self, player: int, sampler: Any) -> State:
        """A state the player might as well be in: what lies face down is chosen anew, by a number from 0 to 1."""
        twin: State = self.clone()
        twin.played.cells[0] = self.played.view(player, remember=True)
        verbs.guess(twin.played.cells[0], player, randomness(int(sampler() * 2**53)))
        return twin

    def __str__(self) -> str:
        return f"{self.played.game.phases[int(self.played.cells[0].phase)]}: {self.played.cells[0].tobytes().hex()}"


class Observer:
    """A player's observation, or with perfect recall its information state, as a tensor of named pieces and as text.

    The text of an information state is all the player has seen, move by move. Its tensor is what a perfect memory of
    that knows of the game: the rules look no further back.
    """

    def __init__(self, game: Game, kind: Any) -> None:
        self._game = game
        self._recall = bool(kind.perfect_recall)
        self._seen = np.zeros(game.pieces.size, np.int16)
        self.tensor: npt.NDArray[np.float32] = np.zeros(game.pieces.size, np.float32)
        self.dict = game.pieces.split(self.tensor)

    def set_from(self, state: State, player: int) -> None:
        self._seen[:] = 0
        verbs.observe(state.played.view(player, self._recall), player, self._seen)
        self.tensor[:] = self._seen

    def string_from(self, state: State, player: int) -> str:
        if self._recall:
            return state.played.history_of(player)
        self.set_from(state, player)
        return "; ".join(_told(piece, part) for piece in self._game.pieces if (part := self.dict[piece.name]).any())


def _told(piece: Piece, part: npt.NDArray[np.float32]) -> str:
    """The numbers of a piece that are not 0, by name: `goods own rum 2, next wood 1`."""
    if piece.axes == ((piece.name,),):
        return f"{piece.name} {int(part[0])}"
    entries = []
    for index in zip(*part.nonzero(), strict=True):
        name = " ".join(axis[i] for axis, i in zip(piece.axes, index, strict=True))
        entries.append(name if piece.high == 1 else f"{name} {int(part[index])}")
    return f"{piece.name} {', '.join(entries)}"


@functools.cache
def game_type(name: str) -> Any:
    """What OpenSpiel knows of a game before it is loaded."""
    game, kind = games.get(name), pyspiel.GameType
    options = {option: found.default for option, found in game.options.items()}
    return kind(
        short_name=PREFIX + name,
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kind.Information.IMPERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=game.most_players,
        min_num_players=game.fewest_players,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        provides_factored_observation_string=False,
        parameter_specification={"players": game.fewest_players, "rewards": "win"} | options,
    )


class SpielGame(pyspiel.Game):  # type: ignore[misc, name-defined]
    """A game with its number of players, its options and what is rewarded, all given as OpenSpiel's parameters."""

    def __init__(self, name: str, params: dict[str, Any] | None = None) -> None:
        given = dict(params or {})
        self.ours = games.get(name)
        players = given.pop("players", self.ours.fewest_players)
        self.kind = check_choice("rewards", given.pop("rewards", "win"), REWARDS)
        options = check_setup(self.ours, players, given)
        self.start = self.ours.new_position(players, **options)
        info = pyspiel.GameInfo(
            num_distinct_actions=self.ours.decisions,
            max_chance_outcomes=len(self.ours.notation) - self.ours.decisions,
            num_players=players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=LONGEST_GAME,
        )
        super().__init__(game_type(name), info, params or {})

    def new_initial_state(self) -> State:
        return State(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        if params:
            raise BadSetup(
                say("there is no option {name}; choose from: {known}", name=repr(next(iter(params))), known="-")
            )
        return Observer(self.ours, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


@functools.cache
def register(name: str) -> None:
    """Tell OpenSpiel of a game; those that are known when this module is imported, it is told of at once."""

    class Registered(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(name, params)

    pyspiel.register_game(game_type(name), Registered)


for _name in games.names():
    register(_name)


@functools.cache
def load(name: str, players: int, **parameters: OptionValue) -> Any:
    """`pyspiel.load_game` for a game by its name, loaded once."""
    register(name)
    return pyspiel.load_game(PREFIX + name, {"players": players} | parameters)
