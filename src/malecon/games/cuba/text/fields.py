"""What the fields around the figure have to offer, what buildings cost and what they give, as parts of sentences."""

from __future__ import annotations

from malecon.games.cuba import arrays, names, tiles
from malecon.games.cuba.position import plantation
from malecon.games.cuba.rules.architect import building_law_pesos
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position
from malecon.text.lists import listed


def within_reach(position: Position, seat: int, field: int) -> dict[int, int]:
    """Return how many fields without a building give each good, in the row and column of a field."""
    goods = arrays.PLANTATIONS[plantation(position, seat)]
    counts: dict[int, int] = {}
    for other in range(tiles.FIELDS):
        if arrays.CROSS[field] >> other & 1 and position.built[seat, other] < 0:
            good = int(goods[other])
            counts[good] = counts.get(good, 0) + 1
    return dict(sorted(counts.items()))


def field_of(position: Position, seat: int, field: int) -> Phrase:
    """Return what a field of a seat's plantation shows, whatever is built there."""
    return names.field(int(arrays.PLANTATIONS[plantation(position, seat), field]))


def cost_of(position: Position, building: int) -> Name:
    """Return what a building costs now: materials, and pesos under the building law."""
    materials = enumerate(arrays.BUILDING_COST[building].tolist(), tiles.WOOD)
    parts = [names.goods(material, count) for material, count in materials if count]
    pesos = int(building_law_pesos(position))
    return listed([*parts, names.pesos(pesos)] if pesos else parts)


def gain_of(building: int, times: int) -> Phrase:
    """Return what a building gives, a number of times."""
    record = tiles.BUILDINGS[building]
    if record.points:
        return names.points(times * record.points)
    if record.pesos:
        return names.pesos(times * record.pesos)
    return names.goods(tiles.GOOD_KEYS.index(record.good), times)


def pair(first: int, second: int) -> Name:
    """Return two goods: “2 wood”, “1 wood and 1 stone”."""
    return names.goods(first, 2) if first == second else listed([names.goods(first, 1), names.goods(second, 1)])
