"""Makes puzzles from self-play: positions with one clearly best move, found quickly and confirmed by long thought.

What a puzzle is, and how the shipped ones are read, is in `puzzles`.
"""

from __future__ import annotations

import hashlib
import json
import lzma
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import cast

from malecon.bots.history import position_from_history
from malecon.bots.searcher import Searcher, SearchResult
from malecon.bots.specs import parse
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup
from malecon.kernel.game import Game
from malecon.kernel.phrases import say
from malecon.kernel.randomness import below, mix, randomness
from malecon.kernel.verbs import CHANCE
from malecon.kernel.view import View
from malecon.match import Match, Move, Record
from malecon.teaching.puzzles import FILE, Puzzle, Source, is_of_two, likeness, read, themes_of

#: How many simulations a game is played and looked through with.
QUICK = 200
#: What looks like a puzzle is looked at ten times as long, then twice, from different seeds, a hundred times as long.
LOOKS = (2_000, 20_000, 20_000)
#: By so much of the chance to win the solution must be better than every other move.
MARGIN = 0.10
#: At first sight a little less will do.
PROMISING = 0.08
#: Hopeless and won positions teach nothing.
LEAST_CHANCE = 0.15
FEWEST_MOVES = 3
#: Puzzles of one game are so many moves apart at least, and so many at most.
APART, MOST_OF_A_GAME = 5, 8
#: How many of the other moves are looked at as closely as the best.
RIVALS = 4
#: One in so many moves of a game is any move at all: people do not play like the search either.
STRAY = 8
#: With so many simulations the baseline search is asked, to find how much thought a puzzle needs.
BUDGETS = (30, 100, 300, 1_000, 3_000)
#: The search that has these budgets: short random playouts, and no idea which moves are promising.
NOVICE = "search:rollout=random,depth=8,policy=worth,prior=0,c=1,margin=0"
#: Chances are the clearer, the fewer sit at the table: of so many games, each number of players gets its share.
SHARES = (5, 3, 1, 1)


def make(
    game: str,
    count: int,
    *,
    seed: int = 0,
    file: Path | None = None,
    theme: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Puzzle]:
    """Play so many games against oneself and keep their puzzles; `progress` hears how many games are done.

    With a theme, only puzzles about that are looked for, which takes much less time.

    With a file, games already in it are not played again: a run that was stopped goes on where it was.
    """
    found = registry.get(game)
    readiness.wait(game)
    sources = _read(file, found, seed) if file is not None and file.exists() else []
    for number in range(len(sources), count):
        progress(number, count)
        source = _from_game(found, seed, number, theme)
        sources.append(source)
        _append(file, source)
    progress(count, count)
    return list(distinct(sources))


def distinct(sources: list[Source]) -> Iterator[Puzzle]:
    """All puzzles of these games, without those that are like an earlier one but for the colours."""
    known = set()
    for source in sources:
        for puzzle in source.puzzles():
            key = likeness(puzzle)
            if key not in known:
                known.add(key)
                yield puzzle


def pack(files: Sequence[Path], target: Path) -> int:
    """Write the distinct puzzles of some files into one that is small enough to ship; how many there are.

    Their themes are found anew, and each game is cut off after its last puzzle.
    """
    known, lines, count = set(), [], 0
    for source in (source for file in files for source in read(file)):
        kept = []
        for one, puzzle in zip(source.found, source.puzzles(), strict=True):
            key = likeness(puzzle)
            if key not in known:
                known.add(key)
                kept.append({**one, "themes": list(themes_of(puzzle.match, Move(puzzle.game, puzzle.solution)))})
        if kept:
            moves = source.moves[: max(one["moves"] for one in kept)]
            lines.append(json.dumps(asdict(replace(source, moves=moves, found=tuple(kept))), separators=(",", ":")))
            count += len(kept)
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=9 | lzma.PRESET_EXTREME))
    return count


def _read(file: Path, game: Game, seed: int) -> list[Source]:
    sources = [Source.read(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
    if any((source.game, source.rules) != (game.name, game.rules_version) for source in sources):
        raise BadSetup(say("{file} holds other puzzles; choose another file", file=str(file)))
    if any(source.seed != mix(seed, number) for number, source in enumerate(sources)):
        raise BadSetup(say("{file} holds other puzzles; choose another file", file=str(file)))
    return sources


def from_records(
    game: str,
    records: Sequence[Path],
    *,
    file: Path | None = None,
    theme: str | None = None,
    progress: Callable[[int, int], None] = lambda done, total: None,
) -> list[Puzzle]:
    """The puzzles in finished games that were written to files; with a file, they are appended to it."""
    readiness.wait(game)
    sources = []
    for number, path in enumerate(records):
        progress(number, len(records))
        finished = Record.read(path).replay()
        if finished.game.name != game:
            raise BadSetup(say("{file} is a game of {game}", file=str(path), game=finished.game.title))
        sources.append(from_match(finished, theme=theme))
        _append(file, sources[-1])
    progress(len(records), len(records))
    return list(distinct(sources))


def _append(file: Path | None, source: Source) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(json.dumps(asdict(source), separators=(",", ":")) + "\n")


def from_match(finished: Match, *, theme: str | None = None) -> Source:
    """Look for puzzles in a game that people have finished; only with the usual options, as all puzzles have."""
    game, players = finished.game, finished.players
    if not finished.is_over:
        raise BadSetup(say("the game is not over yet"))
    if dict(finished.options) != {name: option.default for name, option in game.options.items()}:
        raise BadSetup(say("puzzles are made from games with the usual options"))
    codes = [turn.move.code for turn in finished.history if isinstance(turn.move, Move)]
    seed = int.from_bytes(hashlib.sha256(repr(codes).encode()).digest()[:8], "big")
    match = Match(game, players)
    finder = _Finder(match, seed, theme)
    for code in codes:
        if match.turn not in (None, CHANCE) and len(match.legal_moves) > 1:
            finder.look()
        match.push(game.notation.name(code))
    return finder.source()


def _from_game(game: Game, seed: int, number: int, theme: str | None) -> Source:
    """Play one game and confirm what looks like a puzzle in it."""
    own = mix(seed, number)
    random = randomness(own)
    numbers = range(game.fewest_players, game.most_players + 1)
    shares = [players for players, share in zip(numbers, SHARES, strict=False) for _ in range(share)]
    match = Match(game, shares[below(random, len(shares))], seed=own)
    finder = _Finder(match, own, theme)
    while match.turn is not None:
        if len(match.legal_moves) == 1:
            match.push(match.legal_moves[0])
            continue
        best = finder.look()
        stray = below(random, STRAY) == 0
        match.push(match.legal_moves[below(random, len(match.legal_moves))] if stray else best)
    return finder.source()


class _Finder:
    """Goes along with a match and keeps the puzzles it finds on the way."""

    def __init__(self, match: Match, seed: int, theme: str | None) -> None:
        self._match, self._seed, self._theme = match, seed, theme
        self._mind = _mind(match, QUICK, seed)
        self._kept: list[dict[str, object]] = []
        self._free_from = 0

    def look(self) -> Move:
        """The best move here, by a quick look; where it may be a puzzle, closer ones decide."""
        match = self._match
        assert match.turn is not None
        view = match.view(match.turn)
        thoughts = self._mind.search(position_from_history(view))
        best = Move(match.game.name, match.game.notation.name(thoughts.best))
        if (
            len(match) >= self._free_from
            and len(self._kept) < MOST_OF_A_GAME
            and (len(match.legal_moves) >= FEWEST_MOVES or is_of_two(match, best))
            and (self._theme is None or self._theme in themes_of(match, best))
            and thoughts.chances[0] >= LEAST_CHANCE
            and _lead(self._mind, thoughts, QUICK // 4) >= PROMISING
        ):
            puzzle = _confirm(match, view, thoughts.best, self._seed)
            if puzzle is not None:
                self._kept.append(puzzle)
                self._free_from = len(match) + APART
        return best

    def source(self) -> Source:
        """The game up to its last puzzle."""
        match = self._match
        last = max((cast(int, puzzle["moves"]) for puzzle in self._kept), default=0)
        moves = tuple(str(turn.move) for turn in match.history[:last])
        game = match.game
        return Source(game.name, game.rules_version, match.players, self._seed, moves, tuple(self._kept))


def _mind(match: Match, sims: int, seed: int) -> Searcher:
    return Searcher(match.game, match.players, parse(f"search:sims={sims},margin=0").plan, seed)


def _lead(mind: Searcher, thoughts: SearchResult, visits: int) -> float:
    """How far the best move is ahead of the next, each of the likeliest rivals looked at so often at least."""
    others = sorted(zip(thoughts.chances[1:], thoughts.codes[1:], strict=True), reverse=True)
    # Those tried most and those that look best: a move tried once may look like anything.
    rivals = dict.fromkeys([*thoughts.codes[1 : RIVALS + 1], *(code for _, code in others[:RIVALS])])
    lead = 1.0
    for code in rivals:
        lead = min(lead, thoughts.chances[0] - mind.evaluate(code, visits))
        if lead < PROMISING:
            break
    return lead


def _confirm(match: Match, view: View, code: int, seed: int) -> dict[str, object] | None:
    """The position as a puzzle, if longer thoughts of other seeds agree on the move and the margin."""
    position, chance, leads, second = position_from_history(view), 0.0, [], code
    for step, sims in enumerate(LOOKS):
        mind = _mind(match, sims, mix(seed, len(match), step))
        thoughts = mind.search(position)
        if thoughts.best != code or thoughts.chances[0] < LEAST_CHANCE:
            return None
        leads.append(_lead(mind, thoughts, sims // 20))
        if leads[-1] < MARGIN:
            return None
        chance, second = thoughts.chances[0], thoughts.codes[1]
    name = match.game.notation.name
    return {
        "moves": len(match),
        "solution": name(code),
        "tempting": name(second),
        "chance": round(chance, 3),
        "lead": round(min(leads), 3),
        "thought": _needed(match, view, code, seed),
        "themes": list(themes_of(match, Move(match.game.name, name(code)))),
    }


def _needed(match: Match, view: View, code: int, seed: int) -> int:
    """How many of the budgets are too small, the largest that errs among them: from 0, seen at a glance, on."""
    position = position_from_history(view)
    for step, sims in reversed(list(enumerate(BUDGETS, 1))):
        plan = parse(f"{NOVICE},sims={sims}").plan
        for again in range(2):
            if Searcher(match.game, match.players, plan, mix(seed, step, again)).search(position).best != code:
                return step
    return 0


if __name__ == "__main__":  # for maintainers: python -m malecon.teaching.puzzle_making cuba cuba.jsonl more.jsonl
    import sys

    packed = registry.data_file(sys.argv[1], FILE)
    assert packed is not None
    print(pack([Path(name) for name in sys.argv[2:]], packed))
