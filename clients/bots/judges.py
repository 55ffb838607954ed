"""Judges: functions, called in order, that each choose among the options of one kind or return None."""

from collections.abc import Callable, Iterable, Sequence
from typing import Generic, TypeVar

from msgspec import Struct

from server.protocol.shown import Decision

Board = TypeVar("Board")
Kind = TypeVar("Kind", bound=Decision)


class Judge(Struct, Generic[Board], frozen=True):
    """A judge of one kind of decision; `choose` gets all options and considers those of its kind."""

    kind: type[Decision]
    choose: Callable[[Board, Sequence[Decision]], Decision | None]
    reason: str = ""
    """Why it chooses what it chooses, in a sentence: the docstring of its function."""


def judge(kind: type[Kind], choose: Callable[[Board, Sequence[Kind]], Decision | None]) -> Judge[Board]:
    """Return the judge of a kind of decision, given a function of the options of that kind."""

    def among(board: Board, options: Sequence[Decision]) -> Decision | None:
        return choose(board, [option for option in options if isinstance(option, kind)])

    return Judge(kind, among, (choose.__doc__ or "").partition("\n")[0])


def first_opinion(
    judges: Iterable[Judge[Board]], board: Board, options: Sequence[Decision]
) -> Decision | None:
    """Return the choice of the first judge that has one; None if none has."""
    return with_reason(judges, board, options)[0]


def with_reason(
    judges: Iterable[Judge[Board]], board: Board, options: Sequence[Decision]
) -> tuple[Decision | None, str]:
    """Return the choice of the first judge that has one, and that judge's reason; None if none has."""
    kinds = {type(option) for option in options}
    choices = ((one.choose(board, options), one.reason) for one in judges if one.kind in kinds)
    return next(((choice, why) for choice, why in choices if choice is not None), (None, ""))
