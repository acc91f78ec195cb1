"""A game as it stands in a few bytes, so that a long one is on the table at once. Only a cache: the log is the truth.

A snapshot that is damaged, of other rules, or does not fit the log is thrown away and the log replayed.
"""

from __future__ import annotations

import hashlib
import json
import struct

from malecon.kernel.errors import BadSnapshot
from malecon.kernel.phrases import say
from malecon.match import Match
from malecon.server.storage.ledger import MOVE, Entry, Ledger
from malecon.server.storage.rows import Snapshot, TableRow

#: After so many entries there is a new snapshot.
EVERY = 100
_DIGEST = 32


def take(match: Match, ledger: Ledger) -> Snapshot:
    """The snapshot of a game."""
    log = json.dumps(
        {
            "numbers": [entry.number for entry in ledger.moves],
            "automatic": [index for index, entry in enumerate(ledger.moves) if entry.automatic],
            "undone": [[entry.number, entry.seat, entry.move, entry.automatic] for entry in ledger.undone],
            "last": None if ledger.last is None else list(vars(ledger.last).values()),
        }
    ).encode()
    body = struct.pack("<I", len(log)) + log + match.to_bytes()
    return Snapshot(ledger.version, hashlib.sha256(body).digest() + body)


def restore(snapshot: Snapshot, row: TableRow, last: Entry | None) -> tuple[Match, Ledger]:
    """The game of a snapshot, if it belongs to a log whose entry before `number` is the last; else BadSnapshot."""
    digest, body = snapshot.data[:_DIGEST], snapshot.data[_DIGEST:]
    if hashlib.sha256(body).digest() != digest:
        raise BadSnapshot(say("this snapshot is damaged"))
    size = struct.unpack_from("<I", body)[0]
    log = json.loads(body[4 : 4 + size])
    match = Match.from_bytes(body[4 + size :])
    fits = (match.game.name, match.players, dict(match.options)) == (row.game, row.players, dict(row.options))
    if not fits or last is None or log["last"] != list(vars(last).values()) or last.number != snapshot.number - 1:
        raise BadSnapshot(say("these bytes are not a snapshot of a match"))
    automatic = set(log["automatic"])
    moves = [
        Entry(number, MOVE, turn.seat, str(turn.move), index in automatic)
        for index, (number, turn) in enumerate(zip(log["numbers"], match.history, strict=True))
    ]
    undone = [Entry(number, MOVE, seat, move, automatic) for number, seat, move, automatic in log["undone"]]
    return match, Ledger(moves, undone, snapshot.number, last)
