"""The options of a table, declared once: new tables, waiting tables, tournaments and rows of the database have them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from malecon.kernel.game import OptionValue

NO_CLOCK = "none"
#: Seconds for a turn, by the name of the clock.
CLOCKS = {NO_CLOCK: 0, "ten-minutes": 600, "day": 86_400, "three-days": 3 * 86_400, "week": 7 * 86_400}
#: What happens when the time is up: a bot plays until the person is back,
HAND_OVER = "bot"
#: or to the end, and the person comes in last.
RESIGN = "resign"


@dataclass(frozen=True, kw_only=True)
class TableOptions:
    """What is chosen when a table is opened. `options` are those of the game.

    `hints`: they are allowed though several people play; `guide`: the page explains every step; `public`: the lobby
    shows the table.
    """

    options: Mapping[str, OptionValue] = field(default_factory=dict)
    pace: str = "normal"
    guide: bool = False
    clock: str = NO_CLOCK
    time_up: str = HAND_OVER
    hints: bool = False
    public: bool = False

    @property
    def turn_seconds(self) -> int:
        """The time for a turn; 0 without a clock."""
        return CLOCKS[self.clock]

    def table_options(self) -> dict[str, Any]:
        """Return these options by name, to hand them on to another class that has them."""
        return {each.name: getattr(self, each.name) for each in fields(TableOptions)}
