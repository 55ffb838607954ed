"""A match folded command by command: what was taken back counts no more, and costs little."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest
from msgspec import Raw

from domain.kernel.audience import Audience
from domain.kernel.dice import seeded
from domain.kernel.facts import Decided, Fact, Notice, Rolled, State, evolve
from domain.kernel.seats import Clock
from domain.kernel.table import Table
from domain.match import fold
from domain.match.chain import ZERO, Entry, seal
from domain.match.fold import Fold
from domain.match.undo import Undone, standing
from domain.match.undoing import undo_slip
from domain.titles import TITLES
from tests.kernel.playing import opening
from tests.kernel.probe import Said, probe
from tests.projections.play import draft, play
from tests.seen import plain
from tests.tiny import GAME

GAMES = {GAME.name: GAME, **TITLES}


@pytest.mark.parametrize(
    ("title", "scenario", "commands"),
    [
        ("tiny", "campaign", 400),
        ("midway", "historical-4-june", 120),
        ("coral_sea", "campaign", 120),
        ("nimitz", "1942", 120),
    ],
)
def test_whatever_was_taken_back_the_state_is_that_of_the_facts_that_stand(
    title: str, scenario: str, commands: int
) -> None:
    game = GAMES[title]
    played = play(game, scenario, undos=0.4, most=commands)
    folded, facts = Fold(game), played.facts

    for command in played.commands:
        taken = folded.apply(command)
        stand = standing(facts[: command[-1].seq])

        assert stand == folded.facts
        if any(isinstance(fact, Undone) for fact in taken):
            assert evolve(game.state(), [fact for _, fact in stand]) == folded.state
    assert evolve(game.state(), [fact for _, fact in standing(facts)]) == folded.state


def test_a_seat_that_takes_back_without_end_costs_no_more_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(GAME, "campaign", most=0)
    folded, folds = Fold(GAME), list[int]()
    for command in played.commands:
        folded.apply(command)
    state, stood = GAME.encode(folded.state), len(folded.facts)

    def counted(state: State[Any, Any], facts: Sequence[Fact]) -> State[Any, Any]:
        folds.append(len(facts))
        return evolve(state, facts)

    monkeypatch.setattr(fold, "evolve", counted)
    for _ in range(100):
        decide_and_take_back(folded)

    assert state == GAME.encode(folded.state)
    assert stood + 100 == len(folded.facts)
    assert stood + 100 >= sum(folds[:3])
    assert 2 >= max(folds[3:])


def decide_and_take_back(folded: Fold) -> None:
    table = Table(GAME, folded.state, seeded(0))
    seat, prompt = next(iter(table.prompts.items()))
    note(folded, table.decide(seat, prompt.options[0]))
    slip = undo_slip(folded.state.match, seat, folded.facts)
    note(folded, [*evolved(folded, slip)])


def evolved(folded: Fold, facts: Sequence[Fact]) -> Sequence[Fact]:
    for fact in facts:
        fact.fold(folded.state)
    return facts


def note(folded: Fold, facts: Sequence[Fact]) -> None:
    """Count a command whose facts are folded; of its entries only the numbers matter."""
    last = folded.facts[-1][0]
    folded.note(seal(UUID(int=1), uuid4(), folded.at, last, ZERO, map(draft, facts), b""), facts)


def test_an_undo_of_everything_leaves_the_notices() -> None:
    folded = Fold(GAME)
    for command in play(GAME, "campaign", most=12).commands:
        folded.apply(command)

    note(folded, evolved(folded, [Undone(0, 0)]))

    assert all(isinstance(fact, Notice) for _, fact in folded.facts)
    assert evolve(GAME.state(), [fact for _, fact in folded.facts]) == folded.state


PROBE = probe()
PASS = Raw(b'{"type":"Pass"}')
ROLLED = Rolled(0, "1.1", "luck", 0, 6, (4,))


class Logged:
    """A match of two that is begun; of each command it is counted what it folds again."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.fold, self._again = Fold(PROBE), list[int]()
        monkeypatch.setattr(fold, "evolve", self._counted)
        for fact in opening(PROBE, "probe", {}):
            self.take(fact)

    def take(self, *facts: Fact) -> list[int]:
        """Fold one command; return how many facts were folded again, step by step."""
        self._again.clear()
        self.fold.apply(entries(self.fold, facts))
        return list(self._again)

    def _counted(self, state: State[Any, Any], facts: Sequence[Fact]) -> State[Any, Any]:
        self._again.append(len(facts))
        return evolve(state, facts)


def entries(folded: Fold, facts: Sequence[Fact]) -> list[Entry]:
    """The next command; only the numbers matter."""
    last = folded.facts[-1][0] if folded.facts else 0
    return seal(UUID(int=1), uuid4(), folded.at, last, ZERO, map(draft, facts), b"")


def test_an_undo_folds_again_from_the_last_roll_or_from_where_the_last_undo_went_back_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    log = Logged(monkeypatch)
    for fact in (Decided(0, PASS), ROLLED, *[Decided(0, PASS), Said("aye")] * 3):
        log.take(fact)
    assert (10, 16) == (log.fold.facts.index((10, ROLLED)) + 1, len(log.fold.facts))

    assert [10, 4, 1] == log.take(Undone(0, 14))
    assert [2, 2] == log.take(Undone(0, 12))
    assert [0, 3] == log.take(Undone(0, 12))
    assert [0, 4] == log.take(Undone(0, 10))

    assert [] == log.fold.state.open.said
    assert 1 == log.fold.state.rolls


def test_what_was_kept_for_an_undo_is_kept_for_the_next_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    log = Logged(monkeypatch)
    for fact in (Decided(0, PASS), ROLLED, Decided(0, PASS), Said("aye"), Decided(0, PASS)):
        log.take(fact)

    assert [10, 2, 1] == log.take(Undone(0, 12))
    for fact in (Said("no"), Decided(0, PASS)):
        log.take(fact)
    assert [2, 1] == log.take(Undone(0, 15))
    assert [3, 2] == log.take(Undone(0, 14))


def test_a_copy_goes_on_by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    assert Fold(PROBE).copy().state == PROBE.state()
    log = Logged(monkeypatch)
    for fact in (Decided(0, PASS), ROLLED, Decided(0, PASS), Said("aye"), Decided(0, PASS)):
        log.take(fact)
    log.take(Undone(0, 12))
    before = (PROBE.encode(log.fold.state), list(log.fold.facts), log.fold.view(Audience.ONLOOKERS))

    copy = log.fold.copy()
    copy.apply(entries(copy, [Said("no")]))
    log.fold.copy().apply(entries(log.fold, [Undone(0, 10)]))

    assert before == (PROBE.encode(log.fold.state), log.fold.facts, log.fold.view(Audience.ONLOOKERS))
    assert ["aye", "no"] == copy.state.open.said
    assert [*before[1], (15, Said("no"))] == copy.facts
    log.fold = copy
    assert [0, 2] == log.take(Undone(0, 12))


def test_a_copy_has_the_clocks_of_its_own() -> None:
    folded = Fold(GAME)
    commands = play(GAME, "campaign", most=12, undos=0, clock=Clock(600)).commands
    for command in commands[:8]:
        folded.apply(command)
    before = folded.view(Audience.ONLOOKERS).clocks

    copy = folded.copy()
    assert before == copy.view(Audience.ONLOOKERS).clocks
    for command in commands[8:]:
        copy.apply(command)

    assert before == folded.view(Audience.ONLOOKERS).clocks
    assert commands[-1][-1].at == plain(copy.view(Audience.ONLOOKERS))["clocks"]["at"]


def test_a_command_that_is_folded_is_counted_with_as_many_facts_as_the_log_has_of_it() -> None:
    folded = Fold(PROBE)
    command = entries(folded, [Said("aye"), Said("no")])

    with pytest.raises(ValueError, match="zip"):
        folded.note(command, [Said("aye")])
    assert not Fold(PROBE).note(command, [Said("aye"), Said("no")])
    assert folded.note(entries(folded, [Undone(0, 0)]), [Undone(0, 0)])
