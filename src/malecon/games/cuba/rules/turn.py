"""The rounds of Cuba as a flat machine: what may be done in each phase, and which phase follows.

Each step returns the next phase; `settle` passes through the automatic ones. No step calls back into `play`.
"""

from __future__ import annotations

from malecon.games.cuba import moves, tiles
from malecon.games.cuba.events import CARD as PLAYED
from malecon.games.cuba.events import (
    FROM_END_OF_ROUND,
    FROM_FINAL_BUILDINGS,
    GAME_OVER,
    IDLE,
    ROUND,
    spend,
)
from malecon.games.cuba.position import (
    BID,
    BUILD,
    CARD,
    CHOOSE_STARTER,
    COUNT_VOTES,
    DRAW_SHIP,
    ENACT,
    END_OF_ROUND,
    ENVOY,
    FIGURE,
    HARVEST,
    IRRIGATE,
    MARKET_LAW,
    NEXT_CARD,
    NEXT_ROUND,
    NONE,
    NOTHING,
    OVER,
    PARLIAMENT,
    PAY_DUTY,
    PAY_TAX,
    PROPOSE,
    SECOND_BID,
    SHIP,
    SITE,
    START_CROPS,
    START_MATERIALS,
    SUBSIDIES,
    TRADE,
    UNKNOWN,
    USE,
)
from malecon.games.cuba.rules.architect import build, forgo_building, list_buildings, list_sites, place_building
from malecon.games.cuba.rules.foreman import list_foremans_uses, use_building
from malecon.games.cuba.rules.harbour import draw_ship, end_of_round_in_harbour, fill_harbour, list_draws
from malecon.games.cuba.rules.laws import (
    answer_duty,
    answer_tax,
    count_buildings,
    list_duty_choices,
    list_tax_choices,
    next_dutiable,
    next_taxed,
    pay_subsidies,
    regulate_market,
)
from malecon.games.cuba.rules.mayor import list_shipments, offer_shipping, ship
from malecon.games.cuba.rules.merchant import has_traded, list_trades, trade
from malecon.games.cuba.rules.setup import (
    choose_starter,
    list_pairs,
    list_starters,
    take_start_crops,
    take_start_materials,
)
from malecon.games.cuba.rules.votes import (
    bid,
    count_votes,
    enact,
    list_bids,
    list_enactments,
    list_envoys,
    list_proposals,
    open_parliament,
    propose,
    send_envoy,
)
from malecon.games.cuba.rules.worker import (
    can_irrigate,
    harvest,
    irrigate,
    list_fields,
    list_harvests,
    list_irrigations,
    offer_harvest,
    place_figure,
)
from malecon.kernel.common.holdings import change_points
from malecon.kernel.compile import kernel
from malecon.kernel.journal import Journal, note
from malecon.kernel.verbs import CHANCE, NOBODY, Moves, Position

# --- rounds


@kernel
def start_round(position: Position, journal: Journal | None) -> int:
    position.round_number += 1
    position.step = 0
    position.actor = CHANCE
    note(journal, ROUND, position.starter, position.round_number, -1, -1)
    return PROPOSE


@kernel
def clear_yards(position: Position, journal: Journal | None) -> None:
    """Crops that are not in a warehouse are lost; materials and wares may stay in the yard."""
    for seat in range(position.players):
        for crop in range(len(tiles.CROPS)):
            lost = position.yard[seat, crop]
            if lost > 0:
                spend(position, seat, crop, lost, FROM_END_OF_ROUND, journal)


@kernel
def end_round(position: Position, journal: Journal | None) -> int:
    """Nothing of this matters after the last round (p. 12)."""
    if position.round_number == tiles.ROUNDS:
        return finish(position, journal)
    clear_yards(position, journal)
    position.material_picked = position.crop_picked = 0
    position.not_built = position.not_shipped = 0
    position.vetoed_before = position.vetoed
    position.vetoed = NONE
    position.town_hall = NONE
    position.active = NONE
    for seat in range(position.players):
        position.played[seat] = 0
        position.last_card[seat] = NONE
        position.envoy[seat] = UNKNOWN
        position.votes[seat] = 0
    end_of_round_in_harbour(position, journal)
    position.resume = NEXT_ROUND
    return DRAW_SHIP


@kernel
def finish(position: Position, journal: Journal | None) -> int:
    for seat in range(position.players):
        gained = tiles.FINAL_POINTS_PER_BUILDING * count_buildings(position, seat)
        if gained:
            change_points(position, seat, gained, FROM_FINAL_BUILDINGS, journal)
    position.actor = NOBODY
    note(journal, GAME_OVER, -1, 0, -1, -1)
    return OVER


@kernel
def break_off(position: Position, journal: Journal | None) -> None:
    """End a game that has lasted too long: the last count comes now, and what lies face down is turned up."""
    position.face_down = NOTHING
    position.phase = finish(position, journal)


# --- cards


@kernel
def list_cards(position: Position, out: Moves) -> int:
    seat = int(position.active)
    count = 0
    for character in range(len(tiles.CHARACTER_KEYS)):
        if not position.played[seat] >> character & 1 and position.envoy[seat] != character:
            out[count] = moves.CARD + character
            count += 1
    return count


@kernel
def play_card(position: Position, move: int, journal: Journal | None) -> int:
    seat = int(position.active)
    character = move - moves.CARD
    position.played[seat] |= 1 << character
    position.last_card[seat] = character
    note(journal, PLAYED, seat, 0, character, -1)
    if character == tiles.WORKER:
        return FIGURE
    if character == tiles.MERCHANT:
        return TRADE
    if character == tiles.ARCHITECT:
        return BUILD
    return USE if character == tiles.FOREMAN else SHIP


@kernel
def next_card(position: Position) -> int:
    """Go on to the next seat clockwise, until everybody has played four cards."""
    position.picks = 0
    for crop in range(len(tiles.CROPS)):
        position.ripe[crop] = 0
    position.bought = position.sold = 0
    position.used = 0
    position.berth = 0
    position.step += 1
    if position.step == tiles.CARDS_PLAYED * position.players:
        position.step = 0
        return PARLIAMENT
    position.active = position.actor = (position.active + 1) % position.players
    return CARD


# --- the machine


@kernel
def settle(position: Position, phase: int, journal: Journal | None) -> int:
    """Pass through automatic phases to the next decision, or to chance, or to the end."""
    while True:
        if phase == NEXT_CARD:
            phase = next_card(position)
        elif phase == HARVEST:
            phase = offer_harvest(position, journal)
            if phase == HARVEST:
                return HARVEST
        elif phase == IRRIGATE:
            if can_irrigate(position):
                return IRRIGATE
            phase = NEXT_CARD
        elif phase == TRADE:
            if list_trades(position, None) > 0:
                return TRADE
            if not has_traded(position):
                note(journal, IDLE, position.active, 0, tiles.MERCHANT, -1)
            phase = NEXT_CARD
        elif phase == BUILD:
            if list_buildings(position, None) > 0:
                return BUILD
            phase = forgo_building(position, journal)
        elif phase == USE:
            position.actor = position.active  # chance may have drawn a ship
            if list_foremans_uses(position, None) > 0:
                return USE
            if position.used == 0:
                note(journal, IDLE, position.active, 0, tiles.FOREMAN, -1)
            phase = NEXT_CARD
        elif phase == SHIP:
            phase = offer_shipping(position, journal)
            if phase == SHIP:
                return SHIP
        elif phase == DRAW_SHIP:
            phase = fill_harbour(position, journal)
            if phase == DRAW_SHIP:
                return DRAW_SHIP
        elif phase == PARLIAMENT:
            phase = open_parliament(position, journal)
        elif phase == COUNT_VOTES:
            phase = count_votes(position, journal)
        elif phase == PAY_TAX:
            phase = next_taxed(position, journal)
            if phase == PAY_TAX:
                return PAY_TAX
        elif phase == PAY_DUTY:
            phase = next_dutiable(position, journal)
            if phase == PAY_DUTY:
                return PAY_DUTY
        elif phase == SUBSIDIES:
            phase = pay_subsidies(position, journal)
        elif phase == MARKET_LAW:
            phase = regulate_market(position, journal)
        elif phase == END_OF_ROUND:
            phase = end_round(position, journal)
        elif phase == NEXT_ROUND:
            phase = start_round(position, journal)
        else:
            return phase


@kernel
def legal(position: Position, out: Moves) -> int:
    phase = position.phase
    if phase == CARD:
        return list_cards(position, out)
    if phase == FIGURE:
        return list_fields(out)
    if phase == HARVEST:
        return list_harvests(position, moves.HARVEST, out)
    if phase == IRRIGATE:
        return list_irrigations(position, out)
    if phase == TRADE:
        count = list_trades(position, out)
        out[count] = moves.DONE
        return count + 1
    if phase == BUILD:
        count = list_buildings(position, out)
        out[count] = moves.FORGO
        return count + 1
    if phase == SITE:
        return list_sites(position, out)
    if phase == USE:
        count = list_foremans_uses(position, out)
        out[count] = moves.DONE
        return count + 1
    if phase == SHIP:
        count = list_shipments(position, out)
        out[count] = moves.DONE if position.berth else moves.FORGO
        return count + 1
    if BID <= phase <= SECOND_BID:
        return list_bids(position, out)
    if phase == ENACT:
        return list_enactments(position, out)
    if phase == PAY_TAX:
        return list_tax_choices(out)
    if phase == PAY_DUTY:
        return list_duty_choices(position, out)
    if phase == PROPOSE:
        return list_proposals(position, out)
    if phase == DRAW_SHIP:
        return list_draws(position, out)
    if phase == ENVOY:
        return list_envoys(out)
    if phase == START_MATERIALS:
        return list_pairs(moves.START_MATERIALS, out)
    if phase == START_CROPS:
        return list_pairs(moves.START_CROPS, out)
    if phase == CHOOSE_STARTER:
        return list_starters(position, out)
    return 0


@kernel
def play_logged(position: Position, move: int, journal: Journal | None) -> None:
    phase = position.phase
    if phase == CARD:
        phase = play_card(position, move, journal)
    elif phase == FIGURE:
        phase = place_figure(position, move, journal)
    elif phase == HARVEST:
        phase = harvest(position, move, journal)
    elif phase == IRRIGATE:
        phase = irrigate(position, move, journal)
    elif phase == TRADE:
        phase = trade(position, move, journal)
    elif phase == BUILD:
        phase = build(position, move, journal)
    elif phase == SITE:
        phase = place_building(position, move, journal)
    elif phase == USE:
        phase = use_building(position, move, journal)
    elif phase == SHIP:
        phase = ship(position, move, journal)
    elif BID <= phase <= SECOND_BID:
        phase = bid(position, move)
    elif phase == ENACT:
        phase = enact(position, move, journal)
    elif phase == PAY_TAX:
        phase = answer_tax(position, move, journal)
    elif phase == PAY_DUTY:
        phase = answer_duty(position, move, journal)
    elif phase == PROPOSE:
        phase = propose(position, move, journal)
    elif phase == DRAW_SHIP:
        phase = draw_ship(position, move, journal)
    elif phase == ENVOY:
        phase = send_envoy(position, move)
    elif phase == START_MATERIALS:
        phase = take_start_materials(position, move, journal)
    elif phase == START_CROPS:
        phase = take_start_crops(position, move, journal)
    elif phase == CHOOSE_STARTER:
        phase = choose_starter(position, move)
    position.phase = settle(position, phase, journal)


@kernel
def play(position: Position, move: int) -> None:
    play_logged(position, move, None)


# --- standings


@kernel
def standing(position: Position, seat: int) -> int:
    """Rank by points, then pesos (p. 12)."""
    return int(position.points[seat]) * 100_000 + int(position.pesos[seat])
