"""Which moves of a game lie face down, and when others were turned up: what those who saw it before do not know."""

from __future__ import annotations

from collections import deque

from malecon.match import Match

#: Moves turned up that are remembered; whoever saw the table before all of them is told everything again.
MOST = 200


class FaceDown:
    """The moves of one match that those who look on cannot see. It is told of every change."""

    def __init__(self, match: Match, version: int) -> None:
        self._begin(match, version)

    def _begin(self, match: Match, version: int) -> None:
        self._hidden = [index for index, turn in enumerate(match.view(None).history) if turn.move is None]
        self._known = len(match)
        self._since = version
        self._turned_up: deque[tuple[int, int]] = deque()  # the version, and the number of the move

    def follow(self, match: Match, version: int, kept: int) -> None:
        """The match has changed; its first `kept` moves are those that were there before."""
        if len(match) < self._known:  # what was turned up may lie face down again: whoever asks is told everything
            return self._begin(match, version)
        conceals, now = match.game.conceals, match.position
        assert conceals is not None
        before = [index for index in self._hidden if index < kept]
        self._hidden = [
            index
            for index in (*before, *range(min(kept, self._known), len(match)))
            if conceals(match.position_after(index), now, match.code_at(index))
        ]
        self._known = len(match)
        still = set(self._hidden)
        self._turned_up.extend((version, index) for index in before if index not in still)
        while len(self._turned_up) > MOST:
            self._since = self._turned_up.popleft()[0]

    def first_unknown(self, version: int, most: int) -> int:
        """The first of `most` moves that somebody who saw that version may not know as it is now."""
        if version < self._since:
            return 0
        turned_up = (index for when, index in self._turned_up if when > version)
        return min((*self._hidden, *turned_up, most))
