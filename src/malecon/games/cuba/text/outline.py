"""The part of Cuba's glossary that is not on the board: phases, sources of points, criteria and options."""

from __future__ import annotations

from malecon.games.cuba import GAME, names, tiles
from malecon.games.cuba import position as phase
from malecon.kernel.phrases import Phrase, say
from malecon.text.game_text import Entry


def phases() -> dict[str, Entry]:
    """Return those the game waits in; nobody ever sees the automatic ones."""
    entries = {
        phase.DRAW_SHIP: Entry(Phrase("Ships", context="phase"), say("New ships come in from the deck.")),
        phase.CHOOSE_STARTER: Entry(Phrase("Starting player", context="phase"), say("Chance decides who starts.")),
        phase.START_MATERIALS: Entry(
            Phrase("First materials", context="phase"), say("Everyone starts with two materials of their choice.")
        ),
        phase.START_CROPS: Entry(
            Phrase("First crops", context="phase"), say("Everyone starts with two crops of their choice.")
        ),
        phase.PROPOSE: Entry(Phrase("Proposals", context="phase"), say("One law of each group is proposed.")),
        phase.ENVOY: Entry(
            Phrase("Envoys", context="phase"),
            say("Everyone chooses the card for parliament face down, before any other card is played."),
        ),
        phase.CARD: Entry(
            Phrase("Cards", context="phase"),
            say(
                "You play one card a turn, {cards} in a round; the last one goes to parliament.",
                cards=tiles.CARDS_PLAYED,
            ),
        ),
        phase.FIGURE: Entry(
            Phrase("Worker", context="phase"),
            say("Place the figure anywhere on your plantation, or leave it where it is."),
        ),
        phase.HARVEST: Entry(Phrase("Harvest", context="phase"), say("Choose which crop fields to harvest.")),
        phase.IRRIGATE: Entry(
            Phrase("Watering", context="phase"), say("For each water you pay, you harvest one more crop field.")
        ),
        phase.TRADE: Entry(
            Phrase("Trade", context="phase"),
            say("Buy and sell as much as you like; you cannot sell a kind that you bought this turn."),
        ),
        phase.BUILD: Entry(
            Phrase("Building", context="phase"), say("Choose a building that you can afford, or build nothing.")
        ),
        phase.SITE: Entry(
            Phrase("Building site", context="phase"), say("Choose a field; once built over, it yields nothing.")
        ),
        phase.USE: Entry(
            Phrase("Foreman", context="phase"),
            say("Use the buildings in the row and column of your figure, in any order, or a single one anywhere."),
        ),
        phase.SHIP: Entry(
            Phrase("Loading", context="phase"),
            say("Load goods one at a time; the first decides the ship."),
        ),
        phase.BID: Entry(
            Phrase("Bid", context="phase"), say("Each peso is a vote; every bid is paid, whether it wins or not.")
        ),
        phase.SECOND_BID: Entry(Phrase("Second bid", context="phase"), say("The tied players bid again.")),
        phase.ENACT: Entry(
            Phrase("New laws", context="phase"), say("The player with the most votes enacts two of the proposals.")
        ),
        phase.PAY_TAX: Entry(
            Phrase("Tax", context="phase"),
            say("Paying the tax earns {points}.", points=names.points(tiles.TAX_POINTS)),
        ),
        phase.PAY_DUTY: Entry(
            Phrase("Duty", context="phase"),
            say(
                "Paying the duty earns {points}, and {extra} more if you have also paid the tax.",
                points=names.points(tiles.DUTY_POINTS),
                extra=names.points(tiles.BOTH_POINTS),
            ),
        ),
        phase.OVER: Entry(
            Phrase("End of the game", context="phase"),
            say("Round {rounds} is over, and the points are counted.", rounds=tiles.ROUNDS),
        ),
    }
    return {phase.PHASES[number]: entry for number, entry in entries.items()}


def sources() -> dict[str, Entry]:
    own = {
        "start": Entry(Phrase("Starting capital", context="source"), say("Everyone starts without points.")),
        "ships": Entry(
            Phrase("Ships", context="source"),
            say(
                "Each good loaded is worth 1 to {highest} points, depending on the ship’s berth.", highest=tiles.BERTHS
            ),
        ),
        "buildings": Entry(
            Phrase("Using buildings", context="source"), say("What your Foreman earned in your buildings.")
        ),
        "laws": Entry(Phrase("Tax and duty", context="source"), say("What you got for paying tax and duty.")),
        "subsidies": Entry(Phrase("Subsidies", context="source"), say("What the subsidy laws gave you.")),
        "alternatives": Entry(
            Phrase("Building nothing", context="source"), say("What your Architect got for building nothing.")
        ),
        "final buildings": Entry(
            Phrase("Buildings at the end", context="source"),
            say(
                "At the end, each of your buildings is worth {points}.",
                points=names.points(tiles.FINAL_POINTS_PER_BUILDING),
            ),
        ),
    }
    return {key: own[key] for key in ("start", *GAME.sources)}


def criteria() -> dict[str, Entry]:
    return {
        "points": Entry(Phrase("Points", context="criterion"), say("The player with the most points wins.")),
        "pesos": Entry(
            Phrase("Pesos", context="criterion"), say("If points are tied, the player with more pesos wins.")
        ),
        "shared": Entry(
            Phrase("Shared victory", context="criterion"), say("If points and pesos are tied, the victory is shared.")
        ),
    }


def options() -> dict[str, Entry]:
    return {
        "plantations": Entry(
            Phrase("Plantations", context="option"),
            say("Each plantation has its own arrangement of fields, or all have the same."),
        ),
        "envoys": Entry(
            Phrase("Envoys", context="option"),
            say("Everyone chooses the card for parliament face down, before any other card is played."),
        ),
        "count_warehouse": Entry(
            Phrase("Count the printed warehouse", context="option"),
            say("The warehouse printed on every plantation counts as a building, for tax, subsidy and final points."),
        ),
    }


def plantations() -> dict[str, Entry]:
    """The two choices of that option."""
    return {
        "individual": Entry(
            Phrase("individual", context="plantations"), say("Each plantation has its own arrangement of fields.")
        ),
        "common": Entry(
            Phrase("all the same", context="plantations"), say("All plantations have the same arrangement of fields.")
        ),
    }
