"""Snapshots: a game as it stands in a few bytes, so that a long one is loaded at once. Only a cache of the log.

A snapshot that is damaged, of other rules, or does not fit the log is thrown away and the log replayed.
"""

from __future__ import annotations

import hashlib
import json
import struct

from malecon.kernel.errors import BadSnapshot
from malecon.kernel.phrases import say
from malecon.match import Match
from malecon.server.storage.game_log import MOVE, GameLog, LogEntry
from malecon.server.storage.rows import Snapshot, TableRow

#: Entries of the log between two snapshots.
INTERVAL_ENTRIES = 100
_DIGEST = 32


def take(match: Match, game_log: GameLog) -> Snapshot:
    """Return the snapshot of a game."""
    log = json.dumps(
        {
            "numbers": [entry.number for entry in game_log.moves],
            "automatic": [index for index, entry in enumerate(game_log.moves) if entry.automatic],
            "undone": [[entry.number, entry.seat, entry.move, entry.automatic] for entry in game_log.undone],
            "last": None if game_log.last is None else list(vars(game_log.last).values()),
        }
    ).encode()
    body = struct.pack("<I", len(log)) + log + match.to_bytes()
    return Snapshot(game_log.version, hashlib.sha256(body).digest() + body)


def restore(snapshot: Snapshot, row: TableRow, last: LogEntry | None) -> tuple[Match, GameLog]:
    """Return the game of a snapshot; raise BadSnapshot if its log does not end with the entry `last`."""
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
        LogEntry(number, MOVE, turn.seat, str(turn.move), index in automatic)
        for index, (number, turn) in enumerate(zip(log["numbers"], match.history, strict=True))
    ]
    undone = [LogEntry(number, MOVE, seat, move, automatic) for number, seat, move, automatic in log["undone"]]
    return match, GameLog(moves, undone, snapshot.number, last)
