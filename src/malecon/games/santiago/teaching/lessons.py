"""The lessons of Santiago de Cuba: from the first drive to the harbormaster's trick. Red learns. Data only."""

from __future__ import annotations

from collections.abc import Mapping

from malecon.games.santiago import events as kinds
from malecon.games.santiago import tiles
from malecon.kernel.phrases import say
from malecon.teaching.analysis.position_fields import Value
from malecon.teaching.lessons import SEAT, Lesson, LessonRun, WrongTurn

#: The street and the town of all lessons, so that one learns the way about.
STREET = ("pedro", "maria", "jose", "martinez", "conchita", "zorro", "miguel", "pablo", "alonso")
TOWN = (
    *("bank", "church", "harbormaster"),  # white: Pedro, Alonso
    *("distillery", "factory", "cafe"),  # yellow: José, Conchita
    *("sawmill", "customs", "casino"),  # blue: Martinez, Miguel
    *("market", "office", "newspaper"),  # red: Maria, Pablo
)


def _table(**more: Value | Mapping[str, Value]) -> dict[str, Value]:
    """Red begins a turn, with nothing but three pesos; `red={"rum": 2}` gives goods."""
    fields: dict[str, Value] = {"phase": "drive", "active": "red", "starter": "red", "car": 0, "ship": 1, "value": 2}
    fields |= {f"cuban_at.{stop}": cuban for stop, cuban in enumerate(STREET, 1)}
    fields |= {f"building_at.{site}": building for site, building in enumerate(TOWN, 1)}
    fields |= {f"demand.{good}": 0 for good in tiles.DEMANDED}
    for colour in tiles.COLOURS[:2]:
        fields |= {f"goods.{colour}.{good}": 0 for good in tiles.GOOD_KEYS}
        fields |= {f"pesos.{colour}": 3, f"points.{colour}": 2}
    for key, value in more.items():
        if isinstance(value, Mapping):
            place = f"goods.{key}" if key in tiles.COLOURS else key
            fields |= {f"{place}.{name}": part for name, part in value.items()}
        else:
            fields[key] = value
    return fields


def _has(run: LessonRun, good: int) -> int:
    return int(run.position.goods[SEAT, good])


LESSONS = (
    Lesson(
        "santiago",
        "first-drive",
        say("The first drive"),
        say("The ship wants sugar cane, and you have none. Drive to José, who gives you two."),
        _table(
            demand={"sugar": 2},
            left_out="cigars",
            ship=7,
            value=4,
            pesos={"red": 7, "blue": 2},
            points={"red": 31, "blue": 32},
            red={"rum": 1},
            blue={"cigars": 2, "wood": 3},
            owner={"church": "red"},
        ),
        lambda run: _has(run, tiles.SUGAR) >= 2,
        ("drive 3",),
        (
            WrongTurn(
                ("drive 1",),
                say(
                    "The next stop costs nothing, but Pedro only has tobacco. Each stop further costs a peso, and you "
                    "have seven."
                ),
                ("drive 1",),
            ),
            WrongTurn(
                ("drive 2",),
                say("Maria gives points, not sugar cane. José is the next one along the street."),
                ("drive 2",),
            ),
            WrongTurn(
                ("drive 4",),
                say("You drove past José. Martinez gives pesos, and pesos do not load a ship."),
                ("drive 4",),
            ),
        ),
        say(
            "A drive costs nothing for the first stop and a peso for each further one. Look at what the ship wants "
            "first, then at who can give it to you, then at the price."
        ),
        sources=("maria",),
    ),
    Lesson(
        "santiago",
        "first-building",
        say("A building that works for you"),
        say(
            "Two rum are in demand. Fetch sugar cane from José, move your piece to the right building, and "
            "make the rum."
        ),
        _table(
            demand={"rum": 2, "sugar": 1},
            left_out="cigars",
            car=2,
            ship=7,
            value=3,
            pesos={"red": 5, "blue": 2},
            points={"red": 29, "blue": 30},
            blue={"rum": 1},
        ),
        lambda run: _has(run, tiles.RUM) >= 2,
        ("drive 1", "visit distillery", "make 2 rum"),
        (
            WrongTurn(("drive *",), say("Stop at José: he gives sugar cane, and rum is made of it."), ("drive 2",)),
            WrongTurn(
                ("visit factory", "visit cafe"),
                say("This building has no use for sugar cane. Read what each building under the yellow flower does."),
                ("drive 1", "visit cafe"),
            ),
            WrongTurn(
                ("make 1 rum",),
                say("You may turn all your sugar cane into rum at once, and the ship wants two."),
                ("drive 1", "visit distillery", "make 1 rum"),
            ),
            WrongTurn(
                ("pass",),
                say("You need not use a building, but then you came for nothing."),
                ("drive 1", "visit distillery", "pass"),
            ),
        ),
        say(
            "First somebody gives you something, then your piece moves to a free building under the same flower. "
            "Good turns use both: here sugar cane from José becomes rum next door."
        ),
    ),
    Lesson(
        "santiago",
        "first-delivery",
        say("Into the port"),
        say("You have two rum and a tobacco; Blue has two rum as well. Drive into the port and earn nine points."),
        _table(
            demand={"rum": 2, "tobacco": 1},
            left_out="cigars",
            car=9,
            ship=5,
            value=3,
            pesos={"red": 1, "blue": 0},
            points={"red": 35, "blue": 38},
            red={"rum": 2, "tobacco": 1},
            blue={"rum": 2, "citrus": 2},
        ),
        lambda run: run.gained("points") >= 9,
        ("drive 1", "deliver 2 rum", "deliver 1 tobacco"),
        (
            WrongTurn(
                ("drive *",), say("That leads past the port. Stop there: deliveries begin with you."), ("drive 2",)
            ),
            WrongTurn(
                ("deliver 1 tobacco",),
                say(
                    "Blue has rum, too, and has filled those spaces now. Deliver first what the others "
                    "could deliver in "
                    "your place."
                ),
                ("drive 1", "deliver 1 tobacco"),
            ),
            WrongTurn(
                ("deliver 1 rum",),
                say(
                    "You only make one delivery before it is Blue’s turn, and Blue takes what you leave "
                    "open. Deliver both."
                ),
                ("drive 1", "deliver 1 rum"),
            ),
            WrongTurn(("pass",), say("If you pass, you are out of this delivery round."), ("drive 1", "pass")),
        ),
        say(
            "In the port everybody delivers, one kind at a time, and you begin. So first deliver what others hold as "
            "well, and all of it; what only you have can wait."
        ),
        others=("deliver 2 rum", "deliver 1 rum", "pass"),
        sources=("delivery",),
    ),
    Lesson(
        "santiago",
        "wood",
        say("Wood fits everywhere"),
        say("The last ship wants two cigars: Blue has three, you have none. You lead by a point; send the ship off."),
        _table(
            demand={"cigars": 2},
            left_out="rum",
            car=9,
            ship=7,
            value=3,
            pesos={"red": 3, "blue": 2},
            points={"red": 34, "blue": 33},
            red={"wood": 2},
            blue={"tobacco": 3, "rum": 1, "cigars": 3},
        ),
        lambda run: bool(run.events(kinds.SAILED)) and run.gained("points") == 2,
        ("drive 1", "deliver 2 wood cigars"),
        (
            WrongTurn(
                ("drive *",), say("The way to the ship leads through the port. It is the next stop."), ("drive 2",)
            ),
            WrongTurn(
                ("deliver 1 wood cigars",),
                say("Blue has filled the other space with a cigar. Wood can stand in for all of a kind."),
                ("drive 1", "deliver 1 wood cigars"),
            ),
            WrongTurn(
                ("pass",),
                say("You do have something that fits: wood takes the place of any kind."),
                ("drive 1", "pass"),
            ),
        ),
        say(
            "A wood brings only one point, but it fits any die. When the last die shows nothing, the ship sets sail, "
            "and after the seventh ship the game is over: Blue keeps the cigars, and you keep the lead."
        ),
        others=("deliver 2 cigars", "deliver 1 cigars", "pass"),
        sources=("wood", "exchange"),
    ),
    Lesson(
        "santiago",
        "owner",
        say("Owners earn"),
        say("You have rum, and more sugar cane to make it of. Let Alonso help you to own the building that buys rum."),
        _table(
            demand={"sugar": 2, "citrus": 2, "tobacco": 3},
            left_out="cigars",
            car=8,
            ship=2,
            pesos={"red": 1, "blue": 2},
            points={"red": 27, "blue": 29},
            red={"sugar": 3, "rum": 1},
            blue={"tobacco": 2},
            owner={"bank": "blue", "office": "blue", "casino": "red"},
        ),
        lambda run: int(run.position.owner[tiles.CAFE]) == SEAT,
        ("drive 1", "seize cafe"),
        (
            WrongTurn(
                ("drive *",),
                say("Only Alonso, the lawyer, gets you a building of your own, and he is next."),
                ("drive 2",),
            ),
            WrongTurn(
                ("seize *",),
                say("Yours now, but it does not buy rum. Which building gives points for rum and cigars?"),
                ("drive 1", "seize church"),
            ),
            WrongTurn(
                ("pass",),
                say("You have two property markers left, and Alonso is the only one who lets you use them."),
                ("drive 1", "pass"),
            ),
        ),
        say(
            "The Café gives two points for a rum, whatever the ship wants. As its owner you can use it with Alonso "
            "from wherever your piece stands, and you get a point whenever somebody else ends a turn there."
        ),
        sources=("owner",),
    ),
    Lesson(
        "santiago",
        "own-building",
        say("Two buildings in one turn"),
        say("The Distillery is yours, and you have three sugar cane. Make three rum and get a point, all in one turn."),
        _table(
            demand={"rum": 3},
            left_out="cigars",
            car=8,
            ship=7,
            value=3,
            pesos={"red": 1, "blue": 3},
            points={"red": 25, "blue": 26},
            red={"sugar": 3},
            owner={"distillery": "red", "factory": "red"},
        ),
        lambda run: _has(run, tiles.RUM) >= 3 and run.gained("points") >= 1,
        ("drive 1", "make 3 rum", "visit church", "use church"),
        (
            WrongTurn(
                ("drive *",),
                say("Alonso lets you use a building of your own without going there. He is next."),
                ("drive 2",),
            ),
            WrongTurn(
                ("seize *", "alonso: pass"),
                say("A useful offer, but now your own Distillery stands idle."),
                ("drive 1", "seize cafe"),
            ),
            WrongTurn(
                ("make 1 rum", "make 2 rum"), say("You have three sugar cane. Use them all."), ("drive 1", "make 2 rum")
            ),
            WrongTurn(
                ("visit *",),
                say("This building gives no point. Which of the white ones does?"),
                ("drive 1", "make 3 rum", "visit bank"),
            ),
        ),
        say(
            "With Alonso you may use a building of your own, wherever your piece stands, and then the piece "
            "still moves to "
            "a building of his flower. A building of your own is worth a second turn."
        ),
        sources=("church", "cafe", "office"),
    ),
    Lesson(
        "santiago",
        "zorro",
        say("El Zorro and the piece that stays"),
        say("Your piece stands on the Church. Let El Zorro rob Blue for you, and take a point home as well."),
        _table(
            demand={"sugar": 2, "tobacco": 2, "rum": 3},
            left_out="cigars",
            car=5,
            ship=7,
            value=3,
            piece={"red": "church"},
            pesos={"red": 0, "blue": 3},
            points={"red": 33, "blue": 32},
            red={"tobacco": 2},
        ),
        lambda run: run.gained("pesos") >= 1 and run.gained("points") >= 1,
        ("drive 1", "use church"),
        (
            WrongTurn(
                ("pass",),
                say("El Zorro has no flower: your piece stays, and may use its building again. Do."),
                ("drive 1", "pass"),
            ),
        ),
        say(
            "Everybody else gives you a peso, a good or a point, as they like. Your piece stays where it "
            "is, so it pays "
            "to stand on a good building when the car comes near El Zorro."
        ),
        others=("give peso",),
        sources=("zorro",),
    ),
    Lesson(
        "santiago",
        "flag",
        say("Past the port"),
        say(
            "Blue has two rum for this ship, and you have nothing yet. Do not help Blue: make the goods dearer instead."
        ),
        _table(demand={"rum": 2, "citrus": 1}, left_out="cigars", car=9, blue={"rum": 2}),
        lambda run: int(run.position.value) == 3,
        ("drive 2",),
        (
            WrongTurn(
                ("drive 1",),
                say(
                    "In the port everybody may deliver: Blue delivers rum, and you look on. Drive past it; the "
                    "flag goes up then."
                ),
                ("drive 1",),
            ),
        ),
        say(
            "Each time the car passes the port without stopping, a good is worth a point more: 2, then 3, then 4, and "
            "then the ship sets sail. Stop there only if you gain more than the others."
        ),
        others=("deliver 2 rum", "pass"),
    ),
    Lesson(
        "santiago",
        "customs",
        say("A die that shows nothing"),
        say("One rum is still missing, and only Blue has any. See to it that Blue keeps it."),
        _table(
            demand={"rum": 1},
            left_out="cigars",
            car=3,
            ship=7,
            value=4,
            pesos={"red": 5, "blue": 5},
            points={"red": 23, "blue": 21},
            blue={"rum": 3},
        ),
        lambda run: bool(run.events(kinds.SAILED)),
        ("drive 1", "visit customs", "clear rum"),
        (
            WrongTurn(
                ("drive 2", "drive 3"),
                say("Look for a Cuban with a blue flower: the Customs office stands under it."),
                ("drive 2",),
            ),
            WrongTurn(
                ("visit *",),
                say("There is a building under this flower that changes what the ship wants."),
                ("drive 1", "visit casino"),
            ),
            WrongTurn(
                ("pass",),
                say("Use the Customs office: it turns a die of the ship to nothing."),
                ("drive 1", "visit customs", "pass"),
            ),
        ),
        say(
            "The Customs office turns one die to nothing. If it was the last, the ship sets sail at once. This was the "
            "seventh ship: the game is over, and Blue’s rum has come too late."
        ),
    ),
    Lesson(
        "santiago",
        "harbormaster",
        say("The harbormaster’s trick"),
        say("A good is worth four points, and Blue is about to deliver three rum and two cigars. Take the ship away."),
        _table(
            demand={"rum": 3, "cigars": 2, "citrus": 1},
            left_out="sugar",
            car=8,
            ship=7,
            value=4,
            blue={"rum": 3, "cigars": 2},
            pesos={"red": 1, "blue": 1},
            points={"red": 40, "blue": 27},
        ),
        lambda run: bool(run.events(kinds.SAILED)),
        ("drive 1", "pass", "visit harbormaster", "flag right"),
        (
            WrongTurn(
                ("drive 2",), say("That is the port: Blue delivers everything, for four points each."), ("drive 2",)
            ),
            WrongTurn(
                ("visit *",),
                say("Pleasant, but now Blue drives into the port. Which of the white buildings moves the flag?"),
                ("drive 1", "pass", "visit bank"),
            ),
            WrongTurn(
                ("flag left",),
                say("Now a good is worth three points. Blue does not mind much: the ship is still there."),
                ("drive 1", "pass", "visit harbormaster", "flag left"),
            ),
            WrongTurn(
                ("use: pass",),
                say("The ship is still there, and so is Blue’s rum. Move the flag."),
                ("drive 1", "pass", "visit harbormaster", "pass"),
            ),
        ),
        say(
            "From the last flag the ship sets sail, full or not. Twenty points that Blue does not get are as good as "
            "points of your own. The same building can also lift the value just before you deliver."
        ),
        others=("deliver 3 rum", "deliver 2 cigars", "pass"),
    ),
)
