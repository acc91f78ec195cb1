"""Specifications of bots, such as `greedy` or `search:ms=200,c=0.7`: they are read and checked here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from malecon.bots.network import load_file
from malecon.bots.searcher import PLAYOUTS, POLICIES, VALUES, SearchPlan
from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

#: A search of this many simulations still takes less than a millisecond.
INSTANT_SIMS = 50


@dataclass(frozen=True)
class Spec:
    """A bot's kind and settings; `text` is what it was written as."""

    text: str
    kind: str
    miss: float = 0.0
    plan: SearchPlan = field(default_factory=SearchPlan)

    @property
    def is_search(self) -> bool:
        return self.kind in SEARCHES

    @property
    def is_instant(self) -> bool:
        """Whether the bot answers within milliseconds: it searches little or not at all."""
        return not self.is_search or (0 < self.plan.sims <= INSTANT_SIMS and self.plan.rollout == "none")


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


def _weights_file(text: str) -> str:
    try:
        load_file(text)
    except OSError:
        raise ValueError from None
    return text


#: Every setting: how it is read, and what it can be, for the error message.
SETTINGS: Mapping[str, tuple[Callable[[str], Any], str]] = {
    "sims": (_whole(1, 100_000_000), "1 to 100000000"),
    "ms": (_whole(1, 3_600_000), "1 to 3600000"),
    "rollout": (_one_of(PLAYOUTS), ", ".join(PLAYOUTS)),
    "depth": (_whole(0, 20_000), "0 to 20000"),
    "value": (_one_of(VALUES), ", ".join(VALUES)),
    "policy": (_one_of(POLICIES), ", ".join(POLICIES)),
    "c": (_number(0, 100), "0 to 100"),
    "around": (_whole(0, 1000), "0 to 1000"),
    "proof": (_whole(0, 100_000_000), "0 to 100000000"),
    "prior": (_number(0, 1000), "0 to 1000"),
    "margin": (_number(0, 1), "0 to 1"),
    "threads": (_whole(1, 64), "1 to 64"),
    "net": (_weights_file, "files of weights, as training/fit_net.py writes them"),
    "miss": (_number(0, 0.95), "0 to 0.95"),
}
#: The kinds that look ahead: as machine code, and as the WebAssembly module of the game, see `bots.engine`.
NATIVE, WASM = "search", "wasm"
SEARCHES = (NATIVE, WASM)
#: The kinds of bots, with the settings of each.
KINDS: Mapping[str, tuple[str, ...]] = {
    "random": (),
    "greedy": ("miss",),
    NATIVE: tuple(SETTINGS),
    WASM: tuple(SETTINGS),
}
DEFAULT_MS = 200


def parse(text: str, others: Mapping[str, str] | None = None) -> Spec:
    """Return the specification in a text; raise BadSetup if there is none. `others` are names for specifications.

    A file named in it is opened, so a text that strangers send must never come here.
    """
    name, _, rest = text.strip().partition(":")
    base: dict[str, Any] = {}
    kind = name
    if others and name in others:
        kind, _, own = others[name].partition(":")
        base = _read(text, kind, own)
    if kind not in KINDS:
        known = ", ".join((*KINDS, *(others or ())))
        raise BadSetup(say("there is no bot called {name}; choose from: {known}", name=repr(name)[:40], known=known))
    chosen = _read(text, kind, rest)
    if "sims" in chosen and "ms" in chosen:
        raise BadSetup(say("{text}: give sims or ms, not both", text=repr(text)[:60]))
    if "sims" in chosen:
        base.pop("ms", None)
    if "ms" in chosen:
        base.pop("sims", None)
    settings = base | chosen
    miss = settings.pop("miss", 0.0)
    if kind in SEARCHES and "sims" not in settings:
        settings.setdefault("ms", DEFAULT_MS)
    return Spec(text, kind, miss, SearchPlan(**settings))


def _read(text: str, kind: str, settings: str) -> dict[str, Any]:
    values: dict[str, Any] = {}
    for part in filter(None, settings.split(",")):
        name, equals, value = part.partition("=")
        name = name.strip()
        if not equals or name not in KINDS[kind]:
            known = ", ".join(KINDS[kind]) or "-"
            raise BadSetup(
                say("{text}: {kind} has no setting {name}; choose from: {known}",
                    text=repr(text)[:60], kind=kind, name=repr(name)[:40], known=known)
            )  # fmt: skip
        read, range_text = SETTINGS[name]
        try:
            values[name] = read(value.strip())
        except ValueError:
            raise BadSetup(
                say("{text}: {name} cannot be {value}; choose from: {known}",
                    text=repr(text)[:60], name=name, value=repr(value)[:40], known=range_text)
            ) from None  # fmt: skip
    return values


def split(text: str) -> list[str]:
    """Return the specifications in a list like `greedy,search:sims=500,c=0.7`: settings belong to the bot before."""
    specs: list[str] = []
    for part in text.split(","):
        if specs and "=" in part and ":" not in part:
            specs[-1] += "," + part
        else:
            specs.append(part.strip())
    return specs
