"""The themes of puzzles in Cuba."""

from __future__ import annotations

from malecon.games.cuba import moves, tiles
from malecon.games.cuba import position as phases
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position

#: Fields of a position that hold a seat, or a bit for each: they differ between positions that differ in colours only.
SEAT_FIELDS = frozenset({"actor", "active", "starter", "town_hall", "bidders", "tax_paid"})
#: The main theme, by the phase in which the decision is made.
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
    "tie": Phrase("tie for starting player", context="theme"),
    "worker": Phrase("the Worker", context="theme"),
    "merchant": Phrase("the Merchant", context="theme"),
    "architect": Phrase("the Architect", context="theme"),
    "foreman": Phrase("chains of the Foreman", context="theme"),
    "delivery": Phrase("delivery", context="theme"),
    "votes": Phrase("votes", context="theme"),
    "laws": Phrase("laws", context="theme"),
    "last round": Phrase("the last round", context="theme"),
}

#: Themes of decisions between two moves that are worth a puzzle: the fourth card is one of two.
TWO_MOVE_THEMES = ("tie",)
#: Cards that everybody plays in a round; the fifth is kept for parliament.
_PLAYED = len(tiles.CHARACTER_KEYS) - 1


def _ties(position: Position, card: int) -> bool:
    """Whether a fourth card is as high as the highest fourth one so far: who plays such a card later starts."""
    seats = [seat for seat in range(position.players) if int(position.played[seat]).bit_count() == _PLAYED]
    own = int(position.played[position.actor]).bit_count()
    return own == _PLAYED - 1 and bool(seats) and card == max(int(position.last_card[seat]) for seat in seats)


def themes(position: Position, code: int) -> tuple[str, ...]:
    """Return the themes of a decision, the main one first."""
    names = [BY_PHASE[int(position.phase)]]
    if position.phase == phases.CARD and _ties(position, moves.NOTATION.read(code)[1][0]):
        names.insert(0, "tie")
    if position.round_number == tiles.ROUNDS:
        names.append("last round")
    return tuple(names)
