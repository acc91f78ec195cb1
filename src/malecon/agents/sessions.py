"""Games that a language model plays against bots: started, looked at, played and reviewed by name.

A session shows its player's view and nothing more, until the game is over.
"""

from __future__ import annotations

import re
import secrets
import threading
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

from malecon import bots
from malecon.bots.levels import BY_KEY
from malecon.kernel import readiness, registry
from malecon.kernel.errors import BadSetup, IllegalMove
from malecon.kernel.game import OptionValue
from malecon.kernel.phrases import say
from malecon.match import Match, View, check_seat
from malecon.text import LANGUAGES, UnknownLanguage, moves_text, tell, translate

#: Games that are kept; the one not used for longest is forgotten first.
MOST_SESSIONS = 200
#: Bots that a client may name. Others could open files or start programs.
_SEARCH = re.compile(r"search:sims=[1-9]\d{0,4}")
#: The search behind explanations and reviews; it does not depend on the speed of the machine.
EXPLAINER = "search:sims=2000,margin=0"
REVIEWER = "search:sims=300,margin=0"


def check_bot(spec: str) -> str:
    """Return the specification of a bot that a client may name; raise BadSetup for any other."""
    if spec in BY_KEY or spec in bots.SIMPLE or _SEARCH.fullmatch(spec):
        return spec
    known = ", ".join((*bots.SIMPLE, *BY_KEY, "search:sims=500"))
    raise BadSetup(say("there is no bot called {name}; choose from: {known}", name=repr(spec)[:40], known=known))


class GameSession:
    """One game: a player in one seat, bots in all others."""

    def __init__(
        self,
        game: str,
        opponents: list[str],
        *,
        seat: int = 0,
        seed: int | None = None,
        options: Mapping[str, OptionValue] | None = None,
        language: str = "en",
    ) -> None:
        if language not in LANGUAGES:
            raise UnknownLanguage(language)
        players = 1 + len(opponents)
        luck = secrets.randbits(64) if seed is None else seed
        self.language = language
        readiness.wait(registry.get(game).name)
        self.match = Match(game, players, options=options, seed=luck)
        self.seat = check_seat(players, seat)
        others = [other for other in range(players) if other != self.seat]
        makers = zip(others, map(check_bot, opponents), strict=True)
        self._bots = {other: bots.make(spec, secrets.randbits(62) if seed is None else seed) for other, spec in makers}
        self.lock = threading.Lock()
        self._told = 0
        self._let_bots_play()

    @property
    def view(self) -> View:
        return self.match.view(self.seat)

    def _let_bots_play(self) -> None:
        match = self.match
        while match.turn is not None and match.turn != self.seat:
            match.push(self._bots[match.turn].choose(match.view(match.turn)))

    def push(self, move: str) -> None:
        """Make the player's move, and those of the bots that follow; raise IllegalMove or NotAMove if it cannot be."""
        self.match.push(move, seat=self.seat)
        self._let_bots_play()

    def news(self) -> list[str]:
        """Return what has happened since this was last asked for, as sentences; what lies face down is not told."""
        history, lines = self.view.history, []
        for index in range(self._told, len(history)):
            turn = history[index]
            if turn.move is None:
                lines.append(f"{translate(self.match.names[turn.seat], self.language)}: ?")
            else:
                lines += [translate(phrase, self.language) for phrase in tell(self.match, index)]
        self._told = len(history)
        return lines

    def screen(self) -> str:
        """Return the table as text, with the legal moves; the result when the game is over."""
        return self.view.text(self.language)

    def legal(self) -> list[str]:
        """Return a line for each legal move, with what it costs and brings."""
        return [] if self.match.turn is None else moves_text(self.view, self.language)

    def explain(self, move: str | None = None) -> str:
        """Explain why a move is worse than the best one; without a move, what is best, and why."""
        explained = self.match.explain(move, bot=EXPLAINER)
        better, other = explained.moves
        lines = [f"{better} > {other}", *(translate(sentence, self.language) for sentence in explained.sentences)]
        return "\n".join(lines)

    def review(self) -> str:
        """Judge every decision of the game; raise IllegalMove while it is on, for it would tell what is hidden."""
        from malecon.teaching import review as reviewing

        if not self.match.is_over:
            raise IllegalMove(say("the review can be read when the game is over"))
        reviewed = reviewing.review(self.match, bot=REVIEWER)
        return "\n".join(translate(line, self.language) for line in reviewing.tell(reviewed, self.match, {}))

    def state(self) -> dict[str, Any]:
        """Return the view as JSON, with the result when the game is over."""
        outcome = self.match.outcome
        result = None if outcome is None else {"winners": outcome.winners, "points": outcome.points}
        return {**self.view.as_dict(), "result": result}


class GameSessions:
    """All games of a server, by their names."""

    def __init__(self) -> None:
        self._sessions: OrderedDict[str, GameSession] = OrderedDict()
        self._lock = threading.Lock()

    def add(self, session: GameSession) -> str:
        """Keep a game, and return its name; nobody can guess it."""
        name = secrets.token_hex(8)
        with self._lock:
            self._sessions[name] = session
            while len(self._sessions) > MOST_SESSIONS:
                self._sessions.popitem(last=False)
        return name

    def get(self, name: str) -> GameSession:
        """Return the game of that name; raise BadSetup if there is none."""
        with self._lock:
            session = self._sessions.get(name)
            if session is None:
                raise BadSetup(say("there is no game called {name}; start one", name=repr(name)[:40]))
            self._sessions.move_to_end(name)
        return session
