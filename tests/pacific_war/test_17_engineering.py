"""P17 Engineering: what is repaired and built, where, by whose points."""

from typing import Any

import pytest

from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions.dispositions import (
    BuildAirbase,
    BuildFort,
    BuildOSB,
    BuildPort,
    RemoveOSB,
    RepairAirbase,
    RepairPort,
    RepairResource,
)
from domain.pacific_war.facts.cycle import BaseIs
from domain.pacific_war.facts.months import LinksAre
from tests.pacific_war.board import told
from tests.pacific_war.campaign import ALLIES, ENGINEERING, JAPAN, administration, of
from tests.pacific_war.clash import act

RICH = {
    JAPAN: {"points": {"hq_cf": 30, "hq_sea": 30}},
    ALLIES: {"points": {"hq_sopac": 30, "hq_swpa": 20}},
}
DAMAGED = {"airbase_damage": 2, "port_damage": 1}


def works(side: int = ALLIES, **changes: Any) -> Table:
    """Return a table at the engineers of a side, whose headquarters have points."""
    return administration(ENGINEERING, side, **({"means": RICH} | changes))


def jobs(table: Table, place: str, *kinds: type[Any], side: int = ALLIES) -> list[Decision]:
    """Return the jobs at a location."""
    return [one for one in of(table, side, *(kinds or (Decision,))) if getattr(one, "location", "") == place]


def left(table: Table, side: int = ALLIES) -> dict[str, int]:
    points: dict[str, int] = table.state.own[side].means.points
    return points


@pytest.mark.parametrize(
    ("place", "job", "cost", "before", "after"),
    [
        ("noumea", RepairAirbase("noumea", 1, "hq_sopac"), 1, {"airbase_damage": 2}, {"airbase_damage": 1}),
        ("noumea", RepairAirbase("noumea", 2, "hq_sopac"), 2, {"airbase_damage": 2}, {"airbase_damage": 0}),
        ("noumea", RepairPort("noumea", 3, "hq_sopac"), 3, {"port_damage": 3}, {"port_damage": 0}),
        ("noumea", BuildAirbase("noumea", "hq_sopac"), 4, {}, {"airbase": 3}),  # us_cb2 is there
        ("efate", BuildAirbase("efate", "hq_sopac"), 6, {}, {"airbase": 2}),
        ("efate", BuildPort("efate", "hq_sopac"), 6, {}, {"port": 2}),
        ("noumea", BuildOSB("noumea", "hq_sopac"), 3, {}, {"osb": True}),
        ("noumea", BuildFort("noumea", "hq_sopac"), 4, {}, {"fort": 1}),
        ("espiritu_santo", RemoveOSB("espiritu_santo"), 0, {}, {"osb": False}),
    ],
)
def test_p17_1_what_a_job_costs_and_does(
    place: str, job: Decision, cost: int, before: dict[str, int], after: dict[str, int]
) -> None:
    table = works(bases={place: before})
    assert job in jobs(table, place)
    facts = act(table, ALLIES, job)

    (built,) = told(facts, BaseIs)
    assert after == {name: getattr(built.base, name) for name in after}
    assert {"hq_sopac": 30 - cost, "hq_swpa": 20} == left(table)
    assert [] == jobs(table, place)  # one job for each location and month


def test_p17_1_japan_repairs_resources_for_3_a_level() -> None:
    bases = {"nauru": {"resource_damage": 2}}
    table = works(JAPAN, bases=bases)
    assert [RepairResource("nauru", n, "hq_cf") for n in (1, 2)] == jobs(
        table, "nauru", RepairResource, side=JAPAN
    )
    act(table, JAPAN, RepairResource("nauru", 2, "hq_cf"))
    assert (0, 24) == (table.state.open.bases["nauru"].resource_damage, left(table, JAPAN)["hq_cf"])

    theirs = works(
        bases={"nauru": {"resource_damage": 2, "control": ALLIES}}, posts={"hq_sopac": Post("nauru")}
    )
    assert jobs(theirs, "nauru", BuildAirbase)
    assert [] == jobs(theirs, "nauru", RepairResource)


def test_p17_1_a_repair_lists_every_number_that_can_be_paid() -> None:
    table = works(bases={"noumea": DAMAGED}, means={ALLIES: {"points": {"hq_sopac": 1}}})

    assert [RepairAirbase("noumea", 1, "hq_sopac"), RepairPort("noumea", 1, "hq_sopac")] == jobs(
        table, "noumea"
    )


@pytest.mark.parametrize(
    ("points", "payer"),
    [
        ({"hq_sopac": 30, "hq_swpa": 20}, "hq_sopac"),
        ({"hq_sopac": 20, "hq_swpa": 30}, "hq_swpa"),
        ({"hq_sopac": 20, "hq_swpa": 20}, "hq_sopac"),
        ({"hq_sopac": 3, "hq_swpa": 2}, ""),
    ],
)
def test_p17_1_p11_8_the_linked_headquarters_with_most_points_pays(
    points: dict[str, int], payer: str
) -> None:
    table = works(means={ALLIES: {"points": points}})

    assert [BuildFort("noumea", payer)] * bool(payer) == jobs(table, "noumea", BuildFort)


def test_p17_1_a_headquarters_without_a_link_does_not_pay() -> None:
    """Given Brisbane's staff, rich and gone to Funafuti, then it cannot pay for Brisbane."""
    table = works(
        means={ALLIES: {"points": {"hq_sopac": 10, "hq_swpa": 90}}},
        posts={"hq_swpa": Post("funafuti")},
        bases={"espiritu_santo": {"osb": False}, "port_moresby": {"osb": False}},
    )

    assert [BuildFort("brisbane", "hq_sopac")] == jobs(table, "brisbane", BuildFort)


@pytest.mark.parametrize(
    "changes", [{"units": {"jp_engr3": {"hex": "5747"}}}, {"bases": {"noumea": {"control": JAPAN}}}]
)
def test_p17_1_friendly_and_without_enemy_ground_units(changes: dict[str, Any]) -> None:
    assert jobs(works(), "noumea")

    assert [] == jobs(works(**changes), "noumea")


def test_p17_1_an_airbase_costs_2_more_without_an_engineer_that_may_be_used() -> None:
    points: dict[str, Any] = {"means": {ALLIES: {"points": {"hq_sopac": 5}}}}
    assert [BuildAirbase("noumea", "hq_sopac")] == jobs(works(**points), "noumea", BuildAirbase)

    for state in ({"active": True}, {"hex": "6545"}):  # P5.4.3: not Activated
        assert [] == jobs(works(**points, units={"us_cb2": state}), "noumea", BuildAirbase)


@pytest.mark.parametrize(
    ("place", "base", "kind"),
    [
        ("noumea", {"airbase": 4}, BuildAirbase),
        ("funafuti", {"airbase": 2}, BuildAirbase),  # an atoll
        ("noumea", {"port": 3}, BuildPort),
        ("brisbane", {"port": 4}, BuildPort),
        ("noumea", {"fort": 3}, BuildFort),
        ("noumea", {"osb": True}, BuildOSB),
        ("noumea", {"port": 0}, BuildOSB),
    ],
)
def test_p17_1_p11_3_1_how_much_a_location_can_have(
    place: str, base: dict[str, Any], kind: type[Any]
) -> None:
    less = {"airbase": 1, "port": 2, "fort": 2, "osb": False}
    assert jobs(works(bases={place: less}, units={"us_147": {"hex": "6639"}}), place, kind)

    assert [] == jobs(works(bases={place: less | base}), place, kind)


def test_p17_1_a_fort_needs_an_unbroken_ground_unit_that_is_not_activated() -> None:
    assert [] == jobs(works(), "efate", BuildFort)
    for state, found in (({}, 1), ({"broken": True}, 0), ({"active": True}, 0)):
        table = works(units={"us_3db": {"hex": "5845"} | state})
        assert found == len(jobs(table, "efate", BuildFort))


def test_p11_3_at_most_6_support_bases_of_japan_and_10_of_the_allies() -> None:
    allied = ("port_moresby", "milne_bay", "noumea", "suva", "efate", "ndeni", "cairns", "townsville")
    japanese = ("rabaul", "truk", "kavieng", "wewak", "lae")
    for side, places, free in ((ALLIES, allied, "brisbane"), (JAPAN, japanese, "ponape")):
        bases = {place: {"osb": True} for place in places}
        more = bases | {("funafuti" if side == ALLIES else "madang"): {"osb": True}}
        base = {"shortland": {"osb": side == ALLIES}}
        assert jobs(works(side, bases=bases | base), free, BuildOSB, side=side)
        assert [] == jobs(works(side, bases=more | {"shortland": {"osb": True}}), free, BuildOSB, side=side)


def test_p11_3_r_50_a_support_base_changes_the_own_links_at_once() -> None:
    table = works(posts={"hq_sopac": Post()})
    facts = act(table, ALLIES, RemoveOSB("port_moresby"))

    assert [ALLIES] == [one.side for one in told(facts, LinksAre)]


def test_p11_3_a_support_base_is_removed_with_the_enemy_there_and_without_a_link() -> None:
    table = works(posts={"hq_sopac": Post(), "hq_swpa": Post()}, units={"jp_engr3": {"hex": "5844"}})

    assert [RemoveOSB("espiritu_santo"), RemoveOSB("port_moresby")] == of(table, ALLIES, Decision)[:-1]


def test_p0_4_1_p17_1_everybody_sees_the_bases_and_nobody_who_paid() -> None:
    facts = act(works(), ALLIES, BuildFort("noumea", "hq_sopac"))

    assert [BaseIs] == [type(fact) for fact in facts if fact.audience().name == "ALL"]
