"""The interface of a title to the rest of the program: its types, its set-ups, and its functions."""

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any

from msgspec import DecodeError, Struct, json

from domain.kernel import facts as kernel
from domain.kernel.facts import Decided, Fact, Roll, State
from domain.kernel.procedures import Decision, Procedure, Prompt
from domain.kernel.seats import Match, Seat, the
from domain.match import (
    anew,
    claims,
    corrections,
    draws,
    holidays,
    hours,
    notices,
    pauses,
    replacing,
    undo,
    undoing,
)
from domain.match.account import Account
from domain.match.catalogue import defined
from domain.match.chronicle import Chronicle
from domain.match.parts import Part, Parts

SIDE = "[side:"
"""How the id of a side begins in a sentence."""

COMMON: tuple[type[Fact], ...] = (
    kernel.Rolled,
    kernel.RolledUnseen,
    kernel.Drew,
    kernel.Decided,
    kernel.Paused,
    kernel.Padding,
    *defined(
        Fact, anew, claims, corrections, draws, holidays, hours, notices, pauses, replacing, undo, undoing
    ),
)


class BadSetUp(Exception):
    """The title has no such scenario or option, or a value is out of range."""


class Scenario(Struct, frozen=True):
    """A set-up of a title, chosen when a match is created.

    `length` says in words how long it takes, if that is far longer than the rest of the title.
    """

    id: str
    title: str
    text: str = ""
    length: str = ""


class Option(Struct, frozen=True):
    """An optional rule: a flag, or with `least` and `most` a whole number in that range.

    For a number, a `default` of None means the value of the scenario. `scenarios` are the ids of those that
    have the option, and empty if all have it.
    """

    id: str
    rule: str
    text: str
    default: bool | int | None = False
    least: int | None = None
    most: int | None = None
    scenarios: tuple[str, ...] = ()

    def check(self, value: object) -> bool | int | None:
        """Return the value. Raises BadSetUp if the option cannot have it."""
        if value is None and self.default is None:
            return None
        if self.least is None or self.most is None:
            if isinstance(value, bool):
                return value
            raise BadSetUp(f"option {self.id} ({self.rule}) is true or false")
        if isinstance(value, int) and not isinstance(value, bool) and self.least <= value <= self.most:
            return value
        raise BadSetUp(f"option {self.id} ({self.rule}) is a whole number from {self.least} to {self.most}")


class Game:
    """A title. Each makes one in its `__init__` and is registered in `domain.titles`."""

    def __init__(
        self,
        *,
        name: str,
        title: str,
        revision: str,
        sides: tuple[str, str],
        scenarios: Sequence[Scenario],
        options: Sequence[Option],
        names: Mapping[str, str],
        open: type[Any],
        own: type[Any],
        facts: Sequence[type[Fact]],
        procedures: Sequence[type[Procedure]],
        decisions: Sequence[type[Decision]],
        seats: Callable[[str, Mapping[str, Any]], tuple[Seat, ...]],
        first: Callable[[str, Mapping[str, Any]], Procedure],
        default: Callable[[State[Any, Any], int, Prompt], Decision],
        ordered: Callable[[State[Any, Any], int, Prompt], Decision | None] = lambda *_: None,
        table: type[Part],
        view: Callable[[Any, Parts], Part],
        screen: Callable[[Any, Any, Any, Parts], Part] | None = None,
        waiting: Callable[[Any, State[Any, Any]], Part] | None = None,
        check: Callable[[str, Mapping[str, Any]], None] | None = None,
        default_scenario: str = "",
        closing: Callable[[State[Any, Any], notices.GameEnded], Sequence[Fact]] = lambda *_: (),
        account: Account | None = None,
        chronicle: Chronicle[Any] | None = None,
        rolls: Mapping[str, str] | None = None,
    ) -> None:
        """Define a title. Raises TypeError if the arguments are inconsistent.

        `revision` names the present rules and changes with them; `names` maps ids to display names; `open`
        and `own` are the types of the open table and of one side's screen, both constructible without
        arguments; `seats` and `first` return the seats and the first procedure for a scenario and its
        options; `default` returns the decision for a seat whose time has run out; `ordered` returns the
        decision that a seat has ordered beforehand, which the server then takes for it, or None;
        `view(open, parts)` returns the table as onlookers see it, of type `table`, or an
        empty part before set-up, and `screen(table, open, own, parts)` the table as the side with that screen
        sees it, given if and only if sides have screens; `waiting(table, state)` adds what everybody may know
        of the procedure that waits, and is only for titles without screens; `check` raises BadSetUp for
        options that cannot be combined; `default_scenario` is played if none is named, by default the first;
        `closing` returns the facts that the title records before a match ends by resignation or agreement,
        from the state and that end alone; `account` says what a match that has ended came to;
        `chronicle` what its chapters and the stories of its units are, None for a title without them; `rolls`
        names the rule that asks for a roll, by its purpose, where the roll itself names another.
        """
        if waiting is not None and own.__struct_fields__:
            raise TypeError(f"{title} has screens: what waits behind them is nobody's to know")
        if (screen is None) != (not own.__struct_fields__):
            raise TypeError(f"{title} shows a screen if and only if its sides have one")
        self.name, self.title, self.revision, self.sides = name, title, revision, sides
        self._sides = [(f"{SIDE}{n}]", the(side, f"{SIDE}{n}]")) for n, side in enumerate(sides)]
        self.scenarios = {scenario.id: scenario for scenario in scenarios}
        self.default_scenario = default_scenario or next(iter(self.scenarios))
        if self.default_scenario not in self.scenarios:
            raise TypeError(f"{title} has no scenario {self.default_scenario}")
        self.options = {option.id: option for option in options}
        called = {f"scenario:{scenario.id}": scenario.title for scenario in scenarios}
        self.names = {f"title:{name}": title, **called, **names}
        self.open, self.own = open, own
        self.facts = (*COMMON, *facts)
        self.procedures, self.decisions = tuple(procedures), tuple(decisions)
        self.seats, self.first, self.default, self.ordered = seats, first, default, ordered
        self.table, self.view, self.screen, self.waiting = table, view, screen, waiting
        self._check, self._closing = check, closing
        self.account, self.rolls = account or Account(), dict(rolls or {})
        self.chronicle = chronicle
        self.encode = json.Encoder().encode
        self.fact: Callable[[bytes], Fact] = json.Decoder(_union(self.facts)).decode
        self.procedure: Callable[[bytes], Procedure] = json.Decoder(_union(self.procedures)).decode
        self.decision: Callable[[bytes], Decision] = json.Decoder(_union(self.decisions)).decode
        self.restore: Callable[[bytes], State[Any, Any]] = json.Decoder(State[open, own]).decode  # type: ignore[valid-type]

    @property
    def short(self) -> list[str]:
        """The ids of the scenarios without a `length`: those to play whole when a title is measured."""
        return [one.id for one in self.scenarios.values() if not one.length]

    def words(self, fact: Fact) -> str:
        """Return a fact as one sentence, ids in square brackets; for a decision also what was decided."""
        return self.sentence(self._words(fact))

    def sentence(self, words: str) -> str:
        """Return words with the article that a side's name asks for, and a capital at their beginning."""
        if SIDE in words:
            for plain, with_article in self._sides:
                words = words.replace(plain, with_article)
        return f"{words[:1].upper()}{words[1:]}"

    def _words(self, fact: Fact) -> str:
        if isinstance(fact, Roll):
            return fact.words(self.names.get(fact.purpose, ""), self.rolls.get(fact.purpose, ""))
        if type(fact) is not Decided:
            return fact.words()
        try:
            return f"{fact.words()}: {self.decision(fact.decision).words()}"
        except DecodeError:  # the title has dropped this decision, or a record was altered
            return fact.words()

    def state(self) -> State[Any, Any]:
        """Return the state before the first fact."""
        return State(match=Match(), open=self.open(), own=[self.own(), self.own()])

    def noted(self, state: State[Any, Any], facts: Sequence[Fact]) -> list[Fact]:
        """Fold notices into a state; return them, with the title's `closing` facts before a `GameEnded`.

        A match that is called off has no result, and no such facts.
        """
        noted: list[Fact] = []
        for fact in facts:
            ends = isinstance(fact, notices.GameEnded) and fact.reason != notices.CALLED_OFF
            before = self._closing(state, fact) if ends else ()  # type: ignore[arg-type]  # as `ends` says
            for each in (*before, fact):
                each.fold(state)
                noted.append(each)
        return noted

    def set_up(self, scenario: str, given: Mapping[str, Any]) -> dict[str, bool | int | str]:
        """Return the options in force for a scenario, without those that are None. Raises BadSetUp.

        An option that the scenario has not is looked at and left out: recorded matches may name it.
        """
        if scenario not in self.scenarios:
            raise BadSetUp(f"{self.title} has no scenario {scenario}; it has {', '.join(self.scenarios)}")
        for name in given:
            if name not in self.options:
                raise BadSetUp(f"{self.title} has no option {name}; it has {', '.join(self.options)}")
        checked = {o.id: o.check(given.get(o.id, o.default)) for o in self.options.values()}
        if self._check is not None:
            self._check(scenario, checked)
        had = {o.id for o in self.options.values() if not o.scenarios or scenario in o.scenarios}
        return {name: value for name, value in checked.items() if name in had and value is not None}


def told_apart(things: Collection[tuple[str, str, str]]) -> dict[str, str]:
    """Return id to name from `(id, name, whose)`; a name used by several sides is prefixed with `whose`."""
    users: dict[str, set[str]] = {}
    for _, name, whose in things:
        users.setdefault(name, set()).add(whose)
    return {one: f"{whose} {name}" if len(users[name]) > 1 else name for one, name, whose in things}


def _union(types: Sequence[type[Any]]) -> Any:
    return reduce(or_, types)
