"""A seat's panel in Santiago de Cuba: who it is, what it holds or the screen that hides it, its markers, its turn."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.scene import BoardScene, halo, holding
from malecon.drawing.svg import element, group, label, memoised, path, place_at, rect
from malecon.drawing.symbols import symbol_at
from malecon.games.santiago import names, tiles
from malecon.games.santiago.position import DELIVER, UNKNOWN
from malecon.text import translate

WIDTH, HEIGHT = 380, 84


def panel(scene: BoardScene, seat: int) -> str:
    position = scene.position
    active, deciding = (scene.goes_on and seat == who for who in (position.active, position.actor))
    has_passed = position.phase == DELIVER and bool(position.passed >> seat & 1)
    return scene.cached(_panel, seat, active, deciding, has_passed)


def _panel(scene: BoardScene, seat: int, active: bool, deciding: bool, has_passed: bool) -> str:
    position, colour = scene.position, scene.colour(seat)
    name = scene.name(seat)
    letter = scene.letters[seat]
    marks = ["m-panel", "m-active" if active else "", "m-deciding" if deciding else ""]
    hidden = position.pesos[seat] == UNKNOWN
    content = (
        rect("paper/line", 2, 2, WIDTH - 4, HEIGHT - 4, 10, width=1.5).replace("m-paper", "m-paper m-face m-edge")
        + path(colour, f"M2 12a10 10 0 0 1 10-10h34v{HEIGHT - 4}H12a10 10 0 0 1-10-10Z")
        + seats.pattern(colour, 8, 58, 32, 16)
        + place_at(seats.piece(colour, letter), 24, 52)
        + label(name, 56, 24, 16, anchor=None, room=206)
        + group(_signs(active, has_passed))
        + group(scene.cached(_markers, seat))
        + (place_at(seats.screen(colour, 316, 42), 54, 35) if hidden else scene.cached(_holdings, seat))
    )
    glow = halo(3, 3, WIDTH - 6, HEIGHT - 6, 10)
    drawn = scene.thing(f"seat-{seat}", content, scene.cached(_spoken, seat), glow)
    return element("svg", drawn, class_=" ".join(filter(None, marks)), viewBox=f"0 0 {WIDTH} {HEIGHT}")


def _signs(active: bool, has_passed: bool) -> str:
    """Draw the car if it is the seat's turn, and a struck ship if it is out of the delivery round."""
    drawn = symbol_at("car", 266, 8, 22) if active else ""
    if has_passed:
        drawn += group(symbol_at("ship", 240, 8, 20), class_="m-faded") + path("/coral", "M238 28l24-20", 2.6)
    return drawn


def _markers(scene: BoardScene, seat: int) -> str:
    """Draw the property markers still in hand; those in town leave a gap."""
    left = int(scene.position.markers[seat])
    flag = seats.marker(scene.colour(seat), scene.letters[seat])
    gap = group(path("/muted", "M0 0h24v24l-12-5-12 5Z", 1.2), class_="m-dashed")
    drawn = [place_at(flag if i < left else gap, 296 + 26 * i, 5, 0.9) for i in range(tiles.START_MARKERS)]
    return "".join(drawn)


def _holdings(scene: BoardScene, seat: int) -> str:
    position = scene.position
    held = [("peso", int(position.pesos[seat])), ("point", int(position.points[seat]))]
    goods = [(key, int(position.goods[seat, good])) for good, key in enumerate(tiles.GOOD_KEYS)]
    drawn = []
    drawn += [_purse(key, count, 52 + 52 * i) for i, (key, count) in enumerate(held)]
    drawn += [_heap(key, count, 168 + 35 * i) for i, (key, count) in enumerate(goods)]
    return "".join(drawn) + path("/lot", "M163 38v36", 1.5)


@memoised
def _purse(key: str, count: int, x: int) -> str:
    return holding(key, 1, symbol_at(key, x, 44, 26) + label(str(count), x + 29, 64, 18, anchor=None))


@memoised
def _heap(key: str, count: int, x: int) -> str:
    return holding(key, count, symbol_at(key, x, 36, 24) + label(str(count), x + 12, 76, 14))


def _spoken(scene: BoardScene, seat: int) -> str:
    """Return the holdings in words, if they are known."""
    position = scene.position
    if position.pesos[seat] == UNKNOWN:
        return scene.name(seat)
    parts = [names.pesos(int(position.pesos[seat])), names.points(int(position.points[seat]))]
    parts += [names.goods(good, int(n)) for good, n in enumerate(position.goods[seat]) if n]
    return f"{scene.name(seat)}: {', '.join(translate(part, scene.language) for part in parts)}"
