"""The routes of the analysis board. Everybody with its address can read an analysis; only its owner changes it.

An analysis begins with a finished game, a shipped puzzle, a file, or a position set up by hand; never with a running
game, since nothing is hidden in it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any

from fastapi import APIRouter, Form, Request, UploadFile
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.errors import BadRecord, BadSetup
from malecon.kernel.game import Game, Name
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE
from malecon.kernel.view import parse_code, turn_of
from malecon.match import LARGEST_FILE, Match, Move, Record, View
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import Forbidden, NotFound
from malecon.server.learning.analyses import StoredAnalysis
from malecon.server.pages import rendering
from malecon.server.tables.hints import is_ready
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import Number, TheServices, TheTable, TheVisitor
from malecon.server.web.routes.teaching.board_pages import position_context
from malecon.server.web.services import Services
from malecon.server.workers.worker_pool import ANALYSIS
from malecon.teaching.analysis import Analysis, BadPosition, fields_of
from malecon.teaching.analysis.position_fields import (
    FieldCell,
    PositionField,
    Value,
    Values,
    first_position,
    setup_form_of,
)
from malecon.teaching.analysis.tree import ROOT
from malecon.teaching.puzzles import shipped
from malecon.text import describe_move as text_describe_move
from malecon.text import translate
from malecon.text.game_text import tell_step, text_of

router = APIRouter(include_in_schema=False)
#: The page asks for longer and longer searches, one after the other; after the last one, for a line.
SEARCH_STEPS_MS = (400, 1200, 2500)
#: The thinking time that a step is charged as, at most.
STEP_SECONDS = 3
#: Moves of a line, and past moves, that are listed.
MOST_MOVES = 12
#: Moves of the tree that a page shows, around the current one; links lead to the others.
MOST_SHOWN = 100


# --- where one begins


@router.get("/analysis")
async def index(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """List the ways to begin and the visitor's analyses."""
    summaries = await asyncio.to_thread(services.analyses.of, visitor.person)
    games = [registry.get(name) for name in registry.names()]
    titles = {game.name: game.title for game in games}
    context: dict[str, Any] = {
        "kept": summaries,
        "known": games,
        "titles": titles,
        "layouts": {g.name for g in games if setup_form_of(g)},
    }
    return rendering.page(request, visitor, "analyses.html", **context)


@router.post("/analysis/new")
async def begin(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    game: Annotated[str, Form(max_length=40)],
    players: Annotated[int, Form()],
    by_hand: Annotated[str, Form(max_length=4)] = "",
) -> Response:
    """Begin with the start of a game, or with a position to be set up by hand."""
    rules = registry.get(game)
    if by_hand:
        Match(rules, players)  # or it says what is wrong
        tree = Analysis(rules, players, table=fields_of(rules, first_position(rules, players)))
        return _to(request, visitor, f"/analysis/{await _create(services, visitor, tree)}/setup")
    tree = Analysis.of(Match(rules, players, seed=secrets.randbits(60)))
    return await _new(request, services, visitor, tree, len(tree) - 1)


@router.post("/analysis/new/table/{table}/{moves}")
async def from_table(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, moves: Number
) -> Response:
    """Begin with a finished game, or a record."""
    check_over(table)
    tree = await asyncio.to_thread(Analysis.of, table.match)
    return await _new(request, services, visitor, tree, min(max(moves, 0), len(table.match)))


def check_over(table: Table) -> None:
    """Raise Forbidden while a game runs, for everybody: nothing would be hidden, and the search could help."""
    if not table.match.is_over and not table.is_record:
        raise Forbidden(say("no looking ahead while others play; come back when the game is over"))


@router.post("/analysis/new/puzzle/{game}/{number}")
async def from_puzzle(
    request: Request, services: TheServices, visitor: TheVisitor, game: str, number: Number
) -> Response:
    puzzles = shipped(registry.get(game).name)
    if not 1 <= number <= len(puzzles):
        raise NotFound(say("there is no such puzzle"))
    tree = Analysis.of(puzzles[number - 1].match)
    return await _new(request, services, visitor, tree, len(tree) - 1)


@router.post("/analysis/load")
async def load(request: Request, services: TheServices, visitor: TheVisitor, file: UploadFile) -> Response:
    """Begin with a file: an analysis, or the record of a game."""
    data = await file.read(LARGEST_FILE + 1)
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        raise BadRecord(say("this is not UTF-8 text")) from None
    tree = await asyncio.to_thread(_read, text)
    return await _new(request, services, visitor, tree, ROOT)


def _read(text: str) -> Analysis:
    if '"analysis"' in text[:200]:
        return Analysis.from_json(text)
    return Analysis.of(Record.from_json(text).replay())


async def _new(request: Request, services: Services, visitor: Visitor, tree: Analysis, node: int) -> Response:
    return _to(request, visitor, f"/analysis/{await _create(services, visitor, tree)}/{node}")


async def _create(services: Services, visitor: Visitor, tree: Analysis) -> str:
    """Store a new analysis, if moderation allows it, and return its address."""
    await asyncio.to_thread(services.moderation.check_play, visitor)
    await asyncio.to_thread(services.moderation.check_words, *(node.note for node in tree.nodes if node.note))
    return await asyncio.to_thread(services.analyses.create, visitor.person, tree)


def _to(request: Request, visitor: Visitor, address: str) -> Response:
    response = RedirectResponse(address, 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


# --- looking


@router.get("/analysis/{name}")
async def open_analysis(services: TheServices, name: str) -> Response:
    stored, tree = await services.analyses.open(name)
    return RedirectResponse(f"/analysis/{stored.id}/{tree.first_decision()}", 303)


@router.get("/analysis/{name}/file.json")
async def save_file(services: TheServices, name: str) -> Response:
    stored, tree = await services.analyses.open(name)
    headers = {"content-disposition": f'attachment; filename="{tree.game.name}-{stored.id}.json"'}
    return Response(await asyncio.to_thread(tree.to_json), media_type="application/json", headers=headers)


@router.get("/analysis/{name}/setup")
async def see_setup(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    stored, tree = await services.analyses.open(name)
    _check_owner(stored, visitor)
    if tree.table is None:
        raise NotFound(say("this analysis does not begin with a table laid out by hand"))
    return _setup_page(request, visitor, stored, tree, fields_of(tree.game, tree.position(ROOT)), ())


@router.get("/analysis/{name}/{node}")
async def see(request: Request, services: TheServices, visitor: TheVisitor, name: str, node: Number) -> Response:
    """Show the board at a node, its moves, and the tree."""
    stored, tree = await services.analyses.open(name)
    _check_node(tree, node)
    view = tree.view(node)
    turn = view.turn
    is_own, place = stored.owner == visitor.person, f"/analysis/{stored.id}"
    context = position_context(view, visitor, offers=turn is not None and turn >= 0)
    if turn is not None and turn < 0:
        context["choices"] = _chance_moves(tree, node, view)
    following, shown = tree.children(node), tree.neighbourhood(node, MOST_SHOWN)
    top = min(shown)
    context |= {
        "heading": say("Analysis board"),
        "task": say("{who} is to move", who=view.names[turn]) if turn is not None and turn >= 0 else context["prompt"],
        "kept": stored,
        "tree": tree,
        "node": node,
        "note": tree.nodes[node].note,
        "mine": is_own,
        "place": place,
        "here": f"{place}/{node}",
        "action": f"{place}/{node}/{'move' if is_own else 'copy'}",
        "is_chance": turn == CHANCE,
        "is_over": turn is None,
        "line": set(tree.path(node)),
        "rows": tree.rows(shown),
        "earlier": None if top == ROOT else tree.nodes[top].parent,
        "moves": {number: _tree_move(tree, number) for number in shown if number != ROOT},
        "story": _story(tree, node)[-MOST_MOVES:],
        "before": tree.nodes[node].parent if node != ROOT else None,
        "after": following[0] if following else None,
        "leads": tree.leads(node),
        "can_set_up": _has_setup_form(view),
        "steps": len(SEARCH_STEPS_MS),
    }
    return rendering.page(request, visitor, "analysis.html", **context)


@router.post("/analysis/{name}/{node}/think")
async def think(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: Number,
    step: Annotated[int, Form(ge=0, le=len(SEARCH_STEPS_MS))] = 0,
) -> Response:
    """Return the best moves of a search, longer with each step; in the last step, how the best one would go on."""
    _, tree = await services.analyses.open(name)
    _check_node(tree, node)
    turn = tree.turn(node)
    if turn is None or turn < 0:
        raise BadSetup(say("nobody decides here; choose what chance brings first"))
    services.limiter.check_think_time(visitor.person, request.scope, STEP_SECONDS)
    run = partial(services.worker_pool.run, ANALYSIS)
    view = tree.view(node)
    if step == len(SEARCH_STEPS_MS):
        return JSONResponse({"line": await _line(run, visitor, tree, node)})
    best, games_seen = await run(visitor.person, tree.suggest, node, SEARCH_STEPS_MS[step], secrets.randbits(40))
    moves = []
    for suggestion in best:
        move = Move(tree.game.name, tree.game.notation.name(suggestion.code))
        label = translate(text_describe_move(view, move), visitor.language)
        chance = translate(
            say("{percent}% chance of winning", percent=round(100 * suggestion.chance)), visitor.language
        )
        moves.append({"move": move.text, "label": label, "chance": chance, "share": round(suggestion.share, 3)})
    return JSONResponse({"moves": moves, "simulations": games_seen, "more": is_ready(tree.game.name)})


async def _line(run: Callable[..., Any], visitor: Visitor, tree: Analysis, node: int) -> list[dict[str, str]]:
    """Return the first moves after the best move, each in notation and in a sentence."""
    if not is_ready(tree.game.name):
        return []
    best, _ = await run(visitor.person, tree.suggest, node, SEARCH_STEPS_MS[0], secrets.randbits(40))
    line = await run(visitor.person, tree.continuation, node, best[0].code)
    name, moves = tree.game.notation.name, []
    for step in line.steps[:MOST_MOVES]:
        text = " ".join(translate(phrase, visitor.language) for phrase in tell_step(tree.game, step, tree.names))
        moves.append({"move": name(step.code), "told": text or name(step.code)})
    return moves


# --- changing


@router.post("/analysis/{name}/{node}/move")
async def make_move(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: Number,
    move: Annotated[list[str], Form(max_length=MOST_MOVES)],
) -> Response:
    """Add a move, or several in a row, and go there."""

    def work(tree: Analysis) -> int:
        at = node
        for text in move:
            at = tree.add(at, text[:60])
        return at

    return await _change(services, visitor, name, work)


@router.post("/analysis/{name}/{node}/copy")
async def copy(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: Number,
    move: Annotated[str, Form(max_length=60)] = "",
) -> Response:
    """Make a copy for the visitor, with a move that they wanted to make."""
    _, tree = await services.analyses.open(name)
    _check_node(tree, node)
    tree = tree.copy()
    return await _new(request, services, visitor, tree, tree.add(node, move) if move else node)


@router.post("/analysis/{name}/{node}/draw")
async def draw(services: TheServices, visitor: TheVisitor, name: str, node: Number) -> Response:
    """Let chance decide."""
    return await _change(services, visitor, name, lambda tree: tree.draw(node, secrets.randbits(60)))


@router.post("/analysis/{name}/{node}/note")
async def write_note(
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: Number,
    text: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    await asyncio.to_thread(services.moderation.check_words, text)

    def work(tree: Analysis) -> int:
        tree.note(node, text.replace("\r\n", "\n"))
        return node

    return await _change(services, visitor, name, work)


@router.post("/analysis/{name}/{node}/remove")
async def remove(services: TheServices, visitor: TheVisitor, name: str, node: Number) -> Response:
    """Remove a move and all that follow it."""
    return await _change(services, visitor, name, lambda tree: tree.remove(node))


@router.post("/analysis/{name}/{node}/lead")
async def promote(services: TheServices, visitor: TheVisitor, name: str, node: Number) -> Response:
    """Make this the main line."""
    return await _change(services, visitor, name, lambda tree: tree.promote(node))


@router.post("/analysis/{name}/{node}/setup")
async def set_up(request: Request, services: TheServices, visitor: TheVisitor, name: str, node: Number) -> Response:
    """Begin a new analysis with this position, to be changed by hand."""
    _, tree = await services.analyses.open(name)
    _check_node(tree, node)
    table = fields_of(tree.game, tree.position(node))
    new = Analysis(tree.game, tree.players, options=tree.options, table=table)
    return _to(request, visitor, f"/analysis/{await _create(services, visitor, new)}/setup")


@router.post("/analysis/{name}/setup")
async def change_setup(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """Replace the position and drop all moves; if it is not possible, show why and change nothing."""
    stored, tree = await services.analyses.open(name)
    _check_owner(stored, visitor)
    form: FormData = await request.form(max_fields=3_000)
    values, problems = read_values(tree.game, tree.players, form)
    if not problems:
        try:
            new = Analysis(tree.game, tree.players, options=tree.options, table=values)
        except BadPosition as error:
            problems = list(error.violations)
        except BadSetup as error:
            problems = [error.phrase]
    if problems:
        return _setup_page(request, visitor, stored, tree, values, tuple(problems), status=400)
    await services.analyses.change(stored, new, lambda tree: ROOT)
    return RedirectResponse(f"/analysis/{stored.id}/{ROOT}", 303)


@router.post("/analysis/{name}/delete")
async def delete(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    stored = await asyncio.to_thread(services.analyses.get, name)
    _check_owner(stored, visitor)
    await services.analyses.delete(stored)
    return RedirectResponse("/analysis", 303)


# --- inside


async def _change(services: Services, visitor: Visitor, name: str, work: Callable[[Analysis], int]) -> Response:
    """Change an analysis of the visitor, and go to the node that `work` returns."""
    stored, tree = await services.analyses.open(name)
    _check_owner(stored, visitor)
    node = await services.analyses.change(stored, tree, work)
    return RedirectResponse(f"/analysis/{stored.id}/{node}", 303)


def _check_owner(stored: StoredAnalysis, visitor: Visitor) -> None:
    if stored.owner != visitor.person:
        raise Forbidden(say("only the owner of an analysis can change it; make a copy of your own"))


def _check_node(tree: Analysis, node: int) -> None:
    if not 0 <= node < len(tree):
        raise NotFound(say("this analysis has no such move"))


def _has_setup_form(view: View) -> bool:
    """Return whether the form can describe a position: a player decides, and not in the setup."""
    return setup_form_of(view.game) is not None and fields_of(view.game, view.position)["phase"] is not None


def _chance_moves(tree: Analysis, node: int, view: View) -> list[dict[str, Any]]:
    """Return the moves of chance, to choose from."""
    return [
        {"move": str(move), "label": text_describe_move(view, move), "places": (), "key": "", "preview": ""}
        for move in tree.legal_moves(node)
    ]


@dataclass(frozen=True)
class _TreeMove:
    """A move in the tree: the moves before it, the seat that makes it (None for chance), and its label."""

    number: int
    seat: int | None
    label: Phrase


def _tree_move(tree: Analysis, node: int) -> _TreeMove:
    """Return the move of a node, labelled as on its button."""
    before, code = tree.position(tree.nodes[node].parent), parse_code(tree.game, tree.nodes[node].move)
    seat = turn_of(before)
    player = seat if seat is not None and seat >= 0 else None
    return _TreeMove(tree.depth(node), player, text_of(tree.game).describe_move(before, code, tree.names))


def _story(tree: Analysis, node: int) -> list[Phrase]:
    """Return the latest events on the way to a node, in sentences."""
    steps = tree.latest_steps(node, MOST_MOVES)
    return [phrase for step in steps for phrase in tell_step(tree.game, step, tree.names)]


def _setup_page(
    request: Request,
    visitor: Visitor,
    stored: StoredAnalysis,
    tree: Analysis,
    values: dict[str, Value],
    problems: tuple[Phrase, ...],
    status: int = 200,
) -> Response:
    context = {
        "game": tree.game,
        "kept": stored,
        "place": f"/analysis/{stored.id}",
        "sheets": form_fields(tree.game, tree.players, values),
        "problems": problems,
    }
    return rendering.page(request, visitor, "analysis_setup.html", status=status, **context)


# --- the form of a position


@dataclass(frozen=True)
class FormEntry:
    """One value on the form."""

    key: str
    names: tuple[Name, ...]
    value: Value
    choices: tuple[tuple[str, Name], ...] = ()


@dataclass(frozen=True)
class FormField:
    """A field on the form, with all its values."""

    field: PositionField
    entries: tuple[FormEntry, ...]

    @property
    def kind(self) -> str:
        return "number" if self.field.choices is None else "several" if self.field.is_multiple else "choice"


def form_fields(game: Game, players: int, values: Values) -> list[FormField]:
    """Return all fields of the form, filled in."""
    return [FormField(field, tuple(_entry(cell, values) for cell in field.cells())) for field in _fields(game, players)]


def _fields(game: Game, players: int) -> Iterable[PositionField]:
    form = setup_form_of(game)
    return () if form is None else form.fields(players)


def _entry(cell: FieldCell, values: Values) -> FormEntry:
    choices = tuple(zip(cell.field.choices or (), cell.field.choice_names, strict=False))
    return FormEntry(cell.key, cell.names, values.get(cell.key), choices)


def read_values(game: Game, players: int, form: FormData) -> tuple[dict[str, Value], list[Phrase]]:
    """Return the values of a form, and the problems of those that are not numbers; others are checked by the game."""
    values: dict[str, Value] = {}
    problems: list[Phrase] = []
    for field in _fields(game, players):
        for cell in field.cells():
            sent = [value[:60] for value in form.getlist(cell.key) if isinstance(value, str)]
            if field.is_multiple:
                values[cell.key] = sent
            elif field.choices is not None:
                values[cell.key] = (sent[0] if sent else "") or None
            else:
                number = _number(sent[0] if sent else "")
                values[cell.key] = number
                if number is None:
                    text = say("{field} is a number from {low} to {high}, not {value}")
                    value = repr(sent[0] if sent else "")
                    problems.append(text.fill(field=cell.key, low=field.low, high=field.high, value=value))
    return values, problems


def _number(text: str) -> int | None:
    text = text.strip().replace("−", "-")
    digits = text.removeprefix("-")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 6 else None
