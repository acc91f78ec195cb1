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
    r"you have (\d+) pesos?, this (?:drive )?costs (\d+) pesos?": lambda p, s, have, cost: (
        p.pesos[s] == int(have) < int(cost)
    ),
    r"you have no peso to give": lambda p, s: p.pesos[s] == 0,
    r"you have no point to give": lambda p, s: p.points[s] == 0,
    r"you have no (sugar cane|citrus fruit|tobacco|rum|cigars|wood)": lambda p, s, good: p.goods[s, kind(good)] == 0,
    r"you have only (\d+) points?": lambda p, s, n: p.points[s] == int(n),
    r"you have only (\d+) (sugar cane|citrus fruit|tobacco|rum|cigar|wood)s?": lambda p, s, n, good: (
        p.goods[s, kind(good)] == int(n) > 0
    ),
    r"the supply has no (.+)": lambda p, s, good: p.supply[kind(good)] == 0,
    r"the supply has only (\d+) (.+?)s?": lambda p, s, n, good: p.supply[kind(good)] == int(n) > 0,
    r"the ship does not ask for (.+)": lambda p, s, good: p.demand[kind(good)] == 0,
    r"the ship asks only for (\d+) (.+?)s?": lambda p, s, n, good: p.demand[kind(good)] == int(n) > 0,
    r"the (.+) is occupied by (.+)": lambda p, s, place, who: p.piece[seat(who)] == building(place) != p.piece[s],
    r"the (.+) does not lie under a (.+) flower": lambda p, s, place, colour: (
        p.building_at.tolist().index(building(place)) // 3 != tiles.FLOWERS.index(colour)
    ),
    r"your piece already stands at the (.+) and must move on": lambda p, s, place: p.piece[s] == building(place),
    r"your piece is not at the (.+)": lambda p, s, place: p.piece[s] != building(place),
    r"the (.+) belongs to (.+)": lambda p, s, place, who: p.owner[building(place)] == seat(who) != s,
    r"the (.+) is already yours": lambda p, s, place: p.owner[building(place)] == s,
    r"the (.+) is not yours to use": lambda p, s, place: p.owner[building(place)] != s,
    r"you have no property marker left": lambda p, s: p.markers[s] == 0,
    r"the value cannot fall below 2": lambda p, s: p.value == 2,
    r"(.+) is already face down": lambda p, s, who: p.face_down >> cuban(who) & 1,
    r"only chance makes this move": lambda p, s: p.actor >= 0,
    r"this tile or face cannot come up now": lambda p, s: p.actor == -1,
    r"first the dice or tiles must come up": lambda p, s: p.actor == -1,
    r"first the car must drive": lambda p, s: phase(p) == "drive",
    r"first a good must be chosen from Pablo": lambda p, s: phase(p) == "pablo",
    r"first El Zorro must be given a peso, a good or a point": lambda p, s: phase(p) == "zorro",
    r"first Alonso’s services must be used or declined": lambda p, s: phase(p) == "alonso",
    r"first the piece must move to a building": lambda p, s: phase(p) == "visit",
    r"first the building must be used or declined": lambda p, s: phase(p) == "use",
    r"first the delivery round must end": lambda p, s: phase(p) == "deliver",
    r"first one die must be left out of the new demand": lambda p, s: phase(p) == "demand",
}
PLACES = "Bank,Church,Distillery,Cigar factory,Black market,Sawmill,Café,Customs office,Casino,"
PLACES = [*PLACES.split(",")[:-1], "Harbormaster’s office", "Office", "Newspaper"]
