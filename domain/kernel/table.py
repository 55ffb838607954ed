"""A table at which a match is played: it lists what is legal, takes a decision, and records what comes of it.

A decision is legal if and only if it is on the prompt's list; it is checked here and nowhere else.
Deliberately absent: clocks, connections, and any repair of a half-run decision. If `decide` raises anything
but `Illegal`, the table is dropped and folded again.
"""

from collections.abc import Sequence
from typing import Any, Generic, Protocol

from msgspec import Raw

from domain.kernel.audience import Audience
from domain.kernel.dice import Dice, OutOfDice, Scripted
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
    State,
)
from domain.kernel.procedures import END, Decision, Done, Flow, Procedure, Prompt, Sight, Step

MOST = 64
"""Decisions that are taken as one."""

HUSHED = 256
"""Facts that come of all of them but the last."""

RUNAWAY = 10_000
"""Steps without a question after which the rules are taken to run in a circle."""


class Illegal(Exception):
    """A decision that is not on the seat's list. `rule` is the rule that asks, empty if nobody is asked."""

    def __init__(self, seat: int, decision: Decision, rule: str) -> None:
        text = f"not on the list of rule {rule}" if rule else "this seat is not asked"
        super().__init__(text)
        self.seat, self.decision, self.rule = seat, decision, rule


class Apart(Exception):
    """Decisions that are not taken as one. It says no more, for what would have come of them is nobody's."""

    def __init__(self) -> None:
        super().__init__("these decisions cannot be taken as one")


class Loud(Apart):
    """A decision that its rule calls quiet and that is not: a mistake of the title's."""


class Runaway(Exception):
    """The rules went on and on without a question."""


class Rules(Protocol):
    """What a table needs of a title: its procedures and its state as bytes and back (`domain.match.game`)."""

    def encode(self, value: Any, /) -> bytes:
        """Write a state, a procedure or a decision."""

    def restore(self, state: bytes, /) -> State[Any, Any]:
        """Read a state."""

    def procedure(self, procedure: bytes, /) -> Procedure:
        """Read a procedure under way."""

    def decision(self, decision: bytes, /) -> Decision:
        """Read a decision."""

    def ordered(self, state: State[Any, Any], seat: int, prompt: Prompt, /) -> Decision | None:
        """Return what a seat has said beforehand it will decide, if anything."""


class TableOf(Generic[Open, Own]):
    """A table as its rules have it: a state of the title's own ledgers, and all that a step may do to it.

    A title names `TableOf[Open, Own]`, of its open table and its screens, and its steps are given that.
    """

    def __init__(self, state: State[Open, Own], dice: Dice) -> None:
        self.state, self.dice = state, dice
        self.open, self.own = state.open, state.own
        self.actor = -1
        """The seat that decided last."""
        self.rule = ""
        """The rule at work."""
        self.facts: list[Fact] = []

    def record(self, fact: Fact) -> None:
        """Record what happened: fold it and put it on the log. The one way for rules to change the table."""
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
        """Roll `count` dice for a purpose, record them with the rule at work, and return the faces.

        A roll of no dice is not made and not recorded.
        """
        if not count:
            return ()
        index = self.state.rolls
        dice = self.dice.roll(index, count, sides)
        self.record(Rolled(index, self.rule, purpose, by, sides, dice, target, subject, tuple(modifiers)))
        return dice

    def draw(self, purpose: str, left: int, count: int = 1, *, by: int = -1) -> tuple[int, ...]:
        """Draw blind from `left` things and return their places, each counted in what is left by then.

        The umpire alone sees the draw; the title records what was drawn for those who may know it.
        """
        if not count:
            return ()
        index = self.state.rolls
        places = tuple(self.dice.roll(index + n, 1, left - n)[0] - 1 for n in range(count))
        self.record(Drew(index, self.rule, purpose, by, left, places))
        return places

    def pad(self, count: int) -> None:
        """Record padding until `count` facts of this command are not in sight of all.

        So who may not see them cannot count them. Called before a fact that is in sight of all, it hides how
        many came before it as well.
        """
        sealed = sum(fact.audience() is not Audience.ALL for fact in self.facts)
        for _ in range(count - sealed):
            self.record(Padding())


class Table(TableOf[Any, Any]):
    """The rules of any title at work on one state.

    `prompts` holds what each seat that is asked may decide; `facts` what the last call recorded, in order.
    A new table over a recorded state asks again what was asked; `first` begins the play.
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

        Raises Illegal, also for one that is said to be ordered and is not; then nothing has changed.
        """
        self._check(seat, decision)
        if how == "ordered" and decision != self.game.ordered(self.state, seat, self.prompts[seat]):
            raise Illegal(seat, decision, self.prompts[seat].rule)
        self.facts = []
        self._choose(seat, decision, how)
        self._advance()
        return self._paused()

    def decide_all(self, seat: int, decisions: Sequence[Decision]) -> list[Fact]:
        """Take decisions of a seat one after the other, each from the list that the one before it leaves.

        All but the last are quiet (`Step.quiet`), so that no list tells what came of a die, a draw or another
        seat. The last may be any. Raises Illegal for the first alone, and Apart for whatever else is
        wrong with them; then nothing has changed, no die has fallen, and the last was not tried.
        """
        *quiet, last = decisions
        if len(decisions) > MOST:
            raise Apart
        if not quiet:
            return self.decide(seat, last)
        if last not in self.ahead(seat, quiet).prompts[seat].options:
            raise Apart
        self.facts = []
        for decision in decisions:
            self._choose(seat, decision, "chosen", joined=bool(self.facts))
            self._advance()
        return self._paused()

    def ahead(self, seat: int, decisions: Sequence[Decision]) -> "Table":
        """Return a copy of this table on which a seat has taken quiet decisions: it is asked again there.

        The copy has no dice; this table stays as it is. Raises Illegal and Apart as `decide_all` does.
        """
        self._check(seat, decisions[0])
        copy = Table(self.game, self.game.restore(self.game.encode(self.state)), Scripted(()))
        for decision in decisions:
            if decision not in copy.quiet(seat):
                raise Apart
            copy._hush(seat, decision)
            if len(copy.facts) > HUSHED:
                raise Apart
        copy._paused()
        return copy

    def quiet(self, seat: int) -> tuple[Decision, ...]:
        """Return the options of a seat after which the same command may hold another decision."""
        prompt = self.prompts.get(seat)
        procedure = self._stack[-1] if self._stack else None
        rule = procedure.steps[procedure.at][0] if procedure else None
        if prompt is None or rule is None or rule.hushed is None:
            return ()
        return tuple(rule.hushed(procedure, self._sight(seat), prompt.options))

    def _hush(self, seat: int, decision: Decision) -> None:
        """Take a quiet decision; raises Loud if it is none."""
        asked, known = set(self.prompts), len(self.facts)
        try:
            self._choose(seat, decision, "chosen", joined=bool(self.facts))
            self._advance()
        except OutOfDice:
            raise Loud from None
        heard = any(fact.reveals for fact in self.facts[known:])
        if heard or seat not in self.prompts or not set(self.prompts) <= asked:
            raise Loud

    def _check(self, seat: int, decision: Decision) -> None:
        prompt = None if self.state.match.over else self.prompts.get(seat)
        if prompt is None or decision not in prompt.options:
            raise Illegal(seat, decision, prompt.rule if prompt else "")

    def _choose(self, seat: int, decision: Decision, how: How, *, joined: bool = False) -> None:
        procedure = self._stack[-1]
        rule, after = procedure.steps[procedure.at]
        self.actor, self.rule = seat, rule.rule
        self.record(Decided(seat, Raw(self.game.encode(decision)), how, joined))
        procedure.awaits = tuple(other for other in procedure.awaits if other != seat)
        if not procedure.awaits:
            procedure.at = after
        self._follow(procedure, rule.then(procedure, self, decision))

    def _follow(self, procedure: Procedure, flow: Flow) -> None:
        if isinstance(flow, Procedure):
            self._stack.append(flow)
        elif flow is not None:
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
            options = tuple(rule.run(procedure, self._sight(seat)))
            if options:
                prompts[seat] = Prompt(rule.rule, rule.text, options)
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
        """Leave a bookmark, and return what was recorded."""
        if not self.state.match.over:
            self._pause()
        return self.facts

    def _pause(self) -> None:
        now, before, keep = [Raw(self.game.encode(f)) for f in self._stack], self.state.stack, 0
        while keep < min(len(now), len(before)) and now[keep] == before[keep]:
            keep += 1
        if keep < max(len(now), len(before)):
            self.record(Paused(tuple(self.prompts), keep, tuple(now[keep:])))
