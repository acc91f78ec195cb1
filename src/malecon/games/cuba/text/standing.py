"""How a game of Cuba stands, in sentences. Positions may be views: what is unknown is not told."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.cuba import arrays, names, tiles
from malecon.games.cuba.position import NONE, plantation
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.text.lists import commas
from malecon.text.rulebook import Section


def chapter(position: Position) -> Phrase | None:
    """Return which part of the game this is."""
    return say("Round {n} of {rounds}", n=max(1, int(position.round_number)), rounds=tiles.ROUNDS)


def summary(position: Position, seats: Sequence[Name]) -> list[Phrase]:
    """Return what people ask first: what the ships want, and the laws."""
    return [*_ships(position), *_laws(position)]


def sections(position: Position, seats: Sequence[Name]) -> list[Section]:
    """Return the whole table: harbour, market, parliament, buildings for sale, and what each player has."""
    board = [
        Section(say("The harbour"), tuple(_ships(position))),
        Section(say("The market"), tuple(stall(position, good) for good in range(len(tiles.TRADE_GOODS)))),
        Section(say("Parliament and laws"), (*_laws(position), *_proposals(position))),
        Section(say("The buildings"), tuple(_for_sale(position, tile) for tile in range(len(tiles.BUILDING_KEYS)))),
    ]
    players = range(int(position.players))
    return [*board, *(Section(say("{who}", who=seats[seat]), tuple(_player(position, seat))) for seat in players)]


def stall(position: Position, good: int) -> Phrase:
    """Return a stall of the market with its prices."""
    standing, spaces = int(position.market[good]), int(arrays.MARKET_SPACES[good])
    price, sale = names.pesos(tiles.DEAREST_PURCHASE - standing), names.pesos(tiles.DEAREST_SALE - standing)
    if standing == spaces:
        text = say(
            "{goods} on the market, all {spaces} spaces full: one costs {price}; sold to the supply, one pays {sale}."
        )
    elif standing:
        text = say("{goods} on the market, {spaces} spaces: one costs {price}, selling one pays {sale}.")
    elif position.supply[good] > 0:
        text = say(
            "{goods} on the market, {spaces} spaces: from the supply, one costs {price}; selling one pays {sale}."
        )
    else:
        text = say("{goods} on the market, {spaces} spaces: none to buy; selling one pays {sale}.")
    return text.fill(goods=names.goods(good, standing), spaces=spaces, price=price, sale=sale)


def field(seat_field: int, name: Name) -> Phrase:
    """Return a field by the number that moves call it by."""
    return say("Field {n}: {name}", n=seat_field + 1, name=name)


def _ships(position: Position) -> list[Phrase]:
    sentences = []
    for berth in range(tiles.BERTHS, -1, -1):
        ship = int(position.ship_at[berth])
        if ship == NONE:
            continue
        left = arrays.SHIP_WANTS[ship] - position.cargo[berth]
        units: list[Name] = [names.goods(good, int(n)) for good, n in enumerate(left) if n > 0]
        goods = commas(units) if units else say("nothing more")
        sentence = say("The ship {place} wants {goods}.", place=names.place(berth), goods=goods)
        if berth:
            each = names.points(berth)
            sentence = say("The ship {place} wants {goods}; each unit earns {points}.",
                       place=names.place(berth), goods=goods, points=each)  # fmt: skip
        sentences.append(sentence)
    return sentences


def _laws(position: Position) -> list[Phrase]:
    laws: list[Name] = [names.law(group, int(law)) for group, law in enumerate(position.law) if law >= 0]
    return [say("The laws: {laws}.", laws=commas(laws))] if laws else []


def _proposals(position: Position) -> list[Phrase]:
    laws: list[Name] = [names.law(group, int(law)) for group, law in enumerate(position.proposal) if law >= 0]
    return [say("The proposals: {laws}.", laws=commas(laws))] if laws else []


def _for_sale(position: Position, tile: int) -> Phrase:
    if not position.buildings_left[tile]:
        return say("{building}: sold.", building=names.building(tile))
    cost: list[Name] = [
        names.goods(tiles.WOOD + kind, int(n)) for kind, n in enumerate(arrays.BUILDING_COST[tile]) if n
    ]
    left = int(position.buildings_left[tile])
    return say("{building}: costs {goods}; {n} left.", building=names.building(tile), goods=commas(cost), n=left)


def _player(position: Position, seat: int) -> list[Phrase]:
    held: list[Name] = [names.pesos(int(position.pesos[seat]))] if position.pesos[seat] >= 0 else []
    held += [names.points(int(position.points[seat]))]
    held += [names.goods(good, int(n)) for good, n in enumerate(position.yard[seat]) if n > 0]
    sentences = [say("Has {things}.", things=commas(held))]
    stored: list[Name] = [names.goods(good, int(n)) for good, n in enumerate(position.stored[seat]) if n > 0]
    if stored:
        sentences.append(say("In the warehouse: {things}.", things=commas(stored)))
    cards: list[Name] = [
        names.character(card) for card in range(len(tiles.CHARACTER_KEYS)) if position.played[seat] >> card & 1
    ]
    sentences.append(say("Cards played: {cards}.", cards=commas(cards)) if cards else say("No card played yet."))
    land = arrays.PLANTATIONS[plantation(position, seat)]
    for number in range(tiles.FIELDS):
        built = int(position.built[seat, number])
        name = names.field(int(land[number])) if built < 0 else names.building(built)
        sentence = field(number, name)
        if position.figure[seat] == number:
            sentence = say("{thing}; the figure stands there", thing=sentence)
        sentences.append(say("{thing}.", thing=sentence))
    return sentences
