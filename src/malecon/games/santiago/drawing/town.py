"""The town of Santiago de Cuba: buildings under their flowers, the street with its stops, the Cubans, the car."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from malecon.drawing import seats
from malecon.drawing.board_parts import Box, back, fitted, stand
from malecon.drawing.pictures import game_picture
from malecon.drawing.scene import BoardScene, frame, halo, mover, outlined
from malecon.drawing.svg import (
    ITEM_MARK,
    as_part,
    circle,
    group,
    label,
    memoised,
    path,
    place_at,
    rect,
    star,
    text_width,
    wrapped,
)
from malecon.drawing.symbols import row, row_width, symbol_at
from malecon.games.santiago import GAME, arrays, names, tiles
from malecon.games.santiago.drawing.layout import Layout
from malecon.games.santiago.position import DRIVE
from malecon.games.santiago.text import standing
from malecon.kernel.phrases import say
from malecon.text import sentence, translate

#: The ground under each flower.
BEDS = {"white": "petal", "yellow": "gold", "blue": "azure", "red": "rose"}

#: The crown of a palm around the end of its trunk.
PALM = (
    "M0 0c-12-6-20 0-22 9 7-6 14-8 22-9ZM0 0c2-10 11-13 15-8-5 1-10 3-15 8Z"
    "M0 0c9 1 13 7 12 15-3-6-6-11-12-15ZM0 0c-9 3-11 11-9 18 2-8 4-13 9-18Z"
)

#: What each building does, in symbols and numbers.
EFFECTS = {building.key: building.symbols for building in tiles.BUILDINGS}


# --- buildings


def buildings(scene: BoardScene, layout: Layout, flowers: Sequence[int] = range(len(tiles.FLOWER_KEYS))) -> str:
    """Draw the flower beds, then every site with what stands on it, then the pieces."""
    position, sites = scene.position, scene.position.building_at.tolist()
    drawn = [_bed(layout, flower) for flower in flowers]
    for site, building in enumerate(sites):
        if site // tiles.SITES_PER_FLOWER not in flowers:
            continue
        standing = tuple(seat for seat in range(position.players) if building >= 0 and position.piece[seat] == building)
        drawn.append(scene.part(_site, layout, site, standing))
    return "".join(drawn) + scene.part(_pieces, layout)


def _pieces(scene: BoardScene, layout: Layout) -> str:
    position, drawn = scene.position, []
    for seat in range(position.players):
        building = int(position.piece[seat])
        if building >= 0:
            box = layout.sites[position.building_at.tolist().index(building)]
            x = box.x + box.w - 18 if layout.wide else box.middle
            drawn.append(stand(scene, seat, x, box.y + layout.picture + 4))
    return "".join(drawn)


def _site(scene: BoardScene, layout: Layout, site: int, standing: tuple[int, ...]) -> str:
    """Draw a site with its building, at which the pieces of these seats stand."""
    box, flower = layout.sites[site], tiles.FLOWER_KEYS[site // tiles.SITES_PER_FLOWER]
    building = int(scene.position.building_at[site])
    return _empty(box, flower) if building < 0 else _building(scene, layout, box, building, flower, standing)


@memoised
def _bed(layout: Layout, flower: int) -> str:
    own = layout.sites[flower * tiles.SITES_PER_FLOWER : (flower + 1) * tiles.SITES_PER_FLOWER]
    left, top = min(box.x for box in own), min(box.y for box in own)
    right, bottom = max(box.x + box.w for box in own), max(box.y + box.h for box in own)
    margin = 4 if layout.wide else 2.5
    colours = f"{BEDS[tiles.FLOWER_KEYS[flower]]}/line"
    return rect(colours, left - margin, top - margin, right - left + 2 * margin, bottom - top + 2 * margin, 9, width=1)


@memoised
def _empty(box: Box, flower: str) -> str:
    return rect("lot", box.x, box.y, box.w, box.h, 6) + _flower(flower, box.x + box.w - 15, box.y + 15, 13)


@memoised
def _flower(flower: str, x: float, y: float, r: float) -> str:
    return circle("plaster/line", x, y, r, 1.2) + symbol_at(flower, x - r * 0.75, y - r * 0.75, r * 1.5)


@memoised
def building_card(key: str, name: str, box: Box, picture: float, text: float, effects: float) -> str:
    """Draw a building's picture, name and effect as a tile."""
    x, y, w, h, middle = box.x, box.y, box.w, box.h, box.middle
    lines = wrapped(name, text, w - 6)
    effects = min(effects, effects * (w - 8) / row_width(EFFECTS[key], effects))
    band = h - picture  # two lines of name and a row of symbols
    heights = [0.34] if len(lines) == 1 else [0.24, 0.24 + text / band]
    sky = f"M{x:.1f} {y + picture:.1f}v{6 - picture:.1f}a6 6 0 0 1 6-6h{w - 12:.1f}a6 6 0 0 1 6 6v{picture - 6:.1f}z"
    drawn = [
        rect("shade", x + 3, y + 4, w, h, 6),
        rect("paper", x, y, w, h, 6),
        path("sky", sky),
        rect("lot", x, y + picture - 5, w, 5),
        fitted(game_picture(GAME.name, f"buildings/{key}"), Box(x, y, w, picture)),
        row(EFFECTS[key], middle, y + h - effects * 0.62, effects),
        frame(x, y, w, h, 6),
    ]
    for line, height in zip(lines, heights, strict=True):
        drawn.append(label(line, middle, y + picture + band * height, text, room=w - 6))
    return "".join(drawn)


def _building(scene: BoardScene, layout: Layout, box: Box, building: int, flower: str, pieces: Sequence[int]) -> str:
    key, owner = tiles.BUILDING_KEYS[building], int(scene.position.owner[building])
    entry = scene.glossary["buildings"][key]
    name = translate(entry.name, scene.language)
    whole = standing.flowered(name, tiles.FLOWER_KEYS.index(flower))
    spoken = f"{translate(whole, scene.language)}: {translate(entry.text, scene.language)}"
    card = building_card(key, name, box, layout.picture, layout.names, layout.effects)
    card += _flower(flower, box.x + box.w - 14, box.y + 14, 12.5)
    if owner >= 0:
        card += place_at(seats.marker(scene.colour(owner), scene.letters[owner]), box.x + 5, box.y - 2)
        owned = say("{building} belongs to {owner}", building=names.the_building(building), owner=scene.name(owner))
        spoken += " " + sentence(owned, scene.language)
    for seat in pieces:
        spoken += " " + sentence(say("{who}’s piece stands there", who=scene.name(seat)), scene.language)
    glow = halo(box.x, box.y, box.w, box.h, 6)
    return scene.thing(f"building-{key}", card, spoken, glow, explained=f"buildings/{key}")


# --- the street


def street(scene: BoardScene, layout: Layout, stops: Collection[int] = range(tiles.STOPS)) -> str:
    """Draw the loop with its stops in driving order, then the car."""
    car, drawn = int(scene.position.car), []
    for ahead in range(1, tiles.STOPS + 1):
        stop = (car + ahead) % tiles.STOPS
        if stop in stops:
            drawn.append(scene.cached(_port if stop == tiles.PORT else _stop, layout, stop, ahead == tiles.STOPS))
    drawn.append(_car(layout, car))
    return _road(layout) + group(as_part(ITEM_MARK.join(drawn)))


@memoised
def _road(layout: Layout) -> str:
    box, lane = layout.street, layout.lane
    half = lane / 2
    return (
        rect("kerb", box.x - 2, box.y - 2, box.w + 4, box.h + 4, lane)
        + rect("street", box.x, box.y, box.w, box.h, lane)
        + group(rect("/dash", box.x + half, box.y + half, box.w - lane, box.h - lane, half, width=1.6), class_="m-lane")
        + rect("kerb", box.x + lane - 2, box.y + lane - 2, box.w - 2 * lane + 4, box.h - 2 * lane + 4, 8)
        + rect("plaza", box.x + lane, box.y + lane, box.w - 2 * lane, box.h - 2 * lane, 6)
        + _arrow(layout)
    )


@memoised
def _car(layout: Layout, stop: int) -> str:
    (x, y), box = layout.stops[stop], layout.street
    leftward = y > box.y + box.h / 2
    scale, car = _car_scale(layout), game_picture(GAME.name, "car")
    return mover("car", car.shapes, x, y + 11 * scale, car.box, scale, flip=leftward)


def _car_scale(layout: Layout) -> float:
    return 1.1 if layout.wide else 0.8


@memoised
def _arrow(layout: Layout) -> str:
    """Draw the way the car drives, from the port to the first stop."""
    (port, y), (first, _) = layout.stops[tiles.PORT], layout.stops[1]
    x = (port + first) / 2
    return path("dash", f"M{x + 16:.1f} {y - 3:.1f}h-18v-5l-14 8 14 8v-5h18Z")


def _price(scene: BoardScene, layout: Layout, key: str, x: float, y: float) -> str:
    """Draw what the nearest drive to a stop costs, as a coin; a free one shows none."""
    moves = scene.moves_at(key)
    if not moves or scene.position.phase != DRIVE:
        return ""
    cost = min(move.code for move in moves)  # drives are the first codes: drive 1 is 0
    if not cost:
        return ""
    r = 11.5 if layout.wide else 10.5
    return (
        circle("amber/line", x, y + 1, r, 1)
        + circle("sun/line", x, y, r, 1.2)
        + label(str(cost), x, y + 4.5, 13, colours="ink")
    )


@memoised
def _star(layout: Layout, x: float, y: float, colour: str) -> str:
    return path(f"{colour}/line", star(x, y, layout.lane * 0.46, layout.lane * 0.2), 1.3)


@memoised
def _glow(layout: Layout, box: Box, x: float, y: float) -> str:
    around = outlined("circle", cx=x, cy=y, r=layout.lane / 2)
    return halo(box.x, box.y, box.w, box.h, 6) + around


def _beside(layout: Layout, stop: int, car_here: bool) -> float:
    """Return where the price stands: on the star, or beside the car."""
    return layout.stops[stop][0] + (44 * _car_scale(layout) if car_here else 0)


def _port(scene: BoardScene, layout: Layout, stop: int, car_here: bool) -> str:
    (x, y), box = layout.stops[stop], layout.cubans[stop]
    port = translate(say("port"), scene.language)
    name = port[:1].upper() + port[1:]
    if layout.wide:
        lane = Box(x - 40, y - layout.lane / 2 + 1, 126, layout.lane - 2)
        gap = rect("street", x + 33, y - 3, min(46, text_width(name, 13)) + 8, 6)  # the lane's line does not cross it
        written = label(name, x + 37, y + 4.5, 13, colours="chalk", anchor="start", room=46)
        sign = rect("clear", lane.x, lane.y, lane.w, lane.h) + gap + written
        glow = halo(lane.x, lane.y, lane.w, lane.h, 15)
    else:
        sign = _square(box, name)
        glow = _glow(layout, box, x, y)
    content = sign + _star(layout, x, y, "sun") + _price(scene, layout, "port", _beside(layout, stop, car_here), y)
    return scene.thing("port", content, name, glow)


@memoised
def _square(box: Box, name: str) -> str:
    """Draw the square before the port: palms, the sun, the gate to the sea."""
    return (
        rect("sky/line", box.x, box.y, box.w, box.h, 6, width=1.5)
        + circle("disc", box.x + 22, box.y + 24, 13)
        + rect("sea", box.x + 1, box.y + 42, box.w - 2, 20)
        + path("/wave", f"M{box.x + 6:.1f} {box.y + 49:.1f}h16M{box.x + 30:.1f} {box.y + 54:.1f}h20", 1.6)
        + path("/brown", f"M{box.x + 46:.1f} {box.y + 62:.1f}c-3-14-1-26 3-36", 3)
        + place_at(path("palm", PALM), box.x + 49, box.y + 26)
        + rect("paper", box.x + 1, box.y + 61, box.w - 2, box.h - 62, 5)
        + label(name, box.middle, box.y + box.h - 7, 12, room=box.w - 6)
    )


def _stop(scene: BoardScene, layout: Layout, stop: int, car_here: bool) -> str:
    (x, y), box, key = layout.stops[stop], layout.cubans[stop], f"stop-{stop}"
    cuban = int(scene.position.cuban_at[stop])
    mark = _star(layout, x, y, "chalk") + _price(scene, layout, key, _beside(layout, stop, car_here), y)
    if cuban < 0:
        return group(rect("lot", box.x, box.y, box.w, box.h, 6) + mark, id=key)
    name = translate(names.cuban(cuban), scene.language)
    top = min(box.y, y - layout.lane / 2)
    area = rect("clear", box.x, top, box.w, box.h + layout.lane)
    card = area + scene.cached(_cuban, layout, box, cuban, car_here) + mark
    return scene.thing(key, card, name, _glow(layout, box, x, y), mute=True)


# --- Cubans


@memoised
def cuban_card(cuban: int, name: str, box: Box, wide: bool) -> str:
    """Draw a Cuban's portrait, name and gift as a tile."""
    key, text = tiles.CUBAN_KEYS[cuban], 13 if wide else 11.5
    gifts, size = tiles.CUBANS[cuban].symbols, 17 if wide else 15
    portrait = game_picture(GAME.name, f"cubans/{key}")
    picture = box.w * portrait.height / portrait.width
    across = row_width(gifts, size)
    drawn = [
        rect("shade", box.x + 3, box.y + 4, box.w, box.h, 6),
        rect("paper", box.x, box.y, box.w, box.h, 6),
        fitted(portrait, Box(box.x, box.y, box.w, picture)),
    ]
    if wide:
        middle = box.y + picture + (box.h - picture) / 2
        drawn.append(label(name, box.x + 6, middle + text * 0.35, text, anchor=None, room=box.w - across - 16))
        drawn.append(row(gifts, box.x + box.w - 5 - across / 2, middle, size))
    else:
        drawn.append(label(name, box.middle, box.y + picture + text, text, room=box.w - 4))
        drawn.append(row(gifts, box.middle, box.y + box.h - size * 0.62, size))
    flower = int(arrays.CUBAN_FLOWER[cuban])
    drawn.append(
        _flower(tiles.FLOWER_KEYS[flower] if flower >= 0 else "none", box.x + 14, box.y + 14, 12.5 if wide else 11.5)
    )
    drawn.append(frame(box.x, box.y, box.w, box.h, 6))
    return "".join(drawn)


def _cuban(scene: BoardScene, layout: Layout, box: Box, cuban: int, car_here: bool) -> str:
    key = tiles.CUBAN_KEYS[cuban]
    entry = scene.glossary["cubans"][key]
    name = translate(entry.name, scene.language)
    whole = standing.flowered(name, int(arrays.CUBAN_FLOWER[cuban]))
    spoken = f"{translate(whole, scene.language)}: {translate(entry.text, scene.language)}"
    if car_here:
        spoken += " " + translate(say("The car stands here."), scene.language)
    if scene.position.face_down >> cuban & 1:
        card = back(name, box)
        spoken += " " + sentence(say("{cuban} is already face down", cuban=name), scene.language)
    else:
        card = cuban_card(cuban, name, box, layout.wide)
    glow = halo(box.x, box.y, box.w, box.h, 6)
    return scene.thing(f"cuban-{key}", card, spoken, glow, explained=f"cubans/{key}")
