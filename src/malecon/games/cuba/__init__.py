"""Cuba, for 2 to 5 players. Importing it registers its answers to the verbs."""

from malecon.games.cuba import events, moves, tiles
from malecon.games.cuba.insight.features import features
from malecon.games.cuba.insight.guess import guess
from malecon.games.cuba.insight.observation import PIECES, observe
from malecon.games.cuba.insight.view import conceals, hide
from malecon.games.cuba.insight.worth import worth
from malecon.games.cuba.position import PHASES, POSITION, new_position
from malecon.games.cuba.rules import turn
from malecon.games.cuba.rules.refusals import why_illegal
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
    finish=turn.break_off,
    points=points,
    standing=turn.standing,
    hide=hide,
    worth=worth,
    guess=guess,
    features=features,
    observe=observe,
)

#: Where points count in the breakdown. What offices load counts with the ships.
BREAKDOWN = (
    {building.key: building.points_count_as for building in tiles.BUILDINGS}
    | {"mayor": "ships"}
    | {"tax": "laws", "duty": "laws", "both": "laws", "subsidy": "subsidies"}
    | {"architect": "alternatives", "final buildings": "final buildings"}
)


def points_source(event: Event) -> str | None:
    return BREAKDOWN[events.SOURCES[event.thing]] if event.kind == events.POINTS else None


GAME = Game(
    name="cuba",
    title="Cuba",
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
        "pesos": lambda position, seat: int(position.pesos[seat]),
    },
    points_source=points_source,
    starting_points=0,
    sources=("ships", "buildings", "laws", "subsidies", "alternatives", "final buildings"),
    options={
        "plantations": Option(default="individual", choices=("individual", "common")),
        "envoys": Option(default=False),
        "count_warehouse": Option(default=True),
    },
    pieces=PIECES,
    conceals=conceals,
)
