"""The table of Cuba on one screen of plain text. Positions may be views: what is unknown is `?`."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.cuba import arrays, names, tiles
from malecon.games.cuba.insight.view import has_bid
from malecon.games.cuba.position import BID, NONE, SECOND_BID, plantation
from malecon.kernel.game import Name
from malecon.kernel.phrases import say
from malecon.kernel.verbs import Position
from malecon.text.languages import translate
from malecon.text.plain_text import UNKNOWN, columns, known


def screen(position: Position, seats: Sequence[Name], language: str) -> list[tuple[str, list[str]]]:
    """Return harbour, market, parliament, buildings for sale, players and plantations, each with its rows."""

    def t(phrase: Name) -> str:
        return translate(phrase, language)

    return [
        (t(say("harbour")), _harbour(position, language)),
        (t(say("market")), _market(position, language)),
        (t(say("Parliament and laws")), _parliament(position, language)),
        (t(say("buildings for sale (wood/stone/water)")), [_for_sale(position, language)]),
        (t(say("players; crops in the yard + in the warehouse")), _players(position, seats, language)),
        (
            t(say("plantations")),
            [_plantation(position, seat, seats, language) for seat in range(int(position.players))],
        ),
    ]


def _harbour(position: Position, language: str) -> list[str]:
    """Return a ship in each row: points for a unit, and of each good what is loaded and what it takes in all."""
    rows = []
    for berth in range(tiles.BERTHS, -1, -1):
        ship = int(position.ship_at[berth])
        place = translate(names.place(berth), language)
        if ship == NONE:
            rows.append(f"{place}: -")
            continue
        cargo = ", ".join(
            f"{translate(names.good(good), language)} {int(position.cargo[berth, good])}/{int(count)}"
            for good, count in enumerate(arrays.SHIP_WANTS[ship])
            if count
        )
        rows.append(f"{place}: {cargo}")
    return rows


def _market(position: Position, language: str) -> list[str]:
    goods = range(len(tiles.GOOD_KEYS))
    trade = range(len(tiles.TRADE_GOODS))
    rest = [""] * (len(goods) - len(trade))
    standing = [int(position.market[good]) for good in trade]
    return columns(
        [
            ["", *(translate(names.good(good), language) for good in goods)],
            [translate(say("buy"), language), *(str(tiles.DEAREST_PURCHASE - n) for n in standing), *rest],
            [translate(say("sell"), language), *(str(tiles.DEAREST_SALE - n) for n in standing), *rest],
            [translate(say("market"), language), *map(str, standing), *rest],
            [translate(say("supply"), language), *(str(int(position.supply[good])) for good in goods)],
        ]
    )


def _parliament(position: Position, language: str) -> list[str]:
    rows = []
    for title, cards in ((say("in force"), position.law), (say("proposed"), position.proposal)):
        laws = [translate(names.law(group, int(card)), language) for group, card in enumerate(cards) if card != NONE]
        rows.append(f"{translate(title, language)}: {'; '.join(laws) or '-'}")
    return rows


def _for_sale(position: Position, language: str) -> str:
    left = []
    for tile in range(len(tiles.BUILDING_KEYS)):
        if count := int(position.buildings_left[tile]):
            many = f" x{count}" if count > 1 else ""
            cost = "/".join(map(str, tiles.BUILDINGS[tile].cost))
            left.append(f"{translate(names.building(tile), language)}{many} {cost}")
    return ", ".join(left)


def _players(position: Position, seats: Sequence[Name], language: str) -> list[str]:
    goods = range(len(tiles.GOOD_KEYS))
    heads = [translate(head, language) for head in (say("points"), say("pesos"))]
    rows = [["", *heads, *(translate(names.good(good), language) for good in goods)]]
    cards = []
    for seat in range(int(position.players)):
        held = []
        for good in goods:
            stored = int(position.stored[seat, good]) if good < len(tiles.CROPS) else 0
            held.append(f"{int(position.yard[seat, good])}" + (f"+{stored}" if stored else ""))
        turn = "> " if seat == position.active else "  "
        numbers = (known(int(position.points[seat])), known(int(position.pesos[seat])))
        rows.append([turn + translate(seats[seat], language), *numbers, *held])
        played = [
            translate(names.character(card), language)
            for card in range(len(tiles.CHARACTER_KEYS))
            if position.played[seat] >> card & 1
        ]
        cards.append(f"{translate(seats[seat], language)}: {', '.join(played) or '-'}")
    bids = [f"{translate(seats[seat], language)} {_bid(position, seat)}" for seat in range(int(position.players))]
    starter = position.starter
    first = translate(seats[int(starter)], language) if starter >= 0 else UNKNOWN
    cards_played, starting_player = (
        translate(say("cards played"), language),
        translate(say("starting player"), language),
    )
    lines = [*columns(rows), f"{cards_played}: {'; '.join(cards)}", f"{starting_player}: {first}"]
    if position.phase in (BID, SECOND_BID):
        lines.append(translate(say("bids"), language) + f": {'; '.join(bids)}")
    return lines


def _bid(position: Position, seat: int) -> str:
    """Return a seat's bid; `?` if it lies face down, and `-` if there is none yet."""
    if position.bid[seat] >= 0:
        return str(int(position.bid[seat]))
    return UNKNOWN if has_bid(position, seat) else "-"


def _plantation(position: Position, seat: int, seats: Sequence[Name], language: str) -> str:
    """Return twelve fields in their order; the figure stands on the one in brackets."""
    land = arrays.PLANTATIONS[plantation(position, seat)]
    fields = []
    for number in range(tiles.FIELDS):
        built = int(position.built[seat, number])
        name = names.field(int(land[number])) if built < 0 else names.building(built)
        text = f"{number + 1} {translate(name, language)}"
        fields.append(f"[{text}]" if position.figure[seat] == number else text)
    return f"{translate(seats[seat], language)}: {', '.join(fields)}"
