"""What a beginner should know in the first game of Cuba, by phase: each part once, with a reason."""

from __future__ import annotations

from malecon.games.cuba import names, tiles
from malecon.games.cuba.text.first_round import suggestion
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.text.rulebook import Tip, Tips

GOAL = say(
    "The player with the most points after six rounds wins. Points come from ships, buildings, "
    "subsidies, and paying tax and duty."
)


def _law(position: Position, group: int, text: Phrase) -> Phrase | None:
    law = int(position.law[group])
    return None if law == tiles.NO_LAW else text.fill(law=names.law(group, law))


def _tax(position: Position, seat: int) -> Phrase | None:
    text = say("The law in force: {law}. Paying earns 2 points, and 1 more if you pay the duty as well.")
    return _law(position, tiles.TAX, text)


def _duty(position: Position, seat: int) -> Phrase | None:
    text = say("The law in force: {law}. Paying earns 2 points, and 1 more if you have paid the tax.")
    return _law(position, tiles.DUTY, text)


def _last_round(position: Position, seat: int) -> Phrase | None:
    if int(position.round_number) < tiles.ROUNDS:
        return None
    return say(
        "This is the last round: anything you do not turn into points now is lost. Each building "
        "is still worth 2 points."
    )


def _parliament_next(position: Position, seat: int) -> Phrase | None:
    if bin(int(position.played[seat]) & 31).count("1") < tiles.CARDS_PLAYED - 1:
        return None
    return say(
        "The card you keep after this one votes in parliament: the Worker has 1 vote, the Mayor 5. "
        "Look at the proposals: is one of them worth a few votes to you?"
    )


def _ships(position: Position, seat: int) -> Phrase | None:
    if not position.yard[seat][: len(tiles.TRADE_GOODS)].any():
        return None
    return say(
        "You have goods to deliver or sell. Crops left in the yard are lost when the round ends, "
        "so plan on the Mayor or the Merchant."
    )


#: For the one who decides.
MINE: dict[str, Phrase | tuple[Tip, ...]] = {
    "start materials": (
        say(
            "Materials are for building. Wood and stone pay for a Small bank, a Town hall or a "
            "Lighthouse at once, so they are a safe start."
        ),
    ),
    "start crops": say("You can sell or ship crops, but any left in the yard are lost when the round ends."),
    "envoy": say(
        "The card you choose now is for parliament: it gives you its votes, but you cannot play it this round."
    ),
    "card": (
        _last_round,
        say(
            "You play four of your five cards in a round; the fifth goes to parliament, where its "
            "number counts as votes. The Worker is a good start: without goods you cannot build, sell "
            "or deliver anything."
        ),
        say(
            "The Architect builds with wood, stone and water, the Foreman works in the buildings, the "
            "Merchant buys and sells goods, and the Mayor loads a ship for up to 3 points a good."
        ),
        _parliament_next,
        _ships,
    ),
    "figure": say(
        "Your figure harvests in its row and its column. Look for a crossing with the materials and crops you need."
    ),
    "harvest": say("You get every material in reach, but only a few crops: choose. Each water buys one more crop."),
    "irrigate": say(
        "Spend your water now, or keep it? Some buildings need it, and the Golf course turns it into points."
    ),
    "trade": say("Prices depend on what is on the market. Sell what is scarce and buy what is plentiful."),
    "build": (
        say(
            "Every building is worth 2 points at the end, and the Foreman can use it. Look for one "
            "that fits your crops: the Distillery makes rum from sugar cane, the Cigar factory cigars "
            "from tobacco."
        ),
    ),
    "site": say(
        "Build on a field you can spare, but close to where your figure often stands: the Foreman "
        "works in its row and column."
    ),
    "use": say(
        "Use every building in the figure’s row and column, in any order. Or just one, anywhere on your plantation."
    ),
    "ship": say(
        "The ship at the highest berth pays the most. What you load now cannot be lost at the end of the round."
    ),
    "bid": (
        say(
            "Your last card gives you its votes, and each peso you bid is one more. Bids are secret, "
            "and everybody pays. The player with the most votes chooses two of the proposals, which "
            "become law."
        ),
        say(
            "Bid only if a proposal helps or hurts you more than the others: a law that suits "
            "everybody is not worth a peso."
        ),
    ),
    "second bid": say("It is a tie. What you bid now is added to your votes, and you pay it as well."),
    "enact": say("Choose two laws, ideally ones that you can satisfy and the others cannot."),
    "tax": (_tax,),
    "duty": (_duty,),
}
TIPS = Tips(MINE, goal=GOAL, suggests=suggestion)
