"""A plantation of Cuba: twelve fields with what stands on them, the figure, and the yard and warehouse below."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.board_parts import Box, stand
from malecon.drawing.pictures import SvgPicture, game_picture
from malecon.drawing.scene import BoardScene, frame, halo
from malecon.drawing.svg import circle, element, group, label, memoised, path, rect
from malecon.drawing.symbols import symbol_at
from malecon.games.cuba import GAME, arrays, names, tiles
from malecon.games.cuba.drawing.buildings import building_card, facade, named
from malecon.games.cuba.drawing.layout import Layout
from malecon.games.cuba.position import USE
from malecon.games.cuba.text import standing
from malecon.kernel.phrases import say
from malecon.kernel.view import View
from malecon.text import translate

#: What fields are called in the glossary, by the good they give.
FIELD_KEYS = {
    tiles.GOOD_KEYS.index(kind.good) if kind.good else tiles.YIELDLESS: kind.key for kind in tiles.FIELD_KINDS
}


def shown_seat(seen: View | BoardScene) -> int:
    """Return the seat whose plantation lies on the board: the viewer's, or for a spectator the one to act."""
    position = seen.position
    if seen.seat is not None:
        return seen.seat
    for seat in (int(position.actor), int(position.active), int(position.starter)):
        if seat >= 0:
            return seat
    return 0


def field_goods(scene: BoardScene, seat: int) -> list[int]:
    """Return what each field of a seat gives."""
    row = 0 if scene.position.common else 1 + seat  # as `position.plantation`, which only takes records
    goods: list[int] = arrays.PLANTATIONS[row].tolist()
    return goods


def own_plantation(scene: BoardScene, layout: Layout) -> str:
    """Draw the hedge in the seat's colour, the fields, the figure."""
    seat, position = shown_seat(scene), scene.position
    figure = int(position.figure[seat])
    drawn = [_landscapes(), scene.part(_ground, layout, seat)]
    used = int(position.used) if position.phase == USE and seat == position.active else 0
    for field, good in enumerate(field_goods(scene, seat)):
        drawn.append(scene.part(_field, layout, seat, field, good, field == figure, bool(used >> field & 1)))
    box = layout.fields[figure]
    drawn.append(scene.part(stand, seat, box.x + 15, box.y + box.h * 0.53))
    return group("".join(drawn), id="plantation")


def _ground(scene: BoardScene, layout: Layout, seat: int) -> str:
    return _hedge(layout.plantation, scene.colour(seat)) + _cross(layout, int(scene.position.figure[seat]))


@memoised
def _hedge(box: Box, colour: str) -> str:
    """Draw the edge of a plantation in its owner's colour, with the colour's pattern in the corners."""
    corners = "".join(
        rect("chalk/line", x, y, 15, 15, 3, width=1.2)
        + rect(colour, x + 2, y + 2, 11, 11)
        + seats.pattern(colour, x + 2, y + 2, 11, 11)
        for x in (box.x - 2, box.x + box.w - 13)
        for y in (box.y - 2, box.y + box.h - 13)
    )
    return (
        rect("shade", box.x + 3, box.y + 4, box.w, box.h, 8)
        + rect(f"{colour}/line", box.x, box.y, box.w, box.h, 8, width=1.4)
        + rect("bark", box.x + 4, box.y + 4, box.w - 8, box.h - 8, 4)
        + corners
    )


@memoised
def _cross(layout: Layout, figure: int) -> str:
    """Draw marks on the edge at the row and the column of the figure."""
    box, own = layout.plantation, layout.fields[figure]
    x, y = own.middle, own.y + own.h / 2
    marks = (
        f"M{box.x - 1:.1f} {y - 9:.1f}l8 9-8 9Z"
        f"M{box.x + box.w + 1:.1f} {y - 9:.1f}l-8 9 8 9Z"
        f"M{x - 9:.1f} {box.y - 1:.1f}l9 8 9-8Z"
        f"M{x - 9:.1f} {box.y + box.h + 1:.1f}l9-8 9 8Z"
    )
    return path("sun/line", marks, 1.2)


def landscape(good: int) -> SvgPicture:
    """Return the picture of a field that gives a good, or of the ground that the printed warehouse stands on."""
    return game_picture(GAME.name, f"fields/{FIELD_KEYS[good]}")


@memoised
def _landscapes() -> str:
    """Draw all landscapes once, as symbols."""
    return element(
        "defs",
        "".join(
            element(
                "symbol",
                landscape(good).shapes,
                id=f"m-land-{FIELD_KEYS[good]}",
                viewBox=" ".join(f"{side:g}" for side in landscape(good).box),
                preserveAspectRatio="xMidYMid slice",
            )
            for good in FIELD_KEYS
        ),
    )


@memoised
def field_card(good: int, box: Box, landscape: str) -> str:
    """Draw a field's landscape, and in its corner what it gives."""
    key = "store" if good == tiles.YIELDLESS else tiles.GOOD_KEYS[good]
    x, y = box.x + box.w - 15, box.y + box.h - 15
    mark = circle("plaster/line", x, y, 12.5, 1.2) + symbol_at(key, x - 9, y - 9, 18)
    return landscape + mark + frame(box.x, box.y, box.w, box.h, 3)


def _land(good: int, box: Box) -> str:
    place = {"x": box.x, "y": box.y, "width": box.w, "height": box.h}
    return field_card(good, box, element("use", href=f"#m-land-{FIELD_KEYS[good]}", **place))


def _field(scene: BoardScene, layout: Layout, seat: int, field: int, good: int, has_figure: bool, is_used: bool) -> str:
    box = layout.fields[field]
    building = int(scene.position.built[seat, field])
    number = f"{field + 1}"
    name, spoken = named(scene, "fields", FIELD_KEYS[good])
    if 0 <= building != tiles.PRINTED_WAREHOUSE:
        name, spoken = named(scene, "buildings", tiles.BUILDING_KEYS[building])
    spoken = translate(standing.field(field, spoken), scene.language)
    if has_figure:
        spoken += " " + translate(say("The figure stands here."), scene.language)
    glow = halo(box.x + 1, box.y + 1, box.w - 2, box.h - 2, 4)
    cross = int(arrays.CROSS[field])
    reach = " ".join(f"field-{other + 1}" for other in range(tiles.FIELDS) if cross >> other & 1)
    if building < 0:
        explained = f"fields/{FIELD_KEYS[good]}"
        return scene.thing(f"field-{number}", _land(good, box), spoken, glow, explained=explained, reach=reach)
    if building == tiles.PRINTED_WAREHOUSE:
        card, explained = _land(good, box), "fields/warehouse"
    else:
        key = tiles.BUILDING_KEYS[building]
        picture = min(box.w * facade(key).height / facade(key).width, box.h - (36 if box.h < 110 else 52))
        card, explained = building_card(key, name, box, picture, 17, priced=False), f"buildings/{key}"
    if is_used:
        card += rect("shade", box.x, box.y, box.w, box.h, 4) + _done(box)
    built = scene.thing(f"built-{number}", card, spoken, glow, explained=explained)
    return scene.thing(f"field-{number}", built, name, glow, mute=True, reach=reach)


@memoised
def _done(box: Box) -> str:
    """Draw a tick: this building has been used."""
    x, y = box.middle, box.y + box.h * 0.4
    return circle("palm/line", x, y, 14, 1.4) + path("/chalk", f"M{x - 7:.1f} {y:.1f}l5 6 9-12", 3.4)


# --- what the seat has


def yard(scene: BoardScene, layout: Layout) -> str:
    """Draw everything in the yard, and the crops that are stored."""
    seat, position, area = shown_seat(scene), scene.position, layout.yard
    pitch = (area.w - 12) / (len(tiles.GOOD_KEYS) + len(tiles.CROPS))
    fence = area.x + pitch * len(tiles.GOOD_KEYS) + 6
    held = position.yard[seat].tolist()
    stored = position.stored[seat].tolist()
    lying = "".join(
        _lying(scene, key, held[good], area, area.x + 3 + pitch * good, pitch)
        for good, key in enumerate(tiles.GOOD_KEYS)
    )
    kept = "".join(
        _heap(key, stored[good], area, fence + 3 + pitch * good, pitch) for good, key in enumerate(tiles.CROPS)
    )
    roof = f"M{fence - 1:.1f} {area.y + 15:.1f}l8-14h{area.w + area.x - fence - 14:.1f}l8 14Z"
    ground = (
        rect("lot/line", area.x, area.y, area.w, area.h, 6, width=1.2)
        + _palings(area.x + 6, fence - 6, area.y + 1)
        + rect("brick/line", fence, area.y + 8, area.x + area.w - fence, area.h - 8, 2, width=1.2)
        + rect("paper", fence + 3, area.y + 17, area.x + area.w - fence - 6, area.h - 20, 3)
        + rect("paper", area.x + 3, area.y + 17, fence - area.x - 6, area.h - 20, 3)
        + path("coral/line", roof, 1.2)
    )
    glow = halo(area.x, area.y, area.w, area.h, 6)
    return scene.thing("yard", ground + lying + kept, _spoken(scene, seat), glow)


@memoised
def _palings(left: float, right: float, y: float) -> str:
    pales = "".join(f"M{x} {y + 13:g}v-9l2.5-3 2.5 3v9z" for x in range(int(left), int(right) - 4, 9))
    return rect("bark", left - 3, y + 5, right - left + 6, 3) + path("plaster", pales)


def _lying(scene: BoardScene, key: str, count: int, area: Box, x: float, pitch: float) -> str:
    """Draw what lies in the yard of a good; it can be picked up while it is to be loaded or given away."""
    ground = (x, area.y + 17, pitch - 1, area.h - 19)
    return scene.step(f"heap-{key}", _heap(key, count, area, x, pitch), ground, 4)


@memoised
def _heap(key: str, count: int, area: Box, x: float, pitch: float) -> str:
    size = min(pitch - 4, 24)
    heap = symbol_at(key, x + (pitch - size) / 2 - 0.5, area.y + 20, size)
    heap += label(str(count), x + pitch / 2 - 0.5, area.y + area.h - 5, 14)
    return group(heap, class_=None if count else "m-faded")


def _spoken(scene: BoardScene, seat: int) -> str:
    position = scene.position
    lying = [names.goods(good, n) for good, n in enumerate(position.yard[seat].tolist()) if n]
    kept = [names.goods(good, n) for good, n in enumerate(position.stored[seat].tolist()) if n]
    spoken = f"{scene.name(seat)}: {', '.join(translate(part, scene.language) for part in lying) or '–'}"
    if kept:
        building = scene.glossary["buildings"]["warehouse"]
        warehouse = translate(building.name, scene.language)
        spoken += f"; {warehouse}: {', '.join(translate(part, scene.language) for part in kept)}"
    return spoken
