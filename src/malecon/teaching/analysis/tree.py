"""An analysis: a position and variations from there as a tree, with notes, saved as a document that is checked on load.

It begins with a game's own setup, or with a position set up by hand. Nothing in it is hidden.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import takewhile
from typing import Any, Self

from malecon.bots.history import known_to
from malecon.bots.reasons.playing_out import play_out
from malecon.bots.searcher import Searcher
from malecon.bots.specs import parse
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadRecord, BadSetup, IllegalMove, MaleconError
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.line import Line, Step
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import make_move
from malecon.kernel.positions import as_array
from malecon.kernel.randomness import below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Position
from malecon.kernel.view import History, LegalMoves, Turn, View, legal_codes, parse_code, turn_of
from malecon.match import Match
from malecon.match.setup import check_names, check_setup
from malecon.teaching.analysis.position_fields import Value, Values, position_from_fields

#: The version of the document's format.
FORMAT = 1
#: The most moves in an analysis, the root included.
MOST_NODES = 4_000
#: The most characters in a note.
LONGEST_NOTE = 2_000
#: The most characters in a document.
LARGEST_FILE = 1_000_000
ROOT = 0
_FIELDS = {"analysis", "game", "rules", "players", "options", "table", "nodes"}

#: The search that plays out a line. It is quick, because lines have many moves.
GUIDE = "search:sims=150,margin=0"
#: The most moves that the search suggests.
MOST_SUGGESTIONS = 5


@dataclass(frozen=True)
class Node:
    """A move in the tree: the node it follows, its notation, and a note. The root has no move."""

    parent: int
    move: str = ""
    note: str = ""


@dataclass(frozen=True)
class TreeRow:
    """Moves that follow each other without a choice; a greater depth is a variation of a variation."""

    depth: int
    nodes: tuple[int, ...]


@dataclass(frozen=True)
class SuggestedMove:
    """A move by its code, the chance to win with it, and the share of the simulations that went into it."""

    code: int
    chance: float
    share: float


class Analysis:
    """A tree of moves. Nodes are numbers: 0 is the root, and every node comes after the one it follows.

    The positions along the line that was asked for last are kept. Threads may read the same analysis at a time.
    """

    def __init__(
        self,
        game: Game | str,
        players: int,
        *,
        options: Mapping[str, OptionValue] | None = None,
        table: Values | None = None,
    ) -> None:
        self.game = game if isinstance(game, Game) else registry.get(game)
        self.players = players
        self.options = check_setup(self.game, players, options)
        self.names = check_names(self.game, players, None)
        self.table: dict[str, Value] | None = None if table is None else dict(table)
        self.nodes: list[Node] = [Node(-1)]
        self._start: Position = (
            self.game.new_position(players, **self.options)
            if table is None
            else position_from_fields(self.game, players, table, self.options)
        )
        self._latest = self._no_moves()

    @classmethod
    def of(cls, match: Match) -> Self:
        """Return an analysis with a game as its main line; the names of its players are left out."""
        new = cls(match.game, match.players, options=match.options)
        new.nodes += [Node(number, str(turn.move)) for number, turn in enumerate(match.history)]
        return new

    def copy(self) -> Self:
        """Return the same analysis again; each can be changed by itself."""
        new = type(self).__new__(type(self))
        vars(new).update(vars(self))
        new.nodes = self.nodes.copy()
        new._forget_children()
        return new

    def __len__(self) -> int:
        return len(self.nodes)

    # --- positions

    def path(self, node: int) -> list[int]:
        """Return the nodes from the first move to this one."""
        nodes = []
        while node != ROOT:
            nodes.append(self._check(node))
            node = self.nodes[node].parent
        return nodes[::-1]

    def line(self, node: int) -> Line:
        """Return the line of play that leads to a node."""
        line, depth = self._line_through(node)
        return line.branch(depth)

    def _line_through(self, node: int) -> tuple[Line, int]:
        """Return a line that leads to a node and perhaps beyond it, and after how many moves it is there.

        A line that was returned is never changed, so that several threads can read it.
        """
        path = self.path(node)
        nodes, line = self._latest
        if nodes[: len(path)] != path:
            pairs = zip(nodes, path, strict=False)
            shared = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))
            line = line.branch(shared, map(self._code, path[shared:]))
            self._latest = path, line
        return line, len(path)

    def _no_moves(self) -> tuple[list[int], Line]:
        """Return the line to the root, with its path."""
        return [], Line(self.game, self._start, names=self.names, options=self.options)

    def position(self, node: int) -> Position:
        """Return a copy of the position at a node, with nothing hidden."""
        line, depth = self._line_through(node)
        return line.position_after(depth)

    def view(self, node: int) -> View:
        """Return the view of the seat that decides at a node, with nothing hidden."""
        position = self.position(node)
        turn = turn_of(position)
        seat = turn if turn is not None and turn >= 0 else None
        return View(self.game, seat, position, History(self.game), self.names, self.options)

    def turn(self, node: int) -> int | None:
        """Return the seat that decides, CHANCE, or None when the game is over."""
        return turn_of(self.position(node))

    def legal_moves(self, node: int) -> LegalMoves:
        """Return what the seat that decides at a node, or chance, may do."""
        return LegalMoves(self.game, self.position(node))

    def history(self, node: int) -> tuple[Turn, ...]:
        """Return every move on the way to a node, and the seat that made it."""
        return self.line(node).history

    def step(self, node: int) -> Step:
        """Return what the move of a node did."""
        if node == ROOT:
            raise BadSetup(say("this analysis has no such move"))
        line, depth = self._line_through(node)
        return line.step(depth - 1)

    def moves(self) -> Iterator[tuple[int, Position]]:
        """Yield every move of the tree with the position in which it is made; each position is computed once."""
        todo = [(ROOT, as_array(self._start), 0)]
        while todo:
            parent, before, depth = todo.pop()
            for node in self.children(parent):
                yield node, before[0]
                if self.children(node):
                    after = as_array(before[0])
                    make_move(after[0], self._code(node), depth)
                    todo.append((node, after, depth + 1))

    # --- the tree

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        children: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes[1:], 1):
            children.setdefault(node.parent, []).append(number)
        return children

    def children(self, node: int) -> Sequence[int]:
        """Return the nodes that follow; the first one continues the main line."""
        return self._children.get(self._check(node), [])

    def main_line(self, node: int = ROOT) -> list[int]:
        """Return the nodes that follow on the main line."""
        nodes = []
        while following := self.children(node):
            node = following[0]
            nodes.append(node)
        return nodes

    def rows(self) -> list[TreeRow]:
        """Return the whole tree in reading order: after a choice come its variations, then the main line goes on."""
        rows: list[TreeRow] = []
        todo: list[tuple[int, int, list[int]]] = [(ROOT, 0, [])]
        while todo:
            node, depth, moves = todo.pop()
            while following := self.children(node):
                node = following[0]
                moves.append(node)
                if len(following) > 1:
                    todo.append((node, depth, []))
                    todo += [(other, depth + 1, [other]) for other in reversed(following[1:])]
                    break
            if moves:
                rows.append(TreeRow(depth, tuple(moves)))
        return rows

    # --- what the search suggests

    def suggest(self, node: int, ms: int, seed: int = 0) -> tuple[list[SuggestedMove], int]:
        """Search for that many milliseconds; return the best moves, best first, and the number of simulations."""
        position = self.position(node)
        searcher = Searcher(self.game, self.players, parse(f"search:ms={ms},margin=0").plan, seed)
        result = searcher.search(known_to(self.game, position, int(verbs.actor(position))))
        total = max(1, sum(result.visits))
        moves = zip(result.codes, result.chances, result.visits, strict=True)
        best = [SuggestedMove(code, min(max(chance, 0.0), 1.0), visits / total) for code, chance, visits in moves]
        return best[:MOST_SUGGESTIONS], result.simulations

    def continuation(self, node: int, code: int, seed: int = 0) -> Line:
        """Return how the game may go on with a move at a node, if every seat then plays what the search suggests."""
        searcher = Searcher(self.game, self.players, parse(GUIDE).plan, seed)
        return play_out(searcher, self.position(node), code, self.names, randomness(seed, 1))

    # --- changing it

    def add(self, node: int, move: str) -> int:
        """Return the node after this move, a new one unless it exists; raise IllegalMove or NotAMove if refused."""
        code = parse_code(self.game, move)
        name = self.game.notation.name(code)
        for following in self.children(node):
            if self.nodes[following].move == name:
                return following
        position = self.position(node)
        if code not in (legal_codes(self.game, position) if verbs.actor(position) != NOBODY else ()):
            raise IllegalMove(self.game.why_illegal(position, code, self.names))
        if len(self.nodes) >= MOST_NODES:
            raise BadSetup(say("an analysis has at most {most} moves", most=MOST_NODES))
        self.nodes.append(Node(node, name))
        self._forget_children()
        return len(self.nodes) - 1

    def draw(self, node: int, seed: int) -> int:
        """Let chance decide until it is a seat's turn; return the node then."""
        random = randomness(seed)
        while self.turn(node) == CHANCE:
            moves = self.legal_moves(node)
            node = self.add(node, str(moves[below(random, len(moves))]))
        return node

    def note(self, node: int, text: str) -> None:
        """Set the note of a node; an empty text removes it."""
        if len(text) > LONGEST_NOTE:
            raise BadSetup(say("a note has at most {most} characters", most=LONGEST_NOTE))
        kept = "".join(letter for letter in text if letter.isprintable() or letter == "\n").strip()
        self.nodes[self._check(node)] = replace(self.nodes[node], note=kept)

    def remove(self, node: int) -> int:
        """Remove a move and all that follow it; return the node before it. The others get new numbers."""
        if self._check(node) == ROOT:
            raise BadSetup(say("the position it begins with cannot be taken away"))
        parent, removed, numbers = self.nodes[node].parent, {node}, {ROOT: ROOT}
        kept = [self.nodes[ROOT]]
        for number, other in enumerate(self.nodes[1:], 1):
            if number in removed or other.parent in removed:
                removed.add(number)
            else:
                numbers[number] = len(kept)
                kept.append(replace(other, parent=numbers[other.parent]))
        self._set_nodes(kept)
        return numbers[parent]

    def promote(self, node: int) -> int:
        """Make a move the first of those that follow the same node; return its new number."""
        parent = self.nodes[self._check(node)].parent
        siblings = self._children.get(parent, [])
        if node == ROOT or siblings[0] == node:
            return node
        order, numbers = [ROOT], {ROOT: ROOT}
        todo = [ROOT]
        while todo:
            number = todo.pop()
            if number != ROOT:
                numbers[number] = len(order)
                order.append(number)
            following = list(self.children(number))
            if number == parent:
                following.remove(node)
                following.insert(0, node)
            todo += reversed(following)
        self._set_nodes(
            [
                self.nodes[old] if old == ROOT else replace(self.nodes[old], parent=numbers[self.nodes[old].parent])
                for old in order
            ]
        )
        return numbers[node]

    # --- as text

    def to_json(self) -> str:
        """Return the analysis as a document, one move to a line."""
        head: dict[str, Any] = {
            "analysis": FORMAT,
            "game": self.game.name,
            "rules": self.game.rules_version,
            "players": self.players,
            "options": dict(self.options),
            "table": self.table,
        }
        lines = [f"  {json.dumps(key)}: {json.dumps(value)}," for key, value in head.items()]
        nodes = ",\n".join(f"    {json.dumps(_written(node), ensure_ascii=False)}" for node in self.nodes)
        return "{\n" + "\n".join(lines) + f'\n  "nodes": [\n{nodes}\n  ]\n}}\n'

    @classmethod
    def from_json(cls, text: str) -> Self:
        """Return the analysis in a document; raise BadRecord if it is none, or a move in it cannot be made."""
        data = _read(text)
        try:
            new = cls(data["game"], data["players"], options=data["options"], table=data["table"])
        except MaleconError as error:
            raise BadRecord(error.phrase) from None
        if data["rules"] != new.game.rules_version:
            problem = say("this record was made with version {theirs} of the rules; this program knows version {ours}")
            raise BadRecord(problem.fill(theirs=repr(data["rules"])[:20], ours=new.game.rules_version))
        new._read_nodes(data["nodes"])
        return new

    def _read_nodes(self, entries: list[Any]) -> None:
        """Add the nodes of a document, each move checked."""
        # A position is dropped when its last child has been read: a large tree does not need all at a time.
        positions: dict[int, tuple[Position, int]] = {ROOT: (as_array(self._start)[0], 0)}
        unread_children: dict[int, int] = {}
        for entry in entries:
            if isinstance(entry, dict) and isinstance(entry.get("after"), int):
                unread_children[entry["after"]] = unread_children.get(entry["after"], 0) + 1
        for number, entry in enumerate(entries):
            node = _read_node(number, entry)
            if number == ROOT:
                self.nodes[ROOT] = node
                continue
            position, depth = positions[node.parent]
            code = self.game.notation.code(node.move)
            is_on = verbs.actor(position) != NOBODY
            if code is None or code not in (legal_codes(self.game, position) if is_on else ()):
                raise _bad(number, say("{text} is not possible here", text=repr(node.move)[:60]))
            self.nodes.append(replace(node, move=self.game.notation.name(code)))
            unread_children[node.parent] -= 1
            if unread_children.get(number):
                cells = as_array(position)
                make_move(cells[0], code, depth)
                positions[number] = cells[0], depth + 1
            if not unread_children[node.parent]:
                del positions[node.parent]

    # --- inside

    def _check(self, node: int) -> int:
        if not 0 <= node < len(self.nodes):
            raise BadSetup(say("this analysis has no such move"))
        return node

    def _code(self, node: int) -> int:
        return parse_code(self.game, self.nodes[node].move)

    def _set_nodes(self, nodes: list[Node]) -> None:
        """Replace all nodes by others with new numbers."""
        self.nodes = nodes
        self._latest = self._no_moves()
        self._forget_children()

    def _forget_children(self) -> None:
        self.__dict__.pop("_children", None)


def _written(node: Node) -> dict[str, Any]:
    """Return a node as it stands in a document."""
    entry: dict[str, Any] = {} if node.parent < 0 else {"after": node.parent, "move": node.move}
    return entry | ({"note": node.note} if node.note else {})


def _bad(number: int, reason: Phrase) -> BadRecord:
    return BadRecord(say("move {number}: {reason}", number=number, reason=reason))


def _read_node(number: int, entry: Any) -> Node:
    """Return the node of an entry in a document. Whether its move is legal is not checked here."""
    fields = {"note"} if number == ROOT else {"after", "move", "note"}
    if not isinstance(entry, dict) or not set(entry) <= fields or not isinstance(entry.get("note", ""), str):
        raise _bad(number, say("this is not a move of an analysis"))
    if len(entry.get("note", "")) > LONGEST_NOTE:
        raise _bad(number, say("a note has at most {most} characters", most=LONGEST_NOTE))
    if number == ROOT:
        return Node(-1, note=entry.get("note", ""))
    parent, move = entry.get("after"), entry.get("move")
    if isinstance(parent, bool) or not isinstance(parent, int) or not 0 <= parent < number or not isinstance(move, str):
        raise _bad(number, say("this is not a move of an analysis"))
    return Node(parent, move, entry.get("note", ""))


def _read(text: str) -> dict[str, Any]:
    """Return the fields of a document, each of the right type."""
    if not isinstance(text, str) or len(text) > LARGEST_FILE:
        raise BadRecord(say("this file is too large for an analysis"))
    try:
        data = json.loads(text)
    except (json.JSONDecodeError, RecursionError, ValueError):
        raise BadRecord(say("this is not a JSON document: {problem}", problem="unreadable")) from None
    if not isinstance(data, dict) or set(data) != _FIELDS or data["analysis"] != FORMAT:
        raise BadRecord(say("this is not an analysis that this program reads"))
    kinds = {"game": str, "options": dict, "table": dict | None, "nodes": list}
    for name, kind in kinds.items():
        if not isinstance(data[name], kind):
            raise BadRecord(say("the field {name} is not valid", name=name))
    if not 1 <= len(data["nodes"]) <= MOST_NODES:
        raise BadRecord(say("an analysis has at most {most} moves", most=MOST_NODES))
    return data
