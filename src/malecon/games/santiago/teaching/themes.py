"""The themes of puzzles in Santiago de Cuba."""

from __future__ import annotations

from malecon.games.santiago import moves, tiles
from malecon.games.santiago.position import ALONSO, DELIVER, DEMAND, DRIVE, PABLO, USE, VISIT, ZORRO
from malecon.kernel import verbs
from malecon.kernel.phrases import Phrase
from malecon.kernel.verbs import Position

#: Fields of a position that hold a seat, or a bit for each: they differ between positions that differ in colours only.
SEAT_FIELDS = frozenset({"actor", "active", "starter", "owner", "passed"})
#: The main theme, by the phase in which the decision is made.
BY_PHASE = {
    DEMAND: "demand",
    DRIVE: "car",
    PABLO: "pablo",
    ZORRO: "zorro",
    ALONSO: "alonso",
    VISIT: "piece",
    USE: "building",
    DELIVER: "delivery",
}

THEMES = {
    "demand": Phrase("leaving out a die", context="theme"),
    "car": Phrase("the car", context="theme"),
    "port": Phrase("opening the delivery round", context="theme"),
    "pablo": Phrase("choosing a good", context="theme"),
    "zorro": Phrase("El Zorro", context="theme"),
    "alonso": Phrase("Alonso", context="theme"),
    "piece": Phrase("choosing a building", context="theme"),
    "building": Phrase("using a building", context="theme"),
    "blocking": Phrase("blocking", context="theme"),
    "flag": Phrase("the flag", context="theme"),
    "delivery": Phrase("delivery", context="theme"),
    "waiting": Phrase("passing", context="theme"),
    "last ship": Phrase("the last ship", context="theme"),
}


def _blocks(position: Position, code: int) -> bool:
    """Whether a piece takes a building that it cannot use itself, but another seat could."""
    able = {seat for seat in range(position.players) if _could_use(position, code, seat)}
    return int(position.actor) not in able and bool(able)


def _could_use(position: Position, code: int, seat: int) -> bool:
    """Whether there would be a use for a seat that moved its piece there now."""
    tried = position.copy()
    tried.active = tried.actor = seat
    verbs.play(tried, code)
    return bool(tried.phase == USE and tried.actor == seat)


def themes(position: Position, code: int) -> tuple[str, ...]:
    """Return the themes of a decision, the main one first."""
    names = [BY_PHASE[int(position.phase)]]
    family, parts = moves.NOTATION.read(code)
    if family in (moves.FLAG_LEFT, moves.FLAG_RIGHT):
        names.insert(0, "flag")
    if family == moves.DRIVE and (int(position.car) + parts[0]) % tiles.STOPS == tiles.PORT:
        names.insert(0, "port")
    if family == moves.PRINT_ABOUT or (family == moves.VISIT and _blocks(position, code)):
        names.insert(0, "blocking")
    if family == moves.PASS:
        names.append("waiting")
    if position.ship >= tiles.SHIPS:
        names.append("last ship")
    return tuple(names)
