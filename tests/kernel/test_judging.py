"""What is judged of a log by itself, where a record would be found out before; see also test_forgery."""

from uuid import UUID

import pytest
from msgspec import Raw
from msgspec.structs import replace

from domain.kernel.facts import Decided, Fact, How, Paused
from domain.kernel.seats import Clock, Seat
from domain.match.chain import Fault
from domain.match.draws import DrawAnswered, DrawOffered
from domain.match.game import Game
from domain.match.judging import judge, set_up_fault
from domain.match.notices import (
    Created,
    Ended,
    GameEnded,
    NonceCommitted,
    NonceShown,
    Resigned,
    SeatTaken,
    Started,
    TimeOutClaimed,
)
from tests.kernel.playing import opening
from tests.kernel.probe import Said, Unsaid, probe
from tests.projections.play import SECOND, START, Played, Tale, play, retold, tale
from tests.tiny import GAME

PLAYED = play(GAME, "skirmish", seed=3)
CREATED = PLAYED.facts[0][1]


def test_a_true_set_up_has_no_fault() -> None:
    assert "" == set_up_fault(GAME, CREATED)


def test_a_set_up_of_another_title_or_of_none() -> None:
    assert isinstance(CREATED, Created)

    assert "the title is tiny, not midway" == set_up_fault(GAME, replace(CREATED, title="midway"))
    assert "the first fact does not say what is played" == set_up_fault(GAME, Started())


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"scenario": "siege"}, "The Tiny Lagoon has no scenario siege; it has skirmish, campaign"),
        ({"clock": Clock(0)}, "a clock needs some time to begin with"),
        (
            {"seats": (Seat("South", 1), Seat("North", 0))},
            "the seats are North of side 0, South of side 1, not South of side 1, North of side 0",
        ),
        ({"seats": ()}, "the seats are North of side 0, South of side 1, not none"),
    ],
)
def test_a_set_up_that_the_title_would_not_have_made(change: dict[str, object], why: str) -> None:
    assert why == set_up_fault(GAME, replace(CREATED, **change))


def test_a_log_and_each_of_its_beginnings_have_no_fault() -> None:
    assert [None] * (len(PLAYED.commands) + 1) == [
        judge(GAME, PLAYED.commands[:length]) for length in range(len(PLAYED.commands) + 1)
    ]


def test_what_stands_behind_the_key() -> None:
    told = tale(PLAYED)
    at, facts = told[-1]
    seq = PLAYED.entries[-1].seq
    behind = retold(PLAYED, [*told[:-1], (at, [*facts, Ended("00")])])
    later = retold(PLAYED, [*told, (at, [DrawOffered(0)])])

    assert Fault(seq + 1, "follows the end") == judge(GAME, behind.commands)
    assert Fault(seq + 1, "could not be: the match is over") == judge(GAME, later.commands)


def test_play_behind_the_end() -> None:
    told = tale(PLAYED)
    decided = next(facts for _, facts in told[5:])
    later = retold(PLAYED, [*told, (told[-1][0], decided)])

    assert Fault(PLAYED.entries[-1].seq + 1, "is play, and the match is over") == judge(GAME, later.commands)


def test_what_is_forced_on_another_seat_is_no_decision_of_its_own() -> None:
    for seed in (16, 27):
        played = play(GAME, "skirmish" if seed == 16 else "campaign", seed=seed, undos=0)
        decided = [[f for f in facts if isinstance(f, Decided)] for _, facts in tale(played)]

        assert any(
            head.how != last.how and head.seat != last.seat for head, *_, last in filter(_two, decided)
        )
        assert judge(GAME, played.commands) is None


def _two(decided: list[Decided]) -> bool:
    return len(decided) > 1


# command by command

RESIGNED = GameEnded(1, "resignation", "match")
AGREED = GameEnded(None, "agreement", "match")
SUNK = GameEnded(0, "all boats are sunk", "7.1")
KEY = Ended("00" * 32)

NOT_HIS = "is a decision of seat 0 in a command that is not that seat's"
NO_DEFAULT = "is a default, and neither had time run out nor had the seat resigned"
NOBODY = "begins a command that nobody asked for, under the rules that the match was begun with"
NOT_FOLLOWED = "is not followed by the default decision of seat 0"

FIRST = 10
"""The seq of the first fact after two seats have begun."""


def begun(game: Game, clock: Clock | None = None) -> Tale:
    """The commands with which a match begins, at whose end seat 0 is asked."""
    created, *rest = opening(game, "probe", {})
    seats = len(game.seats("probe", {}))
    sat = [rest[2 * seat : 2 * seat + 2] for seat in range(seats)]
    shown = [[fact] for fact in rest[2 * seats : -1]]
    shown[-1] += [rest[-1], Paused((0,), 0, ())]
    return [(START, facts) for facts in [[replace(created, clock=clock)], *sat, *shown]]


def judged(told: Tale, game: Game | None = None) -> Fault | None:
    game = game or probe()
    return judge(game, retold(Played(game, UUID(int=1), bytes(32), []), told).commands)


def behind(*commands: list[Fact], seats: int = 2) -> Fault | None:
    """What is found when a match of two has begun and this follows."""
    game = probe(seats=seats)
    return judged([*begun(game), *((START, facts) for facts in commands)], game)


def choice(seat: int, how: How = "chosen", *, joined: bool = False) -> Decided:
    return Decided(seat, Raw(b'{"type":"Pass"}'), how, joined)


@pytest.mark.parametrize(
    "facts",
    [
        [choice(0)],
        [choice(1, "ordered"), Said("aye")],
        [choice(0), Said("aye"), choice(0, joined=True), choice(1, "forced")],
        [choice(0), SUNK, KEY],
        [DrawOffered(1)],
        [Resigned(0), RESIGNED, KEY],
    ],
)
def test_what_may_follow_once_a_match_has_begun(facts: list[Fact]) -> None:
    assert behind(facts) is None


@pytest.mark.parametrize(
    "facts",
    [[Said("the rules went on")], [choice(1, "forced"), Said("aye")], [Paused((0,), 0, ())]],
)
def test_a_command_without_a_decision_is_newer_rules_that_went_on_and_else_a_command_in_pieces(
    facts: list[Fact],
) -> None:
    game = probe()
    (at, [created]), *told = begun(game)
    older = (at, [replace(created, revision="0")])

    assert judged([older, *told, (START, [choice(0)]), (START, facts)]) is None
    assert Fault(FIRST + 1, NOBODY) == judged([(at, [created]), *told, (START, [choice(0)]), (START, facts)])


@pytest.mark.parametrize(
    ("facts", "place", "why"),
    [
        ([SUNK, KEY], 0, "follows from nothing"),
        ([CREATED], 0, "lays the match open once more"),
        ([Resigned(2), RESIGNED, KEY], 0, "could not be: there is no seat 2; there are 2, from 0"),
        ([Resigned(0)], 0, "is not followed by what comes of it: [side:1] won: resignation"),
        ([Resigned(0), KEY], 1, "is not what it should be: [side:1] won: resignation"),
        ([Resigned(0), RESIGNED], 1, "ends the match, and the key does not follow"),
        ([Resigned(0), RESIGNED, Said("done")], 2, "stands where the key is revealed"),
        ([Resigned(0), RESIGNED, KEY, Said("done")], 3, "follows the end"),
        ([DrawOffered(0), Said("please")], 1, "has no part in this command"),
        ([DrawOffered(0), KEY], 1, "ends what has not ended"),
        ([choice(0), KEY], 1, "ends what has not ended"),
        ([choice(0), SUNK], 1, "ends the match, and the key does not follow"),
        ([choice(0), SUNK, Said("done")], 2, "ends the match, and the key does not follow"),
        ([choice(0), SUNK, KEY, Said("done")], 3, "follows the end"),
        ([choice(0), SUNK, SUNK, KEY], 2, "stands in the midst of play"),
        ([choice(0), RESIGNED, KEY], 1, "ends the match by resignation, and there was none"),
        ([choice(0), AGREED, KEY], 1, "ends the match by agreement, and there was none"),
        ([choice(0), DrawOffered(0)], 1, "stands in the midst of play"),
        ([choice(-1)], 0, "is of seat -1, which is not there"),
        ([choice(2)], 0, "is of seat 2, which is not there"),
        ([choice(0), choice(2, "forced")], 1, "is of seat 2, which is not there"),
        (
            [choice(0, joined=True)],
            0,
            "is a decision that is joined to one before it, and begins its command",
        ),
        ([choice(0), choice(0)], 1, "is a decision that is not joined to the one before it"),
        (
            [choice(0), choice(1, joined=True)],
            1,
            "is a decision of seat 1 in a command that is not that seat's",
        ),
        ([Said("aye"), choice(0)], 1, NOT_HIS),
        (
            [choice(0, "forced"), choice(0, joined=True)],
            1,
            NOT_HIS,
        ),
        ([choice(0, "default")], 0, NO_DEFAULT),
        ([choice(0), Said("aye"), choice(0, "default")], 2, NO_DEFAULT),
    ],
)
def test_what_could_not_follow_and_the_first_fact_that_is_wrong(
    facts: list[Fact], place: int, why: str
) -> None:
    assert Fault(FIRST + place, why) == behind(facts)


def test_facts_that_break_the_fold_are_found_at_the_head_of_their_command() -> None:
    why = "and what came with it do not fit the match before: IndexError('pop index out of range')"

    assert Fault(FIRST + 1, why) == behind([choice(0)], [choice(0), Said("aye"), Unsaid(5)])


def test_the_rules_stand_still_before_the_match_has_begun() -> None:
    told = begun(probe())

    assert Fault(6, "is play, and the match has not begun") == judged([*told[:3], (START, [choice(0)])])


def test_how_a_match_begins() -> None:
    created, sat, *_ = (facts for _, facts in begun(probe()))

    why = "does not say what is played, as the first must"
    assert Fault(1, why) == judged([(START, [*sat, *created])])
    why = "cannot come with what is played: nobody has sat down"
    assert Fault(2, why) == judged([(START, [*created, sat[0]])])
    assert Fault(2, why) == judged([(START, [*created, *sat])])


def test_what_comes_of_a_seat_that_is_taken_and_of_the_last_nonce() -> None:
    told = begun(probe())
    taken, _ = told[1][1]
    shown, started, paused = told[-1][1]
    assert isinstance(taken, SeatTaken)
    assert isinstance(shown, NonceShown)

    why = "could not be: the commitment to a nonce is 64 hex digits"
    assert Fault(2, why) == judged([told[0], (START, [taken])])
    why = "is not what it should be: The nonce of [seat:0] is fixed"
    promise = NonceCommitted(1, told[1][1][1].hash)  # type: ignore[attr-defined]
    assert Fault(3, why) == judged([told[0], (START, [taken, promise])])
    why = "is not followed by what comes of it: The match begins"
    assert Fault(7, why) == judged([*told[:-1], (START, [shown])])
    assert Fault(10, NOT_HIS) == judged([*told[:-1], (START, [shown, started, paused, choice(0)])])
    assert judged([*told[:-1], (START, [shown, started, choice(0, "forced")])]) is None


def test_a_draw_that_all_agreed_to_ends_the_match() -> None:
    agreed: list[Fact] = [DrawAnswered(1, agreed=True), AGREED, KEY]

    assert behind([DrawOffered(0)], agreed) is None
    assert Fault(FIRST + 2, "could not be: nothing is on offer") == behind([choice(0), Said("aye")], agreed)


def test_what_the_title_says_before_an_end_is_judged_with_it() -> None:
    rest = Paused((), 0, ())
    game = probe(closing=lambda state, end: [rest])  # noqa: ARG005

    def resigned(*facts: Fact) -> Fault | None:
        return judged([*begun(game), (START, [Resigned(0), *facts])], game)

    assert resigned(rest, RESIGNED, KEY) is None
    assert Fault(11, "is not followed by what comes of it: [side:1] won: resignation") == resigned(rest)
    assert Fault(11, "is not what it should be: The rules rest") == resigned(RESIGNED, KEY)


# seats that have resigned, and time


def test_a_seat_that_has_resigned_decides_by_default_alone() -> None:
    assert behind([Resigned(0)], [choice(0, "default"), Said("aye")], [choice(2)], seats=4) is None
    assert Fault(17, "is a decision of seat 0, which had resigned") == behind(
        [Resigned(0)], [choice(0)], seats=4
    )
    assert Fault(18, NO_DEFAULT) == behind([Resigned(0)], [Said("aye"), choice(0, "default")], seats=4)
    assert Fault(18, NOT_HIS) == behind(
        [Resigned(2)], [choice(2, "default"), choice(0, joined=True)], seats=4
    )


def timed(seconds: int, *facts: Fact) -> Fault | None:
    """What is found when so long after the question to seat 0, whose time is a minute, this follows."""
    game = probe()
    return judged([*begun(game, Clock(60)), (START + seconds * SECOND, [*facts])], game)


def test_what_may_follow_when_time_has_run_out() -> None:
    late, default = TimeOutClaimed(0), choice(0, "default")

    assert timed(60, late, default) is None
    assert timed(60, TimeOutClaimed(0, 1), default, Said("aye"), choice(1, "forced"), SUNK, KEY) is None


@pytest.mark.parametrize(
    ("seconds", "facts", "place", "why"),
    [
        (59, [TimeOutClaimed(0), choice(0, "default")], 0, "could not be: this seat has time left"),
        (60, [TimeOutClaimed(0)], 0, NOT_FOLLOWED),
        (60, [TimeOutClaimed(0), Said("aye")], 0, NOT_FOLLOWED),
        (60, [TimeOutClaimed(0), choice(0)], 0, NOT_FOLLOWED),
        (
            60,
            [TimeOutClaimed(0), choice(1, "default")],
            0,
            NOT_FOLLOWED,
        ),
        (60, [TimeOutClaimed(0), choice(0, "default"), choice(0, "default")], 2, NO_DEFAULT),
        (
            60,
            [TimeOutClaimed(0), choice(0, "default"), choice(0, joined=True)],
            2,
            NOT_HIS,
        ),
        (
            60,
            [TimeOutClaimed(0), choice(0, "default"), RESIGNED],
            2,
            "ends the match by resignation, and there was none",
        ),
    ],
)
def test_what_could_not_follow_when_time_has_run_out(
    seconds: int, facts: list[Fact], place: int, why: str
) -> None:
    assert Fault(FIRST + place, why) == timed(seconds, *facts)
