"""The lessons of Cuba: from the first harvest to winning parliament. Blue learns. Data only."""

from __future__ import annotations

from collections.abc import Mapping

from malecon.games.cuba import arrays, tiles
from malecon.games.cuba import events as kinds
from malecon.kernel.phrases import say
from malecon.teaching.analysis.position_fields import Value
from malecon.teaching.lessons import SEAT, Lesson, LessonRun, WrongTurn

#: The ships of all lessons, from the high seas to berth 3.
SHIPS = ("ttcrz", "ccszz", "sctrz", "sctrr")
ALL_BUT = {card: [other for other in tiles.CHARACTER_KEYS if other != card] for card in tiles.CHARACTER_KEYS}


def _table(**more: Value | Mapping[str, Value]) -> dict[str, Value]:
    """Blue begins round 2 with ten pesos and nothing else; `blue={"rum": 2}` lies in the yard."""
    fields: dict[str, Value] = {"phase": "card", "starter": "blue", "round_number": 2}
    fields |= {f"ship_at.{berth}": ship for berth, ship in enumerate(SHIPS)}
    for group, (proposal, *rest) in {
        "tax": ("3", "1", "4", "5", "buildings"),
        "duty": ("water", "sugar", "tobacco", "materials", "crops"),
        "subsidy": ("water", "buildings", "material fields", "crop fields", "votes"),
        "other": ("building", "surplus", "drought", "harbour", "shortage"),
    }.items():
        fields |= {f"proposal.{group}": proposal, f"unseen_laws.{group}": rest[:4]}
    for colour in tiles.COLOURS[:2]:
        fields |= {f"yard.{colour}.{good}": 0 for good in tiles.GOOD_KEYS} | {f"pesos.{colour}": 10}
    for key, value in more.items():
        if isinstance(value, Mapping):
            place = f"yard.{key}" if key in tiles.COLOURS else key.replace("__", ".")
            fields |= {f"{place}.{name}": part for name, part in value.items()}
        else:
            fields[key.replace("__", ".")] = value
    return fields


def _late(
    left: tuple[str, ...],
    red_played: tuple[str, ...] = ("worker", "merchant", "architect"),
    **more: Value | Mapping[str, Value],
) -> dict[str, Value]:
    """The same later in the round: Blue has these cards left, Red has played those, the last one last."""
    played = [card for card in tiles.CHARACTER_KEYS if card not in left]
    more |= {"played": {"blue": played, "red": list(red_played)}}
    return _table(**more | {"last_card": {"blue": played[-1], "red": red_played[-1]}})


def _laws(tax: str, duty: str, subsidy: str, other: str) -> dict[str, dict[str, Value]]:
    """The laws of a group as “in force | proposed | not turned up yet, …”; nothing is in force before the first bar."""
    fields: dict[str, dict[str, Value]] = {"law": {}, "proposal": {}, "unseen_laws": {}}
    for group, laws in zip(tiles.GROUP_KEYS, (tax, duty, subsidy, other), strict=True):
        in_force, proposal, unseen = (part.strip() for part in laws.split("|"))
        if in_force:
            fields["law"][group] = in_force
        fields["proposal"][group] = proposal or None
        fields["unseen_laws"][group] = [law.strip() for law in unseen.split(",") if law.strip()]
    return fields


def _in_parliament(
    phase: str, kept: tuple[str, str] = ("mayor", "foreman"), **more: Value | Mapping[str, Value]
) -> dict[str, Value]:
    """Blue and Red have kept these cards; Red is the starting player unless said otherwise."""
    cards = {"blue": ALL_BUT[kept[0]], "red": ALL_BUT[kept[1]]}
    last = {colour: played[-1] for colour, played in cards.items()}
    return _table(**{"starter": "red"} | more | {"phase": phase, "played": cards, "last_card": last})


def _has(run: LessonRun, good: int) -> int:
    stored = int(run.position.stored[SEAT, good]) if good < len(tiles.CROPS) else 0
    return int(run.position.yard[SEAT, good]) + stored


def _in_cross(run: LessonRun, building: int) -> bool:
    cross = int(arrays.CROSS[run.position.figure[SEAT]])
    return any(int(run.position.built[SEAT, field]) == building and cross >> field & 1 for field in range(tiles.FIELDS))


LESSONS = (
    Lesson(
        "cuba",
        "first-harvest",
        say("The first harvest"),
        say("Play the Worker and place your figure so that one card brings you six goods."),
        _late(
            ("worker", "architect"),
            ("merchant", "foreman", "mayor"),
            round_number=3,
            pesos={"blue": 6, "red": 1},
            points={"blue": 46, "red": 49},
            figure__blue="2",
            red={"stone": 1},
            **_laws(
                "5 | 1 | buildings, 3, 4",
                "citrus | water | materials, crops, sugar",
                "water | buildings | pesos, material fields, votes",
                "surplus | drought | building, corruption, shortage",
            ),
        ),
        lambda run: int(run.position.yard[SEAT].sum()) >= 6,
        ("worker", "field 8"),
        (
            WrongTurn(
                ("merchant", "architect", "foreman", "mayor"),
                say("This card brings no harvest. Only the Worker does."),
                ("architect",),
            ),
            WrongTurn(
                ("field [1-7]", "field 9"),
                say(
                    "Count again: the row and the column of the figure count, every material comes in, and two crops. "
                    "Another field brings more."
                ),
                ("worker", "field 3"),
            ),
        ),
        say(
            "The figure works its whole row and column: six fields. All materials come in, but only two crops. So the "
            "best places see many forests, mountains and lakes, and just two fields of crops."
        ),
    ),
    Lesson(
        "cuba",
        "water",
        say("Water for a third field"),
        say("Play the Worker and bring in sugar cane, citrus fruit and tobacco, one of each."),
        _late(
            ("worker", "foreman", "mayor"),
            ("worker", "mayor"),
            round_number=4,
            pesos={"blue": 7, "red": 6},
            points={"blue": 42, "red": 44},
            figure__blue="2",
            **_laws(
                "2 | 3 | 5, 4",
                "sugar | crops | water, materials",
                "material fields | crop fields | water, pesos",
                " | building | corruption, harbour",
            ),
        ),
        lambda run: all(_has(run, crop) for crop in range(len(tiles.CROPS))),
        ("worker", "field 12", "harvest sugar", "harvest citrus", "irrigate tobacco"),
        (
            WrongTurn(("merchant", "architect", "foreman", "mayor"), say("Crops come from the Worker."), ("foreman",)),
            WrongTurn(
                ("done",),
                say("You have just gained a water. It pays for one more field of crops."),
                ("worker", "field 12", "harvest sugar", "harvest citrus", "done"),
            ),
            WrongTurn(
                ("field [1-8]",),
                say(
                    "This place does not bring in all three crops. Find one with all of them and the lake in its row "
                    "or column."
                ),
                ("worker", "field 8"),
            ),
        ),
        say(
            "Two crops are free, and each water pays for one more. Materials come first, so water from this "
            "very harvest "
            "can be spent at once."
        ),
    ),
    Lesson(
        "cuba",
        "market",
        say("When to sell"),
        say("You have two sugar cane and two tobacco. Sell two of them for nine pesos or more."),
        _late(
            ("merchant", "foreman"),
            ("merchant", "architect", "foreman"),
            round_number=5,
            pesos={"blue": 0, "red": 3},
            points={"blue": 47, "red": 47},
            blue={"sugar": 2, "tobacco": 2},
            red={"citrus": 1},
            figure__blue="8",
            market={"sugar": 1, "tobacco": 4, "citrus": 2},
            **_laws(
                "buildings | 5 | 1",
                "crops | tobacco | sugar",
                "crop fields | pesos | buildings",
                "building | harbour | shortage",
            ),
        ),
        lambda run: run.gained("pesos") >= 9 and len(run.events(kinds.MARKET)) == 2,
        ("merchant", "sell sugar", "sell sugar"),
        (
            WrongTurn(
                ("worker", "architect", "foreman", "mayor"),
                say("The Merchant goes to the market for you."),
                ("foreman",),
            ),
            WrongTurn(
                ("sell tobacco",),
                say("Four tobacco already lie on the market, so it pays little. What is scarce pays well."),
                ("merchant", "sell tobacco"),
            ),
            WrongTurn(
                ("buy *", "pick *"),
                say("Not now: you want to sell what you have."),
                ("merchant", "sell sugar", "buy citrus"),
            ),
            WrongTurn(
                ("done",),
                say("One more: the second sugar cane still pays four pesos."),
                ("merchant", "sell sugar", "done"),
            ),
        ),
        say(
            "The fewer goods lie on the market, the more the next one pays: six pesos less one for each. Every sale "
            "lowers the price, so sell before the others do."
        ),
        sources=("alternatives",),
    ),
    Lesson(
        "cuba",
        "building",
        say("The right place to build"),
        say("Build the Hotel where your figure’s row and column reach it: the Foreman comes next."),
        _late(
            ("architect", "foreman", "mayor"),
            ("architect", "worker"),
            round_number=6,
            pesos={"blue": 6, "red": 5},
            points={"blue": 54, "red": 55},
            blue={"wood": 2, "stone": 2, "water": 1},
            red={"rum": 1, "stone": 2, "water": 2},
            figure__blue="8",
            built__blue={"7": "town hall"},
            **_laws("1 | 5 | ", "sugar | water | ", "buildings | crop fields | ", "surplus | harbour | "),
        ),
        lambda run: _in_cross(run, tiles.HOTEL),
        ("architect", "build hotel", "on 6"),
        (
            WrongTurn(("worker", "merchant", "foreman", "mayor"), say("The Architect builds."), ("foreman",)),
            WrongTurn(
                ("forgo",),
                say("Two points now; but the Hotel brings two whenever the Foreman uses it, and two at the end."),
                ("architect", "forgo"),
            ),
            WrongTurn(
                ("build *",),
                say("You have all that the Hotel costs, and no other building brings as many points."),
                ("architect", "build dam"),
            ),
            WrongTurn(
                ("on *",),
                say(
                    "Your Foreman uses all buildings in the row and column of your figure, which stands on "
                    "field 8. This "
                    "field is in neither."
                ),
                ("architect", "build hotel", "on 2"),
            ),
        ),
        say(
            "A building covers a field for good, so choose one you can do without, and choose it so that the figure "
            "reaches several buildings from one place."
        ),
        sources=("final buildings",),
    ),
    Lesson(
        "cuba",
        "chain",
        say("The Foreman’s chain"),
        say("You have three sugar cane, a Distillery and a Rum café. Earn six points with one card."),
        _late(
            ("architect", "foreman"),
            ("worker", "foreman", "merchant"),
            round_number=4,
            pesos={"blue": 2, "red": 6},
            points={"blue": 45, "red": 45},
            blue={"sugar": 3},
            red={"sugar": 1},
            figure__blue="8",
            built__blue={"7": "distillery", "4": "rum cafe"},
            **_laws(
                "3 | 1 | 2, buildings",
                "materials | citrus | crops, tobacco",
                "votes | water | buildings, crop fields",
                " | surplus | harbour, drought",
            ),
        ),
        lambda run: run.gained("points") >= 6,
        ("foreman", "make 3 rum", "serve 3 rum"),
        (
            WrongTurn(
                ("worker", "merchant", "architect", "mayor"),
                say("The Foreman sets your buildings to work."),
                ("architect",),
            ),
            WrongTurn(
                ("make 1 rum", "make 2 rum"),
                say("Each building works once for a card. Make rum of all the sugar cane now."),
                ("foreman", "make 2 rum"),
            ),
            WrongTurn(
                ("serve 1 rum", "serve 2 rum"),
                say("The Rum café serves up to three. You have three rum."),
                ("foreman", "make 3 rum", "serve 1 rum"),
            ),
            WrongTurn(
                ("store",),
                say(
                    "The printed warehouse lies in neither the row nor the column of your figure. A "
                    "building elsewhere is "
                    "the only one the Foreman uses for this card."
                ),
                ("foreman", "store"),
            ),
            WrongTurn(("done",), say("Your buildings are not done yet."), ("foreman", "make 3 rum", "done")),
        ),
        say(
            "All buildings in the row and column work, each once, in any order, and one can use what another has just "
            "made. Sugar cane became rum, and rum became points, with a single card."
        ),
        sources=("buildings",),
    ),
    Lesson(
        "cuba",
        "warehouse",
        say("Before the round ends"),
        say("It is your last card of this round. Do not lose the three tobacco and two citrus fruits in your yard."),
        _late(
            ("foreman", "mayor"),
            ("architect", "merchant", "worker"),
            round_number=3,
            pesos={"blue": 2, "red": 8},
            points={"blue": 45, "red": 40},
            blue={"tobacco": 3, "citrus": 2},
            red={"wood": 1, "water": 1},
            figure__blue="7",
            **_laws(
                "5 | 2 | 1, 4, buildings",
                "materials | water | citrus, crops, sugar",
                "crop fields | buildings | water, pesos, material fields",
                "corruption | surplus | drought, shortage, building",
            ),
        ),
        lambda run: int(run.position.stored[SEAT].sum()) >= 5,
        ("foreman", "store"),
        (
            WrongTurn(
                ("mayor",),
                say(
                    "The ship takes a few of them, and the rest is lost when the round ends. There is a way "
                    "to keep them all."
                ),
                ("mayor",),
            ),
            WrongTurn(
                ("done",), say("Use the warehouse first: it takes all crops from your yard."), ("foreman", "done")
            ),
        ),
        say(
            "Crops in the yard are lost at the end of a round; wares and materials stay. The Foreman can use any one "
            "building, wherever it is, and every player has a warehouse from the start."
        ),
    ),
    Lesson(
        "cuba",
        "mayor",
        say("Which ship?"),
        say("Play the Mayor and earn nine points with two rum and a sugar cane."),
        _late(
            ("architect", "mayor"),
            ("architect", "merchant", "foreman"),
            round_number=4,
            pesos={"blue": 3, "red": 5},
            points={"blue": 46, "red": 44},
            blue={"sugar": 1, "rum": 2},
            red={"sugar": 2, "citrus": 2},
            figure__blue="10",
            **_laws(
                "5 | 4 | 1, 2",
                "citrus | citrus | crops, materials",
                " | water | buildings, pesos",
                " | corruption | shortage, surplus",
            ),
        ),
        lambda run: run.gained("points") >= 9,
        ("mayor", "ship 3 rum", "ship 3 rum", "ship 3 sugar"),
        (
            WrongTurn(
                ("worker", "merchant", "architect", "foreman"), say("Ships are loaded by the Mayor."), ("architect",)
            ),
            WrongTurn(
                ("ship 1 *", "ship 2 *"),
                say(
                    "The first unit settles the ship, and here a unit brings fewer points. The ship at "
                    "berth 3 takes all three "
                    "of yours."
                ),
                ("mayor", "ship 2 rum"),
            ),
            WrongTurn(
                ("forgo",), say("Four pesos for going without: a poor swap for nine points."), ("mayor", "forgo")
            ),
            WrongTurn(
                ("done",),
                say("This ship has a space for something that you still have."),
                ("mayor", "ship 3 rum", "done"),
            ),
        ),
        say(
            "A unit brings one, two or three points, by the berth. Ships move on each round, and the one at berth 3 "
            "leaves then, so load it while it is worth most."
        ),
        sources=("ships",),
    ),
    Lesson(
        "cuba",
        "tax-and-duty",
        say("Pay both"),
        say("The laws ask for two pesos and a citrus fruit. Turn that into five points."),
        _in_parliament(
            "tax",
            kept=("mayor", "foreman"),
            active="red",
            actor="blue",
            round_number=6,
            pesos={"blue": 3, "red": 2},
            points={"blue": 47, "red": 50},
            blue={"citrus": 1},
            red={"cigars": 1, "wood": 1},
            **_laws("2 | | ", "citrus | | ", "buildings | | ", " | | "),
        ),
        lambda run: run.made("pay tax", "pay duty"),
        ("pay tax", "pay duty"),
        (
            WrongTurn(
                ("refuse tax",),
                say("Two pesos for two points is a good price, and there is more to come."),
                ("refuse tax",),
            ),
            WrongTurn(
                ("refuse duty",),
                say(
                    "You have paid the tax already. Pay the duty as well, and you get a point on top; in "
                    "the yard the fruit "
                    "would be lost anyway."
                ),
                ("pay tax", "refuse duty"),
            ),
        ),
        say(
            "Tax and duty bring two points each, and one more for paying both. Keep the pesos and the goods for them "
            "through the round: few cards bring five points."
        ),
        sources=("laws",),
    ),
    Lesson(
        "cuba",
        "kept-card",
        say("The card you keep"),
        say("Two cards are left, and one of them votes for you in parliament. Keep the one with the most votes."),
        _late(("worker", "mayor"), blue={"wood": 1}),
        lambda run: "worker" in run.moves,
        ("worker",),
        (
            WrongTurn(
                ("mayor",),
                say("You have nothing to ship, and now the Worker goes to parliament for you, with a single vote."),
                ("mayor",),
            ),
        ),
        say(
            "The fifth card is not lost: the Worker has one vote in parliament, the Mayor five. The player "
            "with the most votes enacts two of the next laws. Only the fourth card you play counts for the "
            "starting player."
        ),
    ),
    Lesson(
        "cuba",
        "parliament",
        say("Winning parliament"),
        say(
            "You have three votes and six pesos, Red has five votes and no peso. Win, keep three pesos, and make the "
            "laws that suit you: you have three water."
        ),
        _in_parliament(
            "bid",
            kept=("architect", "mayor"),
            starter="blue",
            active="red",
            round_number=5,
            pesos={"blue": 6, "red": 0},
            points={"blue": 48, "red": 53},
            blue={"tobacco": 1, "water": 3},
            red={"cigars": 2},
            **_laws("5 | 3 | 4", "water | crops | citrus", "votes | water | pesos", "shortage | surplus | drought"),
        ),
        lambda run: run.gained("pesos") >= -3 and run.made("enact tax subsidy"),
        ("bid 3", "enact tax subsidy"),
        (
            WrongTurn(
                ("bid: bid 0", "bid: bid 1"),
                say("Red’s Mayor has five votes, and your Architect three. You need more than Red."),
                ("bid 1",),
            ),
            WrongTurn(
                ("bid: bid [4-6]",),
                say("That wins, but six votes are enough, and now too little is left for a tax of three pesos."),
                ("bid 5",),
            ),
            WrongTurn(
                ("enact *",),
                say(
                    "Compare the proposals with what you have: a tax you can pay, and a subsidy for something you hold."
                ),
                ("bid 3", "enact duty other"),
            ),
        ),
        say(
            "Count what the others can reach: their votes and all their pesos. One more than that wins for "
            "sure, and what "
            "you do not bid pays the tax. Then enact what you can fulfil and the others cannot."
        ),
        sources=("subsidies",),
    ),
)
