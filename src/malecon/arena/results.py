"""What a tournament showed: win rates with intervals and ratings, as data and as a table. Nothing is played here."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import NormalDist
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rich.table import Table

    from malecon.arena.tournament import Plan, Played

CONFIDENCE = 0.95


@dataclass(frozen=True)
class BotResult:
    """One bot's results over all its seats. A shared win counts in equal parts; `interval` is Wilson's, for 95 %."""

    name: str
    games: int  # seats played: a bot that sits at a table three times plays three
    wins: float
    win_rate: float
    interval: tuple[float, float]
    fair_share: float  # the win rate of equals
    rating: float  # OpenSkill's (Plackett-Luce); everybody starts at 25
    rating_deviation: float
    mean_points: float
    mean_ms: float  # for a decision


@dataclass(frozen=True)
class Result:
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


def wilson(wins: float, games: int, confidence: float = CONFIDENCE) -> tuple[float, float]:
    """Wilson's interval for a win rate; wins may be fractions."""
    if not games:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    rate, spread = wins / games, z * z / games
    middle = (rate + spread / 2) / (1 + spread)
    half = z / (1 + spread) * (rate * (1 - rate) / games + spread / (4 * games)) ** 0.5
    return max(0.0, middle - half), min(1.0, middle + half)


def ratings(played: Sequence[Played]) -> dict[str, tuple[float, float]]:
    """A rating and its deviation for every bot, from the games in their order."""
    from openskill.models import PlackettLuce

    model = PlackettLuce()
    found: dict[str, tuple[float, float]] = {}
    for game in played:
        teams = [[model.rating(*found.get(spec, (model.mu, model.sigma)))] for spec in game.seats]
        rated = model.rate(teams, ranks=[float(place) for place in game.places])
        for spec in set(game.seats):  # a bot with several seats learns from all of them
            own = [team[0] for team, other in zip(rated, game.seats, strict=True) if other == spec]
            found[spec] = (sum(r.mu for r in own) / len(own), sum(r.sigma for r in own) / len(own))
    return found


def summarise(plan: Plan, played: Sequence[Played]) -> Result:
    """The results of these games."""
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
                rating=rated.get(spec, (25.0, 25 / 3))[0],
                rating_deviation=rated.get(spec, (25.0, 25 / 3))[1],
                mean_points=sum(game.points[seat] for game, seat in seats) / max(count, 1),
                mean_ms=sum(game.ms[seat] for game, seat in seats) / max(count, 1),
            )
        )
    return Result(
        game=plan.game,
        players=plan.players,
        games=len(played),
        setups=len({game.setup for game in played}),
        seed=plan.seed,
        options=dict(plan.options),
        bots=sorted(bots, key=lambda bot: -bot.rating),
    )


def table(result: Result) -> Table:
    """The results for a terminal."""
    from rich.table import Table

    shown = Table(title=f"{result.game}, {result.players} players, {result.games} games, seed {result.seed}")
    shown.add_column("bot")
    for column in ("games", "wins", "95 % interval", "fair share", "rating", "points", "ms a move"):
        shown.add_column(column, justify="right")
    for bot in result.bots:
        low, high = bot.interval
        shown.add_row(
            bot.name,
            str(bot.games),
            f"{bot.win_rate:.1%}",
            f"{low:.1%} – {high:.1%}",
            f"{bot.fair_share:.1%}",
            f"{bot.rating:.1f} ± {2 * bot.rating_deviation:.1f}",
            f"{bot.mean_points:.1f}",
            f"{bot.mean_ms:.1f}",
        )
    return shown
