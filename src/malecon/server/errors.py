"""The refusals of the server: each says why in the reader's language and has its HTTP status."""

from __future__ import annotations

import math

from malecon.kernel.errors import MaleconError
from malecon.kernel.phrases import counted, say

#: What a visitor reads when something broke.
BROKEN = say("something went wrong on our side; nothing in your game is lost")


class Refused(MaleconError, ValueError):
    """A request that cannot be fulfilled; nothing has changed."""

    status = 400


class NotFound(Refused):
    status = 404


class NoSuchPage(NotFound):
    """There is nothing at this address, or, with status 405, nothing that can be done with it this way."""

    def __init__(self, status: int = 404) -> None:
        super().__init__(say("there is no page at this address"))
        self.status = status


class Forbidden(Refused):
    status = 403


class BadToken(Refused):
    """A bearer token that is not valid, or no longer."""

    status = 401

    def __init__(self) -> None:
        super().__init__(say("this token is not valid, or not any more; log in again or ask for a new one"))


class Stale(Refused):
    """The table has changed since the version that the request names."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("the game has moved on in the meantime; this is how it stands now"))


class WrongHost(Refused):
    """A request for a host name that is not this server's."""

    status = 421

    def __init__(self) -> None:
        super().__init__(say("this server does not go by that name"))


class TooLarge(Refused):
    status = 413


class NoSuchTable(NotFound):
    def __init__(self) -> None:
        super().__init__(say("there is no table at this address"))


class NoSuchInvitation(NotFound):
    def __init__(self) -> None:
        super().__init__(say("this invitation is not valid, or no longer valid; ask for a new link"))


class NotYourSeat(Forbidden):
    def __init__(self) -> None:
        super().__init__(say("that is not your seat"))


class NotYourTable(Forbidden):
    def __init__(self) -> None:
        super().__init__(say("only the player who opened the table can do this"))


class NothingToTakeBack(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__(say("there is nothing to undo: chance or another player has acted since"))


class TurnIsOver(Refused):
    """With a clock a turn that has ended cannot be undone: that would win time."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("your turn is over: in a game with a clock it cannot be undone"))


class TimeIsUp(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__(say("the time for this turn is up; you can take over when the bot has finished it"))


class BotPlays(Refused):
    """A stand-in plays the seat."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("a bot is playing your seat; take over from it first"))


class Resigned(Refused):
    def __init__(self) -> None:
        super().__init__(say("this seat was given up: a bot plays it to the end"))


class NothingToRepeat(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__(say("there is nothing to redo"))


class NotOver(Forbidden):
    """A review shows what was hidden, so there is none before the end."""

    def __init__(self) -> None:
        super().__init__(say("only a finished game can be reviewed"))


class TooManyReviews(Refused):
    status = 503

    def __init__(self) -> None:
        super().__init__(say("too many games are waiting for a review; try again in a minute"))


class BotHasMoved(Refused):
    """A page's move for a bot that it was not asked for, or not any more."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("this bot is no longer waiting for an answer from this page"))


class PageTooOld(Refused):
    """A page whose engine is not the one that the server has now."""

    status = 409

    def __init__(self) -> None:
        super().__init__(say("this page is too old to think for bots; reload it"))


class TooManyTables(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__(say("you have too many unfinished games; finish some of them first"))


class Unavailable(Refused):
    """The database does not answer: nothing was lost, and nothing can be changed now."""

    status = 503

    def __init__(self) -> None:
        super().__init__(say("the server cannot reach its database just now; try again in a moment"))


class Maintenance(Refused):
    """The host has closed the site for a while."""

    status = 503

    def __init__(self) -> None:
        super().__init__(
            say("this site is closed for maintenance; your games stay as they are, and clocks stand still")
        )


class BadPassword(Forbidden):
    def __init__(self) -> None:
        super().__init__(say("wrong name or password"))


class NameTaken(Refused):
    status = 409

    def __init__(self) -> None:
        super().__init__(say("this name is taken; choose another"))


class NoAccount(Forbidden):
    def __init__(self) -> None:
        super().__init__(say("you need an account for this: register or log in first"))


class TooOften(Refused):
    """Too many requests; the next one is accepted after `wait` seconds."""

    status = 429

    def __init__(self, wait: float) -> None:
        self.wait = max(1, math.ceil(wait))
        super().__init__(
            counted(
                "too many requests; try again in {n} second", "too many requests; try again in {n} seconds", self.wait
            )
        )
