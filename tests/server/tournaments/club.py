"""A storage with accounts and the services of tournaments, for tests."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

from sqlalchemy import Connection, insert

from malecon.server.storage.schema import ACCOUNTS, ENTRANTS, PAIRINGS, TOURNAMENTS
from malecon.server.storage.store import Storage
from malecon.server.tables.live_tables import LiveTables
from malecon.server.tournaments import model
from malecon.server.tournaments.model import Tournament
from malecon.server.tournaments.runner import Tournaments

ACCOUNT = {"password": "", "epoch": 1, "created": 0.0}


def people(number: int) -> list[str]:
    return [f"person{index}" for index in range(1, number + 1)]


def new_tournament(**more: Any) -> Tournament:
    chosen: dict[str, Any] = {"format": model.SWISS, "players": 2, "rounds": 3, "options": {}, "owner": "host"}
    return Tournament(id="", name="Copa", game="santiago", **chosen | more)


def store_large(storage: Storage, entrants: int = 128, rounds: int = 15) -> str:
    """Store a finished tournament of two at each table, without its tables; return its address."""
    name, dice = "large", random.Random(3)
    row = {key: value for key, value in vars(new_tournament(rounds=rounds)).items() if key in TOURNAMENTS.c}
    row |= {"id": name, "seed": "x", "state": model.OVER, "round": rounds, "options": {}}
    numbers = list(range(1, entrants + 1))
    pairings = []
    for number in range(1, rounds + 1):
        dice.shuffle(numbers)
        for place, entrant in enumerate(numbers):
            won = place % 2
            result = {"place": 2 - won, "beaten": 2 * won, "opponents": 1, "points": dice.randrange(40)}
            seat = {"table": f"t{number}-{place // 2}", "seat": won, "walkover": False}
            pairings.append({"tournament": name, "round": number, "entrant": entrant} | seat | result)

    def work(connection: Connection) -> None:
        connection.execute(insert(TOURNAMENTS), row)
        for entrant in range(1, entrants + 1):
            person = {"person": f"large{entrant}", "name": f"Large{entrant}", "key": f"large{entrant}"} | ACCOUNT
            person["skeleton"] = person["key"]
            connection.execute(insert(ACCOUNTS), person)
            entry = {"tournament": name, "number": entrant, "person": person["person"], "joined": 0.0}
            connection.execute(insert(ENTRANTS), entry)
        connection.execute(insert(PAIRINGS), pairings)

    storage.write(work)
    return name


class Club:
    """A storage with accounts, and the services that a server would have."""

    def __init__(self, address: str, number: int = 0) -> None:
        self.storage = Storage(address)
        rows = [
            {"person": entry, "name": entry.capitalize(), "key": entry, "skeleton": entry} | ACCOUNT
            for entry in people(number)
        ]
        if rows:
            self.storage.write(lambda connection: connection.execute(insert(ACCOUNTS), rows))
        self.tables = LiveTables(self.storage)
        self.tournaments = Tournaments(self.storage, self.tables)
        self.store = self.tournaments.store

    async def begin(self, number: int, **more: Any) -> str:
        opened = await self.tournaments.open(new_tournament(**more))
        for person in people(number):
            self.store.join(opened.id, person)
        await self.tournaments.start(opened.id)
        return opened.id

    def find(self, name: str) -> Tournament:
        return self.store.find(name)

    async def play_round(self, name: str, strongest: Callable[[int], int] = lambda entrant: entrant) -> None:
        """At every table all resign but the strongest, the weakest first."""
        tournament = self.find(name)
        for table_name, seated in tournament.tables.items():
            if seated[0].round != tournament.round or seated[0].is_decided:
                continue
            table = await self.tables.get(table_name)
            for entry in sorted(seated, key=lambda entry: strongest(entry.entrant), reverse=True)[1:]:
                person = tournament.entrants[entry.entrant - 1].person
                if not table.row.seats[entry.seat or 0].resigned:
                    await self.tables.resign(table, person or "", entry.seat or 0)
        await self.tournaments.tick()

    async def close(self) -> None:
        await self.tables.finish()
        self.storage.close()
