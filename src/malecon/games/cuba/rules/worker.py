"""The worker of Cuba (pp. 6 and 7): the figure activates its row and column, and the fields there give their goods."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import FIGURE as MOVED
from malecon.games.cuba.events import FROM_CHARACTER, NOTHING_LEFT, is_crop, spend, take
from malecon.games.cuba.position import HARVEST, IRRIGATE, NEXT_CARD, plantation
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

SOURCE = FROM_CHARACTER + tiles.WORKER


@kernel(inline=True)
def list_fields(out: Moves) -> int:
    """The figure may go anywhere, or stay where it is."""
    for field in range(tiles.FIELDS):
        out[field] = moves.FIGURE + field
    return tiles.FIELDS


@kernel
def place_figure(position: Position, move: int, journal: Journal | None) -> int:
    """Materials are gained at once, so that water among them can be spent; crops are to be chosen."""
    seat = int(position.active)
    field = move - moves.FIGURE
    position.figure[seat] = field
    note(journal, MOVED, seat, 0, field, -1)
    cross = int(arrays.CROSS[field])
    plan = plantation(position, seat)
    for crop in range(len(tiles.CROPS)):
        position.ripe[crop] = 0
    for activated in range(tiles.FIELDS):
        if cross >> activated & 1 and position.built[seat, activated] < 0:
            good = int(arrays.PLANTATIONS[plan, activated])
            if is_crop(good):
                position.ripe[good] += 1
            elif position.supply[good] > 0:
                take(position, seat, good, 1, SOURCE, journal)
            else:
                note(journal, NOTHING_LEFT, seat, 0, good, -1)
    in_drought = position.law[tiles.OTHER] == tiles.DROUGHT
    position.picks = tiles.FREE_CROP_FIELDS_IN_DROUGHT if in_drought else tiles.FREE_CROP_FIELDS
    return HARVEST


@kernel(inline=True)
def crops_within_reach(position: Position, crop: int) -> int:
    return min(position.ripe[crop], position.supply[crop])


@kernel
def list_harvests(position: Position, first: int, out: Moves) -> int:
    count = 0
    for crop in range(len(tiles.CROPS)):
        if crops_within_reach(position, crop) > 0:
            out[count] = first + crop
            count += 1
    return count


@kernel(inline=True)
def reap(position: Position, crop: int, journal: Journal | None) -> None:
    position.ripe[crop] -= 1
    take(position, position.active, crop, 1, SOURCE, journal)


@kernel
def offer_harvest(position: Position, journal: Journal | None) -> int:
    """Ask only if there is a real choice; what is free and without alternative is simply taken."""
    kinds = 0
    total = 0
    for crop in range(len(tiles.CROPS)):
        within_reach = crops_within_reach(position, crop)
        kinds += within_reach > 0
        total += within_reach
    if kinds > 1 and total > position.picks > 0:
        return HARVEST
    for crop in range(len(tiles.CROPS)):
        while position.picks > 0 and crops_within_reach(position, crop) > 0:
            reap(position, crop, journal)
            position.picks -= 1
    position.picks = 0
    return IRRIGATE


@kernel(inline=True)
def harvest(position: Position, move: int, journal: Journal | None) -> int:
    reap(position, move - moves.HARVEST, journal)
    position.picks -= 1
    return HARVEST


@kernel
def can_irrigate(position: Position) -> bool:
    if position.yard[position.active, tiles.WATER] == 0:
        return False
    for crop in range(len(tiles.CROPS)):
        if crops_within_reach(position, crop) > 0:
            return True
    return False


@kernel
def list_irrigations(position: Position, out: Moves) -> int:
    count = list_harvests(position, moves.IRRIGATE, out)
    out[count] = moves.DONE
    return count + 1


@kernel(inline=True)
def irrigate(position: Position, move: int, journal: Journal | None) -> int:
    """Pay one water for the use of one more crop field."""
    if move == moves.DONE:
        return NEXT_CARD
    spend(position, position.active, tiles.WATER, 1, SOURCE, journal)
    reap(position, move - moves.IRRIGATE, journal)
    return IRRIGATE
