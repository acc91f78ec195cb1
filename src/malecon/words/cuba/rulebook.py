"""The rules of Cuba in our own words. Names and effects of tiles come from the glossary."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.words.rulebook import Chapter, Rulebook

#: What the home page says of the game.
LINE = say("For six rounds, run a plantation, build, trade, load ships and vote in parliament.")

CHAPTERS = (
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

#: The kinds of the glossary that the rules page lists, with a heading.
KINDS = {
    "characters": say("The characters"),
    "buildings": say("The buildings"),
    "goods": say("The goods"),
    "tax": say("Laws: taxes"),
    "duty": say("Laws: duties"),
    "subsidy": say("Laws: subsidies"),
    "other": say("Other laws"),
}
RULEBOOK = Rulebook(CHAPTERS, KINDS)
