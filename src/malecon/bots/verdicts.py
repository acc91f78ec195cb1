"""Verdicts: what the solver has proven about a position, as data and in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum

from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say


class Proof(StrEnum):
    """A proven result, for one seat. A shared win with two players is drawn."""

    WON = "won"  # it can force its win
    DRAWN = "drawn"
    LOST = "lost"  # with two players the other can force it; with more, no line of play leads to its win


@dataclass(frozen=True)
class Verdict:
    """What is proven about a position, whatever anybody does. Without a proof, all seats can win."""

    winner: int | None = None  # the seat that can force its win
    is_drawn: bool = False  # with two players: neither can force more than a shared win
    decider: int | None = None  # cannot win, but decides who does: any other who can, with its help
    can_win: tuple[int, ...] = ()  # the seats not proven to have lost
    moves: Mapping[int, Proof] = field(default_factory=dict)  # for the seat that moves, by code, as far as proven
    positions: int = 0  # that were looked at

    @property
    def is_proven(self) -> bool:
        """Whether the result is known, up to the choices of one decider."""
        return self.winner is not None or self.is_drawn or self.decider is not None

    def for_seat(self, seat: int) -> Proof | None:
        """Return what is proven for a seat."""
        if self.winner == seat:
            return Proof.WON
        if self.is_drawn:
            return Proof.DRAWN
        return Proof.LOST if self.can_win and seat not in self.can_win else None


#: The chance that a proof stands for.
CERTAIN = {Proof.WON: 1.0, Proof.DRAWN: 0.5, Proof.LOST: 0.0}
PROOFS = {
    Proof.WON: Phrase("won", context="verdict"),
    Proof.DRAWN: Phrase("drawn", context="verdict"),
    Proof.LOST: Phrase("lost", context="verdict"),
}


def tell_verdict(verdict: Verdict, seat: int, names: Sequence[Name]) -> Phrase | None:
    """Return what is proven about a position in a word or two: for a seat, or who decides; None if nothing is."""
    if verdict.decider is not None and verdict.decider != seat:
        return say("in the hands of {who}", who=names[verdict.decider])
    proof = verdict.for_seat(seat)
    return None if proof is None else PROOFS[proof]
