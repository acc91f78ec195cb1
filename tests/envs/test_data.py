"""Games of bots in a Parquet file: they can be read, replayed and made again."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from malecon import cli, games
from malecon.kernel import verbs
from malecon.kernel.errors import BadSetup
from malecon.match import Match

pytest.importorskip("pyarrow")
import pyarrow
import pyarrow.parquet as parquet

from malecon.envs import data


@pytest.fixture(scope="module", params=games.names())
def file(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Any:
    path = tmp_path_factory.mktemp("data") / f"{request.param}.parquet"
    rows = data.export(request.param, path, 70, bots=["greedy", "random", "random"], seed=5)
    assert parquet.read_metadata(path).num_rows == rows
    assert parquet.read_metadata(path).num_row_groups == 2
    assert not list(path.parent.glob("*.part"))
    return path


def test_every_game_replays_to_its_result(file: Path) -> None:
    last = {row["game"]: row for row in parquet.read_table(file, columns=["game", "points", "places"]).to_pylist()}
    matches = list(data.matches(file))
    assert len(matches) == len(last) == 70
    for number, match in enumerate(matches):
        assert match.outcome is not None
        assert list(match.outcome.points) == last[number]["points"]
        assert list(match.outcome.places) == last[number]["places"]


def test_rows_hold_what_the_mover_had_before_it(file: Path) -> None:
    facts = data.about(file)
    game = games.get(facts["game"])
    table = parquet.read_table(file)
    moves = np.empty(game.most_legal, np.int16)
    for row in table.slice(0, 400).to_pylist()[::7]:
        position = np.frombuffer(bytearray(row["position"]), game.dtype).view(np.recarray)[0]
        assert verbs.actor(position) == row["seat"]
        bits = np.unpackbits(np.frombuffer(row["mask"], np.uint8), bitorder="little", count=facts["moves"])
        assert bits.nonzero()[0].tolist() == sorted(moves[: verbs.legal(position, moves)].tolist())
        assert bits[row["code"]]
        assert game.notation.name(row["code"]) == row["move"]
        if game.conceals is not None:
            verbs.hide(position, row["seat"])
        seen = np.zeros(game.pieces.size, np.int16)
        verbs.observe(position, row["seat"], seen)
        assert seen.tolist() == row["observation"]


def test_a_file_tells_what_it_holds(file: Path) -> None:
    facts = data.about(file)
    game = games.get(facts["game"])
    assert facts["bots"] == ["greedy", "random", "random"]
    assert (facts["players"], facts["seed"], facts["games"], facts["rules"]) == (3, 5, 70, game.rules_version)
    assert [piece["name"] for piece in facts["pieces"]] == [piece.name for piece in game.pieces]
    assert facts["options"] == {name: option.default for name, option in game.options.items()}


def test_observations_become_numpy_without_a_copy(file: Path) -> None:
    column = parquet.read_table(file, columns=["observation"])["observation"].combine_chunks()
    size = games.get(data.about(file)["game"]).pieces.size
    seen = column.values.to_numpy(zero_copy_only=True).reshape(-1, size)
    assert seen.dtype == np.int16
    assert len(seen) == parquet.read_metadata(file).num_rows


def test_pandas_reads_it(file: Path) -> None:
    pytest.importorskip("pandas")
    frame = parquet.read_table(file, columns=["game", "seat", "move", "points"]).to_pandas()
    assert frame.groupby("game").size().min() > 20
    assert frame["move"].iloc[0] in games.get(data.about(file)["game"]).notation.names()


@pytest.mark.parametrize("bots", [["greedy", "greedy"], ["search:sims=2", "random"]])
def test_the_same_seed_makes_the_same_rows(bots: list[str], tmp_path: Path) -> None:
    for name, seed, jobs in (("one", 3, 1), ("two", 3, 2), ("other", 4, 1)):
        data.export("santiago", tmp_path / name, 2, bots=bots, seed=seed, options={"open_screens": True}, jobs=jobs)
    first, second, other = (parquet.read_table(tmp_path / name) for name in ("one", "two", "other"))
    assert first.equals(second)
    assert not first.equals(other)
    assert next(data.matches(tmp_path / "one")).options["open_screens"] is True


def test_bad_settings_leave_no_file(tmp_path: Path) -> None:
    with pytest.raises(BadSetup, match="must be a whole number from 1 on"):
        data.export("santiago", tmp_path / "x", 0, bots=["random", "random"])
    with pytest.raises(BadSetup, match="2 to 4 players"):
        data.export("santiago", tmp_path / "x", 1, bots=["random"])
    with pytest.raises(BadSetup):
        data.export("santiago", tmp_path / "x", 1, bots=["random", "clever"])
    assert not list(tmp_path.iterdir())


def test_the_command_writes_a_file(tmp_path: Path) -> None:
    path = tmp_path / "games.parquet"
    arguments = ["export", "santiago", str(path), "--games", "3", "--bots", "greedy,random", "--seed", "1"]
    result = CliRunner().invoke(cli.app, arguments)
    assert result.exit_code == 0, result.output
    rows = parquet.read_metadata(path).num_rows
    assert f"{rows:,} decisions" in result.output
    assert len(list(data.matches(path))) == 3
    assert json.loads(parquet.read_schema(path).metadata[data.KEY])["bots"] == ["greedy", "random"]


def test_a_path_may_be_text_and_a_foreign_file_is_named(tmp_path: Path) -> None:
    file = str(tmp_path / "games.parquet")
    assert data.export("santiago", file, 1, bots=["random", "random"]) > 0
    assert data.about(file)["games"] == 1
    assert len(list(data.matches(file))) == 1
    foreign, text = tmp_path / "foreign.parquet", tmp_path / "text.parquet"
    parquet.write_table(pyarrow.table({"x": [1]}), foreign)
    text.write_text("no such thing")
    for wrong in (foreign, str(text)):
        with pytest.raises(BadSetup, match="holds no games; malecon export writes such files"):
            data.about(wrong)
    with pytest.raises(FileNotFoundError):
        data.about(tmp_path / "nothing.parquet")
    for count in (0, 1.5, "1"):
        with pytest.raises(BadSetup, match="count must be a whole number from 1 on"):
            data.export("santiago", file, count, bots=["random", "random"])  # type: ignore[arg-type]


def test_a_file_is_loaded_as_arrays(file: Path) -> None:
    loaded, table = data.load(file), parquet.read_table(file)
    assert len(loaded) == len(table)
    assert loaded.observations.tolist() == table["observation"].to_pylist()
    assert loaded.masks[np.arange(len(loaded)), loaded.codes].all()
    assert loaded.masks.sum() > len(loaded)
    assert [int(verbs.actor(position)) for position in loaded.positions[:50]] == loaded.seats[:50].tolist()
    assert loaded.points.shape == loaded.places.shape == (len(loaded), 3)
    assert (loaded.games.max(), loaded.numbers[0]) == (69, 0)
    assert loaded.scaled().dtype == np.float32
    assert np.allclose(loaded.scaled() * loaded.game.pieces.each("typical"), loaded.observations)


def test_records_become_data(file: Path, tmp_path: Path) -> None:
    names = []
    for number, match in zip(range(4), data.matches(file), strict=False):
        names.append(tmp_path / f"{number}.json")
        match.record().write(names[-1])
    out = tmp_path / "people.parquet"
    rows = data.from_records(names, out)
    ours, theirs = parquet.read_table(out), parquet.read_table(file).slice(0, rows)
    assert ours.drop(["game"]).to_pylist() == theirs.drop(["game"]).to_pylist()
    assert data.about(out)["games"] == 4


def test_records_that_do_not_fit_are_named_and_nothing_is_written(tmp_path: Path) -> None:
    match = Match("santiago", 2, seed=1)
    match.record().write(tmp_path / "unfinished.json")
    with pytest.raises(BadSetup, match="only finished games"):
        data.from_records([tmp_path / "unfinished.json"], tmp_path / "x.parquet")
    with pytest.raises(BadSetup, match="at least one game"):
        data.from_records([], tmp_path / "x.parquet")
    assert sorted(file.name for file in tmp_path.iterdir()) == ["unfinished.json"]
