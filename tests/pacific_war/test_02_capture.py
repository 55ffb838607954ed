"""P2.6, P11.2.1.3 What falls with a location in a campaign: headquarters, support base, Submarine Command."""

from typing import Any

import pytest

from domain.kernel.audience import VIEWERS, Audience
from domain.kernel.facts import Fact
from domain.kernel.table import Table
from domain.pacific_war.battle.control import settle
from domain.pacific_war.battle.retreat import Retreat
from domain.pacific_war.board.war import Post
from domain.pacific_war.command.links import links
from domain.pacific_war.facts.cycle import BaseIs, PhaseBegan
from domain.pacific_war.facts.months import InitiativeIs, MeansAre, PostIs
from domain.pacific_war.operations.activation import Activation
from domain.pacific_war.operations.bids import Bidding
from domain.pacific_war.victory.closing import close
from tests.pacific_war.board import options, sealed_facts, told
from tests.pacific_war.operations import (
    ALLIES,
    CF,
    GONE,
    JAPAN,
    SEA,
    SOPAC,
    SWPA,
    activatable,
    laid_out,
    lead,
    led,
    means,
    on,
    seen,
    sound,
)

FALLEN: dict[str, dict[str, Any]] = {
    "us_1mardiv": {"at": "rabaul"},
    "jp_41reg": GONE,
    "jp_kure5": GONE,
    "jp_engr3": GONE,
    "jn_1e_25af": {"home": "", "steps": 0},
    "jn_2e_25af": {"home": "", "steps": 0},
} | {
    ship: {"port": "truk"} for ship in ("ca_chokai_maya", "cl_tenryu_yubari", "dd_jp29", "aa_jp10", "aa_jp12")
}
"""Units with which Rabaul falls, without a die."""


def rabaul(phase: str = "5.2.H", **changes: Any) -> Table:
    """Return C1 with Allied troops alone at Rabaul, where a headquarters and a Submarine Command are."""
    given: dict[str, Any] = {"units": FALLEN, "operation": led()} | changes
    table = laid_out(**given)
    table.record(PhaseBegan(phase, ""))
    table.facts = []
    return table


def fall(table: Table) -> list[Fact]:
    """Settle control, and return what happened."""
    settle(table)
    sound(table)
    return list(table.facts)


def test_p11_2_1_3_a_captured_headquarters_is_disbanded_and_its_points_are_lost() -> None:
    table = rabaul()
    facts = fall(table)

    assert [Post("", "1942-10")] == [fact.post for fact in told(facts, PostIs)]
    assert Post("", "1942-10") == table.state.open.war.posts[SEA]
    assert {CF: 20} == means(table, JAPAN).points
    assert {SOPAC: 30, SWPA: 20} == means(table, ALLIES).points
    assert "disbanded" in told(facts, PostIs)[0].words()


def test_p11_2_1_3_no_other_headquarters_falls_with_it() -> None:
    table = rabaul()
    posts = dict(table.state.open.war.posts)
    fall(table)

    assert posts | {SEA: Post("", "1942-10")} == table.state.open.war.posts


def test_p11_2_1_3_a_headquarters_of_who_takes_the_place_stays() -> None:
    """Given a headquarters that the taker had placed there, which cannot be in play."""
    table = rabaul()
    table.record(PostIs(SOPAC, Post("rabaul"), "is placed"))
    fall(table)

    assert Post("rabaul") == table.state.open.war.posts[SOPAC]


@pytest.mark.parametrize(
    ("phase", "month", "returns"),
    [
        ("5.2.H", "1942-08", "1942-10"),
        ("5.2.H", "1942-11", "1943-01"),
        ("5.1.R", "1942-09", "1942-11"),
        ("5.1.H", "1942-09", "1942-10"),
        ("5.1.I", "1942-12", "1943-01"),
    ],
)
def test_r_113_p11_2_1_3_it_returns_in_the_second_5_1_j(phase: str, month: str, returns: str) -> None:
    """The first one is that of this month as long as it is still to come (P5.1)."""
    table = rabaul(phase, month=month)
    fall(table)

    assert returns == table.state.open.war.posts[SEA].returns


def test_p11_2_1_3_p19_3_it_is_5_damage_points_for_who_takes_it() -> None:
    table = rabaul()
    fall(table)
    close(table)

    assert [(0, 5 + (3 + 3 + 1) // 2)] == [fact.damage for fact in told(table.facts, InitiativeIs)]


def test_p11_2_1_3_p18_1_p11_6_it_bids_no_more_and_has_no_links() -> None:
    table = rabaul()
    fall(table)

    assert {CF} == links(table, JAPAN).keys()
    close(table)
    bids = options(on(table, Bidding()), JAPAN)
    assert [CF] == [one.hq for one in bids if hasattr(one, "hq")]


def test_p11_2_1_3_p20_4_an_operation_headquarters_that_is_lost_activates_nothing_more() -> None:
    active = FALLEN | {"jp_ssd": {"active": True}}
    table = rabaul(operation=led(18, JAPAN, SEA, ap=1, spent=1, level=1), units=active)
    fall(table)
    joint = on(table, Activation(side=JAPAN, kind="joint"))

    assert set() == activatable(joint, JAPAN)
    assert SEA == lead(table).hq


def test_p11_2_1_3_p0_4_2_that_it_had_points_is_not_told() -> None:
    streams = []
    for points in ({CF: 20, SEA: 22}, {CF: 20}):
        facts = fall(rabaul(points=points))
        streams.append(
            (sealed_facts(facts), [seen(facts, one) for one in VIEWERS if one is not Audience.SIDE_0])
        )

    assert streams[0] == streams[1]
    assert [Audience.SIDE_0] == [fact.audience() for fact in told(fall(rabaul()), MeansAre)]


def test_p2_6_a_submarine_command_is_removed() -> None:
    table = rabaul()
    assert table.state.open.bases["rabaul"].command
    facts = fall(table)

    base = table.state.open.bases["rabaul"]
    assert (ALLIES, False, False) == (base.control, base.command, base.osb)
    assert "Submarine Command" not in told(facts, BaseIs)[0].words()
    assert 2 == means(table, JAPAN).submarines["rabaul"]  # they return to the pool in 5.1.J (P14.6)


def test_p2_6_a_support_base_is_removed() -> None:
    table = rabaul(units={"us_1mardiv": {"at": "shortland"}, "jn_lra_25af": {"home": "", "steps": 0}})
    assert table.state.open.bases["shortland"].osb
    fall(table)

    base = table.state.open.bases["shortland"]
    assert (ALLIES, False) == (base.control, base.osb)


def test_p2_6_those_of_other_places_stay() -> None:
    table = rabaul()
    before = {place: (base.osb, base.command) for place, base in table.state.open.bases.items()}
    fall(table)
    after = {place: (base.osb, base.command) for place, base in table.state.open.bases.items()}

    assert before | {"rabaul": (False, False)} == after


def test_p2_6_p20_2_3_f_ships_that_get_away_go_to_the_penalty_box_and_groups_with_them() -> None:
    """Given a destroyer and a cruiser in port that roll 5 and 4."""
    units = FALLEN | {"dd_jp29": {"port": "rabaul"}, "ca_chokai_maya": {"port": "rabaul"}}
    table = on(rabaul(units=units), Retreat(tfs=()), 4, 5)
    settle(table)
    sound(table)

    assert {"ca_chokai_maya": "sunk"} == table.state.open.lost
    assert {"dd_jp29": "1942-09"} == means(table, JAPAN).penalty


def test_p2_6_troops_that_share_the_hex_let_nothing_fall() -> None:
    table = rabaul(units=FALLEN | {"jp_kure5": {"broken": True}})

    assert [] == fall(table)
    assert Post("rabaul") == table.state.open.war.posts[SEA]
