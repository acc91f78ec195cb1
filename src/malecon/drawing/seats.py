"""What belongs to a seat: its colour with a pattern and an initial, its piece, its property marker, its screen."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.drawing.palette import SEATS
from malecon.drawing.svg import boxes, circle, label, memoised, path, rect, star


def initials(names: Sequence[str]) -> list[str]:
    """Return a letter for every seat: two if one would not tell seats apart, a number if names are alike."""
    for length in (1, 2):
        letters = [(name.strip() or "?")[:length] for name in names]
        letters = [letter[0].upper()[0] + letter[1:] for letter in letters]
        if len(set(letters)) == len(letters):
            return letters
    return [str(seat + 1) for seat in range(len(names))]


@memoised
def pattern(colour: str, x: float, y: float, w: float, h: float) -> str:
    """Draw the colour's own pattern: a band, stripes, dots, slants or checks."""
    on = SEATS[colour].on_piece
    if colour == "red":
        return rect(on, x, y + h * 0.4, w, h * 0.26)
    if colour == "blue":
        return boxes(on, (x + w * 0.14, x + w * 0.58), (y,), w * 0.26, h)
    if colour == "yellow":
        dot = min(w, h) * 0.15
        return "".join(circle(on, x + w * i, y + h * j, dot) for i in (0.26, 0.74) for j in (0.27, 0.75))
    if colour == "green":
        slant = w * 0.34
        return "".join(
            path(on, f"M{x + w * i:.1f} {y + h:.1f}l{slant:.1f}-{h:.1f}h{w * 0.22:.1f}l-{slant:.1f} {h:.1f}Z")
            for i in (0, 0.44)
        )
    return boxes(on, (x,), (y,), w / 2, h / 2) + boxes(on, (x + w / 2,), (y + h / 2,), w / 2, h / 2)


@memoised
def piece(colour: str, letter: str) -> str:
    """Draw a playing piece that stands on the origin, 20 wide and 37 high."""
    return (
        path("shade", "M4-2L24 10 30 3 8-14Z")
        + path(f"{colour}/line", "M-5.5-19h11L10-2a2 2 0 0 1-2 2H-8a2 2 0 0 1-2-2Z", 1.4)
        + pattern(colour, -6, -15, 12, 11)
        + circle(f"{colour}/line", 0, -27, 9, 1.4)
        + circle("chalk", 0, -27, 6.8)
        + label(letter, 0, -23, 11, colours="ink", room=13)
    )


@memoised
def marker(colour: str, letter: str) -> str:
    """Draw a property marker: a banner of 24 × 25 that hangs from the origin, its upper left corner."""
    return (
        path(f"{colour}/line", "M0 0h24v24l-12-5-12 5Z", 1.4)
        + rect("chalk", 4.5, 2, 15, 12, 2)
        + label(letter, 12, 12, 11, colours="ink", room=14)
        + pattern(colour, 6, 14.8, 12, 4)
    )


@memoised
def screen(colour: str, w: int, h: int) -> str:
    """Draw a folding screen that hides what stands behind it, w × h."""
    leaf, fold = w / 4, 5
    drawn = []
    for i in range(4):
        x, high, low = i * leaf, fold * (i % 2), fold * (1 - i % 2)
        outline = f"M{x:.1f} {high}L{x + leaf:.1f} {low}V{h - fold + low}L{x:.1f} {h - fold + high}Z"
        drawn.append(path(f"{colour}/line", outline, 1.3))
        drawn.append(
            pattern(colour, x + leaf * 0.2, h * 0.32, leaf * 0.6, h * 0.36)
            if i % 2
            else path("sun/line", star(x + leaf / 2, h / 2, h * 0.24, h * 0.1, 8), 1)
        )
        drawn.append(path("shade", outline) if i % 2 else "")
    return "".join(drawn)
