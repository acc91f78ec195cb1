"""What portraits are made of: a ground of 100 × 70 with the sun from the upper left, shoulders, a head, eyes."""

from __future__ import annotations

from malecon.drawing.svg import circle, element, path, rect

WIDTH, HEIGHT = 100, 70


def turned(content: str, degrees: int, x: int, y: int) -> str:
    return element("g", content, transform=f"rotate({degrees} {x} {y})")


def ground(colour: str, sun: str = "light", x: int = 24, y: int = 26, r: int = 20) -> str:
    return rect(colour, 0, 0, WIDTH, HEIGHT) + circle(sun, x, y, r)


def bust(shirt: str, x: int = 50) -> str:
    """Shoulders, with their long shadow over the ground."""
    left, right = x - 27, x + 27
    return (
        path("shade", f"M{x + 8} 22L100 62V70H{x}Z")
        + path(shirt, f"M{left} 70C{left} 54 {x - 14} 50 {x - 8} 48h16C{x + 14} 50 {right} 54 {right} 70Z")
        + path("shade", f"M{x + 3} 48h5C{x + 14} 50 {right} 54 {right} 70H{x + 8}Z")
    )


def head(skin: str, x: int = 50, y: int = 33) -> str:
    """Neck and face, the right half in the shade."""
    return (
        rect(skin, x - 5, y + 8, 10, 12)
        + path("shade", f"M{x - 5} {y + 12}l10-2v5l-10 2Z")
        + path(skin, f"M{x - 11} {y - 6}h22v6c0 8-5 14-11 14s-11-6-11-14Z")
        + path("shade", f"M{x + 2} {y - 6}h9v6c0 8-5 14-11 14 4-4 1-12 2-20Z")
    )


def eyes(x: int = 50, y: int = 33) -> str:
    return path("/ink", f"M{x - 6} {y}h3M{x + 4} {y}h3", 1.6)
