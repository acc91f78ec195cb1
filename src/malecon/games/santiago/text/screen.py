"""The table of Santiago de Cuba on one screen of plain text. Positions may be views: what is unknown is `?`."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import arrays, names, tiles
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.text.languages import translate
from malecon.text.plain_text import columns, known


def screen(position: Position, seats: Sequence[Name], language: str) -> list[tuple[str, list[str]]]:
    """Return harbour, street, town and players, each with its rows."""

    def t(phrase: Name) -> str:
        return translate(phrase, language)

    return [
        (t(say("port")), _port(position, language)),
        (t(say("street")), _street(position, language)),
        (t(say("town")), _town(position, seats, language)),
        (t(say("players")), _players(position, seats, language)),
    ]


def _port(position: Position, language: str) -> list[str]:
    goods = [names.good(good) for good in range(len(tiles.GOOD_KEYS))]
    demand = [str(int(n)) if not position.departed else "-" for n in position.demand]
    if position.left_out >= 0:
        demand[int(position.left_out)] = "-"
    supply = [str(int(n)) for n in position.supply]
    heads = ["", *(translate(good, language) for good in goods)]
    rows = [
        heads,
        [translate(say("demand"), language), *demand, *[""] * (len(goods) - len(demand))],
        [translate(say("supply"), language), *supply],
    ]
    return [f"{translate(say('value'), language)}: {int(position.value)}", *columns(rows)]


def _street(position: Position, language: str) -> list[str]:
    """Return the stops in driving order, from the one where the car stands: steps, who is there, flower, gift."""
    rows = []
    for ahead in range(tiles.STOPS):
        stop = (int(position.car) + ahead) % tiles.STOPS
        steps = "*" if ahead == 0 else str(ahead)
        if stop == tiles.PORT:
            rows.append(f"{steps} {translate(say('port'), language)}")
            continue
        cuban = int(position.cuban_at[stop])
        if cuban < 0:
            continue
        if position.face_down >> cuban & 1:
            rows.append(f"{steps} {translate(say('{cuban}, face down', cuban=names.cuban(cuban)), language)}")
            continue
        flower = int(arrays.CUBAN_FLOWER[cuban])
        mark = f" ({translate(names.flower(flower), language)})" if flower != tiles.NO_FLOWER else ""
        rows.append(f"{steps} {translate(names.cuban(cuban), language)}{mark}: {translate(gift(cuban), language)}")
    return ["; ".join(rows)]


def gift(number: int) -> Phrase:
    """Return what a Cuban does for you, in two or three words."""
    cuban = tiles.CUBANS[number]
    if cuban.in_brief:
        return cuban.in_brief
    if cuban.goods:
        return names.goods(tiles.GOOD_KEYS.index(cuban.good), cuban.goods)
    return names.pesos(cuban.pesos) if cuban.pesos else names.points(cuban.points)


def _town(position: Position, seats: Sequence[Name], language: str) -> list[str]:
    rows = []
    for flower in range(len(tiles.FLOWERS)):
        cells = []
        for row in range(tiles.SITES_PER_FLOWER):
            building = int(position.building_at[flower * tiles.SITES_PER_FLOWER + row])
            if building < 0:
                continue
            marks: list[Phrase] = []
            owner = int(position.owner[building])
            if owner >= 0:
                marks.append(say("belongs to {who}", who=seats[owner]))
            for seat in range(int(position.players)):
                if position.piece[seat] == building:
                    marks.append(say("{who} stands there", who=seats[seat]))
            notes = ", ".join(translate(mark, language) for mark in marks)
            cells.append(translate(names.building(building), language) + (f" ({notes})" if notes else ""))
        rows.append(f"{translate(names.flower(flower), language)}: {', '.join(cells)}")
    return rows


def _players(position: Position, seats: Sequence[Name], language: str) -> list[str]:
    goods = [translate(names.good(good), language) for good in range(len(tiles.GOOD_KEYS))]
    heads = [translate(head, language) for head in (say("points"), say("pesos"))]
    rows = [["", *heads, *goods, translate(say("markers"), language)]]
    for seat in range(int(position.players)):
        held = (position.points[seat], position.pesos[seat], *position.goods[seat], position.markers[seat])
        turn = "> " if seat == position.active else "  "
        rows.append([turn + translate(seats[seat], language), *(known(int(value)) for value in held)])
    return columns(rows)
