"""Facts, the state they fold into, and who may see them.

Laws of this module: state changes only by folding facts; folding consults no rule, no chart, no die;
the class of a fact says which ledger it is on, and `apply` is handed that ledger and nothing else.
Deliberately absent: any code that blanks out a field. What an audience may see is decided by class.
"""

import re
from collections.abc import Iterable
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar

from msgspec import Raw, Struct, field

from domain.kernel.audience import Audience, Reader
from domain.kernel.seats import Match

Open = TypeVar("Open")
"""What all can see of a title's table: its own type."""
Own = TypeVar("Own")
"""What one side alone can see: a title's own type."""


class State(Struct, Generic[Open, Own]):
    """A match at one moment: the fold of its facts."""

    match: Match
    """What all titles share: seats, nonces, offers, the end."""
    open: Open
    """What all can see."""
    own: list[Own]
    """What each of the two sides alone can see."""
    stack: list[Raw] = field(default_factory=list, name="frames")  # as states of golden matches have it
    """The bookmark: where in the rules the match stands."""
    asked: tuple[int, ...] = ()
    """The seats for whose decision the rules wait."""
    rolls: int = 0
    """How many rolls and draws were made; the index of the next."""


class Fact(Struct, frozen=True, tag=True, gc=False):
    """It happened in sight of all: applied to the open table, with nothing else in reach."""

    ver: ClassVar[int] = 1
    final: ClassVar[bool] = False
    reveals: ClassVar[bool] = False
    """Whether somebody learns something by it that he cannot unlearn; nothing before it is undone."""
    later: ClassVar[tuple[str, ...]] = ()
    """Fields that came later and only tell: a record from before has their defaults, and is as true."""

    def apply(self, open: Any) -> None:
        """Set the fields of the open table that this fact is about."""

    def fold(self, state: State[Any, Any]) -> None:
        """Apply the fact to the ledger of its class."""
        self.apply(state.open)

    def audience(self) -> Audience:
        """Return who may see it."""
        return Audience.ALL

    def words(self) -> str:
        """Say it as one sentence of plain English, each id in square brackets."""
        raise NotImplementedError


class Secret(Fact, frozen=True):
    """It happened behind one side's screen: applied to that screen, with nothing else in reach."""

    side: int

    def fold(self, state: State[Any, Any]) -> None:
        """Apply the fact to the screen of its side."""
        self.apply(state.own[self.side])

    def audience(self) -> Audience:
        """Return its side."""
        return Audience.of(self.side)


class UmpireFact(Fact, frozen=True):
    """A note of the umpire's: it leaves the server only when the match has ended."""

    def fold(self, state: State[Any, Any]) -> None:
        """Change nothing, unless the class says otherwise."""

    def audience(self) -> Audience:
        """Return nobody but the umpire."""
        return Audience.UMPIRE


class Notice(Fact, frozen=True):
    """A fact about the match, not about the table. It is in sight of all and is never taken back."""

    def fold(self, state: State[Any, Any]) -> None:
        """Apply the notice to what all titles share."""
        self.note(state.match)

    def note(self, match: Match) -> None:
        """Set the fields of the match that this notice is about."""


class Modifier(Struct, frozen=True):
    """What changes a roll or its target, and why."""

    reason: str
    amount: int


_AT_LEAST = re.compile(r"(\d+)\+? (?:hits|is (one|\d+) (?:more )?hits?)\b")
_AT_MOST = re.compile(r"(\d+) or less hits(?:, (\d+) or less twice)?")
"""Targets that are about hits: `4+ hits`, `6 is 2 hits`, `5 or less hits, 2 or less twice`."""


class Rolled(Fact, frozen=True):
    """Dice fell. A reader can re-check the use of them by eye."""

    reveals: ClassVar[bool] = True

    index: int
    """Which roll of the match it is; the fair dice are a function of it."""
    rule: str
    purpose: str
    by: int
    """The side that rolls, or -1 for neither."""
    sides: int
    dice: tuple[int, ...]
    target: str = ""
    """What is needed, or the row of the table that is used."""
    subject: str = ""
    """The id of what the roll is about."""
    modifiers: tuple[Modifier, ...] = ()

    def fold(self, state: State[Any, Any]) -> None:
        """Count the roll."""
        state.rolls = self.index + 1

    def words(self, purpose: str = "") -> str:
        """Say who rolled what, and how many hits came of it; a title may have a name for the purpose."""
        what = purpose or self.purpose
        rolled = f"{len(self.dice)}d{self.sides}"
        who = f"[side:{self.by}] rolled {rolled}, {what}" if self.by >= 0 else f"{what}, {rolled}"
        about = f" ([{self.subject}])" if self.subject else ""
        faces = " ".join(map(str, self.dice))
        need = f", {self.target}" if self.target else ""
        # What is "or less hits" names the faces that hit: what is added is counted in.
        added = " counted in" if _AT_MOST.match(self.target) else ""
        changed = "".join(f", {m.amount:+d} {m.reason}{added}" for m in self.modifiers)
        hits = self.hits()
        came = "" if hits is None else f": {hits} {'hit' if hits == 1 else 'hits'}"
        return f"{who}{about}: {faces}{need}{changed}{came} ({self.rule})"

    def hits(self) -> int | None:
        """Return the hits that came of it, by the words of the target; None if it is not about hits."""
        if least := _AT_LEAST.match(self.target):
            each = int(least[2]) if (least[2] or "one") != "one" else 1
            return each * sum(face >= int(least[1]) for face in self.dice)
        if most := _AT_MOST.match(self.target):
            once, twice = int(most[1]), int(most[2] or 0)
            return sum((face <= once) + (face <= twice) for face in self.dice)
        return None


class Drew(UmpireFact, frozen=True):
    """Something was drawn blind from what is left; what it was, the title's own facts say."""

    reveals: ClassVar[bool] = True

    index: int
    rule: str
    purpose: str
    by: int
    left: int
    """How many there were to draw from."""
    places: tuple[int, ...]
    """Where each drawn one lay, counted from 0 in what was left at that moment."""

    def fold(self, state: State[Any, Any]) -> None:
        """Count each place drawn as one roll."""
        state.rolls = self.index + len(self.places)

    def words(self) -> str:
        """Say who drew how many from how many."""
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
"""How a seat came to decide.

`chosen`: it did so itself; `ordered`: the server did for it, as the seat had said beforehand; `forced`: the
only entry of the list, applied by the server; `default`: time had run out, or the seat has resigned.
"""

OWN_CHOICE: Final[frozenset[How]] = frozenset({"chosen", "ordered"})
"""A seat's own decisions. Clocks, counts and undo treat the two alike, or others could tell them apart."""


class Decided(UmpireFact, frozen=True):
    """A seat chose one of the legal decisions of its prompt."""

    seat: int
    decision: Raw
    how: How = "chosen"
    joined: bool = False
    """Whether it was taken in one command with the decision before it; the command is taken back as one."""

    def words(self) -> str:
        """Say who decided; what, only the title can say (`Game.words`)."""
        return _HOW[self.how].format(f"[seat:{self.seat}]")


class Padding(UmpireFact, frozen=True):
    """Nothing happened: it is there so that the facts that somebody may not see cannot be counted by him."""

    def words(self) -> str:
        """Say that it is nothing."""
        return "Nothing: a fact that stands here so that hidden ones cannot be counted"


class Paused(UmpireFact, frozen=True):
    """The rules wait for `seats`; of the bookmark's procedures the first `keep` still stand."""

    seats: tuple[int, ...]
    keep: int
    push: tuple[Raw, ...]

    def fold(self, state: State[Any, Any]) -> None:
        """Move the bookmark."""
        state.stack[self.keep :] = self.push
        state.asked = self.seats

    def words(self) -> str:
        """Say who is asked."""
        seats = " and ".join(f"[seat:{seat}]" for seat in self.seats)
        return f"The rules wait for {seats}" if seats else "The rules rest"


def evolve(state: State[Open, Own], facts: Iterable[Fact]) -> State[Open, Own]:
    """Fold facts in their order. Facts taken back must be left out first (`undo.standing`)."""
    for fact in facts:
        fact.fold(state)
    return state


def seen_by(audience: Reader, facts: Iterable[Fact]) -> list[Fact]:
    """Return the facts that an audience may see."""
    return [fact for fact in facts if audience.sees(fact.audience())]
