"""The glossary of Cuba: every name with one sentence of explanation, for help texts and tooltips.

Things are explained by their records, so that a corrected number corrects its explanation too.
"""

from __future__ import annotations

from functools import cache

from malecon.games.cuba import GAME, names, tiles
from malecon.games.cuba import position as phases
from malecon.games.cuba.text.fields import gain_of
from malecon.kernel.common.records import fill_gaps
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import Glossary, GlossaryEntry
from malecon.text.lists import listed


@cache
def glossary() -> Glossary:
    laws = {group.key: _laws(group) for group in tiles.GROUPS}
    return {
        "characters": _characters(),
        "buildings": _buildings(),
        "goods": _goods(),
        "fields": _fields(),
        "berths": _berths(),
        "groups": _groups(),
        **laws,
        "phases": _phases(),
        "sources": _sources(),
        "criteria": _criteria(),
        "options": _options(),
        "plantations": _plantations(),
    }


def _characters() -> dict[str, GlossaryEntry]:
    def text(character: tiles.Character) -> Phrase:
        first, second, *_ = character.rewards or (0, 0)
        service = fill_gaps(character.help, crops=tiles.FREE_CROP_FIELDS, first=first, second=second)
        return say("{service} In parliament: {votes}.", service=service, votes=names.votes(character.votes))

    return {character.key: GlossaryEntry(character.name, text(character)) for character in tiles.CHARACTERS}


def _buildings() -> dict[str, GlossaryEntry]:
    def use(number: int, building: tiles.Building) -> Phrase:
        gaps: dict[str, Name | int] = {"most": building.times, "votes": names.votes(building.votes)}
        if building.points or building.pesos or building.good:
            gaps["gain"] = gain_of(number, building.times)
            gaps["points"] = gaps["pesos"] = gain_of(number, 1)
        if building.takes:
            gaps["goods"] = names.goods(tiles.GOOD_KEYS.index(building.takes[0]), building.times)
        return fill_gaps(building.help, **gaps)

    def cost(building: tiles.Building) -> Name:
        materials = enumerate(building.cost, tiles.WOOD)
        return listed([names.goods(material, count) for material, count in materials if count])

    return {
        building.key: GlossaryEntry(
            building.name, say("{use} Costs {cost}.", use=use(number, building), cost=cost(building))
        )
        for number, building in enumerate(tiles.BUILDINGS)
    }


def _goods() -> dict[str, GlossaryEntry]:
    return {good.key: GlossaryEntry(good.names.bare, good.help) for good in tiles.GOODS}


def _fields() -> dict[str, GlossaryEntry]:
    def text(kind: tiles.FieldKind) -> Phrase:
        if not kind.good:
            return kind.help
        return fill_gaps(kind.help, gain=names.goods(tiles.GOOD_KEYS.index(kind.good), 1))

    return {kind.key: GlossaryEntry(kind.name, text(kind)) for kind in tiles.FIELD_KINDS}


def _berths() -> dict[str, GlossaryEntry]:
    """Return the berths from 3 to the high seas, as the ships lie."""
    entries = {
        str(berth): GlossaryEntry(
            Phrase("Berth {berth}", {"berth": berth}, context="berth"),
            say("Each good loaded here is worth {points}.", points=names.points(berth)),
        )
        for berth in range(tiles.BERTHS, 0, -1)
    }
    at_sea = GlossaryEntry(
        Phrase("High seas", context="berth"),
        say("This ship cannot be loaded yet; it is the next to enter the harbour."),
    )
    return entries | {str(tiles.HIGH_SEA): at_sea}


def _groups() -> dict[str, GlossaryEntry]:
    return {
        group.key: GlossaryEntry(
            group.title,
            fill_gaps(group.help, points=names.points(group.points), extra=names.points(tiles.BOTH_POINTS)),
        )
        for group in tiles.GROUPS
    }


def _laws(group: tiles.LawGroup) -> dict[str, GlossaryEntry]:
    def text(law: tiles.Law) -> Phrase:
        gaps: dict[str, Name | int] = {
            "gain": names.points(group.points),
            "cost": names.pesos(law.pesos),
            "pesos": names.pesos(law.pesos),
            "points": names.points(law.most),
            "units": law.units,
        }
        if law.goods:
            gaps["cost"] = names.goods(tiles.GOOD_KEYS.index(law.goods[0]), law.units)
        return fill_gaps(law.help, **gaps)

    return {law.key: GlossaryEntry(law.name, text(law)) for law in group.laws}


# --- what is not on the board: phases, sources of points, criteria and options


def _phases() -> dict[str, GlossaryEntry]:
    """Return those the game waits in; nobody ever sees the automatic ones."""
    entries = {
        phases.DRAW_SHIP: GlossaryEntry(Phrase("Ships", context="phase"), say("New ships come in from the deck.")),
        phases.CHOOSE_STARTER: GlossaryEntry(
            Phrase("Starting player", context="phase"), say("Chance decides who starts.")
        ),
        phases.START_MATERIALS: GlossaryEntry(
            Phrase("First materials", context="phase"), say("Everyone starts with two materials of their choice.")
        ),
        phases.START_CROPS: GlossaryEntry(
            Phrase("First crops", context="phase"), say("Everyone starts with two crops of their choice.")
        ),
        phases.PROPOSE: GlossaryEntry(Phrase("Proposals", context="phase"), say("One law of each group is proposed.")),
        phases.ENVOY: GlossaryEntry(
            Phrase("Envoys", context="phase"),
            say("Everyone chooses the card for parliament face down, before any other card is played."),
        ),
        phases.CARD: GlossaryEntry(
            Phrase("Cards", context="phase"),
            say(
                "You play one card a turn, {cards} in a round; the last one goes to parliament.",
                cards=tiles.CARDS_PLAYED,
            ),
        ),
        phases.FIGURE: GlossaryEntry(
            Phrase("Worker", context="phase"),
            say("Place the figure anywhere on your plantation, or leave it where it is."),
        ),
        phases.HARVEST: GlossaryEntry(Phrase("Harvest", context="phase"), say("Choose which crop fields to harvest.")),
        phases.IRRIGATE: GlossaryEntry(
            Phrase("Watering", context="phase"), say("For each water you pay, you harvest one more crop field.")
        ),
        phases.TRADE: GlossaryEntry(
            Phrase("Trade", context="phase"),
            say("Buy and sell as much as you like; you cannot sell a kind that you bought this turn."),
        ),
        phases.BUILD: GlossaryEntry(
            Phrase("Building", context="phase"), say("Choose a building that you can afford, or build nothing.")
        ),
        phases.SITE: GlossaryEntry(
            Phrase("Building site", context="phase"), say("Choose a field; once built over, it yields nothing.")
        ),
        phases.USE: GlossaryEntry(
            Phrase("Foreman", context="phase"),
            say("Use the buildings in the row and column of your figure, in any order, or a single one anywhere."),
        ),
        phases.SHIP: GlossaryEntry(
            Phrase("Loading", context="phase"),
            say("Load goods one at a time; the first decides the ship."),
        ),
        phases.BID: GlossaryEntry(
            Phrase("Bid", context="phase"), say("Each peso is a vote; every bid is paid, whether it wins or not.")
        ),
        phases.SECOND_BID: GlossaryEntry(Phrase("Second bid", context="phase"), say("The tied players bid again.")),
        phases.ENACT: GlossaryEntry(
            Phrase("New laws", context="phase"), say("The player with the most votes enacts two of the proposals.")
        ),
        phases.PAY_TAX: GlossaryEntry(
            Phrase("Tax", context="phase"),
            say("Paying the tax earns {points}.", points=names.points(tiles.TAX_POINTS)),
        ),
        phases.PAY_DUTY: GlossaryEntry(
            Phrase("Duty", context="phase"),
            say(
                "Paying the duty earns {points}, and {extra} more if you have also paid the tax.",
                points=names.points(tiles.DUTY_POINTS),
                extra=names.points(tiles.BOTH_POINTS),
            ),
        ),
        phases.OVER: GlossaryEntry(
            Phrase("End of the game", context="phase"),
            say("Round {rounds} is over, and the points are counted.", rounds=tiles.ROUNDS),
        ),
    }
    return {phases.PHASES[number]: entry for number, entry in entries.items()}


def _sources() -> dict[str, GlossaryEntry]:
    own = {
        "start": GlossaryEntry(Phrase("Starting capital", context="source"), say("Everyone starts without points.")),
        "ships": GlossaryEntry(
            Phrase("Ships", context="source"),
            say(
                "Each good loaded is worth 1 to {highest} points, depending on the ship’s berth.", highest=tiles.BERTHS
            ),
        ),
        "buildings": GlossaryEntry(
            Phrase("Using buildings", context="source"), say("What your Foreman earned in your buildings.")
        ),
        "laws": GlossaryEntry(Phrase("Tax and duty", context="source"), say("What you got for paying tax and duty.")),
        "subsidies": GlossaryEntry(Phrase("Subsidies", context="source"), say("What the subsidy laws gave you.")),
        "alternatives": GlossaryEntry(
            Phrase("Building nothing", context="source"), say("What your Architect got for building nothing.")
        ),
        "final buildings": GlossaryEntry(
            Phrase("Buildings at the end", context="source"),
            say(
                "At the end, each of your buildings is worth {points}.",
                points=names.points(tiles.FINAL_POINTS_PER_BUILDING),
            ),
        ),
    }
    return {key: own[key] for key in ("start", *GAME.sources)}


def _criteria() -> dict[str, GlossaryEntry]:
    return {
        "points": GlossaryEntry(Phrase("Points", context="criterion"), say("The player with the most points wins.")),
        "pesos": GlossaryEntry(
            Phrase("Pesos", context="criterion"), say("If points are tied, the player with more pesos wins.")
        ),
        "shared": GlossaryEntry(
            Phrase("Shared victory", context="criterion"), say("If points and pesos are tied, the victory is shared.")
        ),
    }


def _options() -> dict[str, GlossaryEntry]:
    return {
        "plantations": GlossaryEntry(
            Phrase("Plantations", context="option"),
            say("Each plantation has its own arrangement of fields, or all have the same."),
        ),
        "envoys": GlossaryEntry(
            Phrase("Envoys", context="option"),
            say("Everyone chooses the card for parliament face down, before any other card is played."),
        ),
        "count_warehouse": GlossaryEntry(
            Phrase("Count the printed warehouse", context="option"),
            say("The warehouse printed on every plantation counts as a building, for tax, subsidy and final points."),
        ),
    }


def _plantations() -> dict[str, GlossaryEntry]:
    """Return the two choices of that option."""
    return {
        "individual": GlossaryEntry(
            Phrase("individual", context="plantations"), say("Each plantation has its own arrangement of fields.")
        ),
        "common": GlossaryEntry(
            Phrase("all the same", context="plantations"), say("All plantations have the same arrangement of fields.")
        ),
    }
