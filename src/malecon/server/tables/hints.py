"""Hints: what the search thinks of the moves of a person's own view, in a second of the pool of threads."""

from __future__ import annotations

import secrets
from typing import Any, cast

from malecon import bots
from malecon.bots.reasons import explain, explain_move
from malecon.bots.reasons.explaining import TOO_CLOSE
from malecon.bots.verdicts import PROOFS, Proof
from malecon.kernel.errors import NotAMove
from malecon.kernel.phrases import Phrase, say
from malecon.match import Move, View
from malecon.server.workers.worker_pool import HINT, WorkerPool
from malecon.text import describe_move, translate

ADVISER = "search:ms=700,margin=0"
MOST_HINTS = 3
#: Simulations that a hint rests on.
FEWEST_SIMULATIONS = 200


def check_move(view: View, move: str) -> None:
    """Raise NotAMove if the seat of the view cannot make a move."""
    if move not in view.legal_moves:
        raise NotAMove(say("{text} is not a move", text=repr(move)[:60]))


async def advise(pool: WorkerPool, person: str, view: View, language: str) -> tuple[list[dict[str, Any]], list[str]]:
    """Return the best moves, best first, with notation, text and chance to win; and why the first beats the next."""
    bot = cast(bots.SearchBot, bots.make(ADVISER, secrets.randbits(63)))
    thoughts = await pool.run(HINT, person, bot.evaluate, view)
    if thoughts.simulations < FEWEST_SIMULATIONS:  # the first search of all may have gone into compiling
        thoughts = await pool.run(HINT, person, bot.evaluate, view)
    hints: list[dict[str, Any]] = []
    for code, chance, visits in zip(thoughts.codes, thoughts.chances, thoughts.visits, strict=True):
        if len(hints) < MOST_HINTS and (visits or not hints):
            move = Move(view.game.name, view.game.notation.name(code))
            hints.append(
                {
                    "move": move.text,
                    "label": translate(describe_move(view, move), language),
                    "chance": translate(_tell_chance(chance, thoughts.verdict.moves.get(code)), language),
                }
            )
    is_clear = len(hints) > 1 and thoughts.chances[0] - thoughts.chances[1] >= TOO_CLOSE
    why = await reasons(pool, person, view, thoughts.codes[0], thoughts.codes[1], language) if is_clear else []
    return hints, why


async def reasons(pool: WorkerPool, person: str, view: View, better: int, other: int, language: str) -> list[str]:
    """Return why a move is better than another, in sentences."""
    explained = await pool.run(HINT, person, explain, view, better, other)
    return [translate(sentence, language) for sentence in explained.sentences]


def _tell_chance(chance: float, proof: Proof | None) -> Phrase:
    """Return the chance that a move leaves, or what is proven about it."""
    if proof is not None:
        return say("proven: {result}", result=PROOFS[proof])
    return say("{percent}% chance of winning", percent=round(100 * min(max(chance, 0.0), 1.0)))


async def compare(pool: WorkerPool, person: str, view: View, move: str, language: str) -> list[str]:
    """Return sentences about a move beside the best one, or the best beside the next: chances, and why."""
    why = await pool.run(HINT, person, lambda: explain_move(view, move, bot=ADVISER, seed=secrets.randbits(63)))
    (better, other), (best, worse) = why.moves, why.chances or (0.0, 0.0)
    sentences = [
        best_was(describe_move(view, better), round(100 * best)),
        only_leaves(describe_move(view, other), round(100 * worse)),
        *why.sentences,
    ]
    return [translate(sentence, language) for sentence in sentences]


def best_was(move: Phrase, chance: int) -> Phrase:
    """Return what the best move leaves, in percent."""
    return say("“{move}” leaves a {chance}% chance of winning.", move=move, chance=chance)


def only_leaves(move: Phrase, chance: int) -> Phrase:
    """Return what another move leaves."""
    return say("“{move}” leaves {chance}%.", move=move, chance=chance)
