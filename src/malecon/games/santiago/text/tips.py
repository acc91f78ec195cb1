"""What a beginner should know in the first game of Santiago de Cuba, by phase: each part once, with a reason."""

from __future__ import annotations

from malecon.games.santiago import names, tiles
from malecon.games.santiago.text.first_round import suggestion
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.text.rulebook import Tip, Tips

GOAL = say(
    "The player with the most points wins when the seventh ship has sailed. Most points come "
    "from delivering goods that the ship wants."
)
MAKERS = (tiles.DISTILLERY, tiles.FACTORY, tiles.MARKET)
PURSES = (tiles.BANK, tiles.CASINO, tiles.NEWSPAPER)
EARNERS = (tiles.CHURCH, tiles.CAFE, tiles.SAWMILL, tiles.OFFICE)


def _port_is_near(position: Position, seat: int) -> Phrase | None:
    stops = (tiles.STOPS - int(position.car)) % tiles.STOPS
    if not 0 < stops <= 3:
        return None
    return say(
        "The port is near. Stop there if you have what the ship wants: you deliver first. If you "
        "drive past, the flag moves up by one and goods are worth more later; beyond {highest}, "
        "the ship sails.",
        highest=tiles.HIGHEST_VALUE,
    )


def _what_to_collect(position: Position, seat: int) -> Phrase | None:
    lacking = [good for good in range(tiles.WOOD) if position.demand[good] > position.goods[seat][good]]
    if not lacking:
        return None
    return say(
        "The ship wants something you lack: {good}. Look for a Cuban who gives it, or a building "
        "that makes it: an extra stop for 1 peso is cheap when a good earns {points}.",
        good=names.good(lacking[0]), points=names.points(int(position.value)),
    )  # fmt: skip


def _flag(position: Position, seat: int) -> Phrase | None:
    return say(
        "The flag shows what each good earns now: {points}. It moves up when the car passes the "
        "port, or when everybody passes while the ship still wants something.",
        points=names.points(int(position.value)),
    )


def _use(position: Position, tile: tuple[int, ...], text: Phrase) -> Phrase | None:
    return text if int(position.piece[position.active]) in tile else None


def _make(position: Position, seat: int) -> Phrase | None:
    text = say("This building turns one good into another. That pays off when the ship wants what you get.")
    return _use(position, MAKERS, text)


def _earn(position: Position, seat: int) -> Phrase | None:
    text = say("This building earns points at once; you need not wait until the car reaches the port.")
    return _use(position, EARNERS, text)


def _purse(position: Position, seat: int) -> Phrase | None:
    text = say("Pesos are worth no points at the end, but each takes you one stop further, to the Cuban you need.")
    return _use(position, PURSES, text)


def _harbour(position: Position, seat: int) -> Phrase | None:
    text = say(
        "Here you change what can be delivered, or for how much. Do it to help yourself, or to "
        "spoil a delivery for the others."
    )
    return _use(position, (tiles.HARBORMASTER, tiles.CUSTOMS), text)


def _wood(position: Position, seat: int) -> Phrase | None:
    if not position.goods[seat][tiles.WOOD]:
        return None
    return say("Wood can replace any kind that the ship wants, but earns only 1 point each: keep it for what you lack.")


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
        say("If you end your turn at a building that belongs to another player, its owner gets 1 point."),
    ),
    "use": (_make, _earn, _purse, _harbour),
    "deliver": (
        say(
            "The ship takes what its dice show. You get the value on the flag for each good. You "
            "deliver one kind at a time, in turn with the others, so begin with the kind that "
            "somebody else could deliver before you."
        ),
        _wood,
        say(
            "If you pass, you are out until the car stops at the port again. Pass if you would rather "
            "wait for a higher flag."
        ),
    ),
}
#: For those who wait.
OTHERS: dict[str, Phrase | tuple[Tip, ...]] = {
    "drive": (
        say("Watch where the car goes: you drive on from there. It is worth remembering what the others collect, too."),
    ),
    "deliver": (say("The players take turns to deliver. Once the ship wants nothing more, it sails."),),
}
TIPS = Tips(MINE, OTHERS, GOAL, suggestion)
