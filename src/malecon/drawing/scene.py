"""What a board is drawn from, and its things with stable ids: they can be clicked, focused, explained and moved."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from malecon.drawing.seats import initials
from malecon.drawing.svg import as_part, element, group, memoised, number, rect
from malecon.kernel.game import Name
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
    if view.seat is not None and view.turn == view.seat:
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
    def letters(self) -> tuple[str, ...]:
        """The letter of each seat, which stands on its pieces."""
        return tuple(initials([translate(name, self.language) for name in self.view.names]))

    @cached_property
    def goes_on(self) -> bool:
        """Whether the game is not over."""
        return self.view.turn is not None

    @property
    def seat(self) -> int | None:
        """The seat whose view this is; None for a spectator."""
        return self.view.seat

    @property
    def names(self) -> Sequence[Name]:
        return self.view.names

    def name(self, seat: int) -> str:
        return translate(self.view.names[seat], self.language)

    def cached(self, draw: Draw, *arguments: Hashable) -> str:
        """Return `draw(scene, *arguments)`, which is drawn once for all scenes that are equal in what it reads.

        It reads the position, names and targets through the scene that it is given, which has no view.
        """
        return draw(self, *arguments) if self.marked else _DRAWN.look_up(self, draw, arguments)

    def part(self, draw: Draw, *arguments: Hashable) -> str:
        """Draw a part of a page, in a group: browsers lay out only the element whose children change."""
        return self.cached(_part, draw, *arguments)

    @cached_property
    def kinds_of_targets(self) -> str:
        """Empty if nothing can be chosen, `STEP` if there are steps, too."""
        return STEP if any(key.startswith(STEP) for key in self.targets) else "any" if self.targets else ""

    def moves_at(self, key: str) -> tuple[Move, ...]:
        """Return the moves that belong to a thing."""
        return tuple(self.targets.get(key, ()))

    @cached_property
    def values(self) -> _Values:
        """What can be read of the scene, as keys of the cache of drawings."""
        return _Values(self)

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
        moves = self.moves_at(key)
        if not moves and self.moves_at(STEP + key):
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
            aria_label=self._choice(key, moves, spoken),
            data_target=key,
            data_help=explained,
            data_reach=reach,
        )

    def step(self, key: str, content: str, area: Box, radius: float) -> str:
        """Group what only tells the moves of other things apart: it can be clicked while there are such moves."""
        if not self.moves_at(STEP + key):
            return content
        return group(rect("clear", *area) + content + halo(*area, radius), id=key, class_="target step")

    def _choice(self, key: str, moves: Sequence[Move], spoken: str) -> str:
        """Return the move itself, a few moves, or the name of the thing with their number."""
        return f"{spoken} ({len(moves)})" if len(moves) > 3 else self.described(key)

    def described(self, key: str) -> str:
        """Return what the moves are called that belong to a thing."""
        return " / ".join(translate(describe_move(self.view, move), self.language) for move in self.moves_at(key))


# --- the cache of drawings

#: Draws something of a scene, from further arguments.
Draw = Callable[..., str]
#: What was read of a scene: a field of the position and an index, or an attribute after a dot, and its argument.
Read = tuple[str, Any]
#: Bytes of all drawings in the cache, estimated; with more it is emptied.
MOST_DRAWN = 16_000_000
#: Estimated bytes of a drawing's keys.
KEY_BYTES = 1_000


def _part(scene: BoardScene, draw: Draw, *arguments: Hashable) -> str:
    return group(as_part(draw(scene, *arguments)))


class _Values(dict[Read, Hashable]):
    """What can be read of a scene, as keys of the cache; each is made when it is first asked for."""

    def __init__(self, scene: BoardScene) -> None:
        self._scene, self._fields = scene, vars(scene.position)

    def __missing__(self, read: Read) -> Hashable:
        what, of = read
        value = self._fields.get(what)
        if value is None:
            value = getattr(self._scene, what[1:])
            value = value if of is None else value(of)
        elif of is not None:
            value = value[of]
            value = value.item() if value.ndim == 0 else value.tobytes()
        elif isinstance(value, np.ndarray):
            value = value.tobytes()
        self[read] = value
        return value


class _TracedScene(BoardScene):
    """A scene that notes what is read of it. It has no view, since what is read of a view could not be noted."""

    reads: dict[Read, None]
    _scene: BoardScene

    def __init__(self, scene: BoardScene) -> None:
        self.__dict__.update(language=scene.language, marked=(), reads={}, _scene=scene)

    def read(self, what: str, of: Any = None) -> Any:
        read = (what, of)
        self.reads[read] = None
        return self._scene.values[read]

    @property
    def view(self) -> View:
        raise AttributeError("what is cached is drawn from the scene, not from its view")

    letters = property(lambda self: self.read(".letters"))
    goes_on = property(lambda self: self.read(".goes_on"))
    seat = property(lambda self: self.read(".seat"))
    names = property(lambda self: self.read(".names"))

    @cached_property
    def position(self) -> Position:
        return _TracedPosition(self, self._scene.position)

    @property
    def glossary(self) -> Glossary:
        return self._scene.glossary

    def colour(self, seat: int) -> str:
        return self._scene.colour(seat)

    def name(self, seat: int) -> str:
        return str(self.read(".name", seat))

    def moves_at(self, key: str) -> tuple[Move, ...]:
        kinds = self.read(".kinds_of_targets")
        moves: tuple[Move, ...] = ()
        if kinds == STEP or (kinds and not key.startswith(STEP)):
            moves = self.read(".moves_at", key)
        return moves

    def described(self, key: str) -> str:
        return str(self.read(".described", key))

    def cached(self, draw: Draw, *arguments: Hashable) -> str:
        return _DRAWN.look_up(self._scene, draw, arguments, self.reads)


class _TracedPosition:
    def __init__(self, scene: _TracedScene, position: Position) -> None:
        self._scene, self._position = scene, position

    def __getattr__(self, field: str) -> Any:
        value = getattr(self._position, field)
        if isinstance(value, np.ndarray):
            return _TracedArray(self._scene, field, value)
        return self._scene.read(field)


class _TracedArray:
    """A field of the position with several entries: an entry or a row is read by itself, everything else as a whole."""

    def __init__(self, scene: _TracedScene, name: str, array: npt.NDArray[Any]) -> None:
        self._scene, self._name, self._array = scene, name, array

    def __getitem__(self, index: Any) -> Any:
        parts = index if isinstance(index, tuple) else (index,)
        if any(isinstance(part, slice) for part in parts):
            return self._whole()[index]
        self._scene.read(self._name, tuple(map(int, parts)))
        return self._array[index]

    def __iter__(self) -> Iterator[Any]:
        return iter(self._whole())

    def tolist(self) -> list[Any]:
        return self._whole().tolist()  # type: ignore[no-any-return]

    def _whole(self) -> npt.NDArray[Any]:
        self._scene.read(self._name)
        return self._array


class _Branch(NamedTuple):
    """What a drawing reads next, and what came of it for each value that it has had: a drawing, or a further read."""

    read: Read
    by_value: dict[Hashable, _Branch | str]


class _DrawnCache:
    """Drawings by who drew them from which arguments, then by what they read and which values it had.

    A drawing follows from what it reads, so it is right for any scene that has these values: for another table, too, or
    another viewer. Nothing comes from elsewhere, so a viewer is never shown what their own view does not hold.
    """

    def __init__(self) -> None:
        self._drawn: dict[Hashable, _Branch | str] = {}
        self._size = 0

    def look_up(
        self, scene: BoardScene, draw: Draw, arguments: tuple[Hashable, ...], noted: dict[Read, None] | None = None
    ) -> str:
        """Return a drawing; what it has read is `noted` as well."""
        key, values = (scene.view.game.name, scene.language, draw, arguments), scene.values
        drawing = self._drawn.get(key)
        while isinstance(drawing, _Branch):
            if noted is not None:
                noted[drawing.read] = None
            drawing = drawing.by_value.get(values[drawing.read])
        if drawing is not None:
            return drawing
        traced = _TracedScene(scene)
        drawn = draw(traced, *arguments)
        if noted is not None:
            noted |= traced.reads
        if self._size > MOST_DRAWN:
            self._drawn, self._size = {}, 0
        self._size += len(drawn) + KEY_BYTES
        by_value: dict[Hashable, _Branch | str] = self._drawn
        value: Hashable = key
        for read in traced.reads:
            branch = by_value.setdefault(value, _Branch(read, {}))
            if not isinstance(branch, _Branch) or branch.read != read:
                return drawn  # it does not follow from what it reads: it cannot be cached
            by_value, value = branch.by_value, values[read]
        by_value[value] = drawn
        return drawn


_DRAWN = _DrawnCache()


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
