"""The texts of the explorer, for the browser and the terminal."""

from __future__ import annotations

from malecon.kernel.phrases import Phrase, counted, say

BOTS_GAMES = say("Bots against bots")
GAMES_HERE = say("Games on this server")
USUAL_ONLY = say("Only finished games with the usual options count.")
START = Phrase("Start", context="explorer")
CHOICE = Phrase("Choice", context="explorer")
CHOSEN = Phrase("Times chosen", context="explorer")
SHARE = Phrase("Share", context="explorer")
WINS = Phrase("Wins", context="explorer")
INTERVAL = say("95% interval")


def games_counted(n: int) -> Phrase:
    return counted("From {n} game.", "From {n} games.", n)


def played_with(simulations: int) -> Phrase:
    return say(
        "El Patrón’s search played them against itself, with {n} simulations a move.",
        n=simulations,
    )


def equals_win(share: str) -> Phrase:
    return say("Equal players would each win {share} of the games.", share=share)
