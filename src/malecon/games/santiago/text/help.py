"""The glossary of Santiago de Cuba: every name with one sentence of explanation, for help texts and tooltips.

Things are explained by their records, so that a corrected number corrects its explanation too.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from malecon.games.santiago import GAME, names, tiles
from malecon.games.santiago import position as phases
from malecon.kernel.common.records import fill_gaps
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import Glossary, GlossaryEntry
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


def _gains(points: int, pesos: int) -> list[Name]:
    return [*([names.points(points)] if points else []), *([names.pesos(pesos)] if pesos else [])]


def _cubans() -> dict[str, GlossaryEntry]:
    def service(cuban: tiles.Cuban) -> Phrase:
        gains = _gains(cuban.points, cuban.pesos)
        if cuban.goods:
            gains.append(names.goods(tiles.GOOD_KEYS.index(cuban.good), cuban.goods))
        return fill_gaps(cuban.help, gain=listed(gains)) if gains else cuban.help

    return {
        cuban.key: GlossaryEntry(cuban.name, say("{role}. {service}", role=cuban.role, service=service(cuban)))
        for cuban in tiles.CUBANS
    }


def _buildings() -> dict[str, GlossaryEntry]:
    def text(building: tiles.Building) -> Phrase:
        gaps: dict[str, Name | int] = {"highest": tiles.HIGHEST_VALUE, "pesos": names.pesos(building.pesos)}
        if building.points or building.pesos:
            gaps["gain"] = listed(_gains(building.points, building.pesos))
        if building.takes:
            gaps["goods"] = names.goods(tiles.GOOD_KEYS.index(building.takes[0]), 1)
        return fill_gaps(building.help, **gaps)

    return {building.key: GlossaryEntry(building.name, text(building)) for building in tiles.BUILDINGS}


def _goods() -> dict[str, GlossaryEntry]:
    return {
        good.key: GlossaryEntry(
            good.names.bare,
            fill_gaps(good.help, highest=max(good.die, default=0), value=names.points(tiles.WOOD_VALUE)),
        )
        for good in tiles.GOODS
    }


def _flowers() -> dict[str, GlossaryEntry]:
    return {
        flower.key: GlossaryEntry(
            flower.name,
            say(
                "{cubans} send your piece to a building under a {flower} flower.",
                cubans=listed([cuban.name for cuban in tiles.CUBANS if cuban.flower == flower.key]),
                flower=flower.name,
            ),
        )
        for flower in tiles.FLOWERS
    }


def _phases() -> dict[str, GlossaryEntry]:
    """Return those the game waits in; nobody ever sees the automatic ones."""
    entries = {
        phases.PLACE_BUILDINGS: GlossaryEntry(
            Phrase("Laying out the buildings", context="phase"),
            say("Three buildings are placed at random under each flower colour."),
        ),
        phases.PLACE_CUBANS: GlossaryEntry(
            Phrase("Laying out the Cubans", context="phase"),
            say("A Cuban is placed at random at every stop except the port."),
        ),
        phases.CHOOSE_STARTER: GlossaryEntry(
            Phrase("Starting player", context="phase"), say("Chance decides who starts.")
        ),
        phases.ROLL: GlossaryEntry(
            Phrase("Dice", context="phase"), say("The five dice of the new ship’s demand are rolled.")
        ),
        phases.DEMAND: GlossaryEntry(
            Phrase("Demand", context="phase"),
            say("The player who rolled leaves one die out; the ship asks for what the other four show."),
        ),
        phases.DRIVE: GlossaryEntry(
            Phrase("Drive", context="phase"),
            say("The car drives on: the first stop is free, and each one after that costs 1 peso."),
        ),
        phases.PABLO: GlossaryEntry(
            Phrase("Pablo’s goods", context="phase"), say("You choose 1 good from the supply, except wood.")
        ),
        phases.ZORRO: GlossaryEntry(
            Phrase("El Zorro’s robbery", context="phase"), say("Each of the other players chooses what to give.")
        ),
        phases.ALONSO: GlossaryEntry(
            Phrase("Alonso’s help", context="phase"), say("You seize a building, use one of your own, or do neither.")
        ),
        phases.VISIT: GlossaryEntry(
            Phrase("Visit", context="phase"), say("Your piece moves to a free building under the Cuban’s flower.")
        ),
        phases.USE: GlossaryEntry(
            Phrase("Building", context="phase"), say("You may use the building your piece stands on.")
        ),
        phases.DELIVER: GlossaryEntry(
            Phrase("Delivery round", context="phase"),
            say(
                "Players take turns to deliver goods of one kind, or pass; a player who passes is out of this "
                "delivery round."
            ),
        ),
        phases.OVER: GlossaryEntry(
            Phrase("End of the game", context="phase"),
            say("Ship {ships} has sailed, and the points are counted.", ships=tiles.SHIPS),
        ),
    }
    return {phases.PHASES[phase]: entry for phase, entry in entries.items()}


def _sources(cubans: Mapping[str, GlossaryEntry], buildings: Mapping[str, GlossaryEntry]) -> dict[str, GlossaryEntry]:
    own = {
        "start": GlossaryEntry(
            Phrase("Starting capital", context="source"),
            say("Everyone starts with {points}.", points=names.points(tiles.START_POINTS)),
        ),
        "delivery": GlossaryEntry(
            Phrase("Deliveries", context="source"),
            say(
                "Each good delivered in a delivery round is worth {lowest} to {highest} points.",
                lowest=tiles.LOWEST_VALUE,
                highest=tiles.HIGHEST_VALUE,
            ),
        ),
        "wood": GlossaryEntry(
            Phrase("Wood deliveries", context="source"),
            say(
                "Each wood delivered in place of a good in demand is worth {points}.",
                points=names.points(tiles.WOOD_VALUE),
            ),
        ),
        "owner": GlossaryEntry(
            Phrase("Property", context="source"),
            say(
                "You get {points} whenever another player ends a turn at one of your buildings.",
                points=names.points(tiles.OWNERS_POINTS),
            ),
        ),
        "exchange": GlossaryEntry(
            Phrase("Leftover goods", context="source"),
            say("At the end, every {goods} goods of any kind are worth 1 point.", goods=tiles.GOODS_PER_FINAL_POINT),
        ),
    }
    entries = {**cubans, **buildings, **own}
    return {key: entries[key] for key in ("start", *GAME.sources)}


def _criteria() -> dict[str, GlossaryEntry]:
    return {
        "points": GlossaryEntry(Phrase("Points", context="criterion"), say("The player with the most points wins.")),
        "goods": GlossaryEntry(
            Phrase("Goods left over", context="criterion"),
            say("If points are tied, the player with more goods left after the final exchange wins."),
        ),
        "pesos": GlossaryEntry(
            Phrase("Pesos", context="criterion"), say("If points and goods are tied, the player with more pesos wins.")
        ),
        "shared": GlossaryEntry(
            Phrase("Shared victory", context="criterion"),
            say("If points, goods and pesos are tied, the victory is shared."),
        ),
    }


def _options() -> dict[str, GlossaryEntry]:
    return {
        "open_screens": GlossaryEntry(
            Phrase("Open screens", context="option"), say("Everyone sees the pesos, goods and points of all players.")
        )
    }
