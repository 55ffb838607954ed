"""The table of a match: it lists the legal options, takes a decision, and records the facts that follow.

A decision is legal if and only if it is on the prompt's list; it is checked here and nowhere else.
Deliberately absent: clocks, connections, and any rollback of a half-run decision. If `decide` raises anything
but `Illegal`, the caller discards the table and folds it again from the log.
"""

from collections.abc import Sequence
from typing import Any, Generic, Protocol

from msgspec import Raw

from domain.kernel.audience import Audience
from domain.kernel.dice import UNSEEN, Dice, OutOfDice, Scripted
from domain.kernel.facts import (
    Decided,
    Drew,
    Fact,
    How,
    Modifier,
    Open,
    Own,
    Padding,
    Paused,
    Rolled,
    RolledUnseen,
    State,
)
from domain.kernel.procedures import END, Decision, Done, Flow, Procedure, Prompt, Sight, Step

MOST_DECISIONS = 512
"""The most decisions in one command."""

MOST_QUIET_FACTS = 1024
"""The most facts that the quiet decisions of a command, all but its last, may record together."""

RUNAWAY = 10_000
"""The most steps without a prompt; more are taken for an endless loop in the rules."""


class Illegal(Exception):
    """A decision that is not on the seat's list. `rule` is the rule that asks, or empty."""

    def __init__(self, seat: int, decision: Decision, rule: str) -> None:
        text = f"not on the list of rule {rule}" if rule else "this seat is not asked"
        super().__init__(text)
        self.seat, self.decision, self.rule = seat, decision, rule


class NotOneCommand(Exception):
    """Decisions that cannot be one command. It gives no detail, which could reveal what would follow."""

    def __init__(self, text: str = "these decisions cannot be taken as one") -> None:
        super().__init__(text)


class Unfinished(NotOneCommand):
    """A command of a sealed step that ends with a quiet decision. It says no more than the prompt did."""

    def __init__(self) -> None:
        super().__init__("here decisions are sent together, up to one that is not quiet")


class TooLittlePadding(Exception):
    """More facts are sealed than the command was to be padded to: a bug in the title."""


class NotQuiet(NotOneCommand):
    """A decision that its step declares quiet and that is not: a bug in the title."""


class Runaway(Exception):
    """The rules ran RUNAWAY steps without a prompt."""


class Rules(Protocol):
    """What a table needs of a title: to encode and decode its types (`domain.match.game`)."""

    def encode(self, value: Any, /) -> bytes:
        """Encode a state, a procedure or a decision."""

    def restore(self, state: bytes, /) -> State[Any, Any]:
        """Decode a state."""

    def procedure(self, procedure: bytes, /) -> Procedure:
        """Decode a procedure under way."""

    def decision(self, decision: bytes, /) -> Decision:
        """Decode a decision."""

    def ordered(self, state: State[Any, Any], seat: int, prompt: Prompt, /) -> Decision | None:
        """Return the decision that a seat has ordered beforehand for a prompt, or None."""


class TableOf(Generic[Open, Own]):
    """A table as a step gets it: the state, typed by the title, and the operations a step may use.

    A title names `TableOf[Open, Own]` with the types of its open table and its screens.
    """

    def __init__(self, state: State[Open, Own], dice: Dice) -> None:
        self.state, self.dice = state, dice
        self.open, self.own = state.open, state.own
        self.actor = -1
        """The seat that decided last, or -1."""
        self.rule = ""
        """The number of the step that runs."""
        self.facts: list[Fact] = []

    def record(self, fact: Fact) -> None:
        """Fold a fact and append it to `facts`. The only way for rules to change the table."""
        fact.fold(self.state)
        self.facts.append(fact)

    def roll(
        self,
        purpose: str,
        count: int,
        sides: int = 6,
        *,
        by: int = -1,
        target: str = "",
        subject: str = "",
        modifiers: Sequence[Modifier] = (),
    ) -> tuple[int, ...]:
        """Roll `count` dice for a purpose, record them with the current rule, and return the faces.

        With a count of 0 nothing is rolled or recorded.
        """
        if not count:
            return ()
        index = self.state.rolls
        dice = self.dice.roll(index, count, sides)
        self.record(Rolled(index, self.rule, purpose, by, sides, dice, target, subject, tuple(modifiers)))
        return dice

    def roll_unseen(
        self,
        purpose: str,
        count: int,
        sides: int = 6,
        *,
        by: int = -1,
        target: str = "",
        subject: str = "",
        modifiers: Sequence[Modifier] = (),
    ) -> tuple[int, ...]:
        """Roll as `roll` does, but record the dice for the umpire alone.

        Unseen rolls have indexes of their own, so open dice do not tell of them. Their number can still be
        counted among the sealed facts of a command, if the title does not `pad` these.
        """
        if not count:
            return ()
        index = self.state.unseen or 0
        dice = self.dice.roll(UNSEEN + index, count, sides)
        self.record(
            RolledUnseen(index, self.rule, purpose, by, sides, dice, target, subject, tuple(modifiers))
        )
        return dice

    def draw(self, purpose: str, left: int, count: int = 1, *, by: int = -1) -> tuple[int, ...]:
        """Draw `count` of `left` things blind; return the index of each among those left at that moment.

        The draw is recorded for the umpire alone; the title records what was drawn for those who may know it.
        """
        if not count:
            return ()
        index = self.state.rolls
        places = tuple(self.dice.roll(index + n, 1, left - n)[0] - 1 for n in range(count))
        self.record(Drew(index, self.rule, purpose, by, left, places))
        return places

    def pad(self, count: int, *, strict: bool = False) -> None:
        """Record padding until this command has `count` facts that not everybody may see.

        So their number reveals nothing. Call it before recording a fact that everybody may see, to hide also
        how many came before that. If there are more already nothing is recorded, but if `strict`
        TooLittlePadding is raised.
        """
        sealed = sum(fact.audience() is not Audience.ALL for fact in self.facts)
        if strict and sealed > count:
            raise TooLittlePadding(
                f"{sealed} facts are sealed, and {count} were to be, under rule {self.rule}"
            )
        for _ in range(count - sealed):
            self.record(Padding())


class Table(TableOf[Any, Any]):
    """Runs the rules of any title on one state.

    `prompts` holds the prompt of each seat that is asked; `facts` what the last call recorded, in order. A
    new table over a recorded state has the same prompts again; `first` is the procedure that begins play.
    """

    prompts: dict[int, Prompt]

    def __init__(self, game: Rules, state: State[Any, Any], dice: Dice, *first: Procedure) -> None:
        super().__init__(state, dice)
        self.game = game
        self._stack = [*map(game.procedure, state.stack), *first]
        self._advance()
        self._paused()

    def decide(self, seat: int, decision: Decision, how: How = "chosen") -> list[Fact]:
        """Take a decision of a seat and return the facts up to the next pause, already folded.

        Raises Illegal, also if `how` is `ordered` and the seat has not ordered it, and Unfinished if another
        must follow in the same command; then nothing has changed.
        """
        self._check(seat, decision)
        if how == "ordered" and decision != self.game.ordered(self.state, seat, self.prompts[seat]):
            raise Illegal(seat, decision, self.prompts[seat].rule)
        if self.sealed(seat) and decision in self.quiet(seat):
            raise Unfinished
        self.facts = []
        self._choose(seat, decision, how)
        self._advance()
        return self._paused()

    def decide_all(self, seat: int, decisions: Sequence[Decision]) -> list[Fact]:
        """Take several decisions of a seat as one command, each from the options that the one before leaves.

        All but the last must be quiet (`Step.quiet`), so that no options depend on a roll, a draw or another
        seat. In a sealed step the last must not be quiet. Raises Illegal if the first is not an option, and
        NotOneCommand for any other fault; then nothing has changed, nothing was rolled, and the last was not
        tried.
        """
        *quiet, last = decisions
        if len(decisions) > MOST_DECISIONS:
            raise NotOneCommand
        if not quiet:
            return self.decide(seat, last)
        ahead = self.ahead(seat, quiet)
        if last not in ahead.prompts[seat].options:
            raise NotOneCommand
        if ahead.sealed(seat) and last in ahead.quiet(seat):
            raise Unfinished
        self.facts = []
        for decision in decisions:
            self._choose(seat, decision, "chosen", joined=bool(self.facts))
            self._advance()
        return self._paused()

    def ahead(self, seat: int, decisions: Sequence[Decision]) -> "Table":
        """Return a copy of this table on which a seat has taken quiet decisions and is asked again.

        The copy has no dice; this table does not change. Raises Illegal and NotOneCommand as `decide_all`
        does.
        """
        self._check(seat, decisions[0])
        copy = Table(self.game, self.game.restore(self.game.encode(self.state)), Scripted(()))
        for decision in decisions:
            if decision not in copy.quiet(seat):
                raise NotOneCommand
            copy._decide_quietly(seat, decision)
            if len(copy.facts) > MOST_QUIET_FACTS:
                raise NotOneCommand
        copy._paused()
        return copy

    def quiet(self, seat: int) -> tuple[Decision, ...]:
        """Return the options of a seat that another decision may follow in the same command."""
        prompt = self.prompts.get(seat)
        if prompt is None:
            return ()
        procedure, rule = self._asking()
        if rule.quiet_options is None:
            return ()
        return tuple(rule.quiet_options(procedure, self._sight(seat), prompt.options))

    def sealed(self, seat: int) -> bool:
        """Return whether a seat is asked by a sealed step, where no quiet decision ends a command."""
        return seat in self.prompts and self._asking()[1].sealed

    def _asking(self) -> tuple[Procedure, Step]:
        """Return the procedure and the step that ask; there must be a prompt."""
        procedure = self._stack[-1]
        return procedure, procedure.steps[procedure.at][0]

    def _decide_quietly(self, seat: int, decision: Decision) -> None:
        """Take a quiet decision. Raises NotQuiet if it is not quiet."""
        asked, known = set(self.prompts), len(self.facts)
        try:
            self._choose(seat, decision, "chosen", joined=bool(self.facts))
            self._advance()
        except OutOfDice:
            raise NotQuiet from None
        revealed = any(fact.reveals for fact in self.facts[known:])
        if revealed or seat not in self.prompts or not set(self.prompts) <= asked:
            raise NotQuiet

    def _check(self, seat: int, decision: Decision) -> None:
        prompt = None if self.state.match.over else self.prompts.get(seat)
        if prompt is None or decision not in prompt.options:
            raise Illegal(seat, decision, prompt.rule if prompt else "")

    def _choose(self, seat: int, decision: Decision, how: How, *, joined: bool = False) -> None:
        procedure = self._stack[-1]
        rule, after = procedure.steps[procedure.at]
        self.actor, self.rule = seat, rule.numbers(procedure, self._sight(seat))
        self.record(Decided(seat, Raw(self.game.encode(decision)), how, joined))
        procedure.awaits = tuple(other for other in procedure.awaits if other != seat)
        if not procedure.awaits:
            procedure.at = after
        self._follow(procedure, rule.then(procedure, self, decision))

    def _follow(self, procedure: Procedure, flow: Flow) -> None:
        if flow is None:
            return
        if isinstance(flow, Procedure):
            self._stack.append(flow)
        else:
            procedure.at = END if isinstance(flow, Done) else flow.name
            procedure.awaits = ()

    def _advance(self) -> None:
        self.prompts = {}
        for _ in range(RUNAWAY):
            if self.state.match.over:
                return
            if not self._stack or self.prompts:
                return
            self._run(self._stack[-1])
        raise Runaway(f"{RUNAWAY} steps without a question, the last under rule {self.rule}")

    def _run(self, procedure: Procedure) -> None:
        if procedure.at == END:
            self._stack.pop()
            return
        rule, after = procedure.steps[procedure.at]
        self.rule = rule.rule
        if rule.by:
            self._ask(procedure, rule, after)
        else:
            procedure.at = after
            self._follow(procedure, rule.run(procedure, self))

    def _ask(self, procedure: Procedure, rule: Step, after: str) -> None:
        prompts: dict[int, Prompt] = {}
        for seat in procedure.awaits or rule.asked(procedure, self.open):
            sight = self._sight(seat)
            options = tuple(rule.run(procedure, sight))
            if options:
                number = rule.numbers(procedure, sight)
                prompts[seat] = Prompt(number, rule.said(procedure, sight, options), options)
        if not prompts:
            procedure.at = after
        elif not procedure.at:
            procedure.at = rule.name
        procedure.awaits = tuple(prompts)
        for seat, prompt in prompts.items():
            if len(prompt.options) == 1 and rule.forces(procedure, self.open):
                self._choose(seat, prompt.options[0], "forced")
                return
        self.prompts = prompts

    def _sight(self, seat: int) -> Sight[Any, Any]:
        side = self.state.match.side(seat)
        return Sight(seat, side, self.open, self.own[side])

    def _paused(self) -> list[Fact]:
        """Record the stack if it has changed, and return the facts recorded."""
        if not self.state.match.over:
            self._pause()
        return self.facts

    def _pause(self) -> None:
        now, before, keep = [Raw(self.game.encode(f)) for f in self._stack], self.state.stack, 0
        while keep < min(len(now), len(before)) and now[keep] == before[keep]:
            keep += 1
        if keep < max(len(now), len(before)):
            self.record(Paused(tuple(self.prompts), keep, tuple(now[keep:])))
