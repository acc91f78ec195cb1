"""What a game's `drawing` may define, and how a game is drawn that defines none or not all of it.

All of it comes from the view, so nothing is shown that its seat may not know.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence

from malecon.drawing import seats
from malecon.drawing.board_parts import Box, ground
from malecon.drawing.closeup import BANNER, banner
from malecon.drawing.motion import Flight
from malecon.drawing.scene import BoardScene, halo
from malecon.drawing.svg import element, label, path, place_at, rect
from malecon.drawing.symbols import symbol_at
from malecon.kernel import verbs
from malecon.kernel.journal import Event
from malecon.kernel.verbs import Position
from malecon.kernel.view import Move, View, turn_of
from malecon.text.game_text import holdings

WIDTHS = {"wide": 760, "tall": 390}
ROW = 38
HEAD = 64
EDGE = 16
PANEL = (380, 84)


class GameDrawing:
    """The drawing of a game. A game overrides methods by functions of the same name in its module `drawing`.

    Without them, the board is a table of what the position holds, and a panel shows a seat's points.
    """

    #: The kinds of the glossary that have tiles.
    KINDS: Collection[str] = ()
    #: The names of what glides from place to place, besides the pieces of seats: those that `mover` is given.
    MOVERS: Collection[str] = ()

    def board(self, scene: BoardScene, layout: str) -> str:
        """Draw the whole board, `wide` or `tall`: what everybody shares, then a column for each seat."""
        game, width = scene.view.game, WIDTHS[layout]
        shared, own = holdings(game, scene.view.position, len(scene.view.names))
        height = HEAD + ROW * (len(shared) + len(own) + bool(own)) + 2 * EDGE
        content = [
            ground(width, height, height, height / 2),
            rect("paper/line", EDGE, EDGE, width - 2 * EDGE, height - 2 * EDGE, 12, width=1.5),
            label(game.title, width / 2, EDGE + 38, 26, room=width - 4 * EDGE),
        ]
        y = EDGE + HEAD
        first = width * 0.34
        column = (width - 2 * EDGE - first) / max(len(scene.view.names), 1)
        for name, text in shared:
            content.append(label(name, 2 * EDGE, y, 16, anchor=None, room=first))
            content.append(label(text, width - 2 * EDGE, y, 18, anchor="end", room=width - first - 3 * EDGE))
            y += ROW
        if own:
            for seat in range(len(scene.view.names)):
                piece = seats.piece(scene.colour(seat), scene.letters[seat])
                content.append(place_at(piece, EDGE + first + column * (seat + 0.5), y + 4, 0.8))
            y += ROW
        for name, texts in own:
            content.append(label(name, 2 * EDGE, y, 16, anchor=None, room=first))
            for seat, text in enumerate(texts):
                content.append(label(text, EDGE + first + column * (seat + 0.5), y, 18, room=column - 6))
            y += ROW
        return element(
            "svg",
            "".join(content),
            class_=f"m-board m-{layout} m-bold",
            viewBox=f"0 0 {width} {height}",
            role="group",
            aria_label=game.title,
        )

    def panel(self, scene: BoardScene, seat: int) -> str:
        """Draw what lies before a seat: its name and points."""
        width, height = PANEL
        colour, deciding = scene.colour(seat), turn_of(scene.view.position) == seat
        points = int(verbs.points(scene.view.position, seat))
        content = (
            rect("paper/line", 2, 2, width - 4, height - 4, 10, width=1.5).replace("m-paper", "m-paper m-face m-edge")
            + path(colour, f"M2 12a10 10 0 0 1 10-10h34v{height - 4}H12a10 10 0 0 1-10-10Z")
            + seats.pattern(colour, 8, 58, 32, 16)
            + place_at(seats.piece(colour, scene.letters[seat]), 24, 52)
            + label(scene.name(seat), 56, 50, 20, anchor=None, room=206)
            + symbol_at("point", width - 96, 26, 32)
            + label(str(points), width - 56, 50, 22, anchor=None)
        )
        drawn = scene.thing(f"seat-{seat}", content, f"{scene.name(seat)}: {points}", halo(3, 3, 374, 78, 10))
        marks = "m-panel m-active m-deciding" if deciding else "m-panel"
        return element("svg", drawn, class_=marks, viewBox=f"0 0 {width} {height}")

    def close_up(self, scene: BoardScene, seat: int, layout: str) -> str:
        """Draw what lies before a seat, large: a line for each of its holdings."""
        width = WIDTHS[layout]
        _, own = holdings(scene.view.game, scene.view.position, len(scene.view.names))
        points = int(verbs.points(scene.view.position, seat))
        height = BANNER + ROW * len(own) + EDGE
        content = [banner(scene, seat, width, (("point", points),))]
        content.append(rect("paper/line", 2, BANNER, width - 4, height - BANNER - 2, 10, width=1.5))
        for i, (name, texts) in enumerate(own):
            y = BANNER + ROW * (i + 0.75)
            content.append(label(name, EDGE, y, 16, anchor=None, room=width * 0.4))
            content.append(label(texts[seat], width - EDGE, y, 18, anchor="end", room=width * 0.5))
        return element(
            "svg",
            "".join(content),
            class_="m-panel m-close-up",
            viewBox=f"0 0 {width} {height}",
            role="group",
            aria_label=scene.name(seat),
        )

    def detail(self, scene: BoardScene, part: str) -> tuple[str, Box]:
        """Draw a part of the board by its name, and return where it lies; here it is the whole board."""
        drawn = self.board(scene, "tall")
        width, height = (float(size) for size in drawn.split('viewBox="0 0 ')[1].split('"')[0].split())
        return drawn, Box(0, 0, width, height)

    def flights(
        self, view: View, before: Position, after: Position, code: int, events: Sequence[Event]
    ) -> list[Flight]:
        """Return what flies when a move is made, over the board that the view shows after it."""
        return []

    def places(self, position: Position, code: int) -> Sequence[str]:
        """Return the ids of the things that a move of a seat belongs to: where it is made, then what it is about.

        Here no move has a place: all are made with buttons.
        """
        return ("",)

    def targets(self, view: View) -> dict[str, list[Move]]:
        """Return the legal moves by the id of the thing that they belong to."""
        return {}

    def tile(self, kind: str, key: str, language: str, size: int) -> str:
        """Draw a single tile, `size` wide."""
        return ""
