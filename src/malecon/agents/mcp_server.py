"""The games for language models, through the Model Context Protocol: tools to play, the rules to read.

Needs the extra `mcp`. What a tool answers is what the player of its session may know.
"""

from __future__ import annotations

import functools
import json
from collections.abc import Callable
from typing import Any

import malecon
from malecon.agents.sessions import GameSession, GameSessions
from malecon.bots import SIMPLE
from malecon.bots.levels import LEVELS
from malecon.kernel import registry
from malecon.kernel.errors import MaleconError
from malecon.kernel.extras import require
from malecon.kernel.readable import schema
from malecon.match import Record
from malecon.text import LANGUAGES, UnknownLanguage, number_of_players, rules_text, translate

INSTRUCTIONS = """Two board games by Michael Rieneck: Santiago de Cuba and Cuba. Read the rules (malecon://rules/GAME/LANGUAGE),
start a game with new_game, and make moves with play until the game is over. A move is a few words of notation, such
as `drive 3`; legal_moves lists those that you can make, with what they cost and bring. ? is what you may not know."""


def make_server() -> Any:
    """Return the MCP server; `run("stdio")` and `run("streamable-http")` serve it."""
    mcp = require("mcp.server.mcpserver", "The MCP SDK", "mcp")
    server = mcp.MCPServer("malecon", instructions=INSTRUCTIONS, version=malecon.__version__, log_level="WARNING")
    sessions = GameSessions()
    errors = require("mcp.server.mcpserver.exceptions", "The MCP SDK", "mcp")

    def tool(work: Callable[..., Any]) -> Callable[..., Any]:
        """Offer a function as a tool; its errors are told in words, where the SDK would hide them."""

        @functools.wraps(work)
        def with_words(*args: Any, **settings: Any) -> Any:
            try:
                return work(*args, **settings)
            except MaleconError as error:
                raise errors.ToolError(str(error)) from None

        server.tool()(with_words)
        return with_words

    @tool
    def list_games() -> dict[str, Any]:
        """List the games, for how many players they are, their options, and the bots to play against."""
        return {
            "games": [_about(name) for name in registry.names()],
            "bots": {**dict.fromkeys(SIMPLE, "no foresight"), **{level.key: str(level.description) for level in LEVELS}}
            | {"search:sims=500": "a tree search with this many simulations"},
            "languages": list(LANGUAGES),
        }

    @tool
    def new_game(
        game: str,
        opponents: list[str],
        seat: int = 0,
        seed: int | None = None,
        options: dict[str, bool | str] | None = None,
        language: str = "en",
    ) -> str:
        """Start a game against bots, one for each other seat. Returns the name of the game and the table."""
        session = GameSession(game, opponents, seat=seat, seed=seed, options=options, language=language)
        return f"game: {sessions.add(session)}\n\n{session.screen()}"

    @tool
    def look(game_id: str, as_json: bool = False) -> str:
        """Show the table as you see it: as text, or as JSON that fits malecon://schema/GAME."""
        session = sessions.get(game_id)
        with session.lock:
            return json.dumps(session.state()) if as_json else session.screen()

    @tool
    def legal_moves(game_id: str) -> list[str]:
        """List your legal moves: the notation first, then what the move means, costs and brings."""
        session = sessions.get(game_id)
        with session.lock:
            return session.legal()

    @tool
    def play(game_id: str, move: str) -> str:
        """Make a move, given in notation. Returns what happened until your next turn, and the table."""
        session = sessions.get(game_id)
        with session.lock:
            session.news()
            session.push(move)
            return "\n".join([*session.news(), "", session.screen()])

    @tool
    def explain(game_id: str, move: str | None = None) -> str:
        """Say which move a search finds best, and why; or why a move is worse than the best one."""
        session = sessions.get(game_id)
        with session.lock:
            return session.explain(move)

    @tool
    def review(game_id: str) -> str:
        """Judge every decision of a finished game: chances to win, better moves, turning points."""
        session = sessions.get(game_id)
        with session.lock:
            return session.review()

    @tool
    def record(game_id: str) -> str:
        """Return the record of a finished game, which `malecon replay` and the table in the browser read."""
        session = sessions.get(game_id)
        with session.lock:
            return Record.of(session.match).to_json() if session.match.is_over else "the game is not over"

    @server.resource("malecon://rules/{game}/{language}", mime_type="text/plain")  # type: ignore[untyped-decorator]
    def rules(game: str, language: str) -> str:
        """The rules of a game as one plain text."""
        if language not in LANGUAGES:
            raise UnknownLanguage(language)
        return rules_text(registry.get(game), language)

    @server.resource("malecon://schema/{game}", mime_type="application/json")  # type: ignore[untyped-decorator]
    def position_schema(game: str) -> str:
        """The JSON Schema of a table as `look` shows it with as_json."""
        return json.dumps(schema(registry.get(game)))

    for name in registry.names():
        for language in LANGUAGES:
            _add_rules(server, name, language)
    return server


def _add_rules(server: Any, name: str, language: str) -> None:
    """Add the rules of a game in a language as a resource of its own, so that clients can list them."""
    game = registry.get(name)

    def text() -> str:
        return rules_text(game, language)

    text.__name__ = f"rules_{name}_{language}"
    text.__doc__ = f"The rules of {game.title}, in the language {language}."
    server.resource(f"malecon://rules/{name}/{language}", name=text.__name__, mime_type="text/plain")(text)


def _about(name: str) -> dict[str, Any]:
    game = registry.get(name)
    return {
        "name": name,
        "title": game.title,
        "players": translate(number_of_players(game), "en"),
        "colours": list(game.colours[: game.most_players]),
        "options": {key: list(option.choices) for key, option in game.options.items()},
    }
