"""The board of Santiago de Cuba in the terminal, as one seat sees it."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from malecon.games.santiago import names, tiles
from malecon.games.santiago.text.screen import gift
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.text import translate

SEAT_STYLES = ("red", "blue", "yellow", "green")
SEAT_MARKS = ("●", "■", "▲", "◆")  # shapes, so that colour is never the only sign
#: The sign of each flower, and the style it is written in.
FLOWERS = {
    "white": ("✿", "bright_white"),
    "yellow": ("⚘", "yellow"),
    "blue": ("❀", "bright_blue"),
    "red": ("✾", "red"),
}
GOOD_STYLES = {
    "sugar": "bright_white",
    "citrus": "orange1",
    "tobacco": "green",
    "rum": "red",
    "cigars": "orange4",
    "wood": "tan",
}
CAR = "🚗"


def board(view: View, language: str) -> RenderableType:
    return Group(
        Columns([_street(view, language), _port(view, language)]), _town(view, language), _players(view, language)
    )


def _seat(seat: int) -> Text:
    return Text(SEAT_MARKS[seat], SEAT_STYLES[seat])


def _street(view: View, language: str) -> RenderableType:
    """Show the stops in driving order, beginning after the car: how far each is, who stands there, which flower."""
    position = view.position
    table = Table(box=None, pad_edge=False, show_header=False)
    for ahead in range(tiles.STOPS):
        stop = (position.car + ahead) % tiles.STOPS
        steps = Text(CAR if ahead == 0 else str(ahead), "bold")
        if stop == tiles.PORT:
            table.add_row(steps, Text("★ " + translate(say("port"), language), "bold yellow"), "")
            continue
        cuban = int(position.cuban_at[stop])
        flower = tiles.CUBANS[cuban].flower
        name = Text(translate(names.cuban(cuban), language))
        if position.face_down >> cuban & 1:
            name.stylize("dim strike")
        mark = Text(*FLOWERS[flower]) if flower else Text("–", "dim")
        table.add_row(steps, name, mark, Text(translate(gift(cuban), language), "dim"))
    return Panel(table, title=translate(say("street"), language), border_style="dim", expand=False)


def _port(view: View, language: str) -> RenderableType:
    position = view.position

    def t(phrase: Phrase) -> str:
        return translate(phrase, language)

    table = Table(box=None, pad_edge=False, show_header=False)
    ship = min(int(position.ship), tiles.SHIPS)
    table.add_row(t(say("ship")), Text("▪" * (ship - 1) + "⛴" + "▫" * (tiles.SHIPS - ship)))
    flags = Text()
    for value in range(tiles.LOWEST_VALUE, tiles.HIGHEST_VALUE + 1):
        here = value == position.value
        flags.append(f"[{value}]" if here else f" {value} ", "bold" if here else "dim")
    table.add_row(t(say("value")), flags.append(" 🏁"))
    table.add_row("", "")
    heads = (t(say("good")), t(say("demand")), t(say("supply")))
    goods = Table(box=None, pad_edge=False, header_style="dim")
    for head in heads:
        goods.add_column(head, justify="left" if head == heads[0] else "right")
    for good, key in enumerate(tiles.GOOD_KEYS):
        demand = ""
        if good < len(tiles.DEMANDED) and not position.departed:
            demand = "–" if good == position.left_out else str(position.demand[good])
        goods.add_row(Text(translate(names.good(good), language), GOOD_STYLES[key]), demand, str(position.supply[good]))
    return Panel(Group(table, goods), title=translate(say("port"), language), border_style="dim", expand=False)


def _town(view: View, language: str) -> RenderableType:
    """Show the twelve buildings in four columns under their flowers, with owners' markers and pieces."""
    position = view.position
    table = Table(box=None, pad_edge=False)
    for flower in tiles.FLOWERS:
        mark, style = FLOWERS[flower.key]
        head = Text(f"{mark} {translate(flower.name, language)}", style)
        table.add_column(head, min_width=22)
    for row in range(tiles.SITES_PER_FLOWER):
        cells = []
        for first in range(0, tiles.SITES, tiles.SITES_PER_FLOWER):
            building = int(position.building_at[first + row])
            cell = Text(translate(names.building(building), language))
            owner = int(position.owner[building])
            if owner >= 0:
                cell.append(" ⚑", SEAT_STYLES[owner]).append(SEAT_MARKS[owner], SEAT_STYLES[owner])
            for seat in range(position.players):
                if position.piece[seat] == building:
                    cell.append(" ").append("♟", SEAT_STYLES[seat]).append(SEAT_MARKS[seat], SEAT_STYLES[seat])
            cells.append(cell)
        table.add_row(*cells)
    return Panel(table, title=translate(say("town"), language), border_style="dim", expand=False)


def _players(view: View, language: str) -> RenderableType:
    position = view.position

    def t(phrase: Phrase) -> str:
        return translate(phrase, language)

    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    goods = [translate(names.good(good), language) for good in range(len(tiles.GOOD_KEYS))]
    for head in (t(say("points")), t(say("pesos")), *goods, t(say("markers"))):
        table.add_column(head, justify="right")
    for seat in range(position.players):
        held = (position.points[seat], position.pesos[seat], *position.goods[seat], position.markers[seat])
        name = _seat(seat).append(" " + translate(view.names[seat], language), SEAT_STYLES[seat])
        if seat == position.active:
            name.stylize("bold underline")
        table.add_row(name, *("▒" if value < 0 else str(value) for value in held))
    return Panel(table, title=t(say("players")), border_style="dim", expand=False)
