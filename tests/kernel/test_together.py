"""Several decisions of a seat in one command: none of them is a way to look ahead."""

from collections.abc import Callable, Sequence
from contextlib import nullcontext
from uuid import UUID

import pytest
from msgspec import Raw, structs

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted
from domain.kernel.facts import Decided, Fact, Padding, Paused, Rolled
from domain.kernel.procedures import Decision, Flow, Procedure, ask, step
from domain.kernel.seats import Clock
from domain.kernel.table import Illegal, NotOneCommand, NotQuiet, Table
from domain.match import undoing
from domain.match.adjudicate import decide_again, readjudicate
from domain.match.chain import Entry
from domain.match.fold import Fold
from domain.match.refusals import RequestError
from domain.match.undo import Undone, reach, standing
from tests.kernel.playing import Log, opening
from tests.kernel.probe import Pass, Pick, Said, Sight, Whispered, probe, table_of

MOST, MOST_FACTS = 512, 1024
"""Decisions of a command, and facts that may come of all but the last: clients/PROTOCOL.md names both."""


class Packing(Procedure):
    """Pick numbers up to four, in secret, then be done; done rolls a die and asks the other seat."""

    packed: tuple[int, ...] = ()

    @ask("1.1", by="packer", forced=True)
    def pack(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        """Pack."""
        left: list[Decision] = [Pick(n) for n in range(1, 5) if n not in self.packed]
        return [*left, Pass()] if self.packed else left

    @pack.chosen
    def _(self, table: Table, decision: Pick | Pass) -> Flow:
        if isinstance(decision, Pass):
            return None
        table.record(Whispered(0, str(decision.number)))
        self.packed += (decision.number,)
        return self.pack

    @pack.quiet
    def _(self, sight: Sight, options: Sequence[Decision]) -> list[Decision]:  # noqa: ARG002
        picks: list[Decision] = [option for option in options if isinstance(option, Pick)]
        return picks if len(picks) > 1 else []

    @step("1.2")
    def luck(self, table: Table) -> None:
        """A die."""
        table.roll("luck", 1)

    @ask("1.3", by="other")
    def answer(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
        """The other seat answers."""
        return [Pass()]

    @answer.chosen
    def _(self, table: Table, decision: Pass) -> Flow:  # noqa: ARG002
        self.packed = ()
        return self.pack

    @property
    def packer(self) -> int:
        return 0

    @property
    def other(self) -> int:
        return 1


GAME = probe(Packing)


def packing(*rolls: Sequence[int]) -> Table:
    return table_of(Packing(), dice=Scripted(rolls))


def test_each_is_taken_from_the_list_that_the_one_before_it_leaves() -> None:
    table, slow = packing([6]), packing([6])

    facts = table.decide_all(0, [Pick(2), Pick(4), Pass()])
    singly = [fact for decision in (Pick(2), Pick(4), Pass()) for fact in slow.decide(0, decision)]

    assert [False, True, True] == [fact.joined for fact in facts if isinstance(fact, Decided)]
    assert [type(fact) for fact in facts] == [Decided, Whispered, Decided, Whispered, Decided, Rolled, Paused]
    happened = [fact for fact in facts if not isinstance(fact, Decided | Paused)]
    assert happened == [fact for fact in singly if not isinstance(fact, Decided | Paused)]
    assert GAME.encode(table.state) == GAME.encode(slow.state)
    assert table.prompts == slow.prompts
    assert facts is table.facts


def test_one_alone_is_an_ordinary_decision() -> None:
    assert packing().decide_all(0, [Pick(2)]) == packing().decide(0, Pick(2))


REFUSED = {
    "past the end": [Pick(1), Pass(), Pick(1)],
    "past a die": [Pick(1), Pass(), Pass()],
    "not on the second list": [Pick(1), Pick(1)],
    "not on the last list": [Pick(1), Pick(2), Pick(2)],
    "too many": [Pick(1)] * (MOST + 1),
}


@pytest.mark.parametrize("decisions", REFUSED.values(), ids=list(REFUSED))
def test_what_goes_past_the_point_is_refused_whole_and_always_alike(decisions: list[Decision]) -> None:
    table = packing([6])
    state, prompts, facts = GAME.encode(table.state), table.prompts, list(table.facts)

    with pytest.raises(NotOneCommand, match=r"^these decisions cannot be taken as one$") as caught:
        table.decide_all(0, decisions)

    assert type(caught.value) is NotOneCommand
    assert state == GAME.encode(table.state)
    assert prompts is table.prompts
    assert facts == table.facts
    assert [Rolled, Paused] == [type(fact) for fact in table.decide_all(0, [Pick(1), Pass()])][-2:]


@pytest.mark.parametrize("first", [Pick(9), Pass()])
def test_the_first_is_refused_as_it_is_alone(first: Decision) -> None:
    with pytest.raises(Illegal, match=r"^not on the list of rule 1\.1$"):
        packing().decide_all(0, [first, Pick(1)])


def test_nobody_looks_ahead_by_a_second_decision_that_one_outcome_would_allow() -> None:
    """The die decides who is asked next; what is answered must not tell how it would fall."""

    class Gamble(Procedure):
        won: bool = False

        @ask("2.1", by="gambler")
        def go(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Gamble."""
            return [Pick(1), Pass()]

        @go.chosen
        def _(self, table: Table, decision: Pick | Pass) -> Flow:
            self.won = isinstance(decision, Pick) and table.roll("luck", 1) == (6,)
            return self.go if self.won else None

        @property
        def gambler(self) -> int:
            return 0

    answers, dice = set(), [Scripted([[face]]) for face in range(1, 7)]
    for one in dice:
        with pytest.raises(NotOneCommand) as caught:
            table_of(Gamble(), dice=one).decide_all(0, [Pick(1), Pass()])
        answers.add((type(caught.value), str(caught.value)))

    assert 1 == len(answers)
    assert {1} == {one.left for one in dice}


def test_looking_ahead_changes_nothing_and_shows_what_will_be_asked() -> None:
    table, slow = packing([6]), packing([6])
    state = GAME.encode(table.state)
    for decision in (Pick(1), Pick(2)):
        slow.decide(0, decision)

    ahead = table.ahead(0, [Pick(1), Pick(2)])

    assert (Pick(3), Pick(4), Pass()) == ahead.prompts[0].options
    assert ["1", "2"] == ahead.own[0].heard
    assert GAME.encode(slow.state) == GAME.encode(ahead.state)
    assert state == GAME.encode(table.state)
    assert (Pick(1), Pick(2), Pick(3), Pick(4)) == table.quiet(0)
    assert () == table.quiet(1)


def test_looking_ahead_ends_before_what_is_not_quiet() -> None:
    with pytest.raises(NotOneCommand) as caught:
        packing([6]).ahead(0, [Pick(1), Pass()])

    assert type(caught.value) is NotOneCommand


def loud(then: Callable[[Table], Flow]) -> Table:
    """A table at which a decision is called quiet that is not."""

    class Shouting(Procedure):
        said: int = 0

        @ask("3.1", by="shouter")
        def shout(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Shout."""
            return [Pick(1), Pick(2)] if not self.said else []

        @shout.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            return then(table)

        @shout.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

        @ask("3.2", by="both")
        def answer(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """The shouter is asked, and so is another."""
            return [Pick(1)]

        @answer.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            return None

        @property
        def shouter(self) -> int:
            return 0

        @property
        def both(self) -> tuple[int, ...]:
            return (0, 1)

    return table_of(Shouting())


class Shown(Said, frozen=True):
    reveals = True


def rolls(table: Table) -> None:
    table.roll("luck", 1)


def draws(table: Table) -> None:
    table.draw("a straw", 2)


def reveals(table: Table) -> None:
    table.record(Shown("it"))


def asks_another(table: Table) -> None:
    """Go on to a question to both seats: that the other is asked, too, is for nobody to learn beforehand."""


LOUD = (rolls, draws, reveals, asks_another)


@pytest.mark.parametrize("then", LOUD)
def test_a_decision_that_is_called_quiet_and_is_not_fails_loudly(then: Callable[[Table], Flow]) -> None:
    with pytest.raises(NotQuiet, match=r"^these decisions cannot be taken as one$"):
        loud(then).decide_all(0, [Pick(1), Pick(1)])


def test_a_decision_that_reveals_is_not_quiet_though_its_seat_alone_is_asked_again() -> None:
    class Showing(Procedure):
        seat: int = 0

        @ask("3.3")
        def show(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(1)]

        @show.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            table.record(Shown("it"))
            return self.show

        @show.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

    with pytest.raises(NotQuiet):
        table_of(Showing()).decide_all(0, [Pick(1), Pick(1)])


def test_a_decision_after_which_its_seat_is_not_asked_is_not_quiet_though_nobody_new_is() -> None:
    class Both(Procedure):
        seats: tuple[int, ...] = (0, 1)

        @ask("3.4", by="seats")
        def go(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(1)]

        @go.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            return None

        @go.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

    with pytest.raises(NotQuiet):
        table_of(Both()).decide_all(0, [Pick(1), Pick(1)])


def test_what_is_quiet_is_for_the_innermost_procedure_to_say() -> None:
    class Outer(Procedure):
        @step("1.0")
        def go(self, table: Table) -> Flow:  # noqa: ARG002
            return Packing()

    assert (Pick(1), Pick(2), Pick(3), Pick(4)) == table_of(Outer(), Packing).quiet(0)


def test_a_command_holds_so_many_decisions_and_no_more() -> None:
    class Counting(Procedure):
        seat: int = 0

        @ask("4.2")
        def count(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            return [Pick(1)]

        @count.chosen
        def _(self, table: Table, decision: Pick) -> Flow:  # noqa: ARG002
            return self.count

        @count.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

    facts = table_of(Counting()).decide_all(0, [Pick(1)] * MOST)

    assert MOST == sum(isinstance(fact, Decided) for fact in facts)
    with pytest.raises(NotOneCommand):
        table_of(Counting()).decide_all(0, [Pick(1)] * (MOST + 1))


@pytest.mark.parametrize(("said", "held"), [(MOST_FACTS // 4, True), (MOST_FACTS // 4 + 1, False)])
def test_quiet_decisions_come_to_no_more_facts_than_a_command_holds(said: int, held: bool) -> None:
    class Chatting(Procedure):
        @ask("4.1", by="chatter")
        def chat(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Chat."""
            return [Pick(MOST_FACTS // 4), Pick(said)]

        @chat.chosen
        def _(self, table: Table, decision: Pick) -> Flow:
            for _ in range(decision.number - 1):
                table.record(Said("so"))
            return self.chat

        @chat.quiet
        def _(self, sight: Sight, options: Sequence[Decision]) -> Sequence[Decision]:  # noqa: ARG002
            return options

        @property
        def chatter(self) -> int:
            return 0

    decisions = [*[Pick(MOST_FACTS // 4)] * 3, Pick(said), Pick(said)]

    with nullcontext() if held else pytest.raises(NotOneCommand):
        assert table_of(Chatting()).decide_all(0, decisions)


def log_of(*commands: tuple[int, list[Decision]]) -> tuple[Log, Table]:
    """A log of these commands, and the table after them."""
    state = GAME.state()
    facts: list[Fact] = []
    for fact in opening(GAME, "probe", {}):
        fact.fold(state)
        facts.append(fact)
    table = Table(GAME, state, Scripted([[6]] * 9), Packing())
    facts += table.facts
    for seat, decisions in commands:
        facts += table.decide_all(seat, decisions)
    return list(enumerate(facts, 1)), table


def test_a_command_is_taken_back_as_one() -> None:
    before, table = log_of()
    quiet = table.decide_all(0, [Pick(1), Pick(2), Pick(3)])
    log = [*before, *enumerate(quiet, len(before) + 1)]

    assert len(before) == reach(log, 0, alone=True) == reach(log, 0, alone=False)
    assert before == standing([*log, (len(log) + 1, Undone(0, len(before)))])[:-1]
    assert reach(log, 1, alone=True) is None


def test_of_two_commands_the_last_alone_is_taken_back() -> None:
    first, _ = log_of((0, [Pick(1), Pick(2)]))
    log, _ = log_of((0, [Pick(1), Pick(2)]), (0, [Pick(3)]))

    assert len(first) == reach(log, 0, alone=True)


def test_a_command_of_another_is_passed_over_as_one_when_he_agrees() -> None:
    log, table = log_of((0, [Pick(1), Pick(2)]))
    assert None is reach(log, 1, alone=False)
    assert len(log) - 5 == reach(log, 0, alone=False)
    with pytest.raises(RequestError):
        undoing.undo_slip(table.state.match, 1, log)


def test_a_command_is_decided_again_as_it_was() -> None:
    log, _ = log_of((0, [Pick(1), Pick(2), Pass()]), (1, [Pass()]), (0, [Pick(4), Pick(3)]))
    start = next(seq for seq, fact in log if isinstance(fact, Decided))

    assert [] == list(readjudicate(GAME, log))
    for seq in range(start, start + 7):
        again = decide_again(GAME, log, seq)
        assert again is not None
        assert again.same
        assert start == again.recorded[0][0]
        assert 7 == len(again.recorded)


def test_a_record_of_decisions_that_cannot_be_one_is_a_difference() -> None:
    log, _ = log_of((0, [Pick(1)]), (0, [Pass()]), (1, [Pass()]), (0, [Pick(1)]))
    at = [seq for seq, fact in log if isinstance(fact, Decided)]
    forged = [(n, structs.replace(fact, joined=True)) if n == at[3] else (n, fact) for n, fact in log]

    assert ["these decisions cannot be taken as one"] == [one.found for one in readjudicate(GAME, forged)][:1]


def test_a_joined_decision_that_follows_none_is_a_difference() -> None:
    log, _ = log_of((0, [Pick(1)]))
    first = next(seq for seq, fact in log if isinstance(fact, Decided))
    forged = [(n, structs.replace(fact, joined=True)) if n == first else (n, fact) for n, fact in log]

    assert list(readjudicate(GAME, forged))


def test_older_records_of_decisions_are_read_as_single_ones() -> None:
    assert Decided(0, Raw(b'{"type":"Pass"}')) == GAME.fact(
        b'{"type":"Decided","seat":0,"decision":{"type":"Pass"},"how":"chosen"}'
    )


def test_padding_fills_up_what_is_sealed_and_no_more() -> None:
    class Padded(Procedure):
        @ask("5.1", by="padder")
        def go(self, sight: Sight) -> list[Decision]:  # noqa: ARG002
            """Go."""
            return [Pick(0), Pick(3), Pick(9)]

        @go.chosen
        def _(self, table: Table, decision: Pick) -> Flow:
            for _ in range(decision.number):
                table.record(Whispered(0, "psst"))
            table.pad(6)
            table.record(Said("here"))
            table.pad(6)
            return self.go

        @property
        def padder(self) -> int:
            return 0

    kinds = {
        number: [type(fact) for fact in table_of(Padded()).decide(0, Pick(number))] for number in (0, 3, 9)
    }
    assert [Decided, *[Padding] * 5, Said] == kinds[0]
    assert [Decided, *[Whispered] * 3, *[Padding] * 2, Said] == kinds[3]
    assert [Decided, *[Whispered] * 9, Said] == kinds[9]
    assert Audience.UMPIRE is Padding().audience()
    assert Padding().words()


def test_a_seat_gets_its_increment_once_a_command() -> None:
    """However many decisions it holds: the clocks are in sight of all."""
    log, _ = log_of((0, [Pick(1), Pick(2), Pass()]))
    created = structs.replace(log[0][1], clock=Clock(60, 5))
    start = next(seq for seq, fact in log if isinstance(fact, Decided))
    fold = Fold(GAME)
    for facts in (
        [created, *(fact for _, fact in log[1 : start - 1])],
        [fact for _, fact in log[start - 1 :]],
    ):
        fold.apply([entry(number, GAME.encode(fact)) for number, fact in enumerate(facts)])

    assert fold.clocks is not None
    assert 65_000_000 == fold.clocks.left[0]


def entry(number: int, body: bytes) -> Entry:
    """A fact as the log has it; of all but its body nothing is looked at here."""
    return Entry(UUID(int=1), UUID(int=2), 0, number + 1, number, 1, Audience.ALL, False, "", b"", body)
