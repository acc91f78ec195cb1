"""A move of Cuba with all that is known of it, for those who tell its story."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.cuba import names
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase
from malecon.words import scene


class Scene(scene.Scene):
    """The table before and after, and what happened between."""

    def goods(self, kind: int, n: int) -> Phrase:
        return names.goods(kind, n)

    @property
    def who(self) -> Name:
        """Who decided."""
        return self.actor

    def _changes(self, sources: Sequence[int], seat: int | None) -> dict[tuple[int, int], int]:
        """Pesos first, then points, then goods in their order."""
        return dict(sorted(super()._changes(sources, seat).items()))
