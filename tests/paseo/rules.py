"""The rules: one step is safe; after two the sea decides."""

from malecon.kernel.compile import kernel
from malecon.kernel.journal import note
from malecon.kernel.verbs import CHANCE, NOBODY
from paseo.moves import CALM, WALK, WAVE
from paseo.position import OVER, SEA, WALKING

LAST_LAMP = 6
WALKED, WASHED_BACK = range(2)  # what can happen


@kernel
def actor(position):
    return position.walker if position.phase == WALKING else CHANCE if position.phase == SEA else NOBODY


@kernel
def legal(position, out):
    first = CALM if position.phase == SEA else WALK
    out[0], out[1] = first, first + 1
    return 2 if position.phase != OVER else 0


@kernel
def play_logged(position, move, journal):
    walker = int(position.walker)
    lamp = int(position.lamp[walker])
    if move == WAVE:
        position.lamp[walker] = 0
        note(journal, WASHED_BACK, walker, -lamp, -1, -1)
    elif move != CALM:
        steps = min(move - WALK + 1, LAST_LAMP - lamp)
        position.lamp[walker] = lamp + steps
        note(journal, WALKED, walker, steps, -1, -1)
        if move == WALK + 1:
            position.phase = SEA
            return
    position.phase = OVER if position.lamp[walker] == LAST_LAMP else WALKING
    position.walker = 1 - walker


@kernel
def play(position, move):
    play_logged(position, move, None)


@kernel
def finish(position, journal):
    position.phase = OVER  # who is ahead has won


@kernel
def points(position, seat):
    return position.lamp[seat]


@kernel
def hide(position, seat):
    pass  # nothing lies face down


@kernel
def worth(position, seat):
    return float(position.lamp[seat] - position.lamp[1 - seat])
