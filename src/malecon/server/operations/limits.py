"""How much one client may ask for: requests, live connections, new tables, thought of bots, attempts to log in.

Each limit is a bucket of tokens for each client. A request costs as many as it makes work, and a bucket holds little:
whoever asks for much at once waits, and nobody else does. This machine itself is only limited in what could hurt others
of its people. The buckets are of one process: with several, each has its own.
"""

from __future__ import annotations

import asyncio
import ipaddress
import os
import time
from collections import Counter, OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, fields
from functools import lru_cache

from starlette.types import Scope

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say
from malecon.server.errors import TooOften
from malecon.server.names import name_key

#: Clients that are remembered in each bucket; whoever was idle long enough is forgotten anyway.
MOST_CLIENTS = 20_000
#: What a bucket holds at least if its limit does, and how many times as many files as pages somebody may have.
BURST, FILES = 60, 5
#: Refusals a minute and at once after which a client that does not stop is made to wait, for so many seconds each time;
#: and how many of its requests wait at most.
REFUSALS, PAUSE, MOST_HELD = (300, 20), 0.25, 100
#: The client of all requests that come from no address at all.
UNKNOWN = "unknown"
HOOKS = ("off", "public", "any")
PREFIX = "MALECON_"


@dataclass(frozen=True)
class Settings:
    """What a host may set in the environment, as MALECON_ and the name in capitals. 0 takes a limit away."""

    requests: int = 2400  # a minute, of one address: small ones as those of the JSON interface; a page counts for more
    writes: int = 300  # a minute, of one address
    connections: int = 250  # at the same time, of one address
    sockets: int = 120  # at the same time, of one address; a table with company takes two
    tables: int = 60  # opened in an hour, from one address
    open_tables: int = 200  # unfinished ones of one person, in which something happened in the last two weeks
    thought: int = 3600  # seconds that bots think in an hour for one person's tables and questions
    address_thought: int = 5400  # the same for everybody who opened tables from one address: persons cost nothing
    messages: int = 20  # said in a minute at tables, by one person; three times as many from one address
    logins: int = 10  # attempts in ten minutes, from one address
    memory: int = 800  # megabytes for trees of bots, tables at rest and their pages; the program itself comes on top
    hosts: str = ""  # names under which the server may be asked for, with commas; empty: any
    moderators: str = ""  # accounts that may change the house rules and see to reports, with commas
    hooks: str = "off"  # whether players may have their turns posted: off, to public addresses, or to any
    push: str = "public"  # whether devices are told: off, through public push services, or through any
    contact: str = ""  # how a push service reaches the host: mailto:… or https://…

    @property
    def how_to_reach(self) -> str:
        """What push services are told of the host: some of them refuse messages of nobody in particular."""
        name = self.hosts.partition(",")[0].strip() or "localhost"
        return self.contact or f"https://{name}"

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> Settings:
        """Those of the environment; BadSetup where one of them makes no sense."""
        found: dict[str, int | str] = {}
        for field in fields(cls):
            name = PREFIX + field.name.upper()
            value = environment.get(name, "").strip()
            if value and field.name in ("hosts", "moderators", "contact"):
                found[field.name] = value
            elif value and field.name in ("hooks", "push"):
                if value not in HOOKS:
                    raise _bad(name, value, ", ".join(HOOKS))
                found[field.name] = value
            elif value:
                if not value.isascii() or not value.isdigit() or len(value) > 9:
                    raise _bad(name, value, "0, 1, 2…")
                found[field.name] = int(value)
        return cls(**found)  # type: ignore[arg-type]


def _bad(name: str, value: str, known: str) -> BadSetup:
    return BadSetup(
        say("{name} cannot be {value}; choose from: {known}", name=name, value=repr(value)[:40], known=known)
    )


class Buckets:
    """For every client a bucket into which `most` tokens flow in so many seconds. It holds `burst`, or all of them.

    0: no bottom.
    """

    def __init__(self, most: int, seconds: float, burst: int | None = None) -> None:
        self._most, self._rate = most if burst is None else min(most, burst), most / seconds
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, client: str, tokens: float = 1.0) -> None:
        """Take tokens; TooOften, and nothing is taken, where they are not there."""
        tokens = min(tokens, self._most)  # what costs more than a bucket holds needs a full one
        wait = self.wait(client, tokens)
        if wait > 0:
            raise TooOften(wait)
        self.charge(client, tokens)

    def wait(self, client: str, tokens: float = 1.0) -> float:
        """Seconds until so many tokens are there."""
        return max(0.0, (tokens - self._now(client)) / self._rate) if self._most else 0.0

    def charge(self, client: str, tokens: float) -> None:
        """Take tokens that were used already, even more than there are."""
        if self._most:
            now = time.monotonic()
            self._left[client] = self._now(client) - tokens, now
            if len(self._left) > MOST_CLIENTS:
                self._forget()

    def _now(self, client: str) -> float:
        left, when = self._left.get(client, (float(self._most), 0.0))
        return min(float(self._most), left + (time.monotonic() - when) * self._rate)

    def _forget(self) -> None:
        """Whose bucket is full again is as good as new; if that is not enough, those who came first."""
        self._left = {client: left for client, left in self._left.items() if self._now(client) < self._most}
        for client in list(self._left)[: max(0, len(self._left) - MOST_CLIENTS // 2)]:
            del self._left[client]


class Limiter:
    """All limits of one server process."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.requests = Buckets(settings.requests, 60, max(BURST, settings.requests // 10))
        self.files = Buckets(FILES * settings.requests, 60, max(BURST, settings.requests // 10))
        self.writes = Buckets(settings.writes, 60, max(BURST, settings.writes // 5))
        self.tables = Buckets(settings.tables, 3600)
        self.thought = Buckets(settings.thought, 3600)
        self.address_thought = Buckets(settings.address_thought, 3600)
        self._homes: OrderedDict[str, str] = OrderedDict()  # from where somebody opened a table or logged in last
        self.logins = Buckets(settings.logins, 600)
        self.names = Buckets(5 * settings.logins, 600)  # the same for one name, from wherever it is tried
        self.messages = Buckets(settings.messages, 60, max(1, settings.messages // 3))
        self.address_messages = Buckets(3 * settings.messages, 60)
        self.sockets: Counter[str] = Counter()
        self._refusals = Buckets(REFUSALS[0], 60, REFUSALS[1])
        self._held: Counter[str] = Counter()

    def check(self, scope: Scope, writes: bool, opens: bool, cost: float = 1.0) -> None:
        """TooOften where the sender of a request must wait. `cost`: how many small requests make as much work."""
        address = address_of(scope)
        if address is None:
            return
        self.requests.take(address, cost)
        if writes:
            self.writes.take(address)
        if opens:
            self.tables.take(address)

    def check_file(self, scope: Scope, cost: float) -> None:
        """The same for files that every page needs, and for what the host's own programs ask."""
        address = address_of(scope)
        if address is not None:
            self.files.take(address, cost)

    def check_login(self, scope: Scope, name: str) -> None:
        """Guessing passwords is slow, also from this machine: a proxy may have forgotten to say who asks."""
        self.logins.take(address_of(scope) or "local")
        self.names.take(name_key(name)[:80])

    async def hold(self, scope: Scope) -> bool:
        """A request is refused. Whether its sender floods us with such: then it has waited, with all behind it.

        A refusal costs work, too; who may send as many as they like must not get them as fast as they like.
        """
        address = address_of(scope) or "local"
        floods = self._refusals.wait(address) > 0
        self._refusals.charge(address, 1 if not floods else 0)
        if floods and self._held[address] < MOST_HELD:
            self._held[address] += 1
            try:
                await asyncio.sleep(PAUSE)
            finally:
                self._held[address] -= 1
                if not self._held[address]:
                    del self._held[address]
        return floods

    def check_message(self, scope: Scope, person: str) -> None:
        """TooOften where somebody says too much, even on this machine: all others must read it."""
        self.messages.take(person)
        address = address_of(scope)
        if address is not None:
            self.address_messages.take(address)

    # --- thought of bots

    def lives_at(self, person: str, scope: Scope) -> None:
        """Remember from where somebody has bots think: whoever makes up persons does not have more of it."""
        address = address_of(scope)
        self._homes.pop(person, None)
        if address is not None:
            self._homes[person] = address
            if len(self._homes) > MOST_CLIENTS:
                self._homes.popitem(last=False)

    def home_of(self, person: str) -> str:
        """Who takes turns with others for somebody: all of one address together."""
        return self._homes.get(person, person)

    def thought_wait(self, person: str, seconds: float = 1.0) -> float:
        """Seconds until bots may think that long for somebody."""
        wait, home = self.thought.wait(person, seconds), self._homes.get(person)
        return wait if home is None else max(wait, self.address_thought.wait(home, seconds))

    def check_thought(self, person: str, scope: Scope, seconds: float = 1.0) -> None:
        """TooOften where bots have thought for whoever asks so long that others come first."""
        self.lives_at(person, scope)
        wait = self.thought_wait(person, seconds)
        if wait > 0:
            raise TooOften(wait)

    def charge_thought(self, person: str, seconds: float) -> None:
        """Bots have thought for somebody."""
        self.thought.charge(person, seconds)
        home = self._homes.get(person)
        if home is not None:
            self.address_thought.charge(home, seconds)

    def sits_down(self, scope: Scope) -> bool:
        """Whether one more live connection is fine; `gets_up` must follow."""
        address = address_of(scope)
        if address is None:
            return True
        if self.settings.sockets and self.sockets[address] >= self.settings.sockets:
            return False
        self.sockets[address] += 1
        return True

    def gets_up(self, scope: Scope) -> None:
        address = address_of(scope)
        if address is not None:
            self.sockets[address] -= 1
            if self.sockets[address] <= 0:
                del self.sockets[address]


def address_of(scope: Scope) -> str | None:
    """Where a request comes from; None for this machine itself. Whole networks of IPv6 belong to one client.

    What a proxy says about it has been put here by the web server, if the proxy is one that the host trusts. All who
    come from where nobody can be are one client.
    """
    client = scope.get("client")
    return client_of(None if client is None else client[0])


@lru_cache(MOST_CLIENTS)
def client_of(host: str | None) -> str | None:
    """The same for the address of a connection; None for one that goes over no network."""
    if host is None:
        return None
    try:
        address = ipaddress.ip_address(host.partition("%")[0])
    except ValueError:
        return UNKNOWN
    if isinstance(address, ipaddress.IPv6Address):
        address = address.ipv4_mapped or address
    if address.is_loopback:
        return None
    if address.version == 6:
        return str(ipaddress.ip_network((int(address) >> 64 << 64, 64)))
    return str(address)
