"""The leader board: bots meet those next to them in strength, and docs/leaderboard.md and .json say who is best.

    python benchmarks/leaderboard.py --data DIRECTORY

Finished games are kept in the folder: a run that was stopped goes on where it was, and after a change of one bot only
the files with its name have to go. The protocol is on the page itself.
"""

from __future__ import annotations

import argparse
import itertools
import json
import time
from datetime import date
from pathlib import Path
from typing import Any

import ladder
from malecon import games
from malecon.arena import tournament
from malecon.arena.plan import ArenaPlan, PlayedGame
from malecon.arena.results import ArenaResult, summarise

ROOT = Path(__file__).parents[1]
PAGE, FILE = ROOT / "docs" / "leaderboard.md", ROOT / "docs" / "leaderboard.json"
CHART = ROOT / "docs" / "images" / "ladder.svg"
#: From weak to strong, as far as we knew before. El Patrón thinks for a thirtieth of its usual time here.
PATRON = "patron:ms=50"
BOTS = ("random", "turista", "aprendiz", "policy", "comerciante", "capitan", "search:sims=500", PATRON)
#: With two players, every bot meets this many neighbours on either side; a stronger gap than that teaches nothing.
NEIGHBOURS = 2
#: Bots that think long, and how many of the games they play.
SLOW = {PATRON: 0.3}


def groups(players: int) -> list[tuple[str, ...]]:
    """Who sits together: bots that are next to each other in strength."""
    reach = max(NEIGHBOURS, players - 1)
    everybody = itertools.combinations(BOTS, players)
    return [group for group in everybody if BOTS.index(group[-1]) - BOTS.index(group[0]) <= reach]


def play(name: str, players: int, count: int, seed: int, folder: Path, jobs: int | None) -> ArenaResult:
    """All games of one board, those in the folder and those that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    played: list[PlayedGame] = []
    for group in groups(players):
        share = min(SLOW.get(bot, 1.0) for bot in group)
        plan = ArenaPlan(name, group, players, max(2, round(count * share)), seed)
        file = folder / f"{name}-{'-'.join(group).replace(':', '_')}.jsonl"
        tournament.run(plan, jobs=jobs, file=file)
        games_there = tournament.read(plan, file).values()
        played += games_there
        print(name, *group, len(games_there), f"{time.process_time():.0f} s", flush=True)
    return summarise(ArenaPlan(name, BOTS, players, len(played), seed), played)


def table(result: ArenaResult) -> list[str]:
    lines = ["| | bot | rating | games | wins | 95 % interval | points | ms a move |", "| ---: | --- | ---: | ---: | ---: | ---: | ---: | ---: |"]  # fmt: skip # noqa: E501
    for place, bot in enumerate(result.bots, 1):
        low, high = (100 * bound for bound in bot.interval)
        lines.append(
            f"| {place} | `{bot.name}` | {bot.rating:.0f} ± {2 * bot.rating_deviation:.0f} | {bot.games} "
            f"| {bot.win_rate:.0%} | {low:.0f}–{high:.0f} % | {bot.mean_points:.1f} | {bot.mean_ms:.1f} |"
        )
    return lines


def write(results: dict[str, dict[str, Any]], boards: dict[str, list[str]]) -> None:
    FILE.write_text(json.dumps(results, indent=1) + "\n", encoding="utf-8")
    CHART.write_text(ladder.draw(results), encoding="utf-8")
    text = PAGE.read_text(encoding="utf-8")
    for name, lines in boards.items():
        begin, end = f"<!-- {name} -->\n", f"<!-- end of {name} -->"
        before, _, rest = text.partition(begin)
        text = before + begin + "\n" + "\n".join(lines) + "\n" + end + rest.partition(end)[2]
    PAGE.write_text(text, encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the games")
    parser.add_argument("--games", type=int, default=40, help="for every group of neighbours")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=int)
    parser.add_argument("--only", choices=games.names(), help="one game; the other's boards stay as they are")
    chosen = parser.parse_args()
    results: dict[str, dict[str, Any]] = json.loads(FILE.read_text(encoding="utf-8")) if FILE.exists() else {}
    boards = {}
    for name in [chosen.only] if chosen.only else games.names():
        game, results[name], boards[name] = games.get(name), {}, []
        for players in range(game.fewest_players, min(game.most_players, len(BOTS)) + 1):
            result = play(name, players, chosen.games, chosen.seed, chosen.data, chosen.jobs)
            today = date.today().isoformat()
            results[name][str(players)] = {"date": today, "rules": game.rules_version} | result.as_dict()
            played = f"Seed {result.seed}, {result.games} games, {today}."
            boards[name] += [f"### {game.title}: {players} players", "", played, "", *table(result), ""]
    write(results, boards)


if __name__ == "__main__":
    main()
