"""The bots of all tables with their search trees, dropped when a game ends or memory is needed elsewhere."""

from __future__ import annotations

import secrets
from functools import partial

from malecon import bots
from malecon.server.operations.memory import TREES, Memory

CachedBot = bots.SimpleBot | bots.SearchBot
_SeatKey = tuple[int, str]  # the seat, and which bot plays it


class BotCache:
    """A bot for each seat that a bot plays. One that was dropped is made again without its tree, and plays as well."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._bots: dict[str, dict[_SeatKey, CachedBot]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._bots.values()))

    def get(self, table: str, seat: int, spec: str) -> CachedBot:
        """Return the bot of a seat, from the cache or new."""
        bot = self._bots.get(table, {}).get((seat, spec))
        return bots.make(spec, secrets.randbits(63)) if bot is None else bot

    def pop(self, table: str, seat: int, spec: str) -> CachedBot:
        """Return the bot of a seat and take it out of the cache, so that no other thread gets it."""
        bot = self.get(table, seat, spec)
        self._memory.forget(TREES, (table, seat, spec))
        self._drop(table, seat, spec)
        return bot

    def put(self, table: str, seat: int, spec: str, bot: CachedBot) -> None:
        """Keep a bot that has thought, with what its tree takes now."""
        size = getattr(bot, "memory", 0)
        if size:  # a bot without a tree is made as quickly as it is kept
            self._bots.setdefault(table, {})[seat, spec] = bot
            self._memory.use(TREES, (table, seat, spec), size, partial(self._drop, table, seat, spec))

    def clear(self, table: str) -> None:
        """Drop all bots of a table."""
        for seat, spec in self._bots.pop(table, {}):
            self._memory.forget(TREES, (table, seat, spec))

    def _drop(self, table: str, seat: int, spec: str) -> None:
        others = self._bots.get(table, {})
        others.pop((seat, spec), None)
        if not others:
            self._bots.pop(table, None)
