"""Everything a refusal in Cuba may claim, and how to tell whether it is true."""

from __future__ import annotations

from malecon.games.cuba import names, tiles
from malecon.games.cuba.position import PHASES

GOODS = ["sugar cane", "citrus fruit", "tobacco", "rum", "cigar", "wood", "stone", "water"]


def kind(good: str) -> int:
    return GOODS.index(good.removesuffix("s"))


def held(position, seat: int, good: str) -> int:
    number = kind(good)
    return int(position.yard[seat, number]) + (int(position.stored[seat, number]) if number < 3 else 0)


def building(name: str) -> int:
    return [str(known) for known in names.BUILDINGS].index(name)


def character(name: str) -> int:
    return [str(known) for known in names.CHARACTERS].index(name)


def group(name: str) -> int:
    return [str(known) for known in names.GROUPS].index(name)


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
    r"you have (\d+) pesos?, this costs (\d+) pesos?": lambda p, s, have, cost: p.pesos[s] == int(have) < int(cost),
    r"you have only (\d+) pesos?": lambda p, s, have: p.pesos[s] == int(have),
    r"you have (\d+) (wood|stone|water), this costs (\d+) .+": lambda p, s, have, good, cost: (
        held(p, s, good) == int(have) < int(cost)
    ),
    r"you have no (.+)": lambda p, s, good: held(p, s, good) == 0,
    r"you have only (\d+) (.+?)s?": lambda p, s, n, good: held(p, s, good) == int(n) > 0,
    r"the supply has no (.+)": lambda p, s, good: p.supply[kind(good)] == 0,
    r"the supply has only (\d+) (.+?)s?": lambda p, s, n, good: p.supply[kind(good)] == int(n) > 0,
    r"you have already played the (.+) this round": lambda p, s, card: p.played[s] >> character(card) & 1,
    r"the (.+) is your envoy this round": lambda p, s, card: p.envoy[s] == character(card),
    r"no unused field of (.+) is in the figure’s row and column": lambda p, s, good: p.ripe[kind(good)] == 0,
    r"what was bought this turn cannot be sold this turn": lambda p, s: p.bought,
    r"what was sold this turn cannot be bought this turn": lambda p, s: p.sold,
    r"a free good is taken instead of trading, not as well": lambda p, s: p.bought | p.sold,
    r"the free material has been taken this round": lambda p, s: p.material_picked,
    r"the free crop has been taken this round": lambda p, s: p.crop_picked,
    r"only a crop with the lowest price is free": lambda p, s: len(set(p.market[:3].tolist())) > 1,
    r"the (.+) has already been built": lambda p, s, name: p.buildings_left[building(name)] == 0,
    r"the (.+) stands on this field": lambda p, s, name: building(name) in p.built[s],
    r"you have already loaded goods": lambda p, s: p.berth,
    r"load goods, or forgo the delivery": lambda p, s: not p.berth,
    r"the mayor loads only one ship, the one at berth (\d)": lambda p, s, berth: p.berth == int(berth),
    r"there is no ship at berth (\d)": lambda p, s, berth: p.ship_at[int(berth)] < 0,
    r"this ship takes no (.+)": lambda p, s, good: any(tiles.SHIP_WANTS[x, kind(good)] == 0 for x in ships(p)),
    r"this ship has no room left for (.+)": lambda p, s, good: p.cargo[:, kind(good)].any(),
    r"this ship has room only for (\d+) (.+)": lambda p, s, n, good: int(n) == 1,
    r"you do not have the (.+)": lambda p, s, name: not fields(p, s, name),
    r"the (.+) has been used this round": lambda p, s, name: all(p.used >> f & 1 for f in fields(p, s, name)),
    r"the (.+) is not in the figure’s row or column, so it can only be used alone": lambda p, s, name: (
        p.used and all(p.used >> f & 1 or not tiles.CROSS[p.figure[s]] >> f & 1 for f in fields(p, s, name))
    ),
    r"there are no crops in your yard": lambda p, s: not p.yard[s, :3].any(),
    r"the proposal of this group was vetoed: (.+)": lambda p, s, name: p.proposal[group(name)] < 0,
    r"this group was vetoed in the round before: (.+)": lambda p, s, name: p.vetoed_before == group(name),
    r"this ship is not in the deck": lambda p, s: True,
    r"this duty is paid in two goods of your choice; name them": lambda p, s: p.law[1] >= 4,
    r"the duty is another: (.+)": lambda p, s, name: str(names.LAWS[1][p.law[1]]) == name,
    r"only chance makes this move": lambda p, s: p.actor >= 0,
    r"this card cannot come up now": lambda p, s: p.actor == -1,
    r"first the cards must come up": lambda p, s: p.actor == -1,
    r"first two materials must be chosen to start with": lambda p, s: phase(p) == "start materials",
    r"first two crops must be chosen to start with": lambda p, s: phase(p) == "start crops",
    r"first an envoy must be laid down": lambda p, s: phase(p) == "envoy",
    r"first a character must be played": lambda p, s: phase(p) == "card",
    r"first the figure must be placed": lambda p, s: phase(p) == "figure",
    r"first the crops must be chosen": lambda p, s: phase(p) == "harvest",
    r"first more crops must be taken for water, or declined": lambda p, s: phase(p) == "irrigate",
    r"first the merchant’s business must end": lambda p, s: phase(p) == "trade",
    r"first a building must be chosen or forgone": lambda p, s: phase(p) == "build",
    r"first the new building must be placed on a field": lambda p, s: phase(p) == "site",
    r"first the foreman’s work must end": lambda p, s: phase(p) == "use",
    r"first the mayor’s delivery must end or be forgone": lambda p, s: phase(p) == "ship",
    r"first everybody must have bid": lambda p, s: phase(p) == "bid",
    r"first the players who are level must bid again": lambda p, s: phase(p) == "second bid",
    r"first two laws must be enacted": lambda p, s: phase(p) == "enact",
    r"first the tax must be paid or refused": lambda p, s: phase(p) == "tax",
    r"first the duty must be paid or refused": lambda p, s: phase(p) == "duty",
}
