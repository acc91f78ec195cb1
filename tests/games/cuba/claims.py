"""Everything a refusal in Cuba may claim, and how to tell whether it is true."""

from __future__ import annotations

from malecon.games.cuba import arrays, tiles
from malecon.games.cuba.position import PHASES

GOODS = ["sugar cane", "citrus fruit", "tobacco", "rum", "cigar", "wood", "stone", "water"]


def kind(good: str) -> int:
    return GOODS.index(good.removesuffix("s"))


def held(position, seat: int, good: str) -> int:
    number = kind(good)
    return int(position.yard[seat, number]) + (int(position.stored[seat, number]) if number < 3 else 0)


def building(name: str) -> int:
    return [str(record.name) for record in tiles.STANDING].index(name)


def character(name: str) -> int:
    return [str(record.name) for record in tiles.CHARACTERS].index(name)


def group(name: str) -> int:
    return [str(record.name) for record in tiles.GROUPS].index(name)


def fields(position, seat: int, name: str) -> list[int]:
    """Where a seat has a building; the printed warehouse counts as one."""
    also = tiles.PRINTED_WAREHOUSE if name == "Warehouse" else building(name)
    return [f for f in range(12) if position.built[seat, f] in (building(name), also)]


def phase(position) -> str:
    return PHASES[position.phase]


def ships(position) -> list[int]:
    return [ship for ship in position.ship_at[1:].tolist() if ship >= 0]


CLAIMS = {
    # What a refusal claims, and whether it is true of the position: (position, seat, what the pattern found).
    r"you have (\d+) pesos?; this costs (\d+) pesos?": lambda p, s, have, cost: p.pesos[s] == int(have) < int(cost),
    r"you have only (\d+) pesos?": lambda p, s, have: p.pesos[s] == int(have),
    r"you have (\d+) (wood|stone|water); this costs (\d+) .+": lambda p, s, have, good, cost: (
        held(p, s, good) == int(have) < int(cost)
    ),
    r"you have no (.+)": lambda p, s, good: held(p, s, good) == 0,
    r"you have only (\d+) (.+?)s?": lambda p, s, n, good: held(p, s, good) == int(n) > 0,
    r"the supply has no (.+) left": lambda p, s, good: p.supply[kind(good)] == 0,
    r"the supply has only (\d+) (.+?)s? left": lambda p, s, n, good: p.supply[kind(good)] == int(n) > 0,
    r"you have already played the (.+) this round": lambda p, s, card: p.played[s] >> character(card) & 1,
    r"the (.+) is your card for parliament this round": lambda p, s, card: p.envoy[s] == character(card),
    r"there is no unused (.+) field in the figure’s row or column": lambda p, s, good: p.ripe[kind(good)] == 0,
    r"you cannot sell a kind that you bought this turn \(our ruling\)": lambda p, s: p.bought,
    r"you cannot buy a kind that you sold this turn \(our ruling\)": lambda p, s: p.sold,
    r"you take a free good instead of trading, not in addition": lambda p, s: p.bought | p.sold,
    r"the free material has already been taken this round": lambda p, s: p.material_picked,
    r"the free crop has already been taken this round": lambda p, s: p.crop_picked,
    r"only a crop with the lowest price is free": lambda p, s: len(set(p.market[:3].tolist())) > 1,
    r"the (.+) is no longer in the supply": lambda p, s, name: p.buildings_left[building(name)] == 0,
    r"the (.+) stands on this field": lambda p, s, name: building(name) in p.built[s],
    r"you have already loaded something": lambda p, s: p.berth,
    r"load something, or decline the delivery": lambda p, s: not p.berth,
    r"the Mayor loads only one ship, the one at berth (\d)": lambda p, s, berth: p.berth == int(berth),
    r"there is no ship at berth (\d)": lambda p, s, berth: p.ship_at[int(berth)] < 0,
    r"this ship does not take (.+)": lambda p, s, good: any(arrays.SHIP_WANTS[x, kind(good)] == 0 for x in ships(p)),
    r"this ship has no room left for (.+)": lambda p, s, good: p.cargo[:, kind(good)].any(),
    r"this ship has room only for (\d+) (.+)": lambda p, s, n, good: int(n) == 1,
    r"you do not have the (.+)": lambda p, s, name: not fields(p, s, name),
    r"the (.+) has already been used this round": lambda p, s, name: all(p.used >> f & 1 for f in fields(p, s, name)),
    r"the (.+) is not in the figure’s row or column, so you can use it only on its own": lambda p, s, name: (
        p.used and all(p.used >> f & 1 or not arrays.CROSS[p.figure[s]] >> f & 1 for f in fields(p, s, name))
    ),
    r"there are no crops in your yard": lambda p, s: not p.yard[s, :3].any(),
    r"this group’s proposal has been vetoed: (.+)": lambda p, s, name: p.proposal[group(name)] < 0,
    r"you vetoed this group in the previous round: (.+)": lambda p, s, name: p.vetoed_before == group(name),
    r"this ship is not in the deck": lambda p, s: True,
    r"you choose the two goods for this duty; name them": lambda p, s: p.law[1] >= 4,
    r"a different duty is in force: (.+)": lambda p, s, name: (
        str(tiles.GROUPS[tiles.DUTY].laws[p.law[tiles.DUTY]].name) == name
    ),
    r"only chance can make this move": lambda p, s: p.actor >= 0,
    r"this card cannot come up here": lambda p, s: p.actor == -1,
    r"the cards must be turned up first": lambda p, s: p.actor == -1,
    r"choose your two starting materials first": lambda p, s: phase(p) == "start materials",
    r"choose your two starting crops first": lambda p, s: phase(p) == "start crops",
    r"first choose your card for parliament": lambda p, s: phase(p) == "envoy",
    r"play a character card first": lambda p, s: phase(p) == "card",
    r"place your figure first": lambda p, s: phase(p) == "figure",
    r"choose the crops first": lambda p, s: phase(p) == "harvest",
    r"first harvest more for water, or keep the water": lambda p, s: phase(p) == "irrigate",
    r"finish the Merchant’s trading first": lambda p, s: phase(p) == "trade",
    r"first choose a building, or decline to build": lambda p, s: phase(p) == "build",
    r"first choose a field for the new building": lambda p, s: phase(p) == "site",
    r"finish with the Foreman first": lambda p, s: phase(p) == "use",
    r"first finish the Mayor’s delivery, or decline it": lambda p, s: phase(p) == "ship",
    r"all the bids must be in first": lambda p, s: phase(p) == "bid",
    r"the tied players must bid again first": lambda p, s: phase(p) == "second bid",
    r"enact two laws first": lambda p, s: phase(p) == "enact",
    r"first pay the tax, or decline to": lambda p, s: phase(p) == "tax",
    r"first pay the duty, or decline to": lambda p, s: phase(p) == "duty",
}
