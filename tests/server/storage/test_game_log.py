"""The log of a table: moves, undos and redos as entries that are only ever added."""

from __future__ import annotations

from malecon.server.storage.game_log import MOVE, UNDO, GameLog, LogEntry


def game_log(*moves: tuple[int, str] | tuple[int, str, bool]) -> GameLog:
    """Each is a seat and a move, perhaps automatic; the move `undo` takes back."""
    entries = [
        LogEntry(number, UNDO if move[1] == "undo" else MOVE, move[0], move[1], len(move) > 2)
        for number, move in enumerate(moves)
    ]
    return GameLog.of(entries)


def texts(entries: list[LogEntry]) -> list[str]:
    return [entry.move for entry in entries]


def test_the_last_mover_may_undo_until_another_acts() -> None:
    assert game_log((0, "a")).may_undo([0]) == 0
    assert game_log((0, "a")).may_undo([1]) is None
    assert game_log((0, "a"), (1, "b")).may_undo([0]) is None
    assert game_log((0, "a"), (1, "b")).may_undo([0, 1]) == 1
    assert game_log((0, "a"), (-1, "roll")).may_undo([0]) is None
    assert game_log().may_undo([0]) is None


def test_an_undo_is_an_entry_and_can_be_repeated() -> None:
    done = game_log((0, "a"), (0, "b"), (0, "undo"), (0, "undo"))
    assert texts(done.moves) == []
    assert done.version == 4
    assert done.may_redo([0]).move == "a"
    assert done.may_redo([1]) is None
    done.add(LogEntry(4, MOVE, 0, "a"))
    assert done.may_redo([0]).move == "b"
    done.add(LogEntry(5, MOVE, 0, "c"))
    assert done.may_redo([0]) is None
    assert texts(done.moves) == ["a", "c"]


def test_moves_nobody_chose_go_back_with_the_one_before() -> None:
    done = game_log((0, "a"), (0, "b", True), (0, "c", True))
    assert done.reach_of_undo() == 3
    done.add(LogEntry(3, UNDO, 0))
    assert texts(done.moves) == []
    assert texts(done.undone) == ["c", "b", "a"]
    assert game_log((1, "x"), (0, "b", True)).may_undo([0, 1]) is None
