"""Reviews of finished games: one at a time in the bots' pool, so that the bots of other tables have a thread left.

A review tells what was hidden while the game went on: there is none before it is over.
"""

from __future__ import annotations

import asyncio
import logging
from collections import OrderedDict
from dataclasses import dataclass

from markupsafe import Markup

from malecon.bots.reasons import Explanation
from malecon.kernel.phrases import Phrase
from malecon.match import Match, View
from malecon.server import texts
from malecon.server.background import Background
from malecon.server.errors import NotOver, TooManyReviews
from malecon.server.tables.autoplay import Autoplay
from malecon.server.tables.hints import is_ready
from malecon.server.tables.table import Table
from malecon.teaching import review, winner_points
from malecon.text import glossary

log = logging.getLogger("malecon.server")
#: Who reviews: quick rather than deep, since somebody waits; the margin does not count, so that chances are chances.
REVIEWER = "search:sims=200,margin=0"
#: How many reviews are remembered, and how many may wait.
MOST_KEPT, MOST_WAITING = 200, 20
#: Seconds between two looks whether the engine is ready.
PAUSE = 0.5


class _Stopped(Exception):
    """Ends the work of a review that nobody waits for any more."""


@dataclass(frozen=True)
class TurningPoint:
    """A decision that cost much, told in a sentence; `moves` leads to the position right after it."""

    moves: int
    seat: int
    colour: str
    text: Phrase
    why: tuple[Phrase, ...]


class GameReview:
    """A review from the moment it is asked for."""

    def __init__(self, match: Match) -> None:
        self.game = match.game.name
        self.colours = match.game.colours
        self.total = len(match)
        self.done = 0
        self.broke = False
        self.points: tuple[TurningPoint, ...] = ()
        self.summary: tuple[Phrase, ...] = ()
        self.why: dict[int, Explanation] = {}  # by the index of the move
        self._found: review.Review | None = None
        self._stopped = False
        self._match = match

    @property
    def is_ready(self) -> bool:
        return self._found is not None

    @property
    def status(self) -> Phrase:
        if self.broke:
            return texts.REVIEW_BROKE
        return texts.reviewed(self.done, self.total) if self.done else texts.REVIEW_WAITS

    def work(self) -> None:
        """Look at the whole game: for seconds, in a thread."""
        found = review.review(self._match, bot=REVIEWER, progress=self._progress)
        told = review.tell(found, self._match)
        turning = found.turning_points
        self.why = review.explain(found, self._match, progress=lambda done, total: self._progress(self.done, total))
        self.points = tuple(
            TurningPoint(
                decision.index + 1,
                decision.seat,
                self.colours[decision.seat],
                line,
                self.why[decision.index].sentences,
            )
            for decision, line in zip(turning, told, strict=False)
        )
        self.summary = tuple(told[len(turning) :])
        self._found = found

    def decision_at(self, index: int) -> review.Decision:
        """What was found about the move of that number."""
        assert self._found is not None
        return next(decision for decision in self._found.decisions if decision.index == index)

    def view_at(self, index: int) -> View:
        """What the player saw who made that move."""
        return self._match.fork(index).view(self.decision_at(index).seat)

    def sources(self) -> list[tuple[int, str, list[tuple[Phrase, int, float]]]]:
        """For every seat, with its colour, from where it had how many points, with what winners from there have."""
        names = glossary(self._match.game)["sources"]
        found = []
        for score in self._match.scores:
            usual = winner_points.usual(self.game, self._match.players, score.seat)
            rows = [
                (names[source].name, points, usual.points.get(source, 0.0))
                for source, points in score.breakdown.items()
                if usual is not None and (points or usual.points.get(source, 0.0) >= 0.5)
            ]
            found.append((score.seat, self.colours[score.seat], rows))
        return found

    def stop(self) -> None:
        """The server closes: do not keep it waiting."""
        self._stopped = True

    def _progress(self, done: int, total: int) -> None:
        if self._stopped:
            raise _Stopped
        self.done = done

    def chances(self, moves: int) -> tuple[int, ...]:
        """What each seat's chance was then, in percent, as the one who was to decide saw it; nothing at the end."""
        assert self._found is not None
        if moves >= self.total:
            return ()
        known = [decision.chances for decision in self._found.decisions if decision.index <= moves]
        return tuple(round(100 * chance) for chance in known[-1]) if known else ()

    @property
    def steps(self) -> tuple[int, ...]:
        """The decisions of the chart from left to right: after how many moves each was to be made."""
        assert self._found is not None
        return tuple(decision.index for decision in self._found.decisions)

    def chart(self, moves: int, language: str) -> Markup:
        """The chances of all seats as a drawing, with a line where the replay stands."""
        assert self._found is not None
        return Markup(review.chart(self._found, self.colours, language, at=moves))


class Reviews:
    """The reviews of this server, by table and length."""

    def __init__(self, autoplay: Autoplay) -> None:
        self._autoplay = autoplay
        self._one = asyncio.Lock()
        self._kept: OrderedDict[tuple[str, int], GameReview] = OrderedDict()
        self._background = Background()
        self._begun: set[GameReview] = set()

    def of(self, table: Table) -> GameReview | None:
        """The review of a table, begun or done; none before the game is over."""
        return self._kept.get((table.id, len(table.match))) if table.match.is_over else None

    def ask(self, table: Table) -> GameReview:
        """Begin a review, unless there is one."""
        if not table.match.is_over:
            raise NotOver
        known = self.of(table)
        if known is not None and not known.broke:
            return known
        if len(self._begun) >= MOST_WAITING:
            raise TooManyReviews
        new = self._kept[table.id, len(table.match)] = GameReview(table.match.copy())
        while len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        self._begun.add(new)
        self._background.begin(self._run(new)).add_done_callback(lambda _: self._begun.discard(new))
        return new

    async def _run(self, new: GameReview) -> None:
        async with self._one:
            try:
                while not is_ready(new.game):
                    await asyncio.sleep(PAUSE)
                await self._autoplay.review(new.work)
            except Exception:
                log.exception("a review broke")
                new.broke = True

    async def close(self) -> None:
        for begun in self._begun:
            begun.stop()
        await self._background.cancel()
