"""The solver: the same answers as plain recursion on hundreds of positions, and no claim without a proof."""

from __future__ import annotations

import numpy as np
import pytest

from malecon import games
from malecon.bots import make, solver
from malecon.bots.history import known_to, position_from_history
from malecon.bots.solver import NO, UNKNOWN, YES, Question, Solver
from malecon.bots.verdicts import Proof, Verdict, tell_verdict
from malecon.kernel import verbs
from malecon.kernel.game import Game
from malecon.kernel.randomness import randomness
from malecon.kernel.verbs import CHANCE, NOBODY
from malecon.match import Match
from tests.bots.endings import endings, winning_delivery

TABLES = [(name, players) for name, most in (("santiago", 4), ("cuba", 5)) for players in range(2, most + 1)]
#: Positions that plain recursion may visit for a question; larger endings are left out.
MOST_VISITED = 1_500
#: Answers compared at each table, and verdicts compared.
COMPARED, VERDICTS = 60, 15


class TooLarge(Exception):
    """The ending is too large for plain recursion, or a position repeats."""


class Plain:
    """Answers questions by plain recursion over all moves: slow, and short enough to be read."""

    def __init__(self, game: Game, question: Question) -> None:
        self.game, self.question = game, question
        self.answers: dict[bytes, int | None] = {}

    def answer(self, position: np.record) -> int:
        seat = verbs.actor(position)
        if seat == NOBODY:
            return YES if self.has_won(position) else NO
        if seat == CHANCE:
            return UNKNOWN
        key = position.tobytes()
        if key in self.answers:
            answer = self.answers[key]
            if answer is None:
                raise TooLarge
            return answer
        if len(self.answers) > MOST_VISITED:
            raise TooLarge
        self.answers[key] = None
        answers: set[int] = set()
        for after in self.successors(position):
            answers.add(self.answer(after))
            if self.is_settled(position, seat, answers):
                break
        self.answers[key] = answer = self.combine(position, seat, answers)
        return answer

    def has_won(self, position: np.record) -> bool:
        standings = [verbs.standing(position, seat) for seat in range(self.question.players)]
        own = standings[self.question.seat]
        return own == max(standings) and not (self.question.alone and standings.count(own) > 1)

    def successors(self, position: np.record) -> list[np.record]:
        moves = np.zeros(self.game.most_legal, np.int16)
        successors = []
        for move in moves[: verbs.legal(position, moves)].tolist():
            after = position.copy()
            verbs.play(after, move)
            successors.append(after)
        return successors

    def is_blind(self, position: np.record, seat: int) -> bool:
        """Return whether the seat must decide without seeing everything, and that matters for the question."""
        if self.game.conceals is None or self.question.together:
            return False
        return bool(known_to(self.game, position, seat).tobytes() != position.tobytes())

    def sought(self, seat: int) -> int:
        return YES if self.question.together or self.question.side >> seat & 1 else NO

    def is_settled(self, position: np.record, seat: int, answers: set[int]) -> bool:
        """Return whether the answers of the other moves do not matter any more."""
        return len(answers) > 1 if self.is_blind(position, seat) else self.sought(seat) in answers

    def combine(self, position: np.record, seat: int, answers: set[int]) -> int:
        if len(answers) == 1:
            return answers.pop()
        if self.is_blind(position, seat):
            return UNKNOWN
        if self.sought(seat) in answers:
            return self.sought(seat)
        return UNKNOWN if UNKNOWN in answers else YES + NO - self.sought(seat)


def has_unknown(position: np.record) -> bool:
    guessed = position.copy()
    verbs.guess(guessed, verbs.actor(position), randomness(1))
    return bool(guessed.tobytes() != position.tobytes())


def questions(players: int, secrets: bool) -> list[Question]:
    everybody = (1 << players) - 1
    asked = [Question(1 << seat, seat, alone, False, players, secrets) for seat in range(2) for alone in (True, False)]
    asked += [Question(everybody, seat, False, True, players, secrets) for seat in range(players)]
    return [*asked, Question(1, 1, True, False, players, secrets)]


@pytest.mark.parametrize(("name", "players"), TABLES)
def test_answers_are_those_of_plain_recursion(name: str, players: int) -> None:
    game = games.get(name)
    memory = solver.new_memory(game)
    compared, answers = 0, set()
    for position in endings(name, players):
        if has_unknown(position):
            continue
        for question in questions(players, game.conceals is not None):
            try:
                expected = Plain(game, question).answer(position.copy())
            except TooLarge:
                continue
            memory.cells[0] = position
            assert solver.ask(memory, question, 10_000_000) == expected
            answers.add(expected)
            compared += 1
        if compared >= COMPARED:
            break
    assert compared >= COMPARED
    assert {YES, NO} <= answers


def plain_value(game: Game, position: np.record, seat: int, secrets: bool) -> Proof | None:
    """Return what is proven for one of two seats."""
    alone = Plain(game, Question(1 << seat, seat, True, False, 2, secrets)).answer(position.copy())
    if alone != NO:
        return Proof.WON if alone == YES else None
    shared = Plain(game, Question(1 << seat, seat, False, False, 2, secrets)).answer(position.copy())
    return {YES: Proof.DRAWN, NO: Proof.LOST, UNKNOWN: None}[shared]


@pytest.mark.parametrize("name", ["santiago", "cuba"])
def test_verdicts_on_positions_and_moves_of_two_are_those_of_plain_recursion(name: str) -> None:
    game = games.get(name)
    secrets = game.conceals is not None
    judge, compared, winners = Solver(game, 2), 0, set()
    for position in endings(name, 2):
        seat = verbs.actor(position)
        if has_unknown(position):
            assert not judge.judge(position, 100_000).is_proven
            continue
        try:
            expected = plain_value(game, position, seat, secrets)
        except TooLarge:
            continue
        verdict = judge.judge(position, 10_000_000)
        assert verdict.winner == (None if expected is None else {Proof.WON: seat, Proof.LOST: 1 - seat}.get(expected))
        assert verdict.is_drawn == (expected == Proof.DRAWN)
        moves = np.zeros(game.most_legal, np.int16)
        for move in moves[: verbs.legal(position, moves)].tolist() if expected else ():
            after = position.copy()
            verbs.play(after, move)
            assert verdict.moves.get(move) == plain_value(game, after, seat, secrets)
        winners.add(verdict.winner)
        compared += 1
        if compared >= VERDICTS:
            break
    assert compared >= VERDICTS
    assert {0, 1} <= winners


@pytest.mark.parametrize(("name", "players"), [table for table in TABLES if table[1] > 2])
def test_verdicts_of_more_players_are_those_of_plain_recursion(name: str, players: int) -> None:
    game = games.get(name)
    secrets = game.conceals is not None
    judge, compared = Solver(game, players), 0
    for position in endings(name, players):
        if has_unknown(position):
            continue

        def answer(side: int, seat: int, alone: bool, together: bool, position: np.record = position) -> int:
            return Plain(game, Question(side, seat, alone, together, players, secrets)).answer(position.copy())

        try:
            can_win = [seat for seat in range(players) if answer((1 << players) - 1, seat, False, True) != NO]
            forcing = [seat for seat in range(players) if answer(1 << seat, seat, True, False) == YES]
            deciders = [
                seat
                for seat in range(players)
                if seat not in can_win
                and all(answer(1 << seat | 1 << other, other, True, False) == YES for other in can_win)
            ]
        except TooLarge:
            continue
        verdict = judge.judge(position, 10_000_000)
        if not solver.ends_without_chance(judge.memory):
            continue
        if forcing or len(can_win) == 1:
            assert verdict.winner in (forcing or can_win)
            assert verdict.can_win == (verdict.winner,)
        else:
            assert verdict.winner is None
            assert verdict.can_win == tuple(can_win)
            assert verdict.decider == (deciders[0] if deciders else None)
        compared += 1
        if compared >= VERDICTS:
            break
    assert compared >= VERDICTS


def test_it_proves_a_win_a_loss_and_who_decides() -> None:
    match, position = winning_delivery()
    name = match.game.notation.name
    verdict = Solver(match.game, 2).judge(position, 10_000)
    assert verdict.winner == 0
    assert [verdict.for_seat(seat) for seat in range(2)] == [Proof.WON, Proof.LOST]
    assert {name(code): value for code, value in verdict.moves.items()} == {
        "deliver 1 sugar": Proof.WON,
        "pass": Proof.LOST,
    }
    position.points[:2] = (10, 20)
    assert Solver(match.game, 2).judge(position, 10_000).winner == 1


def kingmaker() -> tuple[Match, np.record]:
    """Green cannot win, but its delivery, or none, decides between Red, who is ahead, and Blue, who holds a sugar."""
    match = Match("santiago", 3, seed=3)
    bot = make("random", 3)
    for _ in range(4):
        match.push(bot.choose(match.view(match.turn)))
    position = match.position
    winning = winning_delivery()[1]
    for field in ("phase", "ship", "value", "departed", "passed"):
        position[field] = winning[field]
    position.active = position.actor = 2
    position.demand[:] = (1, 0, 0, 0, 0)
    position.goods[:] = 0
    position.goods[2, 0] = position.goods[1, 0] = 1
    position.points[:3] = (20, 17, 2)
    position.passed = 1  # Red is out of this round
    return match, position


def test_a_result_in_the_hands_of_one_who_cannot_win() -> None:
    match, position = kingmaker()
    verdict = Solver(match.game, 3).judge(position, 100_000)
    assert verdict.winner is None
    assert verdict.can_win == (0, 1)
    assert verdict.decider == 2
    assert [verdict.for_seat(seat) for seat in range(3)] == [None, None, Proof.LOST]
    assert str(tell_verdict(verdict, 0, match.names)) == "in the hands of Yellow"


def test_before_dice_that_matter_nothing_is_proven() -> None:
    match = Match("santiago", 2, seed=1)
    assert match.turn is not None
    verdict = Solver(match.game, 2).judge(position_from_history(match.view(match.turn)), 100_000)
    assert verdict == Verdict(can_win=(0, 1))


def test_what_a_seat_does_not_know_is_not_claimed() -> None:
    match, position = winning_delivery()
    verbs.hide(position, 0)
    assert not Solver(match.game, 2).judge(position, 10_000).is_proven


@pytest.mark.parametrize("budget", [1, 30, 300])
def test_a_small_budget_is_kept_and_proves_less_but_nothing_else(budget: int) -> None:
    game = games.get("santiago")
    large, small = Solver(game, 2), Solver(game, 2)
    for position in endings("santiago", 2)[:60]:
        verdict, full = small.judge(position, budget), large.judge(position, 300_000)
        assert verdict.positions <= budget + 40 * game.most_legal
        if verdict.is_proven and full.is_proven:
            assert (verdict.winner, verdict.is_drawn) == (full.winner, full.is_drawn)


def test_a_full_table_changes_no_answer() -> None:
    game = games.get("santiago")
    tiny, usual = Solver(game, 2, table_size=64), Solver(game, 2)
    proven = 0
    for position in endings("santiago", 2)[:80]:
        first, second = tiny.judge(position, 60_000), usual.judge(position, 60_000)
        if first.is_proven and second.is_proven:
            assert (first.winner, first.is_drawn) == (second.winner, second.is_drawn)
            proven += 1
    assert proven >= 20
