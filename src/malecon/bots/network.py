"""The networks of the search: what they consist of, their files, and which features and moves they must fit."""

from __future__ import annotations

import functools
from pathlib import Path
from typing import NamedTuple
from zipfile import BadZipFile

import numpy as np
import numpy.typing as npt

from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import say

#: The file of a game's own weights, in its folder.
FILE = "weights.npz"
#: A description of a seat is never longer.
MOST_FEATURES = 1024

Floats = npt.NDArray[np.float32]


class Net(NamedTuple):
    """A network that reads the `features` of every seat: its chances, how far ahead it will end, and its likely moves.

    The first layer is the same for all seats. The second sees a seat beside the average of the others. Moves are judged
    by the first layer of the seat that decides, so by what that seat may know.
    """

    hidden: Floats  # (features, units)
    hidden_bias: Floats
    own: Floats  # (units, judges): from the seat's units to the second layer
    others: Floats  # (units, judges): from the mean of the others' units
    judge_bias: Floats
    out: Floats  # (judges, 2): a seat's strength, and how far ahead it will end
    out_bias: Floats
    moves: Floats  # (codes, units)
    moves_bias: Floats

    def fits(self, features: int, codes: int) -> bool:
        """Return whether it is made for that many features and moves, and its layers fit each other."""
        units, judges = len(self.hidden_bias), len(self.judge_bias)
        shapes = ((features, units), (units,), (units, judges), (units, judges), (judges,), (judges, 2), (2,),
                  (codes, units), (codes,))  # fmt: skip
        return tuple(array.shape for array in self) == shapes


def weights_path(name: str) -> Path:
    """Return the path of a game's weights, there or not."""
    return registry.data_file(name, FILE) or Path()


def read_net(path: Path) -> Net:
    """Return the network in a file; raise OSError if it cannot be read, and ValueError if it holds no network."""
    try:
        with np.load(path) as arrays:
            return Net(**{field: np.ascontiguousarray(arrays[field], np.float32) for field in Net._fields})
    except (KeyError, EOFError, TypeError, BadZipFile):
        raise ValueError(f"{path} contains no network") from None


@functools.lru_cache(maxsize=8)
def _read_version(path: str, changed_ns: int) -> Net:
    return read_net(Path(path))


def load_file(path: str) -> Net:
    """Return the network in a file as `read_net` does; a file that has not changed is read once."""
    return _read_version(path, Path(path).stat().st_mtime_ns)


@functools.cache
def load_net(name: str) -> Net | None:
    """Return the network of a game; None if it has none."""
    path = weights_path(name)
    return read_net(path) if path.is_file() else None


@functools.cache
def _count_features(name: str) -> int:
    game = registry.get(name)
    return int(verbs.features(game.new_position(game.fewest_players), 0, np.zeros(MOST_FEATURES, np.float32)))


def count_features(game: Game) -> int:
    """Return how many numbers describe a seat's prospects; 0 if the game has no features."""
    return _count_features(game.name)


def check_net(game: Game, net: Net) -> None:
    """Raise BadSetup if a network was made for another game, or for other features of this one."""
    if not net.fits(count_features(game), game.decisions):
        raise BadSetup(say("the learned weights of {game} do not fit this version; train them again", game=game.title))


def blank_net() -> Net:
    """Return an empty network, since a kernel needs its arguments even if it does not use them."""
    return Net(*(np.zeros((1,) * dimensions, np.float32) for dimensions in (2, 1, 2, 2, 1, 2, 1, 2, 1)))
