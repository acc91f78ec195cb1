"""Explains a move: searches, plays out pairs of lines, and keeps the few claims that hold in most of the pairs."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from malecon.bots.engine.runtime import new_searcher
from malecon.bots.history import position_from_history
from malecon.bots.reasons.claims import Claim, compare
from malecon.bots.reasons.playing_out import play_out
from malecon.bots.specs import parse
from malecon.kernel import verbs
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.line import Line
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.randomness import mix, randomness
from malecon.kernel.view import Move, View, parse_code

#: The search that plays out the lines. It is quick, because lines have many moves.
GUIDE = "search:sims=250,margin=0"
#: Pairs of lines that are compared, each with its own dice and guesses; a claim must hold in more than half of them.
PAIRS = 3
MOST_CLAIMS = 3
#: Chances to win that differ by less are taken for equal.
TOO_CLOSE = 0.01


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one move is better than another. Every claim is true of these two lines."""

    better: Line
    other: Line
    claims: tuple[Claim, ...]
    chances: tuple[float, float] | None = None  # to win, with the better move and the other, if they were computed

    @property
    def moves(self) -> tuple[Move, Move]:
        """The better move and the other."""
        name, notation = self.better.game.name, self.better.game.notation
        return Move(name, notation.name(self.better.moves[0])), Move(name, notation.name(self.other.moves[0]))

    @property
    def sentences(self) -> tuple[Phrase, ...]:
        """The reasons as sentences; none if no difference speaks for the better move."""
        return tuple(claim.text for claim in self.claims)

    def as_dict(self) -> dict[str, Any]:
        """Return both lines in notation, and every claim with its events as [line, index of the move, number there]."""
        name = self.better.game.notation.name
        return {
            "better": [name(code) for code in self.better.moves],
            "other": [name(code) for code in self.other.moves],
            "claims": [
                {"kind": claim.kind, "text": str(claim.text), "evidence": [list(at) for at in claim.evidence]}
                for claim in self.claims
            ],
        }


def explain(
    view: View, better: int, other: int, *, seed: int = 0, chances: tuple[float, float] | None = None
) -> Explanation:
    """Explain why one move, by its code, is better than another to the view's seat, which is to move."""
    assert view.seat is not None
    position, searcher = position_from_history(view), new_searcher(parse(GUIDE), view.game, len(view.names), seed)
    pairs = []
    for number in range(PAIRS):
        world = position.copy()
        verbs.guess(world, view.seat, randomness(seed, number))
        lines = [
            play_out(searcher, world, code, view.names, randomness(mix(seed, number, 1))) for code in (better, other)
        ]
        pairs.append((lines[0], lines[1], compare(lines[0], lines[1])))
    support = Counter(claim.key for _, _, claims in pairs for claim in claims)
    # The pair that has most in common with the others is shown.
    kept = [[claim for claim in claims if 2 * support[claim.key] > PAIRS] for _, _, claims in pairs]
    chosen = max(range(PAIRS), key=lambda number: sum(claim.worth for claim in kept[number]))
    line, against, _ = pairs[chosen]
    return Explanation(line, against, _choose(kept[chosen]), chances)


def _choose(claims: list[Claim]) -> tuple[Claim, ...]:
    """Return the weightiest claims, at most two of a kind; then the price, if there is a claim to pay it for."""
    chosen: list[Claim] = []
    for claim in claims:
        is_full = sum(other.kind != "price" for other in chosen) == MOST_CLAIMS
        fits = not is_full and sum(other.kind == claim.kind for other in chosen) < 2
        if chosen if claim.kind == "price" else fits:
            chosen.append(claim)
    return tuple(chosen)


def explain_move(view: View, move: Move | str, *, bot: str = "search:ms=500,margin=0", seed: int = 0) -> Explanation:
    """Explain why a move is worse than the best one; for the best move, why it is better than the next."""
    code = parse_code(view.game, str(move))
    if code not in view.legal_moves.codes:
        raise IllegalMove(view.game.why_illegal(view.position, code, view.names))
    return _think(view, code, bot, seed)


def explain_best(view: View, *, bot: str = "search:ms=500,margin=0", seed: int = 0) -> Explanation:
    """Explain why the best move is better than the next."""
    return _think(view, None, bot, seed)


def _think(view: View, code: int | None, bot: str, seed: int) -> Explanation:
    spec = parse(bot)
    if not spec.is_search:
        raise BadSetup(say("{name} does not look ahead; a reason needs a search", name=repr(bot)[:40]))
    if len(view.legal_moves) == 1:
        raise IllegalMove(say("there is only one move: nothing can be compared"))
    searcher = new_searcher(spec, view.game, len(view.names), seed)
    result = searcher.search(position_from_history(view))
    best, second = result.codes[:2]
    before, visits = result.chances[0], result.visits[0]
    other = second if code in (None, best) else code
    assert other is not None
    after = searcher.evaluate(other, visits)
    if after > before:  # on a closer look
        best, other, before, after = other, best, after, before
    chances = (before, after)
    if before - after < TOO_CLOSE:
        explanation = explain(view, best, other, seed=seed, chances=chances)
        return Explanation(explanation.better, explanation.other, (), chances)
    return explain(view, best, other, seed=seed, chances=chances)
