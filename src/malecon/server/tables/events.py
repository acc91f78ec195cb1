"""The events of tables: published by the process in which they happen, except `TableChanged`."""

from __future__ import annotations

from dataclasses import dataclass

from malecon.server.tables.table import Table


@dataclass(frozen=True, slots=True)
class TableChanged:
    """A table in memory has changed, in this process or another, or has been loaded or opened."""

    table: Table


@dataclass(frozen=True, slots=True)
class TableStarted:
    """A game has begun that the lobby or a tournament opened."""

    table: Table

    @property
    def asked(self) -> tuple[int, ...]:
        """The seats that must decide first."""
        return self.table.asked_seats


@dataclass(frozen=True, slots=True)
class TurnEnded:
    """A turn has ended, or the game with it. `asked`: the seats that must decide now and did not have to before."""

    table: Table
    asked: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class RematchOpened:
    """A person has opened a table for a rematch of this one."""

    table: Table
    person: str
