"""Specifications of bots: `greedy`, `search:ms=200,c=0.7`. Here they are read and checked; nothing is played."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from malecon.bots.searcher import PLAYOUTS, POLICIES, VALUES, SearchPlan
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say


@dataclass(frozen=True)
class Spec:
    """A bot's kind and settings; `text` is what it was written as."""

    text: str
    kind: str
    miss: float = 0.0
    plan: SearchPlan = field(default_factory=SearchPlan)


def _whole(least: int, most: int) -> Callable[[str], int]:
    def read(text: str) -> int:
        number = int(text)
        if not least <= number <= most:
            raise ValueError
        return number

    return read


def _number(least: float, most: float) -> Callable[[str], float]:
    def read(text: str) -> float:
        number = float(text)
        if not least <= number <= most:
            raise ValueError
        return number

    return read


def _one_of(choices: Mapping[str, Any]) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in choices:
            raise ValueError
        return text

    return read


#: Every setting: how it is read, and what it can be, for the error message.
SETTINGS: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "sims": (_whole(1, 100_000_000), "1 to 100000000"),
    "ms": (_whole(1, 3_600_000), "1 to 3600000"),
    "rollout": (_one_of(PLAYOUTS), ", ".join(PLAYOUTS)),
    "depth": (_whole(0, 20_000), "0 to 20000"),
    "value": (_one_of(VALUES), ", ".join(VALUES)),
    "policy": (_one_of(POLICIES), ", ".join(POLICIES)),
    "c": (_number(0, 100), "0 to 100"),
    "prior": (_number(0, 1000), "0 to 1000"),
    "margin": (_number(0, 1), "0 to 1"),
    "threads": (_whole(1, 64), "1 to 64"),
    "miss": (_number(0, 0.95), "0 to 0.95"),
}
_SEARCH = tuple(SETTINGS)
#: The search of November 2026 with its weights, to measure later ones against.
FIRST_SEARCH = {"value": "first", "policy": "worth", "prior": 1.0, "c": 1.0, "margin": 0.1}
#: The kinds of bots: the settings they know, and those they begin with.
KINDS: Mapping[str, tuple[tuple[str, ...], Mapping[str, Any]]] = {
    "random": ((), {}),
    "greedy": (("miss",), {}),
    "plain": (_SEARCH, FIRST_SEARCH | {"rollout": "random", "depth": 8, "prior": 0.0}),
    "search": (_SEARCH, {}),
    "search1": (_SEARCH, FIRST_SEARCH),
}
DEFAULT_MS = 200


def parse(text: str, others: Mapping[str, str] | None = None) -> Spec:
    """The specification written so; BadSetup where it makes no sense. `others` are names that stand for longer ones."""
    name, _, rest = text.strip().partition(":")
    base, settings = dict(KINDS.get(name, ((), {}))[1]), rest
    kind = name
    if others and name in others:
        kind, _, own = others[name].partition(":")
        base = dict(KINDS[kind][1]) | _read(text, kind, own)
    if kind not in KINDS:
        known = ", ".join((*KINDS, *(others or ())))
        raise BadSetup(say("there is no bot called {name}; choose from: {known}", name=repr(name)[:40], known=known))
    chosen = _read(text, kind, settings)
    if "sims" in chosen and "ms" in chosen:
        raise BadSetup(say("{text}: give sims or ms, not both", text=repr(text)[:60]))
    if "sims" in chosen:
        base.pop("ms", None)
    if "ms" in chosen:
        base.pop("sims", None)
    found = base | chosen
    miss = found.pop("miss", 0.0)
    if "plain" in kind or "search" in kind:
        if "sims" not in found:
            found.setdefault("ms", DEFAULT_MS)
        return Spec(text, kind, miss, SearchPlan(**found))
    return Spec(text, kind, miss)


def _read(text: str, kind: str, settings: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, settings.split(",")):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or name not in KINDS[kind][0]:
            known = ", ".join(KINDS[kind][0]) or "-"
            raise BadSetup(
                say("{text}: {kind} has no setting {name}; choose from: {known}",
                    text=repr(text)[:60], kind=kind, name=repr(name)[:40], known=known)
            )  # fmt: skip
        read, range_text = SETTINGS[name]
        try:
            found[name] = read(value.strip())
        except ValueError:
            raise BadSetup(
                say("{text}: {name} cannot be {value}; choose from: {known}",
                    text=repr(text)[:60], name=name, value=repr(value)[:40], known=range_text)
            ) from None  # fmt: skip
    return found


def split(text: str) -> list[str]:
    """The specifications of a list like `greedy,search:sims=500,c=0.7`: a setting belongs to the bot before it."""
    found: list[str] = []
    for part in text.split(","):
        if found and "=" in part and ":" not in part:
            found[-1] += "," + part
        else:
            found.append(part.strip())
    return found
