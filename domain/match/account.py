"""What a title says about a match that has ended: what it came to, what was lost, what weighed how much.

Deliberately absent: which moments decided a match, which `projections.report` finds by this measure.
"""

from typing import Any, Final

from msgspec import Struct

from domain.kernel.facts import Fact
from domain.match.notices import BY_MATCH, CALLED_OFF, GameEnded


class Loss(Struct, frozen=True):
    """What a fact costs a side: `id` is lost for good or hurt; `worth` is what that weighs."""

    side: int
    id: str
    kind: str
    """The heading that it stands under: `Carriers`."""
    worth: float
    gone: bool = True
    says: str = ""
    """How a moment tells it, `{}` for whom it befell: `{} sank`, `{} {was} crippled`. Without it the loss
    only weighs."""


class Held(Struct, frozen=True):
    """What a side holds; without a side it is fought for, and nobody has lost it yet."""

    side: int | None
    worth: float = 0.0
    """What it weighs that this side holds it."""
    whole: str = ""
    """The name of what has to be held whole for it, if that is more than it is called by."""


class Row(Struct, frozen=True):
    """A row of the victory points: what counted, ids in square brackets, and what each side had of it."""

    words: str
    points: tuple[int, int]


ENDS: Final[dict[str, str]] = {
    CALLED_OFF: "It has no result.",
    "time": "ran out of time three times in a row",
    "absence": "stayed away for 14 days",
}
"""What is told of an end that is neither a resignation nor an agreement, by its reason."""


class Account:
    """The account of a title; this one knows nothing but what all matches have in common."""

    set_up: tuple[type[Fact], ...] = ()
    """Facts that lay out the board: what they change was gained by nobody."""
    kinds: tuple[str, ...] = ()
    """The kinds of losses in the order in which they are told."""

    def scene(self, open: Any) -> str:
        """Return what is under way: `Turn 3, battle of Samoa`. What happens in one scene is one moment."""
        return self.when(open)

    def held(self, open: Any) -> dict[str, Held]:
        """Return who holds what counts for whoever holds it, by its id."""
        del open
        return {}

    def losses(self, open: Any, fact: Fact) -> list[Loss]:
        """Return what a fact costs, from the open table before it is folded."""
        del open, fact
        return []

    def rows(self, open: Any) -> list[Row]:
        """Return the victory points at the end; none if the title has no points."""
        del open
        return []

    def when(self, open: Any) -> str:
        """Return where in its course the match stands, `Turn 3`, or nothing."""
        del open
        return ""

    def turn(self, open: Any) -> int:
        """Return a number that grows whenever a turn of the title begins; 0 before the first.

        Clocks add time by it, so what it returns of an open table is never changed.
        """
        del open
        return 0

    def reason(self, open: Any, end: GameEnded) -> str:
        """Return why the match ended as a sentence, ids in square brackets."""
        if end.rule != BY_MATCH:
            return self.by_rules(open, end)
        if end.winner is None:
            return ENDS.get(end.reason, "Both sides agreed on a draw.")
        return f"[side:{1 - end.winner}] {ENDS.get(end.reason, 'resigned')}."

    def by_rules(self, open: Any, end: GameEnded) -> str:
        """Return why the rules ended the match, as `reason` does."""
        del open
        return f"{end.reason[:1].upper()}{end.reason[1:]}."
