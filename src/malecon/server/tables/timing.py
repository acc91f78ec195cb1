"""How fast a table goes: the pace of its bots, and the clock of its players for games over days.

A turn is timed as a whole: undoing and redoing moves wins no time, nor does leaving the seat to a bot and coming back.
So a deadline is kept while moves are made automatically, and does not count then.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.questions import options_over_days
from malecon.match import Match
from malecon.server.storage.game_log import LogEntry
from malecon.server.storage.table_options import CLOCKS, HAND_OVER, RESIGN

#: Seconds between the moves of bots.
PACES = {"calm": 1.4, "normal": 0.7, "fast": 0.25, "instant": 0.0}
#: What a clock of CLOCKS is called.
CLOCK_NAMES = {
    "none": Phrase("no limit", context="clock"),
    "ten-minutes": Phrase("10 minutes", context="clock"),
    "day": Phrase("1 day", context="clock"),
    "three-days": Phrase("3 days", context="clock"),
    "week": Phrase("1 week", context="clock"),
}
#: With a clock of this time or more, a game takes days.
DAY_SECONDS = 86_400
#: After this a player who keeps others waiting at a table without a clock has given the game up.
FORTNIGHT_SECONDS = 14 * 86_400
#: What may happen when the time is up.
TIMES_UP = (HAND_OVER, RESIGN)


def check_pace(pace: str) -> None:
    """Raise BadSetup if there is no such pace."""
    if pace not in PACES:
        raise BadSetup(say("there is no pace called {name}", name=repr(pace)[:40]))


def check_clock(clock: str, time_up: str) -> None:
    """Raise BadSetup if there is no such clock, or no such end of it."""
    for value, known in ((clock, tuple(CLOCKS)), (time_up, TIMES_UP)):
        if value not in known:
            raise BadSetup(
                say(
                    "there is no clock called {name}; choose from: {known}",
                    name=repr(value)[:40],
                    known=", ".join(known),
                )
            )


def options_for(game: Game, clock: str, options: Mapping[str, OptionValue]) -> dict[str, OptionValue]:
    """Return the options of a new table: those that were chosen, and for games over days those that suit them."""
    over_days = options_over_days(game) if CLOCKS[clock] >= DAY_SECONDS else {}
    return {**over_days, **options}


def is_same_turn(before: Match, after: Match, entries: Sequence[LogEntry]) -> bool:
    """Return whether a turn goes on: only its seat has acted, not even chance."""
    return before.turn == after.turn and all(entry.seat == before.turn for entry in entries)
