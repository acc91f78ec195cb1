"""Games of `self_play` as arrays that a network can be fitted to, which `training/fit_net.py` does. Play needs none."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.bots.network import Floats, count_features
from malecon.bots.self_play import ARRAY_NAMES, GameArrays
from malecon.bots.value import MARGIN
from malecon.kernel.compile import kernel
from malecon.kernel.game import Game
from malecon.kernel.verbs import actor, features

#: The arrays that the fit needs.
NEEDED = tuple(name for name in ARRAY_NAMES if name not in ("values", "lengths", "moves"))
#: One game in this many is held back: no fit ever sees it. Another one is kept to scale the chances by.
HELD_BACK_OF = 10


@dataclass(frozen=True)
class TrainingSample:
    """SelfPlayNotes of self-play, all with the same number of players."""

    players: int
    inputs: int  # numbers that describe a seat
    positions: Any  # described when they are asked for: the descriptions are ten times as large
    actors: npt.NDArray[np.int64]
    wins: Floats  # (notes, players): shares of the win
    opinions: Floats  # (notes, players): what the search expected, as shares of 1
    margins: Floats  # (notes, players): points ahead of the best other at the end, between 0 and 1
    first: npt.NDArray[np.int64]  # where the moves of each note begin, and the end of the last
    codes: npt.NDArray[np.int64]
    shares: Floats  # of the visits, by move
    held_back: npt.NDArray[np.bool_]
    scaled_by: npt.NDArray[np.bool_]

    def part(self, name: str) -> npt.NDArray[np.int64]:
        """Return the numbers of the notes that are `learnt`, `scaled_by` or `held_back`."""
        chosen = ~(self.held_back | self.scaled_by) if name == "learnt" else getattr(self, name)
        return np.flatnonzero(chosen)

    def features(self, rows: npt.NDArray[np.int64]) -> Floats:
        """Return the features of every seat in these notes: (notes, players, inputs)."""
        described = np.zeros((len(rows) * self.players, self.inputs), np.float32)
        describe_all(self.positions, rows, described, self.players)
        return described.reshape(len(rows), self.players, self.inputs)

    def __len__(self) -> int:
        return len(self.actors)


def read(folders: Sequence[Path]) -> dict[int, GameArrays]:
    """Return the games in some folders, by the number of players."""
    parts: dict[int, list[GameArrays]] = {}
    for folder in folders:
        for path in sorted(folder.glob("*.npz")):
            with np.load(path) as arrays:
                parts.setdefault(int(path.name.partition("-")[0]), []).append({name: arrays[name] for name in NEEDED})
    if not parts:
        raise FileNotFoundError(f"there are no games in {', '.join(map(str, folders))}; play some with play_games.py")
    return {
        players: {name: np.concatenate([arrays[name] for arrays in group]) for name in NEEDED}
        for players, group in sorted(parts.items())
    }


@kernel
def describe_all(positions: Any, rows: npt.NDArray[np.int64], out: Floats, players: int) -> None:
    """Write the features of every seat in these rows of the positions into `out[number * players + seat]`."""
    for i in range(len(rows)):
        for seat in range(players):
            features(positions[rows[i]], seat, out[i * players + seat])


@kernel
def find_actors(positions: Any, actors: npt.NDArray[np.int64]) -> None:
    for i in range(len(positions)):
        actors[i] = actor(positions[i])


def sample_of(game: Game, players: int, arrays: GameArrays) -> TrainingSample:
    """Return games as a sample to fit a network to."""
    positions = arrays["positions"].view(game.dtype).reshape(-1).view(np.recarray)
    count = len(positions)
    actors = np.zeros(count, np.int64)
    find_actors(positions, actors)
    game_of = np.repeat(np.arange(len(arrays["notes"])), arrays["notes"])
    widths = arrays["widths"].astype(np.int64)
    first = np.concatenate([[0], np.cumsum(widths)])
    visits = arrays["visits"].astype(np.float32)
    totals = np.add.reduceat(visits, first[:-1]) if count else visits
    opinions = arrays["opinions"].astype(np.float32)
    return TrainingSample(
        players=players,
        inputs=count_features(game),
        positions=positions,
        actors=actors,
        wins=arrays["wins"][game_of],
        opinions=opinions / opinions.sum(axis=1, keepdims=True),
        margins=_margins(arrays["points"].astype(np.float32))[game_of],
        first=first,
        codes=arrays["codes"].astype(np.int64),
        shares=visits / np.repeat(totals, widths),
        held_back=game_of % HELD_BACK_OF == HELD_BACK_OF - 1,
        scaled_by=game_of % HELD_BACK_OF == HELD_BACK_OF - 2,
    )


def _margins(points: Floats) -> Floats:
    """Return the points ahead of the best other at the end, scaled as in the reward."""
    ahead = np.empty_like(points)
    for seat in range(points.shape[1]):
        ahead[:, seat] = points[:, seat] - np.delete(points, seat, axis=1).max(axis=1)
    return (1 / (1 + np.exp(-ahead / MARGIN))).astype(np.float32)


def samples(game: Game, folders: Sequence[Path]) -> list[TrainingSample]:
    return [sample_of(game, players, arrays) for players, arrays in read(folders).items()]
