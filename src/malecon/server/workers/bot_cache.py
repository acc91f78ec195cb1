"""The bots of all tables, with the trees they have grown; they leave when a game ends or memory is needed elsewhere."""

from __future__ import annotations

import secrets
from functools import partial

from malecon import bots
from malecon.server.operations.memory import TREES, Memory

_Name = tuple[int, str]  # the seat, and which bot plays it


class BotShelf:
    """A bot for each seat that one plays. One that has left comes back without its tree, and plays as well."""

    def __init__(self, memory: Memory) -> None:
        self._memory = memory
        self._bots: dict[str, dict[_Name, bots.Bot]] = {}

    def __len__(self) -> int:
        return sum(map(len, self._bots.values()))

    def take(self, table: str, seat: int, spec: str) -> bots.Bot:
        """The bot of a seat, as it was put back or new."""
        found = self._bots.get(table, {}).get((seat, spec))
        return bots.make(spec, secrets.randbits(63)) if found is None else found

    def take_away(self, table: str, seat: int, spec: str) -> bots.Bot:
        """The same, but nobody else gets it before it is put back."""
        bot = self.take(table, seat, spec)
        self._memory.forget(TREES, (table, seat, spec))
        self._let_go(table, seat, spec)
        return bot

    def put_back(self, table: str, seat: int, spec: str, bot: bots.Bot) -> None:
        """It has thought: its tree may have grown."""
        size = getattr(bot, "memory", 0)
        if size:  # whatever has no memory is made anew as quickly
            self._bots.setdefault(table, {})[seat, spec] = bot
            self._memory.use(TREES, (table, seat, spec), size, partial(self._let_go, table, seat, spec))

    def clear(self, table: str) -> None:
        """No bot plays there any more."""
        for seat, spec in self._bots.pop(table, {}):
            self._memory.forget(TREES, (table, seat, spec))

    def _let_go(self, table: str, seat: int, spec: str) -> None:
        rest = self._bots.get(table, {})
        rest.pop((seat, spec), None)
        if not rest:
            self._bots.pop(table, None)
