"""A review of a game: for every decision the mover's chance to win, the better move, and the turning points.

Every decision is judged from the mover's view at the time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from html import escape
from typing import Any, cast

from malecon.bots import reasons
from malecon.bots.engine.runtime import new_searcher
from malecon.bots.history import position_from_history
from malecon.bots.reasons import Explanation
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.drawing import charts
from malecon.drawing.palette import CHART, SEATS
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Name
from malecon.kernel.phrases import Phrase, counted, say
from malecon.match import Match, Move, View

#: The search of a review; the margin does not count, so that its values are chances to win.
DEFAULT_BOT = "search:sims=1000,margin=0"
#: The loss of chance that makes a move inaccurate.
INACCURATE = 0.03
#: The loss of chance that makes a move a mistake.
MISTAKEN = 0.10
MOST_TURNING_POINTS = 5


@dataclass(frozen=True)
class Decision:
    """One decision. Chances are the mover's: with the best move, and with the one that was made."""

    index: int  # of the move in the match
    seat: int
    move: str
    best: str
    before: float
    after: float
    chances: tuple[float, ...]  # of every seat, as the mover sees it

    @property
    def loss(self) -> float:
        return max(0.0, self.before - self.after)


@dataclass(frozen=True)
class SeatSummary:
    """How a seat played: what it lost on average, and how many moves were inaccurate or mistaken."""

    seat: int
    decisions: int
    mean_loss: float
    inaccurate: int
    mistaken: int


@dataclass(frozen=True)
class Review:
    """A whole game, reviewed."""

    game: str
    players: int
    bot: str
    names: tuple[Name, ...]
    decisions: tuple[Decision, ...]

    @property
    def turning_points(self) -> tuple[Decision, ...]:
        """The decisions that cost most, in the order of the game."""
        worst = sorted((d for d in self.decisions if d.loss >= INACCURATE), key=lambda d: -d.loss)
        return tuple(sorted(worst[:MOST_TURNING_POINTS], key=lambda d: d.index))

    @property
    def seats(self) -> tuple[SeatSummary, ...]:
        summaries = []
        for seat in range(self.players):
            losses = [d.loss for d in self.decisions if d.seat == seat]
            mistaken = sum(loss >= MISTAKEN for loss in losses)
            summaries.append(
                SeatSummary(
                    seat=seat,
                    decisions=len(losses),
                    mean_loss=sum(losses) / max(1, len(losses)),
                    inaccurate=sum(loss >= INACCURATE for loss in losses) - mistaken,
                    mistaken=mistaken,
                )
            )
        return tuple(summaries)

    def as_dict(self) -> dict[str, Any]:
        return {
            "game": self.game,
            "players": self.players,
            "bot": self.bot,
            "names": [str(name) for name in self.names],
            "decisions": [asdict(decision) | {"loss": decision.loss} for decision in self.decisions],
            "turning_points": [decision.index for decision in self.turning_points],
            "seats": [asdict(seat) for seat in self.seats],
        }


def review(
    match: Match,
    *,
    bot: str = DEFAULT_BOT,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Review every decision of a match, finished or not; call `progress` with the number of moves done and in all."""
    spec = parse(bot)
    if not spec.is_search:
        raise BadSetup(say("{name} does not look ahead; a review needs a search", name=repr(bot)[:40]))
    searcher = new_searcher(spec, match.game, match.players, seed)
    again = Match(match.game, match.players, options=match.options)
    decisions = []
    for index, turn in enumerate(match.history):
        code = cast(Move, turn.move).code
        if turn.seat >= 0 and len(again.legal_moves) > 1:
            decisions.append(_judge(searcher, again.view(turn.seat), index, code))
        again.make_all([code])
        progress(index + 1, len(match))
    return Review(match.game.name, match.players, bot, match.names, tuple(decisions))


def _judge(searcher: Searcher, view: View, index: int, code: int) -> Decision:
    result = searcher.search(position_from_history(view))
    name = view.game.notation.name
    before = result.chances[0]
    # The move made is evaluated as often as the best one; otherwise the comparison would favour the latter.
    after = before if code == result.best else searcher.evaluate(code, result.visits[0])
    best = result.best
    if after >= before:  # on a closer look the move made is as good
        best, before = code, after
    seat = cast(int, view.seat)
    return Decision(index, seat, name(code), name(best), before, after, result.seats)


def explain(
    reviewed: Review, match: Match, *, seed: int = 0, progress: Callable[[int, int], None] = lambda done, total: None
) -> dict[int, Explanation]:
    """Explain every turning point; return the explanations by the index of the move in the match."""
    code, points, explained = match.game.notation.code, reviewed.turning_points, {}
    for number, decision in enumerate(points):
        view = match.fork(decision.index).view(decision.seat)
        better, played = cast(int, code(decision.best)), cast(int, code(decision.move))
        explained[decision.index] = reasons.explain(
            view, better, played, seed=seed, chances=(decision.before, decision.after)
        )
        progress(number + 1, len(points))
    return explained


# --- as text


def tell(reviewed: Review, match: Match, why: Mapping[int, Explanation] | None = None) -> list[Phrase]:
    """Return the review of a match in sentences: the turning points, then how each seat played.

    After each turning point come its reasons, if `explain` has given any.
    """
    lines = []
    points = {decision.index: decision for decision in reviewed.turning_points}
    if not points:
        lines.append(say("No move turned the game: nobody gave away as much as {n}%.", n=round(100 * INACCURATE)))
    again = Match(match.game, match.players, options=match.options, names=[str(name) for name in match.names])
    for index, turn in enumerate(match.history):
        move = cast(Move, turn.move)
        if index in points:
            decision = points[index]
            lines.append(
                say(
                    "Move {index}, {who}: {move}. This left a {after}% chance of winning; “{best}” would have left "
                    "{before}%.",
                    index=index + 1,
                    who=match.names[decision.seat],
                    move=_describe(again, move.code),
                    best=_describe(again, cast(int, match.game.notation.code(decision.best))),
                    before=round(100 * decision.before),
                    after=round(100 * decision.after),
                )
            )
            lines += why[index].sentences if why and index in why else ()
        again.make_all([move.code])
    for seat in reviewed.seats:
        lines.append(
            say(
                "{who}: {decisions}, {inaccurate}, {mistaken}; {loss}% lost on average.",
                who=match.names[seat.seat],
                decisions=counted("{n} decision", "{n} decisions", seat.decisions),
                inaccurate=counted("{n} inaccuracy", "{n} inaccuracies", seat.inaccurate),
                mistaken=counted("{n} mistake", "{n} mistakes", seat.mistaken),
                loss=round(100 * seat.mean_loss, 1),
            )
        )
    return lines


def _describe(table: Match, code: int) -> Phrase | str:
    from malecon.text import describe_move

    try:
        return describe_move(table.view(table.turn), code)
    except ImportError:  # the game has no texts
        return table.game.notation.name(code)


# --- as a chart

CHANCES = say("Chance of winning, move by move")
DASHES = ("", "8 4", "2 3", "10 3 2 3", "5 5")  # lines can be told apart without their colours


def chart(reviewed: Review, colours: tuple[str, ...], language: str = "en", *, at: int | None = None) -> str:
    """Draw the chances of all seats through the game as an SVG; rings mark the turning points.

    `colours` are the game's. A line marks the place after `at` moves.
    """
    from malecon.text import translate

    last = max(1, len(reviewed.decisions) - 1)
    places = {decision.index: charts.across(n / last) for n, decision in enumerate(reviewed.decisions)}
    middle = charts.ABOVE / 2
    parts = []
    for seat in range(reviewed.players):
        colour = SEATS[colours[seat]].line
        line = " ".join(f"{places[d.index]:.1f},{charts.up(d.chances[seat]):.1f}" for d in reviewed.decisions)
        dash = f' stroke-dasharray="{DASHES[seat % len(DASHES)]}"' if DASHES[seat % len(DASHES)] else ""
        parts.append(f'<polyline points="{line}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        x = charts.across(0) + seat * 150
        name = escape(translate(reviewed.names[seat], language))
        parts.append(f'<path d="M{x} {middle}h28" stroke="{colour}" stroke-width="3"{dash}/>')
        parts.append(f'<text x="{x + 34}" y="{middle + 5}" fill="{CHART["text"]}">{name}</text>')
    for decision in reviewed.turning_points:
        x, y = places[decision.index], charts.up(decision.chances[decision.seat])
        tip = f"{decision.index + 1}: {decision.move} ({decision.before:.0%} → {decision.after:.0%})"
        colour = SEATS[colours[decision.seat]].line
        ring = f'fill="{CHART["ring"]}" stroke="{colour}" stroke-width="3"'
        parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="6" {ring}>')
        parts.append(f"<title>{escape(tip)}</title></circle>")
    if at is not None:
        x = charts.across(min(1.0, sum(decision.index < at for decision in reviewed.decisions) / last))
        parts.append(f'<path class="chart-now" d="M{x:.1f} {charts.up(1):.1f}V{charts.up(0):.1f}"/>')
    return charts.percents(translate(CHANCES, language), parts)
