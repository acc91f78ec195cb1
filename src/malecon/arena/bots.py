"""The bots of an arena, by specification: our bots, learned policies, your own classes, other people's programs.

A specification can name code that is imported or started, so the server never passes on what a visitor sends.
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


def make_bot(spec: str, seed: int = 0) -> Bot:
    """Return a bot: ours, `policy:FILE`, `openspiel:sims=100`, `module:Class`, `engine:COMMAND` or `llm:ADDRESS`."""
    kind = spec.partition(":")[0]
    if kind == "openspiel":
        from malecon.arena.openspiel_bot import parse_openspiel

        return parse_openspiel(spec, seed)
    if kind == "policy":
        from malecon.arena.policy_bot import parse_policy

        return parse_policy(spec)
    if kind == "engine":
        return EngineBot(spec, seed)
    if kind == "llm":
        from malecon.arena.llm_bot import LanguageModelBot

        return LanguageModelBot(spec, seed)
    written, settings = split_settings(spec)
    own_class = _CLASS.fullmatch(written)
    if own_class and kind not in KINDS and kind not in BY_KEY:
        return _own(spec, own_class[1], own_class[2], settings, seed)
    return make(spec, seed, time.thread_time)


def close_bot(bot: Bot) -> None:
    """End the program of a bot that is one."""
    close = getattr(bot, "close", None)
    if close is not None:
        close()


def _own(spec: str, module: str, name: str, settings: dict[str, str], seed: int) -> Bot:
    """Return a bot of the user's own class, found as Python finds modules, the current folder included."""
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
