"""The chart of `make bench`: bars on a logarithmic scale, an SVG that needs no page, legible by day and by night."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape

from malecon.drawing import charts
from malecon.drawing.palette import PAGE, SERIES

WIDTH, LABEL, VALUE, ROW, GAP = 960, 400, 84, 22, 46
#: Everything is compared on one scale, from 10 a second to 100 million.
LOWEST, HIGHEST = 1, 8
CARD, SOFT, TEXT, MUTED = (PAGE[name] for name in ("card", "soft", "text", "muted"))
OURS, THEIRS = SERIES[:2]
STYLE = f"""
.paper {{ fill: {CARD.day}; rx: 14px }} .line {{ stroke: {SOFT.day} }}
.ours {{ fill: {OURS.day} }} .theirs {{ fill: {THEIRS.day} }}
text {{ font: 13px "Avenir Next", "Segoe UI", "Helvetica Neue", Arial, sans-serif; fill: {TEXT.day} }}
.head {{ font-weight: 700; font-size: 15px }} .faint {{ fill: {MUTED.day}; font-size: 11px }}
.number {{ text-anchor: end }} .own {{ font-weight: 700 }}
@media (prefers-color-scheme: dark) {{
  .paper {{ fill: {CARD.night} }} .line {{ stroke: {SOFT.night} }}
  .ours {{ fill: {OURS.night} }} .theirs {{ fill: {THEIRS.night} }}
  text {{ fill: {TEXT.night} }} .faint {{ fill: {MUTED.night} }}
}}
"""


@dataclass(frozen=True)
class Bar:
    """One figure: whose it is, of what, how many a second."""

    side: str
    title: str
    value: float


def draw(groups: Sequence[tuple[str, str, Sequence[Bar]]], ours: str) -> str:
    """Groups of bars, each with a heading and what its figures count; bars of `ours` stand out."""
    left, powers = LABEL, charts.Scale(LOWEST, HIGHEST, LABEL, WIDTH - VALUE)

    def across(value: float) -> float:
        return powers(min(max(math.log10(max(value, 1)), LOWEST), HIGHEST))

    parts: list[str] = []
    y = 8
    for heading, unit, bars in groups:
        y += GAP
        parts.append(f'<text class="head" x="16" y="{y - 14}">{escape(heading)}, {escape(unit)}</text>')
        bottom = y + ROW * len(bars)
        for power in range(LOWEST, HIGHEST + 1):
            x = across(10**power)
            parts.append(f'<path class="line" d="M{x:.0f} {y - 4}V{bottom}"/>')
            parts.append(f'<text class="faint" x="{x:.0f}" y="{y - 8}" text-anchor="middle">{short(10**power)}</text>')
        for bar in bars:
            kind, own = ("ours", " own") if bar.side == ours else ("theirs", "")
            end, name = across(bar.value), escape(f"{bar.side}: {bar.title}")
            parts.append(
                f'<text class="number{own}" x="{left - 8}" y="{y + 15}">{name}</text>'
                f'<rect class="{kind}" x="{left}" y="{y + 4}" width="{end - left:.1f}" height="{ROW - 8}" rx="3"/>'
                f'<text class="faint" x="{end + 6:.1f}" y="{y + 15}">{short(bar.value)}</text>'
            )
            y += ROW
    return charts.paper("Figures of make bench, on a logarithmic scale", WIDTH, y + 20, parts, STYLE)


def short(value: float) -> str:
    """A number in a few characters: 940, 14 k, 9.8 M."""
    for unit, size in ((" M", 1e6), (" k", 1e3), ("", 1)):
        if value >= size:
            scaled = value / size
            return (
                f"{scaled:.0f}{unit}" if scaled >= 10 or unit == "" or scaled == int(scaled) else f"{scaled:.1f}{unit}"
            )
    return f"{value:.1f}"
