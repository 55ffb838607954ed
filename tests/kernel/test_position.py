"""A fold put down and taken up again is the fold of the whole match; one that forgets knows all it needs."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import DecodeError

from domain.kernel.audience import VIEWERS
from domain.kernel.facts import Decided, Fact
from domain.kernel.seats import Clock
from domain.match import fold, position
from domain.match.chain import ZERO, Entry, seal
from domain.match.fold import Fold, Forgotten
from domain.match.game import Game
from domain.match.position import Position
from domain.match.undo import Undone, bars, reach
from domain.titles import TITLES
from tests.golden.test_golden import GOLDEN, log_of
from tests.kernel.probe import Said, probe
from tests.kernel.test_fold import PASS, ROLLED
from tests.projections.play import Played, draft, play
from tests.tiny import GAME

GAMES = {GAME.name: GAME, **TITLES}
STEP = 5
"""Commands from one position to the next."""

GAP = 50
"""Facts of a golden match from one position to the next; in the soak of any."""

POSITIONS = 40
"""Positions of a golden match in the check-in at most: those of a long one lie further apart."""

TOLD = 12
"""Commands that are folded from each position."""


def known(folded: Fold) -> tuple[Any, ...]:
    """Return all that a fold knows but its facts."""
    return (
        folded.seq,
        folded.hash,
        folded.at,
        folded.state,
        folded.barrier,
        folded.took_back,
        folded.asked_since,
        folded.clocks.turning() if folded.clocks else None,
        [folded.view(audience) for audience in VIEWERS],
    )


def undoable(folded: Fold) -> list[int | None]:
    """Return how far each seat may go back, alone and with the others."""
    seats = range(len(folded.state.match.seats))
    return [reach(folded.facts, seat, alone=alone) for seat in seats for alone in (False, True)]


def put_down(folded: Fold) -> Position:
    return position.decode(position.encode(folded.position()))


def walked(game: Game, commands: list[list[Entry]]) -> Iterator[tuple[int, Fold]]:
    """Fold a match from its start; yield how many commands were folded, and the fold, which goes on."""
    folded = Fold(game)
    for count, command in enumerate(commands, 1):
        folded.apply(command)
        yield count, folded


def check_positions(game: Game, commands: list[list[Entry]]) -> int:
    """Fold from every STEP-th command on and compare with the fold from the start; return the undos met."""
    going: list[Fold] = []
    met = 0
    for count, whole in walked(game, commands):
        for one in list(going):
            try:
                undone = any(isinstance(fact, Undone) for fact in one.apply(commands[count - 1]))
            except Forgotten:
                # It was put down between what nobody can take back and this undo.
                assert one.start > whole.barrier
                going.remove(one)
                continue
            met += undone
            assert known(whole) == known(one)
            if one.start <= whole.barrier:
                assert undoable(whole) == undoable(one)
        if count % STEP == 0:
            going = [*going[-(TOLD // STEP) :], Fold.at_position(game, put_down(whole))]
    return met


@pytest.mark.parametrize(
    ("title", "scenario", "commands"),
    [
        ("tiny", "campaign", 300),
        ("midway", "historical-4-june", 90),
        ("coral_sea", "campaign", 90),
        ("nimitz", "1942", 90),
        ("pacific_war", "E1", 90),
    ],
)
def test_the_fold_from_a_position_is_the_fold_from_the_start(
    title: str, scenario: str, commands: int
) -> None:
    game, clock = GAMES[title], Clock(3600, 20, rewinds=True)
    played = play(game, scenario, undos=0.3, lapses=0.1, paused=0.1, most=commands, clock=clock)

    assert check_positions(game, played.commands) > 0


@pytest.mark.parametrize("most", [POSITIONS, pytest.param(1_000_000, id="all", marks=pytest.mark.soak)])
@pytest.mark.parametrize("path", GOLDEN, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_golden_match_folds_from_any_position_as_from_its_start(path: Path, most: int) -> None:
    game, (log, _) = TITLES[path.parent.name], log_of(path)
    gap = max(GAP, len(log) // most)
    whole, going = Fold(game), list[Fold]()
    forgotten = 0

    for seq, fact in log:
        entry = seal(UUID(int=1), uuid4(), seq, whole.seq, whole.hash, [draft(fact)], b"")
        before = whole.barrier
        whole.apply(entry)
        for one in list(going):
            try:
                one.apply(entry)
            except Forgotten:
                assert isinstance(fact, Undone)
                assert fact.back_to < max(one.start, before)
                going.remove(one)
                forgotten += 1
        if seq % gap == 0 or seq == len(log):
            there = known(whole)
            assert all(there == known(one) for one in going)
            going = [*going[-2:], Fold.at_position(game, put_down(whole))]

    assert forgotten <= len(log) / GAP / 4


@pytest.mark.parametrize(
    ("title", "scenario"), [("tiny", "campaign"), ("nimitz", "1942"), ("midway", "duel")]
)
def test_a_fold_that_forgets_knows_what_may_be_taken_back(
    title: str, scenario: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fold, "FORGET", 10)
    game = GAMES[title]
    commands = play(game, scenario, undos=0.3, most=200, clock=Clock(10**6, 20, rewinds=True)).commands
    forgetful, most = Fold(game, forgets=True), 0

    for count, whole in walked(game, commands):
        forgetful.apply(commands[count - 1])
        if count % 3 == 0:
            forgetful = forgetful.copy()
        assert known(whole) == known(forgetful)
        assert undoable(whole) == undoable(forgetful)
        assert whole.facts[-len(forgetful.facts) :] == forgetful.facts
        since_barrier = sum(seq > whole.barrier for seq, _ in whole.facts)
        most = max(most, len(forgetful.facts) - since_barrier)

    assert forgetful.start > 0
    assert most < len(whole.facts) / 3


def entries(folded: Fold, *facts: Fact) -> list[Entry]:
    return seal(UUID(int=1), uuid4(), folded.at, folded.seq, ZERO, map(draft, facts), b"")


def test_what_today_nobody_may_take_back_is_forgotten_and_an_undo_of_it_needs_the_whole_match() -> None:
    whole = Fold(title := probe())
    for fact in (Said("aye"), Decided(0, PASS), ROLLED, Said("no")):
        whole.apply(entries(whole, fact))
    later = Fold.at_position(title, put_down(whole))
    undo = entries(whole, Undone(0, 1))

    with pytest.raises(Forgotten):
        later.apply(undo)

    assert 3 == whole.barrier
    whole.apply(undo)
    assert ["aye"] == whole.state.open.said
    assert (0, 0) == (whole.barrier, whole.took_back)


def test_a_fold_that_forgets_does_not_start_from_what_was_taken_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fold, "FORGET", 3)
    folded = Fold(probe(), forgets=True)
    for fact in (Said("aye"), Decided(0, PASS), Said("no"), Undone(0, 1), ROLLED):
        folded.apply(entries(folded, fact))

    folded.apply(entries(folded, Decided(0, PASS), Said("well")))
    folded.apply(entries(folded, Undone(0, 5)))

    assert ["aye"] == folded.state.open.said


def test_a_decision_by_default_is_a_barrier_as_dice_are() -> None:
    whole = Fold(title := probe())

    whole.apply(entries(whole, Decided(0, PASS), Decided(1, PASS, "default"), Decided(0, PASS, "forced")))

    assert [False, True, True] == [bars(f) for f in (Decided(0, PASS), Decided(0, PASS, "default"), ROLLED)]
    assert 2 == whole.barrier
    assert 2 == Fold.at_position(title, put_down(whole)).barrier


def test_one_who_took_back_and_was_put_down_has_still_taken_back() -> None:
    played = cut_behind_an_undo(play(GAME, "campaign", undos=0.5, most=100))
    whole = Fold(GAME)
    for command in played.commands:
        whole.apply(command)

    taken_up = Fold.at_position(GAME, put_down(whole))

    assert taken_up.took_back is not None
    assert whole.took_back == taken_up.took_back


def cut_behind_an_undo(played: Played) -> Played:
    last = max(count for count, one in enumerate(played.commands, 1) if one[0].type == "Undone")
    return played.cut(last)


def test_what_is_not_a_position_is_not_taken_up() -> None:
    whole = Fold(GAME)
    for command in play(GAME, "campaign", most=20).commands:
        whole.apply(command)
    kept = position.encode(whole.position())

    with pytest.raises(DecodeError):
        position.decode(kept[:-9])


def test_the_form_of_positions_is_that_of_the_state_and_the_same_in_every_process() -> None:
    code = "from tests.tiny import GAME\nfrom domain.match.position import form\nprint(form(GAME))"
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env={"PYTHONHASHSEED": seed}, capture_output=True, check=True
        )
        for seed in ("1", "2")
    ]

    assert {position.form(GAME)} == {one.stdout.decode().strip() for one in told}
    assert len(GAMES) == len({position.form(game) for game in GAMES.values()})
