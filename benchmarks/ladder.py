"""The ladder of docs/leaderboard.json as one chart: every bot's rating with its interval, by game and players."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any

from malecon import games
from malecon.drawing import charts
from malecon.drawing.palette import PAGE, SERIES

WIDTH, LABEL, RIGHT, LINE, GAP, HEAD = 960, 150, 40, 11, 9, 64
#: A colour for each number of players.
COLOURS = dict(enumerate(SERIES, 2))
CARD, SOFT, TEXT, MUTED = (PAGE[name] for name in ("card", "soft", "text", "muted"))
DAY = "".join(f".p{players} {{ fill: {colour.day}; stroke: {colour.day} }} " for players, colour in COLOURS.items())
NIGHT = "".join(
    f".p{players} {{ fill: {colour.night}; stroke: {colour.night} }} " for players, colour in COLOURS.items()
)
STYLE = f"""
.paper {{ fill: {CARD.day}; rx: 14px }} .line {{ stroke: {SOFT.day} }}
text {{ font: 13px "Avenir Next", "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: {TEXT.day} }}
.head {{ font-weight: 700; font-size: 15px }} .faint {{ fill: {MUTED.day}; font-size: 11px }}
.number {{ text-anchor: end }} .span {{ stroke-width: 2.5; stroke-linecap: round }}
{DAY}
@media (prefers-color-scheme: dark) {{
  .paper {{ fill: {CARD.night} }} .line {{ stroke: {SOFT.night} }}
  text {{ fill: {TEXT.night} }} .faint {{ fill: {MUTED.night} }}
  {NIGHT}
}}
"""


def draw(results: Mapping[str, Mapping[str, Mapping[str, Any]]]) -> str:
    """One panel for each game; bots from strong to weak, and a line for each number of players."""
    boards = [(name, players, board) for name in results for players, board in results[name].items()]
    bounds = [
        bot["rating"] + side * 2 * bot["rating_deviation"]
        for *_, board in boards
        for bot in board["bots"]
        for side in (-1, 1)
    ]
    steps = charts.ticks(min(bounds), max(bounds))
    across = charts.Scale(steps[0], steps[-1], LABEL, WIDTH - RIGHT)
    parts: list[str] = []
    y = 0.0
    for name, by_players in results.items():
        rows = _rows(by_players)
        top = y + HEAD
        bottom = top + sum(LINE * len(lines) + GAP for _, lines in rows)
        parts.append(f'<text class="head" x="16" y="{y + 34}">{escape(games.get(name).title)}</text>')
        for number, players in enumerate(by_players):
            x = LABEL + 24 + 110 * number
            parts.append(f'<circle class="p{players}" cx="{x + 4}" cy="{y + 29}" r="4"/>')
            parts.append(f'<text class="faint" x="{x + 13}" y="{y + 33}">{players} players</text>')
        for step in steps:
            x = across(step)
            parts.append(f'<path class="line" d="M{x:.0f} {top - 6}V{bottom}"/>')
            parts.append(f'<text class="faint" x="{x:.0f}" y="{top - 10}" text-anchor="middle">{step:.0f}</text>')
        y = top
        for bot, lines in rows:
            middle = y + LINE * len(lines) / 2
            parts.append(f'<text class="number" x="{LABEL - 12}" y="{middle + 4:.1f}">{escape(bot)}</text>')
            for players, rating, deviation in lines:
                at = y + LINE / 2
                low, high = across(rating - 2 * deviation), across(rating + 2 * deviation)
                parts.append(f'<path class="span p{players}" d="M{low:.1f} {at:.1f}H{high:.1f}"/>')
                parts.append(f'<circle class="p{players}" cx="{across(rating):.1f}" cy="{at:.1f}" r="4"/>')
                y += LINE
            y += GAP
    return charts.paper("The ladder of the bots: ratings with intervals", WIDTH, y + 12, parts, STYLE)


def _rows(by_players: Mapping[str, Mapping[str, Any]]) -> list[tuple[str, list[tuple[int, float, float]]]]:
    """Bots from strong to weak by their mean, and for each number of players the rating and its deviation."""
    points: dict[str, list[tuple[int, float, float]]] = {}
    for players, board in by_players.items():
        for bot in board["bots"]:
            points.setdefault(bot["name"], []).append((int(players), bot["rating"], bot["rating_deviation"]))
    return sorted(points.items(), key=lambda row: -sum(rating for _, rating, _ in row[1]) / len(row[1]))
