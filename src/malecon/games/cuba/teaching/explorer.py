"""What the explorer asks in Cuba: first goods and cards, buildings in the order they are built, and laws enacted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from malecon.games.cuba import moves, names, tiles
from malecon.games.cuba.position import BUILD, CARD, ENACT
from malecon.games.cuba.text.fields import pair
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.teaching.explorer.choices import ChoiceTable

#: Only this many buildings of each seat are counted.
MOST_BUILDINGS = 4
#: Families that are the steps of an opening: the goods to begin with, cards and buildings.
_STEPS = (moves.START_MATERIALS, moves.START_CROPS, moves.CARD, moves.BUILD)


def key(position: Position, code: int) -> str | None:
    family, _ = moves.NOTATION.read(code)
    return moves.NOTATION.name(code) if family in _STEPS else None


def table(position: Position, seat: int, before: Counter[tuple[int, str]]) -> str | None:
    if position.phase == BUILD and before[seat, "build"] < MOST_BUILDINGS:
        return f"build {before[seat, 'build'] + 1}"
    if position.phase == CARD and not position.played[seat]:
        return f"card {int(position.round_number)}"
    if position.phase == ENACT:
        return f"law {int(position.round_number)}"
    return None


def _law(position: Position, group: int) -> str:
    return f"{tiles.GROUP_KEYS[group]} {tiles.LAW_KEYS[group][int(position.proposal[group])]}"


def read_table(position: Position, codes: Sequence[int], code: int) -> tuple[frozenset[str], tuple[str, ...]]:
    """Return the options and those chosen: a building, unless the seat builds none; two of the laws; or a card."""
    if position.phase == ENACT:
        groups = {group for legal in codes for group in moves.NOTATION.read(legal)[1]}
        return (
            frozenset(_law(position, group) for group in groups),
            tuple(_law(position, group) for group in moves.NOTATION.read(code)[1]),
        )
    family = moves.BUILD if position.phase == BUILD else moves.CARD
    fitting = {legal: moves.NOTATION.name(legal) for legal in codes if moves.NOTATION.read(legal)[0] == family}
    return frozenset(fitting.values()), (fitting[code],) if code in fitting else ()


def name(option: str) -> Phrase:
    """Return the label of the move without what depends on the position."""
    verb, _, thing = option.partition(" ")
    if option in tiles.CHARACTER_KEYS:
        return say("Play {character}", character=names.a_character(tiles.CHARACTER_KEYS.index(option)))
    if verb in ("materials", "crops"):
        first, second = thing.split(" ")
        return say("Take {gain}", gain=pair(tiles.GOOD_KEYS.index(first), tiles.GOOD_KEYS.index(second)))
    if verb == "build":
        return say("Build {building}", building=names.a_building(tiles.BUILDING_KEYS.index(thing)))
    group = tiles.GROUP_KEYS.index(verb)
    return names.law(group, tiles.LAW_KEYS[group].index(thing))


TABLES = (
    ChoiceTable(
        say("Buildings built"),
        {
            "build 1": Phrase("First building", context="explorer"),
            "build 2": Phrase("Second building", context="explorer"),
            "build 3": Phrase("Third building", context="explorer"),
            "build 4": Phrase("Fourth building", context="explorer"),
        },
    ),
    ChoiceTable(
        say("Laws enacted"),
        {f"law {n}": Phrase("Round {n}", {"n": n}, context="explorer") for n in range(1, tiles.ROUNDS + 1)},
    ),
    ChoiceTable(
        say("First card of a round"),
        {f"card {n}": Phrase("Round {n}", {"n": n}, context="explorer") for n in range(1, tiles.ROUNDS + 1)},
    ),
)
