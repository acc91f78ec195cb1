"""The moves and how they are written."""

from malecon.kernel.notation import Notation

NOTATION = Notation()
WALK = NOTATION.family("walk {}", (1, 2))
CALM, WAVE = NOTATION.family("calm", chance=True), NOTATION.family("wave", chance=True)
MOST_LEGAL = 2
