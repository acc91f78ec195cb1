"""The engine module in Node thinks exactly as the native search does."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from malecon.bots.engine import module
from malecon.kernel import registry
from malecon.server.pages.rendering import STATIC
from tests.bots.engine.recorded import COMPARE, NODE, TABLES, record_table

SCRIPT = """
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
const [engineScript, compareScript, wasm, description, table] = process.argv.slice(2);
const { createEngine } = await import(pathToFileURL(engineScript));
const { differences } = await import(pathToFileURL(compareScript));
const read = (path) => JSON.parse(readFileSync(path, "utf8"));
const { options, ...recorded } = read(table);
const engine = await createEngine(readFileSync(wasm), read(description), options);
console.log(JSON.stringify(differences(engine, recorded)));
"""


@pytest.mark.skipif(NODE is None, reason="there is no Node here")
@pytest.mark.parametrize(("name", "players"), TABLES)
def test_node_thinks_as_the_native_search_does(name: str, players: int, tmp_path: Path) -> None:
    assert NODE is not None
    files = module.files(registry.get(name))
    assert files is not None
    table, script = tmp_path / "table.json", tmp_path / "run.mjs"
    recorded = record_table(name, players)
    table.write_text(json.dumps(recorded))
    script.write_text(SCRIPT)
    scripts = []
    for source in (STATIC / "engine" / "engine.js", COMPARE):  # Node goes by the suffix
        scripts.append(tmp_path / f"{source.stem}.mjs")
        scripts[-1].write_text(source.read_text())
    command = [NODE, script, *scripts, *files, table]
    assert json.loads(subprocess.run(command, capture_output=True, check=True).stdout) == []
    recorded["positions"][7]["visits"][0] += 1  # and a difference is seen
    table.write_text(json.dumps(recorded))
    assert {row["number"] for row in json.loads(subprocess.run(command, capture_output=True).stdout)} == {7}
