"""What the tables on which tests lay out positions have in common, whatever the game."""

from __future__ import annotations

import importlib
from typing import Self

import pytest

from malecon import IllegalMove
from tests.open_match import OpenMatch


class Table:
    """A match whose chance moves are ours. The tables of a game say how it is laid out, and read more of it."""

    match: OpenMatch

    @property
    def colours(self) -> tuple[str, ...]:
        return self.match.game.colours

    @property
    def position(self):
        return self.match.board

    def everybody(self, **has) -> Self:
        """The same for every player."""
        for colour in self.colours[: self.match.players]:
            self.seat(colour, **has)
        return self

    # --- playing

    def play(self, *moves: str) -> Self:
        for move in moves:
            self.match.push(move)
        return self

    def refusal(self, move: str) -> str:
        """Why the move is refused. It must be, and nothing may change."""
        before = self.position.tobytes(), len(self.match)
        with pytest.raises(IllegalMove) as caught:
            self.match.push(move)
        assert (self.position.tobytes(), len(self.match)) == before
        return str(caught.value)

    # --- reading

    @property
    def moves(self) -> list[str]:
        return [str(move) for move in self.match.legal_moves]

    @property
    def phase(self) -> str:
        return self.match.phase

    @property
    def turn(self) -> str | None:
        """Who decides now."""
        turn = self.match.turn
        return None if turn is None else "chance" if turn < 0 else self.colours[turn]

    def pesos(self, colour: str | None = None) -> int:
        """A player's; without a colour, those of the first."""
        return int(self.position.pesos[self.colours.index(colour) if colour else 0])

    def points(self, colour: str | None = None) -> int:
        return int(self.position.points[self.colours.index(colour) if colour else 0])

    def supply(self, good: str) -> int:
        return int(self.position.supply[self._of_game("tiles").GOOD_KEYS.index(good)])

    @property
    def happened(self) -> list[str]:
        """The kinds of what the last move changed, in order."""
        kinds = self._of_game("events").EVENTS
        return [kinds[event.kind] for event in self.match.events(len(self.match) - 1)]

    # --- goods as text

    def _counts(self, text: str) -> dict[str, int]:
        """`2 rum 1 wood` as numbers."""
        words = text.split()
        counts = {good: int(count) for count, good in zip(words[::2], words[1::2], strict=True)}
        assert set(counts) <= set(self._of_game("tiles").GOOD_KEYS)
        return counts

    def _text(self, counts) -> str:
        goods = self._of_game("tiles").GOOD_KEYS
        return " ".join(f"{count} {good}" for good, count in zip(goods, counts.tolist(), strict=False) if count)

    def _of_game(self, module: str):
        return importlib.import_module(f"malecon.games.{self.match.game.name}.{module}")
