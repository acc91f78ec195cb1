"""Who may enter a tournament, by specification: our bots, learned policies, other people's programs."""

from __future__ import annotations

import time

from malecon.bots import Bot, make


def enter(spec: str, seed: int = 0) -> Bot:
    """A bot for the arena: ours, a learned one as `policy:FILE`, or OpenSpiel's as `openspiel:sims=100`."""
    if spec.partition(":")[0] == "openspiel":
        from malecon.arena.openspiel_rival import parse_rival

        return parse_rival(spec, seed)
    if spec.partition(":")[0] == "policy":
        from malecon.arena.learned_policy import parse_policy

        return parse_policy(spec)
    return make(spec, seed, time.thread_time)
