"""Explains a move: thinks, plays out the lines, and keeps the few claims that hold in most of the lines looked at."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from malecon.bots.history import position_from_history
from malecon.bots.reasons.claims import Claim, compare
from malecon.bots.reasons.lines import Line, follow
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.kernel import verbs
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.randomness import mix, randomness
from malecon.kernel.view import Move, View, parse_code

#: How the lines are thought out: quickly, for there are many moves in them.
GUIDE = "search:sims=250,margin=0"
#: So many pairs of lines are compared, with other dice and guesses; a claim must hold in more than half of them.
PAIRS = 3
MOST_CLAIMS = 3
#: A difference of chances below this is none.
TOO_CLOSE = 0.01


@dataclass(frozen=True, eq=False)
class Explanation:
    """Why one move is better than another. The lines are the ones that every claim is true of."""

    better: Line
    other: Line
    claims: tuple[Claim, ...]
    chances: tuple[float, float] | None = None  # to win, with the better move and the other, where they were looked at

    @property
    def moves(self) -> tuple[Move, Move]:
        """The better move and the other."""
        name, notation = self.better.game.name, self.better.game.notation
        return Move(name, notation.name(self.better.moves[0])), Move(name, notation.name(self.other.moves[0]))

    @property
    def sentences(self) -> tuple[Phrase, ...]:
        """The reasons in words; none where nothing can be said honestly."""
        return tuple(claim.text for claim in self.claims)

    def as_dict(self) -> dict[str, Any]:
        """The two lines in notation, and every claim with the events it rests on: line, move and number there."""
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
    """Why one move, by its code, is better than another, in the eyes of the view's seat, which is to move."""
    assert view.seat is not None
    known, mind = position_from_history(view), Searcher(view.game, len(view.names), parse(GUIDE).plan, seed)
    pairs = []
    for number in range(PAIRS):
        world = known.copy()
        verbs.guess(world, view.seat, randomness(seed, number))
        lines = [follow(mind, world, code, view.names, randomness(mix(seed, number, 1))) for code in (better, other)]
        pairs.append((lines[0], lines[1], compare(lines[0], lines[1])))
    support = Counter(claim.key for _, _, claims in pairs for claim in claims)
    # The pair that is most like the others is the one to show.
    kept = [[claim for claim in claims if 2 * support[claim.key] > PAIRS] for _, _, claims in pairs]
    chosen = max(range(PAIRS), key=lambda number: sum(claim.worth for claim in kept[number]))
    line, against, _ = pairs[chosen]
    return Explanation(line, against, _choose(kept[chosen]), chances)


def _choose(claims: list[Claim]) -> tuple[Claim, ...]:
    """The weightiest few, with no more than one of a kind but for what happens only in one line."""
    found: list[Claim] = []
    for claim in claims:
        full = sum(one.kind != "price" for one in found) == MOST_CLAIMS
        wanted = not full and sum(one.kind == claim.kind for one in found) < 2
        if found if claim.kind == "price" else wanted:
            found.append(claim)
    return tuple(found)


def explain_move(view: View, move: Move | str, *, bot: str = "search:ms=500,margin=0", seed: int = 0) -> Explanation:
    """Why a move is worse than the best one; of the best one, why it is better than the next."""
    code = parse_code(view.game, str(move))
    if code not in view.legal_moves.codes:
        raise IllegalMove(view.game.why_illegal(view.position, code, view.names))
    return _think(view, code, bot, seed)


def explain_best(view: View, *, bot: str = "search:ms=500,margin=0", seed: int = 0) -> Explanation:
    """Why the best move is better than the next."""
    return _think(view, None, bot, seed)


def _think(view: View, code: int | None, bot: str, seed: int) -> Explanation:
    spec = parse(bot)
    if spec.kind not in ("search", "search1", "plain"):
        raise BadSetup(say("{name} does not look ahead; a reason needs a search", name=repr(bot)[:40]))
    if len(view.legal_moves) == 1:
        raise IllegalMove(say("there is only one move: nothing can be compared"))
    mind = Searcher(view.game, len(view.names), spec.plan, seed)
    thoughts = mind.search(position_from_history(view))
    best, second = thoughts.codes[:2]
    before, visits = thoughts.chances[0], thoughts.visits[0]
    other = second if code in (None, best) else code
    assert other is not None
    after = mind.evaluate(other, visits)
    if after > before:  # on a closer look
        best, other, before, after = other, best, after, before
    chances = (before, after)
    if before - after < TOO_CLOSE:
        found = explain(view, best, other, seed=seed, chances=chances)
        return Explanation(found.better, found.other, (), chances)
    return explain(view, best, other, seed=seed, chances=chances)
