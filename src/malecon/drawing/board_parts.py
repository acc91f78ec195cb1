"""Parts of boards that games share: boxes, fitted pictures, tiles face down, pieces, the ground."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.drawing import seats
from malecon.drawing.palette import SEATS
from malecon.drawing.pictures import SvgPicture
from malecon.drawing.scene import BoardScene, frame, mover
from malecon.drawing.svg import element, group, label, memoised, number, path, rect

Point = tuple[float, float]


@dataclass(frozen=True)
class Box:
    x: float
    y: float
    w: float
    h: float

    @property
    def middle(self) -> float:
        return self.x + self.w / 2


@memoised
def fitted(picture: SvgPicture, box: Box) -> str:
    """Return a picture as large as a box allows, standing on its lower edge."""
    scale = min(box.w / picture.width, box.h / picture.height)
    w, h = picture.width * scale, picture.height * scale
    view = " ".join(f"{side:g}" for side in picture.box)
    return element("svg", picture.shapes, x=box.middle - w / 2, y=box.y + box.h - h, width=w, height=h, viewBox=view)


@memoised
def back(name: str, box: Box) -> str:
    """Draw a tile face down: closed shutters, and its name."""
    slats = "".join(
        f"M{box.x + 8:.1f} {box.y + 10 + 7 * i:.1f}h{box.w / 2 - 11:.1f}m6 0h{box.w / 2 - 11:.1f}"
        for i in range(int(box.h / 7) - 4)
    )
    return (
        rect("shade", box.x + 3, box.y + 4, box.w, box.h, 6)
        + rect("deep/line", box.x, box.y, box.w, box.h, 6, width=1.5)
        + path("/sea", slats, 3)
        + rect("paper", box.x + 3, box.y + box.h - 23, box.w - 6, 20, 4)
        + label(name, box.middle, box.y + box.h - 8.5, 12, colours="muted", room=box.w - 12)
        + frame(box.x, box.y, box.w, box.h, 6)
    )


def standalone_card(card: str, spoken: str, box: Box, size: int) -> str:
    """Return a tile as a drawing of its own, `size` wide."""
    w, h = box.w + 8, box.h + 8
    return element(
        "svg",
        card,
        class_="m-tile",
        viewBox=f"0 0 {number(w)} {number(h)}",
        width=size,
        height=round(size * h / w),
        role="img",
        aria_label=spoken,
    )


#: The names of the pieces of seats as movers.
PIECES = tuple(f"piece-{seat}" for seat in range(len(SEATS)))


def stand(scene: BoardScene, seat: int, x: float, y: float) -> str:
    """Draw a seat's piece that stands at a point."""
    body = seats.piece(scene.colour(seat), scene.letters[seat])
    figure = group(body, role="img", aria_label=scene.name(seat))
    return mover(PIECES[seat], figure, x, y, (-11, -37, 42, 48))


@memoised
def ground(width: int, height: int, below: float, centre: float) -> str:
    """Draw sand, and the rays of a sun that stands over the middle at the height `centre`, down to `below`."""
    x, y = width / 2, centre
    rays = "".join(f"M{number(x)} {number(y)}L{a} {b}L{c} {d}Z" for (a, b), (c, d) in _edge(width, int(below)))
    return rect("ground", 0, 0, width, height, 14) + path("ray", rays)


def _edge(width: int, height: int) -> list[tuple[tuple[int, int], tuple[int, int]]]:
    """Return every other stretch of the edge of a board, all around."""
    sixth, third = width // 6, height // 3
    top = [((sixth * i, 0), (sixth * i + sixth // 2, 0)) for i in range(6)]
    bottom = [((sixth * i, height), (sixth * i + sixth // 2, height)) for i in range(6)]
    sides = [((x, third * i), (x, third * i + third // 2)) for x in (0, width) for i in range(3)]
    return top + bottom + sides
