"""What large views of a seat have in common: the banner with its colour, piece and name, and big heaps of things."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.scene import BoardScene, holding
from malecon.drawing.svg import label, path, place_at, rect
from malecon.drawing.symbols import symbol_at

#: How high the banner is.
BANNER = 58


def banner(scene: BoardScene, seat: int, width: int, purse: tuple[tuple[str, int], ...]) -> str:
    """Draw a seat's colour, piece and name across the whole width, and on the right its pesos and points, if known."""
    colour = scene.colour(seat)
    shield = f"M2 12a10 10 0 0 1 10-10h62v{BANNER - 6}H12a10 10 0 0 1-10-10Z"
    drawn = [
        rect("paper/line", 2, 2, width - 4, BANNER - 6, 10, width=1.5),
        path(colour, shield),
        seats.pattern(colour, 44, 14, 24, 28),
        place_at(seats.piece(colour, scene.letters[seat]), 24, 48),
        label(scene.name(seat), 88, 37, 24, anchor=None, room=width - 100 - 84 * len(purse)),
    ]
    for i, (key, count) in enumerate(purse):
        x = width - 84 * (len(purse) - i)
        drawn.append(symbol_at(key, x, 12, 34) + label(str(count), x + 39, 38, 24, anchor=None))
    return "".join(drawn)


def heap(key: str, count: int, name: str, x: float, y: float, w: float) -> str:
    """Draw a number of a thing, large, with its name: `w` wide and 96 high."""
    drawn = symbol_at(key, x + w / 2 - 36, y + 8, 40) + label(str(count), x + w / 2 + 18, y + 40, 28)
    return holding(key, count, drawn) + label(name, x + w / 2, y + 74, 14, room=w - 6)
