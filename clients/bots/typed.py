"""Wraps a bot that uses its title's own types, so that it takes and returns JSON as all bots do.

The view is decoded as `View[Table]`, the options as the title's decisions, and the result is the JSON option
at the index of the decision that was chosen. Input of another form raises ValidationError, as does a view
from before the set-up, whose `table` is empty: no seat is asked before it.
"""

from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from random import Random
from typing import Any, Generic, TypeVar

from msgspec import Struct, convert

from clients.player import Choose
from server.protocol.shown import Decision, View

Table = TypeVar("Table")
Option = TypeVar("Option", bound=Decision)


class TypedPrompt(Struct, Generic[Option], frozen=True):
    """The prompt of a seat: the rule, every legal decision, and the sentence that goes with them."""

    seat: int
    rule: str
    options: tuple[Option, ...]
    text: str = ""


TypedChoose = Callable[[View[Table], TypedPrompt[Decision], Random], Decision]


def typed(form: type[View[Table]], decisions: Sequence[type[Decision]], choose: TypedChoose[Table]) -> Choose:
    """Return a bot that takes and returns JSON, given the type of its view and the decisions of its title.

    A single option is chosen without calling `choose`. The bot raises ValidationError for input of another
    form.
    """
    any_of_them = reduce(or_, decisions)
    prompt_form: type[TypedPrompt[Decision]] = TypedPrompt[any_of_them]  # type: ignore[valid-type]

    def plain(view: dict[str, Any], prompt: dict[str, Any], random: Random) -> dict[str, Any]:
        options: list[dict[str, Any]] = prompt["options"]
        if len(options) == 1:
            return options[0]
        typed_prompt = convert(prompt, prompt_form)
        decision = choose(convert(view, form, str_keys=True), typed_prompt, random)
        return options[typed_prompt.options.index(decision)]

    return plain
