"""P20.4, P20.5, P32.1 The joint phase of a campaign; P20.2.3.F the Penalty box. Overtime: `test_20_costs`."""

from typing import Any

import pytest
from msgspec.structs import replace

from domain.kernel.audience import Audience
from domain.kernel.table import Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.battle.deactivation import Deactivation
from domain.pacific_war.board.charts import LOCATIONS, OWNERS, SHIPS
from domain.pacific_war.board.table import Air
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.choices import Activate, AssignToTF, FormTF, PayFrom, UndoActivation
from domain.pacific_war.facts.changes import installations
from domain.pacific_war.facts.cycle import Covered, MarkerPlaced, MarkerRemoved
from domain.pacific_war.facts.intelligence import show_base
from domain.pacific_war.facts.months import MeansAre, OperationIs, under_way
from domain.pacific_war.facts.secrets import OwnUnits
from domain.pacific_war.operations.operation import Joint
from tests.pacific_war.board import kinds, options, sealed_facts, told
from tests.pacific_war.days import (
    ALLIES,
    JAPAN,
    OPEN_SEA,
    act,
    changed,
    in_cycle,
    operation,
    outset,
    phase,
    phases,
    play,
    put,
    sail,
    sound,
    wake,
)

FUNAFUTI = LOCATIONS["funafuti"].hex
SUVA = LOCATIONS["suva"].hex
DICE = (0, 0, 0, 0, 0, 0)
"""Of the next cycle: lighting, Advantage and what else may fall."""


def joint(*, points: Any = ({"hq_sea": 30, "hq_cf": 30}, {"hq_sopac": 30}), **fields: Any) -> Table:
    """Return a table in a cycle of an Allied Operation: a task force at sea, Japanese fighters."""
    table = outset(points=points)
    operation(table)
    changed(table, **({"condition": "I", "spent": 13} | fields))
    phase(table, "5.2.M")
    sail(table, "A1", OPEN_SEA, ["cv_saratoga"], ["ca_us1", "dd_us1"])
    wake(table, "us_1e_67fs", "jn_1e_25af")
    return table


# P20.4


def test_p20_4_the_operation_player_first_and_each_deactivates_before_he_activates() -> None:
    table = in_cycle(joint(), "joint", *DICE)
    assert ["Deactivate", "DeactivateTF", "Done"] == sorted(kinds(table, ALLIES))
    assert [] == options(table, JAPAN)
    act(table, ALLIES, d.Done())
    assert "Activate" in kinds(table, ALLIES)
    assert "Deactivate" not in kinds(table, ALLIES)
    act(table, ALLIES, d.Done())

    assert [] == options(table, ALLIES)
    assert [d.Deactivate("jn_1e_25af"), d.Done()] == options(table, JAPAN)
    act(table, JAPAN, d.Done())
    assert "PayFrom" in kinds(table, JAPAN)
    facts = act(table, JAPAN, d.Done())
    assert ["5.2.N", "5.2.O", "5.2.A"] == phases(facts)[:3]


def test_p20_4_the_limit_of_the_reaction_player_counts_all_ap_of_the_operation() -> None:
    """Given 12 AP before and 2 now, then one and a half times 14, less the 5 he has spent."""
    table = in_cycle(joint(answered=5), "joint")
    act(table, ALLIES, d.Done())
    act(table, ALLIES, Activate("us_4e_11bg"))
    act(table, ALLIES, d.Done())
    assert (14, 5) == (under_way(table.state.open).ap, under_way(table.state.open).answered)
    act(table, JAPAN, d.Done())
    act(table, JAPAN, PayFrom("hq_sea"))

    assert "[hq_sea] has 16 Command Points to spend" in table.prompts[JAPAN].text


@pytest.mark.parametrize("condition", ["S", "I", "A"])
def test_p20_4_r_37_the_condition_does_not_matter_any_more(condition: str) -> None:
    table = in_cycle(joint(condition=condition), "joint_too")
    act(table, JAPAN, d.Done())
    act(table, JAPAN, PayFrom("hq_cf"))

    assert "[hq_cf] has 18 Command Points to spend" in table.prompts[JAPAN].text


def test_p20_4_units_activated_now_act_from_the_next_cycle() -> None:
    table = in_cycle(joint(), "joint", *DICE)
    act(table, ALLIES, d.Done())
    act(table, ALLIES, Activate("dd_us2"))
    act(table, ALLIES, d.Done())
    act(table, JAPAN, d.Done())
    facts = act(table, JAPAN, d.Done())

    assert "5.2.C" in phases(facts)
    assert {"dd_us2"} == {*table.state.own[ALLIES].fleets["A2"].ships.ships}


def test_p20_4_p20_2_2_r_10_in_port_troops_go_aboard_whatever_the_task_force_has_moved() -> None:
    """Given transports that have used their three hexes, four units embark."""
    table = outset(points=({}, {"hq_sopac": 30}))
    operation(table, condition="I", bid=30)
    phase(table, "5.2.M")
    sail(table, "A1", SUVA, ["aa_us1", "aa_us2", "aa_us3", "aa_us4"])
    table.record(OwnUnits(ALLIES, {"A1": replace(table.own[ALLIES].fleets["A1"], used=3)}))
    units = ("us_2mar", "us_3db", "us_raider", "us_37div")
    put(table, {"us_37div": {"steps": 4}})
    wake(table, *units)
    table = play(table, Joint(side=ALLIES))
    act(table, ALLIES, d.Done())
    for unit in units[:-1]:
        act(table, ALLIES, d.Embark(unit), d.Aboard("A1"))
    act(table, ALLIES, d.Embark("us_37div"))  # no ship alone has room for 4 steps

    own = table.state.own[ALLIES]
    assert [3, 1, 2, 4] == [sum(own.ground[unit].aboard.values()) for unit in units]
    assert 3 == own.fleets["A1"].used


# R25, R41


def alone(*units: str) -> Table:
    """Return a table of an Allied Operation in which Japan alone has units out."""
    table = outset(points=({"hq_sea": 30}, {"hq_sopac": 30}))
    operation(table, condition="I", spent=13)
    phase(table, "5.2.M")
    wake(table, *(units or ("jn_1e_25af", "jp_ssd")))
    return table


def test_p32_1_r_25_r_41_in_the_first_joint_phase_that_he_is_alone_he_is_free() -> None:
    table = in_cycle(alone(), "joint_too", alone=0)

    assert d.Done() in options(table, JAPAN)
    act(table, JAPAN, d.Done())
    assert "PayFrom" in kinds(table, JAPAN)


def test_p20_5_p32_1_r_25_r_41_in_the_second_he_must_deactivate_all_and_activates_nothing() -> None:
    table = in_cycle(alone(), "joint_too", alone=1)
    assert [d.Deactivate("jn_1e_25af"), d.Deactivate("jp_ssd")] == options(table, JAPAN)
    assert "only you have units out, and all must" in table.prompts[JAPAN].text
    act(table, JAPAN, d.Deactivate("jp_ssd"))
    assert [d.Deactivate("jn_1e_25af")] == options(table, JAPAN)
    facts = act(table, JAPAN, d.Deactivate("jn_1e_25af"))

    assert "5.1.O" == phases(facts)[-1]


def test_p32_1_r_41_task_forces_too() -> None:
    table = alone("jn_1e_25af")
    sail(table, "J1", OPEN_SEA, screen=["dd_jp29"])
    table = in_cycle(table, "joint_too", alone=1)

    assert [d.Deactivate("jn_1e_25af"), d.DeactivateTF("J1")] == options(table, JAPAN)
    act(table, JAPAN, d.DeactivateTF("J1"))
    assert "1942-10" == table.state.own[JAPAN].means.penalty["dd_jp29"]


def test_r_25_the_cycles_are_counted_and_he_stands_down_in_the_second() -> None:
    table = in_cycle(alone(), "joint_too", *DICE, cycle=3)
    act(table, JAPAN, d.Done())
    act(table, JAPAN, d.Done())
    for _ in range(40):
        if "5.2.M" == table.state.open.phase:
            break
        ((seat, prompt),) = [*table.prompts.items()][:1]
        act(table, seat, PACIFIC_WAR.default(table.state, seat, prompt))
    act(table, ALLIES, d.Done())
    act(table, ALLIES, d.Done())

    assert d.Done() not in options(table, JAPAN)
    assert 4 == table.state.open.cycle


def test_r_25_p0_4_1_that_the_operation_player_has_nobody_out_is_not_told() -> None:
    """Given Allied fighters out or not, all that Japan and onlookers are sent of the phase is the same."""
    counted = set()
    for out in (True, False):
        table = alone()
        if out:
            wake(table, "us_1e_35fg")
        table = in_cycle(table, "joint")
        facts = act(table, ALLIES, d.Done())
        facts += act(table, ALLIES, d.Done())
        assert [] == told(facts, OperationIs)
        counted.add(tuple(type(f).__name__ if f.audience() is Audience.ALL else "sealed" for f in facts))

    assert 1 == len(counted)


def test_r_41_the_operation_player_is_never_forced() -> None:
    table = joint()
    put(table, {"jn_1e_25af": {"active": False}})
    table = in_cycle(table, "joint", alone=5)

    assert d.Done() in options(table, ALLIES)


# P20.2.5 Overtime


def test_p20_2_5_without_points_all_go_and_done_becomes_legal() -> None:
    """Overtime cannot keep the window open for ever: when nothing is left, nothing is due."""
    table = joint(days=15, points=({}, {}))
    table = play(table, Deactivation(side=ALLIES))
    for decision in (d.Deactivate("us_1e_67fs"), d.DeactivateTF("A1")):
        assert d.Done() not in options(table, ALLIES)
        act(table, ALLIES, decision)
    assert [d.Done()] == options(table, ALLIES)
    act(table, ALLIES, d.Done())

    assert {} == table.prompts


# P20.2.3.F the Penalty box


@pytest.mark.parametrize(("cls", "month"), [
    ("CV", "1942-12"), ("BB", "1942-12"), ("BC", "1942-12"), ("CVL", "1942-11"), ("CVE", "1942-11"),
    ("CA", "1942-11"), ("CL", "1942-10"), ("DD", "1942-10"), ("AA", "1942-10"), ("CVS", "1942-10"),
])  # fmt: skip
def test_p20_2_3_r_89_a_ship_is_penalised_for_months_by_its_class(cls: str, month: str) -> None:
    ship = next(one for one, unit in SHIPS.items() if unit.cls == cls)
    seat = OWNERS[ship]
    tf, slot = f"{'JA'[seat]}1", "screen" if cls in ("CA", "CL", "DD") else "core"
    table = outset()
    operation(table, seat)
    sail(table, tf, OPEN_SEA, **{slot: [ship]})  # type: ignore[arg-type]
    act(play(table, Deactivation(side=seat)), seat, d.DeactivateTF(tf))

    assert {ship: month} == table.state.own[seat].means.penalty
    assert ("", "", False) == _where(table, seat, ship)
    assert {} == table.state.open.tfs


def _where(table: Table, side: int, ship: str) -> tuple[str, str, bool]:
    one = table.state.own[side].ships[ship]
    return one.tf, one.port, one.active


def test_p20_2_3_a_ship_goes_with_its_cargo_and_its_group() -> None:
    table = outset()
    operation(table)
    sail(table, "A1", OPEN_SEA, ["cv_saratoga", "aa_us1"], cargo={"aa_us1": ["us_2mar"]})
    wake(table, "us_1e_67fs")
    facts = act(play(table, Deactivation(side=ALLIES)), ALLIES, d.DeactivateTF("A1"))

    own = table.state.own[ALLIES]
    assert {"cv_saratoga": "1942-12", "aa_us1": "1942-10"} == own.means.penalty
    assert Air("cv_saratoga", 6, 1, active=False) == own.air["cvg_saratoga"]
    troops = own.ground["us_2mar"]
    assert ("", {"aa_us1": 3}, 3, False) == (troops.hex, troops.aboard, troops.steps, troops.active)
    assert [MarkerRemoved("A1")] == told(facts, MarkerRemoved)
    assert {} == table.state.open.lost
    assert all(fact.side == ALLIES for fact in told(facts, MeansAre))


def test_p20_2_3_p2_3_1_a_port_without_room_sends_the_task_force_to_the_box() -> None:
    """Given Funafuti, port 1 for six ships, with five in it."""
    for ships, penalised in ((["dd_us1"], False), (["dd_us1", "dd_us2"], True)):
        table = outset()
        operation(table)
        put(
            table,
            {ship: {"port": "funafuti"} for ship in ("dd_us4", "dd_us5", "dd_us7", "dd_us8", "dd_us22")},
        )
        sail(table, "A1", FUNAFUTI, screen=ships)
        wake(table, "us_1e_67fs")
        act(play(table, Deactivation(side=ALLIES)), ALLIES, d.DeactivateTF("A1"))

        assert penalised == ("dd_us1" in table.state.own[ALLIES].means.penalty)
        assert ("" if penalised else "funafuti") == table.state.own[ALLIES].ships["dd_us1"].port


def test_p20_2_3_p0_4_1_whether_the_port_has_room_is_not_told_by_the_number_of_sealed_facts() -> None:
    counts = set()
    for port in ("funafuti", "suva"):
        table = outset()
        operation(table)
        put(table, {"dd_us22": {"port": "funafuti"}})
        put(table, {ship: {"port": port} for ship in ("dd_us4", "dd_us5", "dd_us7", "dd_us8")})
        sail(table, "A1", FUNAFUTI, screen=["dd_us1", "dd_us2"])
        wake(table, "us_1e_67fs")
        facts = act(play(table, Deactivation(side=ALLIES)), ALLIES, d.DeactivateTF("A1"))
        assert (port == "funafuti") == bool(table.state.own[ALLIES].means.penalty)
        counts.add(sealed_facts(facts))

    assert 1 == len(counts)


# P2.7: cargo that finds no room


def crowded(*more: str) -> Table:
    """Return a table with a task force at Funafuti, an atoll for 12 steps, with a division of 10 ashore."""
    table = outset()
    operation(table)
    put(table, {"us_1mardiv": {"hex": FUNAFUTI}})
    sail(table, "A1", FUNAFUTI, ["aa_us1", "aa_us2"], cargo={"aa_us1": ["us_2mar"], "aa_us2": more})
    wake(table, "us_1e_67fs")
    return play(table, Deactivation(side=ALLIES))


def test_p2_7_cargo_lands_as_far_as_there_is_room_the_rest_at_the_nearest_linked_place() -> None:
    """Given 2 steps of room, then the battalion of 2 lands, and the regiment of 3 goes to Suva."""
    table = crowded("us_raider")
    act(table, ALLIES, d.DeactivateTF("A1"))

    own = table.state.own[ALLIES]
    assert FUNAFUTI == own.ground["us_raider"].hex
    assert (SUVA, {}, False) == (own.ground["us_2mar"].hex, own.ground["us_2mar"].aboard, False)
    assert "funafuti" == own.ships["aa_us1"].port
    assert {} == own.means.penalty


def test_p2_7_of_equally_near_places_the_owner_picks() -> None:
    table = crowded()
    for place in ("suva", "tarawa", "makin"):
        installations(table, place, "is lost", control=JAPAN)
    act(table, ALLIES, d.DeactivateTF("A1"))
    assert [d.Target("espiritu_santo"), d.Target("ndeni")] == options(table, ALLIES)
    act(table, ALLIES, d.Target("ndeni"))

    own = table.state.own[ALLIES]
    assert LOCATIONS["ndeni"].hex == own.ground["us_2mar"].hex
    assert "A1" not in table.state.open.tfs


def test_p2_7_with_no_place_anywhere_the_port_has_no_room() -> None:
    table = crowded()
    for place, base in table.state.open.bases.items():
        if place != "funafuti" and base.control == ALLIES:
            installations(table, place, "is lost", control=JAPAN)
    act(table, ALLIES, d.DeactivateTF("A1"))

    assert {"aa_us1", "aa_us2"} == table.state.own[ALLIES].means.penalty.keys()
    assert {"aa_us1": 3} == table.state.own[ALLIES].ground["us_2mar"].aboard


# P0.4.1 in the joint phase


def struck_port(*, detected: bool = False) -> Table:
    """Return a table at 5.2.M after Rabaul was struck, so that the ships in it are public."""
    table = outset()
    operation(table, condition="I")
    phase(table, "5.2.M")
    show_base(table, "rabaul", JAPAN, "port")
    wake(table, "us_1e_67fs", "jn_lra_25af")
    if detected:
        sail(table, "J1", "4837", screen=["dd_jp29"], detected=True)
    table = play(table, Joint(side=JAPAN))
    act(table, JAPAN, d.Done())
    act(table, JAPAN, PayFrom("hq_sea"))
    return table


def test_p0_4_1_a_public_ship_that_goes_into_an_undetected_task_force_is_covered() -> None:
    table = struck_port()
    assert "ca_chokai_maya" in table.state.open.ships
    facts = act(table, JAPAN, Activate("ca_chokai_maya"))

    assert "ca_chokai_maya" not in table.state.open.ships
    assert [("J1",)] == [(fact.tf,) for fact in told(facts, MarkerPlaced)]


def test_p0_4_1_in_a_detected_task_force_it_stays_public() -> None:
    table = struck_port(detected=True)
    act(table, JAPAN, Activate("ca_chokai_maya"), AssignToTF("J1", "screen"))

    assert "J1" == table.state.open.ships["ca_chokai_maya"].tf
    assert {"ca_chokai_maya", "dd_jp29"} == {*table.state.open.contents["J1"].ships}


def test_p0_4_1_p20_2_2_a_ship_that_is_taken_back_into_a_struck_port_is_public_again() -> None:
    table = struck_port()
    act(table, JAPAN, Activate("ca_chokai_maya"))
    act(table, JAPAN, UndoActivation("ca_chokai_maya"))

    assert "rabaul" == table.state.open.ships["ca_chokai_maya"].port


def test_p0_4_1_p20_2_2_a_ship_that_is_taken_back_from_a_detected_task_force_is_hidden() -> None:
    table = outset()
    operation(table, condition="I")
    phase(table, "5.2.M")
    sail(table, "A1", SUVA, screen=["dd_us1"], detected=True)
    table = play(table, Joint(side=ALLIES))
    act(table, ALLIES, d.Done())
    act(table, ALLIES, Activate("cv_saratoga"), AssignToTF("A1", "core"))
    assert {"cv_saratoga", "dd_us1"} == {*table.state.open.ships}
    act(table, ALLIES, UndoActivation("cv_saratoga"))

    assert ({"dd_us1"}, {}) == ({*table.state.open.ships}, table.state.open.air)


def test_p0_4_1_a_public_group_is_covered_with_its_carrier() -> None:
    """Given a carrier that stood down before the enemy's eyes and goes out again in the same phase."""
    table = outset()
    operation(table, condition="I")
    phase(table, "5.2.M")
    sail(table, "A1", SUVA, ["cv_saratoga"], detected=True)
    wake(table, "us_1e_67fs")
    table = play(table, Joint(side=ALLIES))
    act(table, ALLIES, d.DeactivateTF("A1"))
    assert ({}, {}) == (table.state.open.ships, table.state.open.air)  # P0.4.1: inactive in a port
    act(table, ALLIES, d.Done())
    act(table, ALLIES, Activate("cv_saratoga"), FormTF("core"))

    assert ({}, {}) == (table.state.open.ships, table.state.open.air)


def test_p0_4_1_a_detected_task_force_that_stands_down_is_hidden_like_all_in_its_port() -> None:
    table = outset()
    operation(table)
    sail(table, "A1", SUVA, ["cv_saratoga", "aa_us1"], cargo={"aa_us1": ["us_2mar"]}, detected=True)
    wake(table, "us_1e_67fs")
    facts = act(play(table, Deactivation(side=ALLIES)), ALLIES, d.DeactivateTF("A1"))

    board = table.state.open
    assert ({}, {}, {}, {}) == (board.ships, board.air, board.ground, board.contents)
    (covered,) = told(facts, Covered)
    assert ("A1",) == covered.contents
    sound(table)


# P0.8


def by_default(table: Table, side: int) -> Any:
    """Return what is decided for a side when its time has run out."""
    return PACIFIC_WAR.default(table.state, side, table.prompts[side])


def test_p0_8_done_if_it_is_legal() -> None:
    assert d.Done() == by_default(play(joint(), Deactivation(side=ALLIES)), ALLIES)


def test_p0_8_p20_1_else_what_costs_most_is_deactivated_ties_by_id() -> None:
    """Given a task force of 5 AP, then a division of 3, bombers of 2, fighters and troops of 1."""
    table = joint(days=15, points=({}, {}))
    wake(table, "us_4e_11bg", "us_americal", "us_147", "us_32div")
    table = play(table, Deactivation(side=ALLIES))
    order = []
    while d.Done() not in options(table, ALLIES):
        decision = by_default(table, ALLIES)
        order.append(decision.tf if isinstance(decision, d.DeactivateTF) else decision.unit)
        act(table, ALLIES, decision)

    assert ["A1", "us_32div", "us_americal", "us_4e_11bg", "us_147", "us_1e_67fs"] == order


def test_p0_8_r_41_the_reaction_player_too() -> None:
    table = alone("jn_1e_25af", "jp_ssd")
    sail(table, "J1", OPEN_SEA, screen=["dd_jp29", "ca_chokai_maya"])
    table = play(table, Deactivation(side=JAPAN, forced=True))

    assert d.DeactivateTF("J1") == by_default(table, JAPAN)
