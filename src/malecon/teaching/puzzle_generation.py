"""Makes puzzles from games: positions with one clearly best move, found by a quick search, confirmed by long ones.

`puzzles` says what a puzzle is and reads the shipped ones.
"""

from __future__ import annotations

import hashlib
import lzma
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import cast

from malecon.bots.engine.runtime import new_searcher
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
from malecon.teaching.puzzles import FILE, Puzzle, PuzzleGame, allows_two_moves, colourless_key, read, themes_of

#: Simulations of the search that plays and looks for candidates.
QUICK = 200
#: Simulations of the searches that confirm a candidate, each from another seed.
CONFIRMATIONS = (2_000, 20_000, 20_000)
#: How much better the chance to win must be with the solution than with any other move.
MARGIN = 0.10
#: The same for a candidate.
PROMISING = 0.08
#: The least chance to win with the solution.
LEAST_CHANCE = 0.15
#: The fewest legal moves.
FEWEST_MOVES = 3
#: The fewest moves between two puzzles of a game.
APART = 5
#: The most puzzles of a game.
MOST_OF_A_GAME = 8
#: How many of the other moves are evaluated as closely as the best.
RIVALS = 4
#: One in this many moves is a random legal one, because people do not play like the search.
STRAY = 8
#: Simulations of the baseline search, to find out how hard a puzzle is.
BUDGETS = (30, 100, 300, 1_000, 3_000)
#: The search that has these budgets: short random playouts, and no idea which moves are promising.
NOVICE = "search:rollout=random,depth=8,policy=worth,prior=0,c=1,margin=0"
#: How often each number of players is drawn, from the fewest on: chances are clearer with fewer players.
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
    """Play `count` games of the search against itself and return their puzzles.

    With a theme, it looks only for puzzles about that, which takes much less time. With a file, it appends to it and
    does not play the games already in it again. It calls `progress` with the number of games done.
    """
    game_rules = registry.get(game)
    readiness.wait(game)
    sources = _read(file, game_rules, seed) if file is not None and file.exists() else []
    for number in range(len(sources), count):
        progress(number, count)
        source = _from_game(game_rules, seed, number, theme)
        sources.append(source)
        _append(file, source)
    progress(count, count)
    return list(distinct(sources))


def distinct(sources: list[PuzzleGame]) -> Iterator[Puzzle]:
    """Yield the puzzles of these games, without those that differ from an earlier one only in their colours."""
    seen_keys = set()
    for source in sources:
        for puzzle in source.puzzles():
            key = colourless_key(puzzle)
            if key not in seen_keys:
                seen_keys.add(key)
                yield puzzle


def pack(files: Sequence[Path], target: Path) -> int:
    """Write the distinct puzzles of some files into one that is small enough to ship; return how many there are.

    Their themes are determined again, and each game is cut off after its last puzzle.
    """
    seen_keys, lines, count = set(), [], 0
    for source in (source for file in files for source in read(file)):
        kept = []
        for entry, puzzle in zip(source.entries, source.puzzles(), strict=True):
            key = colourless_key(puzzle)
            if key not in seen_keys:
                seen_keys.add(key)
                kept.append({**entry, "themes": list(themes_of(puzzle.match, Move(puzzle.game, puzzle.solution)))})
        if kept:
            moves = source.moves[: max(entry["moves"] for entry in kept)]
            lines.append(replace(source, moves=moves, entries=tuple(kept)).to_json())
            count += len(kept)
    target.parent.mkdir(exist_ok=True)
    target.write_bytes(lzma.compress("".join(line + "\n" for line in lines).encode(), preset=9 | lzma.PRESET_EXTREME))
    return count


def _read(file: Path, game: Game, seed: int) -> list[PuzzleGame]:
    sources = read(file)
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
    """Return the puzzles in the records of finished games; with a file, append them to it."""
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


def _append(file: Path | None, source: PuzzleGame) -> None:
    if file is not None:
        with file.open("a", encoding="utf-8") as lines:
            lines.write(source.to_json() + "\n")


def from_match(finished: Match, *, theme: str | None = None) -> PuzzleGame:
    """Look for puzzles in a finished game; it must have the default options, as all puzzles do."""
    game, players = finished.game, finished.players
    if not finished.is_over:
        raise BadSetup(say("the game is not over yet"))
    if dict(finished.options) != {name: option.default for name, option in game.options.items()}:
        raise BadSetup(say("puzzles are made from games with the usual options"))
    codes: list[int] = finished.history.codes.tolist()
    seed = int.from_bytes(hashlib.sha256(repr(codes).encode()).digest()[:8], "big")
    match = Match(game, players)
    finder = _Finder(match, seed, theme)
    for code in codes:
        if match.turn not in (None, CHANCE) and len(match.legal_moves) > 1:
            finder.look()
        match.push(game.notation.name(code))
    return finder.source()


def _from_game(game: Game, seed: int, number: int, theme: str | None) -> PuzzleGame:
    """Play a game and confirm what looks like a puzzle in it."""
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
    """Looks for puzzles in a match while it is played."""

    def __init__(self, match: Match, seed: int, theme: str | None) -> None:
        self._match, self._seed, self._theme = match, seed, theme
        self._searcher = _searcher(match, QUICK, seed)
        self._entries: list[dict[str, object]] = []
        self._free_from = 0

    def look(self) -> Move:
        """Return the best move by a quick search; if the position may be a puzzle, confirm it by longer ones."""
        match = self._match
        assert match.turn is not None
        view = match.view(match.turn)
        result = self._searcher.search(position_from_history(view))
        best = Move(match.game.name, match.game.notation.name(result.best))
        if (
            len(match) >= self._free_from
            and len(self._entries) < MOST_OF_A_GAME
            and (len(match.legal_moves) >= FEWEST_MOVES or allows_two_moves(match, best))
            and (self._theme is None or self._theme in themes_of(match, best))
            and result.chances[0] >= LEAST_CHANCE
            and _lead(self._searcher, result, QUICK // 4) >= PROMISING
        ):
            entry = _confirm(match, view, result.best, self._seed)
            if entry is not None:
                self._entries.append(entry)
                self._free_from = len(match) + APART
        return best

    def source(self) -> PuzzleGame:
        """Return the game up to its last puzzle."""
        match = self._match
        last = max((cast(int, entry["moves"]) for entry in self._entries), default=0)
        moves = tuple(str(turn.move) for turn in match.history[:last])
        game = match.game
        return PuzzleGame(game.name, game.rules_version, match.players, self._seed, moves, tuple(self._entries))


def _searcher(match: Match, sims: int, seed: int) -> Searcher:
    return new_searcher(parse(f"search:sims={sims},margin=0"), match.game, match.players, seed)


def _lead(searcher: Searcher, result: SearchResult, visits: int) -> float:
    """Return how far the best move is ahead of its rivals, each of them evaluated with at least that many visits."""
    others = sorted(zip(result.chances[1:], result.codes[1:], strict=True), reverse=True)
    # Those tried most and those that look best: a move tried once may look like anything.
    rivals = dict.fromkeys([*result.codes[1 : RIVALS + 1], *(code for _, code in others[:RIVALS])])
    lead = 1.0
    for code in rivals:
        lead = min(lead, result.chances[0] - searcher.evaluate(code, visits))
        if lead < PROMISING:
            break
    return lead


def _confirm(match: Match, view: View, code: int, seed: int) -> dict[str, object] | None:
    """Return the entry of a puzzle, if longer searches from other seeds agree on the move and the margin."""
    position, chance, leads, second = position_from_history(view), 0.0, [], code
    proof = None
    for step, sims in enumerate(CONFIRMATIONS):
        searcher = _searcher(match, sims, mix(seed, len(match), step))
        result = searcher.search(position)
        if result.best != code or result.chances[0] < LEAST_CHANCE:
            return None
        leads.append(_lead(searcher, result, sims // 20))
        if leads[-1] < MARGIN:
            return None
        chance, second, proof = result.chances[0], result.codes[1], result.verdict.moves.get(code)
    name = match.game.notation.name
    return {
        "moves": len(match),
        "solution": name(code),
        "tempting": name(second),
        "chance": round(chance, 3),
        "lead": round(min(leads), 3),
        "thought": _needed(match, view, code, seed),
        "themes": list(themes_of(match, Move(match.game.name, name(code)))),
        **({} if proof is None else {"proof": str(proof)}),
    }


def _needed(match: Match, view: View, code: int, seed: int) -> int:
    """Return how many budgets are too small: the number of the largest with which a search errs, 0 if none does."""
    position = position_from_history(view)
    for step, sims in reversed(list(enumerate(BUDGETS, 1))):
        spec = parse(f"{NOVICE},sims={sims}")
        for again in range(2):
            searcher = new_searcher(spec, match.game, match.players, mix(seed, step, again))
            if searcher.search(position).best != code:
                return step
    return 0


if __name__ == "__main__":  # for maintainers: python -m malecon.teaching.puzzle_generation cuba cuba.jsonl more.jsonl
    import sys

    packed = registry.data_file(sys.argv[1], FILE)
    assert packed is not None
    print(pack([Path(name) for name in sys.argv[2:]], packed))
