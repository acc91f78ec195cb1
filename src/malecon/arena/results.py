"""Results of a tournament: win rates with intervals and ratings, as data and as a table."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from malecon.arena.plan import ArenaPlan, PlayedGame
from malecon.simulation.intervals import wilson

if TYPE_CHECKING:
    from rich.table import Table

MEAN_RATING = 1500.0
ELO = 400 / math.log(10)
BOOTSTRAPS = 100
#: Wins and losses that every two bots are credited with, so that a bot that never lost has a finite rating.
PRIOR_GAMES = 0.5
MOST_STEPS = 10_000


@dataclass(frozen=True)
class BotResult:
    """One bot's results over all its seats. A shared win counts in equal parts; `interval` is Wilson's, for 95 %."""

    name: str
    games: int  # seats played: a bot that sits at a table three times plays three
    wins: float
    win_rate: float
    interval: tuple[float, float]
    fair_share: float  # the win rate of equals
    rating: float  # Bradley-Terry on Elo's scale; the mean of all bots is 1500
    rating_deviation: float
    mean_points: float
    mean_ms: float  # for a decision


@dataclass(frozen=True)
class ArenaResult:
    """A tournament's results, best bot first."""

    game: str
    players: int
    games: int
    setups: int
    seed: int
    options: dict[str, Any]
    bots: list[BotResult]

    def as_dict(self) -> dict[str, Any]:
        return asdict(self)


def ratings(played: Sequence[PlayedGame]) -> dict[str, tuple[float, float]]:
    """Return a rating and its deviation for every bot: a Bradley-Terry fit, on Elo's scale, with a mean of 1500.

    Every two bots at a table are compared by their places; a tie is half a win for each. The deviation is the greater
    of two: that of fits to setups drawn again and again (bootstrap), as the games of one setup are not independent,
    and that of independent games, since ten games that are all won look alike, however often drawn.
    """
    names = sorted({spec for game in played for spec in game.seats})
    setups = sorted({game.setup for game in played})
    wins = np.zeros((len(setups), len(names), len(names)))
    for game in played:
        at = setups.index(game.setup)
        seats = [names.index(spec) for spec in game.seats]
        for (bot, place), (other, behind) in itertools.permutations(zip(seats, game.places, strict=True), 2):
            if bot != other and place <= behind:
                wins[at, bot, other] += 1.0 if place < behind else 0.5
    if len(names) < 2:
        return dict.fromkeys(names, (MEAN_RATING, 0.0))
    fitted = _fit(wins.sum(axis=0))
    random = np.random.default_rng(0)
    draws = [_fit(wins[random.integers(len(setups), size=len(setups))].sum(axis=0)) for _ in range(BOOTSTRAPS)]
    deviations = np.maximum(np.std(draws, axis=0), _least_deviations(wins.sum(axis=0), fitted))
    return {name: (float(fitted[i]), float(deviations[i])) for i, name in enumerate(names)}


def _least_deviations(wins: npt.NDArray[np.float64], rated: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the deviations for independent games, from the curvature of the likelihood at the fit (Fisher)."""
    wins = wins + PRIOR_GAMES * (1 - np.eye(len(wins)))
    chances = 1 / (1 + np.exp((rated[None, :] - rated[:, None]) / ELO))
    information = (wins + wins.T) * chances * chances.T
    curvature = np.diag(information.sum(axis=1)) - information
    return np.asarray(ELO * np.sqrt(np.diag(np.linalg.pinv(curvature))), np.float64)


def _fit(wins: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return the Bradley-Terry strengths of a table of wins, by Hunter's MM steps.

    These few lines are our own because the libraries for it need SciPy, which Numba then loads at every start: that
    takes a third of a second.
    """
    wins = wins + PRIOR_GAMES * (1 - np.eye(len(wins)))
    games, won = wins + wins.T, wins.sum(axis=1)
    strengths = np.ones(len(wins))
    for _ in range(MOST_STEPS):
        before = strengths
        strengths = won / (games / (before[:, None] + before)).sum(axis=1)
        strengths /= np.exp(np.log(strengths).mean())
        if np.abs(np.log(strengths / before)).max() < 1e-9:
            break
    return np.asarray(MEAN_RATING + np.log(strengths) * ELO, np.float64)


def summarise(plan: ArenaPlan, played: Sequence[PlayedGame]) -> ArenaResult:
    """Return the results of these games."""
    rated = ratings(played)
    bots = []
    for spec in dict.fromkeys(plan.bots):
        seats = [(game, seat) for game in played for seat, other in enumerate(game.seats) if other == spec]
        wins = sum(1 / game.places.count(1) for game, seat in seats if game.places[seat] == 1)
        count = len(seats)
        bots.append(
            BotResult(
                name=spec,
                games=count,
                wins=wins,
                win_rate=wins / max(count, 1),
                interval=wilson(wins, count),
                fair_share=1 / plan.players,
                rating=rated.get(spec, (MEAN_RATING, 0.0))[0],
                rating_deviation=rated.get(spec, (MEAN_RATING, 0.0))[1],
                mean_points=sum(game.points[seat] for game, seat in seats) / max(count, 1),
                mean_ms=sum(game.ms[seat] for game, seat in seats) / max(count, 1),
            )
        )
    return ArenaResult(
        game=plan.game,
        players=plan.players,
        games=len(played),
        setups=len({game.setup for game in played}),
        seed=plan.seed,
        options=dict(plan.options),
        bots=sorted(bots, key=lambda bot: -bot.rating),
    )


def show(result: ArenaResult) -> Table:
    """Return the results as a table for a terminal."""
    from rich.table import Table

    title = f"{result.game}, {result.players} players, {result.games} games, seed {result.seed}"
    table = Table(title=title, padding=0)
    table.add_column("bot", overflow="fold")  # a name must not be cut short
    for column in ("games", "wins", "95 % interval", "fair share", "rating", "points", "ms a move"):
        table.add_column(column, justify="right", no_wrap=column != "95 % interval")
    for bot in result.bots:
        low, high = bot.interval
        table.add_row(
            bot.name,
            str(bot.games),
            f"{bot.win_rate:.1%}",
            f"{low:.1%}–{high:.1%}",
            f"{bot.fair_share:.1%}",
            f"{bot.rating:.0f} ± {2 * bot.rating_deviation:.0f}",
            f"{bot.mean_points:.1f}",
            f"{bot.mean_ms:.1f}",
        )
    return table
