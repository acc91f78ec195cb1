"""Hard positions: where short and long searches disagree. Find them, judge them, and measure a search on them.

    python training/hard_positions.py find --kind long --file FILE --count 320 --minutes 8
    python training/hard_positions.py judge --file benchmarks/hard_positions.jsonl.xz --minutes 8
    python training/hard_positions.py measure --file benchmarks/hard_positions.jsonl.xz --sims 1000 10000

`find` plays games of the search against itself with stray moves and keeps a position if searches of different length do
not choose the same move, and a closer look gives their moves values that are apart. There are two kinds: `short`, where
1,000 simulations and 10,000 disagree, and `long`, where 10,000 disagree with 30,000 that look around. `judge` evaluates
every legal move: a million simulations from each of three seeds, each beginning with a move that is given (sequential
halving: every move gets the same share, then the better half, and so on), so that the judgement does not depend on
where a search would look. Both go on where they were stopped. `measure` lets a search choose.
"""

from __future__ import annotations

import argparse
import json
import lzma
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from malecon import games
from malecon.bots import search
from malecon.bots import tree as trees
from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, equip, new_workspace
from malecon.bots.specs import parse
from malecon.kernel import readiness
from malecon.kernel.randomness import below, mix, randomness
from malecon.match import Match
from malecon.simulation.intervals import wilson

#: Games and numbers of players, each equally often; two players, where a search matters most, twice.
TABLES = (
    ("santiago", 2), ("cuba", 2), ("santiago", 3), ("cuba", 3), ("santiago", 4), ("cuba", 4),
    ("santiago", 2), ("cuba", 2), ("cuba", 5),
)  # fmt: skip
SEED = 320
#: The search that plays the games, and how often it strays: one move in so many is any legal one.
PLAYING_SIMS, STRAY = 100, 10
#: The fewest legal moves of a hard position, and the fewest moves between two of a game.
FEWEST_MOVES, APART = 3, 12
MOST_OF_A_GAME = 4
#: The searches that must disagree, each from its own seed, as simulations and `around` (0 is how the search was
#: before). If the first two agree, no other is asked. Then simulations for each of the moves
#: they chose, and how far apart the values of these must be.
FINDING = {
    "short": ((1_000, 0), (10_000, 0), (60_000, 0), (60_000, 0)),
    "long": ((10_000, 0), (30_000, 4), (60_000, 0)),
}
CLOSER_LOOK = 15_000
MATTERS = 0.03
#: Values shown that differ by more are apart.
FAR_APART = 0.05
#: A choice this close to the best is as good.
CLOSE_ENOUGH = 0.02
JUDGE_SIMS, JUDGE_SEEDS, JUDGE_NODES = 1_000_000, 3, 1 << 20
#: The judge explores more than a search that plays: it has the time.
JUDGE_EXPLORES = 0.5


def read(file: Path) -> list[dict[str, Any]]:
    """Return the positions, or notes, in a file, compressed or not; none if there is no file."""
    raw = file.read_bytes() if file.exists() else b""
    text = lzma.decompress(raw) if raw and file.suffix == ".xz" else raw
    return [json.loads(line) for line in text.splitlines()]


def write(file: Path, entries: list[dict[str, Any]]) -> None:
    """Replace the file in one step: a job may be killed at any time."""
    part = file.with_suffix(".part")
    text = "".join(json.dumps(entry, separators=(",", ":")) + "\n" for entry in entries).encode()
    part.write_bytes(lzma.compress(text) if file.suffix == ".xz" else text)
    part.rename(file)


def match_of(entry: dict[str, Any]) -> Match:
    """Return the game of an entry, up to its position."""
    match = Match(entry["game"], entry["players"])
    codes = [match.game.notation.code(move) for move in entry["moves"]]
    match.make_all([code for code in codes if code is not None])
    return match


# --- finding


def is_hard(match: Match, kind: str, seed: int) -> bool:
    """Return whether searches disagree about a position, and a closer look says that it matters."""
    assert match.turn is not None
    position = position_from_history(match.view(match.turn))
    choices: set[int] = set()
    searchers = []
    for number, (sims, around) in enumerate(FINDING[kind]):
        plan = parse(f"search:sims={sims},margin=0,around={around},proof=0").plan
        searchers.append(Searcher(match.game, match.players, plan, mix(seed, number)))
        choices.add(searchers[-1].search(position).best)
        if number == 1 and len(choices) == 1:
            return False  # most positions are easy: do not look for long
    values = [sum(searcher.evaluate(code, CLOSER_LOOK) for searcher in searchers[-2:]) / 2 for code in choices]
    return max(values) - min(values) >= MATTERS


def hard_in_game(kind: str, number: int) -> Iterator[dict[str, Any]]:
    """Play a game and yield its hard positions."""
    name, players = TABLES[number % len(TABLES)]
    own = mix(SEED, number) if kind == "short" else mix(SEED, number, 1)
    random, match = randomness(own), Match(name, players, seed=own)
    plan = parse(f"search:sims={PLAYING_SIMS}").plan
    searcher = Searcher(match.game, players, plan, own)
    free_from, kept = below(random, 40 if kind == "short" else 8), 0
    while match.turn is not None and kept < MOST_OF_A_GAME:
        legal = match.legal_moves
        if len(legal) >= FEWEST_MOVES and len(match) >= free_from:
            free_from = len(match) + APART // 2
            if is_hard(match, kind, mix(own, len(match))):
                moves = [str(turn.move) for turn in match.history]
                yield {"kind": kind, "number": number, "game": name, "players": players, "moves": moves, "judged": []}
                free_from, kept = len(match) + APART, kept + 1
        if len(legal) == 1 or below(random, STRAY) == 0:
            match.push(legal[below(random, len(legal))])
        else:
            best = searcher.search(position_from_history(match.view(match.turn))).best
            match.push(match.game.notation.name(best))


def find(file: Path, kind: str, count: int, end: float) -> None:
    """Add hard positions of a kind until there are `count` in all, game after game."""
    entries = read(file)
    number = 1 + max((entry["number"] for entry in entries if entry["kind"] == kind), default=-1)
    while len(entries) < count and time.monotonic() < end:
        added = list(hard_in_game(kind, number))
        number += 1
        entries += added
        if added:
            write(file, entries)
        print(f"game {number}: {len(entries)} positions", flush=True)


# --- judging


def judge_once(entry: dict[str, Any], seed: int, sims: int) -> dict[str, list[float]]:
    """Return the value of every legal move to the mover and its tries, from one seed."""
    match = match_of(entry)
    game = match.game
    assert match.turn is not None
    settings, net = equip(game, parse(f"search:sims=1,margin=0,c={JUDGE_EXPLORES}").plan)
    root = np.zeros(1, game.dtype).view(np.recarray)
    root[0] = position_from_history(match.view(match.turn))
    settings = settings._replace(secrets=game.conceals is not None)
    tree, workspace = trees.new_tree(JUDGE_NODES), new_workspace(game, match.players, net)
    random = randomness(SEED, seed)
    node = search.begin(root, tree, settings, net, workspace, random)
    first, width = int(tree.first[node]), int(tree.width[node])
    alive = list(range(first, first + width))
    rounds = max(1, (width - 1).bit_length())
    for _ in range(rounds):
        for edge in alive:
            search.simulate(root, node, edge, tree, settings, net, workspace, random, sims // rounds // len(alive))
        alive.sort(key=lambda edge: -tree.won[edge] / tree.tried[edge])
        alive = alive[: max(2, (len(alive) + 1) // 2)]
    name = game.notation.name
    return {
        name(int(tree.move[edge])): [round(float(tree.won[edge] / tree.tried[edge]), 4), int(tree.tried[edge])]
        for edge in range(first, first + width)
    }


def judge(file: Path, sims: int, end: float) -> None:
    """Judge every position with so many simulations from each seed, unless it was judged with more already.

    They come in an order drawn at random, so those judged so far are a sample.
    """
    entries = read(file)
    for entry in sorted(entries, key=lambda entry: mix(SEED, len(entry["moves"]), entry["number"])):
        if entry.get("sims", 0) >= sims:
            continue
        judged = []
        for seed in range(JUDGE_SEEDS):
            if time.monotonic() >= end:
                return
            judged.append(judge_once(entry, 1_000 + seed, sims))
        entry["judged"], entry["sims"] = judged, sims
        write(file, entries)
        print(f"{sum(entry.get('sims', 0) >= sims for entry in entries)} of {len(entries)} judged", flush=True)


def values_of(entry: dict[str, Any]) -> dict[str, float]:
    """Return the value of every move: the mean of its seeds."""
    judged = entry["judged"]
    return {move: sum(once[move][0] for once in judged) / len(judged) for move in judged[0]}


# --- measuring


def measure(file: Path, settings: str, sims: int, end: float, notes: Path) -> None:
    """Let a search choose in every judged position, from two seeds; keep the choices in a file of notes."""
    entries = [entry for entry in read(file) if entry["judged"]]
    done = {(note["key"], note["sims"], note["settings"], note["seed"]): note for note in read(notes)}
    for entry in entries:
        for seed in (1, 2):
            key = (key_of(entry), sims, settings, seed)
            if key not in done and time.monotonic() < end:
                match = match_of(entry)
                assert match.turn is not None
                plan = parse(f"search:sims={sims},margin=0{settings}").plan
                searcher = Searcher(match.game, match.players, plan, seed)
                result = searcher.search(position_from_history(match.view(match.turn)))
                choice = match.game.notation.name(result.best)
                done[key] = dict(zip(("key", "sims", "settings", "seed"), key, strict=True)) | {
                    "choice": choice,
                    "value": round(result.chances[0], 4),
                }
                with notes.open("a", encoding="utf-8") as lines:
                    lines.write(json.dumps(done[key]) + "\n")
    for kind in (*FINDING, ""):
        asked = [(entry, [done.get((key_of(entry), sims, settings, seed)) for seed in (1, 2)]) for entry in entries]
        _report(
            f"{kind or 'all'}, {sims} simulations{settings}", [each for each in asked if kind in ("", each[0]["kind"])]
        )


def key_of(entry: dict[str, Any]) -> str:
    return f"{entry['kind']} {entry['number']} {len(entry['moves'])}"


def _report(title: str, asked: list[tuple[dict[str, Any], list[dict[str, Any] | None]]]) -> None:
    good, losses, spreads = [], [], []
    for entry, notes in asked:
        values = values_of(entry)
        made = [note for note in notes if note is not None]
        losses += [max(values.values()) - values[note["choice"]] for note in made]
        spreads += [abs(made[0]["value"] - made[1]["value"])] if len(made) == 2 else []
    good = [loss <= CLOSE_ENOUGH for loss in losses]
    if not spreads:
        return
    low, high = wilson(sum(good), len(good))
    near = sum(spread <= FAR_APART for spread in spreads) / len(spreads)
    print(
        f"{title}: {sum(good) / len(good):.1%} of {len(good)} choices ({low:.1%} to {high:.1%}) within "
        f"{CLOSE_ENOUGH:.0%} of the best, {sum(losses) / len(losses):.2%} lost on average; two seeds at most "
        f"{FAR_APART:.0%} apart in {near:.1%} of {len(spreads)}",
        flush=True,
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("find", "judge", "measure"))
    parser.add_argument("--file", type=Path, required=True, help="the positions, one a line")
    parser.add_argument("--kind", choices=FINDING, default="short", help="find: which searches disagree")
    parser.add_argument("--count", type=int, default=320, help="find: how many positions there shall be")
    parser.add_argument("--minutes", type=float, default=1e6, help="stop after this time")
    parser.add_argument("--judge-sims", type=int, default=JUDGE_SIMS, help="judge: simulations from each seed")
    parser.add_argument("--sims", type=int, nargs="+", default=[1_000], help="measure: simulations a choice")
    parser.add_argument("--settings", default="", help="measure: more settings of the search, such as ,c=0.5")
    parser.add_argument("--notes", type=Path, help="measure: where choices are kept, to go on later")
    chosen = parser.parse_args()
    for name in games.names():
        readiness.wait(name)
    end = time.monotonic() + 60 * chosen.minutes
    if chosen.what == "find":
        find(chosen.file, chosen.kind, chosen.count, end)
    elif chosen.what == "judge":
        judge(chosen.file, chosen.judge_sims, end)
    else:
        for sims in chosen.sims:
            measure(chosen.file, chosen.settings, sims, end, chosen.notes or chosen.file.with_suffix(".notes"))


if __name__ == "__main__":
    main()
