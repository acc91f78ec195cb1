"""The routes of the teacher: puzzles, one's own mistakes as exercises, and the lines that reasons cite.

All of it is about shipped positions or finished games: while a game is on, nobody is taught in it.
"""

from __future__ import annotations

import asyncio
import hashlib
import random
from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache
from typing import Annotated
from urllib.parse import quote

from fastapi import APIRouter, Form, Request
from starlette.responses import RedirectResponse, Response

from malecon.bots.reasons import Explanation, explain
from malecon.kernel import registry
from malecon.kernel.phrases import Phrase, say
from malecon.match import Move
from malecon.server import texts
from malecon.server.accounts.visitors import Visitor
from malecon.server.errors import NotFound
from malecon.server.pages import rendering
from malecon.server.tables.hints import check_ready, is_ready
from malecon.server.tables.reviews import GameReview
from malecon.server.web.dependencies import TheServices, TheTable, TheVisitor
from malecon.server.web.routes.teaching.explained import REASON_SECONDS, check_move, line_page, reasons_shown
from malecon.server.web.routes.teaching.pages import shown
from malecon.teaching.puzzles import Puzzle, shipped, theme_name
from malecon.text import describe_move

router = APIRouter(include_in_schema=False)


# --- puzzles


@router.get("/puzzles")
async def puzzles(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """All puzzles, by game and theme."""
    shelves = []
    for name in registry.names():
        found = await asyncio.to_thread(shipped, name)
        counted = Counter(theme for puzzle in found for theme in puzzle.themes)
        themes = [(theme, theme_name(name, theme), count) for theme, count in counted.most_common()]
        shelves.append({"game": registry.get(name), "count": len(found), "themes": themes})
    mine = None
    if visitor.account is not None:
        mine = await asyncio.to_thread(services.puzzle_ratings.of, visitor.person)
    shown = [shelf for shelf in shelves if shelf["count"]]
    return rendering.page(request, visitor, "puzzles.html", shelves=shown, mine=mine)


@router.get("/puzzles/{game}/today")
async def puzzle_of_the_day(game: str) -> Response:
    """The same for everybody, until midnight in Greenwich."""
    day = datetime.now(UTC).date().isoformat()
    count = len(_known(game))
    number = int.from_bytes(hashlib.sha256(f"{game} {day}".encode()).digest()[:8], "big") % count
    return RedirectResponse(f"/puzzles/{game}/{number + 1}", 303)


@router.get("/puzzles/{game}/any")
async def any_puzzle(game: str, theme: str | None = None) -> Response:
    fitting = [number for number, puzzle in enumerate(_known(game), 1) if theme in (None, *puzzle.themes)]
    if not fitting:
        raise NotFound(say("there is no such puzzle"))
    return RedirectResponse(f"/puzzles/{game}/{random.choice(fitting)}", 303)


@router.get("/puzzles/{game}/{number}")
async def puzzle(request: Request, visitor: TheVisitor, game: str, number: int) -> Response:
    found = _puzzle(game, number)
    context = shown(found.view, visitor, offers=True) | {
        "heading": texts.puzzle_number(number, len(_known(game))),
        "task": _task(found),
        "action": f"/puzzles/{game}/{number}",
    }
    return rendering.page(request, visitor, "exercise.html", **context)


@router.post("/puzzles/{game}/{number}")
async def answer_puzzle(
    services: TheServices, visitor: TheVisitor, game: str, number: int, move: Annotated[str, Form()]
) -> Response:
    """Take an answer; the first one of somebody with an account counts."""
    found = _puzzle(game, number)
    check_move(found.view, move)
    if visitor.account is not None:
        right = move == found.solution
        await asyncio.to_thread(services.puzzle_ratings.count, visitor.person, found, right)
    return RedirectResponse(f"/puzzles/{game}/{number}/answer?move={quote(move)}", 303)


@router.get("/puzzles/{game}/{number}/answer")
async def see_answer(
    request: Request, services: TheServices, visitor: TheVisitor, game: str, number: int, move: str
) -> Response:
    """Whether a move is the solution, and why the solution is better."""
    found = _puzzle(game, number)
    check_move(found.view, move)
    right = move == found.solution
    why = await _why_of(request, services, visitor, found, number, move) if is_ready(game) else None
    its = await asyncio.to_thread(services.puzzle_ratings.of_puzzle, found)
    solution = describe_move(found.view, Move(game, found.solution))
    context = shown(found.view, visitor) | {
        "heading": texts.puzzle_number(number, len(_known(game))),
        "task": _task(found),
        "right": right,
        "verdict": [texts.best_was(solution, round(100 * found.chance)), texts.rated_puzzle(round(its.rating))],
        "reasons": None if why is None else reasons_shown(why),
        "lines": f"/puzzles/{game}/{number}/line",
        "query": f"?move={quote(move)}",
        "analyse": f"/analysis/new/puzzle/{game}/{number}",
        "onward": [
            (f"/puzzles/{game}/any", texts.NEXT_PUZZLE),
            *([] if right else [(f"/puzzles/{game}/{number}", texts.TRY_AGAIN)]),
            ("/puzzles", texts.PUZZLES),
        ],
    }
    return rendering.page(request, visitor, "answer.html", **context)


@router.get("/puzzles/{game}/{number}/line/{which}/{step}")
async def see_line(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    game: str,
    number: int,
    which: str,
    step: int,
    move: str,
) -> Response:
    """A line of a puzzle, move by move."""
    found = _puzzle(game, number)
    check_move(found.view, move)
    check_ready(game)
    why = await _why_of(request, services, visitor, found, number, move)
    place = f"/puzzles/{game}/{number}"
    heading = texts.puzzle_number(number, len(_known(game)))
    return line_page(request, visitor, why, which, step, heading, place, f"?move={quote(move)}", "answer")


def _known(game: str) -> tuple[Puzzle, ...]:
    found = shipped(registry.get(game).name)
    if not found:
        raise NotFound(say("there is no such puzzle"))
    return found


def _puzzle(game: str, number: int) -> Puzzle:
    known = _known(game)
    if not 1 <= number <= len(known):
        raise NotFound(say("there is no such puzzle"))
    return known[number - 1]


def _task(found: Puzzle) -> Phrase:
    return say("{who} is to move. One move is clearly best.", who=found.match.names[found.seat])


async def _why_of(
    request: Request, services: TheServices, visitor: Visitor, found: Puzzle, number: int, move: str
) -> Explanation:
    """Why the solution is better than an answer, or than the next best where the answer was right."""
    other = found.tempting if move == found.solution else move
    services.limiter.check_thought(visitor.person, request.scope, REASON_SECONDS)
    return await services.autoplay.think(visitor.person, _explained, found.game, number, other)


@lru_cache(maxsize=500)
def _explained(game: str, number: int, other: str) -> Explanation:
    found = _puzzle(game, number)
    code = found.match.game.notation.code
    better, worse = code(found.solution), code(other)
    assert better is not None
    assert worse is not None
    return explain(found.view, better, worse)


# --- finished games


@router.get("/tables/{table}/mistakes/{index}")
async def mistake(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, index: int
) -> Response:
    """A turning point of a reviewed game as an exercise: what would have been better?"""
    review, _ = _turning_point(services, table, index)
    view = review.view_at(index)
    context = shown(view, visitor, offers=True) | {
        "heading": texts.MISTAKES,
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
    index: int,
    move: Annotated[str, Form()],
) -> Response:
    """Whether a move is the better one, and why it is better than the one that was made."""
    review, why = _turning_point(services, table, index)
    view, decision = review.view_at(index), review.decision_at(index)
    check_move(view, move)
    right = move == decision.best
    best, made = (describe_move(view, Move(view.game.name, text)) for text in (decision.best, decision.move))
    verdict = [texts.only_leaves(made, round(100 * decision.after))]
    if right:
        verdict.insert(0, texts.best_was(best, round(100 * decision.before)))
    context = shown(view, visitor) | {
        "heading": texts.MISTAKES,
        "task": say("{who} is to move. Find the better move.", who=view.names[view.seat or 0]),
        "right": right,
        "verdict": verdict,
        "reasons": reasons_shown(why),
        "lines": f"/tables/{table.id}/mistakes/{index}/line",
        "query": "",
        "analyse": f"/analysis/new/table/{table.id}/{index}",
        "onward": _onward(review, table.id, index, right),
    }
    return rendering.page(request, visitor, "answer.html", **context)


def _onward(review: GameReview, table: str, index: int, right: bool) -> list[tuple[str, Phrase]]:
    """The next exercise of the same player, if there is one; then back to the replay."""
    seat = review.decision_at(index).seat
    later = [point.moves - 1 for point in review.points if point.moves - 1 > index and point.seat == seat]
    again = [] if right else [(f"/tables/{table}/mistakes/{index}", texts.TRY_AGAIN)]
    next_one = [(f"/tables/{table}/mistakes/{later[0]}", texts.TRY_IT)] if later else []
    return [*again, *next_one, (f"/tables/{table}/replay/{index}", texts.REPLAY)]


@router.get("/tables/{table}/mistakes/{index}/line/{which}/{step}")
async def see_line_of_review(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, index: int, which: str, step: int
) -> Response:
    """A line of a review, move by move."""
    _, why = _turning_point(services, table, index)
    place, heading = f"/tables/{table.id}/mistakes/{index}", texts.REVIEW_TAB
    return line_page(request, visitor, why, which, step, heading, place, "", f"/tables/{table.id}/replay/{index}")


def _turning_point(services: TheServices, table: TheTable, index: int) -> tuple[GameReview, Explanation]:
    """What a review has found there; only games that are over have one."""
    review = services.reviews.of(table)
    if review is None or not review.is_ready or index not in review.why:
        raise NotFound(say("nobody has asked for a review of this game yet"))
    return review, review.why[index]
