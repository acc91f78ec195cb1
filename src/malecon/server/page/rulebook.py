"""The rules of each game in our own words, chapter by chapter. Names and effects of tiles come from the glossary."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.kernel.game import Game
from malecon.kernel.phrases import Phrase, say


@dataclass(frozen=True)
class Chapter:
    """A heading, its paragraphs, and the symbols drawn beside them."""

    title: Phrase
    paragraphs: tuple[Phrase, ...]
    symbols: tuple[str, ...] = ()


_SANTIAGO = (
    Chapter(
        say("In short"),
        (
            say(
                "You are merchants in the old town of Santiago. Everybody drives the same car along the same street, "
                "round and round. Where it stops, a Cuban helps you, and then your piece works in one of the buildings."
            ),
            say(
                "In the port lies a ship that wants certain goods. Whoever brings them gets points. "
                "When the seventh ship has sailed the game is over, and the most points win."
            ),
        ),
        ("point", "peso"),
    ),
    Chapter(
        say("Your turn"),
        (
            say("First drive the car. The next stop is free; each further one costs you 1 peso."),
            say("Then the Cuban at this stop gives you what the tile shows, or offers you a choice."),
            say(
                "The Cuban’s tile also shows a flower. Move your piece to another building under that flower and use "
                "it if you like. A building where somebody’s piece stands is closed to everybody else."
            ),
            say(
                "If all other buildings under the flower are taken, your piece stays where it is and may use its "
                "building once more."
            ),
        ),
        ("peso",),
    ),
    Chapter(
        say("Property"),
        (
            say(
                "At Alonso’s you may seize a building that nobody owns, with one of your three markers. From then on "
                "you get 1 point whenever another player’s piece stands there at the end of their turn."
            ),
            say("Instead of seizing one, you may use one of your own buildings, even if somebody stands on it."),
        ),
        ("point",),
    ),
    Chapter(
        say("The port"),
        (
            say(
                "When the car stops at the port, everybody may deliver, beginning with the player who drove there. "
                "One after the other, round and round, you deliver as many goods of one kind as you like and the "
                "ship still wants, or pass and are out of this delivery round."
            ),
            say(
                "Each good brings as many points as the flag shows: 2, 3 or 4. Wood can stand in for any one kind "
                "the ship wants, but brings only 1 point apiece, and the two are never mixed in one delivery."
            ),
            say(
                "As soon as the ship has all it wants, it sails. If everybody passes before that, the flag moves up "
                "by one. It also moves up each time the car passes the port without stopping. "
                "A flag that moves beyond 4 sends the ship away as it is."
            ),
            say("Whoever drove to the port leaves their piece where it is and uses no building this turn."),
        ),
        ("sugar", "citrus", "tobacco", "rum", "cigars", "wood"),
    ),
    Chapter(
        say("A new ship"),
        (
            say(
                "The player in whose turn the ship sailed rolls the five dice at the end of that turn and leaves one "
                "out; at the port, that is whoever drove there. The other four dice are what the next ship wants, "
                "and the flag is back at 2."
            ),
            say("If the four dice all show 0, that ship is content already. It sails at once, and you roll again."),
        ),
    ),
    Chapter(
        say("The end"),
        (
            say(
                "The game ends the moment the seventh ship sails. Every three goods you still have, of whatever kind, "
                "are worth 1 point."
            ),
            say(
                "Most points win. In a tie, more goods left over after this exchange decide, then more pesos; "
                "if even those are level, the victory is shared."
            ),
        ),
        ("point",),
    ),
    Chapter(
        say("Screens"),
        (
            say(
                "Your pesos, goods and points are behind your screen, and nobody else sees them. "
                "A table may also be played with open screens."
            ),
        ),
    ),
)
_CUBA = (
    Chapter(
        say("In short"),
        (
            say(
                "You own a plantation in Cuba before the revolution. For six rounds you harvest, trade, build, use "
                "your buildings and load ships, and at the end of each round parliament makes laws."
            ),
            say("Ships, buildings and obeying the laws bring points. After six rounds the most points win."),
        ),
        ("point", "peso"),
    ),
    Chapter(
        say("A round"),
        (
            say("First four proposals for laws are turned up, one of each kind."),
            say(
                "Then you take turns to play four of your five character cards, one card a turn. The fifth card goes "
                "to parliament: its number is how many votes it has there."
            ),
            say(
                "Whoever’s fourth card was the highest is the new starting player; if several are level, "
                "the one of them who played last."
            ),
        ),
    ),
    Chapter(
        say("Your plantation"),
        (
            say(
                "Your figure stands on one of twelve fields. The Worker moves it to any field, or leaves it, and "
                "harvests in its row and column: all materials, but only two crops, and one more for each water you "
                "give."
            ),
            say(
                "The Foreman uses the buildings in the figure’s row and column, or any single one elsewhere. "
                "A building covers the field it stands on: there is no more harvest there."
            ),
            say(
                "Crops lie in the yard and are lost at the end of the round, unless the Foreman has stored them in a "
                "warehouse. Materials and wares keep."
            ),
        ),
        ("sugar", "citrus", "tobacco", "wood", "stone", "water"),
    ),
    Chapter(
        say("Market, buildings and ships"),
        (
            say(
                "On the market, what is scarce is dear: each unit bought makes the next one dearer, each sale cheaper."
            ),
            say(
                "The Merchant buys and sells, the Architect builds, the Mayor loads one ship. Instead, the Merchant "
                "can take a material or the cheapest crop for nothing, the Architect points and the Mayor pesos. "
                "Only two can do so with the same character in a round, and the first has the best of it."
            ),
            say("A ship pays more the further it has moved in: 1, 2 or 3 points for each good."),
            say(
                "At the end of a round full ships leave, and from the second round on so does the ship at berth 3, "
                "whatever it carries. The others move up."
            ),
        ),
        ("rum", "cigars", "point"),
    ),
    Chapter(
        say("Parliament and laws"),
        (
            say(
                "Everybody bids pesos in secret; each peso is a vote more, and all bids are paid. Whoever has the most "
                "votes enacts two of the proposals, which replace the old laws of their kind."
            ),
            say(
                "If several have the most votes, they bid once more. If level again, the starting player wins, "
                "or else whoever of them comes next clockwise."
            ),
            say(
                "Then the laws take effect. Paying the tax brings 2 points, paying the duty 2 points, and paying both "
                "one more. You need not pay. Subsidies give points for what they name, and cost nothing."
            ),
        ),
        ("peso", "point"),
    ),
    Chapter(
        say("The end"),
        (
            say("After the sixth round each of your buildings is worth 2 points."),
            say("Most points win. In a tie, more pesos decide; if even those are level, the victory is shared."),
        ),
        ("point",),
    ),
)
_CHAPTERS = {"santiago": _SANTIAGO, "cuba": _CUBA}
#: The kinds of the glossary that a rules page lists, with a heading.
_KINDS = {
    "santiago": {"cubans": say("The Cubans"), "buildings": say("The buildings"), "goods": say("The goods")},
    "cuba": {
        "characters": say("The characters"),
        "buildings": say("The buildings"),
        "goods": say("The goods"),
        "tax": say("Laws: taxes"),
        "duty": say("Laws: duties"),
        "subsidy": say("Laws: subsidies"),
        "other": say("Other laws"),
    },
}


def chapters(game: Game) -> tuple[Chapter, ...]:
    return _CHAPTERS.get(game.name, ())


def kinds(game: Game) -> dict[str, Phrase]:
    return _KINDS.get(game.name, {})
