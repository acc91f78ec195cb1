"""The harbour of Cuba: the ship on the high seas, the three berths with their points, the deck behind them."""

from __future__ import annotations

from malecon.drawing.board_parts import Box
from malecon.drawing.scene import BoardScene, halo, mover
from malecon.drawing.svg import boxes, circle, group, label, memoised, path, rect
from malecon.drawing.symbols import row, row_width, symbol_at
from malecon.games.cuba import arrays, names, tiles
from malecon.games.cuba.drawing.layout import Layout
from malecon.text import translate

#: The size of a ship, whose keel lies on the lower edge.
WIDTH, HEIGHT = 152, 66
#: The width of a space on its deck.
SPACE = 23


def harbour(scene: BoardScene, layout: Layout) -> str:
    drawn = [_sea(layout.harbour)]
    drawn += [_berth(scene, layout, berth) for berth in range(tiles.BERTHS + 1)]
    return group("".join(drawn), id="harbour")


@memoised
def _sea(box: Box) -> str:
    waves = "".join(
        f"M{box.x + x:.0f} {box.y + y:.0f}q6-5 12 0t12 0t12 0"
        for line, y in enumerate(range(16, int(box.h) - 4, 22))
        for x in range(8 + line * 53 % 60, int(box.w) - 40, 86)
    )
    return (
        rect("shade", box.x + 2, box.y + 3, box.w, box.h, 10)
        + rect("sea/line", box.x, box.y, box.w, box.h, 10, width=1.4)
        + path("/wave", waves, 1.8)
    )


def _berth(scene: BoardScene, layout: Layout, berth: int) -> str:
    position, box = scene.position, layout.berths[berth]
    ship = int(position.ship_at[berth])
    name, text = scene.glossary["berths"][str(berth)].name, scene.glossary["berths"][str(berth)].text
    spoken = f"{translate(name, scene.language)}: {translate(text, scene.language)}"
    drawn = [rect("clear", box.x, box.y, box.w, box.h), _quay(scene, layout, box, berth)]
    if ship >= 0:
        spoken += f" {translate(names.spaces(ship), scene.language)}"
        loaded = [names.goods(good, n) for good, n in enumerate(position.cargo[berth].tolist()) if n]
        if loaded:
            spoken += f" [{', '.join(translate(part, scene.language) for part in loaded)}]"
        hull = ship_card(ship, tuple(position.cargo[berth].tolist()))
        scale = min(1.05, (box.w - 8) / WIDTH)
        x, y = box.middle - WIDTH * scale / 2, box.y + box.h - HEIGHT * scale - 5
        drawn.append(mover(f"boat-{ship}", hull, x, y, (0, 0, WIDTH, HEIGHT), scale))
    glow = halo(box.x + 3, box.y + 3, box.w - 6, box.h - 6, 8)
    return scene.thing(f"berth-{berth}", "".join(drawn), spoken, glow, explained=f"berths/{berth}")


def _quay(scene: BoardScene, layout: Layout, box: Box, berth: int) -> str:
    """Draw the wall of a berth with the points for each unit, or the open sea with the cards still to come."""
    if berth == tiles.HIGH_SEA:
        r = 9
        edge = f"M{box.x + 1:.1f} {box.y + r + 1:.1f}a{r} {r} 0 0 1 {r}-{r}h{box.w - 2 * r - 2:.1f}"
        right = f"a{r} {r} 0 0 1 {r} {r}" if layout.wide else f"h{r}v{r}"
        deep = f"{edge}{right}v{box.h - r - 6:.1f}q-{box.w / 4:.1f}-9-{box.w / 2:.1f} 0t-{box.w / 2 - 2:.1f} 0Z"
        sea = scene.glossary["berths"]["0"]
        title = translate(sea.name, scene.language)
        return (
            path("deep", deep)
            + label(title, box.x + 8, box.y + 17, 12.5, colours="plaster", anchor="start", room=box.w - 72)
            + _deck(scene, box)
        )
    wall = rect("kerb", box.x + 1, box.y, box.w - 2, 7) + rect("plaster", box.x + 1, box.y, box.w - 2, 3)
    bollards = "".join(rect("ink", box.x + box.w * part, box.y + 3, 6, 7, 2) for part in (0.5, 0.85))
    worth = (str(berth), "point")
    across = row_width(worth, 17)
    sign = rect("sun/line", box.x + 6, box.y + 4, across + 10, 20, 5, width=1.3) + row(
        worth, box.x + 11 + across / 2, box.y + 14.2, 17, colours="ink"
    )
    return wall + bollards + sign


def _deck(scene: BoardScene, box: Box) -> str:
    """Draw the cards still to come: how many in no known order, and behind them those that have been here."""
    position = scene.position
    unseen, queue = int(position.unseen_ships).bit_count(), position.queue[: int(position.queued)].tolist()
    x, y = box.x + box.w - 8, box.y + 4
    drawn, spoken = "", [str(unseen)]
    if queue:
        drawn += _pile(x - 28, y, len(queue), "sea")
        spoken += [translate(names.spaces(ship), scene.language) for ship in queue]
        x -= 31
    drawn += _pile(x - 28, y, unseen, "ink")
    return group(drawn, id="deck", role="img", aria_label=" | ".join(spoken))


@memoised
def _pile(x: float, y: float, count: int, colour: str) -> str:
    """Draw a pile of cards face down, or for those whose order is known, face up."""
    open_ = colour == "sea"
    card = rect(f"{'paper' if open_ else 'street'}/line", x, y, 28, 18, 3, width=1.2)
    under = rect("plaster/line", x + 2, y + 2.5, 28, 18, 3, width=1)
    written = "text" if open_ else "chalk"
    return (
        under
        + card
        + symbol_at("ship", x + 1.5, y + 2, 14)
        + label(str(count), x + 21, y + 13.5, 12, colours=written, room=12)
    )


@memoised
def ship_card(ship: int, cargo: tuple[int, ...]) -> str:
    """Draw a ship with its five spaces on deck, filled ones first of each kind; its bow to the right."""
    hull = f"M2 38H{WIDTH - 16}L{WIDTH - 1} 33C{WIDTH - 5} 48 {WIDTH - 12} 58 {WIDTH - 20} 62H16C8 58 4 50 2 38Z"
    drawn = [
        path("shade", f"M14 58L36 66H{WIDTH}L{WIDTH - 8} 40Z"),
        rect("coral/line", 8, 3, 9, 14, 1.5, width=1.2),
        rect("ink", 8, 6, 9, 3.5),
        path("plaster/line", "M4 40V16h18v24Z", 1.2),
        boxes("window", (7, 14), (21,), 5, 5),
        path("ink/line", hull, 1.2),
        path("bottle", f"M7 53C10 59 12 61 16 62H{WIDTH - 20}C{WIDTH - 16} 60 {WIDTH - 12} 56 {WIDTH - 9} 53Z"),
        path("/plaster", f"M4 43H{WIDTH - 15}L{WIDTH - 3} 39", 1.3),
    ]
    full: list[tuple[str, float]] = []
    empty: list[tuple[str, float]] = []
    for good, units in enumerate(arrays.SHIP_WANTS[ship].tolist()):
        for unit in range(units):
            place = (tiles.TRADE_GOODS[good], 24 + (SPACE + 1.5) * (len(full) + len(empty)))
            (full if unit < cargo[good] else empty).append(place)
    if empty:
        outlines = boxes("deep/chalk", [x + 0.5 for _, x in empty], (12.5,), SPACE - 1, SPACE + 1)
        drawn.append(group(outlines, class_="m-dashed"))
    drawn += [symbol_at(key, x + 3.5, 16.5, 16) for key, x in empty]
    return "".join(drawn + [_crate(key, x, 12) for key, x in full])


@memoised
def _crate(key: str, x: float, y: float) -> str:
    """Draw a space with its cargo, ticked off."""
    return (
        rect("chalk/line", x, y, SPACE, SPACE + 2, 4, width=1.4)
        + symbol_at(key, x + 2.5, y + 3.5, 18)
        + circle("palm/line", x + SPACE - 3, y + 1.5, 5, 1)
        + path("/chalk", f"M{x + SPACE - 5.5:.1f} {y + 1.5:.1f}l2 2.2 3-4", 1.5)
    )
