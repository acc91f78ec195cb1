"""Paseo, for two: the little game of docs/adding-a-game.md, as a package of somebody else would bring it.

Nothing in Malecón knows of it before it is registered.
"""

from malecon.kernel.game import Game
from malecon.kernel.phrases import say
from malecon.kernel.verbs import implement
from paseo import rules
from paseo.moves import MOST_LEGAL, NOTATION
from paseo.observation import PIECES, observe
from paseo.position import PASEO, PHASES, new_position

implement(
    PASEO,
    actor=rules.actor,
    legal=rules.legal,
    play=rules.play,
    play_logged=rules.play_logged,
    finish=rules.finish,
    points=rules.points,
    standing=rules.points,
    hide=rules.hide,
    worth=rules.worth,
    observe=observe,
)
SOURCES = ("steps", "waves")  # by the kind of event

GAME = Game(
    name="paseo",
    title="Paseo",
    rules_version=1,
    fewest_players=2,
    most_players=2,
    colours=("red", "blue"),
    phases=PHASES,
    notation=NOTATION,
    most_legal=MOST_LEGAL,
    dtype=PASEO,
    new_position=new_position,
    why_illegal=lambda position, code, names: say("that cannot be done now"),
    criteria={"points": lambda position, seat: int(position.lamp[seat])},
    points_source=lambda event: SOURCES[event.kind],
    starting_points=0,
    sources=SOURCES,
    pieces=PIECES,
)
