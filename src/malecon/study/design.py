"""The design of a game's study: which facts are counted, which things are valued, which experiments are made."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from malecon.kernel import registry
from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase
from malecon.study.counting import CountedGames, FactSchema, Numbers

#: Players in experiments, unless the game names another number.
USUAL_PLAYERS = 3
#: By level, and for experiments: the number of random games for each of theirs, unless the game names others.
COSTS = {"random": 1, "turista": 1_000, "aprendiz": 2, "comerciante": 4_000, "capitan": 4_000, "experiment": 20}


@dataclass(frozen=True)
class ChanceSetup:
    """Something chance decides in the setup: the case, of `size` cases, that each game had, in one or more columns.

    Each case may come with a number, whose mean is estimated by case.
    """

    size: int
    cases: Numbers  # game, column
    numbers: Numbers | None = None


@dataclass(frozen=True)
class StartPosition:
    """A position to begin with, and the seat it favours; None if it favours none."""

    position: Any  # a recarray of one
    seat: int | None = None


@dataclass(frozen=True)
class Experiment:
    """One thing changed before the game begins, with every position this can be done in."""

    kind: str
    thing: int
    starts: tuple[StartPosition, ...]


@dataclass(frozen=True)
class StudyDesign:
    """How a game is studied."""

    game: Game
    schema: FactSchema
    experiment_players: int
    costs: Mapping[str, int]  # by level, and for experiments: the number of random games for each of theirs
    names: Mapping[str, Sequence[Phrase]]  # of things and cases, by kind
    starter: Callable[[CountedGames], Numbers]  # the seat that began, by game
    things: Callable[[CountedGames], Mapping[str, Numbers]]  # by kind: game, seat, how often or how many
    setups: Callable[[CountedGames], Mapping[str, ChanceSetup]]
    experiments: Callable[[], Sequence[Experiment]]


def design_of(name: str) -> StudyDesign:
    """Return the design in the game's module `study`, or the default one; raise UnknownGame if there is no game."""
    own: StudyDesign | None = getattr(registry.component(name, "study"), "DESIGN", None)
    return own or default_design(registry.get(name))


def default_design(game: Game) -> StudyDesign:
    """Return a design that counts only results: who began, who won, points and length."""
    return StudyDesign(
        game=game,
        schema=FactSchema(game),
        experiment_players=min(max(USUAL_PLAYERS, game.fewest_players), game.most_players),
        costs=COSTS,
        names={},
        starter=lambda counted: counted.first_seats,
        things=lambda counted: {},
        setups=lambda counted: {},
        experiments=lambda: (),
    )
