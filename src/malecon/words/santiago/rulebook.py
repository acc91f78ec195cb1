"""The rules of Santiago de Cuba in our own words. Names and effects of tiles come from the glossary."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.words.rulebook import Chapter, Rulebook

#: What the home page says of the game.
LINE = say("Drive the car through Santiago, collect goods, seize buildings and load seven ships.")

CHAPTERS = (
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

#: The kinds of the glossary that the rules page lists, with a heading.
KINDS = {"cubans": say("The Cubans"), "buildings": say("The buildings"), "goods": say("The goods")}
RULEBOOK = Rulebook(CHAPTERS, KINDS)
