"""What all commands share: the application, consoles, common arguments, the progress bar."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer
from rich.console import Console

if TYPE_CHECKING:
    from malecon.kernel.game import OptionValue

app = typer.Typer(
    name="malecon",
    help="Santiago de Cuba and Cuba: play, simulate and study two board games.",
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
)
out = Console()
err = Console(stderr=True)

Game = Annotated[
    str, typer.Argument(help="Which game: santiago, cuba, or one that an installed package brings.", show_default=False)
]
Language = Annotated[
    str | None,
    typer.Option("--lang", help="A language, such as de; the system's unless given.", show_default=False),
]
Options = Annotated[
    list[str] | None,
    typer.Option("--option", help="A table option, like open_screens=true; may be repeated.", show_default=False),
]
Jobs = Annotated[
    int | None,
    typer.Option(
        help="Games at a time, each in a process of its own.", min=1, show_default="1; as many as a cluster has cores"
    ),
]
Cluster = Annotated[
    str | None,
    typer.Option(
        help="Play on a Ray cluster: its address, or `auto` for the one that runs here, else a new one.",
        show_default=False,
    ),
]


def fail(message: str) -> NoReturn:
    """Print a message and exit with code 2."""
    err.print(f"malecon: {message}", style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(2)


def system_language() -> str:
    """Return the language that the environment asks for."""
    return next(
        (value for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(name))), ""
    )


def language_of(chosen: str | None) -> str:
    """Return the language chosen, or the system's; raise UnknownLanguage if there is no such language."""
    from malecon.text import LANGUAGES, UnknownLanguage, best_language

    if chosen is None:
        return best_language(system_language())
    if chosen not in LANGUAGES:
        raise UnknownLanguage(chosen)
    return chosen


def options_of(pairs: list[str] | None) -> dict[str, OptionValue]:
    """Return table options from texts such as `open_screens=true`. Whether the game has them is not checked here."""
    options: dict[str, OptionValue] = {}
    for pair in pairs or ():
        name, equals, value = pair.partition("=")
        if not equals:
            raise typer.BadParameter(f"{pair!r} is not of the form name=value", param_hint="'--option'")
        options[name.strip()] = {"true": True, "false": False}.get(value.strip().lower(), value.strip())
    return options


@contextmanager
def progress_bar(title: str) -> Iterator[Callable[[int, int], None]]:
    """Open a progress bar and yield the function that updates it; nothing is shown outside a terminal."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task(title, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)
