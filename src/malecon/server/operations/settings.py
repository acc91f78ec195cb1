"""The settings of a server: what they are, where they come from, and what holds.

`ServerSettings` is the one description of them all. A value comes from the command line, else from an environment
variable (`MALECON_` and the name in capitals), else from a TOML file, else it is the default. An unknown name is an
error: a misspelt limit would not limit anything.
"""

from __future__ import annotations

import difflib
import ipaddress
import os
import tomllib
from collections.abc import Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from malecon.kernel.errors import BadSetup
from malecon.kernel.phrases import say

PREFIX = "MALECON_"
Networks = tuple[ipaddress.IPv4Network | ipaddress.IPv6Network, ...]
#: The variable that names the file, and the name of the file in the places where it is looked for.
FILE_VARIABLE = "MALECON_CONFIG"
FILE_NAME = "malecon.toml"
SYSTEM_FOLDER = Path("/etc/malecon")
DESTINATIONS = ("off", "public", "any")
LOG_FORMATS = ("plain", "json")
LOG_LEVELS = ("debug", "info", "warning", "error")
MAIL_SECURITY = ("starttls", "tls", "none")
#: Where a value may come from.
DEFAULT, COMMAND_LINE = "default", "command line"
#: Names that there were once, and what to do instead.
_REPLACED = {"moderators": "malecon account moderator NAME", "site": "MALECON_HOSTS"}
#: The largest number, which every database and every timer can hold.
_MOST = 999_999_999
_HIDDEN = "(hidden)"


def _setting(
    default: Any, group: str, text: str, *, choices: tuple[str, ...] = (), secret: bool = False, check: str = ""
) -> Any:
    about = {"group": group, "text": text, "choices": choices, "secret": secret, "check": check}
    return field(default=default, metadata=about, repr=not secret)


@dataclass(frozen=True)
class ServerSettings:
    """Everything a host may set. For a limit, 0 means that there is none."""

    # where it listens, and what it stores where
    host: str = _setting("127.0.0.1", "server", "the address to listen at; `0.0.0.0`: all networks of this machine")
    port: int = _setting(
        8000, "server", "the port; unless it is set, the next free one is taken if this is in use; 0: any free one"
    )
    hosts: str = _setting(
        "",
        "server",
        "names the server answers to, separated by commas, such as `games.example`; empty: on 127.0.0.1 without a "
        "proxy only local names, otherwise any",
        check="names",
    )
    proxy: str = _setting(
        "",
        "server",
        "addresses or networks of proxies that are trusted to name the client, separated by commas; this machine "
        "always is",
        check="networks",
    )
    address: str = _setting(
        "",
        "server",
        "the address people use, for links in e-mails; empty: `https://` and the first of `hosts`",
        check="address",
    )
    data: str = _setting("", "server", "the folder of the games (SQLite); empty: your user data folder")
    database: str = _setting("", "server", "a PostgreSQL database instead: `postgresql://user@host/name`", secret=True)
    memory: int = _setting(
        0,
        "server",
        "megabytes for caches: bots’ trees, tables at rest, analyses, whole replays; the oldest are dropped first. 0: "
        "800, or less if the machine or container has less than 1.5 GB. The program itself needs about 250 MB more",
    )
    cache_dir: str = _setting("", "server", "the folder of compiled code; empty: your user cache folder")
    compile: str = _setting("", "server", "`now`: compile before the first move", choices=("", "now"))
    log: str = _setting("plain", "server", "the form of the log", choices=LOG_FORMATS)
    log_level: str = _setting(
        "info", "server", "the least that is logged; requests are logged at `info` if the log is JSON, else at `debug`",
        choices=LOG_LEVELS,
    )  # fmt: skip
    metrics_token: str = _setting(
        "", "server", "a bearer token for `/metrics`; empty: only programs on this machine may read it", secret=True
    )

    # what one client may do
    requests: int = _setting(
        2400,
        "limits",
        "requests per minute and address. One that takes more than 5 ms of processor time counts for more, as "
        "measured; so an address gets at most a fifth of a processor. At most a twentieth of them at once; files have "
        "a limit five times as high",
    )
    writes: int = _setting(300, "limits", "requests that change something, per minute and address")
    connections: int = _setting(250, "limits", "simultaneous connections per address")
    sockets: int = _setting(
        120, "limits", "simultaneous live connections per address; a table with other people takes two"
    )
    tables: int = _setting(60, "limits", "tables opened per hour and address")
    open_tables: int = _setting(200, "limits", "unfinished tables per person with any activity in the last two weeks")
    thought: int = _setting(
        3600,
        "limits",
        "seconds per hour that bots think for one person’s tables, hints and reviews; after that their bots wait, and "
        "hints and reviews are refused",
    )
    address_thought: int = _setting(
        5400,
        "limits",
        "the same for all the people who opened their latest table from one address (as far as this process knows)",
    )
    messages: int = _setting(
        20, "limits", "things said per minute and person, a third of them at once; three times as many per address"
    )
    logins: int = _setting(
        10,
        "limits",
        "failed attempts to log in per ten minutes and address; five times as many per name",
    )
    registrations: int = _setting(30, "limits", "accounts registered per hour and address")
    shared_networks: str = _setting(
        "",
        "limits",
        "addresses or networks behind which many people are, separated by commas: a school, a club",
        check="networks",
    )
    shared_people: int = _setting(
        40, "limits", "for how many people an address of `shared_networks` stands: its limits are that much higher"
    )

    # messages to people
    hooks: str = _setting(
        "off",
        "messages",
        "`public`: players with an account may have their turns posted to public addresses; `any`: to this network as "
        "well",
        choices=DESTINATIONS,
    )
    push: str = _setting(
        "public",
        "messages",
        "`public`: notifications go out through public push services, over https only; `off`: none; `any`: through "
        "any service, also on this network",
        choices=DESTINATIONS,
    )
    contact: str = _setting(
        "",
        "messages",
        "how push services can reach you, such as `mailto:you@example.org`; empty: `https://` and the first of `hosts`",
    )
    smtp_host: str = _setting("", "messages", "the mail server; empty: no e-mail is sent")
    smtp_port: int = _setting(587, "messages", "its port")
    smtp_security: str = _setting("starttls", "messages", "how the connection is encrypted", choices=MAIL_SECURITY)
    smtp_user: str = _setting("", "messages", "the user there; empty: no log-in")
    smtp_password: str = _setting("", "messages", "the user’s password", secret=True)
    mail_from: str = _setting(
        "", "messages", "the sender of e-mails; empty: `malecon@` and the first of `hosts`", check="mail"
    )

    # log-in by another service
    oidc_issuer: str = _setting(
        "", "log-in", "an OpenID Connect provider, such as `https://id.example/realms/club`; empty: none",
        check="address",
    )  # fmt: skip
    oidc_client: str = _setting("", "log-in", "the client’s identifier at the provider")
    oidc_secret: str = _setting("", "log-in", "the client’s secret", secret=True)
    oidc_name: str = _setting("", "log-in", "what the button calls the provider; empty: the issuer’s host name")

    # what is kept, and for how long
    backup_folder: str = _setting("", "storage", "the folder of scheduled backups; empty: none are made")
    backup_hours: int = _setting(24, "storage", "hours between two of them")
    backup_keep: int = _setting(14, "storage", "how many of them are kept")
    guest_days: int = _setting(
        365, "storage", "days after which the choices of guests without games, and their devices, are deleted"
    )
    table_days: int = _setting(0, "storage", "days after which unfinished tables of guests without changes are deleted")
    act_days: int = _setting(365, "storage", "days for which the log of moderators’ acts is kept")

    @property
    def how_to_reach(self) -> str:
        """The contact that push services are given; some of them refuse messages without one."""
        return self.contact or f"https://{self.first_host or 'localhost'}"

    @property
    def first_host(self) -> str:
        return self.hosts.partition(",")[0].strip()

    @property
    def public_address(self) -> str:
        """The address that people use, without a slash at its end; empty if it is not known."""
        return self.address.rstrip("/") or (f"https://{self.first_host}" if self.first_host else "")

    @property
    def mail_sender(self) -> str:
        return self.mail_from or f"malecon@{self.first_host or 'localhost'}"

    @property
    def memory_megabytes(self) -> int:
        """The memory budget: as set, else as much as this machine or container can spare."""
        from malecon.server.operations.memory import default_budget

        return self.memory or default_budget()

    @cached_property
    def shared(self) -> Networks:
        return _networks(self.shared_networks)

    @property
    def proxies(self) -> Networks:
        return _networks(self.proxy)

    @classmethod
    def of(cls, environment: Mapping[str, str] = os.environ) -> ServerSettings:
        """Return the settings of an environment alone; raise BadSetup if one of them is not valid."""
        return read_settings(environment, look_for_file=False).settings


@dataclass(frozen=True)
class ReadSettings:
    """Settings, and where each of them comes from: the default, a file, a variable, or the command line."""

    settings: ServerSettings
    sources: dict[str, str]

    def lines(self) -> list[tuple[str, str, str]]:
        """Return name, value and source of every setting; secrets are hidden."""
        values = ((about, getattr(self.settings, about.name)) for about in fields(ServerSettings))
        return [(about.name, _shown(about, value), self.sources[about.name]) for about, value in values]


def read_settings(
    environment: Mapping[str, str] = os.environ,
    file: Path | None = None,
    look_for_file: bool = True,
    command_line: Mapping[str, Any] | None = None,
) -> ReadSettings:
    """Return what holds; raise BadSetup for an unknown name or a value that is not valid.

    Without `file`, the variable MALECON_CONFIG names one, else one in the usual places is read if it is there.
    """
    values: dict[str, Any] = {}
    sources = dict.fromkeys(_FIELDS, DEFAULT)
    path = file or _named_file(environment) or (_usual_file() if look_for_file else None)
    if path is not None:
        for name, value in _read_file(path).items():
            about = _known(name, name, str(path))
            values[name], sources[name] = _checked(about, name, value), str(path)
    for variable, text in environment.items():
        if variable.startswith(PREFIX) and variable != FILE_VARIABLE:
            name = variable.removeprefix(PREFIX).lower()
            about = _known(name, variable, "")
            if text.strip():
                values[name], sources[name] = _checked(about, variable, _number(about, text.strip())), variable
    for name, value in (command_line or {}).items():
        if value is not None:
            option = "--" + name.replace("_", "-")
            values[name], sources[name] = _checked(_FIELDS[name], option, value), COMMAND_LINE
    return ReadSettings(ServerSettings(**values), sources)


def _named_file(environment: Mapping[str, str]) -> Path | None:
    named = environment.get(FILE_VARIABLE, "").strip()
    return Path(named) if named else None


def _usual_file() -> Path | None:
    from platformdirs import user_config_path

    places = (user_config_path("malecon") / FILE_NAME, SYSTEM_FOLDER / FILE_NAME)
    return next((path for path in places if path.is_file()), None)


def _read_file(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        problem = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise BadSetup(say("{file} cannot be read: {problem}", file=str(path), problem=problem)) from None
    except tomllib.TOMLDecodeError as error:
        raise BadSetup(say("{file} cannot be read: {problem}", file=str(path), problem=str(error))) from None


def _known(name: str, shown: str, where: str) -> Field[Any]:
    """Return the description of a setting; raise BadSetup with the nearest name if there is none."""
    if name in _FIELDS:
        return _FIELDS[name]
    if name in _REPLACED:
        raise BadSetup(say("there is no setting {name} any more; use {better}", name=shown, better=_REPLACED[name]))
    nearest = difflib.get_close_matches(name, _FIELDS, 1, 0.0)[0]
    better = nearest if where else PREFIX + nearest.upper()
    raise BadSetup(say("there is no setting {name}; did you mean {better}?", name=shown[:60], better=better))


def _number(about: Field[Any], text: str) -> Any:
    """Return a text of the environment as a number if that is what the setting is, and what it says."""
    is_number = text.isascii() and text.isdigit() and len(text) <= len(str(_MOST))
    return int(text) if type(about.default) is int and is_number else text


def _checked(about: Field[Any], shown: str, value: Any) -> Any:
    """Return a value; raise BadSetup with what it may be if it is not valid."""
    if isinstance(about.default, int):
        if type(value) is not int or not 0 <= value <= _MOST:
            raise _bad(shown, value, "0, 1, 2…", about)
        return value
    if type(value) is not str or (about.metadata["choices"] and value not in about.metadata["choices"]):
        raise _bad(shown, value, ", ".join(filter(None, about.metadata["choices"])) or "“…”", about)
    example = _CHECKS[about.metadata["check"]](value) if about.metadata["check"] else None
    if example is not None:
        raise _bad(shown, value, example, about)
    return value


def _bad(name: str, value: Any, known: str, about: Field[Any]) -> BadSetup:
    shown = _HIDDEN if about.metadata["secret"] else repr(value)[:40]
    return BadSetup(say("{name} cannot be {value}; choose from: {known}", name=name, value=shown, known=known))


def _parts(text: str) -> list[str]:
    return [part.strip() for part in text.split(",") if part.strip()]


def _networks(text: str) -> Networks:
    return tuple(ipaddress.ip_network(part, strict=False) for part in _parts(text))


def _check_networks(text: str) -> str | None:
    """Return an example if a text is not a list of addresses and networks. All of them at once are none to trust."""
    try:
        networks = _networks(text)
    except ValueError:
        return "192.0.2.7, 172.30.42.0/24…"
    return "192.0.2.7, 172.30.42.0/24…" if any(network.prefixlen == 0 for network in networks) else None


def _check_names(text: str) -> str | None:
    is_name = all(part and not set(part) & set("/:@ *") for part in _parts(text))
    return None if is_name else "games.example, www.games.example…"


def _check_address(text: str) -> str | None:
    try:
        parts = urlsplit(text)
        is_address = parts.scheme in ("http", "https") and bool(parts.hostname) and not parts.query
    except ValueError:
        is_address = False
    return None if not text or is_address else "https://games.example"


def _check_mail(text: str) -> str | None:
    return None if not text or (text.count("@") == 1 and text.isprintable()) else "club@games.example"


_CHECKS = {"networks": _check_networks, "names": _check_names, "address": _check_address, "mail": _check_mail}
_FIELDS: dict[str, Field[Any]] = {about.name: about for about in fields(ServerSettings)}
#: Settings that the kernel reads from the environment itself.
_OF_THE_KERNEL = ("cache_dir", "compile")


def export_to_kernel(settings: ServerSettings) -> None:
    """Put what the kernel reads from the environment there, if it comes from a file."""
    for name in _OF_THE_KERNEL:
        value = getattr(settings, name)
        if value:
            os.environ.setdefault(PREFIX + name.upper(), value)


def _shown(about: Field[Any], value: Any) -> str:
    return _HIDDEN if value and about.metadata["secret"] else str(value)


def markdown_table(group: str) -> str:
    """Return the table of a group of settings for the docs."""
    rows = ["| setting | default | what it is |", "| --- | --- | --- |"]
    for about in fields(ServerSettings):
        if about.metadata["group"] == group:
            default = f"`{about.default}`" if about.default != "" else ""
            choices = [f"`{choice}`" for choice in about.metadata["choices"] if choice]
            text = about.metadata["text"]
            missing = [choice for choice in choices if choice not in text]
            if missing and len(missing) == len(choices):
                text += ": " + ", ".join(choices)
            rows.append(f"| `{about.name}` | {default} | {text} |")
    return "\n".join(rows)


GROUPS = tuple(dict.fromkeys(about.metadata["group"] for about in fields(ServerSettings)))
