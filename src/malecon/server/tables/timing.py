"""How fast a table goes: the pace of its bots, and the clock of its people for games over days.

A turn is timed as a whole: taking moves back and making them again wins no time, nor does leaving the seat to a bot and
coming back. So a deadline is kept while something moves by itself, and does not count then.
"""

from __future__ import annotations

from collections.abc import Sequence

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.match import Match
from malecon.server.storage.ledger import Entry

#: Seconds a bot lets pass before its move is on the table.
PACES = {"calm": 1.4, "normal": 0.7, "fast": 0.25, "instant": 0.0}
#: Seconds for a turn.
CLOCKS = {"none": 0, "ten-minutes": 600, "day": 86_400, "three-days": 3 * 86_400, "week": 7 * 86_400}
#: Seconds after which somebody who keeps others waiting at a table without a clock has given the game up.
FORTNIGHT = 14 * 86_400
#: What happens when they are over: a bot plays until the person is back, or to the end and they come in last.
HAND_OVER, RESIGN = "bot", "resign"
TIMES_UP = (HAND_OVER, RESIGN)


def check_pace(pace: str) -> None:
    """BadSetup where there is no such pace."""
    if pace not in PACES:
        raise BadSetup(say("there is no pace called {name}", name=repr(pace)[:40]))


def check_clock(clock: str, time_up: str) -> int:
    """The seconds of a clock; BadSetup where there is no such clock, or no such end of it."""
    for value, known in ((clock, tuple(CLOCKS)), (time_up, TIMES_UP)):
        if value not in known:
            raise BadSetup(
                say(
                    "there is no clock called {name}; choose from: {known}",
                    name=repr(value)[:40],
                    known=", ".join(known),
                )
            )
    return CLOCKS[clock]


def clock_name(seconds: int) -> str:
    return next((name for name, length in CLOCKS.items() if length == seconds), "none")


def is_same_turn(before: Match, after: Match, entries: Sequence[Entry]) -> bool:
    """Whether a turn goes on: nobody else and no chance has acted."""
    return before.turn == after.turn and all(entry.seat == before.turn for entry in entries)
