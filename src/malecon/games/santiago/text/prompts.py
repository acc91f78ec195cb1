"""What Santiago de Cuba asks of the one who acts, and what the others wait for, in every phase."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.games.santiago import arrays, names
from malecon.games.santiago.position import (
    ALONSO,
    CHOOSE_STARTER,
    DELIVER,
    DEMAND,
    DRIVE,
    PABLO,
    PLACE_BUILDINGS,
    PLACE_CUBANS,
    ROLL,
    USE,
    VISIT,
    ZORRO,
)
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import Position


def prompt_actor(position: Position, seats: Sequence[Name]) -> Phrase:
    phase = int(position.phase)
    if phase == DRIVE:
        return say("Drive the car")
    if phase == PABLO:
        return say("Choose a good from Pablo")
    if phase == ZORRO:
        return say("El Zorro robs you: choose what to give {taker}", taker=seats[position.active])
    if phase == ALONSO:
        return _alonso(position)
    if phase == VISIT:
        flower = arrays.CUBAN_FLOWER[position.cuban_at[position.car]]
        return say("Choose a building under a {flower} flower", flower=names.flower(int(flower)))
    if phase == USE:
        return say("Use {building}, or decline", building=_building(position))
    if phase == DELIVER:
        return say("Deliver goods to the ship, or pass")
    if phase == DEMAND:
        return say("Choose the die to leave out")
    return prompt_others(position, seats)


def prompt_others(position: Position, seats: Sequence[Name]) -> Phrase:
    phase, who = int(position.phase), seats[max(int(position.actor), 0)]
    if phase == DRIVE:
        return say("Waiting for {who} to drive", who=who)
    if phase == PABLO:
        return say("Waiting for {who} to choose a good", who=who)
    if phase == ZORRO:
        return say("Waiting for {who} to give {taker} something", who=who, taker=seats[position.active])
    if phase == ALONSO:
        return say("Waiting for {who} to consult Alonso", who=who)
    if phase == VISIT:
        return say("Waiting for {who} to choose a building", who=who)
    if phase == USE:
        return say("Waiting for {who} to use {building}", who=who, building=_building(position))
    if phase == DELIVER:
        return say("Waiting for {who} to deliver", who=who)
    if phase == DEMAND:
        return say("Waiting for {who} to choose the new demand", who=who)
    if phase == PLACE_BUILDINGS:
        return say("The buildings are being laid out")
    if phase == PLACE_CUBANS:
        return say("The Cubans are taking their places")
    if phase == CHOOSE_STARTER:
        return say("The starting player is being drawn")
    if phase == ROLL:
        return say("The dice are rolling")
    return say("The game is over")


def _alonso(position: Position) -> Phrase:
    """Return only what Alonso can do for this seat; the buttons show whether an own building can be used now."""
    seat = int(position.active)
    may_seize = position.markers[seat] > 0 and position.owner.min() < 0
    owns = seat in position.owner
    if may_seize and owns:
        return say("Seize a building, use one of yours, or decline")
    if may_seize:
        return say("Seize a building, or decline")
    return say("Use one of your buildings, or decline")


def _building(position: Position) -> Phrase:
    return names.a_building(int(position.piece[position.active]))
