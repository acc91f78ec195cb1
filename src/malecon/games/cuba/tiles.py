"""The printed facts of Cuba: goods, plantations, characters, buildings, ships, laws. Data only, no rules.

An owner of the game can correct any table here; nothing else repeats it. Page numbers are those of the German
rulebook. Tables marked "assumed" stand for pictures that are lost.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement

import numpy as np

FEWEST_PLAYERS, MOST_PLAYERS = 2, 5
COLOURS = ("blue", "red", "yellow", "green", "purple")
ROUNDS = 6

# The eight kinds of pieces (p. 4): three crops and two wares, which are the trade goods, then three building materials.
GOODS = ("sugar", "citrus", "tobacco", "rum", "cigars", "wood", "stone", "water")
SUGAR, CITRUS, TOBACCO, RUM, CIGARS, WOOD, STONE, WATER = range(8)
CROPS, WARES, TRADE_GOODS, MATERIALS = GOODS[:RUM], GOODS[RUM:WOOD], GOODS[:WOOD], GOODS[WOOD:]
PIECES = np.array([15, 15, 15, 10, 10, 15, 15, 15], np.int8)  # in the box, by kind (p. 3)

# Unordered pairs of three kinds, both of the same kind allowed: start goods, duties, the monastery, the material shop.
PAIRS = tuple(combinations_with_replacement(range(3), 2))
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
# What the first, second … player gets who forgoes building, or shipping (pp. 8 and 9).
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

# The buildings (pp. 13 to 15): number of tiles, then wood, stone and water to pay.
_BUILDINGS = {
    "cement works": (1, (1, 2, 0)),
    "sawmill": (1, (2, 1, 0)),
    "golf course": (1, (0, 0, 2)),
    "monastery": (1, (2, 1, 0)),
    "rum cafe": (1, (1, 1, 1)),
    "cigar cafe": (1, (1, 1, 1)),
    "small office": (1, (2, 1, 0)),
    "large office": (1, (2, 2, 0)),
    "hotel": (1, (2, 2, 1)),
    "hostel": (1, (1, 1, 1)),
    "ware shop": (1, (1, 2, 0)),
    "crop shop": (1, (2, 1, 0)),
    "material shop": (1, (1, 1, 1)),
    "small bank": (1, (1, 1, 0)),
    "large bank": (1, (2, 3, 0)),
    "black market": (1, (3, 2, 0)),
    "cigar factory": (2, (2, 2, 0)),
    "distillery": (2, (2, 2, 0)),
    "church": (1, (2, 2, 0)),
    "town hall": (1, (1, 1, 0)),
    "dam": (1, (0, 2, 0)),
    "lighthouse": (1, (1, 1, 0)),
    "warehouse": (1, (2, 0, 0)),
}
BUILDINGS = tuple(_BUILDINGS)
BUILDING_TILES = np.array([count for count, _ in _BUILDINGS.values()], np.int8)
BUILDING_COST = np.array([cost for _, cost in _BUILDINGS.values()], np.int8)
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
PRINTED_WAREHOUSE = len(BUILDINGS)  # stands on every plantation from the start and is no tile
NO_BUILDING = -1
# What the buildings do, in numbers.
MILLED_AT_MOST, MILLED_POINTS = 4, 1  # cement works, sawmill, golf course
DONATED_AT_MOST, DONATED_POINTS = 2, 1  # monastery
SERVED_AT_MOST, SERVED_POINTS = 3, 2  # the cafés
HOTEL_POINTS, HOSTEL_POINTS = 2, 1
WARE_SHOP_PESOS, CROP_SHOP_PESOS, MATERIAL_SHOP_PESOS = 6, 4, 2
SMALL_BANK_PESOS, LARGE_BANK_PESOS = 2, 4
TOWN_HALL_VOTES = 2
DAM_WATER = 2
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
# Should an owner find equal cards in the box, the second one is called `sctrrb`.
SHIP_NAMES = tuple(
    spaces.lower() + " bcdef"[SHIP_SPACES[:i].count(spaces)].strip() for i, spaces in enumerate(SHIP_SPACES)
)
# Where ships lie: 0 is the high sea; berths 1 to 3 give as many points for each unit.
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
