"""The guided first game: one tip at a time, about what the viewer sees just now."""

from __future__ import annotations

from malecon.kernel.phrases import Phrase, say
from malecon.match import View

#: For the one who decides, by game and phase.
MINE = {
    "santiago": {
        "demand": say(
            "The dice show what the next ship may want. Leave one out: best a good that the others have and you do not."
        ),
        "drive": say(
            "Everybody drives the same car. The next stop is free, each further one costs 1 peso. The Cuban you stop "
            "at gives you something, and the flower on the tile shows where your piece works next."
        ),
        "pablo": say("Pablo gives you any good but wood. Look at the ship: what does it want, and who has that?"),
        "zorro": say("El Zorro robs you. A peso often hurts less than a good that the ship wants."),
        "alonso": say(
            "Alonso makes you an owner: whenever another player ends a turn at your building, you get 1 point. "
            "You have three markers for the whole game. Or use a building that you own already."
        ),
        "visit": say(
            "Choose a free building under the Cuban’s flower. You may use it at once; your piece stays there until "
            "your next turn and closes it to the others."
        ),
        "use": say("The building is at your service. Make or trade for what the ship will want."),
        "deliver": say(
            "The ship takes what its dice show. You get the value on the flag for each good; wood may replace any "
            "good, for 1 point each. Whoever passes is out of this delivery round."
        ),
    },
    "cuba": {
        "start materials": say("Buildings cost materials. Take what you need for the one you like best."),
        "start crops": say("Crops can be sold or shipped, but those left in the yard are lost when the round ends."),
        "envoy": say(
            "The card you lay down now is for parliament: it brings you its votes, but you will not play it this round."
        ),
        "card": say(
            "You play four of your five cards in a round; the fifth goes to parliament, where its number counts. "
            "So think which of them you can do without."
        ),
        "figure": say(
            "Your figure harvests in its row and its column. Look for a crossing with the materials and crops you need."
        ),
        "harvest": say("Materials come by themselves, but crops are few: choose. Each water brings one crop more."),
        "irrigate": say(
            "Spend water now or keep it? Some buildings cost it, and the Golf course turns it into points."
        ),
        "trade": say("Prices follow what lies on the market. Sell what is scarce, buy what lies in heaps."),
        "build": say("Every building is worth 2 points in the end, and each does something when the Foreman comes."),
        "site": say(
            "Build on the field you need least, but where your figure often comes by: the Foreman works in its row "
            "and column."
        ),
        "use": say(
            "All buildings in the figure’s row and column work, in the order you choose. Or just one, wherever it "
            "stands."
        ),
        "ship": say("The ship furthest in pays most. What you load now cannot be lost at the end of the round."),
        "bid": say("Bids are secret, and everybody pays. Whoever has the most votes chooses two of the laws."),
        "second bid": say("You are level with somebody. What you bid now is added to your votes, and paid as well."),
        "enact": say("Choose two laws: best those that you can obey and the others cannot."),
        "tax": say("Paying the tax brings 2 points, and one more if you pay the duty as well."),
        "duty": say("Paying the duty brings 2 points, and one more if you have paid the tax."),
    },
}
#: For those who wait.
OTHERS = {
    "santiago": {
        "drive": say(
            "Watch where the car goes: you drive on from there. What the others collect is worth remembering, too."
        ),
        "deliver": say("Everyone delivers in turn. When nothing more is wanted, the ship sails at once."),
        "over": say("Seven ships have sailed. Every three goods left over made one more point. Play again?"),
    }
}
#: In all other phases.
WAITING = say("The others are at work. Watch what they take; “What happened” tells it all, too.")


def tip(view: View, mine: bool) -> Phrase | None:
    """What a beginner should know now."""
    phase = view.game.phases[int(view.position.phase)]
    found = (MINE if mine else OTHERS).get(view.game.name, {}).get(phase)
    return found if mine else found or WAITING
