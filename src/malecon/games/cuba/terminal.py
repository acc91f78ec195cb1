"""The board of Cuba in the terminal, as one seat sees it."""

from __future__ import annotations

from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from malecon.games.cuba import arrays, names, tiles
from malecon.games.cuba.position import NONE, plantation
from malecon.games.cuba.rules.foreman import function_of
from malecon.kernel.phrases import Phrase, say
from malecon.match import View
from malecon.text import translate

SEAT_STYLES = ("blue", "red", "yellow", "green", "magenta")
SEAT_MARKS = ("■", "●", "▲", "◆", "★")  # shapes, so that colour is never the only sign
GOOD_STYLES = {
    "sugar": "bright_white",
    "citrus": "orange1",
    "tobacco": "green",
    "rum": "red",
    "cigars": "orange4",
    "wood": "tan",
    "stone": "grey70",
    "water": "bright_blue",
}
FIGURE = "♟"


def board(view: View, language: str) -> RenderableType:
    return Group(
        Columns([_parliament(view, language), _harbour(view, language)]),
        Columns([_market(view, language), _buildings(view, language)]),
        Columns([_plantation(view, seat, language) for seat in range(view.position.players)]),
        _players(view, language),
    )


def _panel(inside: RenderableType, title: Phrase, language: str) -> Panel:
    return Panel(inside, title=translate(title, language), border_style="dim", expand=False)


def _parliament(view: View, language: str) -> Panel:
    """Show the laws in force and the proposals, group by group."""
    position = view.position
    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in ("", translate(say("in force"), language), translate(say("proposed"), language)):
        table.add_column(head)
    for group, record in enumerate(tiles.GROUPS):
        cells = []
        for card in (int(position.law[group]), int(position.proposal[group])):
            cells.append(Text("–", "dim") if card == NONE else Text(translate(names.law(group, card), language)))
        if position.vetoed_before == group:
            cells[1].append(" ⛨", "dim")  # the church cannot strike this group again
        table.add_row(Text(record.numeral, "bold"), *cells)
    title = say("parliament, round {n} of {rounds}", n=max(1, int(position.round_number)), rounds=tiles.ROUNDS)
    return _panel(table, title, language)


def _harbour(view: View, language: str) -> Panel:
    """Show the ships from berth 3 to the high seas: spaces filled and free."""
    position = view.position
    table = Table(box=None, pad_edge=False, show_header=False)
    for berth in range(tiles.BERTHS, -1, -1):
        place = translate(say("high seas"), language) if berth == tiles.HIGH_SEA else "★" * berth
        ship = int(position.ship_at[berth])
        spaces = Text("–", "dim")
        if ship != NONE:
            spaces = Text()
            for good in range(len(tiles.TRADE_GOODS)):
                loaded = int(position.cargo[berth, good])
                for unit in range(int(arrays.SHIP_WANTS[ship, good])):
                    style = f"{_style(good)} {'reverse' if unit < loaded else ''}"
                    spaces.append(f"{'[' if unit < loaded else ' '}{_letter(good, language)}", style)
                    spaces.append("]" if unit < loaded else " ")
        table.add_row(Text(place, "yellow"), spaces)
    return _panel(table, say("harbour"), language)


def _style(good: int) -> str:
    return GOOD_STYLES[tiles.GOOD_KEYS[good]]


def _letter(good: int, language: str) -> str:
    """Return three letters of a good's name: enough to tell them apart in every language."""
    return translate(names.good(good), language)[:3]


def _market(view: View, language: str) -> Panel:
    position = view.position
    table = Table(box=None, pad_edge=False, header_style="dim")
    for head in (
        "",
        translate(say("buy"), language),
        translate(say("sell"), language),
        translate(say("supply"), language),
    ):
        table.add_column(head, justify="right" if head else "left")
    for good in range(len(tiles.GOOD_KEYS)):
        prices = ("", "")
        if good < len(tiles.TRADE_GOODS):
            standing = int(position.market[good])
            prices = (str(tiles.DEAREST_PURCHASE - standing), str(tiles.DEAREST_SALE - standing))
        name = Text(translate(names.good(good), language), _style(good))
        table.add_row(name, *prices, Text(str(position.supply[good]), "dim"))
    return _panel(table, say("market"), language)


def _buildings(view: View, language: str) -> Panel:
    """Show what is still for sale, with its cost in wood, stone and water."""
    position = view.position
    left = [tile for tile in range(len(tiles.BUILDING_KEYS)) if position.buildings_left[tile] > 0]
    table = Table(box=None, pad_edge=False, show_header=False)
    rows = -(-len(left) // 3)
    for row in range(rows):
        cells: list[Text] = []
        for tile in left[row::rows]:
            count = int(position.buildings_left[tile])
            name = translate(names.building(tile), language) + (f" ×{count}" if count > 1 else "")
            cost = Text("/".join(map(str, tiles.BUILDINGS[tile].cost)), "dim")
            cells += [Text(name), cost]
        table.add_row(*cells)
    return _panel(table, say("buildings for sale (wood/stone/water)"), language)


def _plantation(view: View, seat: int, language: str) -> Panel:
    """Show three rows of four fields: what each gives, or what is built on it; the figure."""
    position = view.position
    plan = plantation(position, seat)
    table = Table(box=None, pad_edge=False, show_header=False)
    for row in range(tiles.FIELDS // tiles.COLUMNS):
        cells = []
        for field in range(row * tiles.COLUMNS, (row + 1) * tiles.COLUMNS):
            building = int(position.built[seat, field])
            if building >= 0:
                cell = Text(translate(names.building(int(function_of(building))), language), "bold")
            else:
                good = int(arrays.PLANTATIONS[plan, field])
                cell = Text(translate(names.good(good), language), _style(good))
            figure = FIGURE if position.figure[seat] == field else ""
            cells.append(Text(f"{field + 1} ", "dim").append(cell).append(figure, SEAT_STYLES[seat]))
        table.add_row(*cells)
    title = Text(f"{SEAT_MARKS[seat]} {translate(view.names[seat], language)}", SEAT_STYLES[seat])
    return Panel(table, title=title, border_style=SEAT_STYLES[seat], expand=False)


def _players(view: View, language: str) -> Panel:
    position = view.position
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("")
    goods = (_letter(good, language) for good in range(len(tiles.GOOD_KEYS)))
    for head in (translate(say("points"), language), translate(say("pesos"), language), *goods):
        table.add_column(head, justify="right")
    table.add_column(translate(say("cards played"), language))
    for seat in range(position.players):
        name = Text(f"{SEAT_MARKS[seat]} {translate(view.names[seat], language)}", SEAT_STYLES[seat])
        if seat == position.starter:
            name.append(" ⚑", "bold")
        if seat == position.active:
            name.stylize("bold underline")
        held = []
        for good in range(len(tiles.GOOD_KEYS)):
            stored = int(position.stored[seat, good]) if good < len(tiles.CROPS) else 0
            held.append(f"{position.yard[seat, good]}" + (f"+{stored}" if stored else ""))
        cards = ", ".join(
            translate(names.character(card), language)
            for card in range(len(tiles.CHARACTER_KEYS))
            if position.played[seat] >> card & 1
        )
        table.add_row(name, str(position.points[seat]), str(position.pesos[seat]), *held, Text(cards, "dim"))
    return _panel(table, say("players; crops in the yard + in the warehouse"), language)
