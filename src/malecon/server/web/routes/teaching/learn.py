"""The routes of lessons. The address has the moves made so far; the server stores which lessons are done."""

from __future__ import annotations

import asyncio
import gzip
from dataclasses import replace
from typing import Annotated, Any
from urllib.parse import quote, urlencode

import msgspec
from fastapi import APIRouter, Form, Query, Request
from starlette.responses import RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.phrases import Phrase, say
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import NotFound
from malecon.server.pages import rendering
from malecon.server.web.dependencies import TheServices, TheVisitor
from malecon.server.web.routes.teaching.board_pages import in_a_row, position_context, try_context
from malecon.teaching.lessons import MOST_MOVES, SEAT, Lesson, LessonRun, find, lessons
from malecon.text.game_text import tell_step

router = APIRouter(include_in_schema=False)
#: The thinking time that a person must have left to ask for all lessons; it is charged as what it takes.
BUNDLE_SECONDS = 3.0
#: The learner's moves so far, in order.
Moves = Annotated[list[str], Query(alias="m", max_length=MOST_MOVES, default_factory=list)]


@router.get("/learn")
async def learn(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """List all lessons, by game, with those that the visitor has done."""
    sections = []
    for name in registry.names():
        game_lessons = lessons(name)
        if not game_lessons:
            continue
        done = await asyncio.to_thread(services.lesson_progress.done, visitor.person, name)
        following = next((lesson for lesson in game_lessons if lesson.key not in done), None)
        sections.append({"game": registry.get(name), "lessons": game_lessons, "done": done, "following": following})
    return rendering.page(request, visitor, "learn.html", sections=sections)


@router.get("/learn/{game}/all")
async def whole_lessons(request: Request, services: TheServices, visitor: TheVisitor, game: str) -> Response:
    """Return every page on the way through the lessons, and each first step aside, for use without a network."""
    title, visitor = registry.get(game).title, replace(visitor, account=None)
    pages = [(lesson, moves) for lesson in lessons(game) for moves in _ways(lesson)]
    texts = rendering.lasting(services.site.texts)
    bundles, key = services.replay_bundles, ("lessons", game, visitor.language, visitor.layout, texts)
    bundle = bundles.kept(key)
    if bundle is None:
        services.limiter.check_think_time(visitor.person, request.scope, BUNDLE_SECONDS)

        def render(step: int) -> str:
            lesson, moves = pages[step]
            return rendering.kept_page(texts, visitor, "lesson.html", "/learn", **_context(lesson, moves, visitor))

        bundle = await bundles.make(visitor.person, key, len(pages), render)
    paths = msgspec.json.encode({"paths": [_address(lesson, moves) for lesson, moves in pages]})
    packed = "gzip" in request.headers.get("accept-encoding", "")
    data = paths[:-1] + b"," + bundle[1:]
    body = await asyncio.to_thread(gzip.compress, data, 3) if packed else data
    headers = {"x-game-title": quote(title)} | ({"content-encoding": "gzip"} if packed else {})
    return Response(body, media_type="application/json", headers=headers)


def _ways(lesson: Lesson) -> list[list[str]]:
    """Return the learner's moves that lead to the goal, as far as each of them, and each other move on the way."""
    ways: list[list[str]] = [[]]
    for done in range(len(lesson.solution)):
        before = list(lesson.solution[:done])
        ways += [[*before, move.text] for move in lesson.play(before).view.legal_moves]
    return ways


@router.get("/learn/{game}/{key}")
async def see_lesson(request: Request, visitor: TheVisitor, game: str, key: str, moves: Moves) -> Response:
    """Show a lesson after some moves of the learner."""
    return rendering.page(request, visitor, "lesson.html", **_context(_lesson(game, key), moves, visitor))


def _context(lesson: Lesson, moves: list[str], visitor: Visitor) -> dict[str, Any]:
    """Return what the page of a lesson shows after some moves."""
    run = lesson.play(moves)
    every = lessons(lesson.game)
    number = every.index(lesson) + 1
    context: dict[str, Any] = position_context(run.view, visitor, offers=run.is_on)
    if moves:
        context |= try_context(lesson.play(moves[:-1]).view, visitor, tried=run.moves[-1])
    context |= {
        "heading": lesson.title,
        "number": say("Lesson {number} of {total}", number=number, total=len(every)),
        "task": lesson.task,
        "run": run,
        "story": _story(run),
        "action": _address(lesson, moves),
        "back": _address(lesson, moves[:-1]),
        "again": _address(lesson),
        "following": every[number] if number < len(every) else None,
    }
    return context


@router.post("/learn/{game}/{key}")
async def make_move(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    game: str,
    key: str,
    move: Annotated[str, Form(max_length=60)],
    moves: Moves,
) -> Response:
    """Make a move of the learner; if it reaches the goal, the lesson is done."""
    lesson = _lesson(game, key)
    run = lesson.play([*moves, move])
    if run.reached:
        await asyncio.to_thread(services.lesson_progress.note, visitor.person, lesson.game, lesson.key)
    response = RedirectResponse(_address(lesson, run.moves), 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


def _lesson(game: str, key: str) -> Lesson:
    lesson = find(game, key)
    if lesson is None:
        raise NotFound(say("there is no such lesson"))
    return lesson


def _address(lesson: Lesson, moves: list[str] | None = None) -> str:
    query = "?" + urlencode([("m", move) for move in moves]) if moves else ""
    return f"/learn/{lesson.game}/{lesson.key}{query}"


def _story(run: LessonRun) -> list[Phrase]:
    """Return what has happened since the learner's last move, that one included."""
    steps = run.line.steps
    last = max((number for number, step in enumerate(steps) if step.seat == SEAT), default=0)
    return in_a_row([tell_step(run.game, step, run.line.names) for step in steps[last:]])
