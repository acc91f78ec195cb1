"""The game that the examples of Santiago de Cuba's rules page are taken from: its moves, not what they show."""

from __future__ import annotations

from malecon.words.rulebook import ExampleGame

EXAMPLE_GAME = ExampleGame(
    ("Ana", "Ben", "Cleo"),
    {
        "start": "place church, place office, place newspaper, place distillery, place cafe, place market, place bank,"
        "place sawmill, place casino, place factory, place customs, place harbormaster, place jose, place martinez,"
        "place miguel, place alonso, place pedro, place maria, place zorro, place pablo, place conchita, starter red,"
        "roll sugar 0, roll citrus 0, roll tobacco 1, roll rum 2, roll cigars 1, leave cigars",
        "El Zorro": "drive 1, visit distillery, make 2 rum, drive 1, visit casino, pass, drive 1, visit sawmill, pass,"
        "drive 1, seize bank, visit church, use church, drive 1, visit newspaper, print,"
        "drive 1, visit harbormaster, flag right, drive 1",
        "robbed": "give peso, give tobacco, use church",
        "delivery": "drive 1, take sugar, visit factory, make 3 cigars, drive 1, visit cafe, drive 1",
        "wood": "deliver 2 rum, pass",
        "delivered": "deliver 1 wood tobacco",
        "Alonso": "roll sugar 2, roll citrus 2, roll tobacco 1, roll rum 1, roll cigars 1, leave cigars,"
        "drive 2, visit bank, use bank, drive 1, visit casino, pass, drive 1",
        "used": "use bank",
        "flag": "visit office, pass, drive 1, visit church, use church, drive 1, visit harbormaster, flag right,"
        "drive 4, pass, pass, pass, drive 8, take rum, visit customs, pass, drive 1, visit cafe",
        "past the port": "drive 2",
    },
    {"open_screens": True},
)
