"""What a beginner should know in the first game of Cuba, by phase."""

from __future__ import annotations

from malecon.kernel.phrases import say
from malecon.words.rulebook import Tips

#: For the one who decides.
MINE = {
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
    "irrigate": say("Spend water now or keep it? Some buildings cost it, and the Golf course turns it into points."),
    "trade": say("Prices follow what lies on the market. Sell what is scarce, buy what lies in heaps."),
    "build": say("Every building is worth 2 points in the end, and each does something when the Foreman comes."),
    "site": say(
        "Build on the field you need least, but where your figure often comes by: the Foreman works in its row "
        "and column."
    ),
    "use": say(
        "All buildings in the figure’s row and column work, in the order you choose. Or just one, wherever it stands."
    ),
    "ship": say("The ship furthest in pays most. What you load now cannot be lost at the end of the round."),
    "bid": say("Bids are secret, and everybody pays. Whoever has the most votes chooses two of the laws."),
    "second bid": say("You are level with somebody. What you bid now is added to your votes, and paid as well."),
    "enact": say("Choose two laws: best those that you can obey and the others cannot."),
    "tax": say("Paying the tax brings 2 points, and one more if you pay the duty as well."),
    "duty": say("Paying the duty brings 2 points, and one more if you have paid the tax."),
}
TIPS = Tips(MINE)
