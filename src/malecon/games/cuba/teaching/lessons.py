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


def _late(left: tuple[str, str], **more: Value | Mapping[str, Value]) -> dict[str, Value]:
    """The same before the fourth card of the round: Blue has these two left."""
    played = [card for card in tiles.CHARACTER_KEYS if card not in left]
    more |= {"played": {"blue": played, "red": ["worker", "merchant", "architect"]}}
    return _table(**more | {"last_card": {"blue": played[-1], "red": "architect"}})


def _in_parliament(phase: str, **more: Value | Mapping[str, Value]) -> dict[str, Value]:
    """Blue has kept the Mayor, Red the Foreman, who is the starting player."""
    cards = {"blue": ALL_BUT["mayor"], "red": ALL_BUT["foreman"]}
    more |= {"phase": phase, "played": cards, "last_card": {"blue": "foreman", "red": "mayor"}, "starter": "red"}
    return _table(**more)


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
        _table(),
        lambda run: int(run.position.yard[SEAT].sum()) >= 6,
        ("worker", "field 8"),
        (
            WrongTurn(
                ("merchant", "architect", "foreman", "mayor"),
                say("This card brings no harvest. Only the Worker does."),
                ("mayor",),
            ),
            WrongTurn(
                ("field *",),
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
        _table(),
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
                ("field *",),
                say(
                    "From here you reach two crops at most. Find a place with all three crops and the lake "
                    "in its row or "
                    "column."
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
        _table(blue={"sugar": 2, "tobacco": 2}, market={"sugar": 1, "tobacco": 4, "citrus": 3}),
        lambda run: run.gained("pesos") >= 9 and len(run.events(kinds.MARKET)) == 2,
        ("merchant", "sell sugar", "sell sugar"),
        (
            WrongTurn(
                ("worker", "architect", "foreman", "mayor"),
                say("The Merchant goes to the market for you."),
                ("worker",),
            ),
            WrongTurn(
                ("sell tobacco",),
                say("Four tobacco already lie on the market, so it pays little. What is scarce pays well."),
                ("merchant", "sell tobacco"),
            ),
            WrongTurn(("buy *", "pick *"), say("Not now: you want to sell what you have."), ("merchant", "buy citrus")),
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
        say("Rum will be wanted. Build a Distillery where your figure’s row and column reach it."),
        _table(blue={"wood": 2, "stone": 2}, figure__blue="8"),
        lambda run: _in_cross(run, tiles.DISTILLERY),
        ("architect", "build distillery", "on 8"),
        (
            WrongTurn(("worker", "merchant", "foreman", "mayor"), say("The Architect builds."), ("worker",)),
            WrongTurn(
                ("forgo",),
                say("Two points now, but no rum later. You have the wood and the stone: build."),
                ("architect", "forgo"),
            ),
            WrongTurn(("build *",), say("A useful building, but it makes no rum."), ("architect", "build town hall")),
            WrongTurn(
                ("on *",),
                say(
                    "Your Foreman uses all buildings in the row and column of your figure, which stands on "
                    "field 8. This "
                    "field is in neither."
                ),
                ("architect", "build distillery", "on 2"),
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
        _table(blue={"sugar": 3}, figure__blue="8", built__blue={"7": "distillery", "4": "rum cafe"}),
        lambda run: run.gained("points") >= 6,
        ("foreman", "make 3 rum", "serve 3 rum"),
        (
            WrongTurn(
                ("worker", "merchant", "architect", "mayor"),
                say("The Foreman sets your buildings to work."),
                ("mayor",),
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
        _late(("foreman", "mayor"), blue={"tobacco": 3, "citrus": 2}),
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
        _table(blue={"sugar": 1, "rum": 2}),
        lambda run: run.gained("points") >= 9,
        ("mayor", "ship 3 rum", "ship 3 rum", "ship 3 sugar"),
        (
            WrongTurn(
                ("worker", "merchant", "architect", "foreman"), say("Ships are loaded by the Mayor."), ("worker",)
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
            starter="blue",
            active="red",
            actor="blue",
            blue={"citrus": 1},
            pesos={"blue": 3, "red": 0},
            proposal=dict.fromkeys(tiles.GROUP_KEYS),
            law={"tax": "2", "duty": "citrus"},
        ),
        lambda run: run.gained("points") >= 5,
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
            "You have five votes, Red has four and three pesos. Win for sure, keep two pesos, and make the "
            "laws that suit "
            "you: you have three water."
        ),
        _in_parliament("bid", active="red", blue={"water": 3}, pesos={"blue": 5, "red": 3}, bid={"red": 3}),
        lambda run: run.gained("pesos") >= -3 and run.made("enact tax subsidy", "bid 3"),
        ("bid 3", "enact tax subsidy"),
        (
            WrongTurn(
                ("bid 0", "bid 1"),
                say("Red has four votes and three pesos, which makes seven. You need more than that."),
                ("bid 1",),
            ),
            WrongTurn(
                ("bid: bid 2",), say("Seven against seven is a tie, and the second bid costs you more."), ("bid 2",)
            ),
            WrongTurn(
                ("bid: bid *",),
                say("That wins, but eight votes are enough. A bid is paid even by those who lose."),
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
