"""What the check of a trial (`tests.cluster`) finds: a sound history, put wrong in one way after another."""

from collections.abc import Callable
from uuid import UUID, uuid4

import pytest
from msgspec import Struct

from domain.kernel.audience import Audience
from domain.match.chain import ZERO, Draft, Entry, seal
from domain.titles import TITLES
from tests.cluster import checking
from tests.cluster.load import Book, Heard, Onlooker, Table, Told
from tests.cluster.trial import Outcome, Report, lost_or_late
from tests.server.history import Acknowledged, Event, Invoked, Refused

SALT = b"s" * 32
MATCH = UUID(int=7)
OPEN: Draft = ("Happened", 1, Audience.ALL, False, b"{}")
HIDDEN: Draft = ("Happened", 1, Audience.SIDE_0, False, b"{}")


class Made(Struct):
    """A history."""

    book: Book
    logged: checking.Logged


def sound() -> Made:
    """Return two commands of two facts each, of which onlookers see three, and what everybody was told."""
    first, second = uuid4(), uuid4()
    one = seal(MATCH, first, 1, 0, ZERO, [OPEN, HIDDEN], SALT)
    two = seal(MATCH, second, 2, 2, one[-1].hash, [OPEN, OPEN], SALT)
    events: list[Event] = [
        Invoked(MATCH, first, 10),
        Acknowledged(MATCH, first, 20, (2,), one[-1].hash),
        Invoked(MATCH, second, 30),
        Acknowledged(MATCH, second, 40, (4,), two[-1].hash),
    ]
    book = Book(events=events, tables={MATCH: 0}, ranges={MATCH: {(0, 2): (1,), (2, 4): (3, 4)}})
    entries: list[Entry] = [*one, *two]
    feed = [(MATCH, seq) for seq in range(1, 5)]
    return Made(book, checking.Logged({MATCH: entries}, {MATCH: SALT}, feed))


def found(made: Made) -> list[str]:
    """Return what is found but for what takes the rules, which these facts have not."""
    return [*checking.as_logged(made.book, made.logged), *checking.as_seen(made.book, made.logged)]


def test_a_sound_history_has_no_violation() -> None:
    assert [] == found(sound())


def lose_an_acknowledged_command(made: Made) -> None:
    del made.logged.entries[MATCH][2:]
    del made.logged.feed[2:]


def acknowledge_another_hash(made: Made) -> None:
    made.book.events[1] = Acknowledged(MATCH, made.book.events[1].command, 20, (2,), ZERO)


def refuse_what_is_there(made: Made) -> None:
    made.book.events[3] = Refused(MATCH, made.book.events[3].command, 40)


def break_the_chain(made: Made) -> None:
    made.logged.salts[MATCH] = b"t" * 32


def begin_late_what_stands_first(made: Made) -> None:
    made.book.events[0] = Invoked(MATCH, made.book.events[0].command, 50)


def feed_a_fact_twice(made: Made) -> None:
    made.logged.feed.append(made.logged.feed[-1])


def show_onlookers_what_is_hidden(made: Made) -> None:
    made.book.ranges[MATCH][0, 2] = (1, 2)


def keep_something_from_onlookers(made: Made) -> None:
    made.book.ranges[MATCH][2, 4] = (3,)


@pytest.mark.parametrize(
    "spoil",
    [
        lose_an_acknowledged_command,
        acknowledge_another_hash,
        refuse_what_is_there,
        break_the_chain,
        begin_late_what_stands_first,
        feed_a_fact_twice,
        show_onlookers_what_is_hidden,
        keep_something_from_onlookers,
    ],
)
def test_what_is_wrong_is_found(spoil: Callable[[Made], None]) -> None:
    made = sound()
    spoil(made)

    assert found(made)


@pytest.mark.parametrize(
    "heard",
    [
        Heard("frame", after=3, upto=4, facts=[Told(4)]),
        Heard("frame", after=1, upto=3, facts=[Told(2), Told(3)]),
        Heard("frame", after=2, upto=4, facts=[Told(4)]),
        Heard("view", upto=1),
    ],
    ids=["a hole", "a repeat", "otherwise than others", "an older view"],
)
def test_an_onlooker_notes_what_does_not_follow(heard: Heard) -> None:
    book = sound().book
    table = Table(0, TITLES["midway"], "", book, 0.0, 0)
    onlooker = Onlooker(table, "", book, "127.0.0.1")
    onlooker.match, onlooker.upto = MATCH, 2
    onlooker._heard(Heard("frame", after=2, upto=4, facts=[Told(3), Told(4)]))
    assert [] == book.faults

    onlooker.upto = 2
    onlooker._heard(heard)

    assert 1 == len(book.faults)


def test_a_kill_is_over_when_every_table_has_stored_what_was_sent_after_it() -> None:
    book = sound().book
    book.tables[UUID(int=8)] = 1
    book.events += [
        Invoked(UUID(int=8), UUID(int=1), 24),
        Acknowledged(UUID(int=8), UUID(int=1), 60, (1,), ZERO),
        Invoked(UUID(int=8), UUID(int=2), 70),
        Acknowledged(UUID(int=8), UUID(int=2), 90, (2,), ZERO),
    ]

    spans = checking.recoveries(book, [("redis", 22), ("node1", 26), ("node2", 35)], 2)

    assert [38e-9, 64e-9, None] == [span.seconds and round(span.seconds, 12) for span in spans]


def outcome(
    *recoveries: checking.Recovery, acknowledged: int = 500, violations: tuple[str, ...] = ()
) -> Outcome:
    """Return what came of a trial with two kills."""
    report = Report(3, 2, 600, acknowledged, len(violations), 1000, 2000)
    return Outcome(report, list(violations), [], list(recoveries))


def test_a_trial_is_wrong_where_something_is_lost_or_late_or_too_little_happened() -> None:
    sound, late = checking.Recovery("postgres", 31.9, 30.0), checking.Recovery("postgres", 32.0, 30.0)
    never = [checking.Recovery("postgres", None, 30.0), checking.Recovery("postgres", 31.0)]

    assert [] == lost_or_late(outcome(sound, sound), kills=2)
    assert ["a fact is lost"] == lost_or_late(outcome(sound, violations=("a fact is lost",)), kills=2)
    for wrong in (outcome(sound, late), *map(outcome, never), outcome(sound, acknowledged=100)):
        assert 1 == len(lost_or_late(wrong, kills=2))
    assert 1 == len(lost_or_late(outcome(sound), kills=3))
