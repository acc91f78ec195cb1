"""Parliament in Cuba (pp. 6, 9 and 10): proposals, envoys, votes, secret bids, and the two laws enacted."""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import BID as BIDDEN
from malecon.games.cuba.events import (
    ENACTED,
    FROM_BID,
    PROPOSED,
    STARTER,
    TIED,
    VOTES,
    WON,
)
from malecon.games.cuba.position import (
    BID,
    BIDS,
    CARD,
    COUNT_VOTES,
    ENACT,
    ENVOY,
    ENVOYS,
    NONE,
    NOTHING,
    PAY_TAX,
    PROPOSE,
    SECOND_BID,
    SECOND_BIDS,
    UNKNOWN,
)
from malecon.kernel.common.holdings import change_pesos
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position

# --- proposals: one law of each group is turned up


@kernel
def list_proposals(position: Position, out: Moves) -> int:
    group = int(position.step)
    unseen = int(position.unseen_laws[group])
    count = 0
    for law in range(tiles.LAWS_EACH):
        if unseen >> law & 1:
            out[count] = moves.PROPOSE + tiles.LAWS_EACH * group + law
            count += 1
    return count


@kernel
def propose(position: Position, move: int, journal: Journal | None) -> int:
    group = int(position.step)
    law = int(moves.PARTS[move, 1])
    position.unseen_laws[group] ^= 1 << law
    position.proposal[group] = law
    note(journal, PROPOSED, -1, 0, group, law)
    position.step += 1
    if position.step < len(tiles.GROUP_KEYS):
        return PROPOSE
    position.step = 0
    position.active = position.actor = position.starter
    if position.with_envoys:
        position.face_down = ENVOYS
        return ENVOY
    return CARD


# --- envoys, in the variant: the card for parliament is laid down before the others are played


@kernel(inline=True)
def list_envoys(out: Moves) -> int:
    for character in range(len(tiles.CHARACTER_KEYS)):
        out[character] = moves.ENVOY + character
    return len(tiles.CHARACTER_KEYS)


@kernel(inline=True)
def send_envoy(position: Position, move: int) -> int:
    position.envoy[position.actor] = move - moves.ENVOY
    position.actor = (position.actor + 1) % position.players
    return CARD if position.actor == position.starter else ENVOY


# --- votes


@kernel
def pass_start_card(position: Position, journal: Journal | None) -> None:
    """Pass the start card to the player of the highest fourth card; among equals, to the one who played last."""
    best = NONE
    starter = int(position.starter)
    for i in range(position.players):
        seat = (position.starter + i) % position.players
        if position.last_card[seat] >= best:
            best = position.last_card[seat]
            starter = seat
    position.starter = starter
    note(journal, STARTER, starter, 0, -1, -1)


@kernel
def card_kept(position: Position, seat: int) -> int:
    """Return the character a seat sends to parliament: the only one not played."""
    for character in range(len(tiles.CHARACTER_KEYS)):
        if not position.played[seat] >> character & 1:
            return character
    return NONE


@kernel(inline=True)
def votes_of(character: int) -> int:
    """Return the votes of a character's card; none without a card."""
    return 0 if character == NONE else int(arrays.VOTES[character])


@kernel
def open_parliament(position: Position, journal: Journal | None) -> int:
    pass_start_card(position, journal)
    position.face_down = NOTHING
    for i in range(position.players):
        seat = (position.starter + i) % position.players
        character = card_kept(position, seat)
        position.votes[seat] = votes_of(character) + (tiles.TOWN_HALL_VOTES if position.town_hall == seat else 0)
        note(journal, VOTES, seat, position.votes[seat], character, -1)
    if position.law[tiles.OTHER] == tiles.CORRUPTION:
        return COUNT_VOTES
    return open_bidding(position, (1 << int(position.players)) - 1, BIDS)


# --- bids


@kernel
def open_bidding(position: Position, seats: int, kind: int) -> int:
    """Everybody among the seats who has money is asked, one after the other and in secret."""
    position.face_down = kind
    bidders = 0
    for seat in range(position.players):
        position.bid[seat] = UNKNOWN
        if seats >> seat & 1 and position.pesos[seat] > 0:
            bidders |= 1 << seat
    position.bidders = bidders
    return next_bidder(position)


@kernel
def next_bidder(position: Position) -> int:
    bidders = int(position.bidders)
    for i in range(position.players):
        seat = (position.starter + i) % position.players
        if bidders >> seat & 1:
            position.actor = seat
            return BID if position.face_down == BIDS else SECOND_BID
    return COUNT_VOTES


@kernel(inline=True)
def list_bids(position: Position, out: Moves) -> int:
    count = min(int(position.pesos[position.actor]), tiles.HIGHEST_BID) + 1
    for pesos in range(count):
        out[pesos] = moves.BID + pesos
    return count


@kernel(inline=True)
def bid(position: Position, move: int) -> int:
    """Nothing is paid before all bids are in, or the money left would give the bid away."""
    position.bid[position.actor] = move - moves.BID
    position.bidders &= ~(1 << int(position.actor))
    return next_bidder(position)


@kernel
def reveal_bids(position: Position, journal: Journal | None) -> None:
    """All bids are paid, whether they win or not. A bid that a view hides counts as none."""
    for seat in range(position.players):
        pesos = int(position.bid[seat])
        if pesos >= 0:
            note(journal, BIDDEN, seat, pesos, int(position.face_down == SECOND_BIDS), -1)
        if pesos > 0:
            change_pesos(position, seat, -pesos, FROM_BID, journal)
            position.votes[seat] += pesos
        position.bid[seat] = UNKNOWN


@kernel
def count_votes(position: Position, journal: Journal | None) -> int:
    """The most votes win. Equal ones bid once more; still equal, the first of them from the starting player on wins."""
    reveal_bids(position, journal)
    most = 0
    tied = 0
    winner = NONE
    for i in range(position.players):
        seat = (position.starter + i) % position.players
        if position.votes[seat] > most:
            most = int(position.votes[seat])
            winner = seat
            tied = 0
        if position.votes[seat] == most:
            tied |= 1 << seat
    if position.face_down == BIDS and tied & (tied - 1):
        for seat in range(position.players):
            if tied >> seat & 1:
                note(journal, TIED, seat, most, -1, -1)
        return open_bidding(position, tied, SECOND_BIDS)
    position.face_down = NOTHING
    position.active = position.actor = winner
    note(journal, WON, winner, most, -1, -1)
    return ENACT


# --- the winner's choice


@kernel
def list_enactments(position: Position, out: Moves) -> int:
    """List the pairs of the proposals that are left."""
    count = 0
    for pair in range(len(tiles.LAW_PAIRS)):
        if position.proposal[arrays.LAW_PAIR_FIRST[pair]] >= 0 and position.proposal[arrays.LAW_PAIR_SECOND[pair]] >= 0:
            out[count] = moves.ENACT + pair
            count += 1
    return count


@kernel(inline=True)
def enact_law(position: Position, group: int, journal: Journal | None) -> None:
    position.law[group] = position.proposal[group]
    note(journal, ENACTED, position.actor, 0, group, position.law[group])


@kernel
def enact(position: Position, move: int, journal: Journal | None) -> int:
    """Each law replaces the one of its group at once; the proposals not chosen leave the game."""
    enact_law(position, int(moves.PARTS[move, 0]), journal)
    enact_law(position, int(moves.PARTS[move, 1]), journal)
    for group in range(len(tiles.GROUP_KEYS)):
        position.proposal[group] = NONE
    position.step = 0
    position.tax_paid = 0
    return PAY_TAX
