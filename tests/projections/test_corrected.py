"""Matches that were corrected by consent: records of them hold, and forged corrections are found."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact, Roll
from domain.match.corrections import (
    CorrectionAnswered,
    CorrectionOffered,
    CorrectionWithdrawn,
    DiceCounted,
    seat_of,
)
from domain.match.undo import TakenBack, Undone, undos_of
from domain.titles import TITLES
from projections.luck import luck
from projections.record import record, write
from projections.report import report
from projections.verify import Report, verify_file
from tests.projections.play import Played, play, retold, tale
from tests.tiny import GAME

OURS = {GAME.name: GAME, **TITLES}

MATCHES: list[tuple[str, str, dict[str, Any]]] = [
    ("tiny", "campaign", {"pairs": True}),
    ("midway", "duel", {}),
    ("nimitz", "1943", {"mode": 2}),
    ("coral_sea", "campaign", {}),
]


def corrected(title: str, scenario: str, options: dict[str, Any]) -> Played:
    return play(OURS[title], scenario, options, seed=9, undos=0.1, corrected=0.06, resign_after=100)


def verified(played: Played) -> Report:
    return verify_file(write(record(played.entries, Audience.UMPIRE)), titles=OURS)


def results(found: Report) -> dict[str, str]:
    return {check.name: check.result for check in found.checks}


@pytest.mark.parametrize(("title", "scenario", "options"), MATCHES)
def test_the_record_of_a_match_that_was_corrected_holds(
    title: str, scenario: str, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where a fold that judges has to forget, and what decides again lets go of what is long ago."""
    monkeypatch.setattr("domain.match.fold.FORGET", 30)
    monkeypatch.setattr("domain.match.adjudicate.KEEP", 30)
    played = corrected(title, scenario, options)
    taken = [fact for _, fact in played.facts if isinstance(fact, Undone) and fact.consent]
    gone = TakenBack(undos_of(played.facts))

    found = verified(played)

    assert len(taken) > 2
    assert any(isinstance(fact, Roll) and gone.covers(seq, fact) for seq, fact in played.facts)
    assert found.good
    for name in ("nonces", "dice", "fold", "notices", "rules"):
        assert "holds" == results(found)[name]


def test_dice_that_were_corrected_away_count_in_the_report() -> None:
    played = corrected("midway", "duel", {})
    rolls = [fact for _, fact in played.facts if isinstance(fact, Roll)]

    told = report(played.game, played.entries)

    assert [(one.side, one.dice, one.came) for one in luck(rolls)] == [
        (one.side, one.dice, one.came) for one in told.luck
    ]
    assert len(rolls) <= told.rolls


# forged

Tell = Callable[[list[Fact]], Sequence[Fact]]


def duel() -> tuple[Played, int]:
    """A duel at a moment, and a fact behind which a decision stands that dice have followed."""
    played = play(GAME, "campaign", seed=2, undos=0, most=24)
    decided = [seq for seq, fact in played.facts if seat_of(fact) is not None]
    rolled = [seq for seq, fact in played.facts if isinstance(fact, Roll)]
    return played, next(seq for seq in reversed(decided) if seq < rolled[-1]) - 1


def forged(*commands: Callable[[int, int, DiceCounted], list[Fact]]) -> tuple[str, int]:
    """Return what is found, and how many facts behind the last true one, when these commands follow."""
    played, back_to = duel()
    fold = [*tale(played)]
    at, of = fold[-1][0], next(seat_of(fact) for seq, fact in played.facts if seq == back_to + 1)
    assert of is not None
    rolls = max(fact.index for _, fact in played.facts if isinstance(fact, Roll)) + 1
    state = played.game.state()
    for _, fact in played.facts:
        fact.fold(state)
    assert state.rolls >= rolls
    counted = DiceCounted(state.rolls, state.unseen or 0)
    false = retold(played, [*fold, *((at, one(back_to, of, counted)) for one in commands)])
    found = verify_file(write(record(false.entries, Audience.UMPIRE)), played.key, titles=OURS)
    notices = next(check for check in found.checks if check.name == "notices")
    assert notices.result in ("holds", "fails")
    return notices.text, (notices.seq or 0) - played.entries[-1].seq


def offered(by: int | None = 0, shift: int = 0, of: int = 0) -> Callable[[int, int, DiceCounted], list[Fact]]:
    return lambda back_to, true, _: [CorrectionOffered(by, back_to + shift, (true + of) % 2)]


def answered(seat: int, *, agreed: bool = True) -> Callable[[int, int, DiceCounted], list[Fact]]:
    return lambda *_: [CorrectionAnswered(seat, agreed)]


def withdrawn(shift: int = 0) -> Callable[[int, int, DiceCounted], list[Fact]]:
    return lambda back_to, *_: [CorrectionWithdrawn(back_to + shift)]


def carried_out(
    seat: int, change: Callable[[list[Fact]], list[Fact]] = list
) -> Callable[[int, int, DiceCounted], list[Fact]]:
    return lambda back_to, of, counted: change(
        [CorrectionAnswered(seat, agreed=True), Undone(of, back_to, consent=True), counted]
    )


def test_a_true_correction_is_found_true() -> None:
    for commands in (
        [offered(), carried_out(1)],
        [offered(None), answered(0), carried_out(1)],
        [offered(), answered(0, agreed=False), offered(1), carried_out(0)],
        [offered(None), answered(0), withdrawn(), offered(1), carried_out(0)],
    ):
        assert "could be made where they stand" in forged(*commands)[0]


@pytest.mark.parametrize(
    ("commands", "why", "place"),
    [
        ([offered(shift=1)], "could not be: no decision that stands was taken there", 1),
        ([offered(2)], "could not be: there is no seat 2", 1),
        ([offered(of=1)], "is not what it should be", 1),
        ([offered(), offered(1)], "could not be: a correction is proposed already", 2),
        ([offered(), answered(0)], "could not be: this seat has agreed already", 2),
        ([answered(1)], "could not be: nothing is on offer", 1),
        ([withdrawn()], "could not be: the director proposes nothing", 1),
        ([offered(), withdrawn()], "could not be: the director proposes nothing", 2),
        ([offered(None), withdrawn(1)], "is not what it should be", 2),
        ([offered(None), withdrawn(), answered(1)], "could not be: nothing is on offer", 3),
        ([offered(), answered(1)], "is not followed by what comes of it: Corrected by consent", 2),
        ([offered(None), carried_out(1)], "has no part in this command", 3),
        ([offered(None), answered(1), answered(1)], "could not be: this seat has agreed already", 3),
        ([offered(), carried_out(1, lambda facts: facts[:2])], "is not followed by what comes of it", 3),
        ([offered(), carried_out(1, lambda facts: facts[1:])], "could not be: ", 2),
        (
            [offered(), carried_out(1, lambda facts: [*facts[:2], replace(facts[2], rolls=3)])],
            "is not what it should be",
            4,
        ),
        (
            [offered(), carried_out(1, lambda facts: [facts[0], replace(facts[1], back_to=14), facts[2]])],
            "is not what it should be",
            3,
        ),
        ([lambda *said: [said[2]]], "follows from nothing", 1),
    ],
)
def test_a_forged_correction_is_found(
    commands: list[Callable[[int, int, DiceCounted], list[Fact]]], why: str, place: int
) -> None:
    text, behind = forged(*commands)

    assert why in text
    assert place == behind
