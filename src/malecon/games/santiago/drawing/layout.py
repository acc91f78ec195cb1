"""Where everything lies on the board of Santiago de Cuba: wide for a desk, tall for a phone. One unit is one pixel."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.drawing.board_parts import Box, Point
from malecon.games.santiago import tiles


@dataclass(frozen=True, eq=False)  # there are two of them: comparing all measures would take longer than drawing
class Layout:
    """A board's measures. Sites and stops are in the order of the rules; stop 0 is the port."""

    width: int
    height: int
    wide: bool
    sites: tuple[Box, ...]
    picture: float  # height of a building's picture
    names: float  # text size of buildings' names
    effects: float  # size of their symbols
    street: Box  # its outer edge
    lane: float
    stops: tuple[Point, ...]
    cubans: tuple[Box, ...]  # by stop; the port's is the square before it
    supply: tuple[Box, ...]  # by good
    sea: float  # where it begins
    die: float
    ship: Point
    left_out: Point
    waiting: Point  # pieces that are not in town yet
    berths: Box  # the bar of ships
    flags: Box


def _around(street: Box, lane: float, w: float, h: float) -> tuple[tuple[Point, ...], tuple[Box, ...]]:
    """Return stops and tiles: two rows of five inside the street, the port below the middle, clockwise from there."""
    pitch = (street.w - 2 * lane) / 5
    columns = [street.x + lane + pitch * (i + 0.5) for i in range(5)]
    upper, lower = street.y + lane + 2, street.y + street.h - lane - 2 - h
    order = [(2, 1), (1, 1), (0, 1), (0, 0), (1, 0), (2, 0), (3, 0), (4, 0), (4, 1), (3, 1)]
    stops, boxes = [], []
    for column, row in order:
        x = columns[column]
        stops.append((x, street.y + street.h - lane / 2 if row else street.y + lane / 2))
        boxes.append(Box(x - w / 2, lower if row else upper, w, h))
    return tuple(stops), tuple(boxes)


def _wide() -> Layout:
    w, h = 114, 137
    left = [Box(7, 299 - 146 * i, w, h) for i in range(3)]
    top = [Box(127.5 + 117 * i + 6 * (i > 2), 7, w, h) for i in range(6)]
    right = [Box(839, 7 + 146 * i, w, h) for i in range(3)]
    street, lane = Box(127, 150, 706, 290), 32
    stops, cubans = _around(street, lane, 123, 111)
    square = cubans[tiles.PORT]
    supply = [Box(square.x + 4 + 38.6 * (i % 3), square.y + 27 + 41 * (i // 3), 37.6, 40) for i in range(6)]
    # white and yellow above, blue on the left, red on the right: around the town from its lower left corner
    sites = (*top, *left, *right)
    return Layout(
        width=960,
        height=560,
        wide=True,
        sites=sites,
        picture=77.5,
        names=13,
        effects=21,
        street=street,
        lane=lane,
        stops=stops,
        cubans=cubans,
        supply=tuple(supply),
        sea=443,
        die=44,
        ship=(292, 456),
        left_out=(640, 492),
        waiting=(628, 489),
        berths=Box(14, 498, 252, 46),
        flags=Box(702, 452, 250, 100),
    )


def _tall() -> Layout:
    w, h = 91, 97
    sites = [Box(5.5 + 96 * (i // 3), 6 + 101 * (i % 3), w, h) for i in range(tiles.SITES)]
    street, lane = Box(4, 312, 382, 222), 25
    stops, cubans = _around(street, lane, 65, 83)
    supply = [Box(5 + 63.5 * i, 545, 62, 45) for i in range(6)]
    return Layout(
        width=390,
        height=752,
        wide=False,
        sites=tuple(sites),
        picture=50,
        names=11.5,
        effects=16,
        street=street,
        lane=lane,
        stops=stops,
        cubans=cubans,
        supply=tuple(supply),
        sea=538,
        die=44,
        ship=(6, 598),
        left_out=(338, 632),
        waiting=(300, 632),
        berths=Box(6, 700, 188, 44),
        flags=Box(202, 686, 184, 62),
    )


LAYOUTS = {"wide": _wide(), "tall": _tall()}
