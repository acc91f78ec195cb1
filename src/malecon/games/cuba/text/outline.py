"""The part of Cuba's glossary that is not on the board: phases, sources of points, criteria and options."""

from __future__ import annotations

from malecon.games.cuba import GAME, names, tiles
from malecon.games.cuba import position as phase
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import GlossaryEntry


def phases() -> dict[str, GlossaryEntry]:
    """Return those the game waits in; nobody ever sees the automatic ones."""
    entries = {
        phase.DRAW_SHIP: GlossaryEntry(Phrase("Ships", context="phase"), say("New ships come in from the deck.")),
        phase.CHOOSE_STARTER: GlossaryEntry(
            Phrase("Starting player", context="phase"), say("Chance decides who starts.")
        ),
        phase.START_MATERIALS: GlossaryEntry(
            Phrase("First materials", context="phase"), say("Everyone starts with two materials of their choice.")
        ),
        phase.START_CROPS: GlossaryEntry(
            Phrase("First crops", context="phase"), say("Everyone starts with two crops of their choice.")
        ),
        phase.PROPOSE: GlossaryEntry(Phrase("Proposals", context="phase"), say("One law of each group is proposed.")),
        phase.ENVOY: GlossaryEntry(
            Phrase("Envoys", context="phase"),
            say("Everyone chooses the card for parliament face down, before any other card is played."),
        ),
        phase.CARD: GlossaryEntry(
            Phrase("Cards", context="phase"),
            say(
                "You play one card a turn, {cards} in a round; the last one goes to parliament.",
                cards=tiles.CARDS_PLAYED,
            ),
        ),
        phase.FIGURE: GlossaryEntry(
            Phrase("Worker", context="phase"),
            say("Place the figure anywhere on your plantation, or leave it where it is."),
        ),
        phase.HARVEST: GlossaryEntry(Phrase("Harvest", context="phase"), say("Choose which crop fields to harvest.")),
        phase.IRRIGATE: GlossaryEntry(
            Phrase("Watering", context="phase"), say("For each water you pay, you harvest one more crop field.")
        ),
        phase.TRADE: GlossaryEntry(
            Phrase("Trade", context="phase"),
            say("Buy and sell as much as you like; you cannot sell a kind that you bought this turn."),
        ),
        phase.BUILD: GlossaryEntry(
            Phrase("Building", context="phase"), say("Choose a building that you can afford, or build nothing.")
        ),
        phase.SITE: GlossaryEntry(
            Phrase("Building site", context="phase"), say("Choose a field; once built over, it yields nothing.")
        ),
        phase.USE: GlossaryEntry(
            Phrase("Foreman", context="phase"),
            say("Use the buildings in the row and column of your figure, in any order, or a single one anywhere."),
        ),
        phase.SHIP: GlossaryEntry(
            Phrase("Loading", context="phase"),
            say("Load goods one at a time; the first decides the ship."),
        ),
        phase.BID: GlossaryEntry(
            Phrase("Bid", context="phase"), say("Each peso is a vote; every bid is paid, whether it wins or not.")
        ),
        phase.SECOND_BID: GlossaryEntry(Phrase("Second bid", context="phase"), say("The tied players bid again.")),
        phase.ENACT: GlossaryEntry(
            Phrase("New laws", context="phase"), say("The player with the most votes enacts two of the proposals.")
        ),
        phase.PAY_TAX: GlossaryEntry(
            Phrase("Tax", context="phase"),
            say("Paying the tax earns {points}.", points=names.points(tiles.TAX_POINTS)),
        ),
        phase.PAY_DUTY: GlossaryEntry(
            Phrase("Duty", context="phase"),
            say(
                "Paying the duty earns {points}, and {extra} more if you have also paid the tax.",
                points=names.points(tiles.DUTY_POINTS),
                extra=names.points(tiles.BOTH_POINTS),
            ),
        ),
        phase.OVER: GlossaryEntry(
            Phrase("End of the game", context="phase"),
            say("Round {rounds} is over, and the points are counted.", rounds=tiles.ROUNDS),
        ),
    }
    return {phase.PHASES[number]: entry for number, entry in entries.items()}


def sources() -> dict[str, GlossaryEntry]:
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


def criteria() -> dict[str, GlossaryEntry]:
    return {
        "points": GlossaryEntry(Phrase("Points", context="criterion"), say("The player with the most points wins.")),
        "pesos": GlossaryEntry(
            Phrase("Pesos", context="criterion"), say("If points are tied, the player with more pesos wins.")
        ),
        "shared": GlossaryEntry(
            Phrase("Shared victory", context="criterion"), say("If points and pesos are tied, the victory is shared.")
        ),
    }


def options() -> dict[str, GlossaryEntry]:
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


def plantations() -> dict[str, GlossaryEntry]:
    """The two choices of that option."""
    return {
        "individual": GlossaryEntry(
            Phrase("individual", context="plantations"), say("Each plantation has its own arrangement of fields.")
        ),
        "common": GlossaryEntry(
            Phrase("all the same", context="plantations"), say("All plantations have the same arrangement of fields.")
        ),
    }
