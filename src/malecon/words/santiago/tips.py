"""What a beginner should know in the first game of Santiago de Cuba, by phase."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.words.rulebook import Tips

#: For the one who decides.
MINE = {
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
}
#: For those who wait.
OTHERS = {
    "drive": say(
        "Watch where the car goes: you drive on from there. What the others collect is worth remembering, too."
    ),
    "deliver": say("Everyone delivers in turn. When nothing more is wanted, the ship sails at once."),
    "over": say("Seven ships have sailed. Every three goods left over made one more point. Play again?"),
}
TIPS = Tips(MINE, OTHERS)
