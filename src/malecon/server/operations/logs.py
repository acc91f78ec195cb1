"""The log of a server process: lines of text or of JSON on standard error, each with its time, level and request."""

from __future__ import annotations

import json
import logging
import re
import secrets
import time
from contextvars import ContextVar
from typing import Any

access = logging.getLogger("malecon.access")
#: The identifier of the request that is being answered.
request_id: ContextVar[str] = ContextVar("request_id", default="")
_GIVEN_ID = re.compile(rb"[A-Za-z0-9._-]{8,64}")


def id_of_request(headers: list[tuple[bytes, bytes]]) -> str:
    """Return the identifier that a proxy has given in `X-Request-Id`, if it can stand in a log, else a new one."""
    for name, value in headers:
        if name == b"x-request-id" and _GIVEN_ID.fullmatch(value):
            return value.decode()
    return secrets.token_hex(8)


def _time(record: logging.LogRecord) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created)) + f".{record.msecs:03.0f}Z"


class JsonLines(logging.Formatter):
    """Formats every record as one line of JSON."""

    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if request_id.get():
            line["request"] = request_id.get()
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        return json.dumps(line, ensure_ascii=False)


class PlainLines(logging.Formatter):
    """Formats every record as a line of text; a traceback follows on lines of its own."""

    def format(self, record: logging.LogRecord) -> str:
        message = record.getMessage()
        if record.name == access.name:
            message += f" {record.fields['ms']} ms"  # type: ignore[attr-defined]
        request = f" [{request_id.get()}]" if request_id.get() else ""
        line = f"{_time(record)} {record.levelname.lower()}: {message}{request}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def set_up(form: str, level: str) -> None:
    """Write every log of this process to standard error, from this level on.

    Requests are logged at `info`; in a log for people they would hide what matters, so they are there at `debug` only.
    """
    handler = logging.StreamHandler()
    handler.setFormatter(JsonLines() if form == "json" else PlainLines())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    logging.getLogger("alembic").setLevel(logging.WARNING)  # it tells each step of an upgrade, twice
    for name in ("uvicorn", "uvicorn.error"):
        logging.getLogger(name).setLevel(logging.WARNING)
    access.disabled = form != "json" and level != "debug"
