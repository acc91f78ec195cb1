"""Parliament in Cuba: the laws in force and the proposals as little cards; the round, and how bids are made."""

from __future__ import annotations

from malecon.drawing import seats
from malecon.drawing.board_parts import Box
from malecon.drawing.scene import BoardScene, halo
from malecon.drawing.svg import circle, group, label, memoised, path, place_at, rect
from malecon.drawing.symbols import row, row_width, symbol_at
from malecon.games.cuba import names, tiles
from malecon.games.cuba.drawing.buildings import named
from malecon.games.cuba.drawing.layout import Layout, cards_of
from malecon.games.cuba.position import BID, SECOND_BID
from malecon.kernel.phrases import Phrase, say
from malecon.text import translate

#: The colour of each group, and what can be read on it.
GROUP_COLOURS = {
    "tax": ("sun", "ink"),
    "duty": ("palm", "chalk"),
    "subsidy": ("bottle", "chalk"),
    "other": ("sea", "chalk"),
}


@memoised
def law_card(kind: int, key: str, box: Box) -> str:
    """Draw a law: its group's numeral on the left, what it says on the right."""
    above, below = tiles.GROUPS[kind].laws[tiles.LAW_KEYS[kind].index(key)].symbols
    room, middle = box.w - 22, box.x + 18 + (box.w - 18) / 2
    large, small = (min(size, size * room / row_width(rows, size)) for rows, size in ((above, 25), (below, 17)))
    return (
        rect("shade", box.x + 2, box.y + 3, box.w, box.h, 5)
        + rect("paper/line", box.x, box.y, box.w, box.h, 5, width=1.4)
        + _spine(kind, box)
        + row(above, middle, box.y + box.h * 0.32, large)
        + row(below, middle, box.y + box.h * 0.76, small)
    )


@memoised
def _spine(kind: int, box: Box) -> str:
    colour, written = GROUP_COLOURS[tiles.GROUP_KEYS[kind]]
    edge = f"M{box.x:.1f} {box.y + 5:.1f}a5 5 0 0 1 5-5h13v{box.h:.1f}h-13a5 5 0 0 1-5-5Z"
    return path(f"{colour}/line", edge, 1.2) + label(
        tiles.GROUPS[kind].numeral, box.x + 9.2, box.y + box.h / 2 + 4.5, 12.5, colours=written, room=14
    )


@memoised
def _gap(kind: int, box: Box) -> str:
    """Draw the place of a law that is not there."""
    return (
        rect("sea", box.x, box.y, box.w, box.h, 5)
        + group(rect("/plaster", box.x, box.y, box.w, box.h, 5, width=1.2), class_="m-dashed")
        + label(tiles.GROUPS[kind].numeral, box.middle, box.y + box.h / 2 + 6, 17, colours="plaster")
    )


def parliament(scene: BoardScene, layout: Layout) -> str:
    return group("".join(scene.cached(draw, layout) for draw in (_title, laws, proposals)), id="parliament")


def _panel(scene: BoardScene, box: Box, heading: Phrase, symbol: str) -> str:
    title = translate(heading, scene.language)
    return (
        rect("shade", box.x + 2, box.y + 3, box.w, box.h, 9)
        + rect("deep/line", box.x, box.y, box.w, box.h, 9, width=1.4)
        + symbol_at(symbol, box.x + 6, box.y + 2, 15)
        + label(
            title[:1].upper() + title[1:],
            box.x + 25,
            box.y + 14.5,
            13,
            colours="plaster",
            anchor="start",
            room=box.w - 34,
        )
    )


def laws(scene: BoardScene, layout: Layout) -> str:
    drawn = [_panel(scene, layout.laws, say("in force"), "law")]
    for kind, box in enumerate(cards_of(layout.laws)):
        drawn.append(_card(scene, kind, int(scene.position.law[kind]), box, "law"))
    return "".join(drawn)


def proposals(scene: BoardScene, layout: Layout) -> str:
    """Draw the proposals, which are one thing while two of them are to be chosen."""
    position, panel = scene.position, layout.proposals
    drawn = [_panel(scene, panel, say("proposed"), "vote")]
    for kind, box in enumerate(cards_of(panel)):
        card = _card(scene, kind, int(position.proposal[kind]), box, "proposal")
        drawn.append(card)
        x, y = box.x + 9, box.y + box.h - 8
        if position.vetoed == kind:
            drawn.append(symbol_at("veto", box.middle - 36, box.y + box.h / 2 - 13, 26))
        elif position.vetoed_before == kind:  # the church cannot strike this group again
            drawn.append(circle("plaster/line", x, y, 10, 1.2) + symbol_at("veto", x - 7, y - 7, 14))
    heading = translate(say("proposed"), scene.language)
    glow = halo(panel.x, panel.y, panel.w, panel.h, 9)
    return scene.thing("proposals", "".join(drawn), heading, glow, mute=True)


def _card(scene: BoardScene, kind: int, law: int, box: Box, place: str) -> str:
    group_key = tiles.GROUP_KEYS[kind]
    glow = halo(box.x, box.y, box.w, box.h, 6)
    if law < 0:
        spoken = named(scene, "groups", group_key)[1]
        return scene.thing(f"{place}-{group_key}", _gap(kind, box), spoken, glow, explained=f"groups/{group_key}")
    key = tiles.LAW_KEYS[kind][law]
    spoken = named(scene, group_key, key)[1]
    card = law_card(kind, key, box)
    return scene.thing(f"{place}-{group_key}", card, spoken, glow, explained=f"{group_key}/{key}")


def _title(scene: BoardScene, layout: Layout) -> str:
    """Draw the name of the game, the rounds as suns, and while bids are made the closed hand."""
    position, box = scene.position, layout.title
    current = int(position.round_number)
    rounds, r = [], 10
    left, y = (box.x + 11, box.y + box.h - 14) if layout.wide else (box.x + 120, box.y + 18)
    pitch = 24.5 if layout.wide else 27
    for number in range(1, tiles.ROUNDS + 1):
        x = left + pitch * (number - 1)
        colours = "sun/line" if number == current else "paper/line" if number > current else "lot/line"
        sun = circle(colours, x, y, r + 1 if number == current else r, 1.4)
        written = "ink" if number == current else "text" if number > current else "muted"
        rounds.append(sun + label(str(number), x, y + 4.5, 13, colours=written))
    label_y = box.y + 35 if layout.wide else box.y + 29
    drawn = label("CUBA", box.x + 2, label_y, 31, anchor="start")
    spoken = translate(say("parliament, round {n} of {rounds}", n=max(1, current), rounds=tiles.ROUNDS), scene.language)
    drawn += group("".join(rounds), id="rounds", role="img", aria_label=spoken)
    return drawn + (_bid(scene, layout) if position.phase in (BID, SECOND_BID) else _starter(scene, layout))


def _starter(scene: BoardScene, layout: Layout) -> str:
    """Draw the starting player's hat over a piece of their colour."""
    seat, box = int(scene.position.starter), layout.title
    if seat < 0:
        return ""
    x, y = (box.x + box.w - 19, box.y + 6) if layout.wide else (box.x + box.w - 22, box.y - 8)
    body = seats.piece(scene.colour(seat), scene.letters[seat])
    figure = place_at(body, x, y + 44, 0.95) + symbol_at("starter", x - 14, y - 12, 28)
    return group(figure, id="starter", role="img", aria_label=scene.name(seat))


def _bid(scene: BoardScene, layout: Layout) -> str:
    """Draw the closed hand, which opens when all have bid."""
    position, box = scene.position, layout.title
    x, y = (box.x + box.w - 46, box.y) if layout.wide else (box.x + box.w - 48, box.y - 4)
    drawn = rect("paper/line", x, y, 44, 44, 10, width=1.4) + symbol_at("fist", x + 5, y + 4, 34)
    seat = scene.seat
    own = -1 if seat is None else int(position.bid[seat])
    if own >= 0:
        drawn += circle("sun/line", x + 36, y + 34, 10, 1.2) + label(
            str(own), x + 36, y + 38.5, 12, colours="ink", room=16
        )
    spoken = translate(names.pesos(own), scene.language) if own >= 0 else translate(names.votes(0), scene.language)
    return scene.thing("hand", drawn, spoken, halo(x, y, 44, 44, 10))
