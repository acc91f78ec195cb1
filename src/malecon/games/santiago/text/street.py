"""Where a drive leads, as a part of a sentence."""

from __future__ import annotations

from malecon.games.santiago import names, tiles
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position


def destination(position: Position, steps: int) -> Phrase:
    """Where the car gets with so many steps from where it stands: “to José”, “past the port to José”."""
    stop = (int(position.car) + steps) % tiles.STOPS
    passes_port = (int(position.car) + steps - 1) // tiles.STOPS > 0
    if stop == tiles.PORT:
        if passes_port:
            return Phrase("past the port and round to it again", context="drive")
        return Phrase("to the port", context="drive")
    cuban = names.cuban(int(position.cuban_at[stop]))
    if passes_port:
        return Phrase("past the port to {cuban}", {"cuban": cuban}, context="drive")
    return Phrase("to {cuban}", {"cuban": cuban}, context="drive")


def past_the_port() -> Phrase:
    """How far a drive got that ended the game on the way."""
    return Phrase("past the port", context="drive")
