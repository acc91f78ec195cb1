"""The live table: after every change the page of each viewer is rendered from their own view, and the delta is sent."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator, Awaitable, Callable, Hashable
from contextlib import aclosing, suppress
from typing import Any

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from malecon import __version__
from malecon.kernel.phrases import say
from malecon.match import View
from malecon.server.accounts.session_check import LOGGED_OUT, LiveSessionCheck, LoggedOut
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import Unavailable
from malecon.server.pages import drawings, guide, html_diff, rendering, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.tables.seats import was_removed
from malecon.server.tables.table import Table
from malecon.server.tables.timing import PACES
from malecon.text import glossary, too_long, translate

#: Messages without a use, or refused, that a client may send before it is disconnected; ours sends none.
MOST_MESSAGES = 20
#: The WebSocket protocol's code for "try again later".
TRY_AGAIN = 1013


def table_context(table: Table, viewer: Viewer, where: table_view.Perspective, view: View) -> dict[str, Any]:
    """Return the context of the table's template for this viewer."""
    my_move = table_view.may_move(table, where)
    places = table_view.legal_places(view) if my_move else {}
    outcome = table.match.outcome
    moves = table_view.choices(view, viewer.language, places) if my_move else []
    board, panels = drawings.board_and_panels(view, viewer.language, places, viewer.layout)
    seats = table_view.seat_views(table, viewer)
    may_undo = table.may_undo(where.mine) is not None if where.mine else False
    early = [] if my_move else table_view.early_questions(table, view, viewer.language)
    return {
        "table": table,
        "game": table.match.game,
        "view": view,
        "where": where,
        "my_move": my_move,
        "large": {"board": board},
        "panels": panels,
        "seats": seats,
        "invitations": [seat for seat in seats if seat.token],
        "moves": moves,
        "listed": table_view.MoveList.of(view, moves),
        "prompt": table_view.prompt(table, view, where),
        "log": rendering.log_html(table_view.log(table, view, viewer.language)),
        "can_undo": may_undo,
        "can_redo": table.may_redo(where.mine) is not None,
        "outcome": outcome,
        "scores": table.scores if outcome is not None else (),
        "too_long": too_long(table.match) if outcome is not None else None,
        "glossary": glossary(table.match.game),
        "guide": guide.tip(table.match, where.seat) if table.row.guide else None,
        "next_lessons": guide.next_lessons(table.match, where.seat) if table.row.guide else (),
        "suggested": guide.suggestion(table.match, where.seat) if table.row.guide else None,
        "is_owner": table.row.is_owner(viewer.person),
        "layout": viewer.layout,
        "paces": PACES,
        "stands_in_for": table_view.stands_in_for(table, viewer),
        "was_removed": not where.mine and was_removed(table.row.notes, table.id, viewer.person),
        "hints": table.is_fair,
        "since": table_view.since_last_move(table, where.seat),
        "early_questions": early,
        "offered_orders": table_view.offered_orders(table, view, my_move),
        "plan_notices": table_view.plan_notices(table, view, my_move),
    }


def render_table(table: Table, viewer: Viewer) -> str:
    """Return the HTML of the table as this viewer sees it."""
    where = table_view.perspective(table, viewer)
    return html_diff.join(_pieces(table, viewer, where, table.match.view(where.seat)))


def _pieces(table: Table, viewer: Viewer, where: table_view.Perspective, view: View) -> list[str]:
    """Return the pieces of the table's HTML; they are made once for each change and kind of viewer."""

    def render() -> list[str]:
        context = table_context(table, viewer, where, view)
        return html_diff.split(rendering.fragment("table_body.html", viewer.language, **context))

    return table.cached(("page", *_kind(table, viewer)), render)


def _kind(table: Table, viewer: Viewer) -> tuple[Hashable, ...]:
    """Return what the table's HTML depends on beside the table: all who have no part in it see the same."""
    person = viewer.person if table.has_part(viewer.person) else None
    return person, viewer.language, viewer.layout, viewer.as_seat


def page_hash(table: Table, viewer: Viewer) -> str:
    """Return a hash by which a client says which HTML its page shows: of what this kind of viewer may notice."""
    kind = repr((__version__, table.id, *_kind(table, viewer), table.seen_by(viewer.person)))
    return hashlib.blake2b(kind.encode(), digest_size=12).hexdigest()


def title(table: Table, viewer: Viewer) -> str:
    """Return the title of the tab, which says if it is the viewer's turn."""
    name = table.match.game.title
    if table.waits_for(table.seats_of(viewer.person)):
        your_turn = translate(say("Your turn"), viewer.language)
        return f"● {your_turn} – {name}"
    return f"{name} – Malecón"


class Follower:
    """What one connection has been sent. It begins with `known` moves, and the hash of what its page shows."""

    def __init__(self, table: Table, viewer: Viewer, known: int | None, shown: str | None = None) -> None:
        self.table, self.viewer = table, viewer
        self._moves = len(table.match) if known is None else min(known, len(table.match))
        self._turn: int | None = None if known is None else table.match.turn
        self._notes, self._rematch = len(table.row.notes), table.row.rematch
        self._shown = shown
        self._pieces = html_diff.NOTHING  # of what the page shows
        self._seen: object = None  # what this viewer could notice when the last message was made

    def message(self) -> str | None:
        """Return what has changed since the last message, and what to announce; None if the page is up to date.

        For viewers who see the same and have been sent the same, it is made once.
        """
        table, viewer, before = self.table, self.viewer, self._pieces
        seen = table.seen_by(viewer.person)
        if seen == self._seen:  # somebody else has planned something
            return None
        self._seen = seen
        sent = self._moves, self._turn, self._notes, self._rematch
        shown, self._shown = self._shown, None
        if shown is not None:
            pieces, message = self._build(shown)
        else:
            kind = ("message", *_kind(table, viewer), id(before), *sent)
            # the cached value holds `before` too, so that no other list has its identity meanwhile
            _, pieces, message = table.cached(kind, lambda: (before, *self._build(None)))
        self._pieces, self._moves, self._turn = pieces, len(table.match), table.match.turn
        self._notes, self._rematch = len(table.row.notes), table.row.rematch
        return message

    def forget(self) -> None:
        """Forget what was sent, since the page was changed by others: the next message has everything."""
        self._pieces, self._moves, self._turn = html_diff.NOTHING, len(self.table.match), self.table.match.turn
        self._seen = None

    def _build(self, shown: str | None) -> tuple[list[str], str | None]:
        """Return the pieces of the new page, and the message that leads to it."""
        table, viewer = self.table, self.viewer
        where = table_view.perspective(table, viewer)
        view = table.match.view(where.seat)
        pieces = _pieces(table, viewer, where, view)
        if shown is not None and shown == page_hash(table, viewer):
            return pieces, None
        since = min(self._moves, len(table.match))
        announcements = [line for entry in table_view.log(table, view, viewer.language, since) for line in entry.lines]
        if len(table.match) < self._moves:
            announcements.append(translate(say("A move was undone."), viewer.language))
        turn, is_mine = table.match.turn, table.waits_for(table.seats_of(viewer.person))
        became_mine = is_mine and turn != self._turn
        if is_mine and len(table.match) != self._moves:
            announcements.append(translate(table_view.prompt(table, view, where), viewer.language))
        seat_news, seat_notices = table_view.news_of_seats(table, viewer, self._notes)
        announcements += seat_news
        notices = table_view.notices(table, view, viewer.language, since) + seat_notices
        if table.row.rematch != self._rematch and where.mine:
            notices.append(translate(say("The next game with the same players is open."), viewer.language))
        message = {
            "version": table.version,
            "moves": len(table.match),
            "shown": page_hash(table, viewer),
            "title": title(table, viewer),
            **html_diff.changes(self._pieces, pieces),
            "announce": announcements[-12:],
            "notices": notices[-3:],
            "flights": drawings.flights(table.match, view, since),
            "yourTurn": became_mine,
        }
        return pieces, msgspec.json.encode(message).decode()


async def send_streams(
    socket: WebSocket,
    session_check: LiveSessionCheck,
    visitor: Visitor,
    *streams: AsyncGenerator[str],
    on_message: Callable[[str | bytes], Awaitable[str | None]] | None = None,
) -> None:
    """Send the messages of these streams, each of them JSON, until the client leaves, logs out or sends too much.

    `on_message` handles what the client sends, and returns what to answer if it is refused. Only messages that are
    refused, or that nothing handles, count as too much.
    """

    async def send(messages: AsyncGenerator[str]) -> None:
        async with aclosing(messages):
            async for message in messages:
                await session_check.check(visitor)
                try:
                    await socket.send_text(message)
                except (WebSocketDisconnect, RuntimeError):  # it has just disconnected
                    return

    async def run(work: Callable[..., Awaitable[None]], *arguments: object) -> None:
        try:
            await work(*arguments)
        except LoggedOut:
            await end(LOGGED_OUT, "logged out")
        except Unavailable:  # the session or the table cannot be read now: the client connects again
            await end(TRY_AGAIN)

    async def end(code: int, reason: str = "") -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(code, reason)
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        if visitor.account is not None:
            group.start_soon(run, session_check.watch, visitor)
        for messages in streams:
            group.start_soon(run, send, messages)
        left = MOST_MESSAGES
        while left:
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
            try:
                content = message.get("text") or message.get("bytes") or ""
                refusal = "" if on_message is None else await on_message(content)
                if refusal:
                    await socket.send_text(refusal)
            except LoggedOut:
                await end(LOGGED_OUT, "logged out")
                break
            except (WebSocketDisconnect, RuntimeError):  # it has just disconnected
                break
            left -= refusal is not None
        else:
            await end(1008)
        group.cancel_scope.cancel()
