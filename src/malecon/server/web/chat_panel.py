"""What the page of a table needs to know of its conversation before the live connection stands."""

from __future__ import annotations

import asyncio
from typing import Any

from markupsafe import Markup

from malecon.server import community_texts as company
from malecon.server.accounts.visitors import Visitor
from malecon.server.chat.conversations import BLOCKED, MUTED
from malecon.server.chat.messages import READY
from malecon.server.pages import chat_view
from malecon.server.tables.table import Table
from malecon.server.web.services import Services


async def unheard_by(services: Services, visitor: Visitor) -> frozenset[str]:
    """Those of whom a visitor wants to hear nothing."""
    if visitor.is_new:
        return frozenset()
    found = await asyncio.to_thread(services.conversations.relations, visitor.person)
    return frozenset(other for other, kind in found.items() if kind in (MUTED, BLOCKED))


async def chat_panel(services: Services, table: Table, visitor: Visitor) -> dict[str, Any] | None:
    """The conversation as it stands; None where there is nobody to talk to."""
    if not chat_view.has_chat(table):
        return None
    unheard = await unheard_by(services, visitor)
    conversation = await services.conversations.of(table.id)
    follower = chat_view.ChatFollower(
        table, conversation, visitor.person, visitor.language, visitor.choices.talk, unheard
    )
    said = [chat_view.line(table, one, visitor.person, visitor.language) for one in follower.audible()]
    plays = bool(table.seats_of(visitor.person))
    return {
        "lines": said,
        "here": Markup(chat_view.here(table, services.presence.at(table.id), visitor.language)),
        "stop": Markup(chat_view.stop(table, visitor.person, visitor.language)),
        "ready": READY,
        "hint": company.TALK_OF_SEATED if plays else company.TALK_OF_GALLERY,
    }
