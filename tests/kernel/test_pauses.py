"""Pauses: who may offer, agree and go on, and that nothing happens and no time passes meanwhile."""

from collections.abc import Callable

import pytest
from msgspec import json
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Notice
from domain.kernel.seats import Clock, Match
from domain.match import draws, notices, pauses, undoing
from domain.match.chain import Entry, Fault
from domain.match.clock import Clocks
from domain.match.draws import DrawOffered
from domain.match.fold import Fold
from domain.match.judging import judge
from domain.match.notices import Created, GameEnded, Resigned, Started, TimeOutClaimed
from domain.match.pauses import ClocksStarted, ClocksStopped, PauseAnswered, PauseOffered
from domain.match.refusals import RequestError
from domain.match.rest import SECOND
from domain.match.undo import Undone
from tests.kernel.probe import chairs
from tests.projections.play import Played, Tale, play, retold, tale
from tests.tiny import GAME

MINUTE = Clock(60)


def begun(seats: int = 2, clock: Clock | None = MINUTE) -> Match:
    return noted(Match(), [Created("tiny", "skirmish", {}, "1", "", chairs(seats), clock), Started()])


def noted(match: Match, facts: list[Notice]) -> Match:
    for fact in facts:
        fact.note(match)
    return match


def paused() -> Match:
    return noted(begun(), [ClocksStopped()])


def refusal(attempt: Callable[[], object]) -> str:
    with pytest.raises(RequestError) as caught:
        attempt()
    return caught.value.code


def test_a_pause_is_offered_and_begins_when_the_other_agrees() -> None:
    match = begun()

    offered = pauses.offer(match, 1)
    assert [PauseOffered(1)] == offered
    assert ((1,), False) == (noted(match, offered).pause, bool(match.paused))

    answered = pauses.answer(match, 0, agreed=True)
    assert [PauseAnswered(0, agreed=True), ClocksStopped()] == answered
    noted(match, answered)
    assert (False, True) == (bool(match.pause), match.paused)


def test_a_pause_that_is_declined_is_off_the_table_and_may_be_offered_again() -> None:
    match = noted(begun(), [PauseOffered(1)])
    assert "offered" == refusal(lambda: pauses.offer(match, 0))

    noted(match, pauses.answer(match, 0, agreed=False))

    assert "no_offer" == refusal(lambda: pauses.answer(match, 0, agreed=True))
    assert [PauseOffered(0)] == pauses.offer(match, 0)


def test_all_seats_agree_to_a_pause_but_those_that_have_resigned() -> None:
    match = noted(begun(4), [Resigned(2), PauseOffered(0)])

    first = pauses.answer(match, 1, agreed=True)
    assert [PauseAnswered(1, agreed=True)] == first
    noted(match, first)

    assert [PauseAnswered(3, agreed=True), ClocksStopped()] == pauses.answer(match, 3, agreed=True)


def test_a_pause_that_waits_only_for_a_seat_that_has_resigned_since_can_be_offered_anew() -> None:
    match = noted(begun(), [PauseOffered(0), Resigned(1)])

    assert [PauseOffered(0), ClocksStopped()] == pauses.offer(match, 0)


def test_a_seat_without_another_pauses_at_once() -> None:
    assert [PauseOffered(0), ClocksStopped()] == pauses.offer(begun(1), 0)


def test_either_goes_on_without_asking_and_says_whose_time_runs() -> None:
    for seat in (0, 1):
        match = paused()
        going = pauses.resume(match, seat, (1,))
        assert [ClocksStarted(seat, (1,))] == going

        noted(match, going)

        assert not match.paused
        assert "not_paused" == refusal(lambda match=match: pauses.resume(match, 0, (1,)))  # type: ignore[misc]


@pytest.mark.parametrize(
    "attempt",
    [
        pauses.offer,
        lambda match, seat: pauses.answer(match, seat, agreed=True),
        lambda match, seat: pauses.resume(match, seat, ()),
    ],
)
def test_pauses_are_for_the_seats_of_a_match_that_is_played(attempt: Callable[[Match, int], object]) -> None:
    over, waiting = begun(), begun()
    over.over, waiting.started = True, False

    assert ["no_seat", "over", "not_started"] == [
        refusal(lambda: attempt(begun(), 2)),
        refusal(lambda: attempt(over, 0)),
        refusal(lambda: attempt(waiting, 0)),
    ]


def test_without_a_clock_there_is_nothing_to_pause() -> None:
    assert "no_clock" == refusal(lambda: pauses.offer(begun(clock=None), 0))


def test_who_offered_does_not_agree_too() -> None:
    assert "no_offer" == refusal(lambda: pauses.answer(noted(begun(), [PauseOffered(0)]), 0, agreed=True))


@pytest.mark.parametrize(
    "attempt",
    [
        lambda match: pauses.offer(match, 0),
        lambda match: undoing.undo_slip(match, 0, []),
        lambda match: undoing.offer_undo(match, 0, []),
        lambda match: undoing.answer_undo(match, 0, [], agreed=True),
    ],
)
def test_nothing_is_taken_back_while_the_match_is_paused(attempt: Callable[[Match], object]) -> None:
    assert "paused" == refusal(lambda: attempt(paused()))


def test_a_paused_match_can_be_drawn_and_resigned() -> None:
    assert [DrawOffered(0)] == draws.offer_draw(paused(), 0)
    assert GameEnded(1, "resignation", "match") in notices.resign(paused(), 0)


def test_the_end_of_a_match_ends_its_pause() -> None:
    state = GAME.state()
    state.match = noted(paused(), [PauseOffered(0)])

    GameEnded(None, "agreement", "match").fold(state)

    assert (False, False) == (bool(state.match.pause), bool(state.match.paused))


def test_a_match_that_goes_on_is_encoded_as_before_there_were_pauses() -> None:
    keys = set(json.decode(json.encode(begun())))

    assert set() == keys & {"pause", "paused"}
    noted(match := begun(), [PauseOffered(0)])
    assert {"pause"} == set(json.decode(json.encode(match))) - keys
    noted(match, [ClocksStopped()])
    assert {"paused"} == set(json.decode(json.encode(match))) - keys


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (PauseOffered(1), "[seat:1] offered a pause"),
        (PauseAnswered(0, agreed=True), "[seat:0] agreed to the pause"),
        (PauseAnswered(0, agreed=False), "[seat:0] declined the pause"),
        (ClocksStopped(), "The match is paused, and the clocks stand still"),
        (ClocksStarted(1, (0,)), "[seat:1] goes on, and the clocks run again"),
    ],
)
def test_what_is_said_of_a_pause(fact: Notice, words: str) -> None:
    assert words == fact.words()


# in a log

PLAYED = play(GAME, "campaign", clock=Clock(100, 10, 105), undos=0)
BEGUN = 5
"""The commands before the first decision."""


def told(*commands: tuple[int, list[Fact]]) -> Played:
    """A match of which this follows once it has begun: each command so many seconds after the one before."""
    story: Tale = tale(PLAYED)[:BEGUN]
    for seconds, facts in commands:
        story.append((story[-1][0] + seconds * SECOND, facts))
    return retold(PLAYED, story)


def folded(played: Played) -> Fold:
    fold = Fold(GAME)
    for command in played.commands:
        fold.apply(command)
    return fold


ASKED = folded(told()).state.asked
FIRST: list[Fact] = tale(PLAYED)[BEGUN][1]
BY: int = FIRST[0].seat  # type: ignore[attr-defined]
PAUSE: list[tuple[int, list[Fact]]] = [
    (10, [PauseOffered(0)]),
    (20, [PauseAnswered(1, agreed=True), ClocksStopped()]),
]


def clocks(played: Played) -> Clocks:
    found = folded(played).clocks
    assert found is not None
    return found


def test_while_the_match_is_paused_the_clocks_stand_still() -> None:
    going_on: tuple[int, list[Fact]] = (5_000, [ClocksStarted(1, ASKED)])

    during, after = clocks(told(*PAUSE)), clocks(told(*PAUSE, going_on, (7, [DrawOffered(0)])))

    assert [None, None] == [during.deadline(seat) for seat in (0, 1)]
    assert [70 * SECOND if seat in ASKED else 100 * SECOND for seat in (0, 1)] == [
        during.left[seat] for seat in (0, 1)
    ]
    assert [during.left[seat] - 7 * SECOND * (seat in ASKED) for seat in (0, 1)] == [
        after.left[seat] for seat in (0, 1)
    ]


def test_everybody_sees_that_the_match_is_paused() -> None:
    view = GAME.encode(folded(told(*PAUSE)).view(Audience.ONLOOKERS).match)

    assert b'"paused":true' in view
    assert b"pause" not in GAME.encode(folded(told()).view(Audience.ONLOOKERS).match)


def judged(*commands: tuple[int, list[Fact]]) -> Fault | None:
    return judge(GAME, told(*commands).commands)


def test_a_log_with_pauses_has_no_fault() -> None:
    played = play(GAME, "campaign", seed=5, paused=0.5, undos=0.3)
    kinds = {entry.type for entry in played.entries}

    assert {"PauseOffered", "PauseAnswered", "ClocksStopped", "ClocksStarted", "Undone"} <= kinds
    assert judge(GAME, played.commands) is None
    assert judged(*PAUSE, (5_000, [ClocksStarted(0, ASKED)]), (1, FIRST)) is None


def seq_of_last(*commands: tuple[int, list[Fact]]) -> int:
    last: list[Entry] = told(*commands).commands[-1]
    return last[0].seq


def test_what_could_not_be_while_the_match_is_paused() -> None:
    late: list[Fact] = [TimeOutClaimed(BY), replace(FIRST[0], how="default")]
    wrong: dict[str, list[Fact]] = {
        "is a decision, and the match is paused": FIRST,
        "could not be: no time is running for this seat": late,
        "could not be: the match is paused: somebody has to go on first": [Undone(BY, 1)],
        "is not what it should be: [seat:0] goes on, and the clocks run again": [ClocksStarted(0, (7,))],
    }

    for why, facts in wrong.items():
        after = (*PAUSE, (5_000, facts))
        assert Fault(seq_of_last(*after), why) == judged(*after)


def test_a_pause_needs_the_agreement_of_the_other() -> None:
    alone: tuple[int, list[Fact]] = (1, [PauseOffered(0), ClocksStopped()])
    unsaid: tuple[int, list[Fact]] = (1, [PauseAnswered(1, agreed=True)])

    assert Fault(seq_of_last(alone) + 1, "has no part in this command") == judged(alone)
    assert Fault(
        seq_of_last(PAUSE[0], unsaid),
        "is not followed by what comes of it: The match is paused, and the clocks stand still",
    ) == judged(PAUSE[0], unsaid)
    assert Fault(seq_of_last((1, [ClocksStopped()])), "follows from nothing") == judged(
        (1, [ClocksStopped()])
    )
