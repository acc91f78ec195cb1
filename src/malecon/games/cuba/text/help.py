"""The glossary of Cuba: every name with one sentence of explanation, for help texts and tooltips.

Numbers come from the game's tables, so that a corrected table corrects its explanation too. Phases, sources,
criteria and options, which are not on the board, are in `outline`.
"""

from __future__ import annotations

from functools import cache

from malecon.games.cuba import names, tiles
from malecon.games.cuba.text import outline
from malecon.games.cuba.text.fields import gain_of
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import Entry, Glossary
from malecon.text.lists import listed

#: What the fields of a plantation are called in the glossary, by the good they give.
FIELDS = {"warehouse": tiles.YIELDLESS} | {
    tiles.GOODS[good]: good for good in (tiles.SUGAR, tiles.CITRUS, tiles.TOBACCO, tiles.WOOD, tiles.STONE, tiles.WATER)
}


@cache
def glossary() -> Glossary:
    laws = {group: _laws(number) for number, group in enumerate(tiles.GROUPS)}
    return {
        "characters": _characters(),
        "buildings": _buildings(),
        "goods": _goods(),
        "fields": _fields(),
        "berths": _berths(),
        "groups": _groups(),
        **laws,
        "phases": outline.phases(),
        "sources": outline.sources(),
        "criteria": outline.criteria(),
        "options": outline.options(),
        "plantations": outline.plantations(),
    }


def _characters() -> dict[str, Entry]:
    texts = {
        tiles.WORKER: say(
            "Place your figure and harvest in its row and column: every material field and up to {crops} "
            "crop fields, plus one more for each water you pay.",
            crops=tiles.FREE_CROP_FIELDS,
        ),
        tiles.MERCHANT: say(
            "Buy and sell as many trade goods on the market as you like. Or take a material, or a crop at "
            "the lowest price, for free: each of the two once a round, for all players together."
        ),
        tiles.ARCHITECT: say(
            "Build on a field of your plantation. Or build nothing: the first player to do so in a round "
            "gets {first} points, the second {second}.",
            first=int(tiles.ARCHITECT_POINTS[0]),
            second=int(tiles.ARCHITECT_POINTS[1]),
        ),
        tiles.FOREMAN: say(
            "Use each of your buildings in the row and column of your figure once, or a single one anywhere."
        ),
        tiles.MAYOR: say(
            "Load as many goods as you like onto one ship in the harbour. Or deliver nothing: the first "
            "player to do so in a round gets {first} pesos, the second {second}.",
            first=int(tiles.MAYOR_PESOS[0]),
            second=int(tiles.MAYOR_PESOS[1]),
        ),
    }
    return {
        key: Entry(
            names.character(card),
            say("{service} In parliament: {votes}.", service=texts[card], votes=names.votes(card + 1)),
        )
        for card, key in enumerate(tiles.CHARACTERS)
    }


def _buildings() -> dict[str, Entry]:
    def turned(building: int) -> Phrase:
        facts = tiles.BUILDING_FACTS[building]
        goods, points = names.goods(int(tiles.USE_TAKES[building]), facts.times), gain_of(building, 1)
        return say("You turn up to {goods} into {points} each.", goods=goods, points=points)

    def gift(building: int) -> Phrase:
        times = tiles.BUILDING_FACTS[building].times
        return say("You get {gain}.", gain=gain_of(building, times))

    gifts = (tiles.HOTEL, tiles.HOSTEL, tiles.SMALL_BANK, tiles.LARGE_BANK, tiles.DAM)
    mills = (tiles.CEMENT_WORKS, tiles.SAWMILL, tiles.GOLF_COURSE, tiles.RUM_CAFE, tiles.CIGAR_CAFE)
    texts = {building: gift(building) for building in gifts} | {building: turned(building) for building in mills}
    texts |= {
        tiles.MONASTERY: say(
            "You turn up to {most} crops into {points} each.",
            most=tiles.BUILDING_FACTS[tiles.MONASTERY].times,
            points=gain_of(tiles.MONASTERY, 1),
        ),
        tiles.SMALL_OFFICE: say("You load 1 trade good onto a ship in the harbour, for its points."),
        tiles.LARGE_OFFICE: say("You load up to 2 trade goods of the same kind onto one ship, for its points."),
        tiles.WARE_SHOP: say("You sell 1 ware for {pesos}.", pesos=gain_of(tiles.WARE_SHOP, 1)),
        tiles.CROP_SHOP: say("You sell 1 crop for {pesos}.", pesos=gain_of(tiles.CROP_SHOP, 1)),
        tiles.MATERIAL_SHOP: say("You sell up to 2 materials for {pesos} each.", pesos=gain_of(tiles.MATERIAL_SHOP, 1)),
        tiles.BLACK_MARKET: say("You swap 1 trade good for 1 of another kind from the supply."),
        tiles.CIGAR_FACTORY: say("You turn as much tobacco as you like into cigars."),
        tiles.DISTILLERY: say("You turn as much sugar cane as you like into rum."),
        tiles.CHURCH: say("You veto a proposal: it leaves the game. Next round you cannot veto the same group."),
        tiles.TOWN_HALL: say(
            "You get {votes} more in parliament this round.", votes=names.votes(tiles.TOWN_HALL_VOTES)
        ),
        tiles.LIGHTHOUSE: say("You swap the ship on the high seas for any one in the deck."),
        tiles.WAREHOUSE: say("You store all the crops in your yard, so they are not lost at the end of the round."),
    }
    return {
        key: Entry(names.building(tile), say("{use} Costs {cost}.", use=texts[tile], cost=_cost(tile)))
        for tile, key in enumerate(tiles.BUILDINGS)
    }


def _cost(tile: int) -> Phrase | str:
    materials = enumerate(tiles.BUILDING_COST[tile].tolist(), tiles.WOOD)
    return listed([names.goods(material, count) for material, count in materials if count])


def _goods() -> dict[str, Entry]:
    crop = say("A crop and a trade good. In the yard it is lost at the end of the round; in the warehouse it keeps.")
    texts = {
        tiles.SUGAR: crop,
        tiles.CITRUS: crop,
        tiles.TOBACCO: crop,
        tiles.RUM: say("A ware and a trade good, made from sugar cane in the Distillery."),
        tiles.CIGARS: say("A ware and a trade good, made from tobacco in the Cigar factory."),
        tiles.WOOD: say("A material, from the forests."),
        tiles.STONE: say("A material, from the mountains."),
        tiles.WATER: say("A material, from the lake; the Worker can also spend it on more crops."),
    }
    return {key: Entry(names.good(kind), texts[kind]) for kind, key in enumerate(tiles.GOODS)}


def _fields() -> dict[str, Entry]:
    def text(good: int) -> Phrase:
        if good == tiles.YIELDLESS:
            return say("It is there from the start: the Foreman stores crops in it, and nothing can be built over it.")
        if good < len(tiles.CROPS):
            return say("A crop field: the Worker may harvest {gain} here.", gain=names.goods(good, 1))
        return say("A material field: it gives the Worker {gain}.", gain=names.goods(good, 1))

    return {key: Entry(names.field(good), text(good)) for key, good in FIELDS.items()}


def _berths() -> dict[str, Entry]:
    """From berth 3 to the high seas, as the ships lie."""
    entries = {
        str(berth): Entry(
            Phrase("Berth {berth}", {"berth": berth}, context="berth"),
            say("Each good loaded here is worth {points}.", points=names.points(berth)),
        )
        for berth in range(tiles.BERTHS, 0, -1)
    }
    at_sea = Entry(
        Phrase("High seas", context="berth"),
        say("This ship cannot be loaded yet; it is the next to enter the harbour."),
    )
    return entries | {str(tiles.HIGH_SEA): at_sea}


def _groups() -> dict[str, Entry]:
    entries = (
        Entry(
            Phrase("Tax laws", context="group"),
            say("Paying the tax earns {points}.", points=names.points(tiles.TAX_POINTS)),
        ),
        Entry(
            Phrase("Duty laws", context="group"),
            say(
                "Paying the duty earns {points}, and {extra} more if you have also paid the tax.",
                points=names.points(tiles.DUTY_POINTS),
                extra=names.points(tiles.BOTH_POINTS),
            ),
        ),
        Entry(
            Phrase("Subsidy laws", context="group"), say("They give points for what you have, and cost you nothing.")
        ),
        Entry(Phrase("Other laws", context="group"), say("They change the market, the characters, or parliament.")),
    )
    return dict(zip(tiles.GROUPS, entries, strict=True))


def _laws(group: int) -> dict[str, Entry]:
    texts = (_tax, _duty, _subsidy, _other)[group]
    return {key: Entry(names.law(group, card), texts(card)) for card, key in enumerate(tiles.LAWS[group])}


def _tax(card: int) -> Phrase:
    gain = names.points(tiles.TAX_POINTS)
    if card == tiles.TAX_PER_BUILDING:
        return say("Pay 1 peso for each of your buildings and get {gain}.", gain=gain)
    return say("Pay {cost} and get {gain}.", cost=names.pesos(card + 1), gain=gain)


def _duty(card: int) -> Phrase:
    gain = names.points(tiles.DUTY_POINTS)
    if card == tiles.DUTY_MATERIALS:
        return say("Pay 2 materials of your choice and get {gain}.", gain=gain)
    if card == tiles.DUTY_CROPS:
        return say("Pay 2 crops of your choice and get {gain}.", gain=gain)
    return say("Pay {cost} and get {gain}.", cost=names.goods(int(tiles.DUTY_GOOD[card]), 1), gain=gain)


def _subsidy(card: int) -> Phrase:
    texts = {
        tiles.SUBSIDY_BUILDINGS: say("You get 1 point for each of your buildings."),
        tiles.SUBSIDY_MATERIAL_FIELDS: say(
            "You get 1 point for each forest, mountain or lake of yours without a building."
        ),
        tiles.SUBSIDY_CROP_FIELDS: say("You get 1 point for each of your crop fields without a building."),
        tiles.SUBSIDY_WATER: say(
            "You get 1 point for each water you have, up to {points}.", points=names.points(tiles.HIGHEST_SUBSIDY)
        ),
        tiles.SUBSIDY_VOTES: say(
            "You get 1 point for each vote of your parliament card; bids and the Town hall do not count."
        ),
        tiles.SUBSIDY_PESOS: say(
            "You get 1 point for every {pesos} you have, up to {points}.",
            pesos=names.pesos(tiles.PESOS_PER_SUBSIDY_POINT),
            points=names.points(tiles.HIGHEST_SUBSIDY),
        ),
    }
    return texts[card]


def _other(card: int) -> Phrase:
    texts = {
        tiles.SHORTAGE: say(
            "A market law: in every law phase, {units} of each crop are removed from the market.",
            units=tiles.MARKET_LAW_UNITS,
        ),
        tiles.SURPLUS: say(
            "A market law: in every law phase, {units} of each crop are added to the market.",
            units=tiles.MARKET_LAW_UNITS,
        ),
        tiles.DROUGHT: say("The Worker harvests only one crop field; more of them only for water."),
        tiles.BUILDING_LAW: say("Each building costs {pesos} more.", pesos=names.pesos(tiles.BUILDING_LAW_PESOS)),
        tiles.HARBOUR_LAW: say("A ship that is full leaves at once, and the others move up."),
        tiles.CORRUPTION: say("Nobody may bid for votes in parliament."),
    }
    return texts[card]
