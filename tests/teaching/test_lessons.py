"""Every lesson: its solution reaches the goal, and not before its last move; each wrong turn finds its words."""

from __future__ import annotations

from dataclasses import replace

import pytest

from malecon.kernel.errors import IllegalMove, NotAMove
from malecon.teaching.lesson_check import check, rows
from malecon.teaching.lessons import MISSED, Lesson, find, lessons
from malecon.text import LANGUAGES, translate

ALL = [*lessons("santiago"), *lessons("cuba")]


def name(lesson: Lesson) -> str:
    return f"{lesson.game} {lesson.key}"


def test_there_are_eight_to_ten_for_each_game():
    assert 8 <= len(lessons("santiago")) <= 10
    assert 8 <= len(lessons("cuba")) <= 10
    assert len({name(lesson) for lesson in ALL}) == len(ALL)
    assert find("cuba", "parliament") is lessons("cuba")[-1]
    assert find("cuba", "first-drive") is None


@pytest.mark.parametrize("lesson", ALL, ids=name)
def test_the_solution_reaches_the_goal(lesson):
    for count in range(len(lesson.solution)):
        run = lesson.play(lesson.solution[:count])
        assert run.is_on, lesson.solution[:count]
        assert not run.reached
        assert run.hint is None, lesson.solution[:count]
        assert run.view.turn == 0
    run = lesson.play(lesson.solution)
    assert run.reached
    assert not run.is_on
    assert run.hint is None


@pytest.mark.parametrize("lesson", ALL, ids=name)
def test_every_wrong_turn_finds_its_words(lesson):
    assert lesson.wrong
    for turn in lesson.wrong:
        run = lesson.play(turn.example)
        assert not run.reached, turn.example
        assert run.hint == turn.words, turn.example


@pytest.mark.parametrize("lesson", ALL, ids=name)
def test_a_turn_that_leads_nowhere_is_never_left_without_a_word(lesson):
    """Whatever is chosen first, the lesson goes on, is done, or something is said."""
    begun = lesson.play(())
    for code in begun.legal:
        run = lesson.play((begun.game.notation.name(code),))
        assert run.reached or run.is_on or run.hint is not None


def test_what_cannot_be_played_is_refused():
    lesson = lessons("santiago")[0]
    with pytest.raises(IllegalMove):
        lesson.play(("drive 9",))
    with pytest.raises(NotAMove):
        lesson.play(("fly",))
    with pytest.raises(IllegalMove):  # it is over
        lesson.play((*lesson.solution, "pass"))


def test_the_end_of_a_lesson_that_was_missed_is_said():
    lesson = find("santiago", "first-drive")
    run = lesson.play(("drive 1", "visit bank", "use bank"))
    assert run.hint == MISSED
    assert not run.is_on


@pytest.mark.parametrize("language", LANGUAGES)
def test_lessons_are_told_in_every_language(language):
    for lesson in ALL:
        for text in (lesson.title, lesson.task, lesson.why, *(turn.words for turn in lesson.wrong)):
            assert "{" not in translate(text, language)


@pytest.mark.slow
@pytest.mark.parametrize("lesson", ALL, ids=name)
def test_the_taught_move_is_the_best_and_wrong_turns_are_worse(lesson):
    assert all(verdict.holds for verdict in check(lesson)), "\n".join(rows(lesson))


@pytest.mark.parametrize("lesson", ALL[::3], ids=name)
def test_a_shorter_search_agrees_with_a_sample_of_the_lessons(lesson):
    assert all(verdict.holds for verdict in check(lesson, sims=20_000)), "\n".join(rows(lesson, sims=20_000))


def test_the_check_finds_a_taught_move_that_is_not_the_best():
    lesson = find("santiago", "customs")
    wrong = replace(lesson, solution=("drive 2",), is_reached=lambda run: False, wrong=())
    assert [verdict.holds for verdict in check(wrong, sims=2_000, seeds=(1,))] == [False]
    assert check(wrong, sims=2_000, seeds=(1,))[0].best == "drive 1"
