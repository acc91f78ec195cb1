"""The things of Cuba, one record each, and its printed numbers: goods, plantations, characters, buildings, ships, laws.

An owner of the game can correct any record here: arrays, names, help, notation and drawings are derived from it. The
number of a thing is its place in its table. Page numbers are those of the German rulebook. Records marked "assumed"
stand for pictures that are lost. No rules, and no NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations, combinations_with_replacement

from malecon.kernel.common import naming
from malecon.kernel.common.naming import GoodNames
from malecon.kernel.common.records import index_of, keys
from malecon.kernel.phrases import Phrase, counted, say

ROUNDS = 6
START_PESOS = 10

# --- goods (p. 4)

CROP = "crop"
WARE = "ware"
MATERIAL = "material"


@dataclass(frozen=True)
class Good:
    """A kind of pieces: how many are in the box (p. 3), and for trade goods their market and their letter on ships.

    The market (p. 4) has spaces for crops that cost 6 5 4 3 2, for wares 6 5 4 (assumed); units stand on the dearest.
    So buying from k units costs 7 - k and selling to k units pays 6 - k; this also covers the empty and the full track
    (p. 7).
    """

    key: str
    names: GoodNames
    help: Phrase
    kind: str  # CROP, WARE or MATERIAL
    pieces: int
    market_spaces: int = 0
    market_start: int = 0
    ship_letter: str = ""


_CROP_HELP = say("A crop and a trade good. In the yard it is lost at the end of the round; in the warehouse it keeps.")
# Crops, then wares, which together are the trade goods, then building materials: kernels rely on this order.
GOODS = (
    Good(
        "sugar",
        names=naming.SUGAR,
        help=_CROP_HELP,
        kind=CROP,
        pieces=15,
        market_spaces=5,
        market_start=3,
        ship_letter="s",
    ),
    Good(
        "citrus",
        names=naming.CITRUS,
        help=_CROP_HELP,
        kind=CROP,
        pieces=15,
        market_spaces=5,
        market_start=3,
        ship_letter="c",
    ),
    Good(
        "tobacco",
        names=naming.TOBACCO,
        help=_CROP_HELP,
        kind=CROP,
        pieces=15,
        market_spaces=5,
        market_start=3,
        ship_letter="t",
    ),
    Good(
        "rum",
        names=naming.RUM,
        help=say("A ware and a trade good, made from sugar cane in the Distillery."),
        kind=WARE,
        pieces=10,
        market_spaces=3,
        market_start=2,
        ship_letter="r",
    ),
    Good(
        "cigars",
        names=naming.CIGARS,
        help=say("A ware and a trade good, made from tobacco in the Cigar factory."),
        kind=WARE,
        pieces=10,
        market_spaces=3,
        market_start=2,
        ship_letter="z",
    ),
    Good(
        "wood",
        names=naming.WOOD,
        help=say("A material, from the forests."),
        kind=MATERIAL,
        pieces=15,
    ),
    Good(
        "stone",
        names=GoodNames(
            Phrase("stone", context="good"),
            counted("{n} stone", "{n} stone", 1, "good").with_symbol("stone"),
        ),
        help=say("A material, from the mountains."),
        kind=MATERIAL,
        pieces=15,
    ),
    Good(
        "water",
        names=GoodNames(
            Phrase("water", context="good"),
            counted("{n} water", "{n} water", 1, "good").with_symbol("water"),
        ),
        help=say("A material, from the lake; the Worker can also spend it on more crops."),
        kind=MATERIAL,
        pieces=15,
    ),
)
GOOD_KEYS = keys(GOODS)
SUGAR = index_of(GOODS, "sugar")
CITRUS = index_of(GOODS, "citrus")
TOBACCO = index_of(GOODS, "tobacco")
RUM = index_of(GOODS, "rum")
CIGARS = index_of(GOODS, "cigars")
WOOD = index_of(GOODS, "wood")
STONE = index_of(GOODS, "stone")
WATER = index_of(GOODS, "water")
#: Goods of some kinds, by key.
CROPS = tuple(good.key for good in GOODS if good.kind == CROP)
WARES = tuple(good.key for good in GOODS if good.kind == WARE)
TRADE_GOODS = CROPS + WARES
MATERIALS = tuple(good.key for good in GOODS if good.kind == MATERIAL)
DEAREST_PURCHASE = 7
DEAREST_SALE = 6
NOTHING = -1

# Unordered pairs of three kinds, equal ones allowed: start goods, duties, the monastery, the materials depot.
KINDS_IN_PAIRS = 3
PAIRS = tuple(combinations_with_replacement(range(KINDS_IN_PAIRS), 2))

# --- the characters (pp. 6 to 9)


@dataclass(frozen=True)
class Character:
    """A character: its votes in parliament, and what players get who forgo its deed, in their order in a round."""

    key: str
    name: Phrase  # as on the card
    as_subject: Phrase  # the Mayor is …
    as_object: Phrase  # Red plays the Mayor
    help: Phrase  # its gaps are filled with numbers
    votes: int
    rewards: tuple[int, ...] = ()


CHARACTERS = (
    Character(
        "worker",
        name=Phrase("Worker", context="character"),
        as_subject=Phrase("the Worker", context="character"),
        as_object=Phrase("the Worker", context="object"),
        help=say(
            "Place your figure and harvest in its row and column: every material field and up to {crops} "
            "crop fields, plus one more for each water you pay."
        ),
        votes=1,
    ),
    Character(
        "merchant",
        name=Phrase("Merchant", context="character"),
        as_subject=Phrase("the Merchant", context="character"),
        as_object=Phrase("the Merchant", context="object"),
        help=say(
            "Buy and sell as many trade goods on the market as you like. Or take a material, or a crop at "
            "the lowest price, for free: each of the two once a round, for all players together."
        ),
        votes=2,
    ),
    Character(
        "architect",
        name=Phrase("Architect", context="character"),
        as_subject=Phrase("the Architect", context="character"),
        as_object=Phrase("the Architect", context="object"),
        help=say(
            "Build on a field of your plantation. Or build nothing: the first player to do so in a round "
            "gets {first} points, the second {second}."
        ),
        votes=3,
        rewards=(2, 1, 0),  # points
    ),
    Character(
        "foreman",
        name=Phrase("Foreman", context="character"),
        as_subject=Phrase("the Foreman", context="character"),
        as_object=Phrase("the Foreman", context="object"),
        help=say("Use each of your buildings in the row and column of your figure once, or a single one anywhere."),
        votes=4,
    ),
    Character(
        "mayor",
        name=Phrase("Mayor", context="character"),
        as_subject=Phrase("the Mayor", context="character"),
        as_object=Phrase("the Mayor", context="object"),
        help=say(
            "Load as many goods as you like onto one ship in the harbour. Or deliver nothing: the first "
            "player to do so in a round gets {first} pesos, the second {second}."
        ),
        votes=5,
        rewards=(4, 2, 0),  # pesos
    ),
)
CHARACTER_KEYS = keys(CHARACTERS)
WORKER = index_of(CHARACTERS, "worker")
MERCHANT = index_of(CHARACTERS, "merchant")
ARCHITECT = index_of(CHARACTERS, "architect")
FOREMAN = index_of(CHARACTERS, "foreman")
MAYOR = index_of(CHARACTERS, "mayor")
CARDS_PLAYED = 4  # by each player in a round; the fifth goes to parliament
FREE_CROP_FIELDS = 2

# --- fields and plantations (p. 5)


@dataclass(frozen=True)
class FieldKind:
    """A kind of field, its letter in the plantations below, and the good it gives; the printed warehouse gives none."""

    key: str
    letter: str
    name: Phrase
    help: Phrase  # {gain} is filled with the good
    good: str = ""


_CROP_FIELD_HELP = say("A crop field: the Worker may harvest {gain} here.")
_MATERIAL_FIELD_HELP = say("A material field: it gives the Worker {gain}.")
FIELD_KINDS = (
    FieldKind(
        "warehouse",
        letter="W",
        name=Phrase("printed warehouse", context="field"),
        help=say("It is there from the start: the Foreman stores crops in it, and nothing can be built over it."),
    ),
    FieldKind(
        "sugar",
        letter="S",
        name=Phrase("sugar field", context="field"),
        help=_CROP_FIELD_HELP,
        good="sugar",
    ),
    FieldKind(
        "citrus",
        letter="C",
        name=Phrase("citrus grove", context="field"),
        help=_CROP_FIELD_HELP,
        good="citrus",
    ),
    FieldKind(
        "tobacco",
        letter="T",
        name=Phrase("tobacco field", context="field"),
        help=_CROP_FIELD_HELP,
        good="tobacco",
    ),
    FieldKind(
        "wood",
        letter="F",
        name=Phrase("forest", context="field"),
        help=_MATERIAL_FIELD_HELP,
        good="wood",
    ),
    FieldKind(
        "stone",
        letter="M",
        name=Phrase("mountain", context="field"),
        help=_MATERIAL_FIELD_HELP,
        good="stone",
    ),
    FieldKind(
        "water",
        letter="L",
        name=Phrase("lake", context="field"),
        help=_MATERIAL_FIELD_HELP,
        good="water",
    ),
)
YIELDLESS = -1  # what the field of the printed warehouse gives


@dataclass(frozen=True)
class Plantation:
    """A side of a plantation board, three rows of four fields, numbered from the top left."""

    key: str  # the colour it belongs to, or "common"
    rows: str


# The common side, then one for each colour. Assumed; every one has the right kinds.
PLANTATIONS = (
    Plantation("common", "WFSM TMCF CSTL"),
    Plantation("blue", "WSFM CMTF TCSL"),
    Plantation("red", "WMCF SFTM CLST"),
    Plantation("yellow", "WTMC FSLT SFCM"),
    Plantation("green", "WCFT MSTL FCMS"),
    Plantation("purple", "WFTS CLMC SMTF"),
)
COLOURS = keys(PLANTATIONS)[1:]
FEWEST_PLAYERS = 2
MOST_PLAYERS = len(COLOURS)
COLUMNS = 4
FIELDS = 12

# --- the buildings (pp. 13 to 15)


@dataclass(frozen=True)
class Building:
    """A kind of building: its name in every form that a language may need, its cost, and what a use takes and gives.

    Those that give nothing here do something that takes more than numbers to say.
    """

    key: str
    name: Phrase  # as on its tile
    as_subject: Phrase  # the Hotel is …
    as_object: Phrase  # Red builds the Hotel
    at: Phrase
    help: Phrase  # its gaps are filled with the numbers below
    cost: tuple[int, int, int]  # wood, stone and water
    use_value: float  # what a use brings in an average round, beyond what it consumes, in points; for `worth`
    tiles: int = 1
    takes: tuple[str, ...] = ()  # one unit of any of these, each time
    times: int = 1  # at most, in one use
    points: int = 0  # given each time
    pesos: int = 0
    good: str = ""
    votes: int = 0
    shows: tuple[str, ...] = ()  # symbols, and numbers in braces, if it does more than take and give
    points_count_as: str = "buildings"  # the source of points in a result

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return what the building does, as a row of symbols and numbers: “stone → point ×4”, “+2 pesos”."""
        if self.shows:
            return tuple(token.format(times=self.times, votes=self.votes) for token in self.shows)
        gain = "point" if self.points else "peso" if self.pesos else self.good
        number = self.points or self.pesos
        if not self.takes:
            return f"+{number or self.times}", gain
        amount = (str(number),) if number > 1 else ()
        limit = (f"×{self.times}",) if self.times > 1 and not self.good else ()
        return *_SYMBOLS_OF_KINDS.get(self.takes, self.takes), "arrow", *amount, gain, *limit


#: What can be shown shorter than with a symbol for each kind of good.
_SYMBOLS_OF_KINDS = {CROPS: ("crop",), WARES: ("rum", "/", "cigars"), MATERIALS: ("material",)}
BUILDINGS = (
    Building(
        "cement works",
        name=Phrase("Cement works", context="building"),
        as_subject=Phrase("the Cement works", context="subject"),
        as_object=Phrase("the Cement works", context="object"),
        at=Phrase("at the Cement works", context="building"),
        help=say("You turn up to {goods} into {points} each."),
        cost=(1, 2, 0),
        use_value=1.2,
        takes=("stone",),
        times=4,
        points=1,
    ),
    Building(
        "sawmill",
        name=Phrase("Sawmill", context="building"),
        as_subject=Phrase("the Sawmill", context="subject"),
        as_object=Phrase("the Sawmill", context="object"),
        at=Phrase("at the Sawmill", context="building"),
        help=say("You turn up to {goods} into {points} each."),
        cost=(2, 1, 0),
        use_value=1.2,
        takes=("wood",),
        times=4,
        points=1,
    ),
    Building(
        "golf course",
        name=Phrase("Golf course", context="building"),
        as_subject=Phrase("the Golf course", context="subject"),
        as_object=Phrase("the Golf course", context="object"),
        at=Phrase("at the Golf course", context="building"),
        help=say("You turn up to {goods} into {points} each."),
        cost=(0, 0, 2),
        use_value=1.0,
        takes=("water",),
        times=4,
        points=1,
    ),
    Building(
        "monastery",
        name=Phrase("Monastery", context="building"),
        as_subject=Phrase("the Monastery", context="subject"),
        as_object=Phrase("the Monastery", context="object"),
        at=Phrase("at the Monastery", context="building"),
        help=say("You turn up to {most} crops into {points} each."),
        cost=(2, 1, 0),
        use_value=1.2,
        takes=CROPS,
        times=2,
        points=1,
    ),
    Building(
        "rum cafe",
        name=Phrase("Rum café", context="building"),
        as_subject=Phrase("the Rum café", context="subject"),
        as_object=Phrase("the Rum café", context="object"),
        at=Phrase("at the Rum café", context="building"),
        help=say("You turn up to {goods} into {points} each."),
        cost=(1, 1, 1),
        use_value=1.2,
        takes=("rum",),
        times=3,
        points=2,
    ),
    Building(
        "cigar cafe",
        name=Phrase("Cigar café", context="building"),
        as_subject=Phrase("the Cigar café", context="subject"),
        as_object=Phrase("the Cigar café", context="object"),
        at=Phrase("at the Cigar café", context="building"),
        help=say("You turn up to {goods} into {points} each."),
        cost=(1, 1, 1),
        use_value=1.2,
        takes=("cigars",),
        times=3,
        points=2,
    ),
    Building(
        "small office",
        name=Phrase("Small office", context="building"),
        as_subject=Phrase("the Small office", context="subject"),
        as_object=Phrase("the Small office", context="object"),
        at=Phrase("at the Small office", context="building"),
        help=say("You load 1 trade good onto a ship in the harbour, for its points."),
        cost=(2, 1, 0),
        use_value=1.5,
        takes=TRADE_GOODS,
        shows=("any", "arrow", "ship"),
        points_count_as="ships",
    ),
    Building(
        "large office",
        name=Phrase("Large office", context="building"),
        as_subject=Phrase("the Large office", context="subject"),
        as_object=Phrase("the Large office", context="object"),
        at=Phrase("at the Large office", context="building"),
        help=say("You load up to 2 trade goods of the same kind onto one ship, for its points."),
        cost=(2, 2, 0),
        use_value=2.2,
        takes=TRADE_GOODS,
        times=2,
        shows=("{times}", "any", "arrow", "ship"),
        points_count_as="ships",
    ),
    Building(
        "hotel",
        name=Phrase("Hotel", context="building"),
        as_subject=Phrase("the Hotel", context="subject"),
        as_object=Phrase("the Hotel", context="object"),
        at=Phrase("at the Hotel", context="building"),
        help=say("You get {gain}."),
        cost=(2, 2, 1),
        use_value=2.0,
        points=2,
    ),
    Building(
        "hostel",
        name=Phrase("Hostel", context="building"),
        as_subject=Phrase("the Hostel", context="subject"),
        as_object=Phrase("the Hostel", context="object"),
        at=Phrase("at the Hostel", context="building"),
        help=say("You get {gain}."),
        cost=(1, 1, 1),
        use_value=1.0,
        points=1,
    ),
    Building(
        "ware shop",
        name=Phrase("Trading house", context="building"),
        as_subject=Phrase("the Trading house", context="subject"),
        as_object=Phrase("the Trading house", context="object"),
        at=Phrase("at the Trading house", context="building"),
        help=say("You sell 1 ware for {pesos}."),
        cost=(1, 2, 0),
        use_value=0.8,
        takes=WARES,
        pesos=6,
    ),
    Building(
        "crop shop",
        name=Phrase("Farm shop", context="building"),
        as_subject=Phrase("the Farm shop", context="subject"),
        as_object=Phrase("the Farm shop", context="object"),
        at=Phrase("at the Farm shop", context="building"),
        help=say("You sell 1 crop for {pesos}."),
        cost=(2, 1, 0),
        use_value=1.0,
        takes=CROPS,
        pesos=4,
    ),
    Building(
        "material shop",
        name=Phrase("Materials depot", context="building"),
        as_subject=Phrase("the Materials depot", context="subject"),
        as_object=Phrase("the Materials depot", context="object"),
        at=Phrase("at the Materials depot", context="building"),
        help=say("You sell up to 2 materials for {pesos} each."),
        cost=(1, 1, 1),
        use_value=0.7,
        takes=MATERIALS,
        times=2,
        pesos=2,
    ),
    Building(
        "small bank",
        name=Phrase("Small bank", context="building"),
        as_subject=Phrase("the Small bank", context="subject"),
        as_object=Phrase("the Small bank", context="object"),
        at=Phrase("at the Small bank", context="building"),
        help=say("You get {gain}."),
        cost=(1, 1, 0),
        use_value=0.8,
        pesos=2,
    ),
    Building(
        "large bank",
        name=Phrase("Large bank", context="building"),
        as_subject=Phrase("the Large bank", context="subject"),
        as_object=Phrase("the Large bank", context="object"),
        at=Phrase("at the Large bank", context="building"),
        help=say("You get {gain}."),
        cost=(2, 3, 0),
        use_value=1.6,
        pesos=4,
    ),
    Building(
        "black market",
        name=Phrase("Black market", context="building"),
        as_subject=Phrase("the Black market", context="subject"),
        as_object=Phrase("the Black market", context="object"),
        at=Phrase("at the Black market", context="building"),
        help=say("You swap 1 trade good for 1 of another kind from the supply."),
        cost=(3, 2, 0),
        use_value=0.8,
        takes=TRADE_GOODS,
        shows=("any", "swap", "any"),
    ),
    Building(
        "cigar factory",
        name=Phrase("Cigar factory", context="building"),
        as_subject=Phrase("the Cigar factory", context="subject"),
        as_object=Phrase("the Cigar factory", context="object"),
        at=Phrase("at the Cigar factory", context="building"),
        help=say("You turn as much tobacco as you like into cigars."),
        cost=(2, 2, 0),
        use_value=1.5,
        tiles=2,
        takes=("tobacco",),
        times=GOODS[CIGARS].pieces,
        good="cigars",
    ),
    Building(
        "distillery",
        name=Phrase("Distillery", context="building"),
        as_subject=Phrase("the Distillery", context="subject"),
        as_object=Phrase("the Distillery", context="object"),
        at=Phrase("at the Distillery", context="building"),
        help=say("You turn as much sugar cane as you like into rum."),
        cost=(2, 2, 0),
        use_value=1.5,
        tiles=2,
        takes=("sugar",),
        times=GOODS[RUM].pieces,
        good="rum",
    ),
    Building(
        "church",
        name=Phrase("Church", context="building"),
        as_subject=Phrase("the Church", context="subject"),
        as_object=Phrase("the Church", context="object"),
        at=Phrase("at the Church", context="building"),
        help=say("You veto a proposal: it leaves the game. Next round you cannot veto the same group."),
        cost=(2, 2, 0),
        use_value=0.8,
        shows=("veto",),
    ),
    Building(
        "town hall",
        name=Phrase("Town hall", context="building"),
        as_subject=Phrase("the Town hall", context="subject"),
        as_object=Phrase("the Town hall", context="object"),
        at=Phrase("at the Town hall", context="building"),
        help=say("You get {votes} more in parliament this round."),
        cost=(1, 1, 0),
        use_value=0.6,
        votes=2,
        shows=("+{votes}", "vote"),
    ),
    Building(
        "dam",
        name=Phrase("Dam", context="building"),
        as_subject=Phrase("the Dam", context="subject"),
        as_object=Phrase("the Dam", context="object"),
        at=Phrase("at the Dam", context="building"),
        help=say("You get {gain}."),
        cost=(0, 2, 0),
        use_value=0.9,
        times=2,
        good="water",
    ),
    Building(
        "lighthouse",
        name=Phrase("Lighthouse", context="building"),
        as_subject=Phrase("the Lighthouse", context="subject"),
        as_object=Phrase("the Lighthouse", context="object"),
        at=Phrase("at the Lighthouse", context="building"),
        help=say("You swap the ship on the high seas for any one in the deck."),
        cost=(1, 1, 0),
        use_value=0.2,
        shows=("ship", "swap", "ship"),
    ),
    Building(
        "warehouse",
        name=Phrase("Warehouse", context="building"),
        as_subject=Phrase("the Warehouse", context="subject"),
        as_object=Phrase("the Warehouse", context="object"),
        at=Phrase("at the Warehouse", context="building"),
        help=say("You store all the crops in your yard, so they are not lost at the end of the round."),
        cost=(2, 0, 0),
        use_value=0.6,
        shows=("crop", "arrow", "store"),
    ),
)
BUILDING_KEYS = keys(BUILDINGS)
CEMENT_WORKS = index_of(BUILDINGS, "cement works")
SAWMILL = index_of(BUILDINGS, "sawmill")
GOLF_COURSE = index_of(BUILDINGS, "golf course")
MONASTERY = index_of(BUILDINGS, "monastery")
RUM_CAFE = index_of(BUILDINGS, "rum cafe")
CIGAR_CAFE = index_of(BUILDINGS, "cigar cafe")
SMALL_OFFICE = index_of(BUILDINGS, "small office")
LARGE_OFFICE = index_of(BUILDINGS, "large office")
HOTEL = index_of(BUILDINGS, "hotel")
HOSTEL = index_of(BUILDINGS, "hostel")
WARE_SHOP = index_of(BUILDINGS, "ware shop")
CROP_SHOP = index_of(BUILDINGS, "crop shop")
MATERIAL_SHOP = index_of(BUILDINGS, "material shop")
SMALL_BANK = index_of(BUILDINGS, "small bank")
LARGE_BANK = index_of(BUILDINGS, "large bank")
BLACK_MARKET = index_of(BUILDINGS, "black market")
CIGAR_FACTORY = index_of(BUILDINGS, "cigar factory")
DISTILLERY = index_of(BUILDINGS, "distillery")
CHURCH = index_of(BUILDINGS, "church")
TOWN_HALL = index_of(BUILDINGS, "town hall")
DAM = index_of(BUILDINGS, "dam")
LIGHTHOUSE = index_of(BUILDINGS, "lighthouse")
WAREHOUSE = index_of(BUILDINGS, "warehouse")
TOWN_HALL_VOTES = BUILDINGS[TOWN_HALL].votes
# What can stand on a field: the tiles, and the warehouse that is printed on every plantation and is not a tile.
STANDING = (
    *BUILDINGS,
    replace(
        BUILDINGS[WAREHOUSE],
        key="printed warehouse",
        name=Phrase("Printed warehouse", context="building"),
        as_subject=Phrase("the Printed warehouse", context="subject"),
        as_object=Phrase("the Printed warehouse", context="object"),
        at=Phrase("at the Printed warehouse", context="building"),
        cost=(0, 0, 0),
        tiles=0,
    ),
)
PRINTED_WAREHOUSE = index_of(STANDING, "printed warehouse")
NO_BUILDING = -1
FINAL_POINTS_PER_BUILDING = 2

# --- the ship cards (p. 3)

CARGO = 5


@dataclass(frozen=True)
class Ship:
    """A ship card. Its key is its five spaces, by the letters of goods; a `b` after them tells a second such card."""

    key: str

    @property
    def wants(self) -> tuple[int, ...]:
        """Return how many spaces it has for each trade good."""
        return tuple(self.key[:CARGO].count(good.ship_letter) for good in GOODS if good.ship_letter)


# Assumed; every trade good has fifteen spaces in all.
SHIP_CARDS = (
    Ship("sctrr"),
    Ship("sctrz"),
    Ship("sctzz"),
    Ship("sscrr"),
    Ship("sscrz"),
    Ship("cctrz"),
    Ship("cctzz"),
    Ship("ttszz"),
    Ship("ttsrr"),
    Ship("sstrz"),
    Ship("sstzz"),
    Ship("ccsrr"),
    Ship("ccszz"),
    Ship("ttcrr"),
    Ship("ttcrz"),
)
SHIP_KEYS = keys(SHIP_CARDS)
SHIPS = len(SHIP_CARDS)
# Where ships lie: 0 is the high seas; berths 1 to 3 give as many points for each unit.
HIGH_SEA = 0
BERTHS = 3
BERTH_NOT_USED_AT_FIRST = 3  # in the first round (p. 4)

# --- the laws (pp. 10 and 11), six cards in each of four groups

TAX_POINTS = 2
DUTY_POINTS = 2
BOTH_POINTS = 1
HIGHEST_SUBSIDY = 7  # for water and for pesos
MARKET_LAW_UNITS = 2


@dataclass(frozen=True)
class Law:
    """A law: its name, what it does, and the two rows of symbols on its card, with numbers in braces."""

    key: str
    name: Phrase
    help: Phrase  # its gaps are filled with the numbers below
    shows: tuple[tuple[str, ...], tuple[str, ...]]
    pesos: int = 0  # that a tax or a building costs, or a point of subsidy asks for
    goods: tuple[str, ...] = ()  # of a duty: one of these
    units: int = 0
    most: int = 0  # points of a subsidy

    @property
    def symbols(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        above, below = (
            tuple(token.format(pesos=self.pesos, units=self.units, most=self.most) for token in row)
            for row in self.shows
        )
        return above, below


@dataclass(frozen=True)
class LawGroup:
    """A group of laws: its numeral on the cards, its names, its laws, and the one printed on the board, if any."""

    key: str
    numeral: str
    name: Phrase  # of one of its laws: a tax
    title: Phrase  # of all: tax laws
    help: Phrase
    laws: tuple[Law, ...]
    points: int = 0  # for paying
    at_first: str = ""


_PAID_TAX = ("arrow", str(TAX_POINTS), "point")
_PAID_DUTY = ("arrow", str(DUTY_POINTS), "point")
_POINT_EACH = ("arrow", "1", "point")
GROUPS = (
    LawGroup(
        "tax",
        numeral="I",
        name=Phrase("tax", context="group"),
        title=Phrase("Tax laws", context="group"),
        help=say("Paying the tax earns {points}."),
        laws=(
            Law(
                "1",
                name=Phrase("Tax of 1 peso", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{pesos}", "peso"), _PAID_TAX),
                pesos=1,
            ),
            Law(
                "2",
                name=Phrase("Tax of 2 pesos", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{pesos}", "peso"), _PAID_TAX),
                pesos=2,
            ),
            Law(
                "3",
                name=Phrase("Tax of 3 pesos", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{pesos}", "peso"), _PAID_TAX),
                pesos=3,
            ),
            Law(
                "4",
                name=Phrase("Tax of 4 pesos", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{pesos}", "peso"), _PAID_TAX),
                pesos=4,
            ),
            Law(
                "5",
                name=Phrase("Tax of 5 pesos", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{pesos}", "peso"), _PAID_TAX),
                pesos=5,
            ),
            Law(
                "buildings",
                name=Phrase("Tax of 1 peso per building", context="law"),
                help=say("Pay 1 peso for each of your buildings and get {gain}."),
                shows=(("{pesos}", "peso", "×", "use"), _PAID_TAX),
                pesos=1,
            ),
        ),
        points=TAX_POINTS,
        at_first="2",
    ),
    LawGroup(
        "duty",
        numeral="II",
        name=Phrase("duty", context="group"),
        title=Phrase("Duty laws", context="group"),
        help=say("Paying the duty earns {points}, and {extra} more if you have also paid the tax."),
        laws=(
            Law(
                "citrus",
                name=Phrase("Duty of 1 citrus fruit", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{units}", "citrus"), _PAID_DUTY),
                goods=("citrus",),
                units=1,
            ),
            Law(
                "sugar",
                name=Phrase("Duty of 1 sugar cane", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{units}", "sugar"), _PAID_DUTY),
                goods=("sugar",),
                units=1,
            ),
            Law(
                "tobacco",
                name=Phrase("Duty of 1 tobacco", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{units}", "tobacco"), _PAID_DUTY),
                goods=("tobacco",),
                units=1,
            ),
            Law(
                "water",
                name=Phrase("Duty of 1 water", context="law"),
                help=say("Pay {cost} and get {gain}."),
                shows=(("{units}", "water"), _PAID_DUTY),
                goods=("water",),
                units=1,
            ),
            Law(
                "materials",
                name=Phrase("Duty of 2 materials", context="law"),
                help=say("Pay 2 materials of your choice and get {gain}."),
                shows=(("{units}", "material"), _PAID_DUTY),
                goods=MATERIALS,
                units=2,
            ),
            Law(
                "crops",
                name=Phrase("Duty of 2 crops", context="law"),
                help=say("Pay 2 crops of your choice and get {gain}."),
                shows=(("{units}", "crop"), _PAID_DUTY),
                goods=CROPS,
                units=2,
            ),
        ),
        points=DUTY_POINTS,
        at_first="citrus",
    ),
    LawGroup(
        "subsidy",
        numeral="III",
        name=Phrase("subsidy", context="group"),
        title=Phrase("Subsidy laws", context="group"),
        help=say("They give points for what you have, and cost you nothing."),
        laws=(
            Law(
                "buildings",
                name=Phrase("Subsidy for buildings", context="law"),
                help=say("You get 1 point for each of your buildings."),
                shows=(("use",), _POINT_EACH),
            ),
            Law(
                "material fields",
                name=Phrase("Subsidy for material fields", context="law"),
                help=say("You get 1 point for each forest, mountain or lake of yours without a building."),
                shows=(("field", "material"), _POINT_EACH),
            ),
            Law(
                "crop fields",
                name=Phrase("Subsidy for crop fields", context="law"),
                help=say("You get 1 point for each of your crop fields without a building."),
                shows=(("field", "crop"), _POINT_EACH),
            ),
            Law(
                "water",
                name=Phrase("Subsidy for water", context="law"),
                help=say("You get 1 point for each water you have, up to {points}."),
                shows=(("water",), (*_POINT_EACH, "≤{most}")),
                most=HIGHEST_SUBSIDY,
            ),
            Law(
                "votes",
                name=Phrase("Subsidy for votes", context="law"),
                help=say("You get 1 point for each vote of your parliament card; bids and the Town hall do not count."),
                shows=(("vote",), _POINT_EACH),
            ),
            Law(
                "pesos",
                name=Phrase("Subsidy for pesos", context="law"),
                help=say("You get 1 point for every {pesos} you have, up to {points}."),
                shows=(("{pesos}", "peso"), (*_POINT_EACH, "≤{most}")),
                pesos=3,
                most=HIGHEST_SUBSIDY,
            ),
        ),
    ),
    LawGroup(
        "other",
        numeral="IV",
        name=Phrase("other law", context="group"),
        title=Phrase("Other laws", context="group"),
        help=say("They change the market, the characters, or parliament."),
        laws=(
            Law(
                "shortage",
                name=Phrase("Shortage law", context="law"),
                help=say("A market law: in every law phase, {units} of each crop are removed from the market."),
                shows=(CROPS, ("−{units}",)),
                units=MARKET_LAW_UNITS,
            ),
            Law(
                "surplus",
                name=Phrase("Surplus law", context="law"),
                help=say("A market law: in every law phase, {units} of each crop are added to the market."),
                shows=(CROPS, ("+{units}",)),
                units=MARKET_LAW_UNITS,
            ),
            Law(
                "drought",
                name=Phrase("Drought law", context="law"),
                help=say("The Worker harvests only one crop field; more of them only for water."),
                shows=(("drought",), ("{units}", "field", "crop")),
                units=1,
            ),
            Law(
                "building",
                name=Phrase("Building law", context="law"),
                help=say("Each building costs {pesos} more."),
                shows=(("use",), ("−{pesos}", "peso")),
                pesos=2,
            ),
            Law(
                "harbour",
                name=Phrase("Harbour law", context="law"),
                help=say("A ship that is full leaves at once, and the others move up."),
                shows=(("ship", "arrow"), (str(CARGO), "any")),
            ),
            Law(
                "corruption",
                name=Phrase("Corruption law", context="law"),
                help=say("Nobody may bid for votes in parliament."),
                shows=(("vote",), ("bribe",)),
            ),
        ),
    ),
)
GROUP_KEYS = keys(GROUPS)
TAX = index_of(GROUPS, "tax")
DUTY = index_of(GROUPS, "duty")
SUBSIDY = index_of(GROUPS, "subsidy")
OTHER = index_of(GROUPS, "other")
LAW_KEYS = tuple(keys(group.laws) for group in GROUPS)
LAWS_EACH = 6
NO_LAW = -1
LAWS_AT_FIRST = tuple(index_of(group.laws, group.at_first) if group.at_first else NO_LAW for group in GROUPS)
LAW_PAIRS = tuple(combinations(range(len(GROUPS)), 2))  # what the winner of parliament may enact

TAX_PER_BUILDING = index_of(GROUPS[TAX].laws, "buildings")
DUTY_MATERIALS = index_of(GROUPS[DUTY].laws, "materials")
DUTY_CROPS = index_of(GROUPS[DUTY].laws, "crops")
SUBSIDY_BUILDINGS = index_of(GROUPS[SUBSIDY].laws, "buildings")
SUBSIDY_MATERIAL_FIELDS = index_of(GROUPS[SUBSIDY].laws, "material fields")
SUBSIDY_CROP_FIELDS = index_of(GROUPS[SUBSIDY].laws, "crop fields")
SUBSIDY_WATER = index_of(GROUPS[SUBSIDY].laws, "water")
SUBSIDY_VOTES = index_of(GROUPS[SUBSIDY].laws, "votes")
SUBSIDY_PESOS = index_of(GROUPS[SUBSIDY].laws, "pesos")
PESOS_PER_SUBSIDY_POINT = GROUPS[SUBSIDY].laws[SUBSIDY_PESOS].pesos
SHORTAGE = index_of(GROUPS[OTHER].laws, "shortage")
SURPLUS = index_of(GROUPS[OTHER].laws, "surplus")
DROUGHT = index_of(GROUPS[OTHER].laws, "drought")
FREE_CROP_FIELDS_IN_DROUGHT = GROUPS[OTHER].laws[DROUGHT].units
BUILDING_LAW = index_of(GROUPS[OTHER].laws, "building")
BUILDING_LAW_PESOS = GROUPS[OTHER].laws[BUILDING_LAW].pesos
HARBOUR_LAW = index_of(GROUPS[OTHER].laws, "harbour")
CORRUPTION = index_of(GROUPS[OTHER].laws, "corruption")

# A limit of this program, not of the rules: no single bid over 99 pesos.
HIGHEST_BID = 99
