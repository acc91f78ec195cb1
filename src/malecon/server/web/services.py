"""The services of one running server: storage, tables, bots, people. Routes get them from `dependencies`."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Iterable
from contextlib import suppress

from starlette.requests import Request

from malecon.kernel.phrases import say
from malecon.server.accounts.accounts import Accounts, SessionsEnded
from malecon.server.accounts.guests import Guests
from malecon.server.accounts.presence import Presence, PresenceChanged
from malecon.server.accounts.profiles import Profiles, first_moves
from malecon.server.accounts.ratings import Ratings
from malecon.server.accounts.recovery import Recovery
from malecon.server.accounts.retention import Retention
from malecon.server.accounts.session_check import LiveSessionCheck
from malecon.server.accounts.sessions import Sessions
from malecon.server.accounts.setup import ServerSetup
from malecon.server.accounts.visitors import Choices, Visitor
from malecon.server.background import Background, run_ticks
from malecon.server.chat.conversations import Conversations
from malecon.server.errors import TooManyTables, Unavailable
from malecon.server.events import Events
from malecon.server.learning.analyses import Analyses
from malecon.server.learning.explorer_counts import ExplorerCounts
from malecon.server.learning.progress import LessonProgress, PuzzleRatings
from malecon.server.lobby.lobby import Lobby
from malecon.server.lobby.waiting import SeatFreed, WaitingTable
from malecon.server.moderation.acts import Acts
from malecon.server.moderation.moderation import Moderation
from malecon.server.moderation.site import Site
from malecon.server.notifications.mail import Mailer
from malecon.server.notifications.push import PushNotifier
from malecon.server.notifications.summaries import Summaries
from malecon.server.notifications.waiting_counts import WaitingCounts
from malecon.server.notifications.webhooks import Webhooks
from malecon.server.operations.limits import Limiter, address_of
from malecon.server.operations.memory import Memory
from malecon.server.operations.metrics import Metrics
from malecon.server.operations.scheduled_backups import ScheduledBackups
from malecon.server.operations.settings import ServerSettings
from malecon.server.pages.engine_files import engine_digest
from malecon.server.pages.lobby_view import LobbyPages
from malecon.server.pages.replay_bundle import ReplayBundles
from malecon.server.storage import cluster
from malecon.server.storage.heartbeat import DatabaseClock
from malecon.server.storage.notices import CHAT, CHAT_REMOVED, CHOICES, LOBBY, PRESENCE, SESSIONS, Notice
from malecon.server.storage.store import Storage
from malecon.server.tables.autoplay import Autoplay
from malecon.server.tables.deadlines import Deadlines
from malecon.server.tables.events import RematchOpened, TableChanged, TableStarted, TurnEnded
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tables.page_bots import PageBots
from malecon.server.tables.reviews import Reviews
from malecon.server.tables.table import Table
from malecon.server.tournaments.runner import Tournaments
from malecon.server.web.broadcast import Broadcaster
from malecon.server.web.oidc import Oidc
from malecon.server.workers import jobs
from malecon.server.workers.bot_moves import BotMoves
from malecon.server.workers.worker_pool import WorkerPool
from malecon.text import translate

log = logging.getLogger("malecon.server")
#: Threads in which bots search at the same time.
SEARCH_THREADS = 2
#: An unfinished table without changes for this time no longer counts as open.
ABANDONED_SECONDS = 14 * 24 * 3600


class Services:
    """Everything that lives as long as the server runs, wired together."""

    def __init__(
        self,
        storage: Storage,
        metrics: Metrics,
        limiter: Limiter | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.storage = storage
        self.metrics = metrics
        self.limiter = limiter or Limiter(ServerSettings())
        self.memory = metrics.memory = Memory(self.limiter.settings.memory_megabytes * 1_000_000)
        self.events = Events()
        database_clock = DatabaseClock(storage, clock)
        self.tables = LiveTables(storage, metrics, self.memory, database_clock, self.events)
        self.cluster = cluster.connect(storage)
        self.worker_pool = WorkerPool(SEARCH_THREADS, self.limiter, metrics)
        self.bot_moves = BotMoves(self.worker_pool, storage, self.limiter, self.memory)
        self.page_bots = PageBots(metrics, engine_digest)
        self.autoplay = Autoplay(
            self.tables, storage, self.cluster, self.limiter, self.bot_moves, self.page_bots, metrics
        )
        self.reviews = Reviews(self.worker_pool, self.limiter)
        self.accounts, self.sessions = Accounts(storage, self.events), Sessions(storage)
        self.recovery, self.setup = Recovery(storage, self.accounts), ServerSetup(storage)
        self.guests = Guests(storage)
        self.session_check = LiveSessionCheck(self.accounts, self.sessions)
        self.broadcaster = Broadcaster()
        self.ratings, self.puzzle_ratings = Ratings(storage), PuzzleRatings(storage)
        self.lesson_progress, self.analyses = LessonProgress(storage), Analyses(storage, self.memory)
        self.explorer_counts = ExplorerCounts(storage)
        self.deadlines = Deadlines(self.tables, storage, self._settle, database_clock)
        self.webhooks = Webhooks(self.limiter.settings.hooks, self.limiter.quota_key)
        self.presence, self.profiles = Presence(storage, self.events), Profiles(storage)
        self.lobby = Lobby(storage, self.tables, self.presence, self.events)
        self.lobby_pages = LobbyPages()
        settings = self.limiter.settings
        self.conversations = Conversations(storage)
        self.moderation, self.acts, self.site = Moderation(storage), Acts(storage), Site(storage)
        self.tables.check_words = self.moderation.check_words
        self.push = PushNotifier(
            storage, self.tables, self.presence, settings.push, settings.how_to_reach, self.limiter.quota_key
        )
        self.mailer, self.oidc = Mailer(storage, settings), Oidc(settings)
        self.summaries = Summaries(storage, self.tables, self.moderation, self.mailer, settings.public_address)
        address = storage.engine.url.render_as_string(hide_password=False)
        self.backups = ScheduledBackups(address, settings, metrics)
        self.retention = Retention(storage, settings)
        self.waiting_counts = WaitingCounts(self.tables)
        self.tournaments = Tournaments(storage, self.tables, self.events, self.memory)
        self.replay_bundles = ReplayBundles(self.limiter, self.memory)
        self._rounds, self._follow_ups, self.mail_tasks = Background(), Background(), Background()
        self._subscribe()

    def _subscribe(self) -> None:
        """Connect the services: who is called when something happens in this process."""
        subscribe = self.events.subscribe
        subscribe(TableChanged, lambda event: self.autoplay.look_at(event.table))
        subscribe(TableChanged, lambda event: self.waiting_counts.on_change(event.table))
        subscribe(TableStarted, lambda event: self._on_turn(event.table, event.asked))
        subscribe(TurnEnded, lambda event: self._on_turn(event.table, event.asked))
        subscribe(RematchOpened, lambda event: self.push.rematch(event.table, event.person))
        subscribe(SeatFreed, lambda event: self._on_free_seat(event.waiting))
        subscribe(PresenceChanged, lambda event: self.lobby.touch())
        subscribe(SessionsEnded, lambda event: self.session_check.recheck(event.person))

    def open(self) -> None:
        """Begin the work in the background."""
        self.cluster.listen(
            self._on_notice, self._on_missed_notices, {jobs.CHANNEL: self.bot_moves.remote_workers.on_message}
        )
        self._rounds.begin(asyncio.to_thread(self.storage.check_for_losses))
        self._rounds.begin(asyncio.to_thread(self.site.load))
        looks = self.autoplay.tick, self._tick_deadlines, self.presence.tick, self.lobby.tick, self.tournaments.tick
        upkeep = self.backups.tick, self.retention.tick, self.mailer.tick, self.summaries.tick, self.site.tick
        self._rounds.begin(run_ticks(*looks, *upkeep, self.tables.tick, self.memory.tick, self.push.tick))

    async def _tick_deadlines(self) -> None:
        """Look at deadlines, but not during maintenance: afterwards they are moved along, as after an outage."""
        if not self.site.texts.maintenance:
            await self.deadlines.tick()

    async def _on_missed_notices(self) -> None:
        """Refresh everything: notices of other processes may have been lost."""
        self.session_check.recheck()
        self.storage.forget_choices()
        self.lobby.touch()
        self.presence.on_notice()
        self.conversations.reload_all()
        await self.tables.refresh_all()

    def _on_notice(self, notice: Notice) -> None:
        if notice.about == SESSIONS:
            self.session_check.recheck(notice.name)
        elif notice.about == CHOICES:
            self.storage.forget_choices(notice.name)
        elif notice.about == LOBBY:
            self.lobby.touch()
        elif notice.about == PRESENCE:
            self.presence.on_notice()
        elif notice.about == CHAT:
            self.conversations.on_notice(notice.name)
        elif notice.about == CHAT_REMOVED:
            self.conversations.on_removed(notice.name)
        else:
            self.tables.on_notice(notice)
            self.waiting_counts.on_notice(notice.name)

    async def close(self) -> None:
        """Stop: moves that are being written are finished; those that bots still think about are not made."""
        await self.reviews.close()
        await self.replay_bundles.close()
        await self._rounds.cancel()
        await self.lobby.close()
        await self.waiting_counts.close()
        await self.conversations.close()
        with suppress(Unavailable):  # a database that is gone keeps nobody from stopping
            await self.presence.close()
        await self.webhooks.close()
        await self.push.close()
        await self.autoplay.close()
        await self.bot_moves.close()
        self.worker_pool.close()
        await self.tables.finish()
        await self._follow_ups.finish()
        await self.mail_tasks.finish()
        await self.cluster.close()
        self.storage.close()

    async def refresh_tables(self, tables: Iterable[str]) -> None:
        """Refresh these tables in memory after their seats, or who said what there, have changed."""
        for name in tables:
            await self.conversations.reload(name)
            table = self.tables.get_loaded(name)
            if table is not None:
                try:
                    await self.tables.refresh(table)
                except Exception:  # the others are refreshed all the same
                    log.exception("table %s cannot be followed", name)

    async def check_can_open_table(self, request: Request, visitor: Visitor) -> None:
        """Raise Forbidden if a visitor may not play here, TooManyTables if they have too many unfinished tables."""
        self.limiter.remember_address(visitor.person, request.scope)
        await asyncio.to_thread(self.moderation.check_play, visitor)
        most = self.limiter.settings.open_tables
        if most and address_of(request.scope) is not None:
            since = time.time() - ABANDONED_SECONDS
            if await asyncio.to_thread(self.storage.count_unfinished, visitor.person, since) >= most:
                raise TooManyTables

    # --- what follows from a change

    def _on_turn(self, table: Table, asked: tuple[int, ...]) -> None:
        if table.match.is_over:
            self._follow_ups.begin(self._settle(table))  # if it fails, it is tried again within a second
            return
        self.push.turn(table, asked)
        if self.webhooks.are_on:
            for seat in asked:
                self._follow_ups.begin(self._call_webhook(table, seat))

    def _on_free_seat(self, waiting: WaitingTable) -> None:
        if self.push.are_on:
            self._follow_ups.begin(self._notify_of_seat(waiting))

    async def _notify_of_seat(self, waiting: WaitingTable) -> None:
        """Notify people who want to hear of free seats, except those whom the owner avoids."""
        avoided = await asyncio.to_thread(self.conversations.avoided, waiting.owner)
        self.push.seat(waiting, avoided)

    async def _settle(self, table: Table) -> None:
        """Count the result of a finished game, once."""
        row, match, is_record = table.row, table.match, table.is_record

        def count() -> None:
            beside = self.explorer_counts.writer(row, match, is_record)
            self.ratings.settle(row, match.outcome, is_record, first_moves(match), beside)

        await asyncio.to_thread(count)

    async def _call_webhook(self, table: Table, seat: int) -> None:
        """Call the web hook of a player who must decide, if they have one."""
        person = table.row.seats[seat].person
        address = None if person is None else await asyncio.to_thread(self.accounts.hook_of, person)
        if person is None or address is None:
            return
        choices = Choices.of(await asyncio.to_thread(self.storage.choices, person))
        your_turn = translate(say("Your turn"), choices.language or "en")
        text = f"{your_turn}: {table.match.game.title}"
        message = {
            "event": "your_turn",
            "text": text,
            "game": table.match.game.name,
            "table": table.id,
            "path": f"/tables/{table.id}",
            "seat": seat,
            "deadline": table.row.visible_deadline,
        }
        self.webhooks.call(person, address, message)
