"""What a board is drawn from, and its things with stable ids: they can be clicked, focused, explained and moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace

from malecon.drawing.seats import initials
from malecon.drawing.svg import element, group, memoised, number, rect
from malecon.kernel.verbs import Position
from malecon.kernel.view import Move, View
from malecon.text import Glossary, describe_move, translate
from malecon.text import glossary as text_glossary

#: Which moves belong to which thing, by its id; moves without a place are under "".
Targets = Mapping[str, Sequence[Move]]
#: The extent of a drawing around its origin: left, top, width, height.
Box = tuple[float, float, float, float]


#: Before the id of a thing that only tells the moves of another thing apart, such as a good to be loaded on a ship.
STEP = "+"


def by_place(view: View, places: Callable[[Position, int], Sequence[str]]) -> dict[str, list[Move]]:
    """Return the legal moves of the view's seat by the ids that `places` gives them: the main one, then steps."""
    moves: dict[str, list[Move]] = {}
    if view.turn is not None and view.turn == view.seat:
        for move in view.legal_moves:
            main, *steps = places(view.position, move.code) or ("",)
            for key in (main, *(STEP + step for step in steps)):
                moves.setdefault(key, []).append(move)
    return moves


@dataclass(frozen=True)
class BoardScene:
    """What a board is drawn from: a view, a language, and the things that can be chosen now."""

    view: View
    language: str
    targets: Targets
    marked: Collection[str] = ()  # the ids of things that are outlined, in a picture that explains something

    @cached_property
    def position(self) -> Position:
        """The view's position as plain Python values: reading fields of a record takes microseconds each."""
        record = self.view.position
        return SimpleNamespace(**dict(zip(record.dtype.names, record.item(), strict=True)))

    @cached_property
    def glossary(self) -> Glossary:
        return text_glossary(self.view.game)

    @cached_property
    def letters(self) -> list[str]:
        """The letter of each seat, which stands on its pieces."""
        return initials([translate(name, self.language) for name in self.view.names])

    @property
    def goes_on(self) -> bool:
        """Whether the game is not over."""
        return self.view.turn is not None

    def name(self, seat: int) -> str:
        return translate(self.view.names[seat], self.language)

    def colour(self, seat: int) -> str:
        return self.view.game.colours[seat]

    def thing(
        self,
        key: str,
        content: str,
        spoken: str,
        glow: str,
        *,
        explained: str | None = None,
        mute: bool = False,
        reach: str | None = None,
    ) -> str:
        """Group a thing with an id and a spoken name; it is a button that glows if a move belongs to it.

        A mute thing only groups others, which speak for themselves, until a move belongs to it. A thing under the
        pointer lights up those in its reach.
        """
        if key in self.marked:
            return group(content + glow, id=key)
        moves = self.targets.get(key)
        if not moves and STEP + key in self.targets:
            return group(
                content + glow, id=key, class_="target step", role="img", aria_label=spoken, data_help=explained
            )
        if not moves and mute:
            return group(content, id=key)
        if not moves:
            return group(content, id=key, role="img", aria_label=spoken, data_help=explained)
        return group(
            content + glow,
            id=key,
            class_="target",
            role="button",
            tabindex="0",
            aria_label=self._choice(moves, spoken),
            data_target=key,
            data_help=explained,
            data_reach=reach,
        )

    def step(self, key: str, content: str, area: Box, radius: float) -> str:
        """Group what only tells the moves of other things apart: it can be clicked while there are such moves."""
        if STEP + key not in self.targets:
            return content
        return group(rect("clear", *area) + content + halo(*area, radius), id=key, class_="target step")

    def _choice(self, moves: Sequence[Move], spoken: str) -> str:
        """Return the move itself, a few moves, or the name of the thing with their number."""
        if len(moves) > 3:
            return f"{spoken} ({len(moves)})"
        return " / ".join(translate(describe_move(self.view, move), self.language) for move in moves)


@memoised
def halo(x: float, y: float, w: float, h: float, r: float) -> str:
    """Draw the outline of a thing that can be chosen."""
    return outlined("rect", x=x, y=y, width=w, height=h, rx=r)


def outlined(shape: str, **measures: float) -> str:
    """Draw a dark line inside a bright one: one of the two stands out against any colour, for any eyes."""
    return element(shape, class_="m-casing", **measures) + element(shape, class_="m-halo", **measures)


def holding(key: str, count: int, content: str) -> str:
    """Group what a seat has of a thing, which is where flights of it end; it is faded if that is nothing."""
    return group(content, data_holding=key, class_=None if count else "m-faded")


@memoised
def frame(x: float, y: float, w: float, h: float, r: float) -> str:
    """Draw the edge of a tile."""
    return element("rect", class_="m-frame", x=x, y=y, width=w, height=h, rx=r)


def mover(name: str, content: str, x: float, y: float, box: Box, scale: float = 1, flip: bool = False) -> str:
    """Draw something that glides from place to place; it is drawn around its own origin inside a box, and put at x, y.

    Browsers move only what has a box of its own in the page, hence the `foreignObject`; the style sheet names it.
    """
    left, top, w, h = box
    if flip:
        left, content = -left - w, group(content, transform="scale(-1,1)")
    place = {"x": x + left * scale, "y": y + top * scale, "width": w * scale, "height": h * scale}
    view = f"{number(left)} {number(top)} {number(w)} {number(h)}"
    inner = element("svg", content, class_=f"m-moves-{name}", id=f"m-{name}", viewBox=view, **place)
    return element("foreignObject", inner, class_="m-mover", **place)


def unmoved(svg: str) -> str:
    """Return the same drawing without `foreignObject`, which some programs do not know: nothing in it glides."""
    return re.sub(r"<foreignObject [^>]*>", "<g>", svg).replace("</foreignObject>", "</g>")
