"""The routes of puzzles, of a player's mistakes as exercises, and of the lines that explanations refer to.

All of them are about shipped positions or finished games, never about a running one.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections import Counter, OrderedDict
from datetime import UTC, datetime
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from malecon.bots.reasons import Explanation, explain
from malecon.kernel import registry
from malecon.kernel.phrases import Phrase, say
from malecon.match import Move
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import NotFound
from malecon.server.pages import rendering
from malecon.server.tables.hints import best_was, check_ready, is_ready, only_leaves
from malecon.server.tables.reviews import GameReview
from malecon.server.web.dependencies import Number, TheServices, TheTable, TheVisitor
from malecon.server.web.routes.teaching.board_pages import (
    REASON_SECONDS,
    check_move,
    line_page,
    position_context,
    reasons_of,
)
from malecon.server.workers.worker_pool import PUZZLE
from malecon.teaching.puzzles import Puzzle, shipped, theme_name
from malecon.text import describe_move

router = APIRouter(include_in_schema=False)
#: Explanations in the cache, by game, number and move: their lines are looked at one by one.
MOST_CACHED = 500
_explanations: OrderedDict[tuple[str, int, str], Explanation] = OrderedDict()


# --- puzzles


@router.get("/puzzles")
async def puzzles(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """List all puzzles, by game and theme."""
    sections = []
    for name in registry.names():
        game_puzzles = await asyncio.to_thread(shipped, name)
        counted = Counter(theme for puzzle in game_puzzles for theme in puzzle.themes)
        themes = [(theme, theme_name(name, theme), count) for theme, count in counted.most_common()]
        sections.append({"game": registry.get(name), "count": len(game_puzzles), "themes": themes})
    own_rating = None
    if visitor.account is not None:
        own_rating = await asyncio.to_thread(services.puzzle_ratings.of, visitor.person)
    listed = [section for section in sections if section["count"]]
    return rendering.page(request, visitor, "puzzles.html", sections=listed, mine=own_rating)


@router.get("/puzzles/{game}/today")
async def puzzle_of_the_day(game: str) -> Response:
    """Lead to the puzzle of the day, the same for everybody until midnight UTC."""
    day = datetime.now(UTC).date().isoformat()
    count = len(_puzzles(game))
    number = int.from_bytes(hashlib.sha256(f"{game} {day}".encode()).digest()[:8], "big") % count
    return RedirectResponse(f"/puzzles/{game}/{number + 1}", 303)


@router.get("/puzzles/{game}/any")
async def any_puzzle(game: str, theme: str | None = None) -> Response:
    fitting = [number for number, puzzle in enumerate(_puzzles(game), 1) if theme in (None, *puzzle.themes)]
    if not fitting:
        raise NotFound(say("there is no such puzzle"))
    return RedirectResponse(f"/puzzles/{game}/{random.choice(fitting)}", 303)


@router.get("/puzzles/{game}/{number}")
async def puzzle(request: Request, visitor: TheVisitor, game: str, number: Number) -> Response:
    exercise = _puzzle(game, number)
    context = position_context(exercise.view, visitor, offers=True) | {
        "heading": _heading(game, number),
        "task": _task(exercise),
        "action": f"/puzzles/{game}/{number}",
        "preview": f"/puzzles/{game}/{number}/preview.png",
    }
    return rendering.page(request, visitor, "exercise.html", **context)


@router.post("/puzzles/{game}/{number}")
async def answer_puzzle(
    services: TheServices, visitor: TheVisitor, game: str, number: Number, move: Annotated[str, Form()]
) -> Response:
    """Take an answer; the first one of a person with an account counts."""
    exercise = _puzzle(game, number)
    check_move(exercise.view, move)
    if visitor.account is not None:
        right = move == exercise.solution
        await asyncio.to_thread(services.puzzle_ratings.count, visitor.person, exercise, right)
    return RedirectResponse(f"/puzzles/{game}/{number}/answer?move={quote(move)}", 303)


@router.get("/puzzles/{game}/{number}/answer")
async def see_answer(
    request: Request, services: TheServices, visitor: TheVisitor, game: str, number: Number, move: str
) -> Response:
    """Show whether a move is the solution, and why the solution is better."""
    exercise = _puzzle(game, number)
    check_move(exercise.view, move)
    right = move == exercise.solution
    why = await _why_of(request, services, visitor, exercise, number, move) if is_ready(game) else None
    puzzle_rating = await asyncio.to_thread(services.puzzle_ratings.of_puzzle, exercise)
    solution = describe_move(exercise.view, Move(game, exercise.solution))
    context = position_context(exercise.view, visitor) | {
        "heading": _heading(game, number),
        "task": _task(exercise),
        "right": right,
        "verdict": [
            best_was(solution, round(100 * exercise.chance)),
            say("Rating of this puzzle: {rating}", rating=round(puzzle_rating.rating)),
        ],
        "reasons": None if why is None else reasons_of(why),
        "lines": f"/puzzles/{game}/{number}/line",
        "query": f"?move={quote(move)}",
        "analyse": f"/analysis/new/puzzle/{game}/{number}",
        "onward": [
            (f"/puzzles/{game}/any", say("Next puzzle")),
            *([] if right else [(f"/puzzles/{game}/{number}", say("Try again"))]),
            ("/puzzles", say("Puzzles")),
        ],
    }
    return rendering.page(request, visitor, "answer.html", **context)


@router.get("/puzzles/{game}/{number}/line/{which}/{step}")
async def see_line(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    game: str,
    number: Number,
    which: str,
    step: Number,
    move: str,
) -> Response:
    """Show a line of a puzzle, move by move."""
    exercise = _puzzle(game, number)
    check_move(exercise.view, move)
    check_ready(game)
    why = await _why_of(request, services, visitor, exercise, number, move)
    place = f"/puzzles/{game}/{number}"
    heading = _heading(game, number)
    return line_page(request, visitor, why, which, step, heading, place, f"?move={quote(move)}", "answer")


def _heading(game: str, number: int) -> Phrase:
    return say("Puzzle {number} of {total}", number=number, total=len(_puzzles(game)))


def _puzzles(game: str) -> tuple[Puzzle, ...]:
    puzzles = shipped(registry.get(game).name)
    if not puzzles:
        raise NotFound(say("there is no such puzzle"))
    return puzzles


def _puzzle(game: str, number: int) -> Puzzle:
    puzzles = _puzzles(game)
    if not 1 <= number <= len(puzzles):
        raise NotFound(say("there is no such puzzle"))
    return puzzles[number - 1]


def _task(puzzle: Puzzle) -> Phrase:
    return say("{who} is to move. One move is clearly best.", who=puzzle.match.names[puzzle.seat])


async def _why_of(
    request: Request, services: TheServices, visitor: Visitor, puzzle: Puzzle, number: int, move: str
) -> Explanation:
    """Return why the solution is better than an answer, or than the next best move if the answer was right."""
    other = puzzle.tempting if move == puzzle.solution else move
    key = puzzle.game, number, other
    if key not in _explanations:
        services.limiter.check_think_time(visitor.person, request.scope, REASON_SECONDS)
        _explanations[key] = await services.worker_pool.run(PUZZLE, visitor.person, _explained, puzzle, other)
        while len(_explanations) > MOST_CACHED:
            _explanations.popitem(last=False)
    return _explanations[key]


def _explained(puzzle: Puzzle, other: str) -> Explanation:
    code = puzzle.match.game.notation.code
    better, worse = code(puzzle.solution), code(other)
    assert better is not None
    assert worse is not None
    return explain(puzzle.view, better, worse)


# --- finished games


@router.get("/tables/{table}/mistakes/{index}")
async def mistake(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, index: Number
) -> Response:
    """Show a turning point of a reviewed game as an exercise: which move would have been better?"""
    review, _ = _turning_point(services, table, index)
    view = review.view_at(index)
    context = position_context(view, visitor, offers=True) | {
        "heading": say("Learn from your mistakes"),
        "task": say("{who} is to move. Find the better move.", who=view.names[view.seat or 0]),
        "action": f"/tables/{table.id}/mistakes/{index}",
    }
    return rendering.page(request, visitor, "exercise.html", **context)


@router.post("/tables/{table}/mistakes/{index}")
async def answer_mistake(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    index: Number,
    move: Annotated[str, Form()],
) -> Response:
    """Show whether a move is the better one, and why it is better than the move that was made."""
    review, why = _turning_point(services, table, index)
    view, decision = review.view_at(index), review.decision_at(index)
    check_move(view, move)
    right = move == decision.best
    best, made = (describe_move(view, Move(view.game.name, text)) for text in (decision.best, decision.move))
    verdict = [only_leaves(made, round(100 * decision.after))]
    if right:
        verdict.insert(0, best_was(best, round(100 * decision.before)))
    context = position_context(view, visitor) | {
        "heading": say("Learn from your mistakes"),
        "task": say("{who} is to move. Find the better move.", who=view.names[view.seat or 0]),
        "right": right,
        "verdict": verdict,
        "reasons": reasons_of(why),
        "lines": f"/tables/{table.id}/mistakes/{index}/line",
        "query": "",
        "analyse": f"/analysis/new/table/{table.id}/{index}",
        "onward": _onward(review, table.id, index, right),
    }
    return rendering.page(request, visitor, "answer.html", **context)


def _onward(review: GameReview, table: str, index: int, right: bool) -> list[tuple[str, Phrase]]:
    """Return links to the next exercise of the same player, if there is one, and to the replay."""
    seat = review.decision_at(index).seat
    later = [point.moves - 1 for point in review.points if point.moves - 1 > index and point.seat == seat]
    again = [] if right else [(f"/tables/{table}/mistakes/{index}", say("Try again"))]
    next_one = [(f"/tables/{table}/mistakes/{later[0]}", say("Find the better move"))] if later else []
    return [*again, *next_one, (f"/tables/{table}/replay/{index}", say("Replay"))]


@router.get("/tables/{table}/mistakes/{index}/line/{which}/{step}")
async def see_line_of_review(
    request: Request,
    services: TheServices,
    table: TheTable,
    visitor: TheVisitor,
    index: Number,
    which: str,
    step: Number,
) -> Response:
    """Show a line of a review, move by move."""
    _, why = _turning_point(services, table, index)
    place, heading = f"/tables/{table.id}/mistakes/{index}", say("Review")
    return line_page(request, visitor, why, which, step, heading, place, "", f"/tables/{table.id}/replay/{index}")


def _turning_point(services: TheServices, table: TheTable, index: int) -> tuple[GameReview, Explanation]:
    """Return the review of a game and its explanation of a move; raise NotFound if there is none."""
    review = services.reviews.of(table)
    if review is None or not review.is_ready or index not in review.why:
        raise NotFound(say("nobody has asked for a review of this game yet"))
    return review, review.why[index]
