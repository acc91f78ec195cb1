"""The printed facts of Cuba: goods, plantations, characters, buildings, ships, laws. Data only, no rules.

An owner of the game can correct any table here; nothing else repeats it. Page numbers are those of the German
rulebook. Tables marked "assumed" stand for pictures that are lost.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import NamedTuple

import numpy as np

FEWEST_PLAYERS, MOST_PLAYERS = 2, 5
COLOURS = ("blue", "red", "yellow", "green", "purple")
ROUNDS = 6

# The eight kinds of pieces (p. 4): three crops and two wares, which are the trade goods, then three building materials.
GOODS = ("sugar", "citrus", "tobacco", "rum", "cigars", "wood", "stone", "water")
SUGAR, CITRUS, TOBACCO, RUM, CIGARS, WOOD, STONE, WATER = range(8)
CROPS, WARES, TRADE_GOODS, MATERIALS = GOODS[:RUM], GOODS[RUM:WOOD], GOODS[:WOOD], GOODS[WOOD:]
PIECES = np.array([15, 15, 15, 10, 10, 15, 15, 15], np.int8)  # in the box, by kind (p. 3)

# Unordered pairs of three kinds, equal ones allowed: start goods, duties, the monastery, the materials depot.
KINDS_IN_PAIRS = 3
PAIRS = tuple(combinations_with_replacement(range(KINDS_IN_PAIRS), 2))
PAIR_FIRST = np.array([first for first, _ in PAIRS], np.int8)
PAIR_SECOND = np.array([second for _, second in PAIRS], np.int8)

START_PESOS = 10

# The market (p. 4): spaces for crops cost 6 5 4 3 2, for wares 6 5 4; units stand on the dearest. So buying from k
# units costs 7 - k and selling to k units pays 6 - k; this also covers the empty and the full track (p. 7).
MARKET_SPACES = np.array([5, 5, 5, 3, 3], np.int8)
MARKET_START = np.array([3, 3, 3, 2, 2], np.int8)
DEAREST_PURCHASE, DEAREST_SALE = 7, 6

# The characters (pp. 6 to 9). A card's number plus one is its votes in parliament.
CHARACTERS = ("worker", "merchant", "architect", "foreman", "mayor")
WORKER, MERCHANT, ARCHITECT, FOREMAN, MAYOR = range(5)
CARDS_PLAYED = 4  # by each player in a round; the fifth goes to parliament
FREE_CROP_FIELDS = 2
FREE_CROP_FIELDS_IN_DROUGHT = 1
# What the first, second … player to forgo building, or delivery, gets (pp. 8 and 9).
ARCHITECT_POINTS = np.array([2, 1, 0], np.int8)
MAYOR_PESOS = np.array([4, 2, 0], np.int8)

# The plantations (p. 5): three rows of four fields, numbered from the top left. Assumed; every one has the right kinds.
# W warehouse, L lake, M mountain, F forest, S sugar, C citrus, T tobacco.
PLANTATION_ROWS = (
    "WFSM TMCF CSTL",  # the common side
    "WSFM CMTF TCSL",  # blue
    "WMCF SFTM CLST",  # red
    "WTMC FSLT SFCM",  # yellow
    "WCFT MSTL FCMS",  # green
    "WFTS CLMC SMTF",  # purple
)
COLUMNS = 4
FIELDS = 12
YIELDLESS = -1  # the field of the printed warehouse
FIELD_GOODS = {"W": YIELDLESS, "S": SUGAR, "C": CITRUS, "T": TOBACCO, "F": WOOD, "M": STONE, "L": WATER}
PLANTATIONS = np.array([[FIELD_GOODS[f] for f in rows.replace(" ", "")] for rows in PLANTATION_ROWS], np.int8)
# The six fields that a figure on a field activates, as bit masks.
CROSS = np.array(
    [
        sum(1 << f for f in range(FIELDS) if f // COLUMNS == own // COLUMNS or f % COLUMNS == own % COLUMNS)
        for own in range(FIELDS)
    ],
    np.int16,
)


class Building(NamedTuple):
    """A kind of building: how many tiles there are, what one costs, and what a use takes and gives."""

    tiles: int
    cost: tuple[int, int, int]  # wood, stone and water
    takes: tuple[str, ...] = ()  # one unit of any of these, each time
    times: int = 1  # at most, in one use
    points: int = 0  # given each time
    pesos: int = 0
    good: str = ""


# The buildings (pp. 13 to 15). Those that give nothing here do something that takes more than numbers to say.
_BUILDINGS = {
    "cement works": Building(1, (1, 2, 0), takes=("stone",), times=4, points=1),
    "sawmill": Building(1, (2, 1, 0), takes=("wood",), times=4, points=1),
    "golf course": Building(1, (0, 0, 2), takes=("water",), times=4, points=1),
    "monastery": Building(1, (2, 1, 0), takes=CROPS, times=2, points=1),
    "rum cafe": Building(1, (1, 1, 1), takes=("rum",), times=3, points=2),
    "cigar cafe": Building(1, (1, 1, 1), takes=("cigars",), times=3, points=2),
    "small office": Building(1, (2, 1, 0), takes=TRADE_GOODS),
    "large office": Building(1, (2, 2, 0), takes=TRADE_GOODS, times=2),
    "hotel": Building(1, (2, 2, 1), points=2),
    "hostel": Building(1, (1, 1, 1), points=1),
    "ware shop": Building(1, (1, 2, 0), takes=WARES, pesos=6),
    "crop shop": Building(1, (2, 1, 0), takes=CROPS, pesos=4),
    "material shop": Building(1, (1, 1, 1), takes=MATERIALS, times=2, pesos=2),
    "small bank": Building(1, (1, 1, 0), pesos=2),
    "large bank": Building(1, (2, 3, 0), pesos=4),
    "black market": Building(1, (3, 2, 0), takes=TRADE_GOODS),
    "cigar factory": Building(2, (2, 2, 0), takes=("tobacco",), times=int(PIECES[CIGARS]), good="cigars"),
    "distillery": Building(2, (2, 2, 0), takes=("sugar",), times=int(PIECES[RUM]), good="rum"),
    "church": Building(1, (2, 2, 0)),
    "town hall": Building(1, (1, 1, 0)),
    "dam": Building(1, (0, 2, 0), times=2, good="water"),
    "lighthouse": Building(1, (1, 1, 0)),
    "warehouse": Building(1, (2, 0, 0)),
}
BUILDINGS, BUILDING_FACTS = tuple(_BUILDINGS), tuple(_BUILDINGS.values())
BUILDING_TILES = np.array([facts.tiles for facts in BUILDING_FACTS], np.int8)
BUILDING_COST = np.array([facts.cost for facts in BUILDING_FACTS], np.int8)
NOTHING = -1
# What a use takes: how many kinds of goods will do, and the first; the others follow it in the order of `GOODS`.
USE_KINDS = np.array([len(facts.takes) for facts in BUILDING_FACTS], np.int8)
USE_TAKES = np.array([GOODS.index(facts.takes[0]) if facts.takes else NOTHING for facts in BUILDING_FACTS], np.int8)
USE_TIMES = np.array([facts.times for facts in BUILDING_FACTS], np.int8)
USE_POINTS = np.array([facts.points for facts in BUILDING_FACTS], np.int8)
USE_PESOS = np.array([facts.pesos for facts in BUILDING_FACTS], np.int8)
USE_GOOD = np.array([GOODS.index(facts.good) if facts.good else NOTHING for facts in BUILDING_FACTS], np.int8)
(
    CEMENT_WORKS,
    SAWMILL,
    GOLF_COURSE,
    MONASTERY,
    RUM_CAFE,
    CIGAR_CAFE,
    SMALL_OFFICE,
    LARGE_OFFICE,
    HOTEL,
    HOSTEL,
    WARE_SHOP,
    CROP_SHOP,
    MATERIAL_SHOP,
    SMALL_BANK,
    LARGE_BANK,
    BLACK_MARKET,
    CIGAR_FACTORY,
    DISTILLERY,
    CHURCH,
    TOWN_HALL,
    DAM,
    LIGHTHOUSE,
    WAREHOUSE,
) = range(len(BUILDINGS))
PRINTED_WAREHOUSE = len(BUILDINGS)  # stands on every plantation from the start and is not a tile
NO_BUILDING = -1
TOWN_HALL_VOTES = 2
FINAL_POINTS_PER_BUILDING = 2

# The ship cards (p. 3), five spaces each. Assumed; every trade good has fifteen spaces in all.
# S sugar, C citrus, T tobacco, R rum, Z cigars.
SHIP_SPACES = (
    *("SCTRR", "SCTRZ", "SCTZZ", "SSCRR", "SSCRZ", "CCTRZ", "CCTZZ", "TTSZZ", "TTSRR", "SSTRZ"),
    *("SSTZZ", "CCSRR", "CCSZZ", "TTCRR", "TTCRZ"),
)
SHIPS = len(SHIP_SPACES)
SHIP_WANTS = np.array([[spaces.count(letter) for letter in "SCTRZ"] for spaces in SHIP_SPACES], np.int8)
CARGO = 5
# If an owner finds equal cards in the box, the second one is called `sctrrb`.
SHIP_NAMES = tuple(
    spaces.lower() + " bcdef"[SHIP_SPACES[:i].count(spaces)].strip() for i, spaces in enumerate(SHIP_SPACES)
)
# Where ships lie: 0 is the high seas; berths 1 to 3 give as many points for each unit.
HIGH_SEA = 0
BERTHS = 3
BERTH_NOT_USED_AT_FIRST = 3  # in the first round (p. 4)

# The laws (pp. 10 and 11), six cards in each of four groups.
GROUPS = ("tax", "duty", "subsidy", "other")
TAX, DUTY, SUBSIDY, OTHER = range(4)
LAWS = (
    ("1", "2", "3", "4", "5", "buildings"),
    ("citrus", "sugar", "tobacco", "water", "materials", "crops"),
    ("buildings", "material fields", "crop fields", "water", "votes", "pesos"),
    ("shortage", "surplus", "drought", "building", "harbour", "corruption"),
)
LAWS_EACH = 6
NO_LAW = -1
TAX_PER_BUILDING = 5  # the card; the others ask for their number plus one
DUTY_MATERIALS, DUTY_CROPS = 4, 5  # two of any kind; the other duties are one of the good below
DUTY_GOOD = np.array([CITRUS, SUGAR, TOBACCO, WATER], np.int8)
(
    SUBSIDY_BUILDINGS,
    SUBSIDY_MATERIAL_FIELDS,
    SUBSIDY_CROP_FIELDS,
    SUBSIDY_WATER,
    SUBSIDY_VOTES,
    SUBSIDY_PESOS,
) = range(LAWS_EACH)
SHORTAGE, SURPLUS, DROUGHT, BUILDING_LAW, HARBOUR_LAW, CORRUPTION = range(LAWS_EACH)
LAWS_AT_FIRST = (1, 0, NO_LAW, NO_LAW)  # tax 2 pesos, duty 1 citrus; printed on the board
LAW_PAIRS = tuple(combinations(range(len(GROUPS)), 2))  # what the winner of parliament may enact
LAW_PAIR_FIRST = np.array([first for first, _ in LAW_PAIRS], np.int8)
LAW_PAIR_SECOND = np.array([second for _, second in LAW_PAIRS], np.int8)
TAX_POINTS, DUTY_POINTS, BOTH_POINTS = 2, 2, 1
PESOS_PER_SUBSIDY_POINT = 3
HIGHEST_SUBSIDY = 7  # for water and for pesos
MARKET_LAW_UNITS = 2
BUILDING_LAW_PESOS = 2

# A limit of this program, not of the rules: no single bid over 99 pesos.
HIGHEST_BID = 99
