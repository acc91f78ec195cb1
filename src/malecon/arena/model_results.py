"""Measuring language models: games against each level in turn, with illegal answers, tokens and costs counted.

The protocol is fixed by its number, so that results of different people can be compared: see docs/models.md. Every
result is one line of a file to which anybody can add theirs.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import malecon
from malecon.arena.bots import close_bot, make_bot
from malecon.arena.llm_bot import LanguageModelBot, Usage, read_settings
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.kernel.randomness import mix
from malecon.match import Match, check_players, check_whole
from malecon.simulation.intervals import wilson

#: The version of the protocol. Whatever changes the results, such as the prompt or the text of a view, changes it.
PROTOCOL = 1
#: The opponents: the levels. The strongest thinks for a time, so a search by simulations stands in for it.
OPPONENTS = ("random", "turista", "aprendiz", "comerciante", "capitan", "search:sims=2000")
SEED = 36


@dataclass(frozen=True)
class ModelResult:
    """A model against one opponent. A shared win counts in equal parts; the interval is Wilson's, for 95 %."""

    protocol: int
    model: str
    game: str
    rules: int
    players: int
    opponent: str
    games: int
    seed: int
    language: str
    wins: float
    win_rate: float
    interval: tuple[float, float]
    mean_points: float
    usage: dict[str, Any]
    malecon: str
    date: str
    by: str


def measure(
    spec: str,
    game: str,
    *,
    players: int = 2,
    games: int = 10,
    opponents: Sequence[str] = OPPONENTS,
    seed: int = SEED,
    by: str = "",
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Iterator[ModelResult]:
    """Yield the model's result against each opponent, one after the other; the model changes seats from game to game.

    The n-th game against every opponent has the same setup and the same luck.
    """
    known = registry.get(game)
    players, games = check_players(known, players), check_whole("games", games)
    settings = read_settings(spec)
    for opponent in opponents:
        close_bot(make_bot(opponent))
    readiness.wait(game)
    done, total = 0, games * len(opponents)
    for opponent in opponents:
        usage, wins, points = Usage(), 0.0, 0
        for number in range(games):
            won, scored, used = _play(spec, opponent, game, players, number, mix(seed, number))
            usage.add(used)
            wins, points, done = wins + won, points + scored, done + 1
            progress(done, total)
        yield ModelResult(
            protocol=PROTOCOL, model=settings.model, game=game, rules=known.rules_version, players=players,
            opponent=opponent, games=games, seed=seed, language=settings.language, wins=wins, win_rate=wins / games,
            interval=wilson(wins, games), mean_points=points / games,
            usage={name: round(value, 4) for name, value in asdict(usage).items()}, malecon=malecon.__version__,
            date=datetime.datetime.now(datetime.UTC).date().isoformat(), by=by,
        )  # fmt: skip


def _play(spec: str, opponent: str, game: str, players: int, number: int, seed: int) -> tuple[float, int, Usage]:
    """Return the model's share of the win, its points, and its usage in one game."""
    seat, match = number % players, Match(game, players, seed=seed)
    bots = [make_bot(spec if other == seat else opponent, mix(seed, other)) for other in range(players)]
    try:
        while match.turn is not None:
            match.push(bots[match.turn].choose(match.view(match.turn)))
    finally:
        for bot in bots:
            close_bot(bot)
    outcome, model = match.outcome, bots[seat]
    assert outcome is not None
    assert isinstance(model, LanguageModelBot)
    won = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
    return won, outcome.points[seat], model.usage


def append(file: Path, result: ModelResult) -> None:
    """Add a result to a file."""
    with file.open("a", encoding="utf-8") as lines:
        lines.write(json.dumps(asdict(result), ensure_ascii=False) + "\n")


def read(file: Path) -> list[ModelResult]:
    """Return the results in a file; raise BadSetup with the first line that is none."""
    results = []
    for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), 1):
        try:
            data = json.loads(line)
            result = ModelResult(**{**data, "interval": tuple(data["interval"])})
            if result.protocol > PROTOCOL or not 0 <= result.wins <= result.games or set(result.usage) != _USAGE:
                raise ValueError
            registry.get(result.game)
        except (ValueError, TypeError, KeyError, AttributeError):
            raise BadSetup(say("line {line} of {file} is no result of a model", line=number, file=str(file))) from None
        results.append(result)
    return results


_USAGE = set(asdict(Usage()))


def table(results: Iterable[ModelResult]) -> str:
    """Return the results as a table in Markdown."""
    rows = [
        "| model | game | players | opponent | games | wins | 95 % interval "
        "| illegal | unreadable | replaced | tokens | cost |",
        "| --- | --- | ---: | --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | ---: |",
    ]
    for result in results:
        used, (low, high) = result.usage, result.interval
        rows.append(
            f"| {result.model} | {result.game} | {result.players} | {result.opponent} "
            f"| {result.games} | {result.win_rate:.0%} | {low:.0%}–{high:.0%} "
            f"| {used['illegal']} of {used['decisions']} | {used['unreadable']} | {used['replaced']} "
            f"| {used['prompt_tokens'] + used['completion_tokens']:,} | {used['cost']:.2f} |"
        )
    return "\n".join(rows)
