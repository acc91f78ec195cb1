"""The errors people meet. Each says what is wrong and what would be right; none leaves anything changed."""

from __future__ import annotations

from collections.abc import Sequence

from malecon.kernel.phrases import Phrase, say


def _revive(kind: type[MaleconError], args: tuple[object, ...], state: dict[str, object]) -> MaleconError:
    error = kind.__new__(kind, *args)
    error.args = args
    error.__dict__.update(state)
    return error


class MaleconError(Exception):
    """What all errors of this library have in common: a phrase that `text` translates into any language."""

    def __init__(self, phrase: Phrase) -> None:
        super().__init__(str(phrase))
        self.phrase = phrase

    def __reduce__(self) -> tuple[object, ...]:
        # Errors cross process borders in the arena, whatever their constructors ask for.
        return _revive, (type(self), self.args, self.__dict__)


class UnknownGame(MaleconError, ValueError):
    """No game has that name."""

    def __init__(self, name: str, known: Sequence[str]) -> None:
        super().__init__(
            say("there is no game called {name}; choose from: {known}", name=repr(name)[:40], known=", ".join(known))
        )


class BadSetup(MaleconError, ValueError):
    """A number of players, an option or a seat that the game does not have."""


class NotAMove(MaleconError, ValueError):
    """Text that is not a move of the game."""


class IllegalMove(MaleconError, ValueError):
    """A move that the rules forbid now; the message names the rule."""


class BadRecord(MaleconError, ValueError):
    """A record that cannot be read or does not replay; `line` is the line of the file, counted from 1."""

    def __init__(self, phrase: Phrase, line: int | None = None) -> None:
        self.reason = phrase
        self.line = line
        super().__init__(say("line {line}: {reason}", line=line, reason=phrase) if line else phrase)


class BadSnapshot(MaleconError, ValueError):
    """Bytes that are not a snapshot of a match, or a damaged one."""
