"""What people read of Paseo. What is not said here is said plainly: the log, the prompts, the names of things."""

from malecon.kernel.phrases import counted, say
from malecon.text import Chapter, Rulebook, Tips
from paseo.moves import WALK

LINE = say("Walk along the Malecón to the sixth lamp, and mind the sea.")
RULEBOOK = Rulebook(
    (
        Chapter(
            say("A walk"),
            (
                say("In turn, walk one lamp or two. Two are along the wall, and then the sea decides."),
                say("It stays calm, or a wave sends you back to the start. The first at the sixth lamp wins."),
            ),
        ),
    )
)
TIPS = Tips(mine={"walking": say("One lamp is safe.")})


def describe_move(position, code, names):
    return counted("Walk {n} lamp", "Walk {n} lamps", code - WALK + 1)
