"""The score of everybody on the promenade along the lower edge of the board."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.scene import BoardScene, mover
from malecon.drawing.svg import circle, element, group, label, rect
from malecon.drawing.symbols import symbol_at
from malecon.games.cuba import names
from malecon.games.cuba.drawing.layout import Layout
from malecon.text import translate

#: Behind the last space, markers start again (p. 12).
SPACES = 80


def score(scene: BoardScene, layout: Layout) -> str:
    position, box = scene.position, layout.score
    pitch, y = (box.w - 30) / SPACES, box.y + box.h / 2
    every = 5 if layout.wide else 10
    drawn = [
        rect("kerb/line", box.x, box.y, box.w, box.h, 9, width=1.2),
        element(
            "path",
            class_="m-s-muted m-butt",
            d=f"M{box.x + 14.4:.1f} {box.y + box.h - 2.6:.1f}h{box.w - 29:.0f}",
            stroke_width=4,
            stroke_dasharray=f"1.2 {pitch * (1 if layout.wide else 5) - 1.2:.3f}",
        ),
        *(label(str(n), box.x + 15 + pitch * n, y + 3, 12.5) for n in range(0, SPACES + 1, every)),
    ]
    x = box.x
    for seat in sorted(range(position.players), key=lambda seat: int(position.points[seat]) % SPACES):
        points = int(position.points[seat])
        x = max(box.x + 15 + pitch * (points % SPACES), x + 13)  # side by side, so that every letter can be read
        drawn.append(mover(f"score-{seat}", _marker(scene, seat, points), x, y, (-11, -11, 24, 24)))
    spoken = ", ".join(
        f"{scene.name(seat)}: {translate(names.points(int(position.points[seat])), scene.language)}"
        for seat in range(position.players)
    )
    return group("".join(drawn), id="score", role="img", aria_label=spoken)


def _marker(scene: BoardScene, seat: int, points: int) -> str:
    """Draw a disc in the seat's colour; a star on it for every lap."""
    colour = scene.colour(seat)
    disc = circle("shade", 2, 2, 10) + circle(f"{colour}/line", 0, 0, 10, 1.3)
    disc += seats.pattern(colour, -7, -7, 14, 14) + circle("chalk", 0, 0, 6.8)
    disc += label(scene.letters[seat], 0, 4, 11, colours="ink", room=12)
    return disc + (symbol_at("point", 3, -13, 12) if points >= SPACES else "")
