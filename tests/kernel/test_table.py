"""The table: it lists what is legal, takes a decision, and records what comes of it."""

from random import Random

import pytest

from domain.kernel.dice import Scripted, seeded
from domain.kernel.facts import Decided, Drew, Modifier, Rolled, evolve
from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.kernel.table import RUNAWAY, Illegal, Runaway, Table
from domain.match.adjudicate import readjudicate
from domain.match.notices import GameEnded
from tests.kernel.playing import Playing, any_choice, copy_of
from tests.kernel.probe import Pick, Said, Sight, Whispered, table_of
from tests.tiny import GAME
from tests.tiny.decisions import Sail


class Guessing(Procedure):
    seat: int = 0

    @ask("1.1")
    def guess(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        return [Pick(1), Pick(2)]

    @guess.chosen
    def _(self, table: Table, decision: Pick) -> Flow:
        table.record(Whispered(1, str(decision.number)))
        table.roll(
            "luck", decision.number, by=0, target="high", subject="it", modifiers=[Modifier("fog", -1)]
        )
        return None

    @step("1.2")
    def draw(self, table: Table) -> Flow:
        table.draw("a straw", 5, 3, by=1)
        return None

    @step("1.3")
    def luck(self, table: Table) -> Flow:
        assert table.roll("nothing", 0) == ()
        assert table.draw("nothing", 5, 0) == ()
        table.roll("more luck", 1, 10)
        return None


def test_a_decision_returns_what_came_of_it_already_folded() -> None:
    table = table_of(Guessing(), dice=Scripted([[3, 4], [5], [4], [1], [10]]))

    facts = table.decide(0, Pick(2))

    assert [
        Whispered(1, "2"),
        Rolled(0, "1.1", "luck", 0, 6, (3, 4), "high", "it", (Modifier("fog", -1),)),
        Drew(1, "1.2", "a straw", 1, 5, (4, 3, 0)),
        Rolled(4, "1.3", "more luck", -1, 10, (10,)),
    ] == facts[1:-1]
    assert 5 == table.state.rolls
    assert ["2"] == table.own[1].heard
    assert facts is table.facts


def test_a_draw_by_neither_side_says_so() -> None:
    class Drawing(Procedure):
        @step("1.1")
        def draw(self, table: Table) -> Flow:
            table.draw("a straw", 5)
            return None

    assert [Drew(0, "1.1", "a straw", -1, 5, (2,))] == table_of(Drawing(), dice=Scripted([[3]])).facts


def test_before_anybody_decides_nobody_acts_and_then_who_decided_last() -> None:
    class Acting(Procedure):
        seats: tuple[int, ...] = (1,)

        @step("1.1")
        def begin(self, table: Table) -> Flow:
            table.record(Said(f"{table.actor} under {table.rule}"))
            return None

        @ask("1.2", by="seats")
        def guess(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(1)]

        @guess.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            return self.begin if self.seats == (1,) and len(table.open.said) < 2 else None

    table = table_of(Acting())
    table.decide(1, Pick(1))

    assert ["-1 under 1.1", "1 under 1.1"] == table.open.said


def test_a_table_at_which_nothing_is_under_way_rolls_under_no_rule() -> None:
    table = Table(GAME, GAME.state(), Scripted([[4]]))

    assert ((4,), ()) == (table.roll("luck", 1), table.quiet(0))
    assert [Rolled(0, "", "luck", -1, 6, (4,))] == table.facts


class Highest:
    """Dice that always show their highest face, and remember what was asked for."""

    def __init__(self) -> None:
        self.asked: list[tuple[int, int, int]] = []

    def roll(self, index: int, count: int, sides: int) -> tuple[int, ...]:
        self.asked.append((index, count, sides))
        return (sides,) * count


def test_a_draw_is_without_replacement() -> None:
    dice = Highest()
    table = table_of(Guessing(), dice=dice)

    drew = next(fact for fact in table.decide(0, Pick(1)) if isinstance(fact, Drew))

    assert (5, (4, 3, 2)) == (drew.left, drew.places)
    assert [(1, 1, 5), (2, 1, 4), (3, 1, 3)] == dice.asked[1:4]


def test_an_illegal_decision_leaves_no_trace() -> None:
    table = table_of(Guessing(), dice=Scripted([[1]]))
    state, facts, prompts = table.game.encode(table.state), list(table.facts), dict(table.prompts)

    with pytest.raises(Illegal, match=r"^not on the list of rule 1\.1$") as caught:
        table.decide(0, Pick(3))

    assert (0, Pick(3), "1.1") == (caught.value.seat, caught.value.decision, caught.value.rule)
    assert state == table.game.encode(table.state)
    assert facts == table.facts
    assert prompts == table.prompts
    assert 1 == table.dice.left  # type: ignore[attr-defined]


def test_a_decision_of_another_class_with_the_same_fields_is_illegal() -> None:
    class Take(Decision, frozen=True):
        number: int

    with pytest.raises(Illegal):
        table_of(Guessing()).decide(0, Take(1))


def test_a_seat_that_is_not_asked_cannot_decide() -> None:
    with pytest.raises(Illegal, match=r"^this seat is not asked$") as caught:
        table_of(Guessing()).decide(1, Pick(1))

    assert "" == caught.value.rule


def test_after_the_end_nobody_can_decide() -> None:
    table = table_of(Guessing())
    table.record(GameEnded(1, "resignation", "match"))

    with pytest.raises(Illegal, match=r"^this seat is not asked$"):
        table.decide(0, Pick(1))


def test_the_end_of_the_match_ends_every_procedure() -> None:
    class Ending(Procedure):
        @step("1.1")
        def end(self, table: Table) -> Flow:
            table.record(GameEnded(None, "because", "1.1"))
            return None

        @step("1.2")
        def never(self, table: Table) -> Flow:
            table.record(Said("never"))
            return None

    table = table_of(Ending())

    assert [GameEnded(None, "because", "1.1")] == table.facts
    assert {} == table.prompts
    assert () == table.state.asked


def test_a_table_over_a_finished_match_asks_nobody() -> None:
    playing = Playing(GAME, "skirmish")
    playing.notice([GameEnded(0, "resignation", "match")])
    playing.fold_again()

    assert {} == playing.table.prompts
    assert [] == playing.table.facts


def test_rules_that_run_in_a_circle_are_stopped() -> None:
    class Circle(Procedure):
        @step("1.1")
        def round(self, table: Table) -> Flow:  # noqa: ARG002
            return self.round

    with pytest.raises(Runaway, match=rf"^{RUNAWAY} steps without a question, the last under rule 1\.1$"):
        table_of(Circle())


@pytest.mark.parametrize("pairs", [False, True])
def test_at_every_prompt_a_match_is_saved_restored_and_forked(pairs: bool) -> None:
    for seed in range(20):
        chance = Random(seed)
        playing = Playing(GAME, "campaign", {"pairs": pairs}, seeded(seed))
        while not playing.state.match.over:
            copy = copy_of(GAME, playing.state)
            restored, fork = (Table(GAME, copy_of(GAME, copy), playing.dice) for _ in range(2))
            assert playing.state == copy
            assert [] == restored.facts
            assert playing.table.prompts == restored.prompts
            fork.decide(*any_choice(fork, chance))
            seat, decision = any_choice(playing.table, chance)

            assert restored.decide(seat, decision) == playing.decide(seat, decision)
            assert playing.state == restored.state


def test_the_log_folds_to_the_live_state() -> None:
    for seed in range(20):
        chance = Random(seed)
        playing = Playing(GAME, "campaign", {}, seeded(seed))
        while not playing.state.match.over:
            playing.decide(*any_choice(playing.table, chance))
        decoded = (GAME.fact(GAME.encode(fact)) for _, fact in playing.log)

        assert playing.state == evolve(GAME.state(), decoded)


def test_what_a_seat_has_ordered_is_marked_and_nothing_else_is_taken_as_ordered(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    playing = Playing(GAME, "skirmish")
    before = len(playing.log)
    with pytest.raises(Illegal):
        playing.decide(0, Sail("islet:1"), "ordered")
    monkeypatch.setattr(GAME, "ordered", lambda *_: Sail("islet:1"))
    with pytest.raises(Illegal):
        playing.decide(0, Sail("islet:2"), "ordered")
    assert before == len(playing.log)

    facts = playing.decide(0, Sail("islet:1"), "ordered")

    assert ["ordered"] == [fact.how for fact in facts if isinstance(fact, Decided)]
    assert [] == list(readjudicate(GAME, playing.log))


def test_a_decision_taken_by_the_clock_is_marked() -> None:
    playing = Playing(GAME, "skirmish")

    facts = playing.decide(0, Sail("islet:1"), "default")

    assert "default" == facts[0].how  # type: ignore[attr-defined]
