"""What a seat sees, as numbers: for programs that learn."""

from malecon.kernel.compile import kernel
from malecon.kernel.pieces import Pieces
from paseo.position import PHASES
from paseo.rules import LAST_LAMP

PIECES = Pieces()
PHASE = PIECES.add("phase", "what the game waits for", PHASES)
LAMPS = PIECES.add("lamps", "the lamp that each has reached", ("own", "next"), high=LAST_LAMP, typical=3)


@kernel
def observe(position, seat, out):
    out[PHASE + position.phase] = 1
    out[LAMPS] = position.lamp[seat]
    out[LAMPS + 1] = position.lamp[1 - seat]
