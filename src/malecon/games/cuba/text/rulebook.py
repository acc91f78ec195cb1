"""The rules of Cuba in our own words. Names and effects of tiles come from the glossary."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.text.rulebook import Chapter, Example, ExampleGame, Picture, Rulebook

#: What the home page says of the game.
LINE = say("For six rounds, run a plantation, build, trade, load ships and vote in parliament.")

#: The game that the examples are taken from.
EXAMPLE_GAME = ExampleGame(
    ("Ana", "Ben"),
    {
        "start": "draw sctrr, draw sscrz, draw ccszz, starter blue, materials stone water, crops sugar sugar,"
        "materials wood stone, crops sugar citrus, propose tax 4, propose duty water, propose subsidy pesos,"
        "propose other surplus",
        "cross": "worker, field 6",
        "harvest": "harvest sugar, harvest citrus, irrigate tobacco",
        "tie": "mayor, forgo, architect, build distillery, on 11, merchant, done, merchant, pick wood, foreman, store,"
        "foreman, store, architect, forgo, bid 0, bid 4",
        "vote": "bid 1, bid 0",
        "laws": "enact subsidy other",
        "carried out": "pay tax, pay tax, pay duty, pay duty",
        "market": "draw ttszz, propose tax 5, propose duty tobacco, propose subsidy water, propose other harbour,"
        "worker, field 12, mayor, forgo, architect, build rum cafe, on 9, merchant, buy rum, buy rum",
        "sold": "sell sugar",
        "foreman": "done, foreman",
        "rum": "make 3 rum",
        "served": "serve 3 rum",
        "ships": "architect, forgo, mayor, ship 3 sugar, ship 3 citrus, ship 3 tobacco, foreman, bid 0, bid 0,"
        "enact duty subsidy, pay tax",
        "moved up": "pay tax, draw ttcrr",
    },
    {"plantations": "common"},
)

CHAPTERS = (
    Chapter(
        say("In short"),
        (
            say(
                "You own a plantation in Cuba before the revolution. For six rounds you harvest, trade, build, use "
                "your buildings and load ships, and in each round parliament makes laws."
            ),
            say(
                "Ships, buildings and satisfying the laws earn points. After six rounds the player with the most "
                "points wins."
            ),
        ),
        (
            "point",
            "peso",
        ),
    ),
    Chapter(
        say("Setting up"),
        (
            say(
                "Everybody has a plantation of twelve fields, a figure on its printed warehouse, five character "
                "cards and 10 pesos. In turn order, everybody chooses two materials and two crops, which go into the "
                "yard."
            ),
            say(
                "The supply has 15 of each material and crop and 10 of each ware. What has run out cannot be had "
                "until some come back; if fewer are left than you should get, you get those. Pesos and points never "
                "run out."
            ),
            say(
                "The market starts with 3 of each crop and 2 of each ware. Two ships lie at berths 1 and 2, and one "
                "waits on the high seas. At first a tax of 2 pesos and a duty of 1 citrus fruit are in force."
            ),
            say("The starting player is drawn at random, and play goes clockwise."),
        ),
    ),
    Chapter(
        say("A round"),
        (
            say("First four proposals for laws are turned up, one of each group."),
            say(
                "Then the players take turns to play a character card and use it, until everybody has played four. "
                "The fifth goes to parliament, where its number counts as votes. You play a card even if you can "
                "do nothing with it."
            ),
            say(
                "The player of the highest fourth card becomes the starting player; of several, the one who played "
                "last. Then parliament votes, the laws are carried out, and the round ends."
            ),
        ),
    ),
    Chapter(
        say("Your plantation"),
        (
            say(
                "The Worker moves your figure to any field, or leaves it. It harvests its row and column, six fields "
                "in all: every material, but only two crops, plus one more for each water you pay. Water you have "
                "just harvested counts; no field is harvested twice."
            ),
            Example(
                say(
                    "Example: on the common plantation your figure goes to the mountain in the middle row. In reach "
                    "are 1 stone, 2 wood, 1 sugar cane, 1 citrus fruit and 1 tobacco. You get the stone, the wood "
                    "and two of the crops; for 1 water you get the third as well."
                ),
                (
                    Picture(
                        "cross",
                        ("plantation",),
                        say("Three rows of four fields. Outlined: the figure’s field, its row and its column."),
                        ("field-2", "field-5", "field-6", "field-7", "field-8", "field-10"),
                    ),
                ),
            ),
            say(
                "Your harvest goes into the yard. At the end of the round all crops in the yard are lost; materials "
                "and wares keep. The Foreman saves crops by using a warehouse; what is stored there keeps, and you "
                "use it like what is in the yard."
            ),
            say(
                "The Architect builds: you pay the materials and place the building on any of your fields, even "
                "under your figure, but not on the printed warehouse or on another building. A field built over "
                "gives no harvest. There is one of each building, and two Distilleries and Cigar factories."
            ),
            say(
                "The Foreman uses every building in the figure’s row and column, each once and in any order, or a "
                "single one anywhere. One building can use what another has just given."
            ),
            Example(
                say(
                    "Example: a Distillery and a Rum café are in the figure’s row (1). You turn 3 sugar cane into 3 "
                    "rum (2) and serve them at once, for 6 points."
                ),
                (
                    Picture(
                        "foreman",
                        ("plantation", "yard"),
                        say("The figure on the lake; in its row a Rum café and a Distillery. Ana has 4 sugar cane."),
                        ("built-9", "built-11"),
                    ),
                    Picture(
                        "rum",
                        ("plantation", "yard"),
                        say("The Distillery is ticked off. Three rum lie in the yard, and the Rum café is next."),
                        ("built-9",),
                    ),
                ),
            ),
        ),
        (
            "sugar",
            "citrus",
            "tobacco",
            "wood",
            "stone",
            "water",
        ),
    ),
    Chapter(
        say("Market and ships"),
        (
            say(
                "The Merchant buys and sells as much as you like. Scarce goods cost more: with 3 units on the "
                "market, buying costs 4 pesos and selling pays 3; each purchase raises the price by 1, each sale "
                "lowers it."
            ),
            say(
                "If a kind is sold out on the market, you buy from the supply for 7 pesos. If its spaces are full (5 "
                "of a crop, 3 of a ware), you sell to the supply, a crop for 1 peso and a ware for 3."
            ),
            Example(
                say(
                    "Example: Ben buys the last two rum, for 5 and 6 pesos. The next one would come from the supply "
                    "and cost 7. All spaces for sugar cane are full, so he sells 1 to the supply, for 1 peso."
                ),
                (
                    Picture(
                        "market",
                        ("market",),
                        say(
                            "Five market stalls. Rum: none left, buy for 7, sell for 6. Sugar cane: full, buy for 2, "
                            "sell for 1."
                        ),
                        ("market-sugar", "market-rum"),
                        seat=1,
                    ),
                ),
            ),
            say("A kind that you have bought cannot be sold in the same turn, nor the other way round (our ruling)."),
            say(
                "The Mayor loads as many trade goods as fit onto one ship in the harbour. A ship has five spaces, "
                "each for one unit of a certain kind. Each unit earns as many points as the number of the ship’s "
                "berth: 1, 2 or 3."
            ),
            say(
                "Three characters have an alternative. Instead of trading, the Merchant takes a free material or a "
                "free crop at the lowest price: each of the two can be taken once a round. Instead of building, the "
                "Architect earns 2 points for the first player to do so in a round and 1 for the second. Instead of "
                "delivering, the Mayor earns 4 pesos, then 2."
            ),
        ),
        (
            "rum",
            "cigars",
            "point",
        ),
    ),
    Chapter(
        say("Parliament"),
        (
            say(
                "Your votes are the number on your card, plus 2 if you used the Town hall, plus your bid: everybody "
                "bids pesos in secret, one vote each, and all bids are paid. The player with the most votes enacts "
                "exactly two of the proposals. Each replaces the law of its group at once; the other proposals leave "
                "the game."
            ),
            say(
                "If several players have the most votes, they bid once more, on top of the votes they have. If they "
                "are still tied, the starting player wins, or else the next of them clockwise."
            ),
            Example(
                say(
                    "Example: Ana has kept the Mayor (5 votes) and bids 0. Ben has kept the Worker (1 vote) and bids "
                    "4. They are tied at 5 (1) and bid again: Ana 1, Ben 0. Ana wins with 6 votes (2) and enacts two "
                    "laws. Ben’s 4 pesos are spent all the same."
                ),
                (
                    Picture(
                        "tie",
                        ("seat 0", "seat 1"),
                        say("Ana has 5 votes and 10 pesos; Ben has 5 votes and 10 pesos."),
                    ),
                    Picture(
                        "vote",
                        ("seat 0", "seat 1"),
                        say("Ana has 6 votes and 9 pesos; Ben has 5 votes and 10 pesos."),
                    ),
                ),
            ),
        ),
        ("peso",),
    ),
    Chapter(
        say("The laws"),
        (
            say(
                "The laws in force are carried out in order: tax, duty, subsidy, other laws. Everybody decides about "
                "the tax first, then everybody about the duty, from the starting player on. Paying the tax earns 2 "
                "points, paying the duty 2 points, and paying both 1 more. You need not pay. A subsidy is counted "
                "after that, and costs nothing."
            ),
            Example(
                say(
                    "Example: Ana has 9 pesos and no points (1). She pays the tax of 2 pesos for 2 points, then the "
                    "duty of 1 citrus fruit for 2 points and 1 more. The subsidy for pesos counts what is left: 7 "
                    "pesos give 2 points, one for every 3. Finally the Surplus law brings 2 of each crop onto the "
                    "market (2)."
                ),
                (
                    Picture(
                        "laws",
                        ("laws", "seat 0"),
                        say("Four laws are in force, I to IV. Ana has 9 pesos, no points and a citrus fruit."),
                    ),
                    Picture(
                        "carried out",
                        ("seat 0", "market"),
                        say("Ana has 7 pesos and 7 points. On the market there are 5 of each crop."),
                    ),
                ),
            ),
            say(
                "The printed warehouse is a building: it counts for the tax, for the subsidy and at the end. A table "
                "may choose not to count it. A market law acts in every round while it is in force (our ruling)."
            ),
        ),
        ("point",),
    ),
    Chapter(
        say("The end of a round"),
        (
            say(
                "Full ships sail, and from the second round on so does the ship at berth 3, full or not. The ships "
                "left close up towards berth 3, the one on the high seas enters the harbour, and new ships follow "
                "from the deck. Cargo goes back to the supply."
            ),
            Example(
                say(
                    "Example: at the end of the second round the ship at berth 3 has two empty spaces (1), but it "
                    "sails. The ships at berths 2 and 1 move to 3 and 2, the one on the high seas comes to berth 1, "
                    "and a new one is drawn for the high seas (2)."
                ),
                (
                    Picture(
                        "ships",
                        ("harbour",),
                        say("A ship on the high seas and at each berth. The one at berth 3 has three goods on board."),
                        ("berth-3",),
                    ),
                    Picture(
                        "moved up",
                        ("harbour",),
                        say("The same three ships, each one place further on, and a new one on the high seas."),
                        ("berth-0",),
                    ),
                ),
            ),
            say(
                "Everybody takes all five cards back, and the crops in the yards are lost. After the sixth round "
                "none of this happens: only the final points are counted."
            ),
        ),
    ),
    Chapter(
        say("The end"),
        (
            say(
                "After the sixth round each of your buildings is worth 2 points. The player with the most points "
                "wins. Ties: more pesos; otherwise the win is shared (our ruling)."
            ),
        ),
        ("point",),
    ),
)

#: The kinds of the glossary that the rules page lists, with a heading.
KINDS = {
    "characters": say("The characters"),
    "buildings": say("The buildings"),
    "goods": say("Materials, crops and wares"),
    "tax": say("Laws: taxes"),
    "duty": say("Laws: duties"),
    "subsidy": say("Laws: subsidies"),
    "other": say("Other laws"),
    "options": say("Options of a table"),
}
RULEBOOK = Rulebook(CHAPTERS, KINDS, EXAMPLE_GAME)
