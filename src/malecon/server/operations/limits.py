"""How much one client may ask for: requests, live connections, new tables, time of bots, attempts to log in.

Each limit is a token bucket for each client. A request costs as many tokens as it takes processor time, and a bucket
holds few: a client that asks for much at once waits, and no other does. This machine itself is only limited in what
could hurt people on it. The buckets are of one process: with several, each has its own.
"""

from __future__ import annotations

import asyncio
import ipaddress
import time
from collections import Counter, OrderedDict
from functools import lru_cache

from starlette.types import Scope

from malecon.server.errors import TooOften
from malecon.server.names import name_key
from malecon.server.operations.costs import UNIT_SECONDS, RouteCosts, Turns
from malecon.server.operations.settings import Networks, ServerSettings

#: Clients whose buckets are kept; those with full buckets are dropped first.
MOST_CLIENTS = 20_000
#: What a bucket holds at least, unless its limit is lower.
FEWEST_IN_BURST = 60
#: Files that a client may request for each page.
FILES_PER_REQUEST = 5
#: Refusals a minute, and at once, after which further refusals to a client are delayed.
REFUSALS_PER_MINUTE = 300
REFUSALS_AT_ONCE = 20
#: The delay of such a refusal.
REFUSAL_DELAY_SECONDS = 0.25
#: Refusals to one client that are delayed at the same time.
MOST_DELAYED = 100
#: People with an account whose requests make the limits of their address higher, each as much as a first person has:
#: at most this many, and only those whose account is this old, since it costs nothing to register.
MOST_KNOWN_PEOPLE = 8
KNOWN_AGE_SECONDS = 24 * 3600
#: How long a person counts after their last request.
KNOWN_SECONDS = 3600.0
#: The client of all requests without a valid address.
UNKNOWN = "unknown"


class Buckets:
    """A token bucket for every client. `most` tokens flow into it in `seconds`; it holds `burst`, or all of them.

    If `most` is 0, there is no limit.
    """

    def __init__(self, most: int, seconds: float, burst: int | None = None) -> None:
        self._most, self._rate = most if burst is None else min(most, burst), most / seconds
        self._left: dict[str, tuple[float, float]] = {}

    def take(self, client: str, tokens: float = 1.0) -> None:
        """Take tokens; raise TooOften, and take nothing, if there are too few."""
        tokens = min(tokens, self._most)  # what costs more than a bucket holds takes a full one
        wait = self.wait(client, tokens)
        if wait > 0:
            raise TooOften(wait)
        self.charge(client, tokens)

    def wait(self, client: str, tokens: float = 1.0) -> float:
        """Return the seconds until that many tokens are there."""
        return max(0.0, (tokens - self._now(client)) / self._rate) if self._most else 0.0

    def charge(self, client: str, tokens: float) -> None:
        """Take tokens for work that is done already, even more than there are."""
        if self._most:
            now = time.monotonic()
            self._left[client] = self._now(client) - tokens, now
            if len(self._left) > MOST_CLIENTS:
                self._forget()

    def settle(self, client: str, tokens: float) -> None:
        """Take tokens for work that is done, or give back those of less work; nobody owes more than a bucket holds."""
        if self._most:
            self.charge(client, min(tokens, self._now(client) + self._most))

    def _now(self, client: str) -> float:
        left, when = self._left.get(client, (float(self._most), 0.0))
        return min(float(self._most), left + (time.monotonic() - when) * self._rate)

    def _forget(self) -> None:
        """Drop the clients whose buckets are full; if that is not enough, those that came first."""
        self._left = {client: left for client, left in self._left.items() if self._now(client) < self._most}
        for client in list(self._left)[: max(0, len(self._left) - MOST_CLIENTS // 2)]:
            del self._left[client]


class Limiter:
    """All limits of one server process."""

    def __init__(self, settings: ServerSettings) -> None:
        self.settings = settings
        self.costs, self.turns = RouteCosts(), Turns()
        self.requests = Buckets(settings.requests, 60, max(FEWEST_IN_BURST, settings.requests // 20))
        self.files = Buckets(FILES_PER_REQUEST * settings.requests, 60, max(FEWEST_IN_BURST, settings.requests // 10))
        self.writes = Buckets(settings.writes, 60, max(FEWEST_IN_BURST, settings.writes // 5))
        self.tables = Buckets(settings.tables, 3600)
        self.think_time = Buckets(settings.thought, 3600)
        self.address_think_time = Buckets(settings.address_thought, 3600)
        self._addresses: OrderedDict[str, str] = OrderedDict()  # from where a person opened a table or logged in last
        self._known_people: OrderedDict[str, dict[str, float]] = OrderedDict()  # of each address, and when last seen
        self.logins = Buckets(settings.logins, 600)
        self.registrations = Buckets(settings.registrations, 3600)
        self.names = Buckets(5 * settings.logins, 600)  # the same for one name, from all addresses
        self.messages = Buckets(settings.messages, 60, max(1, settings.messages // 3))
        self.address_messages = Buckets(3 * settings.messages, 60)
        self.sockets: Counter[str] = Counter()
        self._refusals = Buckets(REFUSALS_PER_MINUTE, 60, REFUSALS_AT_ONCE)
        self._delayed: Counter[str] = Counter()

    def check(self, scope: Scope, writes: bool, opens: bool, cost: float = 1.0) -> None:
        """Raise TooOften if the client must wait. `cost` is what the request will probably cost; see `settle`."""
        address = address_of(scope)
        if address is None:
            return
        people = self.people_behind(address)
        self.requests.take(address, cost / people)
        if writes:
            self.writes.take(address, 1 / people)
        if opens:
            self.tables.take(address, 1 / people)

    def check_file(self, scope: Scope, cost: float) -> None:
        """Do the same for files that every page needs, and for requests of the host's own programs."""
        address = address_of(scope)
        if address is not None:
            self.files.take(address, cost / self.people_behind(address))

    def cost_of(self, route: str, writes: bool) -> float:
        """Return what a request to a route will probably cost: the mean of those before it."""
        return max(1.0, self.costs.mean(route, writes) / UNIT_SECONDS)

    def settle(
        self, scope: Scope, route: str, writes: bool, cost: float, seconds: float, is_file: bool = False
    ) -> None:
        """Charge a request for the processor time it has taken. `cost` is what it was charged before."""
        if self.costs.record(route, writes, seconds):
            difference = max(1.0, seconds / UNIT_SECONDS) - cost
            address = address_of(scope) if difference else None
            if address is not None:
                buckets = self.files if is_file else self.requests
                buckets.settle(address, difference / self.people_behind(address))

    # --- many people behind one address

    def remember_person(self, scope: Scope, person: str, created: float) -> None:
        """Remember that a person with an account is behind an address, which has higher limits then."""
        address = address_of(scope)
        if address is None or time.time() < created + KNOWN_AGE_SECONDS:
            return
        people = self._known_people.setdefault(address, {})
        if person in people or len(people) < MOST_KNOWN_PEOPLE:
            people[person] = time.monotonic()
        if len(self._known_people) > MOST_CLIENTS:
            self._known_people.popitem(last=False)

    def people_behind(self, address: str) -> int:
        """Return for how many people an address stands: one, those known there, or as many as the host says."""
        if self.settings.shared_networks and is_in(address, self.settings.shared):
            return max(1, self.settings.shared_people)
        people = self._known_people.get(address)
        if not people:
            return 1
        since = time.monotonic() - KNOWN_SECONDS
        if any(seen < since for seen in people.values()):
            people = self._known_people[address] = {who: seen for who, seen in people.items() if seen >= since}
        return max(1, len(people))

    # --- passwords

    def check_login(self, scope: Scope, name: str) -> None:
        """Raise TooOften if passwords are guessed too fast, also from this machine: a proxy may hide the client.

        `login_succeeded` gives back what a right password was charged.
        """
        address = address_of(scope)
        self.logins.take(address or "local", 1 / (1 if address is None else self.people_behind(address)))
        self.names.take(name_key(name)[:80])

    def login_succeeded(self, scope: Scope, name: str) -> None:
        """Give back what an attempt was charged: people who know their password are not limited by it."""
        address = address_of(scope)
        self.logins.settle(address or "local", -1 / (1 if address is None else self.people_behind(address)))
        self.names.settle(name_key(name)[:80], -1)

    def check_registration(self, scope: Scope) -> None:
        """Raise TooOften if too many accounts are registered from an address."""
        address = address_of(scope)
        self.registrations.take(address or "local", 1 / (1 if address is None else self.people_behind(address)))

    async def delay(self, scope: Scope) -> bool:
        """Count a refusal, and delay it if the client gets too many; return whether it does.

        A refusal costs work, too, and a delayed one keeps the next requests of the connection waiting.
        """
        address = address_of(scope) or "local"
        floods = self._refusals.wait(address) > 0
        self._refusals.charge(address, 1 if not floods else 0)
        if floods and self._delayed[address] < MOST_DELAYED:
            self._delayed[address] += 1
            try:
                await asyncio.sleep(REFUSAL_DELAY_SECONDS)
            finally:
                self._delayed[address] -= 1
                if not self._delayed[address]:
                    del self._delayed[address]
        return floods

    def check_message(self, scope: Scope, person: str) -> None:
        """Raise TooOften if a person sends too many messages, even on this machine: all others must read them."""
        self.messages.take(person)
        address = address_of(scope)
        if address is not None:
            self.address_messages.take(address, 1 / self.people_behind(address))

    # --- time of bots

    def remember_address(self, person: str, scope: Scope) -> None:
        """Remember the address of a person: all people of one address share a quota, so inventing people is no use."""
        address = address_of(scope)
        self._addresses.pop(person, None)
        if address is not None:
            self._addresses[person] = address
            if len(self._addresses) > MOST_CLIENTS:
                self._addresses.popitem(last=False)

    def quota_key(self, person: str) -> str:
        """Return the key under which a person takes turns with others: the address if it is known."""
        return self._addresses.get(person, person)

    def think_wait(self, person: str, seconds: float = 1.0) -> float:
        """Return the seconds until bots may think that long for a person."""
        wait, address = self.think_time.wait(person, seconds), self._addresses.get(person)
        return wait if address is None else max(wait, self.address_think_time.wait(address, seconds))

    def check_think_time(self, person: str, scope: Scope, seconds: float = 1.0) -> None:
        """Raise TooOften if bots have thought for a person for so long that others come first."""
        self.remember_address(person, scope)
        wait = self.think_wait(person, seconds)
        if wait > 0:
            raise TooOften(wait)

    def charge_think_time(self, person: str, seconds: float) -> None:
        """Charge a person for time that bots have thought."""
        self.think_time.charge(person, seconds)
        address = self._addresses.get(person)
        if address is not None:
            self.address_think_time.charge(address, seconds / self.people_behind(address))

    def open_socket(self, scope: Scope) -> bool:
        """Return whether a client may open one more live connection; `close_socket` must follow."""
        address = address_of(scope)
        if address is None:
            return True
        most = self.settings.sockets * self.people_behind(address)
        if most and self.sockets[address] >= most:
            return False
        self.sockets[address] += 1
        return True

    def close_socket(self, scope: Scope) -> None:
        address = address_of(scope)
        if address is not None:
            self.sockets[address] -= 1
            if self.sockets[address] <= 0:
                del self.sockets[address]


def address_of(scope: Scope) -> str | None:
    """Return the client of a request; None for this machine itself. A whole network of IPv6 is one client.

    The web server has put the address here that a proxy names, if the host trusts the proxy. All requests without a
    valid address are of one client.
    """
    client = scope.get("client")
    return client_of(None if client is None else client[0])


@lru_cache(MOST_CLIENTS)
def is_in(client: str, networks: Networks) -> bool:
    """Return whether a client, an address or a network of IPv6, is in one of these networks."""
    if client == UNKNOWN:
        return False
    own = ipaddress.ip_network(client)
    return any(own.version == network.version and own.overlaps(network) for network in networks)


@lru_cache(MOST_CLIENTS)
def client_of(host: str | None) -> str | None:
    """Return the client of an address; None for a connection that goes over no network."""
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
