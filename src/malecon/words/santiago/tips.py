"""What a beginner should know in the first game of Santiago de Cuba, by phase."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.words.rulebook import Tips

#: For the one who decides.
MINE = {
    "demand": say(
        "The dice show what the next ship may want. Leave one out, ideally for a good that the others "
        "have and you do not."
    ),
    "drive": say(
        "Everybody drives the same car. The next stop is free, and each one after that costs 1 peso. The "
        "Cuban where you stop gives you something, and the flower on the tile shows where your piece "
        "goes next."
    ),
    "pablo": say("Pablo gives you any good except wood. Look at the ship: what does it want, and who has it?"),
    "zorro": say("El Zorro robs you. Losing a peso often hurts less than losing a good that the ship wants."),
    "alonso": say(
        "Alonso makes you an owner: you get 1 point whenever another player ends a turn at your "
        "building. You have three markers for the whole game. Or use a building that you already own."
    ),
    "visit": say(
        "Choose a free building under the Cuban’s flower. You may use it at once; your piece stays there until "
        "your next turn and closes it to the others."
    ),
    "use": say("The building is yours to use. Produce or trade for what the ship will want."),
    "deliver": say(
        "The ship takes what its dice show. You get the value on the flag for each good; wood may "
        "replace a good in demand, for 1 point each. If you pass, you are out of this delivery round."
    ),
}
#: For those who wait.
OTHERS = {
    "drive": say(
        "Watch where the car goes: you drive on from there. It is worth remembering what the others collect, too."
    ),
    "deliver": say("The players take turns to deliver. Once the ship wants nothing more, it sails."),
    "over": say("Seven ships have sailed. Every three goods left over earned one more point. Play again?"),
}
TIPS = Tips(MINE, OTHERS)
