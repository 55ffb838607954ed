"""Sealed steps: a window in which both seats pick at once, and nobody can count what the other picked."""

from collections.abc import Sequence
from contextlib import suppress
from time import process_time

import pytest
from msgspec import Raw

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted, seeded
from domain.kernel.facts import Decided, Fact, Padding, Paused, evolve
from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.kernel.table import (
    MOST_DECISIONS,
    Illegal,
    NotOneCommand,
    Table,
    TooLittlePadding,
    Unfinished,
)
from domain.match.adjudicate import decide_again, readjudicate
from domain.match.notices import GameEnded
from domain.match.undo import Undone, reach, standing
from tests.kernel.playing import Playing, copy_of
from tests.kernel.probe import Own, Pass, Pick, Said, Sight, Whispered, probe, table_of

SEALED = 12
"""Facts of each command that not everybody may see, but for the bookmark."""


class Plotting(Procedure):
    """Both seats plot as much as they like, in secret; then all is told, and another round begins."""

    numbers: int = 4
    rounds: int = 2
    padded: bool = True
    plots: tuple[tuple[int, ...], ...] = ((), ())
    done: tuple[int, ...] = ()

    @ask("8.1", by="both", sealed=True)
    def plot(self, sight: Sight) -> list[Decision]:
        """Plot."""
        if sight.seat in self.done:
            return []
        left: list[Decision] = [
            Pick(n) for n in range(1, self.numbers + 1) if n not in self.plots[sight.seat]
        ]
        return [*left, Pass()]

    @plot.chosen
    def _(self, table: Table, decision: Pick | Pass) -> Flow:
        seat = table.actor
        if isinstance(decision, Pick):
            mine = (*self.plots[seat], decision.number)
            self.plots = (mine, self.plots[1]) if seat == 0 else (self.plots[0], mine)
            return self.plot
        for number in sorted(self.plots[seat]):
            table.record(Whispered(seat, str(number)))
        if self.padded:
            table.pad(SEALED, strict=True)
        self.done += (seat,)
        return None

    @plot.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:  # noqa: ARG002
        return [option for option in options if isinstance(option, Pick)]

    @step("8.2")
    def tell(self, table: Table) -> Flow:
        """All is told, and a die falls."""
        table.roll("luck", 1)
        table.record(Said(f"{self.plots}"))
        self.rounds -= 1
        self.plots, self.done = ((), ()), ()
        if not self.rounds:
            table.record(GameEnded(None, "all was told", "8.3"))
        return self.plot

    @property
    def both(self) -> tuple[int, ...]:
        return (0, 1)


GAME = probe(Plotting)


def plotting(numbers: int = 4) -> Table:
    return table_of(Plotting(numbers=numbers), dice=seeded(1))


def picks(*numbers: int) -> list[Decision]:
    return [*map(Pick, numbers), Pass()]


def sealed(facts: Sequence[Fact]) -> int:
    return sum(fact.audience() is not Audience.ALL for fact in facts)


def told(table: Table) -> list[str]:
    return list(table.open.said)


def again(table: Table) -> Table:
    """A table over the recorded state, which asks the same."""
    other = Table(GAME, copy_of(GAME, table.state), table.dice)
    assert other.prompts == table.prompts
    assert other.facts == []
    assert tuple(other.prompts) == other.state.asked
    return other


ORDERS = {
    "one after the other": [(0, picks(1, 2)), (1, picks(3))],
    "the other first": [(1, picks(3)), (0, picks(1, 2))],
    "nothing": [(0, picks()), (1, picks())],
    "nothing, and all": [(1, picks()), (0, picks(1, 2, 3, 4))],
}


@pytest.mark.parametrize("order", ORDERS.values(), ids=list(ORDERS))
def test_whichever_seat_closes_the_window_the_next_step_runs_once(
    order: list[tuple[int, list[Decision]]],
) -> None:
    table = plotting()
    (first, one), (second, other) = order
    before = table.prompts[second]

    opening = table.decide_all(first, one)

    assert [second] == [*again(table).prompts]
    assert before == table.prompts[second]
    assert [] == told(table)
    closing = table.decide_all(second, other)
    assert 1 == len(told(table)) == sum(isinstance(fact, Said) for fact in closing)
    assert [0, 1] == [*again(table).prompts]
    # The bookmark is one more, and nothing else tells the two apart.
    assert SEALED + 1 == sealed(opening) == sealed(closing)
    assert isinstance(opening[-1], Paused)


def test_a_seat_looks_ahead_while_the_other_picks_and_after_it_has() -> None:
    table = plotting()
    ahead = table.ahead(0, [Pick(2)])

    assert {0, 1} == {*ahead.prompts}
    assert table.prompts[1] == ahead.prompts[1]
    assert (Pick(1), Pick(3), Pick(4), Pass()) == ahead.prompts[0].options
    table.decide_all(1, picks(1, 2, 3))
    ahead = again(table).ahead(0, [Pick(2), Pick(1)])
    assert {0} == {*ahead.prompts}
    assert (Pick(3), Pick(4), Pass()) == ahead.prompts[0].options
    with pytest.raises(Illegal):
        table.decide_all(1, picks(4))
    table.decide_all(0, picks(2, 1))
    assert ["((2, 1), (1, 2, 3))"] == told(table)


def test_looking_ahead_goes_on_from_what_was_looked_at() -> None:
    table = plotting()
    far = table.ahead(0, [Pick(2)]).ahead(0, [Pick(1)])

    assert far.prompts == table.ahead(0, [Pick(2), Pick(1)]).prompts


UNFINISHED: dict[str, list[Decision]] = {
    "a quiet one alone": [Pick(1)],
    "several quiet ones": [Pick(1), Pick(3), Pick(4)],
}


@pytest.mark.parametrize("decisions", UNFINISHED.values(), ids=list(UNFINISHED))
def test_a_quiet_decision_ends_no_command_of_a_sealed_step(decisions: list[Decision]) -> None:
    table = plotting()
    state, prompts, facts = GAME.encode(table.state), table.prompts, list(table.facts)

    with pytest.raises(
        NotOneCommand, match=r"^here decisions are sent together, up to one that is not quiet$"
    ):
        table.decide_all(0, decisions)

    assert (state, prompts, facts) == (GAME.encode(table.state), table.prompts, table.facts)
    with suppress(Unfinished):
        table.decide(0, decisions[0])
    with pytest.raises(Unfinished):
        table.decide(0, decisions[0], "default")
    assert (state, prompts, facts) == (GAME.encode(table.state), table.prompts, table.facts)


def test_one_that_is_not_quiet_may_stand_alone() -> None:
    for how in ("chosen", "default"):
        assert table_of(Plotting()).decide(1, Pass(), how)


def test_what_is_on_no_list_is_illegal_also_in_a_sealed_step() -> None:
    with pytest.raises(Illegal):
        plotting().decide(0, Pick(9))
    with pytest.raises(NotOneCommand) as caught:
        plotting().decide_all(0, [Pick(1), Pick(1)])
    assert type(caught.value) is NotOneCommand


def test_whether_a_step_is_sealed_is_known_of_the_seats_that_it_asks() -> None:
    table = plotting()

    assert table.sealed(0)
    assert table.sealed(1)
    table.decide(0, Pass())
    assert not table.sealed(0)
    assert table.sealed(1)
    assert not table.sealed(7)
    assert again(table).sealed(1)


def test_a_step_that_is_taken_up_under_another_rule_is_sealed_as_well() -> None:
    class Later(Plotting):
        plot = Plotting.plot.under("9.1", "Plot again.")

    table = table_of(Later())

    assert table.sealed(0)
    assert "9.1" == table.prompts[0].rule
    with pytest.raises(Unfinished):
        table.decide(0, Pick(1))


def test_other_steps_are_not_sealed() -> None:
    class Plain(Procedure):
        seat: int = 0

        @ask("1.1")
        def go(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(1)]

        @go.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            return self.go

        @go.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

    table = table_of(Plain())

    assert not table.sealed(0)
    assert table.decide(0, Pick(1))


def test_padding_counts_the_whole_command() -> None:
    for numbers in ((), (4,), (1, 2, 3, 4)):
        facts = plotting().decide_all(0, picks(*numbers))
        kinds = [type(fact) for fact in facts]
        count = len(numbers)
        padding = SEALED - 2 * count - 1
        expected = [*[Decided] * (count + 1), *[Whispered] * count, *[Padding] * padding, Paused]
        assert expected == kinds


def test_a_command_that_is_longer_than_its_padding_is_a_bug() -> None:
    table = plotting(9)
    fits = picks(1, 2, 3, 4)
    table.decide_all(1, fits)

    with pytest.raises(TooLittlePadding, match=r"^13 facts are sealed, and 12 were to be, under rule 8\.1$"):
        table.decide_all(0, picks(1, 2, 3, 4, 5, 6))


def playing(*commands: tuple[int, list[Decision]]) -> Playing:
    one = Playing(GAME, "probe", {}, seeded(1))
    for seat, decisions in commands:
        one.decide_all(seat, decisions)
    return one


def test_a_match_of_sealed_steps_is_decided_again_as_it_was() -> None:
    one = playing(*ORDERS["the other first"], *ORDERS["nothing, and all"])

    assert one.state.match.over
    assert [] == list(readjudicate(GAME, one.log))
    again_ = decide_again(GAME, one.log, next(n for n, fact in one.log if isinstance(fact, Padding)))
    assert again_ is not None
    assert again_.same


def test_a_record_of_a_lone_quiet_pick_is_a_difference() -> None:
    one = playing((0, picks()))
    at = next(n for n, fact in one.log if isinstance(fact, Decided))
    pick = Decided(0, Raw(GAME.encode(Pick(1))))
    log = [(n, pick if n == at else fact) for n, fact in one.log]

    assert ["here decisions are sent together, up to one that is not quiet"] == [
        difference.found for difference in readjudicate(GAME, log)
    ]


def test_a_whole_command_is_taken_back_while_the_other_has_not_answered() -> None:
    one = playing()
    start = len(one.log)
    one.decide_all(0, picks(1, 2))

    assert start == reach(one.log, 0, alone=True)
    one.notice([Undone(0, start)])
    assert {0, 1} == {*one.table.prompts}
    assert [Own(), Own()] == one.state.own
    one.decide_all(0, picks(3))
    one.decide_all(1, picks())
    assert ["((3,), ())"] == told(one.table)


def test_the_log_folds_to_the_match_at_every_pause() -> None:
    one = playing()
    for seat, decisions in (*ORDERS["one after the other"], *ORDERS["nothing, and all"][:1]):
        one.decide_all(seat, decisions)
        state = evolve(GAME.state(), (fact for _, fact in standing(one.log)))
        assert GAME.encode(one.state) == GAME.encode(state)
        assert one.table.prompts == Table(GAME, state, Scripted([])).prompts


def test_a_command_may_hold_the_picks_of_a_whole_fleet() -> None:
    class Fleet(Procedure):
        left: int = MOST_DECISIONS - 1

        @ask("9.2", by="admiral", sealed=True)
        def order(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Give an order."""
            return [*([Pick(self.left)] if self.left else []), Pass()]

        @order.chosen
        def _(self, table: Table, decision: Pick | Pass) -> Flow:
            if isinstance(decision, Pass):
                return None
            table.record(Whispered(0, "so"))
            self.left -= 1
            return self.order

        @order.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options[:-1]

        @property
        def admiral(self) -> int:
            return 0

    table, decisions = table_of(Fleet()), [Pick(n) for n in range(MOST_DECISIONS - 1, 0, -1)]
    begun = process_time()

    facts = table.decide_all(0, [*decisions, Pass()])

    assert process_time() - begun < 1
    assert MOST_DECISIONS == sum(isinstance(fact, Decided) for fact in facts)
