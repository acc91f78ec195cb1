"""Plots of estimates as SVG, in the colours of the drawings: dots with their intervals, and spreads.

A plot is narrow and has many rows, so that it can be read on a phone; a wide page sets several side by side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

from malecon.drawing import charts
from malecon.drawing.svg import circle, element, label, number, path, rect, wrapped
from malecon.study.estimates import Estimate

WIDTH = 390
#: The margin at the right.
EDGE = 10
#: The height of the axis.
AXIS = 26
#: The width of the labels.
LABELS = 136
#: The size of their type.
SIZE = 13
#: The height of a mark in its row.
LANE = 11
#: The space above and below the marks of a row.
MARGIN = 5
#: The height of a heading.
HEADING = 26


@dataclass(frozen=True)
class Series:
    """A series of marks: its name, its colour, and its shape, so that nobody needs colours to tell series apart."""

    name: str
    colour: str
    shape: str


@dataclass(frozen=True)
class PlotRow:
    """A row of a plot: its label, and an estimate for each series; None if there is none."""

    label: str
    marks: Sequence[Estimate | None] = ()
    fair: float | None = None  # where the estimate would be if it made no difference
    heading: bool = False


Write = Callable[[float], str]


def _mark(series: Series, x: float, y: float) -> str:
    colours = f"{series.colour}/text"
    if series.shape == "square":
        return rect(colours, x - 4, y - 4, 8, 8, width=1.2)
    if series.shape == "diamond":
        return path(colours, f"M{number(x)} {number(y - 5.2)}l5.2 5.2l-5.2 5.2l-5.2 -5.2z", 1.2)
    if series.shape == "triangle":
        return path(colours, f"M{number(x)} {number(y - 5)}l5 8.8h-10z", 1.2)
    return circle(colours, x, y, 4.3, 1.2)


class _Frame:
    """The frame of a plot: the scale, its grid, the labels."""

    def __init__(self, rows: Sequence[PlotRow], lanes: int, values: Sequence[float], write: Write, zero: bool) -> None:
        finite = [value for value in values if math.isfinite(value)] or [0.0, 1.0]
        self.ticks = charts.ticks(min(finite + [0.0] * zero), max(finite + [0.0] * zero))
        self.x = charts.Scale(self.ticks[0], self.ticks[-1], LABELS, WIDTH - EDGE - 10)
        self.write = write
        self.lanes = lanes
        self.rows = rows
        self.tops = []
        y = 4.0
        for row in rows:
            self.tops.append(y)
            y += HEADING if row.heading else self._height(row)
        self.bottom = y

    def _height(self, row: PlotRow) -> float:
        return max(self.lanes * LANE + 2 * MARGIN, 6 + 15 * len(self._lines(row)))

    @staticmethod
    def _lines(row: PlotRow) -> list[str]:
        lines = wrapped(row.label, SIZE, LABELS - 12)
        first, comma, rest = row.label.rpartition(", ")
        return [first + ",", rest] if comma and len(lines) > 1 else lines  # a list breaks between its things

    def lane(self, row: int, at: int) -> float:
        height = self._height(self.rows[row])
        return self.tops[row] + (height - (self.lanes - 1) * LANE) / 2 + at * LANE

    def grid(self) -> str:
        parts = []
        for tick in self.ticks:
            strong = abs(tick) < 1e-12
            line = f"M{number(self.x(tick))} 2V{number(self.bottom + 4)}"
            parts.append(path("/text" if strong else "/grid", line, 1.4 if strong else 1))
            parts.append(label(self.write(tick), self.x(tick), self.bottom + 19, 12, colours="muted", bold=False))
        for at, row in enumerate(self.rows):
            if row.heading:
                parts.append(label(row.label, 2, self.tops[at] + 19, SIZE, anchor="start"))
            else:
                lines = self._lines(row)
                first = self.tops[at] + self._height(row) / 2 + 4.5 - 7.5 * (len(lines) - 1)
                for n, line in enumerate(lines):
                    parts.append(label(line, 2, first + 15 * n, SIZE, anchor="start", bold=False, room=LABELS - 12))
                if row.fair is not None:
                    x, top = number(self.x(row.fair)), self.tops[at] + 2
                    line = f"M{x} {number(top)}V{number(top + self._height(row) - 4)}"
                    parts.append(path("/text", line, 1.4).replace("<path", '<path stroke-dasharray="2 3"'))
        return "".join(parts)

    def drawn(self, content: str, title: str, described: str, key: str) -> str:
        height = self.bottom + AXIS
        head = f'<title id="{key}-t">{escape(title)}</title><desc id="{key}-d">{escape(described)}</desc>'
        return element(
            "svg",
            head + self.grid() + content,
            class_="plot",
            viewBox=f"0 0 {WIDTH} {number(height)}",
            role="img",
            aria_labelledby=f"{key}-t {key}-d",
        )


def dots(
    key: str,
    title: str,
    described: str,
    rows: Sequence[PlotRow],
    series: Sequence[Series],
    write: Write,
    *,
    zero: bool = False,
) -> str:
    """Draw a dot for every estimate with a line as long as its interval; with `zero`, the scale reaches to 0."""
    estimates = [mark for row in rows for mark in row.marks if mark is not None]
    values = [value for mark in estimates for value in (mark.value, mark.low, mark.high)]
    values += [row.fair for row in rows if row.fair is not None]
    frame = _Frame(rows, len(series), values, write, zero)
    parts = []
    for at, row in enumerate(rows):
        for lane, mark in enumerate(row.marks):
            if mark is None or not math.isfinite(mark.value):
                continue
            y = frame.lane(at, lane)
            if math.isfinite(mark.low):
                line = f"M{number(frame.x(mark.low))} {number(y)}H{number(frame.x(mark.high))}"
                parts.append(path(f"/{series[lane].colour}", line, 3))
            parts.append(_mark(series[lane], frame.x(mark.value), y))
    return frame.drawn("".join(parts), title, described, key)


def spreads(
    key: str,
    title: str,
    described: str,
    rows: Sequence[tuple[PlotRow, Series | None, Sequence[float]]],
    write: Write,
) -> str:
    """Draw for every row a line from the 5th to 95th percentile, a bar for the middle half, a tick at the median."""
    values = [float(value) for _, _, five in rows for value in five]
    frame = _Frame([row for row, _, _ in rows], 1, values, write, zero=True)
    parts = []
    for at, (_, series, five) in enumerate(rows):
        if series is not None:
            y = frame.lane(at, 0)
            low, quarter, middle, upper, high = (frame.x(value) for value in five)
            parts.append(path(f"/{series.colour}", f"M{number(low)} {number(y)}H{number(high)}", 2.5))
            parts.append(rect(f"{series.colour}/text", quarter, y - 5, max(upper - quarter, 2), 10, 2, width=1.2))
            parts.append(path("/text", f"M{number(middle)} {number(y - 7)}v14", 2.6))
    return frame.drawn("".join(parts), title, described, key)


def legend(series: Sequence[Series]) -> str:
    """Return the names of the series with their marks, as HTML."""
    items = []
    for line in series:
        mark = element("svg", _mark(line, 8, 8), viewBox="0 0 16 16", width=16, height=16, aria_hidden="true")
        items.append(f"<li>{mark}{escape(line.name)}</li>")
    return f'<ul class="legend">{"".join(items)}</ul>'
