"""P4 to P22 What can happen in a campaign: months, days, Operations, headquarters; and a side's means."""

from typing import ClassVar

from msgspec.structs import replace

from domain.kernel.facts import Fact, Secret
from domain.pacific_war.board import toll
from domain.pacific_war.board.campaigns import MONTH_BEGIN, of_side
from domain.pacific_war.board.charts import SIDE_NAMES
from domain.pacific_war.board.table import Open, Own, Patrol
from domain.pacific_war.board.war import (
    Boats,
    Condition,
    EmergencyLink,
    Operation,
    Post,
    Posting,
    Share,
    War,
)
from domain.pacific_war.facts.means import TELLS
from domain.pacific_war.facts.wording import at, does, number, spelled, the


class MonthsSetUp(Fact, frozen=True):
    """P1 The months of a campaign before the first, after the map was set up."""

    war: War

    def apply(self, open: Open) -> None:
        """Lay them out; what will change is copied."""
        open.war = replace(self.war, posts=dict(self.war.posts), bombers=dict(self.war.bombers))

    def words(self) -> str:
        """Say from when to when."""
        return f"The campaign begins in {spelled(self.war.month)}"


class MonthIs(Fact, frozen=True):
    """P4.3 Another month begins."""

    month: str

    def apply(self, open: Open) -> None:
        """Move the marker."""
        war(open).month = self.month

    def words(self) -> str:
        """Say which."""
        return f"The month is {spelled(self.month)}"


class DayIs(Fact, frozen=True):
    """P4.1 The day marker moves; 0 is Month Begin."""

    day: int
    why: str = ""

    def apply(self, open: Open) -> None:
        """Move it; patrols look for every task force anew (P25.2)."""
        war(open).day, open.contacts = self.day, []

    @property
    def bars_undo(self) -> bool:
        """Whether unseen dice may fall after it: whether they do is nobody's to know (P24.1)."""
        return True

    def words(self) -> str:
        """Say where to."""
        told = "Month Begin" if self.day == MONTH_BEGIN else f"day {self.day}"
        return f"The day marker is on {told}{f', {self.why}' if self.why else ''}"


class SearchesMade(Fact, frozen=True):
    """P24.1 Both sides have searched, with unseen dice or without."""

    @property
    def bars_undo(self) -> bool:
        """Whether unseen dice may have fallen: whether they have is nobody's to know."""
        return True

    def words(self) -> str:
        """Say so."""
        return "Both sides search"


class TotalsAre(Fact, frozen=True):
    """P10.3 The Command Points of the month, Japan's first."""

    totals: tuple[int, int]

    def apply(self, open: Open) -> None:
        """Note them."""
        war(open).totals = self.totals

    def words(self) -> str:
        """Say both."""
        mine, theirs = (number(count, "Command Point") for count in self.totals)
        return f"This month {SIDE_NAMES[0]} gets {mine}, the {SIDE_NAMES[1]} {theirs}"


class PostIs(Fact, frozen=True):
    """P11.2.1 A headquarters stands somewhere, or is disbanded."""

    hq: str
    post: Post
    why: str
    captured: bool = False

    def apply(self, open: Open) -> None:
        """Set it."""
        if self.captured:
            toll.headquarters_taken(open, of_side(self.hq))
        war(open).posts[self.hq] = self.post

    def words(self) -> str:
        """Say where, and why."""
        return f"[{self.hq}] {self.why}" + (f" at [{self.post.site}]" if self.post.site else "")


class BidsOpened(Fact, frozen=True):
    """P18.2 What both sides have bid, Japan first: headquarters and amount; empty and 0 for no bid."""

    reveals: ClassVar[bool] = True

    hqs: tuple[str, str]
    amounts: tuple[int, int]

    def words(self) -> str:
        """Say both."""
        told = [
            f"{does(side, 'bid')} {amount} from [{hq}]" if hq else f"{does(side, 'bid')} nothing"
            for side, (hq, amount) in enumerate(zip(self.hqs, self.amounts, strict=True))
        ]
        return "; ".join(told)


class OperationIs(Fact, frozen=True):
    """P20 The Operation under way after it has changed; None when there is none."""

    operation: Operation | None
    why: str
    begun: bool = False
    """It is another Operation than before."""

    def apply(self, open: Open) -> None:
        """Set it; the Operation player too. After it nothing in a base lies open any more (P0.4.1)."""
        board = war(open)
        board.operation = self.operation
        board.operations += self.begun
        if self.operation:
            open.operation = self.operation.player
        else:
            open.struck = []  # nothing lies open any more (P0.4.1, P5.3)

    def words(self) -> str:
        """Say what has changed."""
        return self.why


class InitiativeIs(Fact, frozen=True):
    """P19.3 The Strategic Initiative moves at the end of an Operation, by damage points."""

    initiative: int
    damage: tuple[int, int]

    def apply(self, open: Open) -> None:
        """Move it, and add the damage points to those of the game."""
        board = war(open)
        board.initiative = self.initiative
        board.damage = (board.damage[0] + self.damage[0], board.damage[1] + self.damage[1])

    def words(self) -> str:
        """Say by what, and who has it."""
        holder = 0 if self.initiative > 0 else 1
        stands = (
            f"{does(holder, 'have')} the initiative by {abs(self.initiative)}"
            if self.initiative
            else "nobody has the initiative"
        )
        mine, theirs = self.damage
        return f"Damage points {SIDE_NAMES[0]} {mine}, {SIDE_NAMES[1]} {theirs}: {stands}"


class PlacesScored(Fact, frozen=True):
    """P33.2 Location points of a month, Japan's first."""

    month: str
    rows: tuple[tuple[str, tuple[int, int]], ...]

    def apply(self, open: Open) -> None:
        """Add them up."""
        board = war(open)
        mine, theirs = (sum(points[side] for _, points in self.rows) for side in (0, 1))
        board.places = (board.places[0] + mine, board.places[1] + theirs)

    def words(self) -> str:
        """Say what scored."""
        told = ", ".join(f"[{place}] {max(points)}" for place, points in self.rows)
        return f"Points for locations at the end of {spelled(self.month)}: {told or 'none'}"


class MeansAre(Secret, frozen=True, omit_defaults=True):
    """What a side has besides units, after it has changed: what is None stays as it was.

    `points`, `submarines`, `commands`, `penalty`, `barred`, `crossing` and `supplied` are merged with what
    was there, without what is given as 0 or an empty string.
    """

    points: dict[str, int] | None = None
    used: dict[str, int] | None = None
    charged: tuple[str, ...] | None = None
    level: int | None = None
    condition: Condition | None = None
    near: tuple[str, ...] | None = None
    submarines: dict[str, int] | None = None
    pool: int | None = None
    commands: dict[str, str] | None = None
    penalty: dict[str, str] | None = None
    waiting: tuple[str, ...] | None = None
    barred: dict[str, int] | None = None
    transport: dict[str, int] | None = None
    steps: dict[str, int] | None = None
    order: int | None = None
    why: str = ""
    fop: int | None = None
    duty: int | None = None
    escorts: int | None = None
    escorting: tuple[str, ...] | None = None
    priority: str | None = None
    crossing: dict[str, str] | None = None
    emergency: dict[str, EmergencyLink] | None = None
    supplied: dict[str, int] | None = None
    roused: tuple[str, ...] | None = None

    def apply(self, own: Own) -> None:
        """Set what is given."""
        means = own.means
        for name in MERGED:
            if (given := getattr(self, name)) is not None:
                merged = getattr(means, name) | given
                setattr(means, name, {key: value for key, value in merged.items() if value not in ("", 0)})
        for name in SET:
            if (given := getattr(self, name)) is not None:
                setattr(means, name, given)

    def words(self) -> str:
        """Say what has changed."""
        given = ((tell, getattr(self, name)) for name, tell in TELLS.items())
        told = [part for tell, value in given if value is not None for part in tell(value)]
        why = f", {self.why}" if self.why else ""
        return f"{the(self.side)}{why}: {'; '.join(told) or 'nothing new'}"


MERGED = ("points", "submarines", "commands", "penalty", "barred", "crossing", "supplied")
"""What `MeansAre` merges with what was there."""

SET = (
    "used",
    "charged",
    "level",
    "condition",
    "near",
    "pool",
    "waiting",
    "transport",
    "steps",
    "order",
    "fop",
    "duty",
    "escorts",
    "escorting",
    "priority",
    "emergency",
    "roused",
)
"""What `MeansAre` puts in place of what was there."""


class LinksAre(Secret, frozen=True):
    """P11.6.1 The hexes of a side with a Command Link, by headquarters, as the umpire tells them."""

    links: dict[str, tuple[str, ...]]
    safe: tuple[str, ...] | None = None
    """P13.2.2: the hexes that a transport path may use, if that was asked."""

    def apply(self, own: Own) -> None:
        """Keep them."""
        own.means.links = self.links
        if self.safe is not None:
            own.means.safe = self.safe

    def words(self) -> str:
        """Say how many."""
        told = [f"[{hq}] {number(len(hexes), 'place')}" for hq, hexes in self.links.items()]
        return f"Command Links of {the(self.side)}: {', '.join(told) or 'none'}"


def under_way(open: Open) -> Operation:
    """Return the Operation under way. Raises AssertionError if there is none."""
    operation = war(open).operation
    assert operation is not None, "no Operation is under way"
    return operation


def war(open: Open) -> War:
    """Return the ledger of a campaign. Raises AssertionError in a battle."""
    assert open.war is not None, "there are no months in a battle"
    return open.war


class IsolationJudged(Fact, frozen=True):
    """P12 What is cut off has been marked; nobody takes back anything past it, unseen dice or none."""

    reveals: ClassVar[bool] = True

    def words(self) -> str:
        """Say that it was done."""
        return "Units that no headquarters reaches are Isolated; each side knows its own"


class PicksKept(Secret, frozen=True):
    """P0.9.2 What a side has picked in 5.1.G, 5.1.J or 5.1.N of this month: None in the others."""

    shares: tuple[Share, ...] | None = None
    postings: tuple[Posting, ...] | None = None
    boats: tuple[Boats, ...] | None = None
    boats_before: tuple[Boats, ...] | None = None
    """What was picked in 5.1.J of the month before, when another begins."""

    def apply(self, own: Own) -> None:
        """Keep it for the next month."""
        if self.shares is not None:
            own.means.shares = self.shares
        if self.postings is not None:
            own.means.postings = self.postings
        if self.boats is not None:
            own.means.boats = self.boats
        if self.boats_before is not None:
            own.means.boats_before = self.boats_before

    def words(self) -> str:
        """Say what is kept."""
        told = [f"{number(one.points, 'Command Point')} for [{one.hq}]" for one in self.shares or ()]
        told += [
            f"{number(one.points, 'submarine point')} of [{one.command}] at {at(one.hex)}"
            for one in self.postings or ()
        ]
        told += [
            f"{number(one.points, 'submarine point')} {'from' if one.recalled else 'to'} [{one.command}]"
            for one in self.boats or ()
        ]
        return f"Chosen by {the(self.side)} this month: {', '.join(told) or 'nothing'}"


class PatrolsLifted(Fact, frozen=True):
    """P25.1 All submarine patrols are lifted before new ones are sent."""

    def apply(self, open: Open) -> None:
        """Take their markers."""
        open.patrols = {}
        war(open).doubled = {}

    def words(self) -> str:
        """Say so."""
        return "All submarine patrols return"


class PatrolsPlaced(Fact, frozen=True):
    """P25.1 Submarine patrols lie in these hexes, Japan's first; their points are secret."""

    reveals: ClassVar[bool] = True

    hexes: tuple[tuple[str, ...], tuple[str, ...]]

    def apply(self, open: Open) -> None:
        """Place their markers."""
        board = war(open)
        for side, spots in enumerate(self.hexes):
            for spot in spots:
                if spot in open.patrols:
                    board.doubled[spot] = 0
                else:
                    open.patrols[spot] = Patrol(side)

    def words(self) -> str:
        """Say where."""
        told = [
            f"{does(side, 'have')} {number(len(spots), 'patrol')} at {', '.join(map(at, spots))}"
            if spots
            else f"{does(side, 'have')} no patrol"
            for side, spots in enumerate(self.hexes)
        ]
        return f"Submarines: {'; '.join(told)}"
