"""The application: routes, guard and error pages put together. Errors are reported in the reader's language."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.staticfiles import StaticFiles
from starlette.types import Message, Receive, Scope, Send

from malecon.kernel.errors import MaleconError, UnknownGame
from malecon.kernel.phrases import Phrase, say
from malecon.server.accounts.visitors import LAYOUTS, Choices, Visitor, language_of
from malecon.server.errors import BROKEN, BadToken, Maintenance, NoSuchPage, TooOften, Unavailable
from malecon.server.operations.costs import MeteredThreads
from malecon.server.operations.limits import Limiter
from malecon.server.operations.logs import id_of_request, request_id
from malecon.server.operations.metrics import Metrics, MetricsMiddleware, route_of
from malecon.server.operations.settings import ServerSettings
from malecon.server.pages import drawings, rendering
from malecon.server.storage.database import address_of
from malecon.server.storage.store import Storage
from malecon.server.web.dependencies import visitor_of, wants_json
from malecon.server.web.guard import Guard
from malecon.server.web.json_api import PREFIX, JsonApi
from malecon.server.web.routes import (
    account,
    api,
    chat,
    dice,
    engine,
    home,
    host,
    installed,
    lobby,
    operations,
    people,
    previews,
    replay,
    table,
    tournaments,
)
from malecon.server.web.routes.teaching import analysis, ask, explorer, learn, puzzles
from malecon.server.web.services import Services
from malecon.text import sentence

log = logging.getLogger("malecon.server")


def create_app(
    place: Path | str, settings: ServerSettings | None = None, clock: Callable[[], float] = time.time
) -> FastAPI:
    """Return the server's application, which stores its data in a folder or in the database of an address.

    Without settings, those of the environment apply. Turns are timed by `clock`, in seconds since 1970.
    """
    metrics = Metrics()
    limiter = Limiter(settings or ServerSettings.of())
    storage = Storage(place if isinstance(place, str) else address_of(place))

    @asynccontextmanager
    async def lifespan(app: FastAPI) -> AsyncIterator[None]:
        asyncio.get_running_loop().set_default_executor(MeteredThreads())
        app.state.services = Services(storage, metrics, limiter, clock)
        app.state.services.open()
        if getattr(app.state, "asks_for_setup", False):
            await asyncio.to_thread(_log_setup_code, app.state.services)
        yield
        await app.state.services.close()

    app = _Application(
        lifespan=lifespan,
        docs_url=None,  # they would load scripts from other sites
        redoc_url=None,
        openapi_url=None,  # `JsonApi` describes the interface
    )
    routed = (
        api,
        table,
        chat,
        home,
        lobby,
        people,
        host,
        installed,
        replay,
        dice,
        engine,
        previews,
        puzzles,
        learn,
        analysis,
        explorer,
        ask,
        tournaments,
        operations,
    )
    for router in (*(module.router for module in routed), account.pages):
        app.include_router(router)
        limiter.costs.add_routes(route.path for route in router.routes if isinstance(route, Route))
    app.add_api_route("/drawing.css", _drawing_style, include_in_schema=False)
    app.mount("/static", StaticFiles(directory=rendering.STATIC), name="static")
    limiter.costs.add_routes(route.path for route in app.routes if isinstance(route, Route))
    app.add_middleware(Guard, refuse=refuse, limiter=limiter)
    app.add_middleware(MetricsMiddleware, metrics=metrics)
    app.add_exception_handler(MaleconError, _on_refusal)
    app.add_exception_handler(HTTPException, _on_http_error)
    app.add_exception_handler(RequestValidationError, _on_bad_request)
    app.add_exception_handler(Exception, _on_crash)
    app.json_api = JsonApi(app, (api.api, account.api, lobby.api, chat.api, tournaments.api), limiter, metrics)
    return app


#: What everybody reaches while the site is closed: files, health, the host's texts, and logging in.
OPEN_DURING_MAINTENANCE = (
    *("/static/", "/drawing.css", "/healthz", "/metrics", "/site/", "/account", "/api/session", "/setup"),
    *("/language", "/manifest.webmanifest", "/worker.js"),
)


_CLOSE = (b"connection", b"close")


class _Application(FastAPI):
    """The application: pages and live connections, and beside them the JSON interface."""

    json_api: JsonApi

    @property
    def is_serving(self) -> bool:
        """Whether connections are kept; `serve` says when the server begins to stop."""
        return not getattr(self.state, "is_stopping", False)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            if scope["type"] == "websocket" and await self._is_closed_to(scope):
                await send({"type": "websocket.close", "code": 1013})
            else:
                await super().__call__(scope, receive, send)
            return
        number = id_of_request(scope["headers"])
        request_id.set(number)
        header = b"x-request-id", number.encode()

        async def sending(message: Message) -> None:
            if message["type"] == "http.response.start":
                ending = () if self.is_serving else (_CLOSE,)
                message = {**message, "headers": [*message["headers"], header, *ending]}
            await send(message)

        if await self._is_closed_to(scope):
            response = await refuse(Request(scope), Maintenance())
            response.headers["retry-after"] = "300"
            await response(scope, receive, sending)
            return
        is_json = scope["path"].startswith(PREFIX)
        await (self.json_api if is_json else super().__call__)(scope, receive, sending)

    async def _is_closed_to(self, scope: Scope) -> bool:
        """Return whether the site is closed for maintenance, and this is not for moderators or about logging in."""
        services = getattr(self.state, "services", None)
        if services is None or not services.site.texts.maintenance:
            return False
        if scope["path"].startswith(OPEN_DURING_MAINTENANCE):
            return False
        scope.setdefault("app", self)
        try:
            visitor = await visitor_of(HTTPConnection(scope))
        except (Unavailable, BadToken):
            return True
        return not services.moderation.is_moderator(visitor)


async def _drawing_style() -> Response:
    return Response(drawings.style_sheet(), media_type="text/css", headers={"cache-control": "max-age=300"})


def _log_setup_code(services: Services) -> None:
    """Tell the host how to become the first moderator."""
    if not services.setup.is_done():
        address = services.limiter.settings.public_address
        log.warning(
            "no moderator yet: open %s/setup with the code %s, or run: malecon setup", address, services.setup.code()
        )


async def refuse(request: Request, error: Exception) -> Response:
    """Return the response to a request that is refused."""
    status = 404 if isinstance(error, UnknownGame) else int(getattr(error, "status", 400))
    phrase = error.phrase if isinstance(error, MaleconError) else BROKEN
    response = await _error_response(request, status, phrase)
    if isinstance(error, TooOften):
        response.headers["retry-after"] = str(error.wait)
    return response


async def _on_refusal(request: Request, error: Exception) -> Response:
    return await refuse(request, error)


async def _on_http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    phrase = NoSuchPage().phrase if error.status_code in (404, 405) else say("invalid request")
    return await _error_response(request, error.status_code, phrase)


async def _on_bad_request(request: Request, error: Exception) -> Response:
    assert isinstance(error, RequestValidationError)
    problem = error.errors()[0] if error.errors() else {}
    where = ".".join(str(part) for part in problem.get("loc", ())[1:])[:60]
    return await _error_response(request, 400, say("invalid request: check {field}", field=where or "-"))


async def _on_crash(request: Request, error: Exception) -> Response:
    log.error("%s %s", request.method, route_of(request.scope), exc_info=error)
    return await _error_response(request, 500, BROKEN)


async def _error_response(request: Request, status: int, phrase: Phrase) -> Response:
    visitor = Visitor("", Choices(), language_of(request, Choices()), LAYOUTS[0])
    if status not in (Unavailable.status, TooOften.status):  # else their choices cannot be read, or would cost too much
        with suppress(Unavailable, BadToken):
            visitor = await visitor_of(request)
    message = sentence(phrase, visitor.language)
    if wants_json(request):
        return JSONResponse({"error": message}, status)
    return rendering.page(request, visitor, "error.html", status, message=message)
