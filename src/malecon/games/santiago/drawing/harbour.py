"""The harbour of Santiago de Cuba: the sea, the ship with its dice, the flags, the bar of ships, the supply."""

from __future__ import annotations

from malecon.drawing.board_parts import Box, Point, stand
from malecon.drawing.pictures import game_picture
from malecon.drawing.scene import BoardScene, halo, mover
from malecon.drawing.svg import as_part, boxes, circle, group, label, memoised, path, place_at, rect
from malecon.drawing.symbols import symbol_at
from malecon.games.santiago import GAME, names, tiles
from malecon.games.santiago.drawing.layout import Layout
from malecon.games.santiago.position import DEMAND, ROLL
from malecon.kernel.phrases import say
from malecon.text import sentence, translate

#: A die has its good's colour: what fills it, what is written on it.
DICE = {
    "sugar": ("chalk", "ink"),
    "citrus": ("orange", "ink"),
    "tobacco": ("palm", "chalk"),
    "rum": ("bottle", "chalk"),
    "cigars": ("ink", "chalk"),
}
SAILS = "flag-sail"


def harbour(scene: BoardScene, layout: Layout) -> str:
    ships = "".join(scene.cached(draw, layout) for draw in (_berths, _ship, _dice, _flags, _waiting))
    return _sea(layout) + group(as_part(ships))


# --- the sea


@memoised
def _sea(layout: Layout) -> str:
    top, width, height = layout.sea, layout.width, layout.height
    depth = height - top
    waves = "".join(
        f"M{x} {top + 22 + y:.0f}q7-5 14 0t14 0t14 0"
        for row, y in enumerate(range(0, int(depth) - 24, 17))
        for x in range(12 + row * 67 % 90, width - 40, 132)
    )
    swell = f"C{width * 0.3:.0f} {height - 40} {width * 0.6:.0f} {height - 4} {width} {height - 26}"
    deep = f"M0 {height - 22}{swell}V{height}H0Z"
    wall = rect("kerb", 0, top - 4, width, 9) + rect("plaster", 0, top - 5, width, 4)
    return (
        rect("sea", 0, top, width, depth)
        + path("deep", deep)
        + path("/wave", waves, 1.8)
        + wall
        + (_title(layout) if layout.wide else "")
    )


def _title(layout: Layout) -> str:
    """Draw the name of the town, as on a poster."""
    return label("SANTIAGO DE CUBA", layout.berths.x, layout.sea + 36, 22, colours="plaster", anchor=None, room=246)


# --- the ship and its dice


def _ship(scene: BoardScene, layout: Layout) -> str:
    number = int(scene.position.ship)
    if number > tiles.SHIPS:
        return ""
    hull = group(_hull(layout, number), id="ship", role="img", aria_label=_spoken_ship(scene))
    return mover("ship", hull, *layout.ship, (0, 0, _length(layout) + 12, 104))


def _spoken_ship(scene: BoardScene) -> str:
    number = min(int(scene.position.ship), tiles.SHIPS)
    return f"{translate(say('ship'), scene.language)} {number} / {tiles.SHIPS}"


def _length(layout: Layout) -> int:
    return 336 if layout.wide else 286


@memoised
def _hull(layout: Layout, number: int) -> str:
    """Draw the ship of that number, its bow to the right, four empty places on deck."""
    size, length = layout.die, _length(layout)
    cabin = 84 if layout.wide else 58
    hull = f"M2 52H{length - 40}L{length} 44C{length - 6} 70 {length - 18} 86 {length - 34} 92H24C12 86 4 70 2 52Z"
    return (
        path("shade", f"M20 86L70 102H{length + 10}L{length - 6} 52Z")
        + rect("coral/line", cabin * 0.36, 2, 18, 26, 2, width=1.4)
        + rect("ink", cabin * 0.36, 8, 18, 6)
        + path("plaster/line", f"M10 54V26h{cabin - 18}v28Z", 1.4)
        + rect("chalk", 10, 24, cabin - 14, 5, 2)
        + boxes("window", range(16, cabin - 16, 14), (34,), 8, 8)
        + "".join(group(rect("/chalk", x, y, size, size, 8, width=1.5), class_="m-dashed") for x, y in _places(layout))
        + path("ink/line", hull, 1.4)
        + path("bottle", f"M10 78C14 86 18 89 24 92H{length - 34}C{length - 26} 89 {length - 20} 84 {length - 15} 78Z")
        + path("/plaster", f"M5 58H{length - 38}L{length - 4} 51", 1.6)
        + circle("plaster", length - 44, 67, 9)
        + label(str(number), length - 44, 71.5, 13, colours="ink")
    )


def _places(layout: Layout) -> list[Point]:
    """Return where the four dice lie on deck, from the ship's own corner."""
    first, pitch = (92, 52) if layout.wide else (62, 49)
    return [(first + pitch * i, 6) for i in range(4)]


def _dice(scene: BoardScene, layout: Layout) -> str:
    """Draw the demand: four dice on deck and one beside it; while they are rolled, those that lie already."""
    position = scene.position
    if int(position.ship) > tiles.SHIPS:
        return ""
    left_out = int(position.left_out)
    if position.phase == ROLL:
        goods = list(range(int(position.step)))
    elif position.phase == DEMAND:
        goods = list(range(len(tiles.DEMANDED)))
    elif left_out < 0:
        return ""  # the next ship has no demand yet
    else:
        goods = [good for good in range(len(tiles.DEMANDED)) if good != left_out] + [left_out]
    places = [(layout.ship[0] + x, layout.ship[1] + y) for x, y in _places(layout)] + [layout.left_out]
    return "".join(
        scene.cached(_demanded, layout, good, place, good == left_out)
        for good, place in zip(goods, places, strict=False)
    )


def _demanded(scene: BoardScene, layout: Layout, good: int, place: Point, left_out: bool) -> str:
    (x, y), key, demand = place, tiles.DEMANDED[good], int(scene.position.demand[good])
    face = place_at(_die(key, demand, layout.die, aside=left_out), x, y)
    spoken = translate(names.goods(good, demand), scene.language)
    if left_out:
        spoken = sentence(say("left out: {goods}", goods=spoken), scene.language)
    glow = halo(x - 1, y - 1, layout.die + 2, layout.die + 2, 10)
    return scene.thing(f"die-{key}", face, spoken, glow, explained=f"goods/{key}")


@memoised
def _die(key: str, shows: int, size: float, *, aside: bool) -> str:
    fill, written = DICE[key]
    face = (
        rect("shade", 3, 4, size, size, 8)
        + rect(f"{fill}/line", 0, 0, size, size, 8, width=1.5)
        + rect("light", 3, 3, size - 6, size * 0.42, 6)
        + circle("plaster", size * 0.29, size * 0.5, size * 0.25)
        + symbol_at(key, size * 0.09, size * 0.3, size * 0.4)
        + label(str(shows), size * 0.775, size * 0.68, size * 0.5, colours=written)
    )
    return group(face, class_="m-faded") if aside or shows == 0 else face


# --- flags and ships


def _flags(scene: BoardScene, layout: Layout) -> str:
    position, area = scene.position, layout.flags
    value = translate(say("value"), scene.language)
    pitch = area.w / 4
    drawn = []
    for i, worth in enumerate((*range(tiles.LOWEST_VALUE, tiles.HIGHEST_VALUE + 1), None)):
        x, current = area.x + pitch * i, worth == position.value
        key = SAILS if worth is None else f"flag-{worth}"
        flag = place_at(_flag(pitch, area.h, worth, current), x, area.y)
        glow = halo(x, area.y - 2, pitch - 3, area.h + 2, 8)
        spoken = f"{value} {'–' if worth is None else worth}"
        if current:
            spoken += ". " + translate(say("The flag is here."), scene.language)
        drawn.append(scene.thing(key, flag, spoken, glow))
        if current:
            pelican, scale = game_picture(GAME.name, "pelican"), 1 if layout.wide else 0.58
            drawn.append(mover("value", pelican.shapes, x + pitch * 0.22, area.y + area.h, pelican.box, scale))
    return "".join(drawn)


@memoised
def _flag(pitch: float, h: float, worth: int | None, current: bool) -> str:
    """Draw a flag on its pole; the one that counts flies high, the chequered one always."""
    up = 0 if current or worth is None else h * 0.16
    w, tall = pitch - 12, min(h * 0.46, 34)
    pole = rect("clear", 0, 0, pitch - 3, h) + rect("bark", 4, 0, 4, h - 2) + circle("sun", 6, 1, 3.5)
    cloth = f"M8 {up + 4:.1f}h{w:.1f}l-5 {tall / 2:.1f}l5 {tall / 2:.1f}H8Z"
    if worth is None:
        cell = tall / 4
        squares = "".join(
            f"M{8 + cell * column:.1f} {up + 4 + cell * row:.1f}h{cell:.1f}v{cell:.1f}h-{cell:.1f}z"
            for row in range(4)
            for column in range(int((w - 6) / cell))
            if (row + column) % 2
        )
        return pole + path("chalk/line", cloth, 1.4) + path("ink", squares)
    fill = "sun" if current else "plaster"
    drawn = path(f"{fill}/line", cloth, 1.4) + label(
        str(worth), 8 + (w - 6) * 0.33, up + 4 + tall * 0.76, tall * 0.72, colours="ink"
    )
    return pole + drawn + symbol_at("point", 8 + (w - 6) * 0.52, up + 4 + tall * 0.25, tall * 0.5)


def _berths(scene: BoardScene, layout: Layout) -> str:
    """Draw the seven ships of a game: those that have sailed, the ship in port, those to come."""
    area, number = layout.berths, int(scene.position.ship)
    pitch = area.w / tiles.SHIPS
    drawn = [rect("deep", area.x - 4, area.y - 2, area.w + 6, area.h + 4, 10)]
    for ship in range(1, tiles.SHIPS + 1):
        middle = area.x + pitch * (ship - 0.5) - 1
        size = pitch * 0.8
        hull = symbol_at("ship", middle - size / 2, area.y + 2, size)
        written = label(str(ship), middle, area.y + area.h - 3, 12, colours="plaster")
        drawn.append(group(hull + written, class_="m-faded") if ship < number else hull + written)
        if ship == number:
            drawn.append(rect("/sun", middle - pitch / 2 + 1, area.y, pitch - 2, area.h, 6, width=2.4))
    return group("".join(drawn), id="ships", role="img", aria_label=_spoken_ship(scene))


def _waiting(scene: BoardScene, layout: Layout) -> str:
    """Draw pieces that have not been to town yet."""
    position = scene.position
    drawn = []
    for seat in range(position.players):
        if position.piece[seat] < 0:
            x, y = layout.waiting
            place = (x + 24 * seat, y) if layout.wide else (x + 24 * seat - 2, y)
            drawn.append(stand(scene, seat, *place))
    return "".join(drawn)


# --- the supply


def supply(scene: BoardScene, layout: Layout) -> str:
    """Draw what is left of each good: in the warehouse by the port, or on the quay."""
    drawn = [scene.cached(_warehouse, layout.cubans[tiles.PORT])] if layout.wide else []
    drawn += [scene.cached(_stock, layout, good) for good in range(len(layout.supply))]
    return "".join(drawn)


def _stock(scene: BoardScene, layout: Layout, good: int) -> str:
    box, key, left = layout.supply[good], tiles.GOOD_KEYS[good], int(scene.position.supply[good])
    picture = (
        rect("paper/line", box.x, box.y, box.w, box.h, 5, width=1)
        + symbol_at(key, box.x + (1 if layout.wide else 5), box.y + box.h * 0.19, box.h * 0.62)
        + label(str(left), box.x + box.w - (7.5 if layout.wide else 15), box.y + box.h * 0.64, 15)
    )
    picture = group(picture, class_="m-faded") if left == 0 else picture
    spoken = translate(names.goods(good, left), scene.language)
    glow = halo(box.x, box.y, box.w, box.h, 5)
    return scene.thing(f"supply-{key}", picture, spoken, glow, explained=f"goods/{key}")


def _warehouse(scene: BoardScene, box: Box) -> str:
    title = translate(say("supply"), scene.language)
    roof = f"M{box.x - 2:.1f} {box.y + 24:.1f}L{box.x + 12:.1f} {box.y + 2:.1f}h{box.w - 24:.1f}l14 22Z"
    return (
        rect("shade", box.x + 4, box.y + 14, box.w, box.h - 14)
        + rect("brick/line", box.x, box.y + 16, box.w, box.h - 16, width=1.5)
        + path("coral/line", roof, 1.5)
        + rect("paper/line", box.x + 15, box.y + 6, box.w - 30, 16, 4, width=1)
        + label(title[:1].upper() + title[1:], box.middle, box.y + 18.5, 12.5, room=box.w - 38)
    )
