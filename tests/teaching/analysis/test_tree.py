"""The tree of an analysis: moves for all seats, side lines, notes, and a document that is checked when it is loaded."""

from __future__ import annotations

import doctest
import json
import random

import pytest

from malecon import games
from malecon.kernel.errors import BadRecord, BadSetup, IllegalMove, NotAMove
from malecon.match import Match
from malecon.teaching import analysis as package
from malecon.teaching.analysis import tree as tree_module
from malecon.teaching.analysis.tree import LONGEST_NOTE, MOST_NODES, ROOT, Analysis


def played(name: str, moves: int, seed: int = 5) -> Match:
    match, dice = Match(name, 3, seed=seed), random.Random(seed)
    while len(match) < moves and not match.is_over:
        match.push(dice.choice(list(match.legal_moves)))
    return match


@pytest.fixture
def tree() -> Analysis:
    return Analysis("santiago", 2, table={"active": "red", "pesos.red": 5, "car": 0, "phase": "drive"})


@pytest.mark.parametrize("name", games.names())
def test_a_game_becomes_the_main_line(name):
    match = played(name, 120)
    tree = Analysis.of(match)
    last = tree.main_line()[-1]
    assert len(tree) == len(match) + 1
    assert tree.position(last).tobytes() == match.position.tobytes()
    assert tree.history(last) == match.history
    assert tree.turn(last) == match.turn
    assert [str(move) for move in tree.legal_moves(last)] == [str(move) for move in match.legal_moves]
    again = Analysis.from_json(tree.to_json())
    assert again.nodes == tree.nodes
    assert again.to_json() == tree.to_json()


def test_side_lines(tree):
    first = tree.add(ROOT, "drive 1")
    second = tree.add(ROOT, "Drive  2")
    assert tree.add(ROOT, "drive 1") == first  # it is there
    deeper = tree.add(first, str(tree.legal_moves(first)[0]))
    other = tree.add(first, str(tree.legal_moves(first)[1]))
    assert list(tree.children(ROOT)) == [first, second]
    assert tree.path(other) == [first, other]
    assert [(row.depth, row.nodes) for row in tree.rows()] == [
        (0, (first,)),
        (1, (second,)),
        (0, (deeper,)),
        (1, (other,)),
    ]
    assert sorted(node for row in tree.rows() for node in row.nodes) == [1, 2, 3, 4]
    before = tree.nodes[other].move
    promoted = tree.promote(other)
    assert tree.nodes[promoted].move == before
    assert tree.children(tree.nodes[promoted].parent)[0] == promoted
    assert tree.promote(promoted) == promoted
    assert Analysis.from_json(tree.to_json()).nodes == tree.nodes
    parent = tree.remove(tree.children(ROOT)[0])
    assert parent == ROOT
    assert [node.move for node in tree.nodes] == ["", "drive 2"]
    with pytest.raises(BadSetup):
        tree.remove(ROOT)


def grown(name: str, nodes: int, seed: int = 3) -> Analysis:
    """A game with variations of variations."""
    tree, dice = Analysis.of(played(name, min(nodes // 2, 90))), random.Random(seed)
    while len(tree) < nodes:
        node = dice.randrange(len(tree))
        for _ in range(5):
            if tree.turn(node) is not None and len(tree) < nodes:
                node = tree.add(node, str(dice.choice(list(tree.legal_moves(node)))))
    return tree


@pytest.mark.parametrize("name", games.names())
def test_a_neighbourhood_is_small_and_leads_everywhere(name):
    tree = grown(name, 700)
    assert tree.neighbourhood(5, 1_000) == set(range(len(tree)))
    shown = {node: tree.neighbourhood(node, 60) for node in range(len(tree))}
    for node, nodes in shown.items():
        assert node in nodes
        assert 30 <= len(nodes) <= 60
        top = min(nodes)
        assert all(tree.nodes[other].parent in nodes for other in nodes - {top})
        assert {*tree.path(node)[-15:]} <= nodes
        rows = tree.rows(nodes)
        assert sorted(other for row in rows for other in row.nodes) == sorted(nodes - {ROOT})
        for row in rows:
            assert row.more is None or row.more not in nodes
    # whoever follows the links comes to every node
    reached, todo = {0}, [0]
    while todo:
        node = todo.pop()
        nodes = shown[node]
        links = {row.more for row in tree.rows(nodes)} | nodes
        if (top := min(nodes)) != ROOT:
            links.add(tree.nodes[top].parent)
        todo += links - reached - {None}
        reached |= links - {None}
    assert reached == set(range(len(tree)))


def test_many_variations_of_one_move_are_walked_through_in_both_directions():
    tree = Analysis("cuba", 4)
    tree.draw(ROOT, 3)
    node = max(range(len(tree)), key=lambda node: len(tree.legal_moves(node)))
    for move in tree.legal_moves(node):
        tree.add(node, str(move))
    variations = tree.children(node)
    assert len(variations) >= 15
    for number, variation in enumerate(variations):
        nodes = tree.neighbourhood(variation, 12)
        assert variations[0] in nodes  # the main line is always there
        assert variations[max(0, number - 1)] in nodes
        assert variations[min(len(variations) - 1, number + 1)] in nodes
        more = {row.more for row in tree.rows(nodes)}
        assert more - {None}


def test_positions_stay_right_when_nodes_get_other_numbers(tree):
    """Every node in any order, with nodes removed and promoted meanwhile, and in copies."""
    tree, dice = Analysis.of(played("santiago", 60)), random.Random(4)
    for turn in range(60):
        node = dice.randrange(len(tree))
        if tree.turn(node) is not None:
            tree.add(node, str(dice.choice(list(tree.legal_moves(node)))))
        if turn % 15 == 14:
            tree.promote(len(tree) - 1)
            tree.remove(len(tree) - 1)
        other = tree.copy()
        other.remove(other.children(ROOT)[0])
        for asked in dice.sample(range(len(tree)), 5):
            fresh = Analysis.from_json(tree.to_json())
            assert tree.position(asked).tobytes() == fresh.position(asked).tobytes()
            if asked != ROOT:
                assert tree.step(asked).events == fresh.step(asked).events
                assert tree.step(asked).before.tobytes() == fresh.position(tree.nodes[asked].parent).tobytes()
    assert len(other) < len(tree)
    with pytest.raises(BadSetup, match="no such move"):
        tree.step(ROOT)


def test_every_position_is_computed_once(monkeypatch):
    tree, made = grown("santiago", 300), []
    tree = Analysis.from_json(tree.to_json())
    make = tree_module.make_move
    monkeypatch.setattr(tree_module, "make_move", lambda *args: (made.append(1), make(*args)))
    for _ in range(3):
        for node in range(1, len(tree)):
            tree.view(node)
            tree.turn(node)
            tree.step(node)
    leaves = sum(not tree.children(node) for node in range(len(tree)))
    assert len(made) == leaves  # the others were computed when the document was checked
    copy = tree.copy()
    copy.note(5, "x")
    copy.position(len(copy) - 1)
    assert len(made) == leaves


def test_a_note_writes_one_node_again(monkeypatch):
    tree, written = grown("santiago", 300), []
    before = tree.to_json()
    original = tree_module.json_text
    monkeypatch.setattr(tree_module, "json_text", lambda value: (written.append(value), original(value))[1])
    copy = tree.copy()
    copy.note(7, "x")
    after = copy.to_json()
    assert [value["note"] for value in written] == ["x"]
    assert tree.to_json() == before != after
    assert Analysis.from_json(after).nodes == copy.nodes


def test_copies_do_not_share_what_is_added():
    tree = grown("santiago", 40)
    copies = tree.copy(), tree.copy()
    moves = [str(move) for move in tree.legal_moves(0)][:2]
    new = [copy.add(0, move) for copy, move in zip(copies, reversed(moves), strict=True)]
    for copy, node in zip(copies, new, strict=True):
        fresh = Analysis.from_json(copy.to_json())
        assert copy.position(node).tobytes() == fresh.position(node).tobytes()
        assert list(copy.children(0)) == list(fresh.children(0))
    assert len(tree) == 40


def test_what_cannot_be_added(tree):
    with pytest.raises(IllegalMove, match="5 pesos"):
        tree.add(ROOT, "drive 9")
    with pytest.raises(NotAMove):
        tree.add(ROOT, "fly")
    with pytest.raises(BadSetup, match="no such move"):
        tree.add(7, "drive 1")
    over = Analysis.of(_finished())
    with pytest.raises(IllegalMove):
        over.add(over.main_line()[-1], "drive 1")
    assert over.turn(over.main_line()[-1]) is None


def _finished() -> Match:
    match = Match("santiago", 2, seed=1)
    while not match.is_over:
        match.push(match.legal_moves[-1])
    return match


def test_chance_is_somebody_to_move_for_too():
    tree = Analysis("santiago", 2)
    assert tree.turn(ROOT) == -1
    chosen = tree.add(ROOT, "place church")
    laid = tree.draw(chosen, 3)
    assert tree.turn(laid) in (0, 1)
    assert tree.draw(laid, 3) == laid


def test_notes(tree):
    tree.note(ROOT, "  begin\x00ning\nhere ")
    assert tree.nodes[ROOT].note == "beginning\nhere"
    tree.note(ROOT, "")
    assert tree.nodes[ROOT].note == ""
    with pytest.raises(BadSetup, match="at most"):
        tree.note(ROOT, "x" * (LONGEST_NOTE + 1))


def _with(tree: Analysis, **changed: object) -> str:
    return json.dumps(json.loads(tree.to_json()) | changed)


def test_documents_that_are_none(tree):
    tree.add(ROOT, "drive 1")
    assert Analysis.from_json(_with(tree)).nodes == tree.nodes
    for changed in (
        {"analysis": 2},
        {"game": "chess"},
        {"game": 3},
        {"rules": 99},
        {"players": 9},
        {"players": "2"},
        {"options": {"fly": True}},
        {"table": {"pesos.red": -1}},
        {"table": {"pesos.red": 1, "cuban_at.1": "pedro", "cuban_at.2": "pedro"}},
        {"table": []},
        {"nodes": []},
        {"nodes": [{}] * (MOST_NODES + 1)},
        {"nodes": [{"move": "drive 1"}]},
        {"nodes": [{}, {"after": 1, "move": "drive 1"}]},
        {"nodes": [{}, {"after": True, "move": "drive 1"}]},
        {"nodes": [{}, {"after": -1, "move": "drive 1"}]},
        {"nodes": [{}, {"after": 0, "move": "drive 9"}]},
        {"nodes": [{}, {"after": 0, "move": 3}]},
        {"nodes": [{}, {"after": 0, "move": "drive 1", "note": "x" * (LONGEST_NOTE + 1)}]},
        {"nodes": [{}, {"after": 0, "move": "drive 1", "more": 1}]},
        {"more": 1},
    ):
        with pytest.raises(BadRecord):
            Analysis.from_json(_with(tree, **changed))
    for text in ("", "[]", "{", "[" * 100_000, "x" * 2_000_000, '{"analysis": 1}'):
        with pytest.raises(BadRecord):
            Analysis.from_json(text)


def test_a_very_long_line_is_no_trouble():
    match = played("cuba", 2_000, 9)
    tree = Analysis.of(match)
    assert Analysis.from_json(tree.to_json()).position(len(tree) - 1).tobytes() == match.position.tobytes()
    assert len(tree.rows()) == 1


def test_the_example():
    assert doctest.testmod(package).failed == 0
