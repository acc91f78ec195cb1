"""An analysis: a position to begin with and variations as a tree, with notes, saved as text and checked when loaded.

It begins with a game's own setup, or with a table laid out by hand. All in it is open: there are no secret moves.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Self

import numpy as np

from malecon.bots.history import replay
from malecon.bots.reasons.lines import Step
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadRecord, BadSetup, IllegalMove, MaleconError
from malecon.kernel.game import Game, Name, OptionValue
from malecon.kernel.journal import events, new_journal
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import make_logged_move, make_move
from malecon.kernel.positions import as_array
from malecon.kernel.randomness import below, randomness
from malecon.kernel.verbs import CHANCE, NOBODY, Position
from malecon.kernel.view import LegalMoves, Move, Turn, View, legal_codes, parse_code, turn_of
from malecon.match import Match
from malecon.match.setup import check_names, check_setup
from malecon.teaching.analysis.layout import Value, Values, lay_out

FORMAT = 1
#: An analysis is never larger: moves, and letters of a note and of a file.
MOST_NODES, LONGEST_NOTE, LARGEST_FILE = 4_000, 2_000, 1_000_000
ROOT = 0
_FIELDS = {"analysis", "game", "rules", "players", "options", "table", "nodes"}


@dataclass(frozen=True)
class Node:
    """A move in the tree: the node it follows, its notation, and what is noted about it. The root has no move."""

    parent: int
    move: str = ""
    note: str = ""


@dataclass(frozen=True)
class Row:
    """Moves that follow each other without a choice; the deeper, the more of a side line."""

    depth: int
    nodes: tuple[int, ...]


class Analysis:
    """A tree of moves. Nodes are numbers: 0 is the root, and every node comes after the one it follows."""

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
        self.names: tuple[Name, ...] = check_names(self.game, players, None)
        self.table: dict[str, Value] | None = None if table is None else dict(table)
        self.nodes: list[Node] = [Node(-1)]
        self._start: Position = (
            self.game.new_position(players, **self.options)
            if table is None
            else lay_out(self.game, players, table, self.options)
        )

    @classmethod
    def of(cls, match: Match) -> Self:
        """A game as the main line; the names of its players are left out."""
        new = cls(match.game, match.players, options=match.options)
        new.nodes += [Node(number, str(turn.move)) for number, turn in enumerate(match.history)]
        return new

    def __len__(self) -> int:
        return len(self.nodes)

    # --- where one is

    def line(self, node: int) -> list[int]:
        """The nodes from the first move to this one."""
        found = []
        while node != ROOT:
            found.append(self._known(node))
            node = self.nodes[node].parent
        return found[::-1]

    def position(self, node: int) -> Position:
        """The position at a node, with nothing hidden."""
        codes = [self._code(one) for one in self.line(node)]
        cells = np.zeros(1, self.game.dtype).view(np.recarray)
        cells[0] = self._start
        replay(cells, np.array(codes, np.int16))
        return as_array(cells[0])[0]

    def view(self, node: int) -> View:
        """The table at a node, as whoever decides there would see it if all were open."""
        position = self.position(node)
        turn = turn_of(position)
        return View(self.game, turn if turn is not None and turn >= 0 else None, position, (), self.names, self.options)

    def turn(self, node: int) -> int | None:
        """The seat that decides, CHANCE, or None when the game is over."""
        return turn_of(self.position(node))

    def legal_moves(self, node: int) -> LegalMoves:
        """What is possible at a node, for whoever decides there, chance included."""
        return LegalMoves(self.game, self.position(node))

    def story(self, node: int) -> tuple[Turn, ...]:
        """Every move on the way to a node, and who made it."""
        cells, found = as_array(self._start), []
        for number, one in enumerate(self.line(node)):
            found.append(Turn(int(verbs.actor(cells[0])), Move(self.game.name, self.nodes[one].move)))
            make_move(cells[0], self._code(one), number)
        return tuple(found)

    def step(self, node: int) -> Step:
        """A move of the tree: the table before and after it, and what happened."""
        before, journal = self.position(self.nodes[self._known(node)].parent), new_journal()
        after, depth = as_array(before)[0], len(self.line(node)) - 1
        make_logged_move(after, self._code(node), depth, journal)
        return Step(before, self._code(node), tuple(events(journal)), after)

    def moves(self) -> Iterator[tuple[int, Position]]:
        """Every move of the tree with the position in which it is made; each position is worked out once."""
        todo = [(ROOT, as_array(self._start), 0)]
        while todo:
            parent, before, depth = todo.pop()
            for node in self.children(parent):
                yield node, before[0]
                if self.children(node):
                    after = as_array(before[0])
                    make_move(after[0], self._code(node), depth)
                    todo.append((node, after, depth + 1))

    @cached_property
    def _children(self) -> dict[int, list[int]]:
        found: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes[1:], 1):
            found.setdefault(node.parent, []).append(number)
        return found

    def children(self, node: int) -> Sequence[int]:
        """The nodes that follow; the first one goes on with the main line."""
        return self._children.get(self._known(node), [])

    def main_line(self, node: int = ROOT) -> list[int]:
        """The nodes that follow without leaving the main line."""
        found = []
        while following := self.children(node):
            node = following[0]
            found.append(node)
        return found

    def rows(self) -> list[Row]:
        """The whole tree to be read from above: after a choice come its side lines, then the main line goes on."""
        found: list[Row] = []
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
                found.append(Row(depth, tuple(moves)))
        return found

    # --- changing it

    def add(self, node: int, move: str) -> int:
        """The node after this move, a new one unless it is there; IllegalMove or NotAMove where it cannot be made."""
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
        self._forget()
        return len(self.nodes) - 1

    def draw(self, node: int, seed: int) -> int:
        """Let chance decide until it is somebody's turn; the node then."""
        random = randomness(seed)
        while self.turn(node) == CHANCE:
            moves = self.legal_moves(node)
            node = self.add(node, str(moves[below(random, len(moves))]))
        return node

    def note(self, node: int, text: str) -> None:
        """Write something about a node; an empty text takes it away."""
        if len(text) > LONGEST_NOTE:
            raise BadSetup(say("a note has at most {most} characters", most=LONGEST_NOTE))
        kept = "".join(letter for letter in text if letter.isprintable() or letter == "\n").strip()
        self.nodes[self._known(node)] = replace(self.nodes[node], note=kept)

    def remove(self, node: int) -> int:
        """Take away a move and all that follows it; the node before it. The others are numbered anew."""
        if self._known(node) == ROOT:
            raise BadSetup(say("the position it begins with cannot be taken away"))
        parent, gone, numbers = self.nodes[node].parent, {node}, {ROOT: ROOT}
        kept = [self.nodes[ROOT]]
        for number, one in enumerate(self.nodes[1:], 1):
            if number in gone or one.parent in gone:
                gone.add(number)
            else:
                numbers[number] = len(kept)
                kept.append(replace(one, parent=numbers[one.parent]))
        self.nodes = kept
        self._forget()
        return numbers[parent]

    def lead(self, node: int) -> int:
        """Make a move the first of those that follow the same node; its number then."""
        parent = self.nodes[self._known(node)].parent
        siblings = self._children.get(parent, [])
        if node == ROOT or siblings[0] == node:
            return node
        order, numbers = [ROOT], {ROOT: ROOT}
        todo = [ROOT]
        while todo:
            one = todo.pop()
            if one != ROOT:
                numbers[one] = len(order)
                order.append(one)
            following = list(self.children(one))
            if one == parent:
                following.remove(node)
                following.insert(0, node)
            todo += reversed(following)
        self.nodes = [
            self.nodes[one] if one == ROOT else replace(self.nodes[one], parent=numbers[self.nodes[one].parent])
            for one in order
        ]
        self._forget()
        return numbers[node]

    # --- as text

    def to_json(self) -> str:
        """The analysis as a document, one move to a line."""
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
        """The analysis in a document; BadRecord where it is none, or a move in it cannot be made."""
        data = _read(text)
        try:
            new = cls(data["game"], data["players"], options=data["options"], table=data["table"])
        except MaleconError as error:
            raise BadRecord(error.phrase) from None
        if data["rules"] != new.game.rules_version:
            problem = say("this record was made with version {theirs} of the rules; this program knows version {ours}")
            raise BadRecord(problem.fill(theirs=repr(data["rules"])[:20], ours=new.game.rules_version))
        new._take(data["nodes"])
        return new

    def _take(self, written: list[Any]) -> None:
        """Nodes of a document, each move checked."""
        # Positions are kept only while something may follow: with the last child read, its parent's is dropped.
        positions: dict[int, tuple[Position, int]] = {ROOT: (as_array(self._start)[0], 0)}
        left: dict[int, int] = {}
        for one in written:
            if isinstance(one, dict) and isinstance(one.get("after"), int):
                left[one["after"]] = left.get(one["after"], 0) + 1
        for number, one in enumerate(written):
            node = _node(number, one)
            if number == ROOT:
                self.nodes[ROOT] = node
                continue
            position, depth = positions[node.parent]
            code = self.game.notation.code(node.move)
            on = verbs.actor(position) != NOBODY
            if code is None or code not in (legal_codes(self.game, position) if on else ()):
                raise _bad(number, say("{text} is not possible here", text=repr(node.move)[:60]))
            self.nodes.append(replace(node, move=self.game.notation.name(code)))
            left[node.parent] -= 1
            if left.get(number):
                cells = as_array(position)
                make_move(cells[0], code, depth)
                positions[number] = cells[0], depth + 1
            if not left[node.parent]:
                del positions[node.parent]

    # --- inside

    def _known(self, node: int) -> int:
        if not 0 <= node < len(self.nodes):
            raise BadSetup(say("this analysis has no such move"))
        return node

    def _code(self, node: int) -> int:
        return parse_code(self.game, self.nodes[node].move)

    def _forget(self) -> None:
        self.__dict__.pop("_children", None)


def _written(node: Node) -> dict[str, Any]:
    found: dict[str, Any] = {} if node.parent < 0 else {"after": node.parent, "move": node.move}
    return found | ({"note": node.note} if node.note else {})


def _bad(number: int, reason: Phrase) -> BadRecord:
    return BadRecord(say("move {number}: {reason}", number=number, reason=reason))


def _node(number: int, one: Any) -> Node:
    """A node as it is written; that its move is possible is not known yet."""
    fields = {"note"} if number == ROOT else {"after", "move", "note"}
    if not isinstance(one, dict) or not set(one) <= fields or not isinstance(one.get("note", ""), str):
        raise _bad(number, say("this is not a move of an analysis"))
    if len(one.get("note", "")) > LONGEST_NOTE:
        raise _bad(number, say("a note has at most {most} characters", most=LONGEST_NOTE))
    if number == ROOT:
        return Node(-1, note=one.get("note", ""))
    parent, move = one.get("after"), one.get("move")
    if isinstance(parent, bool) or not isinstance(parent, int) or not 0 <= parent < number or not isinstance(move, str):
        raise _bad(number, say("this is not a move of an analysis"))
    return Node(parent, move, one.get("note", ""))


def _read(text: str) -> dict[str, Any]:
    """The fields of a document, each of the right kind."""
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
