"""The script that thinks for bots makes of each request what the server's own bot sees and does, in Node."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from malecon.bots.engine import module
from malecon.kernel import registry
from malecon.server.pages.rendering import STATIC
from tests.server.tables.page_requests import TABLES, record_requests

NODE = shutil.which("node")
SCRIPT = """
import { readFileSync } from "node:fs";
import { createEngine } from "./engine/engine.js";
import * as script from "./engine/bot.js";
import { answers } from "./answer_requests.js";
const [wasm, description, decisions] = process.argv.slice(2);
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const engine = await createEngine(readFileSync(wasm), read(description), { nodes: 16 });
console.log(JSON.stringify(answers(engine, script, read(decisions))));
"""


@pytest.mark.skipif(NODE is None, reason="there is no Node here")
@pytest.mark.parametrize(("game", "players", "options"), TABLES)
def test_the_worker_sees_and_moves_as_the_servers_bot(
    game: str, players: int, options: dict[str, Any], tmp_path: Path
) -> None:
    assert NODE is not None
    files = module.files(registry.get(game))
    assert files is not None
    shutil.copytree(STATIC / "engine", tmp_path / "engine")
    shutil.copy(Path(__file__).with_name("answer_requests.js"), tmp_path)
    (tmp_path / "package.json").write_text('{"type": "module"}')
    (tmp_path / "run.js").write_text(SCRIPT)
    recorded = record_requests(game, players, options)
    (tmp_path / "decisions.json").write_text(json.dumps(recorded))
    command = [NODE, tmp_path / "run.js", *files, tmp_path / "decisions.json"]
    answers = json.loads(subprocess.run(command, capture_output=True, check=True).stdout)
    assert [answer["block"] for answer in answers] == [decision["block"] for decision in recorded]
    assert [answer["code"] for answer in answers] == [decision["code"] for decision in recorded]
    assert len({decision["code"] for decision in recorded}) > 4
