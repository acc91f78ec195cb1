"""Small charts for pages, as SVG: how a rating went."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from markupsafe import Markup, escape

WIDTH, HEIGHT = 360, 140
LEFT, RIGHT, TOP, BOTTOM = 46, 350, 12, 112
#: Between the marks of an axis there are so many times a power of ten.
NICE = (1, 2, 5, 10)
#: At most so many steps between the lowest mark and the highest.
STEPS = 3


def marks(low: float, high: float) -> list[float]:
    """A few round numbers, the first not above `low` and the last not below `high`."""
    least = max(high - low, 1) / STEPS
    power = 10.0 ** math.floor(math.log10(least))
    step = next(nice * power for nice in NICE if nice * power >= least * 0.999)
    first, last = math.floor(low / step), math.ceil(high / step)
    return [round(number * step, 6) for number in range(first, max(last, first + 1) + 1)]


def curve(values: Sequence[float], across: str, number: Callable[[float], str]) -> Markup:
    """A line through these values, from the first to the last, which has a dot: values upwards, their count across."""
    ticks = marks(min(values), max(values))

    def up(value: float) -> float:
        return BOTTOM - (value - ticks[0]) / (ticks[-1] - ticks[0]) * (BOTTOM - TOP)

    step = (RIGHT - LEFT) / max(1, len(values) - 1)
    points = [(LEFT + place * step, up(value)) for place, value in enumerate(values)]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    grid = "".join(f"M{LEFT} {up(tick):.1f}H{RIGHT}" for tick in ticks)
    below = HEIGHT - 8
    labels = [
        *(f'<text x="{LEFT - 6}" y="{up(tick) + 4:.1f}" text-anchor="end">{number(tick)}</text>' for tick in ticks),
        f'<text x="{LEFT}" y="{below}">1</text>',
        f'<text x="{(LEFT + RIGHT) / 2:g}" y="{below}" text-anchor="middle">{escape(across)}</text>',
        f'<text x="{RIGHT}" y="{below}" text-anchor="end">{len(values)}</text>',
    ]
    x, y = points[-1]
    return Markup(
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true"><path d="{grid}"/>'
        f'<polygon points="{LEFT},{BOTTOM} {line} {x:.1f},{BOTTOM}"/><polyline points="{line}"/>'
        f'<circle cx="{x:.1f}" cy="{y:.1f}" r="5"/>{"".join(labels)}</svg>'
    )
