"""Who may enter a tournament, by specification: our bots, learned policies, your own classes, other people's programs.

Only for those who run it: what stands in a specification is imported or started. The server takes none from anybody.
"""

from __future__ import annotations

import importlib
import re
import sys
import time

from malecon.arena.engine import EngineBot, split_settings
from malecon.bots import Bot, make
from malecon.bots.levels import BY_KEY
from malecon.bots.specs import KINDS
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

_CLASS = re.compile(r"([A-Za-z_][\w.]*):([A-Za-z_]\w*)")


def enter(spec: str, seed: int = 0) -> Bot:
    """A bot for the arena: ours, `policy`, `policy:FILE`, `openspiel:sims=100`, `module:Class` or `engine:COMMAND`."""
    kind = spec.partition(":")[0]
    if kind == "openspiel":
        from malecon.arena.openspiel_rival import parse_rival

        return parse_rival(spec, seed)
    if kind == "policy":
        from malecon.arena.learned_policy import parse_policy

        return parse_policy(spec)
    if kind == "engine":
        return EngineBot(spec, seed)
    written, settings = split_settings(spec)
    found = _CLASS.fullmatch(written)
    if found and kind not in KINDS and kind not in BY_KEY:
        return _own(spec, found[1], found[2], settings, seed)
    return make(spec, seed, time.thread_time)


def dismiss(bot: Bot) -> None:
    """It has played; programs end."""
    close = getattr(bot, "close", None)
    if close is not None:
        close()


def _own(spec: str, module: str, name: str, settings: dict[str, str], seed: int) -> Bot:
    """A bot of somebody's own: their class, found as Python finds modules, the current folder included."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        kind = getattr(importlib.import_module(module), name)
    except ImportError as error:
        raise BadSetup(say("{text}: cannot import it: {problem}", text=repr(spec)[:60], problem=str(error))) from None
    except AttributeError:
        problem = f"{module} has no {name}"
        raise BadSetup(say("{text}: cannot import it: {problem}", text=repr(spec)[:60], problem=problem)) from None
    try:
        bot: Bot = kind(seed=seed, **settings)
    except TypeError as error:
        raise BadSetup(
            say(
                "{text}: it must take a seed and its settings by name: {problem}",
                text=repr(spec)[:60],
                problem=str(error),
            )
        ) from None
    if not callable(getattr(bot, "choose", None)):
        raise BadSetup(say("{text}: a bot needs a method choose(view)", text=repr(spec)[:60]))
    return bot
