"""What a study asks of a game: which facts count, which things have a worth, which experiments can be made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from malecon.kernel import registry
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase
from malecon.study.counting import Ledger, Numbers, Sheet

#: Players at a table, where a game does not say with how many it is studied.
USUAL_PLAYERS = 3
#: By level, and of an experiment: how many games at random there are for one of those, where a game does not say.
COSTS = {"random": 1, "turista": 1_000, "aprendiz": 2, "comerciante": 4_000, "capitan": 4_000, "experiment": 20}


@dataclass(frozen=True)
class Setup:
    """Something chance lays out: which of `size` cases each game had, one in a column; perhaps a number beside each."""

    size: int
    cases: Numbers  # game, column
    beside: Numbers | None = None


@dataclass(frozen=True)
class Start:
    """A position to begin with that is not the usual one, and the seat it favours; None where it is all the same."""

    position: Any  # a recarray of one
    seat: int | None = None


@dataclass(frozen=True)
class Experiment:
    """One thing changed before the game begins, with all the starts there are for it."""

    kind: str
    thing: int
    starts: tuple[Start, ...]


@dataclass(frozen=True)
class Subject:
    """A game as it is studied."""

    game: Game
    ledger: Ledger
    experiment_players: int
    costs: Mapping[str, int]  # by level, and of an experiment: how many games at random there are for one of those
    names: Mapping[str, Sequence[Phrase]]  # of things and cases, by kind
    starter: Callable[[Sheet], Numbers]  # the seat that began, by game
    things: Callable[[Sheet], Mapping[str, Numbers]]  # by kind: game, seat, how often or how many
    setups: Callable[[Sheet], Mapping[str, Setup]]
    experiments: Callable[[], Sequence[Experiment]]


def subject(name: str) -> Subject:
    """How a game is studied: as its own `study` says, else by its results. UnknownGame where there is no such game."""
    own: Subject | None = getattr(registry.component(name, "study"), "SUBJECT", None)
    return own or basics(registry.get(name))


def basics(game: Game) -> Subject:
    """A game of which only results are counted: who began, who won, points and length."""
    return Subject(
        game=game,
        ledger=Ledger(game),
        experiment_players=min(max(USUAL_PLAYERS, game.fewest_players), game.most_players),
        costs=COSTS,
        names={},
        starter=lambda sheet: sheet.first_seats,
        things=lambda sheet: {},
        setups=lambda sheet: {},
        experiments=lambda: (),
    )
