"""The JSON interface: functions with typed arguments as endpoints, and their description as OpenAPI.

Requests below `/api/` do not pass the web framework, which would cost more than a move: the endpoint is looked up in a
tree, msgspec decodes its arguments as their types say and encodes its result. The guard's checks apply here too.
"""

from __future__ import annotations

import inspect
import logging
import time
from collections.abc import Awaitable, Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass, field
from types import UnionType
from typing import Any, TypeVar, cast, get_args, get_type_hints
from urllib.parse import unquote_plus

import msgspec
from starlette.applications import Starlette
from starlette.requests import HTTPConnection, Request
from starlette.types import Receive, Scope, Send

from malecon import __version__
from malecon.kernel.errors import MaleconError, UnknownGame
from malecon.kernel.phrases import Phrase, say
from malecon.server.accounts.visitors import SESSION_COOKIE, Choices, Visitor, language_of
from malecon.server.errors import BROKEN, NoSuchPage, TooLarge, TooOften, Unavailable, WrongHost
from malecon.server.operations.costs import Meter, metered
from malecon.server.operations.limits import Limiter, address_of
from malecon.server.operations.metrics import Metrics
from malecon.server.tables.table import Table
from malecon.server.web.dependencies import visitor_of
from malecon.server.web.guard import LARGEST_BODY_BYTES, SAFE_METHODS, Hosts, refusal_of, standing_headers
from malecon.server.web.schema import MOST, BadRequest, Problem, bad_request
from malecon.server.web.services import Services
from malecon.text import sentence

log = logging.getLogger("malecon.server")
PREFIX = "/api/"
OPENAPI = "/api/openapi.json"
#: Guests that are cached, and the bytes of headers by which a cached one is recognised.
MOST_CACHED_GUESTS = 5_000
LONGEST_KEY = 1_000
IDENTITY_HEADERS = (b"authorization", b"cookie", b"accept-language")
REFUSALS = {
    400: "It makes no sense, or the rules forbid it.",
    401: "The token is not valid, or not any more.",
    403: "It is not yours to do.",
    404: "There is no such thing.",
    409: "The table has moved on since you looked.",
    413: "Too large.",
    429: "Too often; the header Retry-After says how many seconds to wait.",
}
Function = TypeVar("Function", bound=Callable[..., Awaitable[Any]])
_JSON = (b"content-type", b"application/json")
_encode = msgspec.json.Encoder().encode


@dataclass
class Endpoint:
    """A function that answers requests of one method and path.

    Its arguments are, by their types, the `Services`, the `Visitor`, the `Request` and the `Table` of the path; by
    their names parts of the path and the `body`; all others are parts of the query.
    """

    method: str
    path: str
    function: Callable[..., Awaitable[Any]]
    summary: str
    tag: str
    status: int
    returns: Any
    opens_table: bool
    is_small: bool
    decode: Callable[[bytes], Any] | None = None
    body: Any = None
    query_kinds: dict[str, Any] = field(default_factory=dict)
    queries: dict[str, Callable[[bytes], Any]] = field(default_factory=dict)
    numbers: tuple[str, ...] = ()  # parts of the path that are numbers
    special: dict[type, str] = field(default_factory=dict)  # the names of arguments that are found by their type

    def __post_init__(self) -> None:
        hints = get_type_hints(self.function, include_extras=True)
        returned = hints.pop("return", None)
        self.returns = returned if self.returns is None else self.returns
        in_path = {part[1:-1] for part in self.path.split("/") if part.startswith("{")}
        for name, kind in hints.items():
            if kind in (Services, Visitor, Request, Table):
                self.special[kind] = name
            elif name == "body":
                self.body, self.decode = kind, msgspec.json.Decoder(kind).decode
            elif name not in in_path:
                self.query_kinds[name] = kind
                self.queries[name] = msgspec.json.Decoder(kind, strict=False).decode
        self.numbers = tuple(name for name in in_path if hints.get(name) is int)

    @property
    def writes(self) -> bool:
        return self.method not in SAFE_METHODS

    @property
    def answers(self) -> tuple[Any, ...]:
        """The types of possible answers; none if there is nothing to say."""
        if self.status == 204:
            return ()
        return get_args(self.returns) if isinstance(self.returns, UnionType) else (self.returns,)

    def query(self, query_string: bytes) -> dict[str, Any]:
        """Return the arguments in a query; raise BadRequest for those that are not valid. Others are ignored."""
        arguments = {}
        for part in query_string.decode("latin-1").split("&"):
            name, _, text = part.partition("=")
            decode = self.queries.get(name)
            if decode is not None:
                try:
                    arguments[name] = decode(_encode(unquote_plus(text) if "%" in text or "+" in text else text))
                except ValueError:
                    raise BadRequest(name) from None
        return arguments

    def path_arguments(self, values: dict[str, str]) -> dict[str, Any]:
        """Return the arguments in a path; raise NoSuchPage if one that must be a number is not."""
        arguments: dict[str, Any] = dict(values)
        for name in self.numbers:
            text = values[name]
            if not (text.isascii() and text.isdigit() and len(text) < 11 and int(text) < MOST):
                raise NoSuchPage(404)
            arguments[name] = int(text)
        return arguments


class Endpoints:
    """A group of endpoints below one path, declared with decorators."""

    def __init__(self, prefix: str, tag: str) -> None:
        self._prefix, self._tag = prefix, tag
        self.all: list[Endpoint] = []

    def get(
        self, path: str, summary: str, returns: Any = None, is_small: bool = False
    ) -> Callable[[Function], Function]:
        """Declare what answers GET. `returns` is the type of an answer that the function has encoded already.

        What is small counts as one request; what others cost is measured, which costs a little itself.
        """
        return self._declare("GET", path, summary, 200, returns, is_small=is_small)

    def post(
        self,
        path: str,
        summary: str,
        status: int = 200,
        returns: Any = None,
        opens_table: bool = False,
        is_small: bool = False,
    ) -> Callable[[Function], Function]:
        """Declare what answers POST; with `opens_table` it counts among the tables that an address opens."""
        return self._declare("POST", path, summary, status, returns, opens_table, is_small)

    def delete(self, path: str, summary: str, status: int = 204) -> Callable[[Function], Function]:
        return self._declare("DELETE", path, summary, status)

    def _declare(
        self,
        method: str,
        path: str,
        summary: str,
        status: int,
        returns: Any = None,
        opens_table: bool = False,
        is_small: bool = False,
    ) -> Callable[[Function], Function]:
        def declare(function: Function) -> Function:
            whole = self._prefix + path
            self.all.append(
                Endpoint(method, whole, function, summary, self._tag, status, returns, opens_table, is_small)
            )
            return function

        return declare


class _Node:
    """A place in the tree of paths: what follows by name, what follows as a parameter, and the endpoints here."""

    def __init__(self) -> None:
        self.children: dict[str, _Node] = {}
        self.parameter: tuple[str, _Node] | None = None
        self.endpoints: dict[str, Endpoint] = {}

    def add(self, parts: list[str], endpoint: Endpoint) -> None:
        if not parts:
            self.endpoints[endpoint.method] = endpoint
        elif parts[0].startswith("{"):
            name = parts[0][1:-1]
            if self.parameter is None:
                self.parameter = name, _Node()
            assert self.parameter[0] == name, f"two names for one part of {endpoint.path}"
            self.parameter[1].add(parts[1:], endpoint)
        else:
            self.children.setdefault(parts[0], _Node()).add(parts[1:], endpoint)


class VisitorCache:
    """Guests by the headers that identify them, so that a program's next request needs no look-up.

    Only guests whose choices are in memory, who sent no session beside their secret, and with headers of usual size:
    a stranger chooses the headers, and with them the size of the cache.
    """

    def __init__(self, app: Starlette) -> None:
        self._app = app
        self._guests: dict[tuple[tuple[bytes, bytes], ...], tuple[dict[str, Any], Visitor]] = {}

    async def visitor_of(self, scope: Scope, services: Services) -> Visitor:
        key = tuple((name, value) for name, value in scope["headers"] if name in IDENTITY_HEADERS)
        cached = self._guests.get(key)
        if cached is not None and services.storage.cached_choices(cached[1].person) is cached[0]:
            return cached[1]
        visitor = await visitor_of(HTTPConnection({**scope, "app": self._app}))
        choices = services.storage.cached_choices(visitor.person)
        if (
            choices is not None
            and visitor.account is None
            and visitor.new_secret is None
            and sum(len(value) for _, value in key) <= LONGEST_KEY
            and not any(_has_session(name, value) for name, value in key)
        ):
            if len(self._guests) >= MOST_CACHED_GUESTS:
                self._guests.clear()
            self._guests[key] = choices, visitor
        return visitor


def _has_session(name: bytes, value: bytes) -> bool:
    """Return whether a header carries a session, valid or not: this process may not know its key yet."""
    return SESSION_COOKIE.encode() in value if name == b"cookie" else name == b"authorization" and b"." in value


class JsonApi:
    """The ASGI application of all paths below `/api/`."""

    def __init__(self, app: Starlette, groups: tuple[Endpoints, ...], limiter: Limiter, metrics: Metrics) -> None:
        self._app, self._limiter, self._metrics = app, limiter, metrics
        self._visitors = VisitorCache(app)
        self._hosts = Hosts(limiter.settings.hosts)
        own = Endpoints("", "about")
        own.get(OPENAPI, "This description", returns=dict[str, Any])(self._openapi)
        self.endpoints = [endpoint for group in (own, *groups) for endpoint in group.all]
        self._root = _Node()
        for endpoint in self.endpoints:
            self._root.add(endpoint.path.removeprefix(PREFIX).split("/"), endpoint)
        self._description: bytes | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        began, status, route = time.perf_counter(), 500, "other"
        visitor: Visitor | None = None
        headers = [_JSON]
        try:
            try:
                if not self._hosts.allows(scope):
                    raise WrongHost
                refusal = refusal_of(scope)
                if refusal is not None:
                    raise refusal
                endpoint, values = self._find(scope)
                route = endpoint.path
                cost = 1.0 if endpoint.is_small else self._limiter.cost_of(route, endpoint.writes)
                self._limiter.check(scope, endpoint.writes, endpoint.opens_table, cost)
                if Visitor in endpoint.special:
                    visitor = await self._visitors.visitor_of(scope, self._app.state.services)
                work = self._call(endpoint, values, scope, receive, visitor)
                if endpoint.is_small:
                    content = await work
                else:
                    content = await self._metered(work, scope, endpoint, cost)
                status = endpoint.status
                if status == 204:
                    headers, content = [], b""
            except Exception as error:
                if isinstance(error, TooOften) and await self._limiter.delay(scope):
                    status, content = error.status, b""
                    headers = [(b"retry-after", b"%d" % error.wait), (b"connection", b"close")]
                else:
                    status, content = await self._refusal(scope, error, route, visitor)
                    if isinstance(error, TooOften):
                        headers = [_JSON, (b"retry-after", b"%d" % error.wait)]
            headers += [(b"content-length", b"%d" % len(content)), *standing_headers(scope["scheme"] == "https")]
            await send({"type": "http.response.start", "status": status, "headers": headers})
            await send({"type": "http.response.body", "body": content})
        finally:
            self._metrics.record_request(scope["method"], route, status, time.perf_counter() - began)

    async def _metered(self, work: Coroutine[Any, Any, bytes], scope: Scope, endpoint: Endpoint, cost: float) -> bytes:
        meter = Meter()
        try:
            return await metered(work, meter, self._limiter.turns, address_of(scope))
        finally:
            self._limiter.settle(scope, endpoint.path, endpoint.writes, cost, meter.seconds)

    async def _call(
        self, endpoint: Endpoint, values: dict[str, str], scope: Scope, receive: Receive, visitor: Visitor | None
    ) -> bytes:
        """Return the answer of an endpoint as JSON."""
        services, special = cast(Services, self._app.state.services), endpoint.special
        arguments = endpoint.path_arguments(values) if values else {}
        if visitor is not None:
            arguments[special[Visitor]] = visitor
        if endpoint.decode is not None:
            content = await _read_body(receive)
            try:
                arguments["body"] = endpoint.decode(content)
            except ValueError as error:
                raise bad_request(error) from None
        if endpoint.queries and scope["query_string"]:
            arguments |= endpoint.query(scope["query_string"])
        if Services in special:
            arguments[special[Services]] = services
        if Request in special:
            arguments[special[Request]] = Request({**scope, "app": self._app})
        if Table in special:
            arguments[special[Table]] = await services.tables.get(arguments[special[Table]])
        result = await endpoint.function(**arguments)
        return result if type(result) is bytes else _encode(result)

    def _find(self, scope: Scope) -> tuple[Endpoint, dict[str, str]]:
        """Return the endpoint of a request and the parts of its path that are parameters; raise NoSuchPage."""
        node, values = self._root, {}
        for part in scope["path"][len(PREFIX) :].split("/"):
            child = node.children.get(part)
            if child is None:
                if node.parameter is None or not part:
                    raise NoSuchPage(404)
                name, child = node.parameter
                values[name] = part
            node = child
        endpoint = node.endpoints.get(scope["method"])
        if endpoint is None:
            raise NoSuchPage(405 if node.endpoints else 404)
        return endpoint, values

    async def _refusal(self, scope: Scope, error: Exception, route: str, visitor: Visitor | None) -> tuple[int, bytes]:
        """Return the status of an error and its sentence in the reader's language."""
        phrase: Phrase
        if isinstance(error, MaleconError):
            status = 404 if isinstance(error, UnknownGame) else int(getattr(error, "status", 400))
            phrase = error.phrase
        else:
            log.error("%s %s", scope["method"], route, exc_info=error)
            status, phrase = 500, BROKEN
        connection = HTTPConnection({**scope, "app": self._app})
        language = language_of(connection, Choices()) if visitor is None else visitor.language
        if visitor is None and status not in (TooOften.status, Unavailable.status):
            with suppress(MaleconError):  # else the browser's language is all that is known
                language = (await self._visitors.visitor_of(scope, self._app.state.services)).language
        return status, _encode(Problem(sentence(phrase, language)))

    # --- the description

    async def _openapi(self) -> bytes:
        if self._description is None:
            self._description = _encode(self.openapi())
        return self._description

    def openapi(self) -> dict[str, Any]:
        """Return the description of all endpoints as OpenAPI has it."""
        kinds = [kind for endpoint in self.endpoints for kind in (endpoint.body, *endpoint.answers) if kind is not None]
        schemas, components = msgspec.json.schema_components(
            [*kinds, Problem], ref_template="#/components/schemas/{name}"
        )
        left = iter(schemas)
        paths: dict[str, dict[str, Any]] = {}
        for endpoint in self.endpoints:
            body = next(left) if endpoint.body is not None else None
            answers = [next(left) for _ in endpoint.answers]
            operation = _operation(endpoint, body, answers[0] if len(answers) == 1 else {"anyOf": answers})
            paths.setdefault(endpoint.path, {})[endpoint.method.lower()] = operation
        return {
            "openapi": "3.1.0",
            "info": {
                "title": "Malecón",
                "version": __version__,
                "description": "Tables: open one, join, look, move, and follow what happens.",
            },
            "paths": paths,
            "components": {
                "schemas": components,
                "securitySchemes": {"token": {"type": "http", "scheme": "bearer"}},
            },
            "security": [{}, {"token": []}],
        }


def _operation(endpoint: Endpoint, body: Any, answer: Any) -> dict[str, Any]:
    problem = {"application/json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
    responses: dict[str, Any] = {
        str(status): {"description": description, "content": problem} for status, description in REFUSALS.items()
    }
    responses[str(endpoint.status)] = {"description": "Done."}
    if endpoint.answers:
        responses[str(endpoint.status)]["content"] = {"application/json": {"schema": answer}}
    parameters: list[dict[str, Any]] = [
        {
            "name": part[1:-1],
            "in": "path",
            "required": True,
            "schema": {"type": "integer", "minimum": 0} if part[1:-1] in endpoint.numbers else {"type": "string"},
        }
        for part in endpoint.path.split("/")
        if part.startswith("{")
    ]
    for name, kind in endpoint.query_kinds.items():
        parameters.append({"name": name, "in": "query", "required": False, "schema": msgspec.json.schema(kind)})
    operation: dict[str, Any] = {
        "tags": [endpoint.tag],
        "summary": endpoint.summary,
        "operationId": getattr(endpoint.function, "__name__", endpoint.summary).strip("_"),
        "parameters": parameters,
        "responses": responses,
    }
    description = inspect.getdoc(endpoint.function)
    if description:
        operation["description"] = description
    if body is not None:
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": body}}}
    return operation


async def _read_body(receive: Receive) -> bytes:
    """Return the body of a request; raise TooLarge, whatever its header says, if it is longer than allowed."""
    message = await receive()
    body: bytes = message.get("body", b"")
    while message.get("more_body"):
        message = await receive()
        body += message.get("body", b"")
        if len(body) > LARGEST_BODY_BYTES:
            break
    if len(body) > LARGEST_BODY_BYTES:
        raise TooLarge(say("the request is too large"))
    return body
