"""Records that a forger made who holds the key of the match: every hash and every die is right.

Each tells a match otherwise than it could have gone. `verify` names the first fact that could not be.
"""

import re
from collections.abc import Callable
from hashlib import sha256
from typing import Literal

import pytest
from msgspec import Raw
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.dice import Fair, Scripted
from domain.kernel.facts import Decided, Fact, Notice, Rolled
from domain.kernel.seats import Clock, Seat
from domain.kernel.table import Table
from domain.match import notices
from domain.match.chain import Fault
from domain.match.corrections import CorrectionOffered, DiceCounted
from domain.match.draws import DrawAnswered, DrawOffered
from domain.match.fold import Fold
from domain.match.game import COMMON
from domain.match.hours import HoursFixed
from domain.match.judging import REMAKE, judge
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
from domain.match.pauses import ClocksStarted, ClocksStopped, PauseAnswered, PauseOffered
from domain.match.undo import Undone, reach
from domain.match.undoing import UndoAnswered, UndoOffered
from domain.nimitz import NIMITZ
from domain.nimitz.facts import CampaignEnded
from projections.linking import Check
from projections.record import record
from projections.verify import Report, verify
from server.proof.keys import dice_key
from tests.projections.play import SECOND, Played, Tale, play, retold, tale
from tests.tiny import GAME
from tests.tiny.facts import StepsLeft

DUEL = play(GAME, "campaign", seed=3, undos=0)
TEAMS = play(GAME, "campaign", {"pairs": True}, seed=3, undos=0)
TIMED = play(GAME, "campaign", seed=3, undos=0, clock=Clock(600))

BEGUN = 5
"""How many commands it takes two seats to begin; in the next two each gives its orders."""

RESIGNED = GameEnded(1, "resignation", "match")
AGREED = GameEnded(None, "agreement", "match")
KEY = Ended(DUEL.key.hex())

Forge = Callable[[Tale], None]


def examined(played: Played) -> Report:
    return verify(record(played.entries, Audience.UMPIRE), played.key, titles={GAME.name: GAME})


def at(report: Report, name: str) -> Check:
    return next(check for check in report.checks if check.name == name)


def seq_of(told: Tale, command: int, place: int = 0) -> int:
    """The seq of a fact by its command and its place in it, both from 0."""
    return 1 + sum(len(facts) for _, facts in told[:command]) + place


def assert_found(
    played: Played, told: Tale, command: int, place: int, why: str, *, rules: bool = False
) -> None:
    """`rules`: deciding again finds something, too, and perhaps earlier."""
    report = examined(retold(played, told))
    found = at(report, "notices")

    assert "holds" == at(report, "chain").result
    assert ("fails", seq_of(told, command, place)) == (found.result, found.seq)
    assert rules or found.seq == report.first_bad
    assert re.search(rf"(\) |: )({why})", found.text), found.text


def appended(played: Played, commands: int, *facts: Fact) -> Tale:
    """The match after so many commands, and then this one."""
    told = tale(played)[:commands]
    return [*told, (told[-1][0] + SECOND, [*facts])]


def then(told: Tale, *facts: Fact) -> Tale:
    """The match with one more command."""
    return [*told, (told[-1][0], [*facts])]


def folded(told: Tale) -> Fold:
    fold = Fold(GAME)
    for command in retold(DUEL, told).commands:
        fold.apply(command)
    return fold


def asked(told: Tale) -> tuple[int, ...]:
    return folded(told).state.asked


def by_default(told: Tale, seat: int, how: Literal["chosen", "default"] = "default") -> list[Fact]:
    """The title's default decision of a seat that is asked, and all that comes of it."""
    state = folded(told).state
    table = Table(GAME, state, Scripted([]))
    return table.decide(seat, GAME.default(state, seat, table.prompts[seat]), how)


@pytest.mark.parametrize("played", [DUEL, TEAMS, TIMED])
def test_a_true_match_told_again_holds_at_every_length(played: Played) -> None:
    for commands in range(1, len(played.commands) + 1, 3):
        report = examined(retold(played, tale(played)[:commands]))

        assert [] == [check for check in report.checks if check.result == "fails"]
        assert ("holds", "holds") == (at(report, "notices").result, at(report, "set-up").result)


def test_n21_the_level_of_a_campaign_that_was_given_up_is_judged() -> None:
    played = play(NIMITZ, "1942", seed=3, resign_after=2)
    told = tale(played)
    report = verify(record(played.entries, Audience.UMPIRE), played.key)

    assert report.good
    assert CampaignEnded in {type(fact) for fact in told[-1][1]}
    for place, fact in enumerate(told[-1][1]):
        if isinstance(fact, CampaignEnded):
            told[-1][1][place] = replace(fact, level="Historical")
    forged = retold(played, told)
    found = at(verify(record(forged.entries, Audience.UMPIRE), forged.key), "notices")
    assert ("fails", seq_of(told, len(told) - 1, 1)) == (found.result, found.seq)
    assert "is not what it should be: " in found.text


# What nobody did

UNDER_WAY = 8


@pytest.mark.parametrize(
    ("facts", "place", "why"),
    [
        ([RESIGNED, KEY], 0, "follows from nothing"),
        ([AGREED, KEY], 0, "follows from nothing"),
        ([GameEnded(0, "the enemy fleet is sunk", "7.1"), KEY], 0, "follows from nothing"),
        ([KEY], 0, "follows from nothing"),
        ([Started()], 0, "follows from nothing"),
        ([ClocksStopped()], 0, "follows from nothing"),
        ([ClocksStarted(0, (0,))], 0, "the match is not paused"),
        ([PauseAnswered(1, agreed=True), ClocksStopped()], 0, "nothing is on offer"),
        ([NonceCommitted(0, "ab" * 32)], 0, "follows from nothing"),
        ([DrawOffered(0), AGREED, KEY], 1, "has no part in this command"),
        ([DrawOffered(0), KEY], 1, "ends what has not ended"),
        ([DrawOffered(0), DrawOffered(1)], 1, "has no part in this command"),
        ([DrawOffered(0), Rolled(6, "5.2", "fire", 0, 6, (1,))], 1, "has no part in this command"),
        ([DrawAnswered(1, agreed=True), AGREED, KEY], 0, "nothing is on offer"),
        ([UndoAnswered(1, agreed=True), Undone(0, 31)], 0, "nothing is on offer"),
        ([Resigned(0)], 0, "is not followed by what comes of it: .side:1. won"),
        ([Resigned(0), KEY], 1, "is not what it should be: .side:1. won"),
        ([Resigned(0), GameEnded(0, "resignation", "match"), KEY], 1, "is not what it should be"),
        ([Resigned(0), GameEnded(1, "exhaustion", "match"), KEY], 1, "is not what it should be"),
        ([Resigned(0), GameEnded(1, "resignation", "7.1"), KEY], 1, "is not what it should be"),
        ([Resigned(0), RESIGNED], 1, "ends the match, and the key does not follow"),
        ([Resigned(0), RESIGNED, DrawOffered(1)], 2, "stands where the key is revealed"),
        ([TimeOutClaimed(0)], 0, "no time is running"),
        ([SeatTaken(0, "bot"), NonceCommitted(0, "ab" * 32)], 0, "this seat is taken"),
        ([NonceShown(0, "ab" * 16)], 0, "the nonce of this seat has been shown"),
        ([tale(DUEL)[0][1][0]], 0, "lays the match open once more"),
    ],
)
def test_what_nobody_did_or_could_do(facts: list[Fact], place: int, why: str) -> None:
    assert_found(DUEL, appended(DUEL, UNDER_WAY, *facts), UNDER_WAY, place, why)


@pytest.mark.parametrize("seat", [2, 9, -1])
@pytest.mark.parametrize(
    "made",
    [
        lambda seat: [Resigned(seat), RESIGNED, KEY],
        lambda seat: [DrawOffered(seat)],
        lambda seat: [DrawAnswered(seat, agreed=False)],
        lambda seat: [PauseOffered(seat)],
        lambda seat: [PauseAnswered(seat, agreed=False)],
        lambda seat: [ClocksStarted(seat, (0,))],
        lambda seat: [UndoOffered(seat, 31)],
        lambda seat: [UndoAnswered(seat, agreed=False)],
        lambda seat: [Undone(seat, 31)],
        lambda seat: [TimeOutClaimed(0, seat)],
        lambda seat: [SeatTaken(seat, "bot"), NonceCommitted(seat, "ab" * 32)],
        lambda seat: [NonceShown(seat, "ab" * 16)],
    ],
)
def test_a_seat_that_is_not_there(made: Callable[[int], list[Fact]], seat: int) -> None:
    told = appended(DUEL, UNDER_WAY, *made(seat))

    assert_found(DUEL, told, UNDER_WAY, 0, f"there is no seat {seat}; there are 2, from 0")


def test_the_time_of_a_seat_that_is_not_there() -> None:
    told = appended(TIMED, UNDER_WAY, TimeOutClaimed(9))

    assert_found(TIMED, told, UNDER_WAY, 0, "no time is running for this seat")


@pytest.mark.parametrize("seat", [2, -1])
def test_a_decision_of_a_seat_that_is_not_there(seat: int) -> None:
    told = appended(DUEL, UNDER_WAY, Decided(seat, Raw(b'{"type":"Pass"}')))

    assert_found(DUEL, told, UNDER_WAY, 0, f"is of seat {seat}, which is not there")


def test_a_decision_joined_to_none_and_one_that_is_not_joined_to_the_one_before_it() -> None:
    told = tale(DUEL)
    ordered, *rest = told[BEGUN][1]
    assert isinstance(ordered, Decided)
    told[BEGUN][1][0] = replace(ordered, joined=True)
    assert_found(
        DUEL,
        told,
        BEGUN,
        0,
        "is a decision that is joined to one before it, and begins its command",
        rules=True,
    )

    told[BEGUN][1][:] = [ordered, *rest, ordered]
    assert_found(
        DUEL, told, BEGUN, len(rest) + 1, "is a decision that is not joined to the one before it", rules=True
    )


# Draws and resignations


def test_a_draw_offered_twice_by_one_seat() -> None:
    told = appended(DUEL, UNDER_WAY, DrawOffered(0))
    told.append((told[-1][0], [DrawOffered(0)]))

    assert_found(DUEL, told, UNDER_WAY + 1, 0, "a draw is on offer already")


def test_a_draw_agreed_to_by_who_offered_it() -> None:
    told = appended(DUEL, UNDER_WAY, DrawOffered(0))
    told.append((told[-1][0], [DrawAnswered(0, agreed=True), AGREED, KEY]))

    assert_found(DUEL, told, UNDER_WAY + 1, 0, "this seat has agreed already")


def test_a_draw_that_not_all_agreed_to() -> None:
    told = appended(TEAMS, 10, DrawOffered(0))
    told.append((told[-1][0], [DrawAnswered(1, agreed=True), AGREED, Ended(TEAMS.key.hex())]))

    assert_found(TEAMS, told, 11, 1, "has no part in this command")


def test_a_draw_that_was_declined_and_ends_the_match() -> None:
    told = appended(DUEL, UNDER_WAY, DrawOffered(0))
    told.append((told[-1][0], [DrawAnswered(1, agreed=False), AGREED, KEY]))

    assert_found(DUEL, told, UNDER_WAY + 1, 1, "has no part in this command")


def test_a_seat_that_resigns_twice() -> None:
    told = appended(TEAMS, 10, Resigned(0))
    told.append((told[-1][0], [Resigned(0)]))

    assert_found(TEAMS, told, 11, 0, "this seat has resigned")


def test_a_side_that_is_beaten_when_one_of_its_seats_resigns() -> None:
    told = appended(TEAMS, 10, Resigned(0), RESIGNED, Ended(TEAMS.key.hex()))

    assert_found(TEAMS, told, 10, 1, "has no part in this command")


@pytest.mark.parametrize("rest", [[], [RESIGNED]])
def test_play_after_resignation(rest: list[Fact]) -> None:
    told = tale(DUEL)
    told.insert(UNDER_WAY, (told[UNDER_WAY][0], [Resigned(0), *rest]))

    assert_found(
        DUEL, told, UNDER_WAY, len(rest), r"\[side:1\] won: |ends the match, and the key does not follow"
    )


def test_a_decision_of_a_seat_that_has_resigned() -> None:
    told = tale(TEAMS)
    command = next(n for n, (_, facts) in enumerate(told) if n > 12 and isinstance(facts[0], Decided))
    seat = told[command][1][0].seat  # type: ignore[attr-defined]
    told.insert(command, (told[command][0], [Resigned(seat)]))

    assert_found(TEAMS, told, command + 1, 0, f"is a decision of seat {seat}, which had resigned")


def test_a_default_decision_of_a_seat_that_has_resigned_holds() -> None:
    told = tale(TEAMS)[:12]
    seat = asked(told)[0]
    told.append((told[-1][0], [Resigned(seat)]))
    told.append((told[-1][0], by_default(told, seat)))

    assert examined(retold(TEAMS, told)).good


# Time


@pytest.mark.parametrize("by", [None, 0, 1])
def test_a_time_out_where_there_is_no_clock(by: int | None) -> None:
    told = tale(DUEL)[:UNDER_WAY]
    seat = asked(told)[0]
    told.append((told[-1][0] + 9000 * SECOND, [TimeOutClaimed(seat, by), *by_default(told, seat)]))

    assert_found(DUEL, told, UNDER_WAY, 0, "no time is running for this seat")


def claimed(early: int, how: Literal["chosen", "default"] = "default") -> tuple[Tale, int]:
    """A match in which time has run out, or so many microseconds early; and the seat whose time it is."""
    told = tale(TIMED)[:UNDER_WAY]
    fold = folded(told)
    (seat, *_), clocks = fold.state.asked, fold.clocks
    deadline = clocks.deadline(seat) if clocks else None
    assert deadline is not None
    told.append((deadline - early, [TimeOutClaimed(seat), *by_default(told, seat, how)]))
    return told, seat


def test_a_time_out_at_its_time_holds_and_a_microsecond_earlier_does_not() -> None:
    in_time, _ = claimed(0)
    too_early, _ = claimed(1)

    assert examined(retold(TIMED, in_time)).good
    assert_found(TIMED, too_early, UNDER_WAY, 0, "this seat has time left")


def test_a_time_out_of_a_seat_that_is_not_asked() -> None:
    told, seat = claimed(0)
    other = 1 - seat
    facts = told[-1][1]
    told[-1] = (told[-1][0], [TimeOutClaimed(other), replace(facts[1], seat=other), *facts[2:]])

    assert_found(TIMED, told, UNDER_WAY, 0, "no time is running for this seat")


def test_a_default_without_a_time_out() -> None:
    told, _ = claimed(0)
    told[-1] = (told[-1][0], told[-1][1][1:])

    assert_found(TIMED, told, UNDER_WAY, 0, "is a default, and neither had time run out nor had the seat")


def test_a_choice_behind_a_time_out() -> None:
    told, seat = claimed(0, how="chosen")

    assert_found(TIMED, told, UNDER_WAY, 0, f"is not followed by the default decision of seat {seat}")


def test_a_time_out_that_nothing_follows_or_another_seats_default() -> None:
    told, seat = claimed(0)
    bare = [*told[:-1], (told[-1][0], told[-1][1][:1])]
    facts = told[-1][1]
    others = [*told[:-1], (told[-1][0], [facts[0], replace(facts[1], seat=1 - seat), *facts[2:]])]

    for forged in (bare, others):
        assert_found(TIMED, forged, UNDER_WAY, 0, f"is not followed by the default decision of seat {seat}")


def test_another_default_than_the_titles() -> None:
    told, seat = claimed(0)
    state = folded(told[:-1]).state
    table = Table(GAME, state, Scripted([]))
    prompt = table.prompts[seat]
    worse = next(one for one in prompt.options if one != GAME.default(state, seat, prompt))
    told[-1] = (told[-1][0], [TimeOutClaimed(seat), *table.decide(seat, worse, "default")])

    report = examined(retold(TIMED, told))

    assert ("fails", seq_of(told, UNDER_WAY, 1)) == (at(report, "decision").result, report.first_bad)
    assert "the default is" in at(report, "decision").text


def test_a_default_in_the_midst_of_a_decision() -> None:
    told = tale(DUEL)[:UNDER_WAY]
    head = told[-1][1][0]
    told[-1] = (told[-1][0], [*told[-1][1], replace(head, how="default")])

    assert_found(DUEL, told, UNDER_WAY - 1, len(told[-1][1]) - 1, "is a default, and neither")


# Undo


def test_an_undo_reaches_no_farther_than_the_last_decision() -> None:
    told = tale(DUEL)[: BEGUN + 1]
    seat, before = told[-1][1][0].seat, seq_of(told, BEGUN) - 1  # type: ignore[attr-defined]

    assert examined(retold(DUEL, then(told, Undone(seat, before)))).good
    for back_to in (before - 1, before + 1, 0):
        forged = then(told, Undone(seat, back_to))
        assert_found(DUEL, forged, BEGUN + 1, 0, f"is not what it should be: .* fact {before}")


def two_decisions() -> tuple[Played, Tale, int, int]:
    """A match up to where two seats decided and learned nothing; the first one, and what stood before."""
    for seed in range(100):
        played = play(GAME, "campaign", seed=seed, undos=0)
        told = tale(played)
        for n in range(BEGUN, len(told) - 1):
            (first, *_), (second, *_) = told[n][1], told[n + 1][1]
            if not isinstance(first, Decided) or not isinstance(second, Decided):
                continue
            facts = folded(told[: n + 2]).facts
            if first.seat != second.seat and reach(facts, first.seat, alone=False) is not None:
                return played, told[: n + 2], first.seat, seq_of(told, n) - 1
    raise AssertionError


def test_an_undo_across_anothers_decision_without_an_offer() -> None:
    played, told, seat, before = two_decisions()
    count = len(told)
    told.append((told[-1][0], [Undone(seat, before)]))

    assert_found(played, told, count, 0, "somebody has decided, rolled or learned since")


def test_an_undo_that_was_offered_and_not_agreed_to() -> None:
    played, told, seat, before = two_decisions()
    count = len(told)
    told.append((told[-1][0], [UndoOffered(seat, before)]))
    alone = then(told, Undone(seat, before))
    declined = then(told, UndoAnswered(1 - seat, agreed=False), Undone(seat, before))
    agreed = then(told, UndoAnswered(1 - seat, agreed=True), Undone(seat, before))

    assert "holds" == at(examined(retold(played, agreed)), "notices").result
    assert_found(played, alone, count + 1, 0, "somebody has decided, rolled or learned since")
    assert_found(played, declined, count + 1, 1, "has no part in this command")


@pytest.mark.parametrize("other", [-1, 1])
def test_an_undo_that_goes_elsewhere_than_was_offered(other: int) -> None:
    played, told, seat, before = two_decisions()
    count = len(told)
    offered = then(told, UndoOffered(seat, before + other))
    told.append((told[-1][0], [UndoOffered(seat, before)]))
    told.append((told[-1][0], [UndoAnswered(1 - seat, agreed=True), Undone(seat, before + other)]))

    assert_found(played, offered, count, 0, "is not what it should be")
    assert_found(played, told, count + 1, 1, "is not what it should be")


def test_an_undo_that_all_agreed_to_and_that_did_not_come() -> None:
    played, told, seat, before = two_decisions()
    count = len(told)
    told.append((told[-1][0], [UndoOffered(seat, before)]))
    told.append((told[-1][0], [UndoAnswered(1 - seat, agreed=True)]))

    assert_found(played, told, count + 1, 0, "is not followed by what comes of it")


def test_an_undo_across_a_roll() -> None:
    told = tale(DUEL)
    command = next(n for n, (_, facts) in enumerate(told) if any(isinstance(f, Rolled) for f in facts))
    seat = told[command][1][0].seat  # type: ignore[attr-defined]
    forged = then(told[: command + 1], Undone(seat, seq_of(told, command) - 1))

    assert_found(DUEL, forged, command + 1, 0, "nothing of yours can be taken back")


def test_a_decision_that_was_taken_back_is_decided_again_too() -> None:
    told = tale(DUEL)[: BEGUN + 1]
    head = told[-1][1][0]
    before = seq_of(told, BEGUN) - 1
    told[-1] = (told[-1][0], [replace(head, decision=Raw(b'{"type":"Pass"}')), *told[-1][1][1:]])
    told.append((told[-1][0], [Undone(head.seat, before)]))  # type: ignore[attr-defined]

    report = examined(retold(DUEL, told))

    assert ("fails", before + 1) == (at(report, "rules").result, report.first_bad)


# Dice


def test_a_roll_that_is_passed_over_for_a_later_one() -> None:
    """Its faces are those that the key gives to its number: whoever may pass rolls over chooses his dice."""
    told = tale(DUEL)
    *_, (command, place, roll) = (
        (command, place, fact)
        for command, (_, facts) in enumerate(told)
        for place, fact in enumerate(facts)
        if isinstance(fact, Rolled)
    )
    nonces = folded(told).state.match.nonces
    fair = Fair(dice_key(DUEL.key), [bytes.fromhex(nonces[seat]) for seat in sorted(nonces)])
    later = roll.index + 3
    told[command][1][place] = replace(roll, index=later, dice=fair.roll(later, len(roll.dice), roll.sides))

    report = examined(retold(DUEL, told[: command + 1]))

    assert ("fails", seq_of(told, command, place)) == (at(report, "dice").result, at(report, "dice").seq)


# The end


def test_an_end_that_the_rules_do_not_come_to() -> None:
    told = tale(DUEL)[:UNDER_WAY]
    told[-1] = (told[-1][0], [*told[-1][1], GameEnded(0, "the enemy fleet is sunk", "7.1"), KEY])

    report = examined(retold(DUEL, told))

    assert ("fails", seq_of(told, UNDER_WAY) - 2) == (at(report, "rules").result, report.first_bad)


def test_an_end_by_resignation_in_the_midst_of_a_decision() -> None:
    told = tale(DUEL)[:UNDER_WAY]
    told[-1] = (told[-1][0], [*told[-1][1], RESIGNED, KEY])

    why = "ends the match by resignation, and there was none"
    assert_found(DUEL, told, UNDER_WAY - 1, len(told[-1][1]) - 2, why)


def test_a_match_that_ends_twice() -> None:
    told = tale(DUEL)
    facts = told[-1][1]
    told[-1] = (told[-1][0], [*facts[:-1], facts[-2], facts[-1]])

    assert_found(DUEL, told, len(told) - 1, len(facts) - 1, "stands in the midst of play")


def test_an_end_without_the_key_and_a_key_without_an_end() -> None:
    told = tale(DUEL)
    facts = told[-1][1]
    keyless = [*told[:-1], (told[-1][0], facts[:-1])]
    endless = [*told[:-1], (told[-1][0], [*facts[:-2], facts[-1]])]

    assert_found(DUEL, keyless, len(told) - 1, len(facts) - 2, "ends the match, and the key does not follow")
    assert_found(DUEL, endless, len(told) - 1, len(facts) - 2, "ends what has not ended", rules=True)


@pytest.mark.parametrize(
    "facts",
    [
        [DrawOffered(0)],
        [Resigned(1), RESIGNED, KEY],
        [Undone(0, 31)],
        [Decided(0, Raw(b'{"type":"Pass"}'))],
        [KEY],
    ],
)
def test_nothing_comes_after_the_end(facts: list[Fact]) -> None:
    told = tale(DUEL)
    told[-1] = (told[-1][0], told[-1][1][:-1])
    told.append((told[-1][0], facts))

    assert_found(
        DUEL, told, len(told) - 2, len(told[-2][1]) - 1, "ends the match, and the key does not follow"
    )


def test_what_follows_the_key_breaks_the_chain() -> None:
    told = tale(DUEL)
    told.append((told[-1][0], [DrawOffered(0)]))

    report = examined(retold(DUEL, told))

    assert ("fails", seq_of(told, len(told) - 1)) == (at(report, "chain").result, report.first_bad)


# The beginning


def test_what_is_played_stands_first_and_alone() -> None:
    told = tale(DUEL)
    late = retold(DUEL, [(told[0][0], facts) for _, facts in (told[1], told[0], *told[2:])])
    crowded = [(told[0][0], [*told[0][1], DrawOffered(0)]), *told[1:]]

    assert Fault(1, "does not say what is played, as the first must") == judge(GAME, late.commands)
    assert 1 == examined(late).first_bad
    assert_found(DUEL, crowded, 0, 1, "cannot come with what is played: nobody has sat down")


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"scenario": "siege"}, "The Tiny Lagoon has no scenario siege"),
        ({"options": {"turns": 9}}, "is a whole number from 1 to 8"),
        ({"options": {"luck": True}}, "has no option luck"),
        ({"scenario": "skirmish", "options": {"pairs": True}}, "a skirmish is for two"),
        (
            {"seats": (Seat("North", 0),)},
            "the seats are North of side 0, South of side 1, not North of side 0",
        ),
        ({"seats": (Seat("North", 1), Seat("South", 0))}, "the seats are"),
        ({"seats": ()}, "not none"),
        ({"clock": Clock(0)}, "a clock needs some time"),
        ({"clock": Clock(-1)}, "not below 0"),
        ({"clock": Clock(60, 0, -1)}, "not below 0"),
    ],
)
def test_a_set_up_that_the_title_would_not_have_made(change: dict[str, object], why: str) -> None:
    told = tale(DUEL)[:1]
    created = told[0][1][0]
    assert isinstance(created, Created)

    forged = examined(retold(DUEL, [(told[0][0], [replace(created, **change)])]))
    older = examined(retold(DUEL, [(told[0][0], [replace(created, revision="1", **change)])]))

    assert ("fails", 1) == (at(forged, "set-up").result, forged.first_bad)
    assert why in at(forged, "set-up").text
    assert ("differs", True) == (at(older, "set-up").result, older.good)


def test_an_option_that_came_later_stands_at_its_default() -> None:
    told = tale(DUEL)[:1]
    older = replace(told[0][1][0], options={"night": False})

    assert "holds" == at(examined(retold(DUEL, [(told[0][0], [older])])), "set-up").result


def test_two_seats_with_one_nonce() -> None:
    told = tale(DUEL)[:BEGUN]
    nonce = next(f for f in told[3][1] if isinstance(f, NonceShown)).nonce
    promise = sha256(bytes.fromhex(nonce)).hexdigest()
    for command, (_, facts) in enumerate(told):
        for place, fact in enumerate(facts):
            if isinstance(fact, NonceCommitted):
                told[command][1][place] = replace(fact, hash=promise)
            elif isinstance(fact, NonceShown):
                told[command][1][place] = replace(fact, nonce=nonce)

    assert_found(DUEL, told[:4], 2, 0, "another seat has committed to the same nonce")
    assert "fails" == at(examined(retold(DUEL, told[:4])), "nonces").result


@pytest.mark.parametrize("shown", [0, 1])
def test_a_match_begun_before_every_nonce_was_shown(shown: int) -> None:
    told = tale(DUEL)[:BEGUN]
    begun = [fact for fact in told[4][1] if not isinstance(fact, NonceShown)]
    forged = [*told[: 3 + shown], (told[4][0], begun)]

    assert_found(DUEL, forged, 3 + shown, 0, "follows from nothing")
    nonces = at(examined(retold(DUEL, forged)), "nonces")
    assert ("fails", seq_of(forged, 3 + shown)) == (nonces.result, nonces.seq)


def test_a_match_begun_by_the_first_nonce() -> None:
    told = tale(DUEL)[:4]
    told[3] = (told[3][0], [*told[3][1], Started()])

    assert_found(DUEL, told, 3, 1, "has no part in this command")


def test_a_seat_without_a_nonce_one_of_no_kind_and_a_promise_that_is_none() -> None:
    told = tale(DUEL)[:2]
    taken, promised = told[1][1]
    bare = [told[0], (told[1][0], [taken])]
    odd = [told[0], (told[1][0], [replace(taken, kind="ghost"), promised])]
    short = [told[0], (told[1][0], [taken, replace(promised, hash="ab")])]

    assert_found(DUEL, bare, 1, 0, "the commitment to a nonce is 64 hex digits")
    assert_found(DUEL, odd, 1, 0, "a seat is taken by a person or a bot")
    assert_found(DUEL, short, 1, 0, "the commitment to a nonce is 64 hex digits")


def test_a_nonce_shown_too_early() -> None:
    told = tale(DUEL)
    early = [told[0], told[1], told[4]]

    assert_found(DUEL, early, 2, 0, "not every seat has committed to a nonce")


def test_play_before_the_match_has_begun() -> None:
    told = tale(DUEL)
    early = [*told[:3], told[BEGUN]]

    assert_found(DUEL, early, 3, 0, "is play, and the match has not begun")


# Decisions


def test_a_decision_in_a_command_of_another_seat() -> None:
    told = tale(DUEL)[: BEGUN + 2]
    first, second = told[-2][1], told[-1][1]
    merged = [*told[:BEGUN], (told[BEGUN][0], [*first, *second])]

    why = f"is a decision of seat {second[0].seat} in a command that is not that seat's"  # type: ignore[attr-defined]
    assert_found(DUEL, merged, BEGUN, len(first), why)


def test_a_decision_in_a_command_that_begins_with_none() -> None:
    told = tale(DUEL)[: BEGUN + 1]
    facts = told[-1][1]
    forged = [*told[:-1], (told[-1][0], [*facts[1:], facts[0]])]

    why = r"is a decision of seat \d in a command that is not that seat's"
    assert_found(DUEL, forged, BEGUN, len(facts) - 1, why, rules=True)


def cut(revision: str) -> Report:
    """What came of a decision, filed as a command of its own, later, in a match of a revision."""
    (began, [created]), *told, (when, facts) = tale(DUEL)[: BEGUN + 1]
    begun = (began, [replace(created, revision=revision)])
    assert len(facts) > 1

    return examined(retold(DUEL, [begun, *told, (when, facts[:1]), (when + SECOND, facts[1:])]))


def test_a_command_cut_in_pieces() -> None:
    report = cut(GAME.revision)

    assert not cut(f"0{GAME.revision}").good
    seq = seq_of(tale(DUEL), BEGUN, 1)
    assert ("fails", seq) == (at(report, "notices").result, at(report, "notices").seq)
    assert "begins a command that nobody asked for" in at(report, "notices").text


def test_a_command_that_newer_rules_may_have_begun_is_said_and_counted() -> None:
    report = cut("1")

    assert report.good
    assert ("differs", seq_of(tale(DUEL), BEGUN, 1)) == (
        at(report, "notices").result,
        at(report, "notices").seq,
    )
    assert "1 of 7 commands" in at(report, "notices").text
    assert 1 == report.differences


@pytest.mark.parametrize("notice", [DrawOffered(0), TimeOutClaimed(0), Started(), Resigned(1)])
def test_a_notice_in_a_command_of_a_decision(notice: Notice) -> None:
    told = tale(DUEL)[: BEGUN + 1]
    told[-1] = (told[-1][0], [*told[-1][1], notice])

    assert_found(DUEL, told, BEGUN, len(told[-1][1]) - 1, "stands in the midst of play")


def test_several_decisions_of_one_seat_in_one_command_are_for_the_rules_to_judge() -> None:
    told = tale(DUEL)[: BEGUN + 1]
    first = told[-1][1][0]
    assert isinstance(first, Decided)
    told[-1] = (told[-1][0], [*told[-1][1], replace(first, joined=True)])

    assert "holds" == at(examined(retold(DUEL, told)), "notices").result


def test_facts_that_break_the_fold_of_what_was_taken_back() -> None:
    told = tale(DUEL)[: BEGUN + 1]
    head = told[-1][1][0]
    before = seq_of(told, BEGUN) - 1
    told[-1] = (told[-1][0], [head, StepsLeft("boat:none", 1)])
    told.append((told[-1][0], [Undone(head.seat, before)]))  # type: ignore[attr-defined]

    assert_found(DUEL, told, BEGUN, 0, "and what came with it do not fit the match before")


def test_every_notice_has_its_conditions() -> None:
    follow = {Created, NonceCommitted, HoursFixed, Started, GameEnded, Ended, ClocksStopped, DiceCounted}

    assert {fact for fact in COMMON if issubclass(fact, Notice)} == {*REMAKE, *follow, CorrectionOffered}
    assert not follow & {*REMAKE}
    assert {"person", "bot"} == {*notices.KINDS}
