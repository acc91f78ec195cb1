"""The journal: events in order, nothing lost, no journal no trouble."""

from malecon.kernel.journal import LONGEST, Event, events, new_journal, note


def test_a_new_journal_is_empty():
    assert events(new_journal()) == []


def test_events_come_back_as_they_were_noted_in_order():
    journal = new_journal()
    note(journal, 3, 1, 5, 7, 9)
    note(journal, 0, -1, -40, -1, -1)
    assert events(journal) == [Event(3, 1, 5, 7, 9), Event(0, -1, -40, -1, -1)]


def test_where_no_journal_is_kept_noting_does_nothing():
    note(None, 3, 1, 5, 7, 9)


def test_the_longest_journal_fits():
    journal = new_journal()
    for number in range(LONGEST):
        note(journal, 0, 0, number, 0, 0)
    assert [event.amount for event in events(journal)] == list(range(LONGEST))


def test_numbers_beyond_a_byte_are_kept():
    journal = new_journal()
    note(journal, 1, 0, 1_000_000, -1, -1)
    assert events(journal)[0].amount == 1_000_000


def test_what_an_event_does_not_say_is_minus_one():
    assert Event(2, 0) == Event(2, 0, 0, -1, -1)
