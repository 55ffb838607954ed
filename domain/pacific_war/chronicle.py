"""The course of a campaign as chapters: months, bids and Operations, with what each came to, in sight of all.

A chapter begins where a turn of the log does. Deliberately absent: what befell each unit (`stories`).
"""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from domain.kernel.audience import Audience
from domain.kernel.facts import Fact
from domain.match.chronicle import Chapter, Chronicle, Line, Lost, Taken
from domain.match.notices import GameEnded
from domain.pacific_war import stories
from domain.pacific_war.battle.losses import OUT
from domain.pacific_war.board.charts import AIR, AT, JAPAN, LOCATIONS, SHIPS
from domain.pacific_war.board.table import Base
from domain.pacific_war.board.war import Operation
from domain.pacific_war.facts import fighting, happenings, secrets
from domain.pacific_war.facts.cycle import (
    AirStepsLost,
    BaseIs,
    Covered,
    MarkerPlaced,
    MarkerRemoved,
    PhaseBegan,
    Sailed,
    SetUp,
    ShipHit,
    Shown,
    UnitLost,
    UnitsAre,
)
from domain.pacific_war.facts.homefront import HomelandIs, ShippingFought, ToSea
from domain.pacific_war.facts.months import (
    DayIs,
    InitiativeIs,
    MonthIs,
    MonthsSetUp,
    OperationIs,
    PlacesScored,
    TotalsAre,
)
from domain.pacific_war.facts.wording import spelled, the
from domain.pacific_war.stories import Seen

MONTH, BIDS, OPERATION = "month", "bids", "operation"
"""The kinds of chapters."""

GOES_ON: Final = "The Operation goes on"
BIDS_OPEN: Final = "5.1.O"


class Course(Struct):
    """What the chronicle has to know of the facts before."""

    month: str = ""
    day: int = 0
    operations: int = 0
    lasted: int = 0
    """Days that the Operation had lasted when the chapter began."""
    control: dict[str, int] = {}
    resources: list[str] = []
    """The resource hexes of Japan that are intact (P10.1)."""
    means: dict[str, int] = {}
    """What Japan lives on in the war: `msp`, `hrl`, and `resources`, how many; of a campaign nothing."""
    chapter: Chapter | None = None
    changed: list[Chapter] = []
    """Chapters that are over and have not been asked for."""
    seen: Seen = field(default_factory=Seen)


class PacificWarChronicle(Chronicle[Course]):
    """The chronicle of Pacific War; a battle has stories and no chapters."""

    course = Course
    types = (
        GameEnded,
        SetUp,
        MonthsSetUp,
        MonthIs,
        DayIs,
        PhaseBegan,
        OperationIs,
        InitiativeIs,
        PlacesScored,
        TotalsAre,
        HomelandIs,
        ShippingFought,
        BaseIs,
        UnitLost,
        ShipHit,
        AirStepsLost,
        Sailed,
        Shown,
        UnitsAre,
        Covered,
        MarkerPlaced,
        MarkerRemoved,
        fighting.RaidsAre,
        fighting.NavalBattleIs,
        fighting.OrdersGiven,
        fighting.GroundBattleIs,
        fighting.GroundStepsLost,
        fighting.WentAshore,
        fighting.Withdrew,
        ToSea,
        happenings.Looked,
        happenings.Ferried,
        secrets.OwnUnits,
    )

    def follow(self, course: Course, seq: int, fact: Fact) -> list[Line]:
        """Go on by a fact."""
        _turn(course, seq, fact)
        if course.chapter is not None and fact.audience() is Audience.ALL:
            course.chapter.upto = seq
            _place(course.chapter, fact, course.seen.nodes)
            _count(course, course.chapter, seq, fact)
        return stories.told(course.seen, fact)

    def chapters(self, course: Course) -> list[Chapter]:
        """Return those that are over since this was asked last, and the one under way."""
        found = [*course.changed, *([course.chapter] if course.chapter else [])]
        course.changed = []
        return found

    def when(self, course: Course) -> str:
        """Return the month, and the day after its beginning."""
        return called(course.month, course.day)

    def chapter(self, course: Course) -> int:
        """Return the number of the chapter under way."""
        return course.chapter.number if course.chapter else 0


def called(month: str, day: int) -> str:
    """Return a day in words: `August 1942, day 4`; empty in a battle, which has no months."""
    name = spelled(month)
    return f"{name}, day {day}" if name and day else name


def _turn(course: Course, seq: int, fact: Fact) -> None:
    """Begin another chapter, or name the one under way anew, where the log does."""
    match fact:
        case SetUp(bases=bases):
            course.control = {place: base.control for place, base in bases.items()}
            course.resources = [place for place, base in bases.items() if _intact(place, base)]
        case MonthsSetUp(war):
            course.month, course.day = war.month, war.day
            if war.msp:
                course.means = {"msp": war.msp, "hrl": war.hrl, "resources": len(course.resources)}
            _begin(course, seq, MONTH, called(course.month, 0))
            assert course.chapter is not None
            course.chapter.held = dict(course.control)
        case MonthIs(month):
            course.month, course.day = month, 0
            _begin(course, seq, MONTH, called(month, 0))
        case DayIs(day):
            course.day = day
        case PhaseBegan(phase) if phase == BIDS_OPEN and course.chapter is not None:
            _begin(course, seq, BIDS, "Bids")
        case OperationIs(operation, why, begun) if operation is not None and course.chapter is not None:
            _lead(course, seq, operation, why, begun=begun)
        case GameEnded() if course.chapter is not None:
            course.chapter.over = True


def _lead(course: Course, seq: int, operation: Operation, why: str, *, begun: bool) -> None:
    """Go on with an Operation; those that bid for it have begun its chapter."""
    chapter = course.chapter
    assert chapter is not None
    if begun:
        course.operations += 1
        course.lasted = 0
        if chapter.kind != BIDS:
            chapter = _begin(course, seq, OPERATION, "")
        chapter.kind, chapter.figures["operations"] = OPERATION, course.operations
    elif why == GOES_ON:
        course.lasted = operation.days
        chapter = _begin(course, seq, OPERATION, "")
    elif chapter.kind != OPERATION:
        return  # it is being suspended, and the month has begun
    headquarters = f", from [{operation.hq}]" if operation.hq else ""
    on = ", goes on" if why == GOES_ON or chapter.named.endswith("goes on") else ""
    chapter.named = f"Operation {course.operations}: {the(operation.player)}{headquarters}{on}"
    chapter.side, chapter.days = operation.player, operation.days - course.lasted


def _begin(course: Course, seq: int, kind: str, named: str) -> Chapter:
    """End the chapter under way, and begin another; a month has Japan's means."""
    number = 1
    if course.chapter is not None:
        course.chapter.over, number = True, course.chapter.number + 1
        course.changed.append(course.chapter)
    course.chapter = Chapter(number, kind, named, seq, seq, when=called(course.month, course.day))
    if course.operations:
        course.chapter.figures["operations"] = course.operations
    if kind == MONTH:
        course.chapter.figures |= course.means
    return course.chapter


def _count(course: Course, chapter: Chapter, seq: int, fact: Fact) -> None:
    """Add a fact to what the chapter came to."""
    if isinstance(fact, HomelandIs) or (isinstance(fact, BaseIs) and course.means):
        _live_on(course, fact)
        chapter.figures |= course.means
    match fact:
        case UnitLost(unit, side, how) if how != OUT:
            kind = SHIPS[unit].cls if unit in SHIPS else "air" if unit in AIR else "ground"
            chapter.lost[side].append(Lost(unit, kind, how))
        case AirStepsLost(_, side, steps):
            _add(chapter, "air", side, steps)
        case fighting.GroundStepsLost(_, side, steps) if steps:
            _add(chapter, "ground", side, steps)
        case BaseIs(place, base) if course.control.get(place, base.control) != base.control:
            course.control[place] = base.control
            chapter.taken.append(Taken(place, base.control, seq))
        case _:
            _reckon(chapter, fact)


def _live_on(course: Course, fact: BaseIs | HomelandIs) -> None:
    """Follow what Japan lives on (P8.1, P9.4, P10.1)."""
    match fact:
        case HomelandIs(msp, hrl):
            course.means |= {name: n for name, n in (("msp", msp), ("hrl", hrl)) if n is not None}
        case BaseIs(place, base):
            others = [one for one in course.resources if one != place]
            course.resources = [*others, place] if _intact(place, base) else others
            course.means["resources"] = len(course.resources)


def _intact(place: str, base: Base) -> bool:
    return LOCATIONS[place].resource and base.control == JAPAN and not base.resource_damage


def _place(chapter: Chapter, fact: Fact, nodes: Mapping[str, str]) -> None:
    """Note where is fought; `nodes` are those of task forces."""
    match fact:
        case fighting.NavalBattleIs(battle) if battle is not None:
            spots = [battle.node]
        case fighting.GroundBattleIs(battle) if battle is not None:
            spots = [battle.hex]
        case fighting.RaidsAre(raids):
            spots = [
                nodes.get(raid.target, raid.target) for raid in raids if raid.kind not in fighting.BY_UNIT
            ]
        case _:
            return
    for spot in spots:
        place = AT.get(spot[:4], spot[:4]) if spot[:1].isdigit() else spot
        if place not in chapter.where:
            chapter.where.append(place)


def _reckon(chapter: Chapter, fact: Fact) -> None:
    """Add the points and the shipping that a fact tells of (P19.3, P33.2, P9.4)."""
    match fact:
        case InitiativeIs(_, damage):
            _score(chapter, "damage", damage)
        case PlacesScored(_, rows):
            for _, scored in rows:
                _score(chapter, "places", scored)
        case TotalsAre(totals):
            chapter.counts["command"] = totals
        case ShippingFought(merchants_lost=sunk, marine=marine, escorts_lost=escorts, boats_lost=boats):
            more = {"merchants": sunk + marine, "marine": marine, "escorts": escorts, "boats": boats}
            chapter.figures |= {name: chapter.figures.get(name, 0) + n for name, n in more.items()}


def _score(chapter: Chapter, what: str, points: tuple[int, int]) -> None:
    for side, count in enumerate(points):
        _add(chapter, what, side, count)


def _add(chapter: Chapter, what: str, side: int, count: int) -> None:
    mine, theirs = chapter.counts.get(what, (0, 0))
    chapter.counts[what] = (mine + count, theirs) if side == 0 else (mine, theirs + count)
