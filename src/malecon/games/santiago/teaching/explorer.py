"""What the explorer asks in Santiago de Cuba: where the car goes first, which buildings are visited and seized."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from malecon.games.santiago import moves, names, tiles
from malecon.games.santiago.position import ALONSO, DRIVE
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.teaching.explorer.choices import ChoiceTable

_PORT = "port"


def _goes_to(position: Position, steps: int) -> str:
    stop = (int(position.car) + steps) % tiles.STOPS
    return _PORT if stop == tiles.PORT else tiles.CUBAN_KEYS[int(position.cuban_at[stop])]


def key(position: Position, code: int) -> str | None:
    """Return the option by where the car goes, not how far; what a building is used for does not count."""
    family, parts = moves.NOTATION.read(code)
    if family == moves.DRIVE:
        return f"drive {_goes_to(position, parts[0])}"
    if family in (moves.LEAVE_OUT, moves.VISIT, moves.SEIZE):
        return moves.NOTATION.name(code)
    return None


def table(position: Position, seat: int, before: Counter[tuple[int, str]]) -> str | None:
    if position.phase == ALONSO:
        return f"seize {before[seat, 'seize'] + 1}"
    if position.phase == DRIVE:
        ship = f"ship{int(position.ship)}"
        return None if before[seat, ship] or position.ship > tiles.SHIPS else f"{ship} drive"
    return None


def read_table(position: Position, codes: Sequence[int], code: int) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the options and the one chosen: a building to seize, or the first drive after a ship has come."""
    family = moves.SEIZE if position.phase == ALONSO else moves.DRIVE
    fitting = {legal: str(key(position, legal)) for legal in codes if moves.NOTATION.read(legal)[0] == family}
    return frozenset(fitting.values()), (fitting[code],) if code in fitting else ()


def name(option: str) -> Phrase:
    """Return the label of the move without what depends on the position."""
    verb, _, thing = option.partition(" ")
    if verb == "drive":
        if thing == _PORT:
            return say("Drive {where}", where=Phrase("to the port", context="drive"))
        cuban = names.cuban(tiles.CUBAN_KEYS.index(thing))
        return say("Drive {where}", where=Phrase("to {cuban}", {"cuban": cuban}, context="drive"))
    if verb == "leave":
        return say("Leave out the die: {die}", die=names.good(tiles.GOOD_KEYS.index(thing)))
    building = tiles.BUILDING_KEYS.index(thing)
    if verb == "seize":
        return say("Seize {building}", building=names.a_building(building))
    return say("Move {to_building}", to_building=names.to_building(building))


TABLES = (
    ChoiceTable(
        say("Buildings seized"),
        {
            "seize 1": Phrase("First building", context="explorer"),
            "seize 2": Phrase("Second building", context="explorer"),
            "seize 3": Phrase("Third building", context="explorer"),
        },
    ),
    ChoiceTable(
        say("First drive after a ship has come"),
        {f"ship{n} drive": Phrase("Ship {n}", {"n": n}, context="explorer") for n in range(1, tiles.SHIPS + 1)},
    ),
)
