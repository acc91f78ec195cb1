"""Matches whose position a test may change by hand, to lay out what the rules say about a special case."""

from __future__ import annotations

from typing import Any

from malecon.match import LegalMoves, Match, Move


class OpenMatch(Match):
    """A match whose `board` is the position itself, not a copy; what is legal is listed again at every question."""

    @classmethod
    def of(cls, match: Match) -> OpenMatch:
        """Return a copy of a match that was played so far."""
        other = cls.__new__(cls)
        vars(other).update(vars(match.copy()))
        return other

    @property
    def board(self) -> Any:
        return self._stack.cells[0]

    @property
    def turn(self) -> int | None:
        self._look()
        return super().turn

    @property
    def legal_moves(self) -> LegalMoves:
        self._look()
        return super().legal_moves

    def push(self, move: Move | str, *, seat: int | None = None) -> Move:
        self._look()
        return super().push(move, seat=seat)
