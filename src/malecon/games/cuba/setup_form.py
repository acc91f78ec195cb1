"""How a position of Cuba is set up by hand: its fields, what follows from them, and what contradicts what."""

from __future__ import annotations

import numpy as np

from malecon.games.cuba import GAME, arrays, names, tiles
from malecon.games.cuba import position as phases
from malecon.games.cuba.rules.laws import tax_due
from malecon.games.cuba.rules.votes import card_kept, votes_of
from malecon.kernel.common.records import keys
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position
from malecon.kernel.view import legal_codes
from malecon.match.setup import COLOURS
from malecon.teaching.analysis.position_fields import (
    NOTHING,
    Axis,
    PositionField,
    choice_field,
    number_field,
    phase_field,
    set_field,
)
from malecon.text.game_text import glossary

FIRST_PHASE = "card"
#: Which card is being played in a phase.
PLAYING = {
    phases.FIGURE: tiles.WORKER,
    phases.HARVEST: tiles.WORKER,
    phases.IRRIGATE: tiles.WORKER,
    phases.TRADE: tiles.MERCHANT,
    phases.BUILD: tiles.ARCHITECT,
    phases.SITE: tiles.ARCHITECT,
    phases.USE: tiles.FOREMAN,
    phases.SHIP: tiles.MAYOR,
}
BIDDING = (phases.BID, phases.SECOND_BID)
PAYING = (phases.PAY_TAX, phases.PAY_DUTY)
PARLIAMENT = (*BIDDING, phases.ENACT, *PAYING)
#: Phases in which a player decides.
DECISIONS = (phases.CARD, *PLAYING, *PARLIAMENT, phases.ENVOY)
#: More than any seat has ever had.
MOST = 300
MOST_PIECES = int(arrays.PIECES.max())
WAREHOUSES = (arrays.PLANTATIONS == tiles.YIELDLESS).argmax(axis=1)


def fields(players: int) -> tuple[PositionField, ...]:
    """Return all fields that people set."""
    seats = tiles.COLOURS[:players]
    colours = tuple(COLOURS[key] for key in seats)
    each = Axis(seats, colours)
    good_names = tuple(good.names.bare for good in tiles.GOODS)
    goods = Axis(tiles.GOOD_KEYS, good_names)
    crops = Axis(tiles.CROPS, good_names[: len(tiles.CROPS)])
    trade = Axis(tiles.TRADE_GOODS, good_names[: len(tiles.TRADE_GOODS)])
    plots = tuple(str(field + 1) for field in range(tiles.FIELDS))
    places = tuple(names.place(berth) for berth in range(tiles.BERTHS + 1))
    ships = tuple(names.spaces(ship) for ship in range(tiles.SHIPS))
    building_names = tuple(building.name for building in tiles.BUILDINGS)
    character_names = tuple(character.name for character in tiles.CHARACTERS)
    group_names = tuple(group.name for group in tiles.GROUPS)
    groups = [
        (keys(group.laws), tuple(law.name for law in group.laws), Axis((group.key,), (group.name,), number))
        for number, group in enumerate(tiles.GROUPS)
    ]
    phase_names = {key: entry.name for key, entry in glossary(GAME)["phases"].items()}
    return (
        phase_field(GAME, DECISIONS, phase_names),
        number_field("round_number", say("Round"), 1, tiles.ROUNDS),
        choice_field("starter", say("Starting player"), seats, colours),
        set_field("played", say("Cards played"), tiles.CHARACTER_KEYS, character_names, each),
        choice_field("last_card", say("Last card played"), tiles.CHARACTER_KEYS, character_names, each, none=True),
        number_field("pesos", say("Pesos"), 0, MOST, each),
        number_field("points", Phrase("Points", context="field"), 0, MOST, each),
        number_field("yard", say("In the yard"), 0, MOST_PIECES, each, goods),
        number_field("stored", say("In the warehouse"), 0, MOST_PIECES, each, crops),
        choice_field("figure", say("Figure on field"), plots, plots, each),
        choice_field("built", say("Buildings, by field"), keys(tiles.STANDING),
               (*building_names, names.field(tiles.YIELDLESS)), each, Axis(plots, plots), none=True),
        number_field("market", say("On the market"), 0, int(arrays.MARKET_SPACES.max()), trade),
        choice_field("ship_at", say("Ships"), tiles.SHIP_KEYS, ships, Axis(tuple("0123"), places), none=True),
        number_field("cargo", say("Cargo"), 0, tiles.CARGO, Axis(tuple("123"), places[1:], 1), trade),
        choice_field("queue", say("Ships under the deck, in order"), tiles.SHIP_KEYS, ships,
               Axis(tuple(str(n + 1) for n in range(tiles.SHIPS)), tuple(str(n + 1) for n in range(tiles.SHIPS))),
               none=True),
        *(choice_field("proposal", say("Proposal"), *laws, none=True) for laws in groups),
        *(choice_field("law", say("Law in force"), *laws, none=True) for laws in groups),
        *(set_field("unseen_laws", say("Laws not turned up yet"), *laws) for laws in groups),
        number_field("material_picked", say("The Merchant’s free material is taken"), 0, 1),
        number_field("crop_picked", say("The Merchant’s free crop is taken"), 0, 1),
        number_field("not_built", say("Went without building"), 0, len(arrays.ARCHITECT_POINTS) - 1),
        number_field("not_shipped", say("Went without shipping"), 0, len(arrays.MAYOR_PESOS) - 1),
        choice_field("town_hall", say("Used the Town hall this round"), seats, colours, none=True),
        choice_field("vetoed", say("Group vetoed this round"), tiles.GROUP_KEYS, group_names, none=True),
        choice_field("vetoed_before", say("Group vetoed the round before"), tiles.GROUP_KEYS, group_names, none=True),
        number_field("picks", say("Worker: crops still free"), 0, tiles.FREE_CROP_FIELDS),
        number_field("ripe", say("Worker: crop fields not used yet"), 0, 6, crops),
        set_field("bought", say("Merchant: bought"), tiles.TRADE_GOODS, trade.names),
        set_field("sold", say("Merchant: sold"), tiles.TRADE_GOODS, trade.names),
        choice_field("planned", say("Architect: building to place"), tiles.BUILDING_KEYS, building_names, none=True),
        set_field("used", say("Foreman: fields used"), plots, plots),
        number_field("berth", say("Mayor: berth being loaded"), 0, tiles.BERTHS),
        choice_field("active", say("In parliament: who has won, or played last"), seats, colours, none=True),
        choice_field("actor", say("At tax, duty and envoys: who decides"), seats, colours),
        number_field("votes", say("Votes"), 0, MOST, each),
        number_field("bid", say("Bids; −1: none yet"), NOTHING, tiles.HIGHEST_BID, each),
        set_field("tax_paid", say("Has paid the tax"), seats, colours),
        choice_field("envoy", say("Envoys"), tiles.CHARACTER_KEYS, character_names, each, none=True),
    )  # fmt: skip


def complete(position: Position) -> None:
    """Set supply, tiles and deck by what is on the table; the seat that decides, mostly by the phase and the cards."""
    players, phase = int(position.players), int(position.phase)
    held = position.yard.astype(int).sum(axis=0)
    held[: len(tiles.CROPS)] += position.stored.astype(int).sum(axis=0)
    held[: len(tiles.TRADE_GOODS)] += position.market + position.cargo.astype(int).sum(axis=0)
    position.supply[:] = arrays.PIECES - held
    standing = [
        int(building)
        for building in (*position.built.flat, position.planned)
        if 0 <= building < len(tiles.BUILDING_KEYS)
    ]
    position.buildings_left[:] = arrays.BUILDING_TILES - np.bincount(standing, minlength=len(tiles.BUILDING_KEYS))
    lying = [int(ship) for ship in (*position.ship_at, *position.queue) if ship >= 0]
    position.queued = int((position.queue >= 0).sum())
    position.unseen_ships = (1 << tiles.SHIPS) - 1 & ~sum(1 << ship for ship in set(lying))
    position.resume = phases.CHOOSE_STARTER if position.round_number == 1 else phases.NEXT_ROUND
    starter, cards = int(position.starter), sum(int(played).bit_count() for played in position.played[:players])
    position.step = 0
    position.face_down = phases.NOTHING
    position.bidders = 0
    if phase == phases.CARD or phase in PLAYING:
        position.step = max(0, cards - (phase in PLAYING))
        position.active = position.actor = (starter + int(position.step)) % players
    elif phase == phases.ENVOY:
        position.active = starter
    elif phase in PAYING:
        position.step = (int(position.actor) - starter) % players
    elif phase == phases.ENACT:
        position.actor = position.active
    if position.with_envoys and phase not in PARLIAMENT:
        position.face_down = phases.ENVOYS
    if phase in BIDDING:
        _complete_bids(position, players, phase)


def _complete_bids(position: Position, players: int, phase: int) -> None:
    """Set who is still to bid: the seats that may, have money and have not bid yet."""
    position.face_down = phases.BIDS if phase == phases.BID else phases.SECOND_BIDS
    if phase == phases.BID:
        for seat in range(players):
            hall = tiles.TOWN_HALL_VOTES if position.town_hall == seat else 0
            position.votes[seat] = votes_of(card_kept(position, seat)) + hall
    most = int(position.votes[:players].max())
    order = [(int(position.starter) + i) % players for i in range(players)]
    eligible = [seat for seat in order if phase == phases.BID or position.votes[seat] == most]
    left = [seat for seat in eligible if position.pesos[seat] > 0 and position.bid[seat] < 0]
    position.bidders = sum(1 << seat for seat in left)
    position.actor = left[0] if left else order[0]


def violations(position: Position) -> list[Phrase]:
    """Return a sentence for every reason why the position is impossible."""
    reasons = _of_pieces(position) + _of_ships(position) + _of_laws(position)
    players = int(position.players)
    for seat in range(players):
        warehouse = int(WAREHOUSES[phases.plantation(position, seat)])
        printed = [field for field in range(tiles.FIELDS) if position.built[seat, field] == tiles.PRINTED_WAREHOUSE]
        if printed != [warehouse]:
            text = say("{who}: the printed warehouse lies on field {field}, and nowhere else")
            reasons.append(text.fill(who=COLOURS[tiles.COLOURS[seat]], field=warehouse + 1))
    return reasons or _of_cards(position) or _of_phase(position)


def _of_pieces(position: Position) -> list[Phrase]:
    reasons = [
        say("there are only {most} of a kind: too much {good}", most=int(arrays.PIECES[good]), good=names.good(good))
        for good in range(len(tiles.GOOD_KEYS))
        if position.supply[good] < 0
    ]
    reasons += [
        say("there are not so many tiles: {building}", building=names.building(building))
        for building in range(len(tiles.BUILDING_KEYS))
        if position.buildings_left[building] < 0
    ]
    reasons += [
        say("the market has no room for that amount of {good}", good=names.good(good))
        for good in range(len(tiles.TRADE_GOODS))
        if position.market[good] > arrays.MARKET_SPACES[good]
    ]
    return reasons


def _of_ships(position: Position) -> list[Phrase]:
    reasons = []
    ships = [int(ship) for ship in (*position.ship_at, *position.queue) if ship >= 0]
    if len(set(ships)) < len(ships):
        reasons.append(say("every ship card lies in one place"))
    may_be_empty = tiles.BERTH_NOT_USED_AT_FIRST if position.round_number == 1 else NOTHING
    if any(position.ship_at[berth] < 0 and berth != may_be_empty for berth in range(tiles.BERTHS + 1)):
        reasons.append(say("a ship lies at every berth and on the high seas; berth 3 is empty in the first round only"))
    if (position.queue[: position.queued] < 0).any():
        reasons.append(say("ships under the deck lie one behind the other"))
    for berth in range(1, tiles.BERTHS + 1):
        ship = int(position.ship_at[berth])
        spaces = arrays.SHIP_WANTS[ship] if ship >= 0 else np.zeros(len(tiles.TRADE_GOODS), np.int8)
        if (position.cargo[berth] > spaces).any():
            reasons.append(say("the ship at berth {berth} has no space for this cargo", berth=berth))
    return reasons


def _of_laws(position: Position) -> list[Phrase]:
    reasons = []
    if position.law[tiles.TAX] < 0 or position.law[tiles.DUTY] < 0:
        reasons.append(say("a tax and a duty are always in force"))
    after = position.phase in PAYING
    for group in range(len(tiles.GROUP_KEYS)):
        unseen, proposal = int(position.unseen_laws[group]), int(position.proposal[group])
        if unseen.bit_count() != tiles.LAWS_EACH - int(position.round_number):
            text = say("{group}: of six laws one is turned up in each round, so {left} are left")
            left = tiles.LAWS_EACH - int(position.round_number)
            reasons.append(text.fill(group=names.group(group), left=left))
        if proposal >= 0 and unseen >> proposal & 1:
            reasons.append(say("{group}: the proposal is among the laws not turned up yet", group=names.group(group)))
        if (proposal < 0) != (after or position.vetoed == group):
            text = say("{group}: there is a proposal until parliament has decided, unless it was vetoed")
            reasons.append(text.fill(group=names.group(group)))
    return reasons


def _of_cards(position: Position) -> list[Phrase]:
    """Cards go round from the starting player; in parliament everybody has played four."""
    reasons, players, phase = [], int(position.players), int(position.phase)
    for i in range(players):
        seat = (int(position.starter) + i) % players
        played, last = int(position.played[seat]), int(position.last_card[seat])
        who = COLOURS[tiles.COLOURS[seat]]
        due = tiles.CARDS_PLAYED
        if phase not in PARLIAMENT:
            due = 0 if phase == phases.ENVOY else (int(position.step) + players - 1 - i) // players
            due += phase in PLAYING and seat == position.active
        if played.bit_count() != due:
            reasons.append(say("{who}: the number of cards played is {due} by now, not {cards}",
                             who=who, due=due, cards=played.bit_count()))  # fmt: skip
        elif (last < 0) != (played == 0) or (last >= 0 and not played >> last & 1):
            reasons.append(say("{who}: the last card is one of those played", who=who))
        envoy = int(position.envoy[seat])
        if envoy >= 0 and (not position.with_envoys or played >> envoy & 1):
            reasons.append(say("{who}: the envoy is a card that is not played, in the variant with envoys", who=who))
    return reasons


def _of_phase(position: Position) -> list[Phrase]:
    """Return what contradicts the phase, if everything else is possible."""
    phase, seat = int(position.phase), int(position.actor)
    who = COLOURS[tiles.COLOURS[seat]]
    reasons = _of_the_turn(position, phase)
    if phase in PLAYING and position.last_card[seat] != PLAYING[phase]:
        reasons.append(say("{who} has just played another card", who=who))
    if phase == phases.ENVOY and not position.with_envoys:
        reasons.append(say("there are no envoys at this table"))
    if phase in BIDDING and (not position.bidders or position.law[tiles.OTHER] == tiles.CORRUPTION):
        reasons.append(say("nobody is left to bid"))
    if phase in BIDDING and (position.bid[: position.players] > position.pesos[: position.players]).any():
        reasons.append(say("nobody bids more than they have"))
    votes = position.votes[: position.players]
    if phase == phases.SECOND_BID and (votes == votes.max()).sum() < 2:
        reasons.append(say("a second bid needs a tie"))
    if phase not in BIDDING and (position.bid >= 0).any():
        reasons.append(say("bids lie on the table only while people bid"))
    if phase in (phases.ENACT, *PAYING) and position.active < 0:
        reasons.append(say("somebody has won parliament"))
    if phase == phases.PAY_TAX and not 0 < tax_due(position, seat) <= position.pesos[seat]:
        reasons.append(say("{who} cannot pay the tax, or owes none", who=who))
    wants_choice = phase in (phases.TRADE, phases.BUILD, phases.USE, phases.SHIP, phases.IRRIGATE, phases.PAY_DUTY)
    if not reasons and wants_choice and len(legal_codes(GAME, position)) < 2:
        reasons.append(say("{who} has nothing to choose from here", who=who))
    return reasons


def _of_the_turn(position: Position, phase: int) -> list[Phrase]:
    """Return what belongs to another card than the one being played, or cannot be while it is played."""
    reasons, seat = [], int(position.active)
    is_worker = phase in (phases.HARVEST, phases.IRRIGATE)
    idle = (
        (position.ripe.any() or position.picks) and not is_worker,
        (position.bought or position.sold) and phase != phases.TRADE,
        (position.planned >= 0) != (phase == phases.SITE),
        position.used and phase != phases.USE,
        position.berth and phase != phases.SHIP,
    )
    if any(idle):
        reasons.append(say("something is filled in that belongs to another card than the one being played"))
    if position.bought & position.sold:
        reasons.append(say("nobody buys and sells the same kind in one turn"))
    if is_worker:
        cross = int(arrays.CROSS[position.figure[seat]])
        plan = phases.plantation(position, seat)
        reach = [field for field in range(tiles.FIELDS) if cross >> field & 1 and position.built[seat, field] < 0]
        for crop in range(len(tiles.CROPS)):
            if position.ripe[crop] > sum(arrays.PLANTATIONS[plan, field] == crop for field in reach):
                reasons.append(say("the figure does not reach so many fields: {good}", good=names.good(crop)))
        if (phase == phases.HARVEST) != (position.picks > 0):
            reasons.append(say("crops are free during the harvest, and only then"))
    if any(int(position.used) >> field & 1 and position.built[seat, field] < 0 for field in range(tiles.FIELDS)):
        reasons.append(say("only fields with a building can have been used"))
    return reasons
