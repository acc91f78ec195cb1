"""How a position of Santiago de Cuba is set up by hand: its fields, what follows from them, what contradicts what."""

from __future__ import annotations

from malecon.games.santiago import GAME, names, tiles
from malecon.games.santiago import position as phases
from malecon.kernel.game import Name
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

FIRST_PHASE = "drive"
#: Phases in which a player decides.
DECISIONS = (
    *(phases.DRIVE, phases.PABLO, phases.ZORRO, phases.ALONSO),
    *(phases.VISIT, phases.USE, phases.DELIVER, phases.DEMAND),
)
#: More than any seat has ever had.
MOST = 300
#: All dice are rolled.
ROLLED = len(tiles.DEMANDED)


def _seats(players: int) -> tuple[tuple[str, ...], tuple[Name, ...]]:
    keys = tiles.COLOURS[:players]
    return keys, tuple(COLOURS[key] for key in keys)


def fields(players: int) -> tuple[PositionField, ...]:
    """Return all fields that people set."""
    seats, colours = _seats(players)
    each = Axis(seats, colours)
    cubans = tuple(cuban.name for cuban in tiles.CUBANS)
    buildings = tuple(building.name for building in tiles.BUILDINGS)
    goods = tuple(good.names.bare for good in tiles.GOODS)
    stops = Axis(tuple(str(stop) for stop in range(1, tiles.STOPS)), tuple(map(str, range(1, tiles.STOPS))), 1)
    sites = Axis(
        tuple(str(site + 1) for site in range(tiles.SITES)),
        tuple(
            say(
                "{flower} {number}",
                flower=names.flower(site // tiles.SITES_PER_FLOWER),
                number=site % tiles.SITES_PER_FLOWER + 1,
            )
            for site in range(tiles.SITES)
        ),
    )
    every = Axis(tiles.BUILDING_KEYS, buildings)
    phase_names = {key: entry.name for key, entry in glossary(GAME)["phases"].items()}
    return (
        phase_field(GAME, DECISIONS, phase_names),
        choice_field("active", say("Whose turn it is"), seats, colours),
        choice_field("actor", say("Who decides in a delivery round, or is robbed by El Zorro"), seats, colours),
        choice_field("starter", say("Starting player"), seats, colours),
        number_field("ship", say("Ship in port, from 1 to 7"), 1, tiles.SHIPS),
        number_field("value", say("Value of a good"), tiles.LOWEST_VALUE, tiles.HIGHEST_VALUE),
        number_field("demand", say("Demand"), 0, tiles.HIGHEST_DEMAND, Axis(tiles.DEMANDED, goods[: tiles.WOOD])),
        choice_field("left_out", say("Die left out"), tiles.DEMANDED, goods[: tiles.WOOD], none=True),
        number_field("car", say("Stop of the car; 0 is the port"), 0, tiles.STOPS - 1),
        choice_field("cuban_at", say("Cubans, by stop"), tiles.CUBAN_KEYS, cubans, stops),
        set_field("face_down", say("Face down"), tiles.CUBAN_KEYS, cubans),
        choice_field("building_at", say("Buildings, by flower"), tiles.BUILDING_KEYS, buildings, sites),
        choice_field("owner", say("Owners"), seats, colours, every, none=True),
        choice_field("piece", say("Piece on"), tiles.BUILDING_KEYS, buildings, each, none=True),
        number_field("pesos", say("Pesos"), 0, MOST, each),
        number_field("points", Phrase("Points", context="field"), 0, MOST, each),
        number_field("goods", say("Goods"), 0, tiles.SUPPLY_EACH, each, Axis(tiles.GOOD_KEYS, goods)),
        set_field("passed", say("Passed in this delivery round"), seats, colours),
    )


def complete(position: Position) -> None:
    """Set supply and property markers by what the seats have, the rest by the phase and the dice."""
    players = int(position.players)
    position.supply[:] = tiles.SUPPLY_EACH - position.goods.astype(int).sum(axis=0)
    for seat in range(players):
        position.markers[seat] = tiles.START_MARKERS - int((position.owner == seat).sum())
    if position.phase not in (phases.ZORRO, phases.DELIVER):
        position.actor = position.active
    position.departed = position.phase == phases.DEMAND or not position.demand.any()
    position.step = ROLLED
    if position.departed:
        position.left_out = NOTHING


def violations(position: Position) -> list[Phrase]:
    """Return a sentence for every reason why the position is impossible."""
    reasons, players, phase = [], int(position.players), int(position.phase)
    if len(set(position.cuban_at[1:].tolist())) < tiles.STOPS - 1:
        reasons.append(say("every Cuban stands at one stop"))
    if len(set(position.building_at.tolist())) < tiles.SITES:
        reasons.append(say("every building lies on one site"))
    reasons += [
        say("there are only {most} of a kind: too much {good}", most=tiles.SUPPLY_EACH, good=names.good(good))
        for good in range(len(tiles.GOOD_KEYS))
        if position.supply[good] < 0
    ]
    pieces = [piece for piece in position.piece[:players].tolist() if piece >= 0]
    if len(set(pieces)) < len(pieces):
        reasons.append(say("two pieces cannot stand on one building"))
    if (position.markers[:players] < 0).any():
        reasons.append(say("nobody has more than three property markers"))
    for good in range(len(tiles.DEMANDED)):
        if position.demand[good] > max(tiles.GOODS[good].die):
            reasons.append(say("no die shows that amount of {good}", good=names.good(good)))
    if not position.departed and (position.left_out < 0 or position.demand[position.left_out]):
        reasons.append(say("one die is left out, and nothing is in demand of that kind"))
    return reasons or _of_phase(position, phase)


def _of_phase(position: Position, phase: int) -> list[Phrase]:
    """Return what contradicts the phase, if everything else is possible."""
    cuban = int(position.cuban_at[position.car]) if position.car != tiles.PORT else NOTHING
    is_open = cuban >= 0 and not int(position.face_down) >> cuban & 1
    seat = int(position.active)
    if phase == phases.DRIVE and position.departed:
        return [say("when a turn begins, the ship wants something")]
    if phase == phases.DELIVER:
        if position.car != tiles.PORT or position.departed:
            return [say("goods are delivered only if the car is in the port and the ship wants something")]
        if int(position.passed) >> int(position.actor) & 1:
            return [say("a player who has passed delivers nothing more")]
    needed = {phases.PABLO: tiles.PABLO, phases.ALONSO: tiles.ALONSO, phases.ZORRO: tiles.ZORRO}.get(phase)
    if needed is not None and (cuban != needed or not is_open):
        return [say("for this, the car must stand at {cuban}, whose tile must be face up", cuban=names.cuban(needed))]
    if phase == phases.ZORRO and position.actor == position.active:
        return [say("El Zorro robs the others")]
    if phase == phases.VISIT and (not is_open or not tiles.CUBANS[cuban].flower):
        return [say("a piece moves only if the car stands with somebody who has a flower, face up")]
    if phase == phases.USE:
        if position.piece[seat] < 0:
            return [say("a piece off the board uses no building")]
        if len(legal_codes(GAME, position)) < 2:
            return [say("this building has no use now")]
    return []
