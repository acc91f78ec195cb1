"""An analysis: a position and variations from there as a tree, with notes, saved as a document that is checked on load.

It begins with a game's own setup, or with a position set up by hand. Nothing in it is hidden.
"""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, groupby, zip_longest
from typing import Any, Self

import msgspec
import numpy as np
from msgspec.structs import replace

from malecon.bots.engine.runtime import new_searcher
from malecon.bots.history import known_to
from malecon.bots.searcher import SearchResult
from malecon.bots.specs import parse
from malecon.kernel import registry, verbs
from malecon.kernel.errors import BadRecord, BadSetup, IllegalMove, MaleconError
from malecon.kernel.game import Game, OptionValue
from malecon.kernel.line import Line, Step, make_step
from malecon.kernel.phrases import Phrase, say
from malecon.kernel.playing import make_move
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

#: Variations that a neighbourhood has of one move, at most, if it is not the whole tree.
MOST_VARIATIONS = 10


class Node(msgspec.Struct, frozen=True, gc=False):  # the collector of garbage need not search thousands of them
    """A move in the tree: the node it follows, its notation, and a note. The root has no move."""

    parent: int
    move: str = ""
    note: str = ""


def json_text(value: Any) -> str:
    """Return a value of a document as JSON."""
    return json.dumps(value, ensure_ascii=False)


@dataclass(frozen=True)
class TreeRow:
    """Moves that follow each other without a choice; a greater depth is a variation of a variation.

    `more` is the first of the moves that are left out after them, if not all are shown.
    """

    depth: int
    nodes: tuple[int, ...]
    more: int | None = None


class Analysis:
    """A tree of moves. Nodes are numbers: 0 is the root, and every node comes after the one it follows.

    Every position is computed once. Threads may read the same analysis at a time.
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
        self._positions = {ROOT: (self._start.tobytes(), 0)}  # as bytes, and the number of moves that led there
        self._texts: dict[int, str] = {}  # nodes as they stand in a document

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
        new._positions, new._texts = self._positions.copy(), self._texts.copy()
        if "_children" in vars(new):
            vars(new)["_children"] = self._children.copy()
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
        return Line(self.game, self._start, map(self._code, self.path(node)), names=self.names, options=self.options)

    def _at(self, node: int) -> tuple[Any, int]:
        """Return a copy of the position at a node, in an array, and the number of moves that lead there."""
        missing = []
        while (known := self._positions.get(self._check(node))) is None:
            missing.append(node)
            node = self.nodes[node].parent
        data, depth = known
        cells = self._cells(data)
        for number in reversed(missing):
            make_move(cells[0], self._code(number), depth)
            depth += 1
            self._positions[number] = cells.tobytes(), depth
        return cells, depth

    def _cells(self, data: bytes) -> Any:
        return np.frombuffer(bytearray(data), self.game.dtype)

    def position(self, node: int) -> Position:
        """Return a copy of the position at a node, with nothing hidden."""
        return self._at(node)[0][0]

    def depth(self, node: int) -> int:
        """Return the number of moves that lead to a node."""
        known = self._positions.get(self._check(node))
        return self._at(node)[1] if known is None else known[1]

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
        before, depth = self._at(self.nodes[self._check(node)].parent)
        return make_step(before[0], self._code(node), depth)

    def latest_steps(self, node: int, most: int) -> list[Step]:
        """Return what the last moves on the way to a node did, oldest first."""
        steps: list[Step] = []
        while node != ROOT and len(steps) < most:
            steps.append(self.step(node))
            node = self.nodes[node].parent
        return steps[::-1]

    # --- the tree

    @cached_property
    def _children(self) -> dict[int, tuple[int, ...]]:
        children: dict[int, list[int]] = {}
        for number, node in enumerate(self.nodes[1:], 1):
            children.setdefault(node.parent, []).append(number)
        return {node: tuple(numbers) for node, numbers in children.items()}

    def children(self, node: int) -> Sequence[int]:
        """Return the nodes that follow; the first one continues the main line."""
        return self._children.get(self._check(node), ())

    def leads(self, node: int) -> bool:
        """Return whether a move is the first of those that follow the same node."""
        return node == ROOT or self.children(self.nodes[self._check(node)].parent)[0] == node

    def main_line(self, node: int = ROOT) -> list[int]:
        """Return the nodes that follow on the main line."""
        nodes = []
        while following := self.children(node):
            node = following[0]
            nodes.append(node)
        return nodes

    def first_decision(self) -> int:
        """Return the first node of the main line at which a seat decides; the root if there is none."""
        node = ROOT
        while self.turn(node) == CHANCE and (following := self.children(node)):
            node = following[0]
        return node if self.turn(node) != CHANCE else ROOT

    def neighbourhood(self, node: int, most: int) -> set[int]:
        """Return the nodes around one: the line through it, what branches off near it, and all if they are few.

        They are a part of the tree without gaps: one of them is the first, and all others follow it. Whatever the size
        of the tree is, they are found in the same time.
        """
        if len(self) <= most:
            return set(range(len(self)))
        line = [self._check(node)]
        above = below = node
        for _ in range(most // 4):
            if above != ROOT:
                above = self.nodes[above].parent
                line += above, self.children(above)[0]
            if following := self.children(below):
                below = following[0]
                line.append(below)
        shown, todo = set(line), deque(dict.fromkeys(line))  # the nearest first
        while todo:
            near = todo.popleft()
            for other in self._beside(near, shown):
                if len(shown) >= most:
                    return shown
                shown.add(other)
                todo.append(other)
        return shown

    def _beside(self, node: int, shown: Collection[int]) -> Iterator[int]:
        """Yield the nodes next to one that are not shown: those that follow, but not too many, and the one before."""
        following = self.children(node)
        place = next((place for place, other in enumerate(following) if place and other in shown), 0)
        nearest = zip_longest(following[place + 1 :], reversed(following[1:place]))
        several = [other for other in chain.from_iterable(nearest) if other is not None][:MOST_VARIATIONS]
        parent = (self.nodes[node].parent,) if node != ROOT else ()
        yield from (other for other in (*parent, *following[:1], *several) if other not in shown)

    def rows(self, shown: Collection[int] | None = None) -> list[TreeRow]:
        """Return the tree, or a neighbourhood in it, in reading order.

        After a choice come its variations, then the main line goes on.
        """
        rows: list[TreeRow] = []
        is_shown: Callable[[int], bool] = (lambda node: True) if shown is None else shown.__contains__
        top = ROOT if shown is None else min(shown)
        todo: list[TreeRow | tuple[int, int, list[int]]] = [(top, 0, [top] if top != ROOT else [])]
        while todo:
            item = todo.pop()
            if isinstance(item, TreeRow):
                rows.append(item)
                continue
            node, depth, moves = item
            more = None
            while following := self.children(node):
                if not is_shown(following[0]):
                    more = following[0]
                    break
                node = following[0]
                moves.append(node)
                if len(following) > 1:
                    todo.append((node, depth, []))
                    todo += reversed(_variations(following[1:], depth + 1, is_shown))
                    break
            if moves or more is not None:
                rows.append(TreeRow(depth, tuple(moves), more))
        return rows

    # --- what the search suggests

    def suggest(self, node: int, ms: int, seed: int = 0) -> SearchResult:
        """Return what a search of that many milliseconds finds out, for the seat that decides at a node."""
        position = self.position(node)
        searcher = new_searcher(parse(f"search:ms={ms},margin=0"), self.game, self.players, seed)
        return searcher.search(known_to(self.game, position, int(verbs.actor(position))))

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
        self._children[node] = (*self.children(node), len(self.nodes) - 1)
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
        self._texts.pop(node, None)

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
        self._set_nodes(kept, numbers)
        return numbers[parent]

    def promote(self, node: int) -> int:
        """Make a move the first of those that follow the same node; return its new number."""
        parent = self.nodes[self._check(node)].parent
        if self.leads(node):
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
            ],
            numbers,
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
        nodes = ",\n".join(f"    {self._text(number)}" for number in range(len(self)))
        return "{\n" + "\n".join(lines) + f'\n  "nodes": [\n{nodes}\n  ]\n}}\n'

    def _text(self, number: int) -> str:
        """Return a node as it stands in a document; it is written once, since every change saves all nodes."""
        text = self._texts.get(number)
        if text is None:
            node = self.nodes[number]
            entry: dict[str, Any] = {} if node.parent < 0 else {"after": node.parent, "move": node.move}
            text = self._texts[number] = json_text(entry | ({"note": node.note} if node.note else {}))
        return text

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
        parents = {
            entry["after"] for entry in entries if isinstance(entry, dict) and isinstance(entry.get("after"), int)
        }
        for number, entry in enumerate(entries):
            node = _read_node(number, entry)
            if number == ROOT:
                self.nodes[ROOT] = node
                continue
            data, depth = self._positions[node.parent]
            cells = self._cells(data)
            position = cells[0]
            code = self.game.notation.code(node.move)
            is_on = verbs.actor(position) != NOBODY
            if code is None or code not in (legal_codes(self.game, position) if is_on else ()):
                raise _bad(number, say("{text} is not possible here", text=repr(node.move)[:60]))
            self.nodes.append(replace(node, move=self.game.notation.name(code)))
            if number in parents:
                make_move(position, code, depth)
                self._positions[number] = cells.tobytes(), depth + 1

    # --- inside

    def _check(self, node: int) -> int:
        if not 0 <= node < len(self.nodes):
            raise BadSetup(say("this analysis has no such move"))
        return node

    def _code(self, node: int) -> int:
        return parse_code(self.game, self.nodes[node].move)

    def _set_nodes(self, nodes: list[Node], numbers: Mapping[int, int]) -> None:
        """Replace all nodes by others; `numbers` are the new numbers by the old ones."""
        self.nodes = nodes
        self._positions = {numbers[old]: known for old, known in self._positions.items() if old in numbers}
        self._texts = {}
        vars(self).pop("_children", None)


def _variations(
    nodes: Sequence[int], depth: int, is_shown: Callable[[int], bool]
) -> list[TreeRow | tuple[int, int, list[int]]]:
    """Return where the rows of variations begin, and where some are left out, the nearest of those."""
    items: list[TreeRow | tuple[int, int, list[int]]] = []
    for shown, group in groupby(nodes, is_shown):
        run = list(group)
        if shown:
            items += [(node, depth, [node]) for node in run]
        else:
            items.append(TreeRow(depth, (), run[0] if run[-1] == nodes[-1] else run[-1]))
    return items


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
