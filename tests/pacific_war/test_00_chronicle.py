"""The chronicle of Pacific War: chapters with what they came to, and what each unit lived through."""

from collections.abc import Callable, Iterable
from functools import partial

import pytest

from domain.kernel.audience import VIEWERS, Audience, Viewer
from domain.kernel.facts import Fact
from domain.match.chronicle import Chapter, Line, Lost, Taken
from domain.match.undo import standing
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.charts import OWNERS
from domain.pacific_war.board.table import Base, Contents, Fleet, NavalBattle, Ship, TaskForce
from domain.pacific_war.board.war import Operation, War
from domain.pacific_war.chronicle import Course, PacificWarChronicle
from domain.pacific_war.facts.cycle import (
    BaseIs,
    Covered,
    MarkerPlaced,
    PhaseBegan,
    Sailed,
    SetUp,
    ShipHit,
    Shown,
    UnitLost,
)
from domain.pacific_war.facts.fighting import NavalBattleIs, OrdersGiven
from domain.pacific_war.facts.homefront import HomelandIs, ShippingFought
from domain.pacific_war.facts.months import (
    DayIs,
    InitiativeIs,
    MonthIs,
    MonthsSetUp,
    OperationIs,
    TotalsAre,
)
from domain.pacific_war.facts.secrets import OwnUnits
from tests.golden.make import HERE, read
from tests.projections.play import play

CRUISER, CARRIER, TANKER = "ca_aoba_kinugasa", "cv_saratoga", "aa_us3"
MINE, THEIRS = "J2", "A1"


def told(facts: Iterable[Fact]) -> tuple[list[Chapter], list[Line]]:
    chronicle, course = PacificWarChronicle(), Course()
    lines = [line for seq, fact in enumerate(facts, 1) for line in chronicle.follow(course, seq, fact)]
    return chronicle.chapters(course), lines


def words(lines: Iterable[Line], unit: str, viewer: Viewer) -> list[str]:
    return [line.words for line in lines if line.unit == unit and viewer.sees(line.audience)]


def led(begun: bool = False, why: str = "", days: int = 0, hq: str = "hq_swpa") -> OperationIs:
    return OperationIs(Operation(1, hq, 0, days=days), why, begun=begun)


BEGINNING = (MonthsSetUp(War("1942-08")), PhaseBegan("5.1.O", "Bids"))


def test_p20_an_operation_is_a_chapter_that_its_bids_begin() -> None:
    chapters, _ = told([*BEGINNING, led(begun=True), led(days=6), PhaseBegan("5.1.O", "Bids")])

    assert [("month", 1), ("operation", 2), ("bids", 5)] == [(one.kind, one.since) for one in chapters]
    assert ("Operation 1: [side:1], from [hq_swpa]", 1, 6, True) == (
        chapters[1].named,
        chapters[1].side,
        chapters[1].days,
        chapters[1].over,
    )
    assert not chapters[2].over


def test_p5_4_2_an_operation_that_goes_on_after_a_month_is_another_chapter_with_days_of_its_own() -> None:
    facts = [
        *BEGINNING,
        led(begun=True),
        led(days=6),
        MonthIs("1942-09"),
        led(why="The Operation goes on", days=6),
    ]
    chapters, _ = told([*facts, led(days=10)])

    assert ["August 1942", "September 1942", "September 1942"] == [
        one.when for one in chapters if one.kind != "operation" or "goes on" in one.named
    ]
    assert [6, 4] == [one.days for one in chapters if one.kind == "operation"]
    assert "Operation 1: [side:1], from [hq_swpa], goes on" == chapters[-1].named


def test_p19_3_p33_a_chapter_counts_what_was_lost_taken_and_scored() -> None:
    nobody: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    map_ = SetUp("C1", 0, {"guadalcanal": Base(0)}, {}, {}, nobody, nobody, nobody)
    chapters, _ = told(
        [
            map_,
            *BEGINNING,
            led(begun=True),
            BaseIs("guadalcanal", Base(1), "is taken"),
            UnitLost(TANKER, 1, "sunk"),
            UnitLost(CRUISER, 0, "out of the scenario"),
            InitiativeIs(1, (17, 2)),
        ]
    )

    last = chapters[-1]
    assert ([], [Lost(TANKER, "AA", "sunk")]) == last.lost
    assert {"damage": (17, 2)} == last.counts
    assert [Taken("guadalcanal", 1, 5)] == last.taken
    assert {"guadalcanal": 0} == chapters[0].held


def test_p9_4_a_chapter_counts_merchant_shipping() -> None:
    fought = ShippingFought(9, 4, "merchants", 3, 1, 2, 1)
    chapters, _ = told(
        [BEGINNING[0], fought, HomelandIs(msp=55, why="lost at sea"), HomelandIs(hrl=9, why="")]
    )

    counted = {"merchants": 5, "marine": 2, "escorts": 1, "boats": 1}
    assert counted | {"msp": 55, "hrl": 9} == chapters[0].figures


def test_p8_1_p9_4_p10_1_each_month_tells_what_japan_lives_on_and_what_it_could_spend() -> None:
    nobody: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
    bases = {"hainan": Base(0), "medan": Base(0, resource_damage=1), "miri": Base(1), "truk": Base(0)}
    chapters, _ = told(
        [
            SetUp("S1", 0, bases, {}, {}, nobody, nobody, nobody),
            MonthsSetUp(War("1941-12", msp=60, hrl=20)),
            TotalsAre((90, 40)),
            PhaseBegan("5.1.O", "Bids"),
            led(begun=True),
            BaseIs("miri", Base(0), "is taken"),
            BaseIs("medan", Base(0), "is repaired"),
            MonthIs("1942-01"),
            BaseIs("hainan", Base(0, resource_damage=2), "is bombed"),
            HomelandIs(msp=57, why="lost at sea"),
            MonthIs("1942-02"),
        ]
    )

    lives = [tuple(one.figures.get(what) for what in ("msp", "hrl", "resources")) for one in chapters]
    assert [(60, 20, 1), (60, 20, 3), (57, 20, 2), (57, 20, 2)] == lives
    assert {"command": (90, 40)} == chapters[0].counts


def test_p10_1_a_campaign_without_merchant_shipping_tells_of_none() -> None:
    chapters, _ = told([*BEGINNING, BaseIs("hainan", Base(1), "is taken"), MonthIs("1942-09")])

    assert [{}, {}, {}] == [one.figures for one in chapters]


def test_p20_each_chapter_tells_how_many_operations_have_begun() -> None:
    bids = PhaseBegan("5.1.O", "Bids")
    chapters, _ = told([*BEGINNING, led(begun=True), bids, MonthIs("1942-09"), bids, led(begun=True)])

    assert [None, 1, 1, 1, 2] == [one.figures.get("operations") for one in chapters]


BATTLE = (
    MarkerPlaced(MINE, TaskForce(0, "4937")),
    NavalBattleIs(NavalBattle("5239", ((MINE,), (THEIRS,))), "A naval battle begins"),
    OrdersGiven(0, {CRUISER: TANKER}, ()),
)


def test_p29_2_a_ship_tells_who_hit_her_and_who_sank_her_and_they_tell_it_too() -> None:
    _, lines = told(
        [*BATTLE, ShipHit(TANKER, 2, 2, 3), ShipHit(TANKER, 3, 3, 3), UnitLost(TANKER, 1, "sunk")]
    )

    assert [
        "Fought in the naval battle at [rekata]",
        f"Crippled [{TANKER}] at [rekata]",
        f"Sank [{TANKER}] at [rekata]",
    ] == words(lines, CRUISER, Audience.ONLOOKERS)
    assert [
        f"Took 2 hits from [{CRUISER}] at [rekata]: 2 of 3, crippled",
        f"Sunk by [{CRUISER}] at [rekata]",
    ] == words(lines, TANKER, Audience.ONLOOKERS)


def test_p0_4_1_who_sails_in_a_task_force_is_told_to_all_only_while_it_lies_open() -> None:
    sailed = Sailed(THEIRS, ("5239",), known=False)
    own = OwnUnits(1, {THEIRS: Fleet(Contents((CARRIER,)))}, {CARRIER: Ship(tf=THEIRS)})
    open_ = Shown({THEIRS: Contents((CARRIER,))}, nodes={THEIRS: "5239"})
    _, lines = told([own, sailed, open_, sailed, Covered((THEIRS,)), sailed])

    seen, went = f"Seen in [{THEIRS}] at [rekata]", f"Sailed with [{THEIRS}] to [rekata]"
    assert [seen, went] == words(lines, CARRIER, Audience.SIDE_0)
    assert [f"Began in [{THEIRS}]", went, seen, went, went] == words(lines, CARRIER, Audience.SIDE_1)


def test_p15_1_a_repair_is_told_to_its_side_alone() -> None:
    def docked(damage: int) -> OwnUnits:
        return OwnUnits(1, ships={CARRIER: Ship(port="pearl_harbor", damage=damage)})

    _, lines = told([docked(2), docked(1), docked(0)])

    assert [
        "Began at [pearl_harbor]",
        "Repaired at [pearl_harbor]: 1 hit left",
        "Repaired at [pearl_harbor]: whole again",
    ] == words(lines, CARRIER, Audience.SIDE_1)
    assert [] == words(lines, CARRIER, Audience.SIDE_0)
    assert [] == words(lines, CARRIER, Audience.ONLOOKERS)


def golden(name: str) -> list[tuple[int, Fact]]:
    match = read(PACIFIC_WAR, HERE / "pacific_war" / f"{name}.jsonl")
    return list(enumerate((one for one in match if isinstance(one, Fact)), 1))


def by_chance() -> list[tuple[int, Fact]]:
    return play(PACIFIC_WAR, "C1", seed=3, undos=0.15, most=400).facts


@pytest.mark.parametrize(
    "log", [partial(golden, "B1-40"), partial(golden, "E1-31"), by_chance], ids=["B1", "E1", "C1"]
)
def test_p0_4_what_a_viewer_is_told_follows_from_the_facts_that_he_may_see(
    log: Callable[[], list[tuple[int, Fact]]],
) -> None:
    facts = [fact for _, fact in standing(log()) if isinstance(fact, PacificWarChronicle.types)]
    chapters, lines = told(facts)
    assert {Audience.ALL, Audience.SIDE_0, Audience.SIDE_1} == {line.audience for line in lines}

    for viewer in VIEWERS:
        seen = [fact for fact in facts if viewer.sees(fact.audience())]
        own_chapters, own_lines = told(seen)

        assert [one for one in lines if viewer.sees(one.audience)] == [
            one for one in own_lines if viewer.sees(one.audience)
        ]
        assert [(one.named, one.lost, one.counts, one.where) for one in chapters] == [
            (one.named, one.lost, one.counts, one.where) for one in own_chapters
        ]
    assert all(line.unit in OWNERS for line in lines)


def test_p4_1_a_day_is_part_of_when_a_chapter_began() -> None:
    chapters, _ = told([*BEGINNING, DayIs(4), PhaseBegan("5.1.O", "Bids")])

    assert "August 1942, day 4" == chapters[-1].when
