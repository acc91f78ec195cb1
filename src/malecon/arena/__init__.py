"""The arena: tournaments between bots, ours and other people's, their results, and the engine protocol."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from malecon.arena.results import ArenaResult
    from malecon.kernel.game import OptionValue


def play(
    game: str,
    bots: Sequence[str],
    *,
    players: int = 2,
    games: int = 100,
    seed: int = 0,
    options: Mapping[str, OptionValue] | None = None,
    jobs: int | None = None,
    cluster: str | None = None,
    file: str | PathLike[str] | None = None,
) -> ArenaResult:
    """Let bots meet, as `malecon arena` does: on the same setups, with seats rotated, win rates with intervals.

    At least that many games are played, in `jobs` processes or on a Ray cluster. Finished games are kept in the file,
    if there is one, and are not played again.
    """
    from malecon.arena.plan import ArenaPlan
    from malecon.arena.tournament import run
    from malecon.kernel.errors import BadSetup
    from malecon.kernel.phrases import say
    from malecon.kernel.randomness import check_seed
    from malecon.kernel.registry import get
    from malecon.match import check_players, check_whole

    if isinstance(bots, str) or not all(isinstance(spec, str) for spec in bots):
        raise BadSetup(say("opponents are a list of bots, not {opponents}", opponents=repr(bots)[:40]))
    plan = ArenaPlan(
        game, tuple(bots), check_players(get(game), players), check_whole("games", games), check_seed(seed),
        dict(options or {}),
    )  # fmt: skip
    return run(plan, jobs=jobs, cluster=cluster, file=None if file is None else Path(file))
