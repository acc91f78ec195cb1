"""Tables for the terminal: the result of a match, the statistics of a simulation."""

from __future__ import annotations

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from malecon.kernel.phrases import Phrase, say
from malecon.match import Match
from malecon.simulation.statistics import Statistics
from malecon.text import glossary, translate


def result_table(match: Match, language: str) -> RenderableType:
    """Return the points of all seats and where they came from, with their places once the game is over."""

    def t(phrase: Phrase) -> str:
        return translate(phrase, language)

    names = glossary(match.game)["sources"]
    scores = match.scores
    outcome = match.outcome
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("")
    for seat in range(match.players):
        table.add_column(translate(match.names[seat], language), justify="right")
    if outcome is not None:
        table.add_row(t(say("place")), *(f"{place}." for place in outcome.places))
    table.add_row(Text(t(say("points")), "bold"), *(Text(str(score.points), "bold") for score in scores))
    for source in scores[0].breakdown:
        if any(score.breakdown[source] for score in scores):
            values = (str(score.breakdown[source] or "·") for score in scores)
            table.add_row("  " + translate(names[source].name, language), *values, style="dim")
    if outcome is None:
        return Group(Text(t(say("the game is not over yet")), "italic"), table)
    return table


def statistics_table(statistics: Statistics) -> RenderableType:
    """Return the statistics of a simulation, seat by seat."""
    table = Table(box=None, pad_edge=False, header_style="bold")
    for title in ("seat", "bot", "wins", "mean", "5 %", "25 %", "median", "75 %", "95 %"):
        table.add_column(title, justify="left" if title in ("seat", "bot") else "right")
    for seat, bot in enumerate(statistics.bots):
        spread = (f"{statistics.score_percentiles[p][seat]:.0f}" for p in ("5", "25", "50", "75", "95"))
        table.add_row(
            str(seat + 1),
            bot,
            f"{statistics.win_rates[seat]:.1%}",
            f"{statistics.mean_scores[seat]:.1f}",
            *spread,
        )
    summary = Text(
        f"{statistics.games:,} games, {statistics.games_per_second:,.0f} games/s, "
        f"{statistics.decisions_per_second:,.0f} decisions/s\n"
        f"decisions a game: {statistics.mean_decisions:.0f} "
        f"({statistics.shortest_game} to {statistics.longest_game}); "
        f"winners {statistics.mean_winning_score:.1f} points, last places {statistics.mean_last_score:.1f}\n"
    )
    return Group(summary, table)
