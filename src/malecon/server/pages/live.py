"""The live table: after every change each viewer's page is rendered anew from their own view and pushed to them."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncGenerator
from contextlib import aclosing, suppress
from typing import Any

import anyio
import msgspec
from starlette.websockets import WebSocket, WebSocketDisconnect

from malecon.match import View
from malecon.server import texts
from malecon.server.accounts.session_check import LOGGED_OUT, LoggedOut
from malecon.server.errors import Unavailable
from malecon.server.pages import drawings, guide, html_diff, rendering, table_view
from malecon.server.pages.table_view import Viewer
from malecon.server.tables.notes import was_removed
from malecon.server.tables.table import Table
from malecon.server.tables.timing import PACES
from malecon.text import glossary, too_long, translate

#: Messages a client may send before it is taken for a broken one; ours sends none.
MOST_MESSAGES = 20
#: The WebSocket protocol's own code for it.
TRY_AGAIN = 1013


def table_context(table: Table, viewer: Viewer, where: table_view.Perspective, view: View) -> dict[str, Any]:
    """Everything that the template of the table shows to this viewer."""
    mine = table_view.may_move(table, where)
    places = table_view.legal_places(view) if mine else {}
    outcome = table.match.outcome
    moves = table_view.choices(view, viewer.language, places) if mine else []
    seats = table_view.seats_shown(table, viewer)
    may_undo = table.may_undo(where.mine) is not None if where.mine else False
    return {
        "table": table,
        "game": table.match.game,
        "view": view,
        "where": where,
        "my_move": mine,
        "board": drawings.board(view, viewer.language, places, viewer.layout),
        "panels": [drawings.panel(view, seat, viewer.language, places) for seat in range(table.match.players)],
        "seats": seats,
        "invitations": [seat for seat in seats if seat.token],
        "moves": moves,
        "listed": table_view.MoveList.of(view, moves),
        "prompt": table_view.prompt(table, view, where),
        "log": table_view.log(table, view, viewer.language),
        "can_undo": may_undo,
        "can_redo": table.may_redo(where.mine) is not None,
        "outcome": outcome,
        "scores": table.match.scores if outcome is not None else (),
        "too_long": too_long(table.match) if outcome is not None else None,
        "glossary": glossary(table.match.game),
        "guide": guide.tip(table.match, where.seat) if table.row.guide else None,
        "next_lessons": guide.next_lessons(table.match, where.seat) if table.row.guide else (),
        "suggested": guide.suggestion(table.match, where.seat) if table.row.guide else None,
        "is_owner": table.row.owner == viewer.person,
        "layout": viewer.layout,
        "paces": PACES,
        "stands_in_for": table_view.stands_in_for(table, viewer),
        "was_removed": not where.mine and was_removed(table.row.notes, table.id, viewer.person),
        "hints": table.is_fair,
    }


def render_table(table: Table, viewer: Viewer) -> str:
    """The table as this viewer sees it."""
    where = table_view.perspective(table, viewer)
    return _render(table, viewer, where, table.match.view(where.seat))


def _render(table: Table, viewer: Viewer, where: table_view.Perspective, view: View) -> str:
    def render() -> str:
        context = table_context(table, viewer, where, view)
        return rendering.fragment("table_body.html", viewer.language, **context)

    return render() if table.has_part(viewer.person) else table.once(("page", viewer.language, viewer.layout), render)


def content_hash(html: str) -> str:
    """What tells whether a page shows exactly this."""
    return hashlib.blake2b(html.encode(), digest_size=12).hexdigest()


def title(table: Table, viewer: Viewer) -> str:
    """The tab's title: whose turn it is, for whoever looks at another tab."""
    name = table.match.game.title
    if table.waits_for(table.seats_of(viewer.person)):
        return f"● {translate(texts.YOUR_TURN, viewer.language)} – {name}"
    return f"{name} – Malecón"


class Follower:
    """One connection's memory of what it was told. `known` moves, and the seal of the table its page shows already."""

    def __init__(self, table: Table, viewer: Viewer, known: int | None, shown: str | None = None) -> None:
        self.table, self.viewer = table, viewer
        self._moves = len(table.match) if known is None else min(known, len(table.match))
        self._turn: int | None = None if known is None else table.match.turn
        self._notes, self._rematch = len(table.row.notes), table.row.rematch
        self._shown = shown
        self._pieces = html_diff.NOTHING  # of what the page shows

    def message(self) -> str | None:
        """What has changed, with what is to be announced since the last message; None where the page shows it all.

        For those who look on and were shown the same, it is made once.
        """
        table, viewer, before = self.table, self.viewer, self._pieces
        known = self._moves, self._turn, self._notes, self._rematch
        shown, self._shown = self._shown, None
        if shown is not None or table.has_part(viewer.person):
            pieces, message = self._made(shown)
        else:
            kind = ("message", viewer.language, viewer.layout, id(before), *known)
            # what is kept holds `before`, too: while it does, no other list has its identity
            _, pieces, message = table.once(kind, lambda: (before, *self._made(None)))
        self._pieces, self._moves, self._turn = pieces, len(table.match), table.match.turn
        self._notes, self._rematch = len(table.row.notes), table.row.rematch
        return message

    def forget(self) -> None:
        """The page shows something else meanwhile: tell everything."""
        self._pieces, self._moves, self._turn = html_diff.NOTHING, len(self.table.match), self.table.match.turn

    def _made(self, shown: str | None) -> tuple[list[str], str | None]:
        """The pieces of what the page shows then, and the message that leads to it."""
        table, viewer = self.table, self.viewer
        where = table_view.perspective(table, viewer)
        view = table.match.view(where.seat)
        html = _render(table, viewer, where, view)
        pieces = html_diff.split(html)
        if shown is not None and shown == content_hash(html):
            return pieces, None
        since = min(self._moves, len(table.match))
        said = [line for entry in table_view.log(table, view, viewer.language, since) for line in entry.lines]
        if len(table.match) < self._moves:
            said.append(translate(texts.TAKEN_BACK, viewer.language))
        turn, is_mine = table.match.turn, table.waits_for(table.seats_of(viewer.person))
        became_mine = is_mine and turn != self._turn
        if is_mine and len(table.match) != self._moves:
            said.append(translate(table_view.prompt(table, view, where), viewer.language))
        heard, noticed = table_view.news_of_seats(table, viewer, self._notes)
        said += heard
        notices = table_view.notices(table, view, viewer.language, since) + noticed
        if table.row.rematch != self._rematch and where.mine:
            notices.append(translate(texts.REMATCH_OPEN, viewer.language))
        message = {
            "version": table.version,
            "moves": len(table.match),
            "title": title(table, viewer),
            **html_diff.changes(self._pieces, pieces),
            "announce": said[-12:],
            "notices": notices[-3:],
            "flights": drawings.flights(table.match, view, since),
            "yourTurn": became_mine,
        }
        return pieces, msgspec.json.encode(message).decode()


async def follow(socket: WebSocket, *streams: AsyncGenerator[str]) -> None:
    """Send all messages of these streams, each of them JSON, until the client hangs up or babbles, or must go."""

    async def send(messages: AsyncGenerator[str]) -> None:
        try:
            async with aclosing(messages):
                async for message in messages:
                    try:
                        await socket.send_text(message)
                    except (WebSocketDisconnect, RuntimeError):  # it has just hung up
                        return
        except LoggedOut:
            await end(LOGGED_OUT, "logged out")
        except Unavailable:  # whether they may hear it is not to be had: let them come again
            await end(TRY_AGAIN)

    async def end(code: int, reason: str = "") -> None:
        with suppress(WebSocketDisconnect, RuntimeError):
            await socket.close(code, reason)
        group.cancel_scope.cancel()

    async with anyio.create_task_group() as group:
        for messages in streams:
            group.start_soon(send, messages)
        for _ in range(MOST_MESSAGES):
            message = await socket.receive()
            if message["type"] == "websocket.disconnect":
                break
        else:
            await socket.close(1008)
        group.cancel_scope.cancel()
