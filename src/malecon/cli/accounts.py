"""Commands for the accounts of a server: setup, account list, add, reset, moderator. The server may run meanwhile."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from malecon.cli.serving import Config, Data, Database, database_address, read
from malecon.cli.shared import app, out

if TYPE_CHECKING:
    from malecon.server.accounts.accounts import Account, Accounts
    from malecon.server.storage.store import Storage

accounts_app = typer.Typer(help="The accounts of a server: list, add, reset, moderator.", no_args_is_help=True)
app.add_typer(accounts_app, name="account")
Name = Annotated[str, typer.Argument(help="The name of the account.")]


@contextmanager
def _storage(data: Data, database: Database, config: Config) -> Iterator[Storage]:
    from malecon.server.storage.store import Storage

    storage = Storage(database_address(data, database, config))
    try:
        yield storage
    finally:
        storage.close()


def _accounts(storage: Storage) -> Accounts:
    from malecon.server.accounts.accounts import Accounts

    return Accounts(storage)


def _find(storage: Storage, name: str) -> Account:
    account = _accounts(storage).find(name)
    if account is None:
        raise typer.BadParameter(f"nobody has the name {name!r}; see: malecon account list", param_hint="'NAME'")
    return account


def _record(storage: Storage, what: str, account: Account) -> None:
    from malecon.server.moderation.acts import Acts

    Acts(storage).record(None, what, account.person, account.name)


@app.command(epilog='Example: `malecon setup --name Ana --site "Chess Club" --data club`')
def setup(
    name: Annotated[str | None, typer.Option(help="Your name; asked for if it is not given.")] = None,
    site: Annotated[str | None, typer.Option(help="The name of the site.", show_default="Malecón")] = None,
    data: Data = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Create the host's account, a moderator. The password is asked for, or read from standard input."""
    from malecon.server.accounts.setup import ServerSetup
    from malecon.server.moderation.site import Site

    with _storage(data, database, config) as storage:
        if ServerSetup(storage).is_done():
            raise typer.BadParameter("there is a moderator already; add others with: malecon account moderator NAME")
        chosen = name or typer.prompt("Your name")
        account, _ = asyncio.run(_accounts(storage).register("", chosen, _password(), is_moderator=True))
        ServerSetup(storage).finish()
        _record(storage, "setup", account)
        if site is not None:
            Site(storage).change(name=site)
    out.print(f"{account.name} is the moderator: log in and open /host.", markup=False, highlight=False)


def _password() -> str:
    """Return a password that is typed twice, or the first line of standard input if nobody types there."""
    if sys.stdin.isatty():
        return str(typer.prompt("Password", hide_input=True, confirmation_prompt=True))
    return sys.stdin.readline().rstrip("\n")


@accounts_app.command("list", epilog="Example: `malecon account list --search an`")
def list_accounts(
    search: Annotated[str, typer.Option(help="Only names with this in them.")] = "",
    data: Data = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Print the accounts: when each was last used, whether it moderates, whether it is muted or banned."""
    from malecon.server.moderation.people import People

    with _storage(data, database, config) as storage:
        for person in People(storage).search(search, most=100_000):
            marks = [mark for mark in ("moderator" if person.is_moderator else "", person.sanction or "") if mark]
            seen = datetime.fromtimestamp(person.seen, UTC).strftime("%Y-%m-%d") if person.seen else "never"
            out.print(
                f"{person.name:<40} last seen {seen:<10}  {', '.join(marks)}".rstrip(), markup=False, highlight=False
            )


@accounts_app.command("add", epilog="Example: `malecon account add Bea --moderator`")
def add(
    name: Name,
    moderator: Annotated[bool, typer.Option("--moderator", help="Let the account moderate.")] = False,
    data: Data = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Create an account, and print a code with which its owner chooses a password within a day."""
    from malecon.server.accounts.recovery import Recovery

    with _storage(data, database, config) as storage:
        accounts = _accounts(storage)
        account, _ = asyncio.run(accounts.register("", name, None, is_moderator=moderator))
        _record(storage, "added", account)
        _print_code(account, Recovery(storage, accounts).make_reset_code(account.person), config)


@accounts_app.command("reset", epilog="Example: `malecon account reset Bea`")
def reset(name: Name, data: Data = None, database: Database = None, config: Config = None) -> None:
    """Print a code with which the owner of an account chooses a new password within a day."""
    from malecon.server.accounts.recovery import Recovery

    with _storage(data, database, config) as storage:
        account = _find(storage, name)
        _record(storage, "reset", account)
        _print_code(account, Recovery(storage, _accounts(storage)).make_reset_code(account.person), config)


@accounts_app.command("moderator", epilog="Example: `malecon account moderator Bea`")
def moderator(
    name: Name,
    remove: Annotated[bool, typer.Option("--remove", help="Let the account moderate no more.")] = False,
    data: Data = None,
    database: Database = None,
    config: Config = None,
) -> None:
    """Let an account moderate, or no more."""
    with _storage(data, database, config) as storage:
        account = _find(storage, name)
        _accounts(storage).set_moderator(account, not remove)
        _record(storage, "no_moderator" if remove else "moderator", account)
    verb = "moderates no more" if remove else "is a moderator"
    out.print(f"{account.name} {verb}.", markup=False, highlight=False)


def _print_code(account: Account, code: str, config: Config) -> None:
    address = read(config=config).settings.public_address
    where = f"{address}/account/recover"
    text = f"{account.name} can choose a password at {where} with the code {code}"
    out.print(text, markup=False, highlight=False, soft_wrap=True)
