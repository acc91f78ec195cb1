"""Santiago de Cuba, for 2 to 4 players. Importing it registers its answers to the verbs."""

from malecon.games.santiago import events, moves, tiles
from malecon.games.santiago.insight.features import features
from malecon.games.santiago.insight.guess import guess
from malecon.games.santiago.insight.observation import PIECES, observe
from malecon.games.santiago.insight.view import hide
from malecon.games.santiago.insight.worth import worth
from malecon.games.santiago.position import PHASES, POSITION, new_position
from malecon.games.santiago.rules import ships, turn
from malecon.games.santiago.rules.refusals import why_illegal
from malecon.kernel.common.answers import actor, points
from malecon.kernel.game import Game, Option
from malecon.kernel.journal import Event
from malecon.kernel.verbs import implement

implement(
    POSITION,
    actor=actor,
    legal=turn.legal,
    play=turn.play,
    play_logged=turn.play_logged,
    finish=ships.finish,
    points=points,
    standing=turn.standing,
    hide=hide,
    worth=worth,
    guess=guess,
    features=features,
    observe=observe,
)


def points_source(event: Event) -> str | None:
    return events.SOURCES[event.thing] if event.kind == events.POINTS else None


GAME = Game(
    name="santiago",
    title="Santiago de Cuba",
    rules_version=1,
    fewest_players=tiles.FEWEST_PLAYERS,
    most_players=tiles.MOST_PLAYERS,
    colours=tiles.COLOURS,
    phases=PHASES,
    notation=moves.NOTATION,
    most_legal=moves.MOST_LEGAL,
    dtype=POSITION,
    new_position=new_position,
    why_illegal=why_illegal,
    criteria={
        "points": lambda position, seat: int(position.points[seat]),
        "goods": lambda position, seat: int(position.goods[seat].sum()) % tiles.GOODS_PER_FINAL_POINT,
        "pesos": lambda position, seat: int(position.pesos[seat]),
    },
    points_source=points_source,
    starting_points=tiles.START_POINTS,
    sources=(
        "maria",
        "delivery",
        "wood",
        "office",
        "church",
        "sawmill",
        "cafe",
        "casino",
        "owner",
        "zorro",
        "exchange",
    ),
    options={"open_screens": Option(default=False)},
    pieces=PIECES,
)
