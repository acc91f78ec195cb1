"""Where the points of winners come from, measured in self-play. A review compares a player's points with these."""

from __future__ import annotations

import functools
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass

from malecon.bots.history import known_to
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.kernel import readiness, registry
from malecon.kernel.randomness import mix
from malecon.match import Match

#: The data file of a game: the version of its rules, and the averages by number of players and seat.
FILE = "teaching/winners.json"
PLAYER = "search:sims=25"


@dataclass(frozen=True)
class WinnerPoints:
    """The average points by source of those who won from a seat."""

    games: int
    points: Mapping[str, float]


def measure(game: str, players: int, count: int, seed: int = 1) -> dict[int, WinnerPoints]:
    """Play `count` games and return the points of the winners, by their seat."""
    readiness.wait(game)
    won: Counter[int] = Counter()
    sums: dict[int, Counter[str]] = {seat: Counter() for seat in range(players)}
    for number in range(count):
        match = Match(game, players, seed=mix(seed, players, number))
        searcher = Searcher(match.game, players, parse(PLAYER).plan, mix(seed, number))
        while match.turn is not None:
            best = searcher.search(known_to(match.game, match.position, match.turn)).best
            match.push(match.game.notation.name(best))
        assert match.outcome is not None
        for seat in match.outcome.winners:
            won[seat] += 1
            sums[seat].update(match.scores[seat].breakdown)
    return {
        seat: WinnerPoints(won[seat], {source: round(total / won[seat], 1) for source, total in sums[seat].items()})
        for seat in range(players)
        if won[seat]
    }


@functools.cache
def _measured(game: str) -> dict[str, dict[str, list[object]]]:
    """Return the measured averages by number of players and seat; none if they are missing or of other rules."""
    file = registry.data_file(game, FILE)
    if file is None or not file.exists():
        return {}
    content = json.loads(file.read_text("utf-8"))
    winners: dict[str, dict[str, list[object]]] = content["winners"]
    return winners if content["rules"] == registry.get(game).rules_version else {}


def usual(game: str, players: int, seat: int) -> WinnerPoints | None:
    """Return what winners from this seat usually have; None if it was not measured with these rules."""
    entry = _measured(game).get(str(players), {}).get(str(seat))
    return None if entry is None else WinnerPoints(*entry)  # type: ignore[arg-type]


def write(name: str, count: int) -> None:
    """Measure a game and write its data file: `python -m malecon.teaching.winner_points cuba 400`."""
    game, file = registry.get(name), registry.data_file(name, FILE)
    if file is None:
        raise FileNotFoundError(f"{name} is a single module and has no folder for {FILE}")
    winners = {
        str(players): {str(seat): [mean.games, mean.points] for seat, mean in measure(name, players, count).items()}
        for players in range(game.fewest_players, game.most_players + 1)
    }
    file.parent.mkdir(exist_ok=True)
    file.write_text(json.dumps({"rules": game.rules_version, "winners": winners}, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    import sys

    write(sys.argv[1], int(sys.argv[2]))
