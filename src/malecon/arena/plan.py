"""What a tournament plays: who meets whom, on which setups, in which seats; and a game once it is played."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from malecon.arena.entrants import dismiss, enter
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.match import check_setup


@dataclass(frozen=True)
class ArenaPlan:
    """What is played: which bots, how many at a table, how often, from which seed."""

    game: str
    bots: tuple[str, ...]
    players: int
    games: int
    seed: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def check(self) -> None:
        """BadSetup where something does not fit."""
        game = registry.get(self.game)
        check_setup(game, self.players, self.options)
        if len(self.bots) < 2:
            raise BadSetup(say("a tournament needs at least two bots"))
        for spec in self.bots:
            dismiss(enter(spec))
        if self.games < 1:
            raise BadSetup(say("at least one game is needed"))

    def groups(self) -> list[tuple[str, ...]]:
        """Who meets whom: every combination; where there are more seats than bots, the last bot fills them."""
        bots = self.bots + self.bots[-1:] * (self.players - len(self.bots))
        return list(itertools.combinations(bots, self.players))

    def pairings(self) -> Iterator[ScheduledGame]:
        """Every game: each setup is played by every group in every rotation of the seats."""
        groups = self.groups()
        setups = -(-self.games // (len(groups) * self.players))
        number = 0
        for setup in range(setups):
            for group in groups:
                for shift in range(self.players):
                    yield ScheduledGame(number, setup, group[shift:] + group[:shift])
                    number += 1


@dataclass(frozen=True)
class ScheduledGame:
    """One game to be played: its number, its setup, and the bots in the order of the seats."""

    number: int
    setup: int
    seats: tuple[str, ...]


@dataclass(frozen=True)
class PlayedGame:
    """One finished game. `places` are by seat, 1 for every winner; `ms` is the mean time for a decision."""

    number: int
    setup: int
    seats: tuple[str, ...]
    points: tuple[int, ...]
    places: tuple[int, ...]
    decisions: int
    ms: tuple[float, ...]
