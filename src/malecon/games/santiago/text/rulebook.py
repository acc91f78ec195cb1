"""The rules of Santiago de Cuba in our own words. Names and effects of tiles come from the glossary."""

from __future__ import annotations

from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import LONGEST_GAME
from malecon.text.rulebook import Chapter, Example, ExampleGame, Picture, Rulebook

#: What the home page says of the game.
LINE = say("Drive the car through Santiago, collect goods, seize buildings and load seven ships.")

#: The game that the examples are taken from.
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

CHAPTERS = (
    Chapter(
        say("In short"),
        (
            say(
                "You are a merchant in the old town of Santiago. Everybody drives the same car along the same "
                "street, round and round. At each stop a Cuban helps you, and then your piece works in one of the "
                "buildings."
            ),
            say(
                "The ship in the port wants certain goods, and pays points for them. When the seventh ship has "
                "sailed, the game is over, and the player with the most points wins."
            ),
        ),
        (
            "point",
            "peso",
        ),
    ),
    Chapter(
        say("Setting up"),
        (
            say(
                "Nine Cubans are placed at random along the street, and twelve buildings at random around the town, "
                "three under each flower colour. The street is a loop of ten stops: nine Cubans and the port. The "
                "car starts at the port."
            ),
            say(
                "Everybody starts with 3 pesos, 2 points, 1 sugar cane, 1 citrus fruit and 1 tobacco. Your piece is "
                "not on the board yet, and you have three property markers."
            ),
            say(
                "There are 8 of each good. Goods that are used up cannot be had until some come back; if fewer are "
                "left than you should get, you get those. Pesos and points never run out."
            ),
            say(
                "The starting player is drawn at random, and play goes clockwise. Before the first turn, the last "
                "player rolls the five dice and leaves one out; the other four are what the first ship wants."
            ),
        ),
    ),
    Chapter(
        Phrase("Your turn", context="chapter"),
        (
            say(
                "First you must drive the car. The next stop is free; each one after that costs you 1 peso. Drive as "
                "far as you can pay, even several times round."
            ),
            say(
                "The Cuban where you stop gives you what the tile shows, or offers you a choice. You always take a "
                "plain gain."
            ),
            say(
                "Then move your piece to a different building under a flower of the same colour as the Cuban’s, and "
                "use it if you like. A building with another player’s piece is closed to you."
            ),
            say(
                "If none of those buildings is free, your piece stays where it is and may use its building once "
                "more. A piece that is not on the board yet then does nothing."
            ),
            Example(
                say(
                    "Example: the car is at the port and Ana has 3 pesos. The next stop, José, is free; Martinez "
                    "costs her 1 peso, Miguel 2 and Alonso 3. She cannot go further."
                ),
                (
                    Picture(
                        "start",
                        ("street",),
                        say("The car at the port. Four stops are outlined, the last three with coins: 1, 2 and 3."),
                        offers=True,
                    ),
                ),
            ),
        ),
        ("peso",),
    ),
    Chapter(
        say("El Zorro, Alonso and the newspaper"),
        (
            say(
                "El Zorro has no flower. The others, clockwise from you, each give you 1 peso, 1 good other than "
                "wood, or 1 point, as they choose; a player who has none of these gives nothing. Your piece stays "
                "where it is and may use its building again."
            ),
            Example(
                say(
                    "Example: Ana stops at El Zorro while her piece is at the Church. Ben gives her 1 peso and Cleo "
                    "1 tobacco. Then she uses the Church again and gets 1 point."
                ),
                (
                    Picture(
                        "El Zorro",
                        ("upper street", "white"),
                        say("The car at El Zorro, who has no flower, and Ana’s piece at the Church."),
                        ("cuban-zorro", "building-church"),
                    ),
                ),
            ),
            say(
                "Alonso lets you seize a building that nobody owns, with one of your three markers; or use a "
                "building of your own, even an occupied one; or do neither. Then your piece moves as usual."
            ),
            say(
                "From then on you get 1 point whenever another player’s piece stands on your building at the end of "
                "that player’s turn, even after a drive to the port or a blocked move."
            ),
            Example(
                say(
                    "Example: Ana owns the Bank, and Ben’s piece is on it. At Alonso she uses the Bank all the same "
                    "and gets 2 pesos; then her piece goes to a building under a white flower."
                ),
                (
                    Picture(
                        "Alonso",
                        ("upper street", "blue"),
                        say("The car at Alonso. The Bank bears Ana’s marker, and Ben’s piece stands on it."),
                        ("cuban-alonso", "building-bank"),
                    ),
                ),
            ),
            say(
                "A Cuban whom the Newspaper has turned face down does nothing: your piece stays and uses no "
                "building. The tile turns face up again when the car drives on from there or past it."
            ),
        ),
    ),
    Chapter(
        say("The port"),
        (
            say(
                "When the car stops at the port, a delivery round begins, and your piece stays where it is without "
                "using a building. From you clockwise, players deliver or pass, round and round. A player who passes "
                "is out of this delivery round."
            ),
            say(
                "Each delivery is of one kind, as many as you like and the ship still wants. Each good earns the "
                "value on the flag: 2, 3 or 4 points. The die goes down by what you delivered."
            ),
            say(
                "Wood can replace one kind that the ship wants, up to that kind’s demand, for 1 point each whatever "
                "the flag shows. It is never mixed with other goods in one delivery."
            ),
            Example(
                say(
                    "Example: the ship wants 2 rum and 1 tobacco, and the flag shows 3 (1). Ana delivers 2 rum for 6 "
                    "points, and Ben passes. Cleo has no tobacco but 2 wood (2): 1 of them replaces the tobacco, for "
                    "1 point. All dice now show 0, so the ship sails."
                ),
                (
                    Picture(
                        "delivery",
                        ("harbour", "seat 0"),
                        say("The ship’s dice show 2 rum and 1 tobacco, the flag is at 3, and Ana has 2 rum."),
                        ("die-rum", "flag-3"),
                    ),
                    Picture(
                        "wood",
                        ("harbour", "seat 2"),
                        say("The rum die shows 0, the tobacco die still 1. Cleo has 2 wood and no tobacco."),
                        ("die-tobacco",),
                    ),
                ),
            ),
            say(
                "Once all its dice show 0, the ship sails. If everybody has passed before that, the flag moves up by "
                "one. It also moves up whenever the car passes the port without stopping. From 4 there is no further "
                "flag: the ship sails, full or not. For the next ship the flag starts at 2 again."
            ),
            Example(
                say(
                    "Example: the flag shows 4 and the ship still wants six goods (1). Ana drives past the port to "
                    "José: the ship sails at once, and the flag is back at 2 (2). The next ship has no dice until "
                    "the end of her turn."
                ),
                (
                    Picture(
                        "flag",
                        ("lower street", "harbour"),
                        say("The car stands one stop before the port. The flag is at 4, and the dice add up to six."),
                        ("flag-4",),
                    ),
                    Picture(
                        "past the port",
                        ("lower street", "harbour"),
                        say(
                            "The car is at José, just past the port. Ship 3 lies there without dice; the flag is at 2."
                        ),
                        ("flag-2",),
                    ),
                ),
            ),
            say(
                "If a drive passes the port and sends the ship off, then comes round and stops at the port, there is "
                "no delivery round: the new ship has no demand yet (our ruling)."
            ),
        ),
        (
            "sugar",
            "citrus",
            "tobacco",
            "rum",
            "cigars",
            "wood",
        ),
    ),
    Chapter(
        say("A new ship"),
        (
            say(
                "The player whose turn it was when the ship sailed rolls the five dice at the end of that turn and "
                "leaves one out. The other four are what the next ship wants. Until then nothing can be delivered."
            ),
            say(
                "The dice show 0, 1, 1, 2, 2, 3; that of citrus fruit shows 0, 1, 2, 2, 3, 4. If the four dice kept "
                "all show 0, the ship wants nothing: it sails at once, and you roll again (our ruling)."
            ),
        ),
    ),
    Chapter(
        say("The end"),
        (
            say(
                "The game ends the moment the seventh ship sails, whatever is still going on. Every three goods you "
                "have left, wood included, earn 1 point."
            ),
            say(
                "The player with the most points wins. Ties: more goods left after this exchange, then more pesos; "
                "otherwise the win is shared (our ruling)."
            ),
            say(
                "The printed rules force no end. Here a game that has lasted {moves} moves, dice and tiles included, "
                "ends there, and is counted as usual (our ruling). No sensible game gets near.",
                moves=LONGEST_GAME,
            ),
        ),
        ("point",),
    ),
    Chapter(
        say("Screens"),
        (
            say(
                "Your pesos, goods and points are behind your screen, and nobody else sees them. A table may also be "
                "played with open screens."
            ),
        ),
    ),
)

#: The kinds of the glossary that the rules page lists, with a heading.
KINDS = {
    "cubans": say("The Cubans"),
    "buildings": say("The buildings"),
    "goods": say("The goods"),
    "options": say("Options of a table"),
}
RULEBOOK = Rulebook(CHAPTERS, KINDS, EXAMPLE_GAME)
