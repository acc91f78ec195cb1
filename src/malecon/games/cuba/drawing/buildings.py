"""Buildings of Cuba as tiles: for sale with their cost, and on a plantation; what is left of them and of the goods."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.board_parts import Box, fitted
from malecon.drawing.pictures import SvgPicture, game_picture
from malecon.drawing.scene import BoardScene, frame, halo
from malecon.drawing.svg import circle, element, group, label, memoised, path, place_at, rect, text_width, wrapped
from malecon.drawing.symbols import row, row_width, symbol_at
from malecon.games.cuba import GAME, arrays, names, tiles
from malecon.games.cuba.drawing.layout import Layout
from malecon.games.cuba.position import BUILD
from malecon.kernel.phrases import say
from malecon.text import glossary, translate

#: The share of a facade's height that is pavement.
PAVEMENT = 6 / 68
#: The height of the cost above a facade.
PRICE = 15

#: What each building does, in symbols and numbers.
EFFECTS = {building.key: building.symbols for building in tiles.BUILDINGS}


def cost(key: str) -> tuple[str, ...]:
    """Return what a building costs, a symbol for each unit."""
    building = tiles.BUILDINGS[tiles.BUILDING_KEYS.index(key)]
    return tuple(material for material, n in zip(tiles.MATERIALS, building.cost, strict=True) for _ in range(n))


def facade(key: str) -> SvgPicture:
    """Return the picture of a building, without frame, name, sky or pavement: its tile has these."""
    return game_picture(GAME.name, f"buildings/{key}")


def slug(key: str) -> str:
    """Return a key as a part of an id."""
    return key.replace(" ", "-")


def named(scene: BoardScene, kind: str, key: str) -> tuple[str, str]:
    """Return the name of a thing of the glossary, and the name with its explanation."""
    return _named(kind, key, scene.language)


@memoised
def _named(kind: str, key: str, language: str) -> tuple[str, str]:
    entry = glossary(GAME)[kind][key]
    name = translate(entry.name, language)
    return name, f"{name}: {translate(entry.text, language)}"


@memoised
def _plot(box: Box, picture: float, top: float) -> str:
    """Draw an empty tile: paper, a pavement, the sky, whose uppermost part no facade covers."""
    x, y, w, h = box.x, box.y, box.w, box.h
    pavement = (picture - top) * PAVEMENT
    sky = f"M{x:.1f} {y + picture:.1f}v{6 - picture:.1f}a6 6 0 0 1 6-6h{w - 12:.1f}a6 6 0 0 1 6 6v{picture - 6:.1f}z"
    return (
        rect("shade", x + 2, y + 3, w, h, 6)
        + rect("paper", x, y, w, h, 6)
        + path("sky", sky)
        + rect("lot", x, y + picture - pavement, w, pavement)
        + frame(x, y, w, h, 6)
    )


@memoised
def building_card(
    key: str, name: str, box: Box, picture: float, effects: float, *, priced: bool, plot: str | None = None
) -> str:
    """Draw a building’s picture, name and effect as a tile, if `priced` with its cost; `plot` is its ground."""
    x, y, w, h, middle, text = box.x, box.y, box.w, box.h, box.middle, 11.6 if box.w < 90 else 12
    room = w - 5
    lines = wrapped(name, text, room) if text_width(name, text) > room * 1.2 else [name]
    tokens, top = EFFECTS[key], PRICE if priced else 0
    size = min(effects, effects * (w - 3) / row_width(tokens, effects))
    drawn = [
        plot or _plot(box, picture, top),
        fitted(facade(key), Box(x, y + top, w, picture - top)),
        row(tokens, middle, y + h - effects * 0.62, size),
    ]
    if priced:
        price = cost(key)
        pays = min(13, 13 * (w - 8) / row_width(price, 13))
        across = row_width(price, pays)
        drawn.append(rect("paper", middle - across / 2 - 4, y + 1, across + 8, 15, 7))
        drawn.append(row(price, middle, y + 8.5, pays))
    base = y + picture + (h - picture - effects * 1.2 - text * 1.05 * len(lines)) / 2
    for i, line in enumerate(lines, 1):
        drawn.append(label(line, middle, base + text * 1.02 * i - 1, text, room=room))
    return "".join(drawn)


def sale(scene: BoardScene, layout: Layout) -> str:
    """Draw all kinds of buildings: those for sale, and whose the others are; at the end the supply of goods."""
    first = layout.sale[0]
    plot = element("g", _plot(Box(0, 0, first.w, first.h), layout.picture, PRICE), id="m-plot")
    drawn = [element("defs", plot)]
    building, planned = scene.position.phase == BUILD, int(scene.position.planned)
    drawn += [
        scene.part(_for_sale, layout, tile, building, planned == tile) for tile in range(len(tiles.BUILDING_KEYS))
    ]
    return group("".join(drawn) + scene.part(_supply, layout.sale[-1]), id="buildings")


def _for_sale(scene: BoardScene, layout: Layout, tile: int, building: bool, planned: bool) -> str:
    """Draw a building while somebody is `building` or not; `planned`: it is paid for, and on its way to a field."""
    position, key, box = scene.position, tiles.BUILDING_KEYS[tile], layout.sale[tile]
    name, spoken = named(scene, "buildings", key)
    left = int(position.buildings_left[tile])
    if left:
        plot = element("use", href="#m-plot", x=box.x, y=box.y)
        card = building_card(key, name, box, layout.picture, 16 if layout.wide else 19, priced=True, plot=plot)
    else:
        card = _sold(scene, box, tile, name)
        spoken = translate(say("{building}: sold.", building=name), scene.language)
    if left and arrays.BUILDING_TILES[tile] > 1:
        card += circle("plaster/line", box.x + box.w - 9, box.y + 26, 8.5, 1.2)
        card += label(str(left), box.x + box.w - 9, box.y + 30, 12, colours="ink")
        spoken += f" ({left})"
    if building and left and not scene.moves_at(f"build-{slug(key)}"):
        card += _missing(scene, tile, box)
    glow = halo(box.x, box.y, box.w, box.h, 6)
    if planned:
        card += glow
    return scene.thing(f"build-{slug(key)}", card, spoken, glow, explained=f"buildings/{key}")


def _missing(scene: BoardScene, tile: int, box: Box) -> str:
    """Draw what the seat that builds lacks for a building, across its picture; nothing if something else forbids it."""
    if scene.seat is None or scene.seat != scene.position.active:
        return ""
    held = scene.position.yard[scene.seat, tiles.WOOD :].tolist()
    lacking = tuple(
        token
        for key, cost, has in zip(tiles.MATERIALS, arrays.BUILDING_COST[tile].tolist(), held, strict=True)
        if cost > has
        for token in (f"{cost - has}", key)
    )
    if not lacking:
        return ""
    across = row_width(lacking, 15) + 10
    y = box.y + box.h * 0.42
    return rect("chalk/coral", box.middle - across / 2, y - 10, across, 20, 8, width=1.6) + row(
        lacking, box.middle, y, 15
    )


def _sold(scene: BoardScene, box: Box, tile: int, name: str) -> str:
    """Draw an empty lot with the banners of the owners of the building."""
    position = scene.position
    owners = [seat for seat in range(position.players) if tile in position.built[seat].tolist()]
    lot = rect("lot", box.x, box.y, box.w, box.h, 6)
    lot += group(rect("/muted", box.x + 3, box.y + 3, box.w - 6, box.h - 6, 5, width=1.2), class_="m-dashed")
    for i, seat in enumerate(owners):
        x = box.middle - 15 * len(owners) + 30 * i + 3
        lot += place_at(seats.marker(scene.colour(seat), scene.letters[seat]), x, box.y + box.h * 0.24)
    lines = wrapped(name, 11.6, box.w - 10)
    for i, line in enumerate(lines):
        lot += label(line, box.middle, box.y + box.h * 0.78 + 12 * (i - 0.5 * len(lines) + 0.5), 11.6, room=box.w - 10)
    return lot


def _supply(scene: BoardScene, box: Box) -> str:
    """Draw what is left of every good."""
    position = scene.position
    title = translate(say("supply"), scene.language)
    title = title[:1].upper() + title[1:]
    roof = f"M{box.x - 1:.1f} {box.y + 18:.1f}L{box.x + 9:.1f} {box.y + 1:.1f}h{box.w - 18:.1f}l10 17Z"
    drawn = [
        rect("shade", box.x + 2, box.y + 13, box.w, box.h - 10, 2),
        rect("brick/line", box.x, box.y + 12, box.w, box.h - 12, 2, width=1.4),
        path("coral/line", roof, 1.4),
        rect("paper/line", box.x + 10, box.y + 4, box.w - 20, 13, 3, width=1),
        label(title, box.middle, box.y + 14.2, 11.6, room=box.w - 24),
    ]
    pitch = (box.h - 24) / 4
    for good, key in enumerate(tiles.GOOD_KEYS):
        w = box.w / 2 - 4
        x, y = box.x + 3 + (w + 2) * (good // 4), box.y + 21 + pitch * (good % 4)
        left = int(position.supply[good])
        drawn.append(rect("paper", x, y, w, pitch - 1.5, 3))
        cell = symbol_at(key, x + 2, y + (pitch - 1.5) / 2 - 7.5, 15)
        cell += label(str(left), x + w / 2 + 9, y + pitch / 2 + 3.4, 12, room=w / 2)
        cell = cell if left else group(cell, class_="m-faded")
        drawn.append(scene.step(f"stock-{key}", cell, (x, y, w, pitch - 1.5), 3))
    spoken = ", ".join(
        translate(names.goods(good, int(n)), scene.language) for good, n in enumerate(position.supply.tolist())
    )
    return scene.thing("supply", "".join(drawn), f"{title}: {spoken}", halo(box.x, box.y, box.w, box.h, 4))
