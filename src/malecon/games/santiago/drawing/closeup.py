"""A seat of Santiago de Cuba seen closely: its holdings or the screen before them, its buildings, its piece."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.board_parts import Box
from malecon.drawing.closeup import BANNER, banner, heap
from malecon.drawing.scene import BoardScene
from malecon.drawing.svg import element, group, path, place_at, rect
from malecon.games.santiago import names, tiles
from malecon.games.santiago.drawing.town import building_card
from malecon.games.santiago.position import UNKNOWN
from malecon.text import sentence, translate

TILE_W, TILE_H = 114, 137


def close_up(scene: BoardScene, seat: int, layout: str) -> str:
    position, width = scene.position, 760 if layout == "wide" else 390
    hidden = position.pesos[seat] == UNKNOWN
    columns = 6 if layout == "wide" else 3
    rows = len(tiles.GOOD_KEYS) // columns
    purse = () if hidden else (("peso", int(position.pesos[seat])), ("point", int(position.points[seat])))
    goods_h = 96 * rows
    content = [
        banner(scene, seat, width, purse),
        rect("paper/line", 2, BANNER + 4, width - 4, goods_h, 10, width=1.5),
        place_at(seats.screen(scene.colour(seat), width - 28, goods_h - 20), 14, BANNER + 14)
        if hidden
        else _goods(scene, seat, columns, (width - 16) / columns),
    ]
    top = BANNER + goods_h + 16
    drawn, height = _property(scene, seat, width, top)
    return element(
        "svg",
        "".join(content) + drawn,
        class_="m-panel m-close-up",
        viewBox=f"0 0 {width} {int(height)}",
        role="group",
        aria_label=scene.name(seat),
    )


def _goods(scene: BoardScene, seat: int, columns: int, w: float) -> str:
    position, drawn = scene.position, []
    for good, key in enumerate(tiles.GOOD_KEYS):
        count = int(position.goods[seat, good])
        name = sentence(names.good(good), scene.language).rstrip(".")
        x, y = 8 + w * (good % columns), BANNER + 8 + 96 * (good // columns)
        spoken = translate(names.goods(good, count), scene.language)
        drawn.append(group(heap(key, count, name, x, y, w), role="img", aria_label=spoken, data_help=f"goods/{key}"))
    return "".join(drawn)


def _property(scene: BoardScene, seat: int, width: int, top: float) -> tuple[str, float]:
    """Draw the markers still in hand, the buildings under the others, and the building where the piece stands."""
    position = scene.position
    visited = int(position.piece[seat])
    owned = [tile for tile in range(len(tiles.BUILDING_KEYS)) if position.owner[tile] == seat]
    tilings = owned if visited < 0 or visited in owned else [*owned, visited]
    flag = seats.marker(scene.colour(seat), scene.letters[seat])
    gap = group(path("/muted", "M0 0h24v24l-12-5-12 5Z", 1.2), class_="m-dashed")
    left = int(position.markers[seat])
    drawn = [place_at(flag if i < left else gap, 8 + 36 * i, top, 1.3) for i in range(tiles.START_MARKERS)]
    columns = max(1, int((width - 8) // (TILE_W + 12)))
    for i, tile in enumerate(tilings):
        box = Box(6 + (TILE_W + 12) * (i % columns), top + 52 + (TILE_H + 14) * (i // columns), TILE_W, TILE_H)
        drawn.append(_building(scene, seat, tile, box, tile in owned, tile == visited))
    rows = -(-len(tilings) // columns)
    return "".join(drawn), top + 44 + rows * (TILE_H + 14) + 8


def _building(scene: BoardScene, seat: int, tile: int, box: Box, owned: bool, visited: bool) -> str:
    key = tiles.BUILDING_KEYS[tile]
    entry = scene.glossary["buildings"][key]
    name = translate(entry.name, scene.language)
    card = building_card(key, name, box, 77.5, 13, 21)
    if owned:
        card += place_at(seats.marker(scene.colour(seat), scene.letters[seat]), box.x + 5, box.y - 6)
    if visited:
        card += place_at(seats.piece(scene.colour(seat), scene.letters[seat]), box.x + box.w - 18, box.y + 80)
    spoken = f"{name}: {translate(entry.text, scene.language)}"
    return group(card, role="img", aria_label=spoken, data_help=f"buildings/{key}")
