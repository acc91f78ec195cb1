"""A seat's panel in Cuba: who it is, what it has, the cards it has played, its plantation in small, its turn."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.scene import BoardScene, Draw, halo, holding
from malecon.drawing.svg import circle, element, group, label, memoised, path, place_at, rect
from malecon.drawing.symbols import SYMBOLS, symbol_at
from malecon.games.cuba import names, tiles
from malecon.games.cuba.drawing.buildings import EFFECTS
from malecon.games.cuba.drawing.plantation import field_goods
from malecon.games.cuba.insight.view import has_bid
from malecon.games.cuba.position import BID, ENACT, ENVOY, SECOND_BID
from malecon.text import translate

WIDTH, HEIGHT = 380, 92
CELL_W, CELL_H = 27, 27

#: The ground of a field in small.
GROUNDS = {
    tiles.YIELDLESS: "lot",
    tiles.SUGAR: "mint",
    tiles.CITRUS: "apricot",
    tiles.TOBACCO: "cut",
    tiles.WOOD: "leaf",
    tiles.STONE: "steel",
    tiles.WATER: "azul",
}


def panel(scene: BoardScene, seat: int) -> str:
    """Draw a panel; each part that comes and goes has a group, full or empty, so that the rest stays as it is."""
    position, colour = scene.position, scene.colour(seat)
    active, deciding = (scene.goes_on and seat == who for who in (position.active, position.actor))
    marks = ["m-panel", "m-active" if active else "", "m-deciding" if deciding else ""]
    content = (
        rect("paper/line", 2, 2, WIDTH - 4, HEIGHT - 4, 10, width=1.5).replace("m-paper", "m-paper m-face m-edge")
        + path(colour, f"M2 12a10 10 0 0 1 10-10h30v{HEIGHT - 4}H12a10 10 0 0 1-10-10Z")
        + seats.pattern(colour, 7, 70, 30, 14)
        + place_at(seats.piece(colour, scene.letters[seat]), 22, 63)
        + label(scene.name(seat), 50, 22, 15, anchor=None, room=118)
        + "".join(scene.cached(_group, draw, seat) for draw in (_signs, _cards, _holdings, _plantation))
    )
    glow = halo(3, 3, WIDTH - 6, HEIGHT - 6, 10)
    drawn = scene.thing(f"seat-{seat}", content, scene.cached(_spoken, seat), glow)
    return element("svg", drawn, class_=" ".join(filter(None, marks)), viewBox=f"0 0 {WIDTH} {HEIGHT}")


def _group(scene: BoardScene, draw: Draw, seat: int) -> str:
    return group(draw(scene, seat))


def _signs(scene: BoardScene, seat: int) -> str:
    """Draw the starting player's hat; in parliament the votes, and a closed hand once a bid is laid."""
    position = scene.position
    drawn = symbol_at("starter", 8, 3, 28) if seat == position.starter else ""
    x = 164.0
    if has_bid(scene.position, seat):
        drawn += symbol_at("fist", x, 27, 22)
        x += 26
    if position.phase in (BID, SECOND_BID, ENACT):
        drawn += symbol_at("vote", x, 27, 22) + label(str(int(position.votes[seat])), x + 25, 45, 18, anchor=None)
    elif position.town_hall == seat:
        drawn += label(f"+{tiles.TOWN_HALL_VOTES}", x, 45, 17, anchor=None) + symbol_at("vote", x + 24, 28, 20)
    return drawn


def _has_envoy(scene: BoardScene, seat: int) -> bool:
    """Return whether a card of the seat lies face down for parliament."""
    position = scene.position
    if not position.with_envoys or not position.round_number or position.phase in (BID, SECOND_BID, ENACT):
        return False
    if position.phase != ENVOY:
        return bool(position.played[: position.players].any()) or position.phase > ENVOY
    turns = (int(position.actor) - int(position.starter)) % int(position.players)
    return (seat - int(position.starter)) % int(position.players) < turns


def _cards(scene: BoardScene, seat: int) -> str:
    """Draw the five characters by their votes: played ones turned down."""
    position, drawn = scene.position, []
    for character in range(len(tiles.CHARACTER_KEYS)):
        x = 172 + 18 * character
        played = position.played[seat] >> character & 1
        if played or position.envoy[seat] == character:
            card = rect("deep/line", x, 6, 15, 19, 2.5, width=1)
            card += path("/wave", f"M{x + 3} 11h9M{x + 3} 15.5h9M{x + 3} 20h9", 1.5)
        else:
            card = rect("plaster/line", x, 6, 15, 19, 2.5, width=1)
            card += label(str(tiles.CHARACTERS[character].votes), x + 7.5, 20, 12.5, colours="ink")
        if not played and position.envoy[seat] == character:
            card += symbol_at("vote", x + 1.5, 9, 12)
        drawn.append(group(card))
    if _has_envoy(scene, seat) and position.envoy[seat] < 0:
        drawn.append(rect("deep/line", 245, 27, 15, 19, 2.5, width=1) + symbol_at("vote", 246.5, 30, 12))
    return "".join(drawn)


def _holdings(scene: BoardScene, seat: int) -> str:
    """Draw pesos and points, the goods in the yard, and below the crops those in the warehouse."""
    position, drawn = scene.position, []
    for x, key, count in ((48, "peso", int(position.pesos[seat])), (104, "point", int(position.points[seat]))):
        drawn.append(_purse(key, count, x))
    stored = position.stored[seat].tolist()
    for good, key in enumerate(tiles.GOOD_KEYS):
        x, count = 47 + 27 * good, int(position.yard[seat, good])
        drawn.append(_heap(key, count, x))
        if good < len(stored):
            drawn.append(_kept(stored[good], x))
    return "".join(drawn)


@memoised
def _purse(key: str, count: int, x: int) -> str:
    return holding(key, 1, symbol_at(key, x, 27, 22) + label(str(count), x + 25, 45, 18, anchor=None, room=30))


@memoised
def _heap(key: str, count: int, x: int) -> str:
    return holding(key, count, symbol_at(key, x, 51, 17) + label(str(count), x + 21.5, 65, 13, room=10))


@memoised
def _kept(count: int, x: int) -> str:
    kept = symbol_at("store", x, 70.5, 16) + label(str(count), x + 21.5, 83, 13, room=10)
    return group(kept if count else "")


def _plantation(scene: BoardScene, seat: int) -> str:
    """Draw twelve fields in small: what they give, what is built on them, where the figure stands."""
    position, drawn, disc = scene.position, [], ""
    left, top = WIDTH - 7 - 4 * CELL_W, 5
    for field, good in enumerate(field_goods(scene, seat)):
        x, y = left + CELL_W * (field % tiles.COLUMNS), top + (CELL_H + 0.4) * (field // tiles.COLUMNS)
        building = int(position.built[seat, field])
        ground = rect(f"{GROUNDS[good]}/line", x, y, CELL_W - 1, CELL_H - 0.6, 3, width=1)
        if 0 <= building < tiles.PRINTED_WAREHOUSE:
            drawn.append(_house(building, x, y))
        else:
            key = "store" if good == tiles.YIELDLESS else tiles.GOOD_KEYS[good]
            mark = symbol_at(key, x + 5, y + 5, 16)
            drawn.append(group(ground + (mark if good == tiles.YIELDLESS else group(mark, class_="m-faded"))))
        if position.figure[seat] == field:
            disc = circle(f"{scene.colour(seat)}/line", x + 6, y + 6, 6, 1.3) + circle("chalk", x + 6, y + 6, 2.4)
    return "".join(drawn) + disc


@memoised
def _house(building: int, x: float, y: float) -> str:
    """Draw a building in small: under a roof what it takes and what it gives."""
    key = tiles.BUILDING_KEYS[building]
    signs = [token for token in EFFECTS[key] if token in SYMBOLS and token not in ("arrow", "swap")]
    roof = f"M{x:.1f} {y + 8:.1f}l{CELL_W / 2 - 0.5:.1f}-8 {CELL_W / 2 - 0.5:.1f} 8Z"
    drawn = rect("paper/line", x + 0.5, y + 6, CELL_W - 2, CELL_H - 6.6, 2, width=1) + path("coral/line", roof, 1)
    if len(signs) == 1 or signs[0] == signs[-1]:
        drawn += symbol_at(signs[0], x + 5, y + 9, 16)
    else:
        drawn += symbol_at(signs[0], x + 1.5, y + 9, 13) + symbol_at(signs[-1], x + 12, y + 12.5, 13)
    return group(drawn, data_help=f"buildings/{key}")


def _spoken(scene: BoardScene, seat: int) -> str:
    position = scene.position
    parts = [names.pesos(int(position.pesos[seat])), names.points(int(position.points[seat]))]
    parts += [names.goods(good, n) for good, n in enumerate(position.yard[seat].tolist()) if n]
    spoken = f"{scene.name(seat)}: {', '.join(translate(part, scene.language) for part in parts)}"
    kept = [names.goods(good, n) for good, n in enumerate(position.stored[seat].tolist()) if n]
    if kept:
        warehouse = translate(names.building(tiles.WAREHOUSE), scene.language)
        spoken += f"; {warehouse}: {', '.join(translate(part, scene.language) for part in kept)}"
    built = [names.building(tile) for tile in position.built[seat].tolist() if 0 <= tile < tiles.PRINTED_WAREHOUSE]
    if built:
        spoken += f"; {', '.join(translate(part, scene.language) for part in built)}"
    return spoken
