"""Language models play through the Model Context Protocol, as the SDK's own client does."""

from __future__ import annotations

import asyncio
import json
import os
import re
import socket
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from typing import Any

import jsonschema_rs
import pytest

from malecon import Record, games
from malecon.agents.mcp_server import make_server
from malecon.agents.sessions import MOST_SESSIONS, GameSession, GameSessions
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.readable import schema
from malecon.text import LANGUAGES
from tests.paths import ROOT

mcp = pytest.importorskip("mcp")


async def call(client: Any, tool: str, **arguments: Any) -> str:
    """What a tool answers, as text; AssertionError with its words if it fails."""
    result = await client.call_tool(tool, arguments)
    text = "\n".join(part.text for part in result.content)
    assert not result.is_error, text
    return text


async def refusal(client: Any, tool: str, **arguments: Any) -> str:
    result = await client.call_tool(tool, arguments)
    assert result.is_error
    return "\n".join(part.text for part in result.content)


def with_client(server: Any, work: Callable[[Any], Awaitable[None]]) -> None:
    async def run() -> None:
        async with mcp.Client(server) as client:
            await work(client)

    asyncio.run(run())


async def play_on(client: Any, game: str, moves: int) -> str:
    """Play the first legal move so often, or to the end; the last table is returned."""
    shown = ""
    for _ in range(moves):
        legal = (await client.call_tool("legal_moves", {"game_id": game})).structured_content["result"]
        if not legal:
            break
        shown = await call(client, "play", game_id=game, move=re.split(r"\s{2,}", legal[0])[0])
    return shown


def test_a_game_is_played_to_its_end_and_reviewed() -> None:
    async def work(client: Any) -> None:
        tools = {tool.name for tool in (await client.list_tools()).tools}
        assert tools == {"list_games", "new_game", "look", "legal_moves", "play", "explain", "review", "record"}
        began = await call(client, "new_game", game="santiago", opponents=["turista"], seed=3)
        game = began.splitlines()[0].removeprefix("game: ")
        assert "players:" in began
        assert "when the game is over" in await refusal(client, "review", game_id=game)
        assert ">" in await call(client, "explain", game_id=game)
        shown = await play_on(client, game, 400)
        assert "wins with" in shown
        assert (await client.call_tool("legal_moves", {"game_id": game})).structured_content["result"] == []
        data = json.loads(await call(client, "look", game_id=game, as_json=True))
        assert data["result"]["winners"]
        assert Record.from_json(await call(client, "record", game_id=game)).replay().is_over
        assert "%" in await call(client, "review", game_id=game)

    with_client(make_server(), work)


def test_what_cannot_be_is_refused_with_the_rule() -> None:
    async def work(client: Any) -> None:
        began = await call(client, "new_game", game="santiago", opponents=["random"], seed=1, language="de")
        game = began.splitlines()[0].removeprefix("game: ")
        assert "Spieler:" in began
        assert "is not a move" in await refusal(client, "play", game_id=game, move="e2e4")
        before = await call(client, "look", game_id=game)
        await refusal(client, "play", game_id=game, move="drive 9")
        assert await call(client, "look", game_id=game) == before
        assert "no game called" in await refusal(client, "look", game_id="nothing")
        for wrong in ("engine:rm -rf /", "search:net=/etc/passwd", "llm:http://example.org/v1,model=x", "patron,ms=9"):
            assert "no bot called" in await refusal(client, "new_game", game="santiago", opponents=[wrong])
        assert "no game called" in await refusal(client, "new_game", game="chess", opponents=["random"])

    with_client(make_server(), work)


def test_rules_and_schemas_are_resources() -> None:
    async def work(client: Any) -> None:
        listed = {str(resource.uri) for resource in (await client.list_resources()).resources}
        assert listed == {f"malecon://rules/{game}/{language}" for game in games.names() for language in LANGUAGES}
        text = (await client.read_resource("malecon://rules/cuba/it")).contents[0].text
        assert "Parlamento".upper() in text.upper()
        found_schema = json.loads((await client.read_resource("malecon://schema/cuba")).contents[0].text)
        assert found_schema == schema(games.get("cuba"))
        began = await call(client, "new_game", game="cuba", opponents=["random", "greedy"], seed=1)
        data = json.loads(await call(client, "look", game_id=began.splitlines()[0][6:], as_json=True))
        assert data.pop("result") is None
        jsonschema_rs.validator_for(found_schema).validate(data)

    with_client(make_server(), work)


def test_over_standard_input_and_output() -> None:
    from mcp.client.stdio import StdioServerParameters

    parameters = StdioServerParameters(
        command=sys.executable, args=["-m", "malecon", "mcp"], env=dict(os.environ), cwd=str(ROOT)
    )

    async def work(client: Any) -> None:
        began = await call(client, "new_game", game="santiago", opponents=["greedy"], seed=1)
        assert await play_on(client, began.splitlines()[0][6:], 3)

    with_client(parameters, work)


def test_over_http() -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-m", "malecon", "mcp", "--http", "--port", str(port)]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, cwd=ROOT) as process:
        try:
            end = time.monotonic() + 60
            while time.monotonic() < end:
                with socket.socket() as trial:
                    if trial.connect_ex(("127.0.0.1", port)) == 0:
                        break
                time.sleep(0.1)

            async def work(client: Any) -> None:
                began = await call(client, "new_game", game="cuba", opponents=["greedy"], seed=1)
                assert await play_on(client, began.splitlines()[0][6:], 3)

            with_client(f"http://127.0.0.1:{port}/mcp", work)
        finally:
            process.terminate()
            process.communicate(timeout=20)


def test_news_hide_what_lies_face_down() -> None:
    hidden = 0
    for seed in range(6):
        session = GameSession("cuba", ["random", "random"], seat=2, seed=seed, options={"envoys": True})
        for _ in range(60):
            if session.match.is_over:
                break
            session.news()
            session.push(str(session.view.legal_moves[0]))
            hidden += any(line.endswith(": ?") for line in session.news())
    assert hidden


def test_games_not_used_for_longest_are_forgotten_first() -> None:
    sessions = GameSessions()
    session = GameSession("santiago", ["random"], seed=1)
    names = [sessions.add(session) for _ in range(MOST_SESSIONS)]
    sessions.get(names[0])
    sessions.add(session)
    assert sessions.get(names[0]) is session
    with pytest.raises(BadSetup, match="no game called"):
        sessions.get(names[1])
    with pytest.raises(IllegalMove, match="when the game is over"):
        session.review()
