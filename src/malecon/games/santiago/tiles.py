"""The printed facts of Santiago de Cuba: Cubans, buildings, goods, dice, starting capital. Data only, no rules.

An owner of the game can correct any table here; nothing else repeats it. Page numbers are those of the rulebook.
"""

from __future__ import annotations

import numpy as np

FEWEST_PLAYERS, MOST_PLAYERS = 2, 4
COLOURS = ("red", "blue", "yellow", "green")

# Goods (p. 2). Wood comes last: the five before it are the ones ships ask for, each with its die.
GOODS = ("sugar", "citrus", "tobacco", "rum", "cigars", "wood")
SUGAR, CITRUS, TOBACCO, RUM, CIGARS, WOOD = range(6)
CROPS, DEMANDED = GOODS[:RUM], GOODS[:WOOD]
SUPPLY_EACH = 8

# The six faces of each die (p. 3). The orange one shows a 4 in place of its second 1.
DICE = np.array(
    [
        [0, 1, 1, 2, 2, 3],  # sugar cane, white
        [0, 1, 2, 2, 3, 4],  # citrus, orange
        [0, 1, 1, 2, 2, 3],  # tobacco, green
        [0, 1, 1, 2, 2, 3],  # rum, red
        [0, 1, 1, 2, 2, 3],  # cigars, black
    ],
    np.int8,
)
FACES = DICE.shape[1]
HIGHEST_DEMAND = int(DICE.max())

# Starting capital of every player (p. 3).
START_PESOS, START_POINTS, START_MARKERS = 3, 2, 3
START_GOODS = np.array([1, 1, 1, 0, 0, 0], np.int8)

# The street (p. 2): the port, then nine stops, a loop.
PORT = 0
STOPS = 10

# Ships and the value of a delivered good (pp. 2, 5).
SHIPS = 7
LOWEST_VALUE, HIGHEST_VALUE = 2, 4
WOOD_VALUE = 1
OFFICE_VALUE = 2

# Flowers: three building sites lie under each (p. 2). A site's flower is its number divided by three.
FLOWERS = ("white", "yellow", "blue", "red")
WHITE, YELLOW, BLUE, RED = range(4)
NO_FLOWER = -1
SITES = 12
SITES_PER_FLOWER = 3

# The Cubans (p. 4) with the flower on their tile.
CUBANS = ("pedro", "maria", "jose", "martinez", "conchita", "zorro", "miguel", "pablo", "alonso")
PEDRO, MARIA, JOSE, MARTINEZ, CONCHITA, ZORRO, MIGUEL, PABLO, ALONSO = range(9)
CUBAN_FLOWER = np.array(
    [
        WHITE,  # Pedro
        RED,  # Maria: assumed, the picture is lost; each flower stands on two Cubans
        YELLOW,  # José
        BLUE,  # Martinez: assumed
        YELLOW,  # Conchita: assumed
        NO_FLOWER,  # El Zorro
        BLUE,  # Miguel
        RED,  # Pablo: assumed
        WHITE,  # Alonso
    ],
    np.int8,
)
# What a Cuban hands over: pesos, points, or a number of one good. Pablo, El Zorro and Alonso ask for a choice instead.
CUBAN_PESOS = np.array([0, 0, 0, 3, 0, 0, 0, 0, 0], np.int8)
CUBAN_POINTS = np.array([0, 2, 0, 0, 0, 0, 0, 0, 0], np.int8)
CUBAN_GOOD = np.array([TOBACCO, -1, SUGAR, -1, CITRUS, -1, WOOD, -1, -1], np.int8)
CUBAN_GOODS = np.array([2, 0, 2, 0, 2, 0, 2, 0, 0], np.int8)

# The buildings (pp. 6 and 7).
BUILDINGS = (
    "bank",
    "church",
    "distillery",
    "factory",
    "market",
    "sawmill",
    "cafe",
    "customs",
    "casino",
    "harbormaster",
    "office",
    "newspaper",
)
(BANK, CHURCH, DISTILLERY, FACTORY, MARKET, SAWMILL, CAFE, CUSTOMS, CASINO, HARBORMASTER, OFFICE, NEWSPAPER) = range(12)
BANK_PESOS = 2
CHURCH_POINTS = 1
SAWMILL_POINTS, SAWMILL_PESOS = 1, 1
CAFE_POINTS = 2
CASINO_PESOS = 3  # for one point, either way
NEWSPAPER_PESOS = 1

OWNERS_POINTS = 1
GOODS_PER_FINAL_POINT = 3

# Limits of this program, not of the rules: no single drive over 40 steps, no single exchange of over 99 points.
LONGEST_DRIVE = 40
MOST_AT_CASINO = 99
