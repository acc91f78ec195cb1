"""Playing at the terminal: shows the board and the legal moves, and reads moves and commands."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from pathlib import Path

from rich.console import Console
from rich.table import Table as Grid
from rich.text import Text

from malecon import bots
from malecon.kernel.errors import BadSetup, MaleconError
from malecon.kernel.phrases import Phrase, say
from malecon.match import Match
from malecon.terminal.boards import board
from malecon.terminal.results import result_table
from malecon.text import describe_move, prompt, sentence, story, translate

YOU = "you"
#: What can be typed besides a move.
COMMANDS = {
    "undo": say("undo your last move, until chance or another player has acted"),
    "board": say("show the table again"),
    "log": say("show everything that has happened so far"),
    "save FILE": say("write the record to a file"),
    "help": say("show this list"),
    "quit": say("leave the table; the record stays in the file given with --record"),
}


#: The bot of each seat; None for a person at this keyboard.
Players = list[bots.Bot | None]


def seat_players(specs: list[str], enter: Callable[[str, int], bots.Bot] = bots.make) -> Players:
    """Return the bots of a list such as `you,greedy`, made by `enter`; raise BadSetup if there is no such bot."""
    return [None if spec == YOU else enter(spec, secrets.randbits(31)) for spec in specs]


class TerminalGame:
    """A match between people at this keyboard and bots; each sees only its own view."""

    def __init__(
        self, match: Match, players: Players, language: str, console: Console, record: Path | None = None
    ) -> None:
        if len(players) != match.players:
            text = say("{players} players need {players} seats, not {seats}")
            raise BadSetup(text.fill(players=match.players, seats=len(players)))
        self.match = match
        self.language = language
        self.console = console
        self.record = record
        self._bots = {seat: bot for seat, bot in enumerate(players) if bot is not None}
        self._printed = 0  # moves whose log has been printed
        self._last_person: int | None = None

    def run(self) -> None:
        """Play to the end, or until a person leaves."""
        self._printed = max(0, len(self.match) - 1) if len(self.match) else 0
        while self.match.turn is not None:
            seat = self.match.turn
            if seat in self._bots:
                self.match.push(self._bots[seat].choose(self.match.view(seat)))
                self._save()
                continue
            if not self._ask(seat):
                self._print(say("See you soon."))
                return
        self._print_log()
        self.console.print(result_table(self.match, self.language))

    # --- one decision

    def _ask(self, seat: int) -> bool:
        """Let a person decide; return False if they leave the table."""
        self._hand_over(seat)
        self._print_log()
        self._show(seat)
        while self.match.turn == seat:
            try:
                typed = self.console.input(Text("› ", "bold")).strip()
            except EOFError:
                return False
            if typed in ("q", "quit"):
                return False
            try:
                if self._execute(typed, seat):
                    self._save()
                    if self.match.turn == seat:
                        self._print_log()
                        self._show(seat)
            except (MaleconError, OSError) as error:
                text = error.phrase if isinstance(error, MaleconError) else str(error)
                self.console.print(sentence(text, self.language), style="red", markup=False, highlight=False)
        return True

    def _execute(self, typed: str, seat: int) -> bool:
        """Execute what was typed; return whether the match changed."""
        moves = self.match.legal_moves
        command, _, argument = typed.partition(" ")
        if not typed:
            return False
        if typed in ("undo", "u"):
            return self._undo(seat)
        if typed in ("board", "b"):
            self._show(seat)
        elif typed in ("log", "l"):
            self._printed = 0
            self._print_log()
        elif command == "save" and argument:
            self.match.record().write(argument)
            self._print(say("saved in {file}", file=argument))
        elif typed in ("help", "?", "h"):
            self._help()
        elif typed.isdigit() and 1 <= int(typed) <= len(moves):
            self.match.push(moves[int(typed) - 1], seat=seat)
            return True
        elif typed.isdigit():
            self._print(say("choose a number from 1 to {most}, or type a move", most=len(moves)))
        else:
            self.match.push(typed, seat=seat)
            return True
        return False

    def _undo(self, seat: int) -> bool:
        last = self.match.peek()
        if last is None or last.seat != seat:
            self._print(say("there is nothing to undo: chance or another player has acted since"))
            return False
        self.match.pop()
        self._printed = min(self._printed, len(self.match))
        return True

    # --- what is shown

    def _show(self, seat: int) -> None:
        view = self.match.view(seat)
        self.console.print(board(view, self.language))
        name = translate(self.match.names[seat], self.language)
        task = translate(prompt(view, seat), self.language)
        self.console.print(Text(f"{name}: {task}", "bold"))
        moves = view.legal_moves
        grid = Grid.grid(padding=(0, 2))
        columns = 2 if len(moves) > 8 else 1
        rows = -(-len(moves) // columns)
        for row in range(rows):
            cells: list[Text] = []
            for number in range(row, len(moves), rows):
                label = translate(describe_move(view, moves[number]), self.language)
                cells += [Text(f"{number + 1}", "bold cyan"), Text(label), Text(str(moves[number]), "dim")]
            grid.add_row(*cells)
        self.console.print(grid)

    def _print_log(self) -> None:
        """Print the log of the moves made since it was last printed."""
        if self._printed < len(self.match):
            for lines in story(self.match, self._printed):
                for line in lines:
                    self._print(line)
        self._printed = len(self.match)

    def _hand_over(self, seat: int) -> None:
        """Clear the screen between two people at one keyboard, so that neither sees what the other holds."""
        people = self.match.players - len(self._bots)
        if people > 1 and self._last_person not in (None, seat):
            self.console.clear()
            who = self.match.names[seat]
            self.console.input(translate(say("Pass the keyboard to {who}, then press Enter. ", who=who), self.language))
            self.console.clear()
        self._last_person = seat

    def _help(self) -> None:
        grid = Grid.grid(padding=(0, 2))
        for command, meaning in COMMANDS.items():
            grid.add_row(Text(command, "bold cyan"), translate(meaning, self.language))
        self._print(say("Type a number from the list, or a move as shown in grey."))
        self.console.print(grid)

    def _print(self, line: Phrase) -> None:
        self.console.print(translate(line, self.language), markup=False, highlight=False, soft_wrap=True)

    def _save(self) -> None:
        if self.record is not None:
            self.match.record().write(self.record)
