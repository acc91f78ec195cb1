"""The guided first game: one tip at a time, about what the viewer sees just now."""

from __future__ import annotations

from malecon.kernel.phrases import Phrase, say
from malecon.match import View

#: For the one who decides, by game and phase.
MINE = {
    "santiago": {
        "demand": say(
            "You rolled what the next ship wants. Leave one die out: best the good you do not have and others do."
        ),
        "drive": say(
            "Everybody drives the same car. The next stop is free, each further one costs 1 peso. The Cuban you stop "
            "at gives you something, and the flower tells under which your piece may work next."
        ),
        "pablo": say("Pablo gives you any good that is left. Look at the ship: what does it want, and who has it?"),
        "zorro": say("El Zorro robs you. A peso often hurts less than a good that the ship wants."),
        "alonso": say(
            "Alonso makes you an owner: whenever another player ends a turn at your building, you get 1 point. "
            "You have three markers for the whole game."
        ),
        "visit": say(
            "Choose a free building under the Cuban’s flower. You may use it at once; your piece stays there and "
            "blocks it for the others."
        ),
        "use": say("The building is at your service. Trade and produce what the ship will pay for."),
        "deliver": say(
            "The ship takes what its dice show. You get the value on the flag for each good; wood may replace any "
            "good, for 1 point each. Who passes is out of this round."
        ),
    },
    "cuba": {
        "start materials": say("Materials build houses. Take what the buildings you like cost."),
        "start crops": say("Crops can be sold or shipped, but what lies in the yard is lost at the end of the round."),
        "envoy": say("The card you lay down now is your votes in parliament; you will not play it this round."),
        "card": say(
            "You play four of your five cards in a round. The numbers are votes: a high card kept for parliament is a "
            "card not played."
        ),
        "figure": say(
            "Your figure harvests in its row and its column. Look for a crossing with the materials and crops you need."
        ),
        "harvest": say("All materials come by themselves, but only two crops. Each water gives one crop more."),
        "irrigate": say("Water now, or later? The golf course wants it, too."),
        "trade": say("Prices follow what lies on the market. Sell what is scarce, buy what lies in heaps."),
        "build": say("Every building is worth 2 points in the end, and each does something when the Foreman comes."),
        "site": say("Build on a field you need least, but where your figure will pass: row and column count."),
        "use": say("Buildings in the figure’s row and column all work, in the order you choose."),
        "ship": say("The ship furthest in pays most. Goods loaded now cannot be lost to the end of the round."),
        "bid": say("Bids are secret, and everybody pays. With the most votes you choose two of the laws."),
        "second bid": say("You are level with somebody. What you bid now is added, and paid, too."),
        "enact": say("Choose two laws: best those that you can obey, and the others cannot."),
        "tax": say("Paying the tax brings 2 points, and one more if you pay the duty as well."),
        "duty": say("Paying the duty brings 2 points, and one more if you have paid the tax."),
    },
}
#: For those who wait.
OTHERS = {
    "santiago": {
        "drive": say("Watch where the car goes: you start from there, and what the ship wants is worth remembering."),
        "deliver": say("Everyone delivers in turn. When nothing more is wanted, the ship sails at once."),
        "over": say("Seven ships have sailed. Three goods of any kind made one more point. Play again?"),
    }
}
#: In all other phases.
WAITING = say("The others are at work. Watch what they take: you can read it on the right, too.")


def tip(view: View, mine: bool) -> Phrase | None:
    """What a beginner should know now."""
    phase = view.game.phases[int(view.position.phase)]
    found = (MINE if mine else OTHERS).get(view.game.name, {}).get(phase)
    return found if mine else found or WAITING
