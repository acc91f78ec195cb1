"""The glossary of Santiago de Cuba: every name with one sentence of explanation, for help texts and tooltips.

Numbers come from the game's tables, so that a corrected table corrects its explanation too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from malecon.games.santiago import GAME, names, tiles
from malecon.games.santiago.position import OVER, PHASES
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import Entry, Glossary
from malecon.text.lists import listed


@cache
def glossary() -> Glossary:
    cubans, buildings = _cubans(), _buildings()
    return {
        "cubans": cubans,
        "buildings": buildings,
        "goods": _goods(),
        "flowers": _flowers(),
        "phases": _phases(),
        "sources": _sources(cubans, buildings),
        "criteria": _criteria(),
        "options": _options(),
    }


def _cubans() -> dict[str, Entry]:
    def hands_over(cuban: int) -> Phrase:
        gain = [names.pesos(int(tiles.CUBAN_PESOS[cuban]))] if tiles.CUBAN_PESOS[cuban] else []
        gain += [names.points(int(tiles.CUBAN_POINTS[cuban]))] if tiles.CUBAN_POINTS[cuban] else []
        if tiles.CUBAN_GOODS[cuban]:
            gain.append(names.goods(int(tiles.CUBAN_GOOD[cuban]), int(tiles.CUBAN_GOODS[cuban])))
        return say("You get {gain}.", gain=listed(gain))

    roles = {
        tiles.PEDRO: Phrase("The tobacco merchant", context="cuban"),
        tiles.MARIA: Phrase("The dancer", context="cuban"),
        tiles.JOSE: Phrase("The sugar cane farmer", context="cuban"),
        tiles.MARTINEZ: Phrase("The musician", context="cuban"),
        tiles.CONCHITA: Phrase("The fruit merchant", context="cuban"),
        tiles.ZORRO: Phrase("The pickpocket", context="cuban"),
        tiles.MIGUEL: Phrase("The lumberjack", context="cuban"),
        tiles.PABLO: Phrase("The fence", context="cuban"),
        tiles.ALONSO: Phrase("The lawyer", context="cuban"),
    }
    services = {
        tiles.ZORRO: say(
            "The other players each give you 1 peso, 1 good other than wood, or 1 point, as they choose. "
            "Your piece stays where it is and may use its building again."
        ),
        tiles.PABLO: say("He gets you any 1 good except wood."),
        tiles.ALONSO: say("You seize a building that belongs to nobody, or use one of your own."),
    }
    return {
        key: Entry(
            names.cuban(cuban), say("{role}. {service}", role=role, service=services.get(cuban) or hands_over(cuban))
        )
        for (cuban, role), key in zip(roles.items(), tiles.CUBANS, strict=True)
    }


def _buildings() -> dict[str, Entry]:
    texts = {
        tiles.BANK: say("You get {gain}.", gain=names.pesos(tiles.BANK_PESOS)),
        tiles.CHURCH: say("You get {gain}.", gain=names.points(tiles.CHURCH_POINTS)),
        tiles.DISTILLERY: say("You turn as much sugar cane as you like into rum."),
        tiles.FACTORY: say("You turn as much tobacco as you like into cigars."),
        tiles.MARKET: say("You swap 1 good for 1 of another kind; wood cannot be swapped."),
        tiles.SAWMILL: say(
            "You sell {goods} for {gain}.",
            goods=names.goods(tiles.WOOD, 1),
            gain=listed([names.points(tiles.SAWMILL_POINTS), names.pesos(tiles.SAWMILL_PESOS)]),
        ),
        tiles.CAFE: say("You serve 1 rum, 1 cigar or both, for {gain} each.", gain=names.points(tiles.CAFE_POINTS)),
        tiles.CUSTOMS: say("You turn one of the ship’s dice to 0: that good is no longer wanted."),
        tiles.CASINO: say(
            "You change as many pesos into points, or points into pesos, as you like: {pesos} for 1 point.",
            pesos=names.pesos(tiles.CASINO_PESOS),
        ),
        tiles.HARBORMASTER: say(
            "You raise or lower the value of goods by 1; if it rises above {highest}, the ship sails.",
            highest=tiles.HIGHEST_VALUE,
        ),
        tiles.OFFICE: say(
            "You deliver 1 good that the ship asks for, but not wood, for {gain}.",
            gain=names.points(tiles.OFFICE_VALUE),
        ),
        tiles.NEWSPAPER: say(
            "You get {gain} and may turn a Cuban face down. A car that stops there finds nothing: no gift, "
            "no move, no building. The tile turns face up again when the car drives on or past.",
            gain=names.pesos(tiles.NEWSPAPER_PESOS),
        ),
    }
    return {key: Entry(names.building(tile), texts[tile]) for tile, key in enumerate(tiles.BUILDINGS)}


def _goods() -> dict[str, Entry]:
    texts = {
        tiles.SUGAR: say("From José; the Distillery turns it into rum."),
        tiles.CITRUS: say("From Conchita; this good’s die goes up to {highest}.", highest=tiles.HIGHEST_DEMAND),
        tiles.TOBACCO: say("From Pedro; the Cigar factory turns it into cigars."),
        tiles.RUM: say("Made from sugar cane in the Distillery; the Café buys it too."),
        tiles.CIGARS: say("Made from tobacco in the Cigar factory; the Café buys them too."),
        tiles.WOOD: say(
            "From Miguel; ships take it in place of a good they ask for, at {value} each.",
            value=names.points(tiles.WOOD_VALUE),
        ),
    }
    return {key: Entry(names.good(kind), texts[kind]) for kind, key in enumerate(tiles.GOODS)}


def _flowers() -> dict[str, Entry]:
    return {
        key: Entry(
            names.flower(kind),
            say(
                "{cubans} send your piece to a building under a {flower} flower.",
                cubans=listed([names.cuban(i) for i, own in enumerate(tiles.CUBAN_FLOWER.tolist()) if own == kind]),
                flower=names.flower(kind),
            ),
        )
        for kind, key in enumerate(tiles.FLOWERS)
    }


def _phases() -> dict[str, Entry]:
    """Those the game waits in; nobody ever sees the automatic ones."""
    entries = (
        Entry(
            Phrase("Laying out the buildings", context="phase"),
            say("Three buildings are placed at random under each flower colour."),
        ),
        Entry(
            Phrase("Laying out the Cubans", context="phase"),
            say("A Cuban is placed at random at every stop except the port."),
        ),
        Entry(Phrase("Starting player", context="phase"), say("Chance decides who starts.")),
        Entry(Phrase("Dice", context="phase"), say("The five dice of the new ship’s demand are rolled.")),
        Entry(
            Phrase("Demand", context="phase"),
            say("The player who rolled leaves one die out; the ship asks for what the other four show."),
        ),
        Entry(
            Phrase("Drive", context="phase"),
            say("The car drives on: the first stop is free, and each one after that costs 1 peso."),
        ),
        Entry(Phrase("Pablo’s goods", context="phase"), say("You choose 1 good from the supply, except wood.")),
        Entry(Phrase("El Zorro’s robbery", context="phase"), say("Each of the other players chooses what to give.")),
        Entry(
            Phrase("Alonso’s help", context="phase"), say("You seize a building, use one of your own, or do neither.")
        ),
        Entry(Phrase("Visit", context="phase"), say("Your piece moves to a free building under the Cuban’s flower.")),
        Entry(Phrase("Building", context="phase"), say("You may use the building your piece stands on.")),
        Entry(
            Phrase("Delivery round", context="phase"),
            say(
                "Players take turns to deliver goods of one kind, or pass; a player who passes is out of this "
                "delivery round."
            ),
        ),
        Entry(
            Phrase("End of the game", context="phase"),
            say("Ship {ships} has sailed, and the points are counted.", ships=tiles.SHIPS),
        ),
    )
    return dict(zip(PHASES[: OVER + 1], entries, strict=True))


def _sources(cubans: Mapping[str, Entry], buildings: Mapping[str, Entry]) -> dict[str, Entry]:
    own = {
        "start": Entry(
            Phrase("Starting capital", context="source"),
            say("Everyone starts with {points}.", points=names.points(tiles.START_POINTS)),
        ),
        "delivery": Entry(
            Phrase("Deliveries", context="source"),
            say(
                "Each good delivered in a delivery round is worth {lowest} to {highest} points.",
                lowest=tiles.LOWEST_VALUE,
                highest=tiles.HIGHEST_VALUE,
            ),
        ),
        "wood": Entry(
            Phrase("Wood deliveries", context="source"),
            say(
                "Each wood delivered in place of a good in demand is worth {points}.",
                points=names.points(tiles.WOOD_VALUE),
            ),
        ),
        "owner": Entry(
            Phrase("Property", context="source"),
            say(
                "You get {points} whenever another player ends a turn at one of your buildings.",
                points=names.points(tiles.OWNERS_POINTS),
            ),
        ),
        "exchange": Entry(
            Phrase("Leftover goods", context="source"),
            say("At the end, every {goods} goods of any kind are worth 1 point.", goods=tiles.GOODS_PER_FINAL_POINT),
        ),
    }
    known = {**cubans, **buildings, **own}
    return {key: known[key] for key in ("start", *GAME.sources)}


def _criteria() -> dict[str, Entry]:
    return {
        "points": Entry(Phrase("Points", context="criterion"), say("The player with the most points wins.")),
        "goods": Entry(
            Phrase("Goods left over", context="criterion"),
            say("If points are tied, the player with more goods left after the final exchange wins."),
        ),
        "pesos": Entry(
            Phrase("Pesos", context="criterion"), say("If points and goods are tied, the player with more pesos wins.")
        ),
        "shared": Entry(
            Phrase("Shared victory", context="criterion"),
            say("If points, goods and pesos are tied, the victory is shared."),
        ),
    }


def _options() -> dict[str, Entry]:
    return {
        "open_screens": Entry(
            Phrase("Open screens", context="option"), say("Everyone sees the pesos, goods and points of all players.")
        )
    }
