"""A bot that reads its title's own types, made into one that takes and gives JSON like any other.

The view becomes `View[Table]`, the options become the title's decisions, and the answer is the plain option
in the place of the decision that was chosen. What is of another form is refused with an error that says where
it differs. So is a view from before the set-up, whose `table` is empty: nothing is asked of a seat before it.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Any, Generic, TypeVar

from msgspec import Struct, convert

from server.protocol.shown import Decision, View

Choose = Callable[[dict[str, Any], dict[str, Any], Random], dict[str, Any]]

Table = TypeVar("Table")
Option = TypeVar("Option", bound=Decision)


class Asked(Struct, Generic[Option], frozen=True):
    """What a seat is asked: the rule, and every legal decision."""

    seat: int
    rule: str
    options: tuple[Option, ...]


TypedChoose = Callable[[View[Table], Asked[Decision], Random], Decision]


def typed(form: type[View[Table]], decisions: Sequence[type[Decision]], choose: TypedChoose[Table]) -> Choose:
    """Return a bot for everybody, given the form of its view and the decisions of its title.

    Where there is one option it is taken, and the bot is not asked. The bot raises ValidationError for what
    is of another form.
    """
    any_of_them = reduce(or_, decisions)
    asked_form: type[Asked[Decision]] = Asked[any_of_them]  # type: ignore[valid-type]

    def plain(view: dict[str, Any], prompt: dict[str, Any], random: Random) -> dict[str, Any]:
        options: list[dict[str, Any]] = prompt["options"]
        if len(options) == 1:
            return options[0]
        asked = convert(prompt, asked_form)
        decision = choose(convert(view, form, str_keys=True), asked, random)
        return options[asked.options.index(decision)]

    return plain
