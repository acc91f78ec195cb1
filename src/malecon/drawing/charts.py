"""Charts: scales, their round numbers, and the paper that callers draw on.

A chart that stands alone has colours of its own instead of the drawings' classes, since it is also a file.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from html import escape

from malecon.drawing.palette import CHART


@dataclass(frozen=True)
class Scale:
    """Where values from `low` to `high` lie between two places on the paper; what is beyond lies beyond."""

    low: float
    high: float
    start: float
    end: float

    def __call__(self, value: float) -> float:
        return self.start + (self.end - self.start) * (value - self.low) / ((self.high - self.low) or 1)


def ticks(low: float, high: float) -> list[float]:
    """Return three to six round numbers that cover the range."""
    span = (high - low) or 1.0
    step = 10.0 ** math.floor(math.log10(span / 3))
    step = next(step * factor for factor in (1, 2, 2.5, 5, 10) if span / (step * factor) <= 5)
    first, last = math.floor(low / step + 1e-9), math.ceil(high / step - 1e-9)
    return [step * n for n in range(first, last + 1)]


def paper(title: str, width: float, height: float, parts: Iterable[str], style: str = "") -> str:
    """Return a chart as an SVG file."""
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img" '
            f'font-family="sans-serif" font-size="14"><title>{escape(title)}</title>',
            *([f"<style>{style}</style>"] if style else []),
            f'<rect class="paper" width="{width}" height="{height}" fill="{CHART["paper"]}"/>',
            *parts,
            "</svg>\n",
        ]
    )


# --- shares between 0 and 100 percent

WIDTH, HEIGHT = 960, 360
LEFT, RIGHT, ABOVE, BELOW = 80, 16, 48, 48  # a page's letters may be larger than the chart's
#: How far to the right a share of the way is, and the height of a share.
across = Scale(0, 1, LEFT, WIDTH - RIGHT)
up = Scale(0, 1, HEIGHT - BELOW, ABOVE)


def percents(title: str, parts: Iterable[str]) -> str:
    """Return a chart of shares: lines at every quarter, then the parts."""
    lines = []
    for percent in (0, 25, 50, 75, 100):
        y = up(percent / 100)
        lines.append(f'<path class="chart-grid" d="M{LEFT} {y:.1f}H{WIDTH - RIGHT}" stroke="{CHART["grid"]}"/>')
        place = f'x="{LEFT - 6}" y="{y + 5:.1f}" text-anchor="end"'
        lines.append(f'<text {place} fill="{CHART["label"]}">{percent} %</text>')
    return paper(title, WIDTH, HEIGHT, [*lines, *parts])
