"""The laws of Cuba at work (pp. 10 and 11): tax, duty, subsidies and the two market laws, in this order.

The other four laws act where they apply: drought at the worker, building law at the architect, harbour law in the
harbour, corruption in parliament.
"""

from __future__ import annotations

from malecon.games.cuba import arrays, moves, tiles
from malecon.games.cuba.events import (
    FROM_BOTH,
    FROM_DUTY,
    FROM_SUBSIDY,
    FROM_TAX,
    PAID,
    REFUSED,
    UNABLE,
    change_market,
    held,
    is_crop,
    spend,
)
from malecon.games.cuba.position import END_OF_ROUND, MARKET_LAW, PAY_DUTY, PAY_TAX, SUBSIDIES, plantation
from malecon.games.cuba.rules.buildings import has_pair
from malecon.games.cuba.rules.votes import card_kept, votes_of
from malecon.kernel.common.holdings import change_pesos, change_points
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import Moves, Position


@kernel
def count_buildings(position: Position, seat: int) -> int:
    """Count a seat's buildings, for tax, subsidy and the end; the printed warehouse only if the table says so."""
    kinds = tiles.PRINTED_WAREHOUSE + 1 if position.count_warehouse else tiles.PRINTED_WAREHOUSE
    count = 0
    for field in range(tiles.FIELDS):
        count += 0 <= position.built[seat, field] < kinds
    return count


# --- I: tax


@kernel
def tax_due(position: Position, seat: int) -> int:
    law = int(position.law[tiles.TAX])
    pesos = int(arrays.TAX_PESOS[law])
    return pesos * count_buildings(position, seat) if law == tiles.TAX_PER_BUILDING else pesos


@kernel
def pay_tax(position: Position, seat: int, journal: Journal | None) -> None:
    note(journal, PAID, seat, 0, tiles.TAX, -1)
    due = tax_due(position, seat)
    if due:
        change_pesos(position, seat, -due, FROM_TAX, journal)
    change_points(position, seat, tiles.TAX_POINTS, FROM_TAX, journal)
    position.tax_paid |= 1 << seat


@kernel
def next_taxed(position: Position, journal: Journal | None) -> int:
    """Go on to the next seat that has a choice; one that owes nothing pays, one with too little does not."""
    while position.step < position.players:
        seat = (int(position.starter) + position.step) % position.players
        due = tax_due(position, seat)
        if due == 0:
            pay_tax(position, seat, journal)
        elif due > position.pesos[seat]:
            note(journal, UNABLE, seat, 0, tiles.TAX, -1)
        else:
            position.actor = seat
            return PAY_TAX
        position.step += 1
    position.step = 0
    return PAY_DUTY


@kernel
def list_tax_choices(out: Moves) -> int:
    out[0] = moves.PAY_TAX
    out[1] = moves.REFUSE_TAX
    return 2


@kernel(inline=True)
def answer_tax(position: Position, move: int, journal: Journal | None) -> int:
    seat = int(position.actor)
    if move == moves.PAY_TAX:
        pay_tax(position, seat, journal)
    else:
        note(journal, REFUSED, seat, 0, tiles.TAX, -1)
    position.step += 1
    return PAY_TAX


# --- II: duty


@kernel
def list_duties(position: Position, seat: int, out: Moves) -> int:
    """List the ways to pay, without refusing."""
    law = int(position.law[tiles.DUTY])
    if arrays.DUTY_GOOD[law] != tiles.NOTHING:
        if held(position, seat, arrays.DUTY_GOOD[law]) == 0:
            return 0
        out[0] = moves.PAY_DUTY
        return 1
    first_good = tiles.WOOD if law == tiles.DUTY_MATERIALS else tiles.SUGAR
    first = moves.PAY_MATERIALS if law == tiles.DUTY_MATERIALS else moves.PAY_CROPS
    count = 0
    for pair in range(len(tiles.PAIRS)):
        if has_pair(position, seat, pair, first_good):
            out[count] = first + pair
            count += 1
    return count


@kernel
def can_pay_duty(position: Position, seat: int) -> bool:
    law = int(position.law[tiles.DUTY])
    if arrays.DUTY_GOOD[law] != tiles.NOTHING:
        return held(position, seat, arrays.DUTY_GOOD[law]) > 0
    first_good = tiles.WOOD if law == tiles.DUTY_MATERIALS else tiles.SUGAR
    total = 0
    for kind in range(tiles.KINDS_IN_PAIRS):
        total += held(position, seat, first_good + kind)
    return total > 1


@kernel
def next_dutiable(position: Position, journal: Journal | None) -> int:
    while position.step < position.players:
        seat = (int(position.starter) + position.step) % position.players
        if can_pay_duty(position, seat):
            position.actor = seat
            return PAY_DUTY
        note(journal, UNABLE, seat, 0, tiles.DUTY, -1)
        position.step += 1
    position.step = 0
    return SUBSIDIES


@kernel
def list_duty_choices(position: Position, out: Moves) -> int:
    count = list_duties(position, position.actor, out)
    out[count] = moves.REFUSE_DUTY
    return count + 1


@kernel
def pay_duty(position: Position, seat: int, move: int, journal: Journal | None) -> None:
    """Pay the duty; a seat that has paid the tax as well gets one more point."""
    note(journal, PAID, seat, 0, tiles.DUTY, -1)
    if move == moves.PAY_DUTY:
        spend(position, seat, arrays.DUTY_GOOD[position.law[tiles.DUTY]], 1, FROM_DUTY, journal)
    else:
        spend(position, seat, int(moves.PARTS[move, 0]), 1, FROM_DUTY, journal)
        spend(position, seat, int(moves.PARTS[move, 1]), 1, FROM_DUTY, journal)
    change_points(position, seat, tiles.DUTY_POINTS, FROM_DUTY, journal)
    if position.tax_paid >> seat & 1:
        change_points(position, seat, tiles.BOTH_POINTS, FROM_BOTH, journal)


@kernel(inline=True)
def answer_duty(position: Position, move: int, journal: Journal | None) -> int:
    seat = int(position.actor)
    if move == moves.REFUSE_DUTY:
        note(journal, REFUSED, seat, 0, tiles.DUTY, -1)
    else:
        pay_duty(position, seat, move, journal)
    position.step += 1
    return PAY_DUTY


# --- III: subsidies


@kernel
def count_empty_fields(position: Position, seat: int, of_crops: bool) -> int:
    """Count a seat's fields of crops, or of materials, without a building."""
    plan = plantation(position, seat)
    count = 0
    for field in range(tiles.FIELDS):
        good = arrays.PLANTATIONS[plan, field]
        if good != tiles.YIELDLESS and position.built[seat, field] < 0:
            count += is_crop(good) == of_crops
    return count


@kernel
def subsidy(position: Position, seat: int) -> int:
    """Return the points the subsidy in force gives a seat now."""
    law = position.law[tiles.SUBSIDY]
    if law == tiles.SUBSIDY_BUILDINGS:
        return count_buildings(position, seat)
    if law == tiles.SUBSIDY_MATERIAL_FIELDS:
        return count_empty_fields(position, seat, False)
    if law == tiles.SUBSIDY_CROP_FIELDS:
        return count_empty_fields(position, seat, True)
    if law == tiles.SUBSIDY_WATER:
        return min(int(position.yard[seat, tiles.WATER]), tiles.HIGHEST_SUBSIDY)
    if law == tiles.SUBSIDY_VOTES:
        return votes_of(card_kept(position, seat))
    if law == tiles.SUBSIDY_PESOS:
        return min(int(position.pesos[seat]) // tiles.PESOS_PER_SUBSIDY_POINT, tiles.HIGHEST_SUBSIDY)
    return 0


@kernel
def pay_subsidies(position: Position, journal: Journal | None) -> int:
    for i in range(position.players):
        seat = (position.starter + i) % position.players
        gained = subsidy(position, seat)
        if gained:
            change_points(position, seat, gained, FROM_SUBSIDY, journal)
    return MARKET_LAW


# --- IV: market laws


@kernel
def regulate_market(position: Position, journal: Journal | None) -> int:
    """Apply a market law, as far as market, spaces and supply allow."""
    law = position.law[tiles.OTHER]
    if law == tiles.SHORTAGE or law == tiles.SURPLUS:
        for crop in range(len(tiles.CROPS)):
            if law == tiles.SHORTAGE:
                change = -min(tiles.MARKET_LAW_UNITS, int(position.market[crop]))
            else:
                room = arrays.MARKET_SPACES[crop] - int(position.market[crop])
                change = min(tiles.MARKET_LAW_UNITS, room, int(position.supply[crop]))
            if change:
                position.supply[crop] -= change
                change_market(position, crop, change, journal)
    return END_OF_ROUND
