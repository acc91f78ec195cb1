"""The harbour of Cuba (pp. 4, 9 and 12): loading, ships that leave, and the conveyor from the deck to berth 3."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import ARRIVED, CALLED, FULL, LEFT_BEHIND, LOADED, SAILED, give, held
from malecon.games.cuba.position import DRAW_SHIP, NONE
from malecon.kernel.common.holdings import change_points
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import CHANCE, Moves, Position

# --- loading


@kernel(inline=True)
def spaces_left(position: Position, berth: int, good: int) -> int:
    """Return the spaces for a good that are still free on the ship at a berth."""
    ship = position.ship_at[berth]
    if ship < 0:
        return 0
    return arrays.SHIP_WANTS[ship, good] - position.cargo[berth, good]


@kernel(inline=True)
def most_loadable(position: Position, seat: int, berth: int, good: int) -> int:
    return min(spaces_left(position, berth, good), held(position, seat, good))


@kernel
def load(
    position: Position, seat: int, berth: int, good: int, count: int, source: int, journal: Journal | None
) -> None:
    """Load units of one good onto the ship at a berth; each gives as many points as the berth's number."""
    give(position, seat, good, count, source, journal)
    position.cargo[berth, good] += count
    for _ in range(count):
        note(journal, LOADED, seat, berth, good, position.ship_at[berth])
    change_points(position, seat, count * berth, source, journal)


@kernel(inline=True)
def is_full(position: Position, berth: int) -> bool:
    loaded = 0
    for good in range(len(tiles.TRADE_GOODS)):
        loaded += position.cargo[berth, good]
    return loaded == tiles.CARGO


# --- leaving


@kernel
def depart(position: Position, berth: int, how: int, journal: Journal | None) -> None:
    """The cargo goes back to the supply, the card under the deck."""
    ship = position.ship_at[berth]
    note(journal, SAILED, -1, berth, ship, how)
    for good in range(len(tiles.TRADE_GOODS)):
        position.supply[good] += position.cargo[berth, good]
        position.cargo[berth, good] = 0
    position.queue[position.queued] = ship
    position.queued += 1
    position.ship_at[berth] = NONE


@kernel
def close_up(position: Position, journal: Journal | None) -> None:
    """The ships left, the one on the high seas among them, move up towards berth 3 in their order."""
    free = tiles.BERTHS
    for place in range(tiles.BERTHS, -1, -1):
        ship = position.ship_at[place]
        if ship >= 0:
            if place < free:
                position.ship_at[free] = ship
                position.ship_at[place] = NONE
                for good in range(len(tiles.TRADE_GOODS)):
                    position.cargo[free, good] = position.cargo[place, good]
                    position.cargo[place, good] = 0
                note(journal, ARRIVED, -1, free, ship, -1)
            free -= 1


@kernel
def leaves_at_once(position: Position, berth: int, journal: Journal | None) -> bool:
    """Under the harbour law a full ship does not wait for the end of the round; the others move up at once."""
    if position.law[tiles.OTHER] != tiles.HARBOUR_LAW or not is_full(position, berth):
        return False
    depart(position, berth, FULL, journal)
    close_up(position, journal)
    return True


@kernel
def end_of_round_in_harbour(position: Position, journal: Journal | None) -> None:
    """Full ships leave, and in any case the one at berth 3, which has none in the first round. Berth 3 goes first."""
    for berth in range(tiles.BERTHS, 0, -1):
        if position.ship_at[berth] >= 0:
            if is_full(position, berth):
                depart(position, berth, FULL, journal)
            elif berth == tiles.BERTHS:
                depart(position, berth, LEFT_BEHIND, journal)
    close_up(position, journal)


# --- the deck: cards in no known order on top, those that left under them in theirs


@kernel(inline=True)
def empty_place(position: Position) -> int:
    """Return the empty place nearest to berth 3, or NONE; in the setup berth 3 stays empty."""
    last = tiles.BERTH_NOT_USED_AT_FIRST - 1 if position.round_number == 0 else tiles.BERTHS
    for place in range(last, -1, -1):
        if position.ship_at[place] < 0:
            return place
    return NONE


@kernel(inline=True)
def place_ship(position: Position, ship: int, journal: Journal | None) -> None:
    place = empty_place(position)
    position.ship_at[place] = ship
    note(journal, ARRIVED, -1, place, ship, -1)


@kernel
def fill_harbour(position: Position, journal: Journal | None) -> int:
    """Chance draws while part of the deck is unseen; after that everybody knows which card comes."""
    while empty_place(position) != NONE:
        if position.unseen_ships:
            position.actor = CHANCE
            return DRAW_SHIP
        ship = int(position.queue[0])
        position.queued -= 1
        for i in range(position.queued):
            position.queue[i] = position.queue[i + 1]
        position.queue[position.queued] = NONE
        place_ship(position, ship, journal)
    return position.resume


@kernel
def list_draws(position: Position, out: Moves) -> int:
    count = 0
    unseen = int(position.unseen_ships)
    for ship in range(tiles.SHIPS):
        if unseen >> ship & 1:
            out[count] = moves.DRAW + ship
            count += 1
    return count


@kernel(inline=True)
def draw_ship(position: Position, move: int, journal: Journal | None) -> int:
    ship = move - moves.DRAW
    position.unseen_ships ^= 1 << ship
    place_ship(position, ship, journal)
    return DRAW_SHIP


@kernel(inline=True)
def deck(position: Position) -> int:
    """Return all cards of the deck, as a bit mask."""
    cards = int(position.unseen_ships)
    for i in range(position.queued):
        cards |= 1 << int(position.queue[i])
    return cards


@kernel
def call_ship(position: Position, seat: int, ship: int, journal: Journal | None) -> None:
    """Swap the ship on the high seas for one of the deck (lighthouse); then the whole deck is shuffled."""
    replaced = int(position.ship_at[tiles.HIGH_SEA])
    position.unseen_ships = deck(position) ^ (1 << ship) | 1 << replaced
    for i in range(position.queued):
        position.queue[i] = NONE
    position.queued = 0
    position.ship_at[tiles.HIGH_SEA] = ship
    note(journal, CALLED, seat, 0, ship, replaced)
