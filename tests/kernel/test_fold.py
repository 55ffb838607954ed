"""A match folded command by command: what was taken back counts no more, and costs little."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID, uuid4

import pytest

from domain.kernel import fold
from domain.kernel.chain import ZERO, seal
from domain.kernel.dice import seeded
from domain.kernel.facts import Fact, Notice, State, evolve
from domain.kernel.fold import Fold
from domain.kernel.notices import undo_slip
from domain.kernel.table import Table
from domain.kernel.undo import Undone, standing
from domain.titles import TITLES
from tests.projections.play import draft, play
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
        taken = folded.take(command)
        stand = standing(facts[: command[-1].seq])

        assert stand == folded.facts
        if any(isinstance(fact, Undone) for fact in taken):
            assert evolve(game.state(), [fact for _, fact in stand]) == folded.state
    assert evolve(game.state(), [fact for _, fact in standing(facts)]) == folded.state


def test_a_seat_that_takes_back_without_end_costs_no_more_each_time(monkeypatch: pytest.MonkeyPatch) -> None:
    played = play(GAME, "campaign", most=0)
    folded, folds = Fold(GAME), list[int]()
    for command in played.commands:
        folded.take(command)
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
        folded.take(command)

    note(folded, evolved(folded, [Undone(0, 0)]))

    assert all(isinstance(fact, Notice) for _, fact in folded.facts)
    assert evolve(GAME.state(), [fact for _, fact in folded.facts]) == folded.state
