"""Commands for the server and its host: serve, config, example, think, backup, restore, rescue, new-key, doctor."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from malecon.cli.shared import app, out

if TYPE_CHECKING:
    from malecon.server.operations.settings import ReadSettings

Data = Annotated[Path | None, typer.Option(help="The folder where games are kept.", show_default=False)]
Database = Annotated[
    str | None,
    typer.Option(help="A database instead of a folder: postgresql://user@host/name", show_default=False),
]
Config = Annotated[
    Path | None,
    typer.Option(help="The file with the settings; see `malecon config`.", show_default=False),
]


def read(
    data: Path | None = None, database: str | None = None, config: Path | None = None, **chosen: str | int | None
) -> ReadSettings:
    """Return the settings that hold: a folder or a database on the command line replaces either elsewhere."""
    from malecon.server.operations.settings import read_settings

    if data is not None and database is not None:
        raise typer.BadParameter("games are kept in a folder or in a database, not both", param_hint="'--data'")
    places: dict[str, str | None] = {"data": None if data is None else str(data), "database": database}
    if data is not None:
        places["database"] = ""
    return read_settings(file=config, command_line=places | chosen)


def database_address(data: Path | None, database: str | None, config: Path | None = None) -> str:
    """Return the address of the database that these options and the settings name."""
    from malecon.server.storage.database import address_of
    from malecon.server.web.serve import place_of

    place = place_of(read(data, database, config).settings)
    return place if isinstance(place, str) else address_of(place)


@app.command(epilog="Example: `malecon serve --port 8080 --no-browser --data club`")
def serve(
    port: Annotated[int | None, typer.Option(help="The port; a free one if none is given.", show_default=False)] = None,
    browser: Annotated[bool, typer.Option(help="Open the browser.")] = True,
    data: Data = None,
    database: Database = None,
    host: Annotated[
        str | None,
        typer.Option(help="The address to listen at; others than this machine's are open.", show_default="127.0.0.1"),
    ] = None,
    proxy: Annotated[
        str | None,
        typer.Option(
            help="The address or network of the proxy, if it is not on this machine: it says who asks.",
            show_default=False,
        ),
    ] = None,
    log: Annotated[
        str | None, typer.Option(help="`json`: log every request as a line of JSON.", show_default="plain")
    ] = None,
    config: Config = None,
) -> None:
    """Open the table in the browser: on this machine only, unless told otherwise."""
    from malecon.server.web.serve import run

    settings = read(data, database, config, port=port, host=host, proxy=proxy, log=log)
    run(settings, browser, _print_address)


def _print_address(address: str) -> None:
    out.print(f"The table is laid: {address}", highlight=False)
    sys.stdout.flush()  # also where it goes into a file or to another program


@app.command("config", epilog="Example: `malecon config --config /etc/malecon/malecon.toml`")
def show_config(config: Config = None) -> None:
    """Print all settings, what holds, and where it comes from: a file, an environment variable, or the default."""
    for name, value, source in read(config=config).lines():
        shown = value if value.isdigit() else f'"{value}"'
        out.print(f"{f'{name} = {shown}':<40} # {source}", markup=False, highlight=False, soft_wrap=True)


@app.command("example", epilog="Example: `malecon example nginx > /etc/nginx/conf.d/malecon.conf`")
def show_example(
    program: Annotated[str, typer.Argument(help="systemd, nginx or caddy.")],
    config: Config = None,
) -> None:
    """Print a file that works for systemd, nginx or Caddy, with the first of your `hosts` in it."""
    from malecon.server.operations.examples import FILES, example

    if program not in FILES:
        raise typer.BadParameter(f"choose from: {', '.join(FILES)}", param_hint="'PROGRAM'")
    sys.stdout.write(example(program, read(config=config).settings.first_host))


@app.command(epilog="Example: `malecon think --database postgresql://malecon@games.example/malecon`")
def think(
    database: Database = None,
    threads: Annotated[
        int | None, typer.Option(min=1, max=256, help="Bots that think at once; as many as processors.")
    ] = None,
    memory: Annotated[int, typer.Option(min=1, help="Megabytes for what bots remember between moves.")] = 800,
) -> None:
    """Think for the bots of all servers on a PostgreSQL, on this machine or another; as many of these as you like."""
    import os
    import signal

    from malecon.server.workers.worker import BotWorker, prepare

    settings = read(database=database).settings
    if not settings.database:
        raise typer.BadParameter("name the servers' PostgreSQL", param_hint="'--database'")
    count = threads or os.cpu_count() or 1
    worker = BotWorker(settings.database, count, memory * 1_000_000)
    prepare()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: worker.stop())
    worker.begin()
    out.print(f"Thinking in {count} threads.", highlight=False)
    sys.stdout.flush()
    worker.wait()


@app.command(epilog="Example: `malecon backup monday.zip --data club`")
def backup(
    file: Annotated[Path, typer.Argument(help="The file to write, or with --keep the folder.")],
    data: Data = None,
    database: Database = None,
    keep: Annotated[
        int | None, typer.Option(min=1, help="Write into a folder, and keep so many backups there.", show_default=False)
    ] = None,
) -> None:
    """Keep all games and people in one file, also while the server runs; it fits SQLite and PostgreSQL alike."""
    from malecon.server.operations.scheduled_backups import back_up_into
    from malecon.server.storage.recovery import backup as backups

    address = database_address(data, database)
    path = back_up_into(address, file, keep) if keep else file
    _print_backup(path, "holds", (backups.check(path) if keep else backups.back_up(address, path)).rows)


@app.command(epilog="Example: `malecon restore monday.zip --database postgresql://malecon@localhost/malecon`")
def restore(
    file: Annotated[Path, typer.Argument(help="A backup.")], data: Data = None, database: Database = None
) -> None:
    """Lay a backup into an empty folder or database; the server must not run."""
    from malecon.server.storage.recovery import backup as backups

    _print_backup(file, "gave back", backups.restore(file, database_address(data, database)).rows)


@app.command(epilog="Example: `malecon rescue club saved`")
def rescue(
    source: Annotated[Path, typer.Argument(help="The folder with the damaged database; it is only read.")],
    target: Annotated[Path, typer.Argument(help="A new folder for what can be saved.")],
) -> None:
    """Save what can be read of a damaged SQLite database; the server must not run."""
    from malecon.server.storage.recovery import rescue as rescuing

    saved = rescuing.rescue(source, target)
    counts = ", ".join(f"{count} {name}" for name, count in saved.rows.items() if count)
    summary = f"{target} has {counts}; {saved.from_shadow_log} of the moves were only in the shadow log"
    out.print(summary, markup=False, soft_wrap=True)
    if saved.damaged:
        damaged = ", ".join(saved.damaged)
        out.print(f"not everything could be read of: {damaged}", markup=False, highlight=False, soft_wrap=True)
    for names, what in ((saved.cut, "end earlier than they did"), (saved.lost, "could not be saved")):
        if names:
            out.print(f"{len(names)} games {what}: {', '.join(names)}", markup=False, soft_wrap=True)


def _print_backup(file: Path, verb: str, rows: dict[str, int]) -> None:
    counts = ", ".join(f"{count} {name}" for name, count in rows.items())
    out.print(f"{file} {verb} {counts}; all of it checked", markup=False, highlight=False, soft_wrap=True)


@app.command("new-key", epilog="Example: `malecon new-key --forget --data club`")
def new_key(
    forget: Annotated[bool, typer.Option("--forget", help="Believe no older key: everybody is logged out.")] = False,
    data: Data = None,
    database: Database = None,
) -> None:
    """Sign sessions with a new key, also while the server runs; those of the key before go on."""
    from malecon.server.accounts.sessions import Sessions
    from malecon.server.storage.store import Storage

    storage = Storage(database_address(data, database))
    Sessions(storage).new_key(forget)
    storage.close()
    out.print("Everybody is logged out." if forget else "Sessions are signed with a new key.", highlight=False)


@app.command(epilog="Example: `malecon doctor --data club`")
def doctor(data: Data = None, database: Database = None) -> None:
    """Check this installation: exit code 0 if it can serve, 1 with what to do if not."""
    from malecon.server.operations import doctor as doctors

    worst = 0
    for finding in doctors.examine(database_address(data, database)):
        style = {"ok": "green", "note": "yellow", "bad": "red"}[finding.state]
        out.print(f"[{style}]{finding.state:<4}[/] ", end="", highlight=False)
        out.print(f"{finding.subject}: {finding.text}", markup=False, highlight=False, soft_wrap=True)
        worst = max(worst, int(finding.state == "bad"))
    raise typer.Exit(worst)
