"""The plan of an arena: which bots meet on which setups and in which seats; and a game once it is played."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from malecon.arena.bots import close_bot, make_bot
from malecon.bots import SearchBot
from malecon.kernel import registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.match import check_setup


@dataclass(frozen=True)
class ArenaPlan:
    """Which bots play, how many at a table, how often, and from which seed."""

    game: str
    bots: tuple[str, ...]
    players: int
    games: int
    seed: int = 0
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def check(self) -> None:
        """Raise BadSetup if something does not fit."""
        game = registry.get(self.game)
        check_setup(game, self.players, self.options)
        if len(self.bots) < 2:
            raise BadSetup(say("a tournament needs at least two bots"))
        for spec in self.bots:
            bot = make_bot(spec)
            close_bot(bot)
            if isinstance(bot, SearchBot):
                bot.check(game)
        if self.games < 1:
            raise BadSetup(say("at least one game is needed"))

    def groups(self) -> list[tuple[str, ...]]:
        """Return who meets whom: every combination; if there are more seats than bots, the last bot fills them."""
        bots = self.bots + self.bots[-1:] * (self.players - len(self.bots))
        return list(itertools.combinations(bots, self.players))

    def schedule(self) -> Iterator[ScheduledGame]:
        """Yield every game: each setup is played by every group in every rotation of the seats."""
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
