"""Procedures of numbered steps: order, jumps, nesting, and who is asked."""

from collections.abc import Sequence
from typing import Any

import pytest
from msgspec import Raw, ValidationError, json

from domain.kernel.dice import Scripted
from domain.kernel.facts import Decided, Paused
from domain.kernel.procedures import DONE, Decision, Flow, Procedure, Prompt, Step, ask, step
from domain.kernel.table import Illegal, Table
from tests.kernel.probe import Open, Pass, Pick, Said, Sight, begun, probe, said, table_of


class Plain(Procedure):
    @step("1.1")
    def one(self, table: Table) -> Flow:
        table.record(Said("one"))
        return None

    @step("1.2")
    def two(self, table: Table) -> Flow:
        table.record(Said("two"))
        return None

    @step("1.3")
    def three(self, table: Table) -> Flow:
        table.record(Said("three"))
        return None


def test_steps_run_in_the_order_they_are_written() -> None:
    assert ["one", "two", "three"] == said(table_of(Plain()))


def test_a_step_returned_is_a_jump() -> None:
    class Jumping(Plain):
        @step("1.1")
        def one(self, table: Table) -> Flow:  # noqa: ARG002
            return self.three

    assert ["three"] == said(table_of(Jumping()))


def test_done_leaves_the_procedure() -> None:
    class Leaving(Plain):
        @step("1.2")
        def two(self, table: Table) -> Flow:  # noqa: ARG002
            return DONE

    assert ["one"] == said(table_of(Leaving()))


def test_an_inherited_step_keeps_its_place_and_new_ones_come_last() -> None:
    class Heir(Plain):
        @step("1.4")
        def four(self, table: Table) -> Flow:
            table.record(Said("four"))
            return None

        @step("1.2")
        def two(self, table: Table) -> Flow:
            table.record(Said("two anew"))
            return None

    assert ["one", "two anew", "three", "four"] == said(table_of(Heir()))


def test_a_heir_without_steps_of_its_own_has_its_parents() -> None:
    class Heir(Plain):
        pass

    assert ["one", "two", "three"] == said(table_of(Heir()))


class Shared(Procedure):
    """Steps of several procedures, which have no number before one of those takes them up."""

    @step("5.1")
    def begin(self, table: Table) -> None:
        table.record(Said(f"begin {table.rule}"))

    @ask("", by="seats", was="pick")
    def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        """Choose."""
        return [Pick(1), Pass()]

    @choose.chosen
    def _(self, table: Table, decision: Pick | Pass) -> Flow:
        table.record(Said(f"chosen {table.rule}"))
        return self.choose if isinstance(decision, Pick) else None

    @choose.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:  # noqa: ARG002
        return [option for option in options if isinstance(option, Pick)]

    @step("")
    def finish(self, table: Table) -> Flow:
        table.record(Said(f"finish {table.rule}"))
        return DONE

    def seats(self, _open: Open) -> int:
        return 0


class First(Shared):
    choose = Shared.choose.under("5.2", "Choose first.")
    finish = Shared.finish.under("5.3")


class Half(Shared):
    """One that has forgotten a step cannot run."""

    choose = Shared.choose.under("5.4")


class Second(Shared):
    @step("6.1")
    def before(self, table: Table) -> None:
        table.record(Said(f"before {table.rule}"))

    choose = Shared.choose.under("6.2")

    @step("6.3")
    def between(self, table: Table) -> None:
        table.record(Said(f"between {table.rule}"))

    finish = Shared.finish.under("6.4")


def test_a_shared_step_is_taken_up_in_its_place_under_each_procedures_number() -> None:
    first, second = table_of(First()), table_of(Second())
    asked = {**first.prompts}, {**second.prompts}
    for table in (first, second):
        table.decide_all(0, [Pick(1), Pass()])

    assert asked == (
        {0: Prompt("5.2", "Choose first.", (Pick(1), Pass()))},
        {0: Prompt("6.2", "Choose.", (Pick(1), Pass()))},
    )
    assert ["begin 5.1", "chosen 5.2", "chosen 5.2", "finish 5.3"] == said(first)
    assert ["begin 5.1", "before 6.1", "chosen 6.2", "chosen 6.2", "between 6.3", "finish 6.4"] == said(
        second
    )


def test_a_shared_step_keeps_the_name_it_had_and_belongs_to_who_takes_it_up() -> None:
    assert {} == Shared.steps == Half.steps
    assert First.steps["pick"] == First.steps["choose"] == (First.choose, "finish")
    assert ("", "5.2", "6.2") == (Shared.choose.rule, First.choose.rule, Second.choose.rule)


class Inner(Procedure):
    name: str

    @step("3.1")
    def speak(self, table: Table) -> Flow:
        table.record(Said(self.name))
        return None


class Middle(Procedure):
    @step("2.1")
    def first(self, table: Table) -> Flow:
        table.record(Said("middle"))
        return Inner(name="first")

    @step("2.2")
    def second(self, table: Table) -> Flow:  # noqa: ARG002
        return Inner(name="second")


class Outer(Procedure):
    @step("1.1")
    def begin(self, table: Table) -> Flow:
        table.record(Said("outer"))
        return Middle()

    @step("1.2")
    def end(self, table: Table) -> Flow:
        table.record(Said("over"))
        return None


def test_a_frame_returned_is_done_and_then_the_next_step() -> None:
    table = table_of(Outer(), Middle, Inner)

    assert ["outer", "middle", "first", "second", "over"] == said(table)
    assert {} == table.prompts
    assert [] == table.state.stack


class Asking(Procedure):
    """Asks the seats of its field once each."""

    seats: tuple[int, ...] = (0,)
    left: int = 1

    @ask("4.1", by="seats")
    def choose(self, sight: Sight) -> list[Decision]:
        """Choose a number.

        The rest of the docstring is not for the seat.
        """
        return [Pick(number) for number in range(1, 3 + sight.seat)]

    @choose.chosen
    def _(self, table: Table, decision: Pick) -> Flow:
        table.record(Said(f"{table.actor}: {decision.number}"))
        return None

    @ask("4.2", by="seats")
    def again(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        return [Pick(1), Pass()]

    @again.chosen
    def _(self, table: Table, decision: Pick | Pass) -> Flow:  # noqa: ARG002
        self.left -= 1
        return self.choose if self.left >= 0 else None


def test_a_seat_is_asked_with_rule_sentence_and_the_whole_list() -> None:
    table = table_of(Asking())

    assert {0: Prompt("4.1", "Choose a number.", (Pick(1), Pick(2)))} == table.prompts


def test_a_question_without_docstring_has_no_sentence() -> None:
    table = table_of(Asking())
    table.decide(0, Pick(1))

    assert {0: Prompt("4.2", "", (Pick(1), Pass()))} == table.prompts


def test_the_sentence_is_the_first_line_of_the_docstring() -> None:
    class Long(Asking):
        @ask("4.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Choose.

            Not for the seat.
            """
            return [Pass()]

    assert "Choose." == table_of(Long()).prompts[0].text


def test_a_step_may_say_how_things_stand_from_what_the_seat_sees() -> None:
    class Telling(Asking):
        left: int = 2

        @ask("4.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Choose."""
            return [Pick(1), Pass()]

        @choose.says
        def _(self, sight: Sight, options: Sequence[Decision]) -> str:
            return f"Seat {sight.seat} chooses one of {len(options)}, {self.left} left."

    assert "Seat 0 chooses one of 2, 2 left." == table_of(Telling()).prompts[0].text


def test_what_a_step_says_holds_under_another_number_too() -> None:
    class Base(Procedure):
        seat: int = 0

        @ask("")
        def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Choose."""
            return [Pass()]

        @choose.says
        def _(self, sight: Sight, options: Sequence[Decision]) -> str:  # noqa: ARG002
            return f"{type(self).__name__} asks."

        @choose.chosen
        def _(self, table: Table, decision: Pass) -> Flow:  # noqa: ARG002
            return None

    class Derived(Base):
        choose = Base.choose.under("4.2")

    assert "Derived asks." == table_of(Derived()).prompts[0].text


def test_what_a_seat_sees_and_what_it_is_asked_cannot_be_changed() -> None:
    seen: list[Sight] = []

    class Looking(Asking):
        @ask("4.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:
            seen.append(sight)
            return [Pass()]

    table = table_of(Looking())

    with pytest.raises(AttributeError):
        seen[0].side = 1  # type: ignore[misc]
    with pytest.raises(AttributeError):
        table.prompts[0].options = (Pick(1),)  # type: ignore[misc]


def test_what_follows_may_be_the_same_for_two_questions() -> None:
    class Twice(Procedure):
        seat: int = 0

        @ask("4.1")
        def one(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(1)]

        @ask("4.2")
        def two(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(2)]

        @one.chosen
        @two.chosen
        def _(self, table: Table, decision: Pick) -> Flow:
            table.record(Said(str(decision.number)))
            return None

        @one.quiet
        @two.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

    table = table_of(Twice())

    table.decide_all(0, [Pick(1), Pick(2)])

    assert ["1", "2"] == said(table)


def test_a_procedure_without_steps_is_left_at_once_as_one_whose_steps_are_done() -> None:
    class Empty(Procedure):
        pass

    assert {} == Empty.steps
    assert {"one", "two", "three", ""} == set(Plain.steps)


class Land(Decision, frozen=True):
    says = "land [{group}] on [{ship}]"

    group: str
    ship: str = "ship:1"


class TurnBack(Decision, frozen=True):
    group: str = ""
    legs: int = 0


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (Land("group:2"), "land [group:2] on [ship:1]"),
        (TurnBack(), "turn back"),
        (TurnBack("group:2"), "turn back [group:2]"),
        (TurnBack("group:2", 3), "turn back [group:2], 3"),
    ],
)
def test_a_decision_says_what_is_done(decision: Decision, words: str) -> None:
    assert words == decision.words()


def test_a_decision_is_what_was_sent_no_more_and_no_less() -> None:
    class Hail(Decision, frozen=True):
        ship: str

    hail = json.decode(b'{"type":"Hail","ship":"ship:1"}', type=Hail)

    assert "hail [ship:1]" == hail.words()
    with pytest.raises(ValidationError):
        json.decode(b'{"type":"Hail","ship":"ship:1","loudly":true}', type=Hail)
    assert hash(Decision()) == hash(Decision())


def test_several_seats_are_asked_at_once_and_each_answers_once() -> None:
    table = table_of(Asking(seats=(0, 1)))
    assert [0, 1] == sorted(table.prompts)

    table.decide(1, Pick(3))

    assert [0] == sorted(table.prompts)
    assert "4.1" == table.prompts[0].rule
    with pytest.raises(Illegal):
        table.decide(1, Pick(3))

    table.decide(0, Pick(2))

    assert ["1: 3", "0: 2"] == said(table)
    assert {"4.2"} == {prompt.rule for prompt in table.prompts.values()}
    assert [0, 1] == sorted(table.prompts)


def test_a_jump_asks_everybody_afresh() -> None:
    table = table_of(Asking(seats=(0, 1)))
    for seat in (0, 1):
        table.decide(seat, Pick(1))

    table.decide(0, Pass())

    assert {"4.1"} == {prompt.rule for prompt in table.prompts.values()}
    assert [0, 1] == sorted(table.prompts)


def test_by_names_a_field_a_property_or_a_method() -> None:
    class ByProperty(Asking):
        @property
        def two(self) -> int:
            return 1

        @ask("4.1", by="two")
        def choose(self, sight: Sight) -> list[Decision]:
            return [Pick(sight.seat), Pick(sight.side)]

    class ByMethod(Asking):
        def two(self, open: Open) -> tuple[int, ...]:
            return (1 + len(open.said),)

        @ask("4.1", by="two")
        def choose(self, sight: Sight) -> list[Decision]:
            return [Pick(sight.seat), Pick(sight.side)]

    assert {1: Prompt("4.1", "", (Pick(1), Pick(1)))} == table_of(ByProperty()).prompts
    assert {1: Prompt("4.1", "", (Pick(1), Pick(1)))} == table_of(ByMethod()).prompts


def test_a_sight_shows_the_seats_own_side() -> None:
    class Looking(Asking):
        @ask("4.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:
            return [Pick(sight.seat), Pick(sight.side), Pick(len(sight.own.heard))]

    table = table_of(Looking(seats=(3,)), seats=4)

    assert (Pick(3), Pick(1), Pick(0)) == table.prompts[3].options


def test_nobody_to_ask_and_nothing_to_choose_are_passed_over() -> None:
    class Nothing(Plain):
        seats: tuple[int, ...] = ()

        @ask("1.2", by="seats")
        def two(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return []

    assert ["one", "three"] == said(table_of(Nothing()))
    assert ["one", "three"] == said(table_of(Nothing(seats=(0, 1))))


def test_only_the_seats_with_options_are_asked() -> None:
    class Some(Asking):
        @ask("4.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:
            return [Pick(1), Pick(2)] if sight.seat else []

    table = table_of(Some(seats=(0, 1)))

    assert [1] == sorted(table.prompts)
    assert (1,) == table.state.asked


class Forced(Procedure):
    seats: tuple[int, ...] = (0, 1)
    options: tuple[int, int] = (1, 2)

    @ask("5.1", by="seats", forced=True)
    def choose(self, sight: Sight) -> list[Decision]:
        return [Pick(number) for number in range(self.options[sight.seat])]

    @choose.chosen
    def _(self, table: Table, decision: Pick) -> Flow:
        table.record(Said(f"{table.actor}: {decision.number}"))
        return None


def test_a_forced_ask_applies_the_only_option_and_records_it_as_forced() -> None:
    table = table_of(Forced())

    assert [Decided(0, Raw(b'{"type":"Pick","number":0}'), "forced"), Said("0: 0")] == table.facts[:2]
    assert [1] == sorted(table.prompts)


def test_a_forced_ask_with_one_option_for_everybody_asks_nobody() -> None:
    table = table_of(Forced(options=(1, 1)))

    assert ["0: 0", "1: 0"] == said(table)
    assert {} == table.prompts


def test_one_option_is_asked_where_the_rule_does_not_force() -> None:
    class Single(Asking):
        @ask("4.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pass()]

    assert (Pass(),) == table_of(Single()).prompts[0].options


def test_a_procedure_begun_by_the_first_answer_comes_before_the_others() -> None:
    class Interrupting(Procedure):
        seats: tuple[int, ...] = (0, 1)

        @ask("6.1", by="seats")
        def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pass()]

        @choose.chosen
        def _(self, table: Table, decision: Pass) -> Flow:  # noqa: ARG002
            return Inner(name=f"after {table.actor}")

    table = table_of(Interrupting(), Inner)

    table.decide(0, Pass())

    assert ["after 0"] == said(table)
    assert [1] == sorted(table.prompts)


def test_notes_set_by_a_step_are_in_the_next_bookmark() -> None:
    table = table_of(Asking(left=5))
    table.decide(0, Pick(1))
    table.decide(0, Pick(1))

    assert [Raw(b'{"type":"Asking","left":4,"at":"choose","awaits":[0]}')] == table.state.stack


class Renamed(Procedure):
    """In recorded matches its ask was called `press`, its step `fight`."""

    @step("7.1", was="fight")
    def fire(self, table: Table) -> Flow:
        table.record(Said("fire"))
        return None

    @ask("7.2", by="seats", was="press")
    def press_on(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        return [Pick(1), Pass()]

    @press_on.chosen
    def _(self, table: Table, decision: Pick | Pass) -> Flow:  # noqa: ARG002
        return self.fire if isinstance(decision, Pick) else None

    seats: tuple[int, ...] = (0, 1)


def resumed(bookmark: bytes) -> Table:
    game = probe(Renamed)
    state = begun(game)
    state.stack, state.asked = [Raw(bookmark)], (0, 1)
    return Table(game, state, Scripted([]))


def test_an_old_bookmark_of_a_renamed_ask_is_resumed_and_nothing_is_recorded() -> None:
    table = resumed(b'{"type":"Renamed","at":"press","awaits":[0,1]}')

    assert [0, 1] == sorted(table.prompts)
    assert [] == table.facts


@pytest.mark.parametrize("decision", [Pick(1), Pass()])
def test_what_follows_an_old_bookmark_folds_to_the_live_state(decision: Decision) -> None:
    table = resumed(b'{"type":"Renamed","at":"press","awaits":[0,1]}')
    again = resumed(b'{"type":"Renamed","at":"press","awaits":[0,1]}').state

    for fact in table.decide(0, decision):
        fact.fold(again)

    assert table.state == again


def test_an_old_bookmark_of_a_renamed_step_is_resumed() -> None:
    table = resumed(b'{"type":"Renamed","at":"fight"}')

    assert ["fire"] == said(table)
    assert [Paused((0, 1), 0, (Raw(b'{"type":"Renamed","at":"press_on","awaits":[0,1]}'),))] == table.facts[
        1:
    ]


def test_a_bookmark_names_its_step_though_it_is_the_first() -> None:
    table = table_of(Asking())

    assert [Raw(b'{"type":"Asking","at":"choose","awaits":[0]}')] == table.state.stack


def test_a_pause_repeats_only_the_frames_that_changed() -> None:
    class Above(Procedure):
        @step("8.1")
        def go(self, table: Table) -> Flow:  # noqa: ARG002
            return Asking()

    table = table_of(Above(), Asking)

    (pause,) = (fact for fact in table.decide(0, Pick(1)) if isinstance(fact, Paused))

    assert Paused((0,), 1, (Raw(b'{"type":"Asking","at":"again","awaits":[0]}'),)) == pause


def test_nothing_is_recorded_of_a_pause_at_the_same_place() -> None:
    class Circling(Procedure):
        seat: int = 0

        @ask("9.1")
        def choose(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pass()]

        @choose.chosen
        def _(self, table: Table, decision: Pass) -> Flow:  # noqa: ARG002
            return self.choose

    table = table_of(Circling())

    assert [Decided(0, Raw(b'{"type":"Pass"}'))] == table.decide(0, Pass())


def test_a_step_knows_its_number_and_name() -> None:
    rule: Any = Plain.__dict__["two"]

    assert isinstance(rule, Step)
    assert ("1.2", "two", "") == (rule.rule, rule.name, rule.by)


class Apart(Procedure):
    """Both seats are asked, each by the rule of where it is."""

    far: dict[str, int] = {}  # noqa: RUF012 a Struct copies its defaults
    both: tuple[int, ...] = (0, 1)

    @ask("4.1", by="both")
    def where(self, sight: Sight) -> list[Decision]:
        """Go on."""
        return [Pass()] if self.far.get(str(sight.seat), 0) < 2 else []

    @where.numbered
    def _(self, sight: Sight) -> str:
        return f"4.{1 + self.far.get(str(sight.seat), 0)}"

    @where.chosen
    def _(self, table: Table, _decision: Decision) -> Flow:
        seat = str(table.actor)
        self.far = self.far | {seat: self.far.get(seat, 0) + 1}
        table.record(Said(table.rule))
        return self.where


def test_each_seat_is_asked_by_the_rule_of_where_it_is() -> None:
    table = table_of(Apart())

    table.decide(1, Pass())
    assert {0: "4.1", 1: "4.2"} == {seat: prompt.rule for seat, prompt in table.prompts.items()}

    table.decide(1, Pass())
    assert {0: "4.1"} == {seat: prompt.rule for seat, prompt in table.prompts.items()}

    table.decide(0, Pass())
    table.decide(0, Pass())
    assert {} == table.prompts
    assert ["4.1", "4.2", "4.1", "4.2"] == said(table)


def test_what_is_not_on_the_list_of_a_seat_is_refused_with_the_rule_of_where_it_is() -> None:
    table = table_of(Apart())
    table.decide(1, Pass())

    with pytest.raises(Illegal) as refused:
        table.decide(1, Pick(7))
    assert "4.2" == refused.value.rule
