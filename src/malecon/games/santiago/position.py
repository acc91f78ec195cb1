"""A position of Santiago de Cuba: one small record. It holds what lies on the table, never what is still to come."""

from __future__ import annotations

import numpy as np

from malecon.games.santiago import arrays, tiles
from malecon.kernel.common.records import Numbering
from malecon.kernel.positions import position_type
from malecon.kernel.verbs import CHANCE, Position

# The phases: what the game waits for.
_phases = Numbering()
PLACE_BUILDINGS = _phases.add("place buildings")  # chance draws the building for the next site
PLACE_CUBANS = _phases.add("place cubans")  # chance draws the Cuban for the next stop
CHOOSE_STARTER = _phases.add("choose starter")  # chance draws the starting player
ROLL = _phases.add("roll")  # chance rolls the next demand die
DEMAND = _phases.add("demand")  # the player who rolled leaves one die out
DRIVE = _phases.add("drive")
PABLO = _phases.add("pablo")  # choose a good
ZORRO = _phases.add("zorro")  # a robbed player chooses what to give
ALONSO = _phases.add("alonso")  # seize a building, use one of your own, or neither
VISIT = _phases.add("visit")  # move the piece
USE = _phases.add("use")  # use the building, or not
DELIVER = _phases.add("deliver")
OVER = _phases.add("over")
# These are never waited in; the rules pass through them.
ARRIVE = _phases.add("arrive")
END_OF_TURN = _phases.add("end of turn")
NEXT_TURN = _phases.add("next turn")
PHASES = _phases.names

#: In a view: a holding behind somebody else's screen.
UNKNOWN = -1

POSITION = position_type(
    [
        ("phase", np.int8),
        ("actor", np.int8),  # who decides now: a seat, CHANCE or NOBODY
        ("active", np.int8),  # whose turn it is
        ("players", np.int8),
        ("starter", np.int8),
        ("open_screens", np.int8),
        ("step", np.int8),  # tiles placed, or dice rolled, so far
        ("car", np.int8),  # the stop it stands at, PORT or 1 to 9
        ("ship", np.int8),  # 1 to 7; 8 when the seventh has left
        ("value", np.int8),  # the flag: points for a delivered good
        ("departed", np.int8),  # a ship left this turn, the next has no demand yet
        ("left_out", np.int8),  # the die beside the board
        ("passed", np.int8),  # bit mask of seats out of this delivery round
        ("face_down", np.int16),  # bit mask of Cubans
        ("cuban_at", np.int8, (tiles.STOPS,)),  # by stop; the port has none
        ("building_at", np.int8, (tiles.SITES,)),  # by site
        ("owner", np.int8, (tiles.SITES,)),  # by building: a seat or -1
        ("demand", np.int8, (tiles.WOOD,)),  # by good
        ("supply", np.int8, (len(tiles.GOOD_KEYS),)),
        ("piece", np.int8, (tiles.MOST_PLAYERS,)),  # the building a seat's piece stands on, or -1
        ("markers", np.int8, (tiles.MOST_PLAYERS,)),
        ("pesos", np.int16, (tiles.MOST_PLAYERS,)),
        ("points", np.int16, (tiles.MOST_PLAYERS,)),
        ("goods", np.int8, (tiles.MOST_PLAYERS, len(tiles.GOOD_KEYS))),
    ]
)


def new_position(players: int, open_screens: bool = False) -> Position:
    """Return the table before setup: everybody has their starting capital, no tile is placed yet."""
    position: Position = np.zeros(1, POSITION)[0]
    position.phase = PLACE_BUILDINGS
    position.actor = CHANCE
    position.players = players
    position.starter = position.active = -1
    position.open_screens = open_screens
    position.ship = 1
    position.value = tiles.LOWEST_VALUE
    position.departed = True  # the first ship has no demand yet either
    position.left_out = -1
    position.cuban_at[:] = -1
    position.building_at[:] = -1
    position.owner[:] = -1
    position.piece[:] = -1
    position.markers[:players] = tiles.START_MARKERS
    position.pesos[:players] = tiles.START_PESOS
    position.points[:players] = tiles.START_POINTS
    position.goods[:players] = arrays.START_GOODS
    position.supply[:] = tiles.SUPPLY_EACH - players * arrays.START_GOODS
    return position
