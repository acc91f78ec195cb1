"""What a beginner should know in the first game of Santiago de Cuba, by phase: each part once, with a reason."""

from __future__ import annotations

from malecon.games.santiago import names, tiles
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.words.rulebook import Tip, Tips

GOAL = say(
    "You win with the most points when the seventh ship has sailed; most points come from "
    "goods that a ship in the port wants."
)
MAKERS = (tiles.DISTILLERY, tiles.FACTORY, tiles.MARKET)
PURSES = (tiles.BANK, tiles.CASINO, tiles.NEWSPAPER)
EARNERS = (tiles.CHURCH, tiles.CAFE, tiles.SAWMILL, tiles.OFFICE)


def _port_is_near(position: Position, seat: int) -> Phrase | None:
    stops = (tiles.STOPS - int(position.car)) % tiles.STOPS
    if not 0 < stops <= 3:
        return None
    return say(
        "The port is near. Stop there if you hold what the ship wants: you deliver first. Drive "
        "past it and the flag goes up by one, so goods are worth more later, and a flag beyond "
        "{highest} sends the ship away.",
        highest=tiles.HIGHEST_VALUE,
    )


def _what_to_collect(position: Position, seat: int) -> Phrase | None:
    wanted = [good for good in range(tiles.WOOD) if position.demand[good] > position.goods[seat][good]]
    if not wanted:
        return None
    return say(
        "You lack {good}, which the ship wants. Look for a Cuban who hands it out, or a building "
        "that makes it: an extra stop for 1 peso is cheap when a good brings {points}.",
        good=names.good(wanted[0]), points=names.points(int(position.value)),
    )  # fmt: skip


def _flag(position: Position, seat: int) -> Phrase | None:
    return say(
        "The flag shows what each good brings now: {points}. It goes up when the car passes the "
        "port, or when everybody passes and the ship still wants something.",
        points=names.points(int(position.value)),
    )


def _use(position: Position, tile: tuple[int, ...], text: Phrase) -> Phrase | None:
    return text if int(position.piece[position.active]) in tile else None


def _make(position: Position, seat: int) -> Phrase | None:
    text = say("This building turns goods into others. It is worth it when the ship wants what comes out.")
    return _use(position, MAKERS, text)


def _earn(position: Position, seat: int) -> Phrase | None:
    text = say("This building brings points at once; you need not wait for the car to reach the port.")
    return _use(position, EARNERS, text)


def _purse(position: Position, seat: int) -> Phrase | None:
    text = say("Pesos are no points, but each lets you drive one stop further, to the Cuban you need.")
    return _use(position, PURSES, text)


def _harbour(position: Position, seat: int) -> Phrase | None:
    text = say(
        "Here you change what a delivery brings. Raise it if you hold what the ship wants, or else harm those who do."
    )
    return _use(position, (tiles.HARBORMASTER, tiles.CUSTOMS), text)


def _wood(position: Position, seat: int) -> Phrase | None:
    if not position.goods[seat][tiles.WOOD]:
        return None
    return say(
        "Wood may stand in for any kind the ship wants, but brings only 1 point each: keep it for what you lack."
    )


#: For the one who decides.
MINE: dict[str, Phrase | tuple[Tip, ...]] = {
    "demand": (
        say(
            "The dice show what the next ship may want. Leave one out, ideally for a good that the "
            "others have and you do not."
        ),
    ),
    "drive": (
        say(
            "Everybody drives the same car. The next stop is free, and each one after that costs 1 "
            "peso. The Cuban where you stop gives you something, and the flower on the tile shows "
            "where your piece goes next."
        ),
        _port_is_near,
        _what_to_collect,
        _flag,
    ),
    "pablo": (say("Pablo gives you any good except wood. Look at the ship: what does it want, and who has it?"),),
    "zorro": (say("El Zorro robs you. Losing a peso often hurts less than losing a good that the ship wants."),),
    "alonso": (
        say(
            "Alonso makes you an owner: you get 1 point whenever another player ends a turn at your "
            "building. You have three markers for the whole game. Or use a building that you already "
            "own."
        ),
    ),
    "visit": (
        say(
            "Choose a free building under the Cuban’s flower. You may use it at once; your piece "
            "stays there until your next turn and closes it to the others."
        ),
        say(
            "If a building here belongs to somebody else, standing there gives its owner 1 point at "
            "the end of your turn."
        ),
    ),
    "use": (_make, _earn, _purse, _harbour),
    "deliver": (
        say(
            "The ship takes what its dice show. You get the value on the flag for each good. You "
            "deliver one kind at a time, in turn with the others, so begin with the kind that "
            "somebody else could deliver before you."
        ),
        _wood,
        say("To pass is to be out until the car is at the port again. It pays when the flag should rise first."),
    ),
}
#: For those who wait.
OTHERS: dict[str, Phrase | tuple[Tip, ...]] = {
    "drive": (
        say("Watch where the car goes: you drive on from there. It is worth remembering what the others collect, too."),
    ),
    "deliver": (say("The players take turns to deliver. Once the ship wants nothing more, it sails."),),
}
TIPS = Tips(MINE, OTHERS, GOAL)
