"""Facts, the state they fold into, and who may see them.

Laws of this module: state changes only by folding facts; folding consults no rule, no chart, no die;
the class of a fact decides which ledger it changes, and `apply` is passed that ledger and nothing else.
Deliberately absent: any code that redacts a field. What an audience may see is decided by class.
"""

import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar

from msgspec import UNSET, Raw, Struct, UnsetType, field

from domain.kernel.audience import Audience, Reader
from domain.kernel.seats import Match

Open = TypeVar("Open")
"""A title's type of its open table, which everybody sees."""
Own = TypeVar("Own")
"""A title's type of one side's screen, which that side alone sees."""


class State(Struct, Generic[Open, Own]):
    """A match at one moment: the fold of its facts."""

    match: Match
    """The part all titles share: seats, nonces, offers, the end."""
    open: Open
    """The open table, which everybody sees."""
    own: list[Own]
    """The screens of side 0 and side 1."""
    stack: list[Raw] = field(default_factory=list, name="frames")  # as states of golden matches have it
    """The encoded procedures under way, outermost first: the position in the rules at the last pause."""
    asked: tuple[int, ...] = ()
    """The seats that have a decision to take."""
    rolls: int = 0
    """The number of rolls and draws made so far, which is the index of the next."""
    unseen: int | UnsetType = UNSET
    """The number of unseen rolls made so far, which have indexes of their own; left out before the first."""


class Fact(Struct, frozen=True, tag=True, gc=False):
    """Something that everybody may see. It changes the open table only."""

    ver: ClassVar[int] = 1
    final: ClassVar[bool] = False
    reveals: ClassVar[bool] = False
    """Whether it gives somebody new information."""
    later: ClassVar[tuple[str, ...]] = ()
    """Informative fields added later. Older logs lack them; deciding again ignores that difference."""

    @property
    def bars_undo(self) -> bool:
        """Whether no undo goes back past it: it reveals something.

        A fact in sight of all that comes whether unseen dice fell or not overrides it, where the answer to
        who would take something back would tell of them.
        """
        return self.reveals

    def apply(self, open: Any) -> None:
        """Set the fields of the open table that this fact changes."""

    def fold(self, state: State[Any, Any]) -> None:
        """Apply the fact to the ledger that its class changes."""
        self.apply(state.open)

    def audience(self) -> Audience:
        """Return who may see the fact."""
        return Audience.ALL

    def words(self) -> str:
        """Return the fact as one English sentence, each id in square brackets."""
        raise NotImplementedError


class Secret(Fact, frozen=True):
    """Something that one side alone may see. It changes that side's screen only."""

    side: int

    def fold(self, state: State[Any, Any]) -> None:
        """Apply the fact to the screen of its side."""
        self.apply(state.own[self.side])

    def audience(self) -> Audience:
        """Return its side."""
        return Audience.of(self.side)


class UmpireFact(Fact, frozen=True):
    """A fact for the umpire: it leaves the server only when the match has ended."""

    def fold(self, state: State[Any, Any]) -> None:
        """Change nothing; subclasses may override."""

    def audience(self) -> Audience:
        """Return the umpire."""
        return Audience.UMPIRE


Record = UmpireFact
"""The name of `UmpireFact` until it was taken for a match as one file; for titles kept elsewhere."""


class Notice(Fact, frozen=True):
    """A fact about the match, not about the table. No undo covers it.

    Everybody may see it, unless its class says otherwise.
    """

    def fold(self, state: State[Any, Any]) -> None:
        """Apply the notice to `state.match`."""
        self.note(state.match)

    def note(self, match: Match) -> None:
        """Set the fields of the match that this notice changes."""


class Modifier(Struct, frozen=True):
    """A number added to a roll or its target, and the reason."""

    reason: str
    amount: int


_AT_LEAST = re.compile(r"(\d+)\+? (?:hits|is (one|\d+) (?:more )?hits?)\b")
_AT_MOST = re.compile(r"(\d+) or less hits(?:, (\d+) or less twice)?")
"""Targets that count hits: `4+ hits`, `6 is 2 hits`, `5 or less hits, 2 or less twice`."""
_COLUMN = re.compile(r"(?:no )?column\b")
"""Targets that are the column of a table after all shifts: `column 3`, `no column at the cruiser`."""


class Roll(Fact, frozen=True):
    """A roll of dice, with all that is needed to check how it was used: `Rolled` or `RolledUnseen`."""

    reveals: ClassVar[bool] = True

    index: int
    """The number of the roll among those of its class in the match, from 0; the fair dice follow from it."""
    rule: str
    purpose: str
    by: int
    """The side that rolls, or -1 for neither."""
    sides: int
    dice: tuple[int, ...]
    target: str = ""
    """The faces needed, or the row of the chart used."""
    subject: str = ""
    """The id of the unit or place that the roll concerns."""
    modifiers: tuple[Modifier, ...] = ()

    def words(self, purpose: str = "", rule: str = "") -> str:
        """Return who rolled what and the number of hits.

        `purpose` is the title's name for the purpose, `rule` the rule that asks for it if not `self.rule`.
        """
        what = purpose or self.purpose
        rolled = f"{len(self.dice)}d{self.sides}"
        who = f"[side:{self.by}] rolled {rolled}, {what}" if self.by >= 0 else f"{what}, {rolled}"
        about = f" ([{self.subject}])" if self.subject else ""
        faces = " ".join(map(str, self.dice))
        need = f", {self.target}" if self.target else ""
        # A target of the form "5 or less hits" includes the modifiers already.
        added = " counted in" if _AT_MOST.match(self.target) else ""
        changed = ", ".join(f"{m.amount:+d} {m.reason}{added}" for m in self.modifiers)
        if changed:
            changed = f" after {changed}" if _COLUMN.match(self.target) else f", {changed}"
        hits = self.hits()
        came = "" if hits is None else f": {hits} {'hit' if hits == 1 else 'hits'}"
        return f"{who}{about}: {faces}{need}{changed}{came} ({rule or self.rule})"

    def hits(self) -> int | None:
        """Return the number of hits by the text of the target; None if the target counts no hits."""
        if least := _AT_LEAST.match(self.target):
            each = int(least[2]) if (least[2] or "one") != "one" else 1
            return each * sum(face >= int(least[1]) for face in self.dice)
        if most := _AT_MOST.match(self.target):
            once, twice = int(most[1]), int(most[2] or 0)
            return sum((face <= once) + (face <= twice) for face in self.dice)
        return None


class Rolled(Roll, frozen=True):
    """A roll in sight of all."""

    def fold(self, state: State[Any, Any]) -> None:
        """Count the roll."""
        state.rolls = self.index + 1


class RolledUnseen(Roll, UmpireFact, frozen=True):
    """A roll for the umpire, shown when the match has ended.

    `index` counts the unseen rolls alone, so that the index of the next open one does not tell that there was
    any.
    """

    def fold(self, state: State[Any, Any]) -> None:
        """Count the roll among the unseen ones."""
        state.unseen = self.index + 1


class Drew(UmpireFact, frozen=True):
    """A blind draw from a number of things; the title's own facts say what was drawn."""

    reveals: ClassVar[bool] = True

    index: int
    rule: str
    purpose: str
    by: int
    left: int
    """The number of things to draw from."""
    places: tuple[int, ...]
    """The index of each thing drawn, from 0, among those left at that moment."""

    def fold(self, state: State[Any, Any]) -> None:
        """Count each place drawn as one roll."""
        state.rolls = self.index + len(self.places)

    def words(self) -> str:
        """Return who drew how many from how many."""
        who = f"[side:{self.by}], " if self.by >= 0 else ""
        what = self.purpose.partition(",")[0]
        return f"{who}{what}: {len(self.places)} of {self.left} ({self.rule})"


_HOW = {
    "chosen": "{} decided",
    "ordered": "{} had decided beforehand",
    "forced": "{} had one choice",
    "default": "The rules decided for {}",
}


How = Literal["chosen", "ordered", "forced", "default"]
"""How a decision was taken.

`chosen`: by the seat; `ordered`: by the server, on an instruction the seat had given beforehand; `forced`: by
the server, as the only option; `default`: by the server, after a time-out or the seat's resignation.
"""

OWN_CHOICE: Final[frozenset[How]] = frozenset({"chosen", "ordered"})
"""A seat's own decisions. Clocks, counts and undo treat both alike, so that others cannot tell them apart."""


class Decided(UmpireFact, frozen=True):
    """A decision of a seat, one of the options of its prompt."""

    seat: int
    decision: Raw
    how: How = "chosen"
    joined: bool = False
    """Whether it follows another decision in the same command; an undo covers the whole command."""

    def fold(self, state: State[Any, Any]) -> None:
        """Take a correction that is proposed off the table: what follows is another match than it was for."""
        state.match.correction = UNSET

    def words(self) -> str:
        """Return who decided; `Game.words` adds what was decided."""
        return _HOW[self.how].format(f"[seat:{self.seat}]")


class Padding(UmpireFact, frozen=True):
    """A fact without content, recorded so that the number of sealed facts reveals nothing."""

    def words(self) -> str:
        """Return that it has no content, and why it is there."""
        return "Nothing: a fact that stands here so that hidden ones cannot be counted"


class Paused(UmpireFact, frozen=True):
    """The rules wait for `seats`. The stack keeps its first `keep` procedures; `push` follows them."""

    seats: tuple[int, ...]
    keep: int
    push: tuple[Raw, ...]

    def fold(self, state: State[Any, Any]) -> None:
        """Set the stack and the seats that are asked."""
        state.stack[self.keep :] = self.push
        state.asked = self.seats

    def words(self) -> str:
        """Return which seats are asked."""
        seats = " and ".join(f"[seat:{seat}]" for seat in self.seats)
        return f"The rules wait for {seats}" if seats else "The rules rest"


def evolve(state: State[Open, Own], facts: Iterable[Fact]) -> State[Open, Own]:
    """Fold facts in order into a state and return it. Leave out undone facts first (`undo.standing`)."""
    for fact in facts:
        fact.fold(state)
    return state


def seen_by(audience: Reader, facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts that an audience may see."""
    return [fact for fact in facts if audience.sees(fact.audience())]
