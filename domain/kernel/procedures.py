"""Rules as data: procedures made of numbered steps, some of which ask for a decision.

A procedure's steps are its decorated methods, run in the order of definition. The stack of procedures under
way is the whole position in the rules. Deliberately absent: generators, closures and tasks that outlive a
decision.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from copy import copy
from typing import Any, ClassVar, Generic, TypeAlias

from msgspec import Struct, structs

from domain.kernel.facts import Open, Own


class Done:
    """Returned from a step to leave its procedure."""


DONE = Done()
END = "."

_WORD = re.compile(r"_|(?<=[a-z])(?=[A-Z])")
"""The word boundaries of a tag."""


class Decision(Struct, frozen=True, tag=True, gc=False, forbid_unknown_fields=True):
    """An option of a prompt; legal if and only if it is on the prompt's list."""

    says: ClassVar[str] = ""
    """A format string of the fields, with ids in square brackets: `land [{group}] on [{ship}]`."""

    def words(self) -> str:
        """Return what is done, each id in square brackets: by `says`, else by tag and fields."""
        fields = structs.asdict(self)
        if self.says:
            return self.says.format_map(fields)
        tag = _WORD.sub(" ", str(self.__struct_config__.tag)).lower()
        values = (
            f"[{value}]" if isinstance(value, str) else str(value) for value in fields.values() if value
        )
        return " ".join([tag, ", ".join(values)]).rstrip()


class Prompt(Struct, frozen=True):
    """A question to one seat: the rule, a sentence, and every legal decision."""

    rule: str
    text: str
    options: tuple[Decision, ...]


class Sight(Struct, Generic[Open, Own], frozen=True):
    """What one seat can see. Options are computed from this alone."""

    seat: int
    side: int
    open: Open
    own: Own


class Step:
    """One numbered step of a procedure. Returned from a step of the same procedure, it is a jump."""

    name: str
    then: Callable[[Any, Any, Any], Any]
    quiet_options: Callable[[Any, Sight[Any, Any], Sequence[Decision]], Iterable[Decision]] | None = None
    sentence: Callable[[Any, Sight[Any, Any], Sequence[Decision]], str] | None = None
    number: Callable[[Any, Sight[Any, Any]], str] | None = None

    def __init__(
        self, rule: str, run: Callable[..., Any], by: str, was: str, *, forced: bool | str, sealed: bool
    ) -> None:
        self.rule, self.run, self.by, self.was = rule, run, by, was
        self.forced, self.sealed = forced, sealed
        self.text = (run.__doc__ or "").strip().partition("\n")[0]

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def chosen(self, then: Callable[[Any, Any, Any], Any]) -> Callable[[Any, Any, Any], Any]:
        """Register what follows a decision: `(self, table, decision) -> Flow`; `table.actor` decided."""
        self.then = then
        return then

    def quiet(
        self, quiet_options: Callable[[Any, Any, Any], Iterable[Decision]]
    ) -> Callable[[Any, Any, Any], Iterable[Decision]]:
        """Register which decisions another may follow at once: `(self, sight, options) -> decisions`.

        The method picks them from the options by what the seat sees before it decides. After such a decision
        and its forced consequences the seat is asked again; nothing is rolled, drawn or revealed, nobody else
        is asked, and the seat learns nothing that it could not have derived before.
        """
        self.quiet_options = quiet_options
        return quiet_options

    def says(self, sentence: Callable[[Any, Any, Any], str]) -> Callable[[Any, Any, Any], str]:
        """Register what the seat is told, from what it sees: `(self, sight, options) -> str`.

        Ids stand in square brackets, as in the words of facts.
        """
        self.sentence = sentence
        return sentence

    def numbered(self, number: Callable[[Any, Any], str]) -> Callable[[Any, Any], str]:
        """Register the number of the rule by which a seat is asked: `(self, sight) -> str`.

        It is for a step that asks several seats, each where it is in a part of the rules.
        """
        self.number = number
        return number

    def numbers(self, procedure: Any, sight: Sight[Any, Any]) -> str:
        """Return the number of the rule by which a seat is asked."""
        return self.number(procedure, sight) if self.number else self.rule

    def said(self, procedure: Any, sight: Sight[Any, Any], options: Sequence[Decision]) -> str:
        """Return the sentence that a seat is shown."""
        return self.sentence(procedure, sight, options) if self.sentence else self.text

    def under(self, rule: str, text: str = "") -> "Step":
        """Return a copy of this step with a rule number and, if given, another sentence for the seat."""
        same = copy(self)
        same.rule, same.text = rule, text or self.text
        return same

    def forces(self, procedure: Any, open: Any) -> bool:
        """Return whether a single option is applied without asking."""
        return self.forced if isinstance(self.forced, bool) else bool(getattr(procedure, self.forced)(open))

    def asked(self, procedure: Any, open: Any) -> Sequence[int]:
        """Return the seats that are asked in a procedure."""
        by = getattr(procedure, self.by)
        if callable(by):
            by = by(open)
        return by if isinstance(by, tuple) else (by,)


def step(rule: str, was: str = "") -> Callable[[Callable[[Any, Any], Any]], Step]:
    """Mark a method `(self, table) -> Flow` as a step; `was` is a name it had in recorded matches.

    A step with an empty rule is abstract. A procedure that derives from its class gives it a number and a
    place among its own steps with `name = Base.name.under("1.2")`.
    """
    return lambda run: Step(rule, run, "", was, forced=False, sealed=False)


def ask(
    rule: str, by: str = "seat", was: str = "", *, forced: bool | str = False, sealed: bool = False
) -> Callable[[Callable[[Any, Sight[Any, Any]], Any]], Step]:
    """Mark a method `(self, sight) -> list[Decision]` as a step that asks the seats named by `by`.

    `rule` and `was` are those of `step`. `by` is the name of a field, property or method `(self, open)` of
    the procedure: a seat or a tuple of seats, each of which answers once. The docstring's first line is the
    sentence the seat is shown, if `says` does not make one of how things stand. A seat without options is
    not asked. `forced`: a single option is applied without asking and recorded as forced; True for always, or
    the name of a method `(self, open) -> bool`. `sealed`: what a seat picks here must not be counted by
    others, so it comes as one command: a quiet decision cannot end one (`Table.decide_all`). The last one is
    to record the picks for those who may know them, and `pad` the command.
    """
    return lambda options: Step(rule, options, by, was, forced=forced, sealed=sealed)


class Procedure(Struct, kw_only=True, tag=True, omit_defaults=True):
    """A procedure under way. Its steps run in the order of definition; its fields are its state."""

    at: str = ""
    awaits: tuple[int, ...] = ()
    steps: ClassVar[dict[str, tuple[Step, str]]] = {}

    def __init_subclass__(cls) -> None:
        found = [v for base in reversed(cls.__mro__) for v in vars(base).values() if isinstance(v, Step)]
        order = list({step.name: step for step in found if step.rule}.values())
        if {step.name for step in found} - {step.name for step in order}:
            cls.steps = {}  # an abstract step is left: this is a base class, and cannot run
        elif order:
            nexts = [*(s.name for s in order[1:]), END]
            pairs = list(zip(order, nexts, strict=True))
            cls.steps = {name: pair for pair in pairs for name in (pair[0].name, pair[0].was)} | {
                "": pairs[0]
            }


Flow: TypeAlias = Procedure | Step | Done | None
"""What a step returns: a procedure to run before the next step, a step to jump to, DONE to leave, or None."""
