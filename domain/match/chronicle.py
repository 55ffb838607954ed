"""What a title tells of the course of a long match: its chapters, and what befell each of its units.

A chronicle is a fold of its own, fact by fact, so that the chapters and the stories of units can be looked up
without folding the match. A chapter is made of facts in sight of all; a line of a story has the audience of
what it was made of. Deliberately absent: where it is kept (`projections.chronicle`).
"""

from typing import ClassVar, Generic, Literal, TypeVar

from msgspec import Struct, field

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact

Course = TypeVar("Course", bound=Struct)
"""A title's type of what it has to know of the facts before, which is encoded as JSON in between."""

Kind = Literal["came", "moved", "fought", "hit", "lost", "mended", "seen"]
"""What a line of a story is about."""


class Lost(Struct, frozen=True):
    """A unit that a side has lost for good: its class or kind, and what became of it."""

    unit: str
    kind: str
    how: str


class Taken(Struct, frozen=True):
    """A place that came to another side by a fact."""

    place: str
    by: int
    seq: int


class Chapter(Struct):
    """A part of a match with what it came to, in sight of all. Pairs are of side 0 and side 1."""

    number: int
    kind: str
    """What sort of part it is, by a word of the title: `month`, `operation`."""
    named: str
    """What it is called, ids in square brackets."""
    since: int
    """The fact that it begins with."""
    upto: int
    """The last fact in sight of all that it was made of."""
    side: int | None = None
    """Who leads it."""
    when: str = ""
    """When it began: `August 1942, day 4`."""
    days: int = 0
    over: bool = False
    """Whether another one has followed it, or the match has ended."""
    where: list[str] = []
    """Where was fought: places by their ids, others by the number of their hex."""
    lost: tuple[list[Lost], list[Lost]] = field(default_factory=lambda: ([], []))
    counts: dict[str, tuple[int, int]] = {}
    """What was counted for both sides: steps lost, points, what they could spend."""
    taken: list[Taken] = []
    figures: dict[str, int] = {}
    """What was counted once: shipping, resources, the parts of a kind so far."""
    held: dict[str, int] = {}
    """Who held each place when it began; told of the first chapter alone."""


class Line(Struct, frozen=True):
    """What befell a unit, told to those who may know it: a sentence without its subject, ids in brackets."""

    unit: str
    kind: Kind
    words: str
    audience: Audience


class Chronicle(Generic[Course]):
    """The chronicle of a title."""

    types: ClassVar[tuple[type[Fact], ...]] = ()
    """The facts that it follows."""
    course: type[Course]

    def follow(self, course: Course, seq: int, fact: Fact) -> list[Line]:
        """Go on by a fact in force of one of these types; return what befell units."""
        raise NotImplementedError

    def chapters(self, course: Course) -> list[Chapter]:
        """Return the chapters that were changed since this was asked last, in order."""
        raise NotImplementedError

    def when(self, course: Course) -> str:
        """Return when it is."""
        raise NotImplementedError

    def chapter(self, course: Course) -> int:
        """Return the number of the chapter that it has come to; 0 before the first."""
        raise NotImplementedError
