"""Where the points of winners come from, measured from self-play: what a review holds a player's points against."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from malecon import games
from malecon.bots.reasons.lines import known_to
from malecon.bots.specs import parse
from malecon.bots.thinking import Mind
from malecon.games import readiness
from malecon.kernel.randomness import mix
from malecon.match import Match

MEASURED = Path(__file__).parent / "shipped" / "winners.json"
PLAYER = "search:sims=25"


@dataclass(frozen=True)
class Winners:
    """What those who won from a seat had on average, source by source."""

    games: int
    points: Mapping[str, float]


def measure(game: str, players: int, count: int, seed: int = 1) -> dict[int, Winners]:
    """Play so many games and sum up where the winners of each seat had their points from."""
    readiness.wait(game)
    won: Counter[int] = Counter()
    sums: dict[int, Counter[str]] = {seat: Counter() for seat in range(players)}
    for number in range(count):
        match = Match(game, players, seed=mix(seed, players, number))
        mind = Mind(match.game, players, parse(PLAYER).plan, mix(seed, number))
        while match.turn is not None:
            best = mind.think(known_to(match.game, match.position, match.turn)).best
            match.push(match.game.notation.name(best))
        assert match.outcome is not None
        for seat in match.outcome.winners:
            won[seat] += 1
            sums[seat].update(match.scores[seat].breakdown)
    return {
        seat: Winners(won[seat], {source: round(total / won[seat], 1) for source, total in sums[seat].items()})
        for seat in range(players)
        if won[seat]
    }


@functools.cache
def _measured() -> dict[str, dict[str, dict[str, list[object]]]]:
    if not MEASURED.exists():
        return {}
    found: dict[str, dict[str, dict[str, list[object]]]] = json.loads(MEASURED.read_text("utf-8"))
    return found


def usual(game: str, players: int, seat: int) -> Winners | None:
    """What winners from this seat usually have; None where it was not measured, or with other rules."""
    key = f"{game} {games.get(game).rules_version}"
    known = _measured().get(key, {}).get(str(players), {}).get(str(seat))
    return None if known is None else Winners(*known)  # type: ignore[arg-type]


def write(count: int, names: tuple[str, ...] = games.NAMES) -> None:
    """Measure again all that is shipped: `python -m malecon.study.teacher.winners 400`."""
    found = {}
    for name in names:
        game = games.get(name)
        found[f"{name} {game.rules_version}"] = {
            str(players): {str(seat): [one.games, one.points] for seat, one in measure(name, players, count).items()}
            for players in range(game.fewest_players, game.most_players + 1)
        }
    MEASURED.parent.mkdir(exist_ok=True)
    MEASURED.write_text(json.dumps(found, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    import sys

    write(int(sys.argv[1]))
