"""The routes of the analysis board. Everybody with an address can look at an analysis; only its owner changes it.

An analysis begins with a game that is over, a shipped puzzle, a file, or a table laid out by hand: never with a game
that is on, for all is open in it.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated, Any, TypeVar

from fastapi import APIRouter, Form, Request, UploadFile
from starlette.datastructures import FormData
from starlette.responses import JSONResponse, RedirectResponse, Response

from malecon.kernel import registry
from malecon.kernel.errors import BadRecord, BadSetup
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.verbs import CHANCE
from malecon.kernel.view import parse_code, turn_of
from malecon.match import LARGEST_FILE, Match, Move, Record
from malecon.server.accounts.visitors import Visitor, remember
from malecon.server.errors import Forbidden, NotFound
from malecon.server.learning.analyses import StoredAnalysis
from malecon.server.pages import rendering
from malecon.server.tables.hints import is_ready
from malecon.server.tables.table import Table
from malecon.server.texts import chance as chance_text
from malecon.server.web.dependencies import TheServices, TheTable, TheVisitor
from malecon.server.web.routes.teaching import texts
from malecon.server.web.routes.teaching.pages import shown
from malecon.server.web.routes.teaching.setup_form import read_values, sheets
from malecon.server.web.services import Services
from malecon.teaching.analysis import Analysis, BadPosition, fields_of
from malecon.teaching.analysis.position_fields import Value, first_position, setup_form_of
from malecon.teaching.analysis.tree import ROOT
from malecon.teaching.puzzles import shipped
from malecon.text import describe_move as text_describe_move
from malecon.text import translate
from malecon.text.game_text import tell_step, text_of

router = APIRouter(include_in_schema=False)
Found = TypeVar("Found")
#: Milliseconds of thought, in steps that the page asks for one after the other; after the last comes a line.
STEPS = (400, 1200, 2500)
#: What a step counts for at most, in the time that the server thinks for somebody.
STEP_SECONDS = 3
#: So many moves of a line are shown, and of what has happened.
MOST_SHOWN = 12


# --- where one begins


@router.get("/analysis")
async def index(request: Request, services: TheServices, visitor: TheVisitor) -> Response:
    """The ways to begin, and what the visitor keeps."""
    kept = await asyncio.to_thread(services.analyses.of, visitor.person)
    known = [registry.get(name) for name in registry.names()]
    titles = {game.name: game.title for game in known}
    context: dict[str, Any] = {
        "kept": kept,
        "known": known,
        "titles": titles,
        "layouts": {g.name for g in known if setup_form_of(g)},
    }
    return rendering.page(request, visitor, "analyses.html", S=texts, **context)


@router.post("/analysis/new")
async def begin(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    game: Annotated[str, Form(max_length=40)],
    players: Annotated[int, Form()],
    by_hand: Annotated[str, Form(max_length=4)] = "",
) -> Response:
    """A game from its beginning, or a table to be laid out by hand."""
    found = registry.get(game)
    if by_hand:
        Match(found, players)  # or it says what is wrong
        tree = Analysis(found, players, table=fields_of(found, first_position(found, players)))
        return _to(request, visitor, f"/analysis/{await _create(services, visitor, tree)}/setup")
    tree = Analysis.of(Match(found, players, seed=secrets.randbits(60)))
    return await _new(request, services, visitor, tree, len(tree) - 1)


@router.post("/analysis/new/table/{table}/{moves}")
async def from_table(
    request: Request, services: TheServices, table: TheTable, visitor: TheVisitor, moves: int
) -> Response:
    """A game that is over, or a record."""
    check_over(table)
    tree = await asyncio.to_thread(Analysis.of, table.match)
    return await _new(request, services, visitor, tree, min(max(moves, 0), len(table.match)))


def check_over(table: Table) -> None:
    """Forbidden while a game is on, whoever asks: all would be open, and the search at hand."""
    if not table.match.is_over and not table.is_record:
        raise Forbidden(say("no looking ahead while others play; come back when the game is over"))


@router.post("/analysis/new/puzzle/{game}/{number}")
async def from_puzzle(request: Request, services: TheServices, visitor: TheVisitor, game: str, number: int) -> Response:
    known = shipped(registry.get(game).name)
    if not 1 <= number <= len(known):
        raise NotFound(say("there is no such puzzle"))
    tree = Analysis.of(known[number - 1].match)
    return await _new(request, services, visitor, tree, len(tree) - 1)


@router.post("/analysis/load")
async def load(request: Request, services: TheServices, visitor: TheVisitor, file: UploadFile) -> Response:
    """A file: an analysis, or the record of a game."""
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
    """Keep a new analysis, if the host lets this visitor; its address."""
    await asyncio.to_thread(services.moderation.check_play, visitor)
    await asyncio.to_thread(services.moderation.check_words, "\n".join(node.note for node in tree.nodes if node.note))
    return await asyncio.to_thread(services.analyses.create, visitor.person, tree)


def _to(request: Request, visitor: Visitor, address: str) -> Response:
    response = RedirectResponse(address, 303)
    remember(visitor, response, secure=request.url.scheme == "https")
    return response


# --- looking


@router.get("/analysis/{name}")
async def open_analysis(services: TheServices, name: str) -> Response:
    kept, tree = await _look(services, name)
    first = next((node for node in (ROOT, *tree.main_line()) if (tree.turn(node) or 0) >= 0), ROOT)
    return RedirectResponse(f"/analysis/{kept.id}/{first}", 303)


@router.get("/analysis/{name}/file.json")
async def save_file(services: TheServices, name: str) -> Response:
    kept, tree = await _look(services, name)
    headers = {"content-disposition": f'attachment; filename="{tree.game.name}-{kept.id}.json"'}
    return Response(tree.to_json(), media_type="application/json", headers=headers)


@router.get("/analysis/{name}/setup")
async def see_setup(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    kept, tree = await _look(services, name)
    _check_owner(kept, visitor)
    if tree.table is None:
        raise NotFound(say("this analysis does not begin with a table laid out by hand"))
    return _setup_page(request, visitor, kept, tree, fields_of(tree.game, tree.position(ROOT)), ())


@router.get("/analysis/{name}/{node}")
async def see(request: Request, services: TheServices, visitor: TheVisitor, name: str, node: int) -> Response:
    """The board at a node, the moves from there, the tree."""
    kept, tree = await _look(services, name)
    _check_node(tree, node)
    view, turn = tree.view(node), tree.turn(node)
    mine, place = kept.owner == visitor.person, f"/analysis/{kept.id}"
    context = shown(view, visitor, offers=turn is not None and turn >= 0)
    if turn is not None and turn < 0:
        context["choices"] = _chances(tree, node)
    following = tree.children(node)
    context |= {
        "S": texts,
        "heading": texts.ANALYSIS,
        "task": texts.to_move(view.names[turn]) if turn is not None and turn >= 0 else context["prompt"],
        "kept": kept,
        "tree": tree,
        "node": node,
        "note": tree.nodes[node].note,
        "mine": mine,
        "place": place,
        "here": f"{place}/{node}",
        "action": f"{place}/{node}/{'move' if mine else 'copy'}",
        "is_chance": turn == CHANCE,
        "is_over": turn is None,
        "line": set(tree.path(node)),
        "rows": tree.rows(),
        "moves": await asyncio.to_thread(_moves, tree),
        "story": (await asyncio.to_thread(_story, tree, node))[-MOST_SHOWN:],
        "before": tree.nodes[node].parent if node != ROOT else None,
        "after": following[0] if following else None,
        "leads": node == ROOT or tree.children(tree.nodes[node].parent)[0] == node,
        "can_set_up": _can_be_laid_out(tree, node),
        "steps": len(STEPS),
    }
    return rendering.page(request, visitor, "analysis.html", **context)


@router.post("/analysis/{name}/{node}/think")
async def think(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: int,
    step: Annotated[int, Form(ge=0, le=len(STEPS))] = 0,
) -> Response:
    """The search's best moves after a longer and longer thought; in the last step, how the best one would go on."""
    _, tree = await _look(services, name)
    _check_node(tree, node)
    turn = tree.turn(node)
    if turn is None or turn < 0:
        raise BadSetup(say("nobody decides here; choose what chance brings first"))
    services.limiter.check_thought(visitor.person, request.scope, STEP_SECONDS)
    run = services.autoplay.think
    view = tree.view(node)
    if step == len(STEPS):
        return JSONResponse({"line": await _line(run, visitor, tree, node)})
    best, games_seen = await run(visitor.person, tree.suggest, node, STEPS[step], secrets.randbits(40))
    moves = []
    for suggestion in best:
        move = Move(tree.game.name, tree.game.notation.name(suggestion.code))
        label = translate(text_describe_move(view, move), visitor.language)
        chance = translate(chance_text(round(100 * suggestion.chance)), visitor.language)
        moves.append({"move": move.text, "label": label, "chance": chance, "share": round(suggestion.share, 3)})
    return JSONResponse({"moves": moves, "simulations": games_seen, "more": is_ready(tree.game.name)})


async def _line(run: Callable[..., Any], visitor: Visitor, tree: Analysis, node: int) -> list[dict[str, str]]:
    """The first moves of the line after the best move, each in notation and told."""
    if not is_ready(tree.game.name):
        return []
    best, _ = await run(visitor.person, tree.suggest, node, STEPS[0], secrets.randbits(40))
    line = await run(visitor.person, tree.continuation, node, best[0].code)
    name, moves = tree.game.notation.name, []
    for step in line.steps[:MOST_SHOWN]:
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
    node: int,
    move: Annotated[list[str], Form(max_length=MOST_SHOWN)],
) -> Response:
    """Add a move, or several in a row, and go there."""

    def work(tree: Analysis) -> int:
        at = node
        for one in move:
            at = tree.add(at, one[:60])
        return at

    return await _change(services, visitor, name, work)


@router.post("/analysis/{name}/{node}/copy")
async def copy(
    request: Request,
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: int,
    move: Annotated[str, Form(max_length=60)] = "",
) -> Response:
    """A copy of one's own, with a move that somebody wanted to make."""
    _, tree = await _look(services, name)
    tree = tree.copy()
    _check_node(tree, node)
    return await _new(request, services, visitor, tree, tree.add(node, move) if move else node)


@router.post("/analysis/{name}/{node}/draw")
async def draw(services: TheServices, visitor: TheVisitor, name: str, node: int) -> Response:
    """Let chance decide."""
    return await _change(services, visitor, name, lambda tree: tree.draw(node, secrets.randbits(60)))


@router.post("/analysis/{name}/{node}/note")
async def write_note(
    services: TheServices,
    visitor: TheVisitor,
    name: str,
    node: int,
    text: Annotated[str, Form(max_length=10_000)] = "",
) -> Response:
    await asyncio.to_thread(services.moderation.check_words, text)

    def work(tree: Analysis) -> int:
        tree.note(node, text.replace("\r\n", "\n"))
        return node

    return await _change(services, visitor, name, work)


@router.post("/analysis/{name}/{node}/remove")
async def remove(services: TheServices, visitor: TheVisitor, name: str, node: int) -> Response:
    """Take away a move and all that follows it."""
    return await _change(services, visitor, name, lambda tree: tree.remove(node))


@router.post("/analysis/{name}/{node}/lead")
async def promote(services: TheServices, visitor: TheVisitor, name: str, node: int) -> Response:
    """Make this the main line."""
    return await _change(services, visitor, name, lambda tree: tree.promote(node))


@router.post("/analysis/{name}/{node}/setup")
async def set_up(request: Request, services: TheServices, visitor: TheVisitor, name: str, node: int) -> Response:
    """A new analysis that begins with this position, to be changed by hand."""
    _, tree = await _look(services, name)
    _check_node(tree, node)
    table = fields_of(tree.game, tree.position(node))
    new = Analysis(tree.game, tree.players, options=tree.options, table=table)
    return _to(request, visitor, f"/analysis/{await _create(services, visitor, new)}/setup")


@router.post("/analysis/{name}/setup")
async def change_setup(request: Request, services: TheServices, visitor: TheVisitor, name: str) -> Response:
    """Lay out the table anew; what cannot be is said, and nothing changes. The moves are gone then."""
    kept, tree = await _look(services, name)
    _check_owner(kept, visitor)
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
        return _setup_page(request, visitor, kept, tree, values, tuple(problems), status=400)
    await asyncio.to_thread(services.analyses.save, kept, new)
    return RedirectResponse(f"/analysis/{kept.id}/{ROOT}", 303)


@router.post("/analysis/{name}/delete")
async def delete(services: TheServices, visitor: TheVisitor, name: str) -> Response:
    kept = await asyncio.to_thread(services.analyses.get, name)
    _check_owner(kept, visitor)
    await asyncio.to_thread(services.analyses.delete, kept)
    return RedirectResponse("/analysis", 303)


# --- inside


async def _look(services: Services, name: str) -> tuple[StoredAnalysis, Analysis]:
    kept = await asyncio.to_thread(services.analyses.get, name)
    return kept, await asyncio.to_thread(services.analyses.cached_tree, kept)


async def _change(services: Services, visitor: Visitor, name: str, work: Callable[[Analysis], int]) -> Response:
    """Change one's own analysis, and go to the node that the work names."""
    kept = await asyncio.to_thread(services.analyses.get, name)
    _check_owner(kept, visitor)

    def change() -> int:
        tree = services.analyses.cached_tree(kept).copy()
        node = work(tree)
        services.analyses.save(kept, tree)
        return node

    return RedirectResponse(f"/analysis/{kept.id}/{await asyncio.to_thread(change)}", 303)


def _check_owner(kept: StoredAnalysis, visitor: Visitor) -> None:
    if kept.owner != visitor.person:
        raise Forbidden(say("only the owner of an analysis can change it; make a copy of your own"))


def _check_node(tree: Analysis, node: int) -> None:
    if not 0 <= node < len(tree):
        raise NotFound(say("this analysis has no such move"))


def _can_be_laid_out(tree: Analysis, node: int) -> bool:
    """Whether fields can tell this position: somebody decides, and not in the setup."""
    return setup_form_of(tree.game) is not None and fields_of(tree.game, tree.position(node))["phase"] is not None


def _chances(tree: Analysis, node: int) -> list[dict[str, Any]]:
    """What chance may bring, as moves to choose from."""
    view = tree.view(node)
    return [
        {"move": str(move), "said": text_describe_move(view, move), "places": (), "key": "", "preview": ""}
        for move in tree.legal_moves(node)
    ]


@dataclass(frozen=True)
class _Told:
    """A move in the tree: after how many moves it comes, who makes it (nobody where chance decides), and its words."""

    number: int
    seat: int | None
    said: Phrase


def _moves(tree: Analysis) -> dict[int, _Told]:
    """Every move of the tree as its button would say it."""
    describe_move, numbers = text_of(tree.game).describe_move, {ROOT: 0}
    found = {}
    for node, before in tree.moves():
        numbers[node] = numbers[tree.nodes[node].parent] + 1
        seat, code = turn_of(before), parse_code(tree.game, tree.nodes[node].move)
        who = seat if seat is not None and seat >= 0 else None
        found[node] = _Told(numbers[node], who, describe_move(before, code, tree.names))
    return found


def _story(tree: Analysis, node: int) -> list[Phrase]:
    """What has happened on the way, as far as it is shown."""
    line = tree.line(node)
    recent = range(len(line))[-MOST_SHOWN:]
    return [phrase for index in recent for phrase in tell_step(tree.game, line.step(index), tree.names)]


def _setup_page(
    request: Request,
    visitor: Visitor,
    kept: StoredAnalysis,
    tree: Analysis,
    values: dict[str, Value],
    problems: tuple[Phrase, ...],
    status: int = 200,
) -> Response:
    context = {
        "S": texts,
        "game": tree.game,
        "kept": kept,
        "place": f"/analysis/{kept.id}",
        "sheets": sheets(tree.game, tree.players, values),
        "problems": problems,
    }
    return rendering.page(request, visitor, "analysis_setup.html", status=status, **context)
