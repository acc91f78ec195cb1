"""What the teacher knows of Cuba: the themes of its puzzles."""

from __future__ import annotations

from malecon.games.cuba import position as phases
from malecon.games.cuba import tiles
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position

#: By the phase in which the decision is made.
BY_PHASE = {
    phases.START_MATERIALS: "start",
    phases.START_CROPS: "start",
    phases.ENVOY: "votes",
    phases.CARD: "cards",
    phases.FIGURE: "worker",
    phases.HARVEST: "worker",
    phases.IRRIGATE: "worker",
    phases.TRADE: "merchant",
    phases.BUILD: "architect",
    phases.SITE: "architect",
    phases.USE: "foreman",
    phases.SHIP: "delivery",
    phases.BID: "votes",
    phases.SECOND_BID: "votes",
    phases.ENACT: "laws",
    phases.PAY_TAX: "laws",
    phases.PAY_DUTY: "laws",
}

THEMES = {
    "start": Phrase("the start", context="theme"),
    "cards": Phrase("choosing a character", context="theme"),
    "worker": Phrase("the Worker", context="theme"),
    "merchant": Phrase("the Merchant", context="theme"),
    "architect": Phrase("the Architect", context="theme"),
    "foreman": Phrase("chains of the Foreman", context="theme"),
    "delivery": Phrase("delivery", context="theme"),
    "votes": Phrase("votes", context="theme"),
    "laws": Phrase("laws", context="theme"),
    "last round": Phrase("the last round", context="theme"),
}


def themes(position: Position, code: int) -> tuple[str, ...]:
    """The main theme of a decision first."""
    found = [BY_PHASE[int(position.phase)]]
    if position.round_number == tiles.ROUNDS:
        found.append("last round")
    return tuple(found)
