"""What a beginner should know in the first game of Cuba, by phase."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.words.rulebook import Tips

#: For the one who decides.
MINE = {
    "start materials": say("Buildings cost materials. Take what you need for the one you like best."),
    "start crops": say("You can sell or ship crops, but any left in the yard are lost when the round ends."),
    "envoy": say(
        "The card you choose now is for parliament: it gives you its votes, but you cannot play it this round."
    ),
    "card": say(
        "You play four of your five cards in a round; the fifth goes to parliament, where its number "
        "counts. Think about which one you can do without."
    ),
    "figure": say(
        "Your figure harvests in its row and its column. Look for a crossing with the materials and crops you need."
    ),
    "harvest": say("You get every material in reach, but only a few crops: choose. Each water buys one more crop."),
    "irrigate": say(
        "Spend your water now, or keep it? Some buildings need it, and the Golf course turns it into points."
    ),
    "trade": say("Prices depend on what is on the market. Sell what is scarce and buy what is plentiful."),
    "build": say("Every building is worth 2 points at the end, and does something for you when you play the Foreman."),
    "site": say(
        "Build on a field you can spare, but close to where your figure often stands: the Foreman works "
        "in its row and column."
    ),
    "use": say(
        "Use every building in the figure’s row and column, in any order. Or just one, anywhere on your plantation."
    ),
    "ship": say(
        "The ship at the highest berth pays the most. What you load now cannot be lost at the end of the round."
    ),
    "bid": say("Bids are secret, and everybody pays theirs. The player with the most votes chooses two of the laws."),
    "second bid": say("It is a tie. What you bid now is added to your votes, and you pay it as well."),
    "enact": say("Choose two laws, ideally ones that you can satisfy and the others cannot."),
    "tax": say("Paying the tax earns 2 points, and 1 more if you also pay the duty."),
    "duty": say("Paying the duty earns 2 points, and 1 more if you have also paid the tax."),
}
TIPS = Tips(MINE)
