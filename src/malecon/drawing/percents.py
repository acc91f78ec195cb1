"""A chart of shares between 0 and 100 percent: the frame, and where things go in it. Others draw into it.

It has colours of its own instead of classes, since such a chart is also a file that stands alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape

WIDTH, HEIGHT = 960, 360
LEFT, RIGHT, ABOVE, BELOW = 80, 16, 48, 48  # a page's letters may be larger than the chart's


def across(share: float) -> float:
    """How far to the right a share of the way is."""
    return LEFT + (WIDTH - LEFT - RIGHT) * share


def up(share: float) -> float:
    """The height of a share."""
    return HEIGHT - BELOW - (HEIGHT - ABOVE - BELOW) * share


def framed(title: str, parts: Iterable[str]) -> str:
    """The chart as an SVG: paper, lines at every quarter, then the parts."""
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" '
        f'font-family="sans-serif" font-size="14"><title>{escape(title)}</title>',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fffdf7"/>',
    ]
    for percent in (0, 25, 50, 75, 100):
        y = up(percent / 100)
        lines.append(f'<path d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        lines.append(f'<text x="{LEFT - 6}" y="{y + 5:.1f}" text-anchor="end" fill="#444">{percent} %</text>')
    return "\n".join([*lines, *parts, "</svg>"]) + "\n"
