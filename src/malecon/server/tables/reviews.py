"""Reviews of finished games, made in the background of the pool of threads: bots at tables have one left.

A review shows what was hidden while the game went on: there is none before it is over.
"""

from __future__ import annotations

import logging
from collections import OrderedDict
from dataclasses import dataclass

from markupsafe import Markup
from starlette.types import Scope

from malecon.bots.reasons import Explanation
from malecon.kernel.phrases import Phrase, say
from malecon.match import Match, View
from malecon.server.background import Background
from malecon.server.errors import Forbidden, NotOver, TooManyReviews
from malecon.server.operations.limits import Limiter
from malecon.server.tables.table import Table
from malecon.server.workers.worker_pool import REVIEW, WorkerPool
from malecon.teaching import review, winner_points
from malecon.text import glossary

log = logging.getLogger("malecon.server")
#: Quick rather than deep, since a person waits; the margin does not count, so that chances are chances.
REVIEWER = "search:sims=200,margin=0"
#: The thinking time that a person must have left to ask for a review; it is charged as what it takes.
REVIEW_SECONDS = 60
#: Reviews that are kept in memory.
MOST_KEPT = 200
#: Reviews that may wait or be under way.
MOST_BEGUN = 20
#: The same for one address, so that one cannot keep all others out.
MOST_BEGUN_EACH = 4


class _Stopped(Exception):
    """Ends the work of a review because the server stops."""


@dataclass(frozen=True)
class TurningPoint:
    """A decision that cost much, as a sentence; `moves` leads to the position right after it."""

    moves: int
    seat: int
    colour: str
    text: Phrase
    why: tuple[Phrase, ...]


class GameReview:
    """A review, waiting, under way or done."""

    def __init__(self, match: Match) -> None:
        self.game = match.game.name
        self.colours = match.game.colours
        self.total = len(match)
        self.done = 0
        self.failed = False
        self.points: tuple[TurningPoint, ...] = ()
        self.summary: tuple[Phrase, ...] = ()
        self.why: dict[int, Explanation] = {}  # by the index of the move
        self._review: review.Review | None = None
        self._stopped = False
        self._match = match

    @property
    def is_ready(self) -> bool:
        return self._review is not None

    @property
    def status(self) -> Phrase:
        if self.failed:
            return say("The review failed. Please try again.")
        if not self.done:
            return say("The review starts as soon as a bot is free…")
        return say("Review in progress: {done} of {total} moves.", done=self.done, total=self.total)

    def work(self) -> None:
        """Review the whole game: for seconds, in a thread."""
        result = review.review(self._match, bot=REVIEWER, progress=self._progress)
        self.why = review.explain(result, self._match, progress=lambda done, total: self._progress(self.done, total))
        self.points = tuple(
            TurningPoint(
                decision.index + 1,
                decision.seat,
                self.colours[decision.seat],
                review.tell_turning_point(decision, self._match),
                (*review.remarks(decision, self._match), *self.why[decision.index].sentences),
            )
            for decision in result.turning_points
        )
        self.summary = tuple(review.summary(result, self._match))
        self._review = result

    def decision_at(self, index: int) -> review.Decision:
        """Return the review of the move of that number."""
        assert self._review is not None
        return next(decision for decision in self._review.decisions if decision.index == index)

    def view_at(self, index: int) -> View:
        """Return the view of the player who made that move."""
        return self._match.fork(index).view(self.decision_at(index).seat)

    def sources(self) -> list[tuple[int, str, list[tuple[Phrase, int, float]]]]:
        """Return for every seat its colour and its points by source, each with what winners usually have from there."""
        names = glossary(self._match.game)["sources"]
        seats = []
        for score in self._match.scores:
            usual = winner_points.usual(self.game, self._match.players, score.seat)
            rows = [
                (names[source].name, points, usual.points.get(source, 0.0))
                for source, points in score.breakdown.items()
                if usual is not None and (points or usual.points.get(source, 0.0) >= 0.5)
            ]
            seats.append((score.seat, self.colours[score.seat], rows))
        return seats

    def stop(self) -> None:
        """End the work soon, since the server stops."""
        self._stopped = True

    def _progress(self, done: int, total: int) -> None:
        if self._stopped:
            raise _Stopped
        self.done = done

    def chances(self, moves: int) -> tuple[int, ...]:
        """Return each seat's chance then, in percent, as the player to decide saw it; nothing at the end."""
        assert self._review is not None
        if moves >= self.total:
            return ()
        chances = [decision.chances for decision in self._review.decisions if decision.index <= moves]
        return tuple(round(100 * chance) for chance in chances[-1]) if chances else ()

    @property
    def steps(self) -> tuple[int, ...]:
        """The decisions of the chart from left to right: the number of moves before each."""
        assert self._review is not None
        return tuple(decision.index for decision in self._review.decisions)

    def chart(self, moves: int, language: str) -> Markup:
        """Return the chances of all seats as a drawing, with a line at the position of the replay."""
        assert self._review is not None
        return Markup(review.chart(self._review, self.colours, language, at=moves))


def check_over(table: Table) -> None:
    """Raise Forbidden while a game runs, for everybody: nothing would be hidden, and the search could help."""
    if not table.match.is_over and not table.is_record:
        raise Forbidden(say("no looking ahead while others play; come back when the game is over"))


class Reviews:
    """The reviews of this server, by table and length."""

    def __init__(self, pool: WorkerPool, limiter: Limiter) -> None:
        self._pool = pool
        self._limiter = limiter
        self._kept: OrderedDict[tuple[str, int], GameReview] = OrderedDict()
        self._background = Background()
        self._begun: dict[GameReview, str] = {}  # the key of the quota of who asked for it

    def of(self, table: Table) -> GameReview | None:
        """Return the review of a table if it was asked for; none before the game is over."""
        return self._kept.get((table.id, len(table.match))) if table.match.is_over else None

    def ask(self, table: Table, person: str, scope: Scope) -> GameReview:
        """Begin a review for a person, who is charged for it, unless there is one."""
        if not table.match.is_over:
            raise NotOver
        existing = self.of(table)
        if existing is not None and not existing.failed:
            return existing
        self._limiter.check_think_time(person, scope, REVIEW_SECONDS)
        owner = self._limiter.quota_key(person)
        if len(self._begun) >= MOST_BEGUN or list(self._begun.values()).count(owner) >= MOST_BEGUN_EACH:
            raise TooManyReviews
        new = self._kept[table.id, len(table.match)] = GameReview(table.match.copy())
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._begun[new] = owner
        self._background.begin(self._run(new, person)).add_done_callback(lambda _: self._begun.pop(new))
        return new

    async def _run(self, new: GameReview, person: str) -> None:
        try:
            await self._pool.run(REVIEW, person, new.work)
        except Exception:
            log.exception("a review broke")
            new.failed = True

    async def close(self) -> None:
        for begun in self._begun:
            begun.stop()
        await self._background.cancel()
