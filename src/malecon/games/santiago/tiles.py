"""The things of Santiago de Cuba, one record each, and its printed numbers: goods, flowers, Cubans, buildings.

An owner of the game can correct any record here: arrays, names, help, notation and drawings are derived from it. The
number of a thing is its place in its table. Page numbers are those of the rulebook. No rules, and no NumPy.
"""

from __future__ import annotations

from dataclasses import dataclass

from malecon.kernel.common import naming
from malecon.kernel.common.naming import GoodNames
from malecon.kernel.common.records import index_of, keys
from malecon.kernel.phrases import Phrase, say

FEWEST_PLAYERS = 2
MOST_PLAYERS = 4
COLOURS = ("red", "blue", "yellow", "green")

# --- goods (p. 2)


@dataclass(frozen=True)
class Good:
    """A good: its names, the six faces of its die (p. 3), if it has one, and how many everybody starts with."""

    key: str
    names: GoodNames
    help: Phrase
    die: tuple[int, ...] = ()
    at_start: int = 0


# Wood comes last: the five before it are the ones ships ask for. Crops come first.
GOODS = (
    Good(
        "sugar",
        names=naming.SUGAR,
        help=say("From José; the Distillery turns it into rum."),
        die=(0, 1, 1, 2, 2, 3),  # white
        at_start=1,
    ),
    Good(
        "citrus",
        names=naming.CITRUS,
        help=say("From Conchita; this good’s die goes up to {highest}."),
        die=(0, 1, 2, 2, 3, 4),  # orange; it shows a 4 in place of the second 1
        at_start=1,
    ),
    Good(
        "tobacco",
        names=naming.TOBACCO,
        help=say("From Pedro; the Cigar factory turns it into cigars."),
        die=(0, 1, 1, 2, 2, 3),  # green
        at_start=1,
    ),
    Good(
        "rum",
        names=naming.RUM,
        help=say("Made from sugar cane in the Distillery; the Café buys it too."),
        die=(0, 1, 1, 2, 2, 3),  # red
    ),
    Good(
        "cigars",
        names=naming.CIGARS,
        help=say("Made from tobacco in the Cigar factory; the Café buys them too."),
        die=(0, 1, 1, 2, 2, 3),  # black
    ),
    Good(
        "wood",
        names=naming.WOOD,
        help=say("From Miguel; ships take it in place of a good they ask for, at {value} each."),
    ),
)
GOOD_KEYS = keys(GOODS)
SUGAR = index_of(GOODS, "sugar")
CITRUS = index_of(GOODS, "citrus")
TOBACCO = index_of(GOODS, "tobacco")
RUM = index_of(GOODS, "rum")
CIGARS = index_of(GOODS, "cigars")
WOOD = index_of(GOODS, "wood")
#: Goods by key: those that grow, and those that ships ask for, each with its die.
CROPS = GOOD_KEYS[:RUM]
DEMANDED = GOOD_KEYS[:WOOD]
SUPPLY_EACH = 8
FACES = 6
HIGHEST_DEMAND = max(max(good.die) for good in GOODS if good.die)

# Starting capital of every player (p. 3); goods are in their records.
START_PESOS = 3
START_POINTS = 2
START_MARKERS = 3

# --- ships and the value of a delivered good (pp. 2, 5)

SHIPS = 7
LOWEST_VALUE = 2
HIGHEST_VALUE = 4
WOOD_VALUE = 1

# --- flowers: three building sites lie under each (p. 2). A site's flower is its number divided by three.


@dataclass(frozen=True)
class Flower:
    """A colour of flowers, on Cubans and over building sites."""

    key: str
    name: Phrase


FLOWERS = (
    Flower("white", Phrase("white", context="flower")),
    Flower("yellow", Phrase("yellow", context="flower")),
    Flower("blue", Phrase("blue", context="flower")),
    Flower("red", Phrase("red", context="flower")),
)
FLOWER_KEYS = keys(FLOWERS)
NO_FLOWER = -1
SITES_PER_FLOWER = 3
SITES = SITES_PER_FLOWER * len(FLOWERS)

# --- the Cubans (p. 4)


@dataclass(frozen=True)
class Cuban:
    """A Cuban: the flower on the tile, and what is handed over: pesos, points, or a number of one good.

    Pablo, El Zorro and Alonso ask for a choice instead: what they do is told in `help`, in two or three words in
    `in_brief`, and in symbols in `shows`.
    """

    key: str
    name: Phrase
    role: Phrase
    help: Phrase  # {gain} is filled with what is handed over
    flower: str  # its key; empty if there is none
    pesos: int = 0
    points: int = 0
    good: str = ""
    goods: int = 0
    in_brief: Phrase | None = None
    shows: tuple[str, ...] = ()

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the row of symbols and numbers on the tile."""
        if self.goods:
            return str(self.goods), self.good
        if self.pesos:
            return str(self.pesos), "peso"
        return (str(self.points), "point") if self.points else self.shows


CUBANS = (
    Cuban(
        "pedro",
        name=Phrase("Pedro", context="cuban"),
        role=Phrase("The tobacco merchant", context="cuban"),
        flower="white",
        help=say("You get {gain}."),
        good="tobacco",
        goods=2,
    ),
    Cuban(
        "maria",
        name=Phrase("Maria", context="cuban"),
        role=Phrase("The dancer", context="cuban"),
        flower="red",  # assumed: the picture is lost
        help=say("You get {gain}."),
        points=2,
    ),
    Cuban(
        "jose",
        name=Phrase("José", context="cuban"),
        role=Phrase("The sugar cane farmer", context="cuban"),
        flower="yellow",
        help=say("You get {gain}."),
        good="sugar",
        goods=2,
    ),
    Cuban(
        "martinez",
        name=Phrase("Martinez", context="cuban"),
        role=Phrase("The musician", context="cuban"),
        flower="blue",  # assumed
        help=say("You get {gain}."),
        pesos=3,
    ),
    Cuban(
        "conchita",
        name=Phrase("Conchita", context="cuban"),
        role=Phrase("The fruit merchant", context="cuban"),
        flower="yellow",  # assumed
        help=say("You get {gain}."),
        good="citrus",
        goods=2,
    ),
    Cuban(
        "zorro",
        name=Phrase("El Zorro", context="cuban"),
        role=Phrase("The pickpocket", context="cuban"),
        flower="",
        help=say(
            "The other players each give you 1 peso, 1 good other than wood, or 1 point, as they choose. "
            "Your piece stays where it is and may use its building again."
        ),
        in_brief=say("something from everybody"),
        shows=("peso", "any", "point"),
    ),
    Cuban(
        "miguel",
        name=Phrase("Miguel", context="cuban"),
        role=Phrase("The lumberjack", context="cuban"),
        flower="blue",
        help=say("You get {gain}."),
        good="wood",
        goods=2,
    ),
    Cuban(
        "pablo",
        name=Phrase("Pablo", context="cuban"),
        role=Phrase("The fence", context="cuban"),
        flower="red",  # assumed
        help=say("He gets you any 1 good except wood."),
        in_brief=say("1 good of your choice"),
        shows=("1", "any"),
    ),
    Cuban(
        "alonso",
        name=Phrase("Alonso", context="cuban"),
        role=Phrase("The lawyer", context="cuban"),
        flower="white",
        help=say("You seize a building that belongs to nobody, or use one of your own."),
        in_brief=say("seize a building or use one of yours"),
        shows=("deed", "/", "use"),
    ),
)
CUBAN_KEYS = keys(CUBANS)
PEDRO = index_of(CUBANS, "pedro")
MARIA = index_of(CUBANS, "maria")
JOSE = index_of(CUBANS, "jose")
MARTINEZ = index_of(CUBANS, "martinez")
CONCHITA = index_of(CUBANS, "conchita")
ZORRO = index_of(CUBANS, "zorro")
MIGUEL = index_of(CUBANS, "miguel")
PABLO = index_of(CUBANS, "pablo")
ALONSO = index_of(CUBANS, "alonso")

# The street (p. 2): the port, then a stop for each Cuban, a loop.
PORT = 0
STOPS = 1 + len(CUBANS)

# --- the buildings (pp. 6 and 7)


@dataclass(frozen=True)
class Building:
    """A building: its name in every form that a language may need, and what a use takes and gives.

    Those that take and give nothing here do something that takes more than numbers to say.
    """

    key: str
    name: Phrase  # as on its tile
    as_subject: Phrase  # the Bank is …
    as_object: Phrase  # Red seizes the Bank
    to: Phrase
    of: Phrase
    at: Phrase
    help: Phrase  # its gaps are filled with the numbers below
    shows: tuple[str, ...]  # its symbols, and its numbers in braces
    takes: tuple[str, ...] = ()  # one unit of any of these
    makes: str = ""
    points: int = 0
    pesos: int = 0

    @property
    def symbols(self) -> tuple[str, ...]:
        """Return the row of symbols and numbers on the tile."""
        return tuple(token.format(points=self.points, pesos=self.pesos) for token in self.shows)


BUILDINGS = (
    Building(
        "bank",
        name=Phrase("Bank", context="building"),
        as_subject=Phrase("the Bank", context="subject"),
        as_object=Phrase("the Bank", context="object"),
        to=Phrase("to the Bank", context="building"),
        of=Phrase("of the Bank", context="building"),
        at=Phrase("at the Bank", context="building"),
        help=say("You get {gain}."),
        pesos=2,
        shows=("+{pesos}", "peso"),
    ),
    Building(
        "church",
        name=Phrase("Church", context="building"),
        as_subject=Phrase("the Church", context="subject"),
        as_object=Phrase("the Church", context="object"),
        to=Phrase("to the Church", context="building"),
        of=Phrase("of the Church", context="building"),
        at=Phrase("at the Church", context="building"),
        help=say("You get {gain}."),
        points=1,
        shows=("+{points}", "point"),
    ),
    Building(
        "distillery",
        name=Phrase("Distillery", context="building"),
        as_subject=Phrase("the Distillery", context="subject"),
        as_object=Phrase("the Distillery", context="object"),
        to=Phrase("to the Distillery", context="building"),
        of=Phrase("of the Distillery", context="building"),
        at=Phrase("at the Distillery", context="building"),
        help=say("You turn as much sugar cane as you like into rum."),
        takes=("sugar",),
        makes="rum",
        shows=("sugar", "arrow", "rum"),
    ),
    Building(
        "factory",
        name=Phrase("Cigar factory", context="building"),
        as_subject=Phrase("the Cigar factory", context="subject"),
        as_object=Phrase("the Cigar factory", context="object"),
        to=Phrase("to the Cigar factory", context="building"),
        of=Phrase("of the Cigar factory", context="building"),
        at=Phrase("at the Cigar factory", context="building"),
        help=say("You turn as much tobacco as you like into cigars."),
        takes=("tobacco",),
        makes="cigars",
        shows=("tobacco", "arrow", "cigars"),
    ),
    Building(
        "market",
        name=Phrase("Black market", context="building"),
        as_subject=Phrase("the Black market", context="subject"),
        as_object=Phrase("the Black market", context="object"),
        to=Phrase("to the Black market", context="building"),
        of=Phrase("of the Black market", context="building"),
        at=Phrase("at the Black market", context="building"),
        help=say("You swap 1 good for 1 of another kind; wood cannot be swapped."),
        shows=("any", "swap", "any"),
    ),
    Building(
        "sawmill",
        name=Phrase("Sawmill", context="building"),
        as_subject=Phrase("the Sawmill", context="subject"),
        as_object=Phrase("the Sawmill", context="object"),
        to=Phrase("to the Sawmill", context="building"),
        of=Phrase("of the Sawmill", context="building"),
        at=Phrase("at the Sawmill", context="building"),
        help=say("You sell {goods} for {gain}."),
        takes=("wood",),
        points=1,
        pesos=1,
        shows=("wood", "arrow", "point", "+", "peso"),
    ),
    Building(
        "cafe",
        name=Phrase("Café", context="building"),
        as_subject=Phrase("the Café", context="subject"),
        as_object=Phrase("the Café", context="object"),
        to=Phrase("to the Café", context="building"),
        of=Phrase("of the Café", context="building"),
        at=Phrase("at the Café", context="building"),
        help=say("You serve 1 rum, 1 cigar or both, for {gain} each."),
        takes=("rum", "cigars"),
        points=2,
        shows=("rum", "/", "cigars", "arrow", "{points}", "point"),
    ),
    Building(
        "customs",
        name=Phrase("Customs office", context="building"),
        as_subject=Phrase("the Customs office", context="subject"),
        as_object=Phrase("the Customs office", context="object"),
        to=Phrase("to the Customs office", context="building"),
        of=Phrase("of the Customs office", context="building"),
        at=Phrase("at the Customs office", context="building"),
        help=say("You turn one of the ship’s dice to 0: that good is no longer wanted."),
        shows=("die", "arrow", "zero"),
    ),
    Building(
        "casino",
        name=Phrase("Casino", context="building"),
        as_subject=Phrase("the Casino", context="subject"),
        as_object=Phrase("the Casino", context="object"),
        to=Phrase("to the Casino", context="building"),
        of=Phrase("of the Casino", context="building"),
        at=Phrase("at the Casino", context="building"),
        help=say("You change as many pesos into points, or points into pesos, as you like: {pesos} for 1 point."),
        pesos=3,  # for one point, either way
        shows=("{pesos}", "peso", "swap", "1", "point"),
    ),
    Building(
        "harbormaster",
        name=Phrase("Harbormaster’s office", context="building"),
        as_subject=Phrase("the Harbormaster’s office", context="subject"),
        as_object=Phrase("the Harbormaster’s office", context="object"),
        to=Phrase("to the Harbormaster’s office", context="building"),
        of=Phrase("of the Harbormaster’s office", context="building"),
        at=Phrase("at the Harbormaster’s office", context="building"),
        help=say("You raise or lower the value of goods by 1; if it rises above {highest}, the ship sails."),
        shows=("left", "flag", "arrow"),
    ),
    Building(
        "office",
        name=Phrase("Office", context="building"),
        as_subject=Phrase("the Office", context="subject"),
        as_object=Phrase("the Office", context="object"),
        to=Phrase("to the Office", context="building"),
        of=Phrase("of the Office", context="building"),
        at=Phrase("at the Office", context="building"),
        help=say("You deliver 1 good that the ship asks for, but not wood, for {gain}."),
        points=2,
        shows=("any", "arrow", "{points}", "point"),
    ),
    Building(
        "newspaper",
        name=Phrase("Newspaper", context="building"),
        as_subject=Phrase("the Newspaper", context="subject"),
        as_object=Phrase("the Newspaper", context="object"),
        to=Phrase("to the Newspaper", context="building"),
        of=Phrase("of the Newspaper", context="building"),
        at=Phrase("at the Newspaper", context="building"),
        help=say(
            "You get {gain} and may turn a Cuban face down. A car that stops there finds nothing: no gift, "
            "no move, no building. The tile turns face up again when the car drives on or past."
        ),
        pesos=1,
        shows=("+{pesos}", "peso", "back"),
    ),
)
BUILDING_KEYS = keys(BUILDINGS)
BANK = index_of(BUILDINGS, "bank")
CHURCH = index_of(BUILDINGS, "church")
DISTILLERY = index_of(BUILDINGS, "distillery")
FACTORY = index_of(BUILDINGS, "factory")
MARKET = index_of(BUILDINGS, "market")
SAWMILL = index_of(BUILDINGS, "sawmill")
CAFE = index_of(BUILDINGS, "cafe")
CUSTOMS = index_of(BUILDINGS, "customs")
CASINO = index_of(BUILDINGS, "casino")
HARBORMASTER = index_of(BUILDINGS, "harbormaster")
OFFICE = index_of(BUILDINGS, "office")
NEWSPAPER = index_of(BUILDINGS, "newspaper")

OWNERS_POINTS = 1
GOODS_PER_FINAL_POINT = 3

# Limits of this program, not of the rules: no single drive over 40 steps, no single exchange of over 99 points.
LONGEST_DRIVE = 40
MOST_AT_CASINO = 99
