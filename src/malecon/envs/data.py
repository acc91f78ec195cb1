"""Games of bots as data: a Parquet file with a row for every decision, as docs/data.md says. Needs the extra `data`.

The same game, bots, options and seed give the same rows, as long as no bot thinks by the clock.
"""

from __future__ import annotations

import functools
import itertools
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from malecon.bots import SIMPLE, make
from malecon.envs.batch import list_legal, look
from malecon.kernel import readiness, registry, verbs
from malecon.kernel.compile import kernel
from malecon.kernel.errors import BadSetup
from malecon.kernel.extras import require
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.phrases import say
from malecon.kernel.playing import LONGEST_GAME, make_move
from malecon.kernel.randomness import check_seed, mix, streams
from malecon.kernel.verbs import Moves, actor
from malecon.match import Match, Record, check_setup, check_whole
from malecon.simulation.whole_games import play_many
from malecon.simulation.workers import spread

FORMAT = 1
#: What the file says about itself stands under this key of Parquet's metadata, as JSON.
KEY = b"malecon"
#: Games in a row group: some ten thousand decisions.
CHUNK = 64


@kernel
def unfold(
    cells: Any,
    codes: Moves,
    remember: bool,
    moves: Moves,
    positions: Any,
    seats: npt.NDArray[np.int8],
    chosen: Moves,
    draws: npt.NDArray[np.int32],
    masks: npt.NDArray[np.int8],
    observations: npt.NDArray[np.int16],
) -> int:
    """Replay a game in `cells[0]` and write every decision down; their number. `draws` counts chance's before it."""
    row = 0
    drawn = 0
    for i in range(len(codes)):
        position = cells[0]
        seat = actor(position)
        if seat < 0:
            drawn += 1
        else:
            positions[row] = position
            seats[row] = seat
            chosen[row] = codes[i]
            draws[row] = drawn
            list_legal(position, moves, row, masks)
            look(position, cells, 1, seat, remember, row, observations)
            row += 1
            drawn = 0
        make_move(position, codes[i], i)
    return row


def play_games(
    name: str, bots: Sequence[str], options: Mapping[str, OptionValue], seed: int, numbers: range
) -> list[npt.NDArray[np.int16]]:
    """The moves of these games, chance's included. Everything in and out can go to another process."""
    if any(spec not in SIMPLE for spec in bots):
        return [_play_thinking(name, bots, options, seed, number) for number in numbers]
    game, count = registry.get(name), len(numbers)
    start = np.zeros(1, game.dtype).view(np.recarray)
    start[0] = game.new_position(len(bots), **options)
    logs, lengths = np.zeros((count, LONGEST_GAME), np.int16), np.zeros((count, 2), np.int64)
    cells = np.zeros(3, game.dtype).view(np.recarray)
    kinds = np.array([SIMPLE[spec] for spec in bots], np.int64)
    moves = np.empty(game.most_legal, np.int16)
    results = np.zeros((count, len(bots), 2), np.int64)
    play_many(start, cells, kinds, streams(seed, numbers.start, count), moves, logs, lengths, results)
    return [log[:length].copy() for log, length in zip(logs, lengths[:, 0], strict=True)]


def _play_thinking(
    name: str, bots: Sequence[str], options: Mapping[str, OptionValue], seed: int, number: int
) -> npt.NDArray[np.int16]:
    match = Match(name, len(bots), options=options, seed=mix(seed, number))
    seated = [make(spec, mix(seed, number, seat)) for seat, spec in enumerate(bots)]
    while match.turn is not None:
        match.push(seated[match.turn].choose(match.view(match.turn)))
    return match.history.codes.copy()


class _Export:
    """One file being written."""

    def __init__(self, game: Game, bots: Sequence[str], options: Mapping[str, OptionValue], seed: int) -> None:
        self.game, self.bots, self.options, self.seed = game, bots, options, seed
        self.players = len(bots)
        self._arrow = require("pyarrow", "PyArrow", "data")
        self._start = np.zeros(1, game.dtype).view(np.recarray)
        self._start[0] = game.new_position(self.players, **options)
        self._names = self._arrow.array(game.notation.names())

    def schema(self, count: int) -> Any:
        pa, game = self._arrow, self.game
        about = {
            "format": FORMAT,
            "game": game.name,
            "rules": game.rules_version,
            "players": self.players,
            "options": dict(self.options),
            "bots": list(self.bots),
            "seed": self.seed,
            "games": count,
            "moves": game.decisions,
            "pieces": [{"name": piece.name, "start": piece.start, "shape": piece.shape} for piece in game.pieces],
        }
        fields = {
            "game": pa.int32(),
            "number": pa.int32(),
            "seat": pa.int8(),
            "drawn": pa.list_(pa.int16()),
            "code": pa.int16(),
            "move": pa.dictionary(pa.int16(), pa.string()),
            "mask": pa.binary(-(-game.decisions // 8)),
            "observation": pa.list_(pa.int16(), game.pieces.size),
            "position": pa.binary(game.dtype.itemsize),
            "points": pa.list_(pa.int16(), self.players),
            "places": pa.list_(pa.int8(), self.players),
        }
        return pa.schema(
            [pa.field(name, kind, nullable=False) for name, kind in fields.items()], {KEY: json.dumps(about)}
        )

    def table(self, number: int, codes: npt.NDArray[np.int16], schema: Any) -> Any:
        """The decisions of one game."""
        pa, game, most = self._arrow, self.game, len(codes)
        cells = np.zeros(2, game.dtype).view(np.recarray)
        cells[0] = self._start[0]
        positions, seats = np.zeros(most, game.dtype).view(np.recarray), np.zeros(most, np.int8)
        chosen, draws = np.zeros(most, np.int16), np.zeros(most, np.int32)
        masks, seen = np.zeros((most, game.decisions), np.int8), np.zeros((most, game.pieces.size), np.int16)
        moves, remember = np.empty(game.most_legal, np.int16), game.conceals is None
        rows = unfold(cells, codes, remember, moves, positions, seats, chosen, draws, masks, seen)
        ends = np.concatenate([[0], draws[:rows].cumsum()]).astype(np.int32)
        standings = [int(verbs.standing(cells[0], seat)) for seat in range(self.players)]
        points = np.array([verbs.points(cells[0], seat) for seat in range(self.players)], np.int16)
        places = np.array([1 + sum(other > own for other in standings) for own in standings], np.int8)
        packed = np.packbits(masks[:rows], axis=1, bitorder="little")

        def lists(values: npt.NDArray[Any], size: int) -> Any:
            return pa.FixedSizeListArray.from_arrays(pa.array(values.ravel()), size)

        def blocks(values: bytes, size: int) -> Any:
            return pa.Array.from_buffers(pa.binary(size), rows, [None, pa.py_buffer(values)])

        columns = [
            pa.array(np.full(rows, number, np.int32)),
            pa.array(np.arange(rows, dtype=np.int32)),
            pa.array(seats[:rows]),
            pa.ListArray.from_arrays(pa.array(ends), pa.array(codes[codes >= game.decisions])),
            pa.array(chosen[:rows]),
            pa.DictionaryArray.from_arrays(pa.array(chosen[:rows]), self._names),
            blocks(packed.tobytes(), packed.shape[1]),
            lists(seen[:rows], game.pieces.size),
            blocks(positions[:rows].tobytes(), game.dtype.itemsize),
            lists(np.tile(points, rows), self.players),
            lists(np.tile(places, rows), self.players),
        ]
        return pa.Table.from_arrays(columns, schema=schema)


def export(
    name: str,
    path: str | PathLike[str],
    count: int,
    *,
    bots: Sequence[str],
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> int:
    """Let the bots play games, one bot a seat, and write every decision to a Parquet file; return how many there were.

    Where the games are played, `jobs` and `cluster` say to `workers.spread`; the rows do not depend on it. The file
    appears under its name when it is complete. `progress` hears how many games of how many are done.
    """
    game = registry.get(name)
    chosen = check_setup(game, len(bots), options)
    for spec in bots:
        make(spec)
    count, seed, path = check_whole("count", count), check_seed(seed), Path(path)
    readiness.wait(name, part=readiness.RESEARCH)
    job = _Export(game, bots, chosen, seed)
    parquet = require("pyarrow.parquet", "PyArrow", "data")
    schema, decisions = job.schema(count), 0
    part = path.with_name(path.name + ".part")
    # Thinking takes seconds a game, the simple bots' games less time than sending for one.
    size = CHUNK if all(spec in SIMPLE for spec in bots) else 1
    tasks = [range(first, min(first + size, count)) for first in range(0, count, size)]
    work = functools.partial(play_games, name, tuple(bots), chosen, seed)
    tables: list[Any] = []
    try:
        with (
            parquet.ParquetWriter(part, schema, compression="zstd", use_dictionary=["move"]) as writer,
            closing(spread(work, tasks, jobs=jobs, cluster=cluster, in_order=True)) as played,
        ):
            for number, codes in enumerate(itertools.chain.from_iterable(played)):
                tables.append(job.table(number, codes, schema))
                if len(tables) == CHUNK or number + 1 == count:
                    rows = job._arrow.concat_tables(tables)
                    writer.write_table(rows, row_group_size=max(1, len(rows)))
                    decisions += len(rows)
                    tables.clear()
                progress(number + 1, count)
        part.replace(path)
    finally:
        part.unlink(missing_ok=True)
    return decisions


def from_records(files: Iterable[str | PathLike[str]], path: str | PathLike[str]) -> int:
    """Write the games of records to a Parquet file, as `export` writes those of bots; return how many decisions.

    The games must be finished, and of the same game, options and number of players. Raise BadRecord or BadSetup with
    the name of the file that does not fit, and write nothing then.
    """
    parquet = require("pyarrow.parquet", "PyArrow", "data")
    path = Path(path)
    part = path.with_name(path.name + ".part")
    job: _Export | None = None
    schema: Any = None
    writer: Any = None
    decisions = 0
    names = [Path(file) for file in files]
    try:
        for number, file in enumerate(names):
            match = Record.read(file).replay()
            setup = match.game.name, match.players, dict(match.options)
            if job is None:
                readiness.wait(match.game.name, part=readiness.RESEARCH)
                job = _Export(match.game, ["record"] * match.players, dict(match.options), 0)
                schema = job.schema(len(names))
                writer = parquet.ParquetWriter(part, schema, compression="zstd", use_dictionary=["move"])
            if not match.is_over or setup != (job.game.name, job.players, job.options):
                text = say("{file}: only finished games with the same game, players and options go into one file")
                raise BadSetup(text.fill(file=str(file)))
            rows = job.table(number, match.history.codes.copy(), schema)
            writer.write_table(rows)
            decisions += len(rows)
        if writer is None:
            raise BadSetup(say("at least one game is needed"))
        writer.close()
        part.replace(path)
    finally:
        if writer is not None:
            writer.close()
        part.unlink(missing_ok=True)
    return decisions


@dataclass(frozen=True)
class LoadedGames:
    """The decisions of a file as arrays, a row for each."""

    game: Game
    about: dict[str, Any]  # what the file says about itself
    games: npt.NDArray[np.int32]
    numbers: npt.NDArray[np.int32]
    seats: npt.NDArray[np.int8]
    observations: npt.NDArray[np.int16]
    masks: npt.NDArray[np.int8]  # 1 for every legal move, as in `Tables.masks`
    codes: npt.NDArray[np.int16]
    positions: npt.NDArray[Any]  # records, with nothing hidden
    points: npt.NDArray[np.int16]
    places: npt.NDArray[np.int8]

    def __len__(self) -> int:
        return len(self.codes)

    def scaled(self) -> npt.NDArray[np.float32]:
        """Return the observations as a network likes them, as `Tables.scaled` does."""
        return np.asarray(self.observations / self.game.pieces.each("typical"), np.float32)


def load(path: str | PathLike[str]) -> LoadedGames:
    """Return all decisions of a file as arrays, with the masks unpacked; raise BadSetup if it holds no games."""
    facts = about(path)
    parquet = require("pyarrow.parquet", "PyArrow", "data")
    game, table = registry.get(facts["game"]), parquet.read_table(path)
    if facts["rules"] != game.rules_version:
        text = say("this record was made with version {theirs} of the rules; this program knows version {ours}")
        raise BadSetup(text.fill(theirs=facts["rules"], ours=game.rules_version))
    rows = len(table)

    def column(name: str, dtype: Any) -> npt.NDArray[Any]:
        return np.asarray(table[name].to_numpy(), dtype)

    def lists(name: str, dtype: Any) -> npt.NDArray[Any]:
        return np.asarray(table[name].combine_chunks().flatten().to_numpy(), dtype).reshape(rows, -1)

    def blocks(name: str, dtype: Any) -> npt.NDArray[Any]:
        return np.frombuffer(b"".join(table[name].to_pylist()), dtype)

    bits = blocks("mask", np.uint8).reshape(rows, -1)
    masks = np.unpackbits(bits, axis=1, count=game.decisions, bitorder="little").astype(np.int8)
    return LoadedGames(
        game, facts, column("game", np.int32), column("number", np.int32), column("seat", np.int8),
        lists("observation", np.int16), masks, column("code", np.int16), blocks("position", game.dtype),
        lists("points", np.int16), lists("places", np.int8),
    )  # fmt: skip


def about(path: str | PathLike[str]) -> dict[str, Any]:
    """What a file says about itself: game, players, options, bots, seed, the pieces of its observations."""
    parquet = require("pyarrow.parquet", "PyArrow", "data")
    try:
        metadata: dict[str, Any] = json.loads(parquet.read_schema(path).metadata[KEY])
    except FileNotFoundError:
        raise
    except (OSError, ValueError, KeyError, TypeError):  # Arrow's errors are ValueErrors
        raise BadSetup(say("{file} holds no games; malecon export writes such files", file=str(path))) from None
    return metadata


def matches(path: str | PathLike[str]) -> Iterator[Match]:
    """The games of a file as matches, every move checked."""
    parquet = require("pyarrow.parquet", "PyArrow", "data")
    facts = about(path)
    game = registry.get(facts["game"])
    match = None
    with parquet.ParquetFile(path) as file:
        for batch in file.iter_batches(columns=["number", "drawn", "code"]):
            for row in batch.to_pylist():
                if row["number"] == 0:
                    if match is not None:
                        yield match
                    match = Match(game, facts["players"], options=facts["options"])
                assert match is not None
                for code in (*row["drawn"], row["code"]):
                    match.push(game.notation.name(code))
    if match is not None:
        yield match
