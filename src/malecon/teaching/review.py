"""A review of a game: for every decision the mover's chance to win, the better move, and the turning points.

Every decision is judged from the mover's view at the time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import asdict, dataclass, replace
from html import escape
from typing import Any, cast

from malecon.bots import reasons
from malecon.bots.engine.runtime import new_searcher
from malecon.bots.history import position_from_history
from malecon.bots.reasons import Explanation
from malecon.bots.searcher import Searcher
from malecon.bots.specs import Spec, parse
from malecon.bots.verdicts import CERTAIN, Proof
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
#: A turning point is looked at with this many times the simulations before it is called one, and so many at most are.
LONGER = 20
MOST_LONGER_LOOKS = 12


@dataclass(frozen=True)
class FirstLook:
    """What the shorter search said of a decision that was then looked at for longer."""

    best: str
    before: float
    after: float

    @property
    def loss(self) -> float:
        return max(0.0, self.before - self.after)


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
    proof: Proof | None = None  # what is proven for the mover before the move, and after it
    proof_after: Proof | None = None
    decider: int | None = None  # the seat that is proven to decide who wins, though it cannot win itself
    first_look: FirstLook | None = None  # if there was a longer one

    @property
    def loss(self) -> float:
        return max(0.0, self.before - self.after)

    @property
    def has_changed(self) -> bool:
        """Whether the longer look came to another verdict: on the best move, or on what the move cost."""
        first = self.first_look
        return first is not None and (first.best != self.best or abs(first.loss - self.loss) >= INACCURATE)


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
        """The decisions that cost most, on a longer look as well, in the order of the game."""
        worst = [decision for decision in _dearest(self.decisions) if decision.first_look is not None]
        return tuple(sorted(worst[:MOST_TURNING_POINTS], key=lambda d: d.index))

    @property
    def cleared(self) -> tuple[Decision, ...]:
        """The decisions that seemed to cost something at first, and did not on a longer look."""
        return tuple(d for d in self.decisions if d.has_changed and d.loss < INACCURATE)

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


def _dearest(decisions: Iterable[Decision]) -> list[Decision]:
    """Return the decisions that cost something, the dearest first."""
    return sorted((d for d in decisions if d.loss >= INACCURATE), key=lambda d: -d.loss)


def review(
    match: Match,
    *,
    bot: str = DEFAULT_BOT,
    seed: int = 0,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> Review:
    """Review every decision of a match, finished or not; call `progress` with the number of moves done and in all.

    What looks like a turning point is looked at for longer.
    """
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
    decisions = _look_longer(match, decisions, spec, seed, progress)
    return Review(match.game.name, match.players, bot, match.names, tuple(decisions))


def _look_longer(
    match: Match, decisions: list[Decision], spec: Spec, seed: int, progress: Callable[[int, int], None]
) -> list[Decision]:
    """Return the decisions after a longer look at the dearest, until those that are called so have had one."""
    plan = replace(spec.plan, sims=LONGER * spec.plan.sims, ms=LONGER * spec.plan.ms)
    searcher: Searcher | None = None
    by_index = {decision.index: decision for decision in decisions}
    for _ in range(MOST_LONGER_LOOKS):
        dearest = _dearest(by_index.values())[:MOST_TURNING_POINTS]
        decision = next((decision for decision in dearest if decision.first_look is None), None)
        if decision is None:
            break
        searcher = searcher or new_searcher(replace(spec, plan=plan), match.game, match.players, seed)
        view = match.fork(decision.index).view(decision.seat)
        closer = _judge(searcher, view, decision.index, cast(int, match.game.notation.code(decision.move)))
        first = FirstLook(decision.best, decision.before, decision.after)
        by_index[decision.index] = replace(closer, first_look=first)
        progress(len(match), len(match))
    return list(by_index.values())


def _judge(searcher: Searcher, view: View, index: int, code: int) -> Decision:
    result = searcher.search(position_from_history(view))
    name = view.game.notation.name
    before = result.chances[0]
    # The move made is evaluated as often as the best one; otherwise the comparison would favour the latter.
    after = before if code == result.best else searcher.evaluate(code, result.visits[0])
    best = result.best
    if after >= before:  # on a closer look the move made is as good
        best, before = code, after
    seat, verdict = cast(int, view.seat), result.verdict
    proof, proof_after = verdict.for_seat(seat), verdict.moves.get(code)
    if proof_after is not None:
        after = CERTAIN[proof_after]
    if proof is not None:
        before = CERTAIN[proof]
    if proof is not None and proof == proof_after:
        best = code
    return Decision(
        index, seat, name(code), name(best), before, after, result.seats, proof, proof_after, verdict.decider
    )


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
    for decision in reviewed.turning_points:
        lines += [tell_turning_point(decision, match), *remarks(decision, match)]
        lines += why[decision.index].sentences if why and decision.index in why else ()
    return [*lines, *summary(reviewed, match)]


def tell_turning_point(decision: Decision, match: Match) -> Phrase:
    """Return a sentence about a turning point."""
    table = match.fork(decision.index)
    return say(
        "Move {index}, {who}: {move}. This left a {after}% chance of winning; “{best}” would have left {before}%.",
        index=decision.index + 1,
        who=match.names[decision.seat],
        move=_describe(table, cast(int, match.game.notation.code(decision.move))),
        best=_describe(table, cast(int, match.game.notation.code(decision.best))),
        before=round(100 * decision.before),
        after=round(100 * decision.after),
    )


def remarks(decision: Decision, match: Match) -> list[Phrase]:
    """Return what is to be added to a turning point: what is proven, and whether a longer look changed the verdict."""
    table, code = match.fork(decision.index), match.game.notation.code
    who = match.names[decision.seat]
    sentences = []
    if decision.proof == Proof.WON and decision.proof_after != Proof.WON:
        best = _describe(table, cast(int, code(decision.best)))
        sentences.append(say("This is proven: “{best}” wins, whatever anybody does.", best=best))
    if decision.proof_after == Proof.LOST:
        sentences.append(say("This is proven: after this move, {who} has lost.", who=who))
    if decision.decider is not None:
        decider = match.names[decision.decider]
        sentences.append(say("This is proven: {who} cannot win, but alone decides who does.", who=decider))
    first = decision.first_look
    if first is not None and decision.has_changed:
        sentences.append(
            say(
                "A longer look changed the verdict: at first, “{best}” seemed to leave {before}%, and this move "
                "{after}%.",
                best=_describe(table, cast(int, code(first.best))),
                before=round(100 * first.before),
                after=round(100 * first.after),
            )
        )
    return sentences


def summary(reviewed: Review, match: Match) -> list[Phrase]:
    """Return how each seat played, and before that which moves only seemed to be mistakes."""
    lines = []
    if not reviewed.turning_points:
        lines.append(say("No move turned the game: nobody gave away as much as {n}%.", n=round(100 * INACCURATE)))
    for decision in reviewed.cleared:
        first = cast(FirstLook, decision.first_look)
        lines.append(
            say(
                "Move {index}, {who}: {move}. This seemed to cost {n}% at first; a longer look does not confirm it.",
                index=decision.index + 1,
                who=match.names[decision.seat],
                move=_describe(match.fork(decision.index), cast(int, match.game.notation.code(decision.move))),
                n=round(100 * first.loss),
            )
        )
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
