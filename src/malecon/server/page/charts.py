"""Small charts for pages, as SVG: how a rating went."""

from __future__ import annotations

from collections.abc import Sequence

from markupsafe import Markup

WIDTH, HEIGHT, EDGE = 360, 90, 8


def curve(values: Sequence[float]) -> Markup:
    """A line through these values, from left to right; the last of them has a dot."""
    low, high = min(values), max(values)
    spread = max(high - low, 1.0)
    step = (WIDTH - 2 * EDGE) / max(1, len(values) - 1)
    points = [
        (EDGE + number * step, HEIGHT - EDGE - (value - low) / spread * (HEIGHT - 2 * EDGE))
        for number, value in enumerate(values)
    ]
    line = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
    area = f"{points[0][0]:.1f},{HEIGHT} {line} {points[-1][0]:.1f},{HEIGHT}"
    x, y = points[-1]
    return Markup(
        f'<svg class="curve" viewBox="0 0 {WIDTH} {HEIGHT}" aria-hidden="true"><polygon points="{area}"/>'
        f'<polyline points="{line}"/><circle cx="{x:.1f}" cy="{y:.1f}" r="5"/></svg>'
    )
