"""Where the points of winners come from, measured from self-play: what a review holds a player's points against."""

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

#: The data file of a game: which rules it was measured with, and the averages by number of players and seat.
FILE = "teaching/winners.json"
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
        searcher = Searcher(match.game, players, parse(PLAYER).plan, mix(seed, number))
        while match.turn is not None:
            best = searcher.search(known_to(match.game, match.position, match.turn)).best
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
def _measured(game: str) -> dict[str, dict[str, list[object]]]:
    """Return what was measured by number of players and seat; nothing if it was not, or with other rules."""
    file = registry.data_file(game, FILE)
    if file is None or not file.exists():
        return {}
    content = json.loads(file.read_text("utf-8"))
    winners: dict[str, dict[str, list[object]]] = content["winners"]
    return winners if content["rules"] == registry.get(game).rules_version else {}


def usual(game: str, players: int, seat: int) -> Winners | None:
    """What winners from this seat usually have; None where it was not measured, or with other rules."""
    known = _measured(game).get(str(players), {}).get(str(seat))
    return None if known is None else Winners(*known)  # type: ignore[arg-type]


def write(name: str, count: int) -> None:
    """Measure a game and write its data file: `python -m malecon.teaching.winners cuba 400`."""
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
