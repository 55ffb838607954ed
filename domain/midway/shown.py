"""Types of Midway's table as pages and bots get it: keyed by ids, with all that is printed.

A field with a default is left out while it has it. Places are named as in M1.6, without the side.
"""

from typing import Generic, Literal, TypedDict, TypeVar

from msgspec import field

from domain.match.parts import Part
from domain.midway.charts import PlaneType, SequenceRow, SideId

State = Literal["operational", "crippled", "sunk"]
T = TypeVar("T")


class BySide(TypedDict, Generic[T]):
    """One of it for each side."""

    JP: T
    US: T


class Carrier(Part, frozen=True, kw_only=True):
    """A ship (M1.2). `aa` are dice, `repair` is the least die that repairs, `damage` is in circles."""

    name: str
    side: SideId
    aa: int
    repair: int
    capacity: int
    """Strength points that the hangar holds (M15.6)."""
    damage: int
    state: State
    seat: int


class Group(Part, frozen=True, kw_only=True):
    """One counter (M1.3); strength is in points. From `target` on: notes of the step at work."""

    name: str
    side: SideId
    type: PlaneType
    home: str
    aircraft: str
    full: int
    strength: int
    place: str
    target: str = ""
    committed: str = ""
    search_group: int = 0
    proposed: int = 0
    """Strength points that the admiral proposes to lose (M14.6)."""
    moved: bool = False


class Table(Part, frozen=True, kw_only=True):
    """The whole board; nothing is hidden (M1.10)."""

    scenario: str
    turn: int
    turn_limit: int
    time: str
    """The time of day of the turn, HH:MM."""
    sudden_death: bool
    steps: tuple[int, ...]
    """The steps of the sequence at work: one, or a pair (M15.12)."""
    active: tuple[SideId, ...]
    """Whose steps they are."""
    cap_rings: int
    carriers: dict[str, Carrier]
    groups: dict[str, Group]
    found: BySide[bool]
    """Whether each side has found the enemy fleet, or need not search (M12)."""
    points: BySide[int]
    losses: BySide[int]
    """Strength points lost (M13.6)."""
    sequence: tuple[SequenceRow, ...]
    step: int = 0
    step_name: str = ""
    designated: dict[str, int] = field(default_factory=dict)
    """Hits designated to each type of bomber so far (M6.9)."""
    grade: str = ""
    """The grade of the victory, once counted (M13.7)."""
