"""The game that the examples of Cuba's rules page are taken from: its moves, not what they show."""

from __future__ import annotations

from malecon.words.rulebook import ExampleGame

EXAMPLE_GAME = ExampleGame(
    ("Ana", "Ben"),
    {
        "start": "draw sctrr, draw sscrz, draw ccszz, starter blue, materials stone water, crops sugar sugar,"
        "materials wood stone, crops sugar citrus, propose tax 4, propose duty water, propose subsidy pesos,"
        "propose other surplus",
        "cross": "worker, field 6",
        "harvest": "harvest sugar, harvest citrus, irrigate tobacco",
        "tie": "mayor, forgo, architect, build distillery, on 11, merchant, done, merchant, pick wood, foreman, store,"
        "foreman, store, architect, forgo, bid 0, bid 4",
        "vote": "bid 1, bid 0",
        "laws": "enact subsidy other",
        "carried out": "pay tax, pay tax, pay duty, pay duty",
        "market": "draw ttszz, propose tax 5, propose duty tobacco, propose subsidy water, propose other harbour,"
        "worker, field 12, mayor, forgo, architect, build rum cafe, on 9, merchant, buy rum, buy rum",
        "sold": "sell sugar",
        "foreman": "done, foreman",
        "rum": "make 3 rum",
        "served": "serve 3 rum",
        "ships": "architect, forgo, mayor, ship 3 sugar, ship 3 citrus, ship 3 tobacco, foreman, bid 0, bid 0,"
        "enact duty subsidy, pay tax",
        "moved up": "pay tax, draw ttcrr",
    },
    {"plantations": "common"},
)
