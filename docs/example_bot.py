"""An example of a bot that plays over the JSON interface of Malecón: it needs nothing but Python.

malecon serve --no-browser &
python docs/example_bot.py http://127.0.0.1:8000            # plays a game against two bots
python docs/example_bot.py http://127.0.0.1:8000 TOKEN      # takes the seat of an invitation, /join/TOKEN
"""

from __future__ import annotations

import json
import sys
import time
import urllib.request
from typing import Any


class Client:
    """The interface, for one player."""

    def __init__(self, server: str) -> None:
        self.server = server.rstrip("/")
        self.headers = {"content-type": "application/json"}
        token = self.ask("/api/people", {})["token"]  # anyone who has it is this player: keep it secret
        self.headers["authorization"] = f"Bearer {token}"

    def ask(self, path: str, body: dict[str, Any] | None = None) -> Any:
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.server + path, data, self.headers)
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)


def choose(table: dict[str, Any], foreseen: list[dict[str, Any]]) -> str:
    """The bot itself: it prefers moves that keep its turn going. Yours will be cleverer.

    `table["position"]` is what your seat may know, field by field; `table["history"]` is every move so far.
    A bot that needs no foresight finds the moves in `table["legal"]` too.
    """
    going_on = [move for move in foreseen if not move["final"]]
    return str((going_on or foreseen)[0]["move"])


def main() -> None:
    client = Client(sys.argv[1] if len(sys.argv) > 1 else "http://127.0.0.1:8000")
    if len(sys.argv) > 2:
        table = client.ask("/api/join", {"token": sys.argv[2], "name": "Example"})
    else:
        seats = [{"who": "me", "name": "Example"}, {"who": "bot:greedy"}, {"who": "bot:random"}]
        table = client.ask("/api/tables", {"game": "santiago", "seats": seats, "pace": "instant"})
    address = f"/api/tables/{table['id']}"
    print(f"watch at {client.server}/tables/{table['id']}")
    while table["turn"] is not None:
        if table["legal"]:
            move = choose(table, client.ask(f"{address}/legal"))
            # with `version` the move is refused, with 409, if the table has moved on since we looked
            table = client.ask(f"{address}/moves", {"move": move, "version": table["version"]})
        else:
            time.sleep(0.1)  # or listen to the WebSocket `/api/tables/ID/events`
            table = client.ask(address)
    print(table["result"])


if __name__ == "__main__":
    main()
