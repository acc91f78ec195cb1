"""Every game as an OpenSpiel game. Importing this registers them by name: `python_malecon_cuba`.

Needs the extra `openspiel`: version 1.6.12. Those from 1.6.13 to 2.0.2 crash in their own search bots on any game
written in Python, OpenSpiel's included.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.envs.batch import BY_RANK, BY_WIN, settle
from malecon.envs.vector import check_choice
from malecon.kernel import registry, verbs
from malecon.kernel.compile import kernel
from malecon.kernel.errors import BadSetup, IllegalMove, NotAMove
from malecon.kernel.extras import require
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.pieces import Piece
from malecon.kernel.playing import LONGEST_GAME, make_move
from malecon.kernel.positions import as_array, copy_positions
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position, actor, hide, legal, observe
from malecon.kernel.view import hidden
from malecon.match import check_names, check_setup

pyspiel = require("pyspiel", "OpenSpiel", "openspiel")

PREFIX = "python_malecon_"
#: Rewards come at the end and add up to 0.
REWARDS = {"win": BY_WIN, "rank": BY_RANK}
NO_MOVE = -1
CHANCE_PLAYER, TERMINAL_PLAYER = int(pyspiel.PlayerId.CHANCE), int(pyspiel.PlayerId.TERMINAL)
#: How a move that lies face down is written in the information state of those who do not know it.
FACE_DOWN = "?"


#: In what `advance` tells: who acts, how many moves are legal, whether anything lies face down; the moves follow.
ACTOR, LEGAL, HIDDEN, LISTED = range(4)
NO_BYTES = np.zeros(0, np.uint8)


@kernel
def advance(cells: Any, octets: npt.NDArray[np.uint8], move: int, made: int, answers: Moves) -> None:
    """Make a move, if any, in `cells[0]`, and tell all that is asked of a state then. One call, as calls are dear.

    So many moves were made before it.

    Where the game has moves made face down, `octets` are the bytes of both cells; the second is scratch.
    """
    if move != NO_MOVE:
        make_move(cells[0], move, made)
    seat = actor(cells[0])
    answers[ACTOR] = seat
    answers[LEGAL] = 0 if seat == NOBODY else legal(cells[0], answers[LISTED:])
    answers[HIDDEN] = 0
    if len(octets):
        cells[1] = cells[0]
        hide(cells[1], -1)
        size = len(octets) // 2
        for i in range(size):
            answers[HIDDEN] |= octets[i] != octets[size + i]


@kernel
def see(
    cells: Any, view: Any, player: int, remember: bool, seen: npt.NDArray[np.int16], tensor: npt.NDArray[np.float32]
) -> None:
    """A player's observation as a tensor; `view` and `seen` are scratch."""
    view[0] = cells[0]
    if not remember:
        hide(view[0], player)
    for i in range(len(seen)):
        seen[i] = 0
    observe(view[0], player, seen)
    for i in range(len(seen)):
        tensor[i] = seen[i]


@dataclass(frozen=True)
class Setup:
    """What all states of a game share."""

    game: Game
    players: int
    options: Mapping[str, OptionValue]
    rewards: int

    @functools.cached_property
    def size(self) -> int:
        """How many numbers an observation has."""
        return self.game.pieces.size


class PlayedPosition:
    """A position with what was seen of the way there. It never changes, so that states and their clones share it."""

    __slots__ = ("cells", "codes", "laid", "log", "made", "player", "setup")

    def __init__(
        self, setup: Setup, cells: bytes, log: str | None = "", laid: tuple[Position, ...] = (), made: int = 0
    ) -> None:
        self.setup = setup
        self.made = made  # the number of moves that led here
        self.log = log  # the codes of all moves in the open, and of the others that they were made; None: not known
        self.laid = laid  # positions in which a move was made that still lies face down
        self._look(cells, NO_MOVE)

    def _look(self, position: bytes, code: int) -> int:
        """Take in a position, after a move in it if there is one; whether anything lies face down then."""
        game = self.setup.game
        if game.conceals is None:
            self.cells, octets = np.frombuffer(bytearray(position), game.dtype), NO_BYTES
        else:
            octets = np.frombuffer(bytearray(2 * position), np.uint8)
            self.cells = octets.view(game.dtype)
        answers = np.empty(LISTED + game.most_legal, np.int16)
        advance(self.cells, octets, code, self.made, answers)
        seat, count, face_down = answers[:LISTED].tolist()
        self.player = seat if seat >= 0 else CHANCE_PLAYER if seat == CHANCE else TERMINAL_PLAYER
        self.codes = sorted(answers[LISTED : LISTED + count].tolist())
        return int(face_down)

    def __deepcopy__(self, memo: dict[int, object]) -> PlayedPosition:
        return self

    def __reduce__(self) -> tuple[Any, ...]:
        setup, laid = self.setup, b"".join(position.tobytes() for position in self.laid)
        return _revive, (
            setup.game.name,
            setup.players,
            dict(setup.options),
            setup.rewards,
            self.octets,
            self.log,
            laid,
            self.made,
        )

    @property
    def octets(self) -> bytes:
        """The bytes of the position."""
        return self.cells[:1].tobytes()

    def placed(self, position: Position) -> PlayedPosition:
        """Another position in place of this one. How it came about is not known; no history is kept from then on."""
        return PlayedPosition(self.setup, position.tobytes(), None, made=self.made)

    def changed(self, position: Position) -> PlayedPosition:
        """Another position that has the same history for the player."""
        return PlayedPosition(self.setup, position.tobytes(), self.log, self.laid, self.made)

    def after(self, code: int) -> PlayedPosition:
        """What follows a move; IllegalMove where the rules forbid it."""
        game = self.setup.game
        if code not in self.codes:
            if not 0 <= code < len(game.notation):
                raise NotAMove(say("{text} is not a move", text=str(code)))
            names = check_names(game, self.setup.players, None)
            raise IllegalMove(game.why_illegal(self.cells[0], code, names))
        next_one = PlayedPosition.__new__(PlayedPosition)
        next_one.setup, next_one.laid, next_one.log, next_one.made = self.setup, self.laid, self.log, self.made
        face_down = next_one._look(self.octets, code)
        next_one.made += 1
        if self.log is None:
            return next_one
        conceals = game.conceals
        if conceals is None or not (face_down or self.laid):
            next_one.log = f"{self.log} {code}"
            return next_one
        then, now = self.cells[0], next_one.cells[0]
        log, laid = self.log, self.laid
        if conceals(then, now, code):
            log, laid = f"{log} {FACE_DOWN}", (*laid, then)
        else:
            log = f"{log} {code}"
        still = tuple(before for before in laid if conceals(before, now, code))
        if len(still) < len(laid):
            # What is turned up shows in what everybody sees now; a digest of that tells such histories apart.
            log += f" ={next_one._digest(-1)}"
        next_one.log, next_one.laid = log, still
        return next_one

    def remembers(self, recall: bool) -> bool:
        """Whether one who counted along knows everything: every move was made in the open."""
        return recall and self.setup.game.conceals is None

    def history_of(self, player: int) -> str:
        """All a player has seen, move by move, and while moves lie face down, a digest of what it sees of them."""
        if self.log is None:
            return f"{player}: own={self._digest(player)}"
        own = f" own={self._digest(player)}" if self.laid else ""
        return f"{player}:{self.log}{own}"

    def _digest(self, player: int) -> str:
        return hashlib.blake2b(hidden(self.cells[:1], player).tobytes(), digest_size=6).hexdigest()


def _revive(
    name: str,
    players: int,
    options: Mapping[str, OptionValue],
    rewards: int,
    cells: bytes,
    log: str | None,
    laid: bytes,
    made: int,
) -> PlayedPosition:
    """A position that was pickled, as OpenSpiel does to write states down."""
    game = registry.get(name)
    setup = Setup(game, players, options, rewards)
    return PlayedPosition(setup, cells, log, tuple(np.frombuffer(laid, game.dtype)), made)


class OpenSpielState(pyspiel.State):  # type: ignore[misc, name-defined]
    """A position in OpenSpiel's clothes. Chance's actions are numbered from 0, like the seats'."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.played = game.first  # nothing else: OpenSpiel copies every attribute of a state it clones

    def current_player(self) -> int:
        return self.played.player

    def _legal_actions(self, player: int) -> list[int]:
        return self.played.codes

    def chance_outcomes(self) -> list[tuple[int, float]]:
        codes, first = self.played.codes, self.played.setup.game.decisions
        share = 1 / len(codes)
        return [(code - first, share) for code in codes]

    def _apply_action(self, action: int) -> None:
        played = self.played
        self.played = played.after(action if played.player >= 0 else action + played.setup.game.decisions)

    def _action_to_string(self, player: int, action: int) -> str:
        notation = self.played.setup.game.notation
        code = action if player >= 0 else action + notation.decisions
        return notation.name(code) if 0 <= code < len(notation) else f"no move ({action})"

    def is_terminal(self) -> bool:
        return self.played.player == TERMINAL_PLAYER

    def returns(self) -> list[float]:
        setup = self.played.setup
        returns = np.zeros(setup.players)
        if self.is_terminal():
            settle(self.played.cells, setup.rewards, returns)
        return returns.tolist()

    # OpenSpiel's own functions for tensors set up a whole new game for each, to find out its size.

    def observation_tensor(self, player: int | None = None) -> list[float]:
        return self._tensor(player, recall=False)

    def information_state_tensor(self, player: int | None = None) -> list[float]:
        return self._tensor(player, recall=True)

    def _tensor(self, player: int | None, recall: bool) -> list[float]:
        played = self.played
        player = played.player if player is None else player
        if player not in range(played.setup.players):
            raise pyspiel.SpielError(f"there is no player {player!r}")
        size = played.setup.size
        seen, tensor = np.empty(size, np.int16), np.empty(size, np.float32)
        see(played.cells, copy_positions(played.cells), player, played.remembers(recall), seen, tensor)
        return tensor.tolist()

    def resample_from_infostate(self, player: int, sampler: Any) -> OpenSpielState:
        """A state the player might as well be in: what lies face down is chosen by a number from 0 to 1."""
        twin: OpenSpielState = self.clone()
        position = as_array(self.played.cells[0])[0]
        if not self.played.remembers(True):
            position = hidden(self.played.cells[:1], player)
        verbs.guess(position, player, randomness(int(sampler() * 2**53)))
        twin.played = self.played.changed(position)
        return twin

    def __str__(self) -> str:
        game = self.played.setup.game
        return f"{game.phases[int(self.played.cells['phase'][0])]}: {self.played.octets.hex()}"


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

    def set_from(self, state: OpenSpielState, player: int) -> None:
        played = state.played
        see(played.cells, copy_positions(played.cells), player, played.remembers(self._recall), self._seen, self.tensor)

    def string_from(self, state: OpenSpielState, player: int) -> str:
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
    game, kind = registry.get(name), pyspiel.GameType
    options = {option: declared.default for option, declared in game.options.items()}
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
        self.ours = registry.get(name)
        players = given.pop("players", self.ours.fewest_players)
        rewards = check_choice("rewards", given.pop("rewards", "win"), REWARDS)
        options = check_setup(self.ours, players, given)
        start = self.ours.new_position(players, **options)
        self.first = PlayedPosition(Setup(self.ours, players, options, rewards), start.tobytes())
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

    def new_initial_state(self) -> OpenSpielState:
        return OpenSpielState(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return _load_again, (str(self),)

    def make_py_observer(self, iig_obs_type: Any = None, params: dict[str, Any] | None = None) -> Observer:
        if params:
            raise BadSetup(
                say("there is no option {name}; choose from: {known}", name=repr(next(iter(params))), known="-")
            )
        return Observer(self.ours, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


def _load_again(text: str) -> Any:
    """Return a game that was pickled: OpenSpiel's text for it has the name and all parameters."""
    return pyspiel.load_game(text)


@functools.cache
def register(name: str) -> None:
    """Tell OpenSpiel of a game; those that are known when this module is imported, it is told of at once."""

    class Registered(SpielGame):
        def __init__(self, params: dict[str, Any] | None = None) -> None:
            super().__init__(name, params)

    pyspiel.register_game(game_type(name), Registered)


for _name in registry.names():
    register(_name)


@functools.cache
def load(name: str, players: int, **parameters: OptionValue) -> Any:
    """`pyspiel.load_game` for a game by its name, loaded once."""
    register(name)
    return pyspiel.load_game(PREFIX + name, {"players": players} | parameters)
