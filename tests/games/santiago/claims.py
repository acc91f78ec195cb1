"""Everything a refusal in Santiago de Cuba may claim, and how to tell whether it is true."""

from __future__ import annotations

from malecon.games.santiago import tiles
from malecon.games.santiago.position import PHASES


def kind(good: str) -> int:
    return ["sugar cane", "citrus fruit", "tobacco", "rum", "cigar", "wood"].index(good.removesuffix("s"))


def building(name: str) -> int:
    return PLACES.index(name)


def seat(name: str) -> int:
    return ["Red", "Blue", "Yellow", "Green"].index(name)


def cuban(name: str) -> int:
    return ["Pedro", "Maria", "José", "Martinez", "Conchita", "El Zorro", "Miguel", "Pablo", "Alonso"].index(name)


def phase(position) -> str:
    return PHASES[position.phase]


CLAIMS = {
    # What a refusal claims, and whether it is true of the position: (position, seat, what the pattern found).
    r"you have (\d+) pesos?; this (?:drive )?costs (\d+) pesos?": lambda p, s, have, cost: (
        p.pesos[s] == int(have) < int(cost)
    ),
    r"you have no peso to give": lambda p, s: p.pesos[s] == 0,
    r"you have no point to give": lambda p, s: p.points[s] == 0,
    r"you have no (sugar cane|citrus fruit|tobacco|rum|cigars|wood)": lambda p, s, good: p.goods[s, kind(good)] == 0,
    r"you have only (\d+) points?": lambda p, s, n: p.points[s] == int(n),
    r"you have only (\d+) (sugar cane|citrus fruit|tobacco|rum|cigar|wood)s?": lambda p, s, n, good: (
        p.goods[s, kind(good)] == int(n) > 0
    ),
    r"the supply has no (.+) left": lambda p, s, good: p.supply[kind(good)] == 0,
    r"the supply has only (\d+) (.+?)s? left": lambda p, s, n, good: p.supply[kind(good)] == int(n) > 0,
    r"the ship does not ask for (.+)": lambda p, s, good: p.demand[kind(good)] == 0,
    r"the ship asks only for (\d+) (.+?)s?": lambda p, s, n, good: p.demand[kind(good)] == int(n) > 0,
    r"the (.+) is occupied by (.+)’s piece": lambda p, s, place, who: (
        p.piece[seat(who)] == building(place) != p.piece[s]
    ),
    r"the (.+) is not under a (.+) flower": lambda p, s, place, colour: (
        p.building_at.tolist().index(building(place)) // 3 != tiles.FLOWER_KEYS.index(colour)
    ),
    r"your piece already stands at the (.+) and must move on": lambda p, s, place: p.piece[s] == building(place),
    r"your piece is not at the (.+)": lambda p, s, place: p.piece[s] != building(place),
    r"the (.+) belongs to (.+)": lambda p, s, place, who: p.owner[building(place)] == seat(who) != s,
    r"the (.+) is already yours": lambda p, s, place: p.owner[building(place)] == s,
    r"the (.+) does not belong to you": lambda p, s, place: p.owner[building(place)] != s,
    r"you have no property marker left": lambda p, s: p.markers[s] == 0,
    r"the value cannot fall below 2": lambda p, s: p.value == 2,
    r"(.+) is already face down": lambda p, s, who: p.face_down >> cuban(who) & 1,
    r"only chance can make this move": lambda p, s: p.actor >= 0,
    r"this tile or die face cannot come up here": lambda p, s: p.actor == -1,
    r"first the dice must be rolled or the tiles laid out": lambda p, s: p.actor == -1,
    r"drive the car first": lambda p, s: phase(p) == "drive",
    r"choose a good from Pablo first": lambda p, s: phase(p) == "pablo",
    r"first give El Zorro a peso, a good or a point": lambda p, s: phase(p) == "zorro",
    r"first use Alonso’s help, or decline it": lambda p, s: phase(p) == "alonso",
    r"move your piece to a building first": lambda p, s: phase(p) == "visit",
    r"first use the building, or decline to": lambda p, s: phase(p) == "use",
    r"the delivery round must end first": lambda p, s: phase(p) == "deliver",
    r"first choose the die to leave out": lambda p, s: phase(p) == "demand",
}
PLACES = "Bank,Church,Distillery,Cigar factory,Black market,Sawmill,Café,Customs office,Casino,"
PLACES = [*PLACES.split(",")[:-1], "Harbormaster’s office", "Office", "Newspaper"]
