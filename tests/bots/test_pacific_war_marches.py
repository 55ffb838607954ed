"""The bot of Pacific War on land and with transport aircraft: it marches, brings supply and drops troops."""

from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from clients.bots.pacific_war import explained
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.heading import goal
from clients.bots.pacific_war.marches import by_land, columns
from clients.bots.pacific_war.month import fronts
from clients.bots.pacific_war.objectives import begun_with, garrison, wanted
from clients.bots.pacific_war.plans import Plan, best_plan
from clients.bots.pacific_war.staff import longer, roster
from clients.bots.pacific_war.table import Table as Seen
from clients.bots.pacific_war.voyages import walking
from clients.bots.typed import TypedPrompt
from domain.kernel.procedures import Decision
from domain.match.views import View
from domain.pacific_war.board.charts import LOCATIONS
from domain.pacific_war.decisions.choices import Continue, EndContact, EndDay, TimeMultiple
from domain.pacific_war.decisions.cycle import (
    AddPara,
    DeclareMission,
    Done,
    EndMissions,
    MoveGround,
    Target,
)
from domain.pacific_war.decisions.dispositions import BreakDown
from domain.pacific_war.sight.shown import Air, Ground, Ship
from domain.pacific_war.sight.shown import Plan as Drawn
from tests.bots.test_pacific_war_campaigns import ALLIES, JAPAN, landing, view

PORT_MORESBY, LAE, BUNA = (LOCATIONS[place].hex for place in ("port_moresby", "lae", "buna"))


@pytest.fixture(scope="module")
def allied() -> View[Seen]:
    """C1 as the Allies see it in the first Operation, which they lead."""
    return view(landing(), ALLIES)


def changed(
    around: View[Seen],
    *,
    ground: dict[str, Ground] | None = None,
    air: dict[str, Air] | None = None,
    ships: bool = True,
    **fields: Any,
) -> View[Seen]:
    """Return a view with these units instead of the own ones, and with no ship that carries troops."""
    table, own = around.table, around.table.own
    assert own is not None
    fleet = own.ships if ships else dict.fromkeys(own.ships, Ship(crippled=True))
    own = replace(
        own,
        ground=own.ground if ground is None else ground,
        air=own.air if air is None else own.air | air,
        ships=fleet,
        plan=fields.pop("plan", own.plan),
    )
    return replace(around, table=replace(table, own=own, **fields))


def board(around: View[Seen], *options: Decision, text: str = "") -> Board:
    """Return what the bot sees, at a prompt with these options."""
    return Board(around, TypedPrompt[Decision](ALLIES, "23.4", options, text), Random(1))


def chosen(around: View[Seen], *options: Decision) -> Decision:
    """Return what the bot decides."""
    return explained(around, TypedPrompt[Decision](ALLIES, "23.4", options), Random(1))[0]


def marchers(around: View[Seen], hex: str = PORT_MORESBY, **fields: Any) -> View[Seen]:
    """Return a view with two strong divisions in a hex, activated, and nobody else."""
    ground = {unit: Ground(hex=hex, steps=9) for unit in ("us_41div", "us_32div")}
    return changed(around, ground=ground, ships=False, phase="5.1.R", **fields)


def test_p23_2_troops_walk_to_a_place_beside_theirs_and_not_through_the_enemy(allied: View[Seen]) -> None:
    own = allied.table.own
    assert own is not None
    assert LAE in allied.table.troops["JP"]
    reached = {one.place: one.far for one in columns(allied.table, own) if one.spot == PORT_MORESBY}
    near = by_land(allied.table, own, "buna")

    assert (reached["lae"], reached["buna"]) == (1, 1)
    assert (near[BUNA], near[PORT_MORESBY]) == (0, 1)
    assert LAE not in near


def test_p20_2_a_side_without_ships_plans_a_march_and_leaves_a_garrison(allied: View[Seen]) -> None:
    ground = {
        unit: Ground(hex=PORT_MORESBY, steps=9, inactive=True)
        for unit in ("us_41div", "us_32div", "us_americal")
    }
    war = allied.table.war
    assert war is not None
    idle = changed(allied, ground=ground, ships=False, war=replace(war, operation=None), phase="5.1.O")
    own = idle.table.own
    assert own is not None
    assert own.means is not None
    rich = replace(own, means=replace(own.means, points=dict.fromkeys(own.means.points, 40)))
    plan = best_plan(replace(idle.table, own=rich))
    assert plan is not None

    assert (plan.goal, plan.port, plan.transports, plan.far) in [("lae", "", (), 1), ("buna", "", (), 1)]
    # the third division holds the port
    assert len(plan.troops) == 2
    assert wanted(idle.table, "port_moresby") > 0


def test_p23_4_contact_movement_goes_on_until_the_troops_have_marched(allied: View[Seen]) -> None:
    far, there = marchers(allied, LOCATIONS["milne_bay"].hex), marchers(allied, BUNA)

    assert goal(far.table, None) == "buna"
    assert walking(board(far))
    assert EndDay() == chosen(far, EndDay(), EndContact())
    assert Continue() == chosen(far, Continue(), EndContact())
    assert not walking(board(there))
    assert EndContact() == chosen(there, Continue(), EndContact())


def test_p23_6_activated_troops_march_to_the_goal_and_nowhere_else(allied: View[Seen]) -> None:
    around = marchers(allied)
    to = LOCATIONS[goal(around.table, None)].hex
    away = [MoveGround("us_41div", spot) for spot in ("4540", "4439", "4539") if spot != to]

    assert to in (LAE, BUNA)
    assert MoveGround("us_41div", to) == chosen(around, *away, MoveGround("us_41div", to), EndDay())
    assert EndDay() == chosen(around, *away, EndDay())


def test_p20_2_5_a_march_takes_as_long_as_its_way(allied: View[Seen]) -> None:
    options = [TimeMultiple(0), TimeMultiple(1)]
    for far, k in ((1, 0), (5, 0), (12, 1)):
        seen = board(marchers(allied))
        seen.__dict__["plan"] = Plan("buna", "", "hq_swpa", (), ("us_41div",), far, 9.0)

        assert TimeMultiple(k) == longer(seen, options)


def test_c1_the_garrison_of_the_set_up_is_known_and_others_are_guessed(allied: View[Seen]) -> None:
    japanese = view(landing(), JAPAN)

    assert (begun_with("C1", "lae", "JP"), garrison(allied.table, "lae", "JP")) == (2, 4)
    assert (begun_with("C1", "milne_bay", "AL"), garrison(japanese.table, "milne_bay", "AL")) == (5, 5)
    assert (begun_with("C1", "espiritu_santo", "AL"), garrison(japanese.table, "espiritu_santo", "AL")) == (
        0,
        6,
    )


@pytest.mark.parametrize(("foes", "broken"), [(1, True), (4, False)])
def test_p16_9_a_division_is_broken_down_for_destroyers_where_its_parts_could_land(
    foes: int, broken: bool, allied: View[Seen]
) -> None:
    ground = {"us_32div": Ground(hex=PORT_MORESBY, steps=9, inactive=True)}
    known = {unit: Ground(hex=spot, steps=foes) for unit, spot in (("jp_ssd", BUNA), ("jp_mid2c", LAE))}
    few = changed(allied, ground=ground, ships=False)
    own = few.table.own
    assert own is not None
    runners = {unit: Ship(port="port_moresby") for unit in ("dd_us5", "dd_us7", "dd_us8", "dd_us12")}
    seen = replace(few, table=replace(few.table, own=replace(own, ships=runners), ground=known))
    places = {place: replace(base, control="AL") for place, base in seen.table.locations.items()}
    places |= {place: seen.table.locations[place] for place in ("buna", "lae")}
    seen = replace(seen, table=replace(seen.table, locations=places))

    assert (chosen(seen, BreakDown("us_32div"), Done()) == BreakDown("us_32div")) is broken


def test_p13_1_troops_are_brought_up_to_where_a_march_lacks_them(allied: View[Seen]) -> None:
    japanese = view(landing(), JAPAN)
    japan = Board(japanese, TypedPrompt[Decision](JAPAN, "13.1", ()), Random(1))
    rows = {place: steps for _, place, steps in fronts(japan)}
    own = allied.table.own
    assert own is not None
    full = {
        unit: Ground(hex=PORT_MORESBY, steps=9, inactive=True)
        for unit in ("us_41div", "us_32div", "us_americal")
    }

    # Port Moresby is taken to have its five steps: ten go, and those who are beside it are too few
    assert 0 < rows["buna"] < 10
    assert "port_moresby" not in {place for _, place, _ in fronts(board(changed(allied, ground=full)))}


# transport aircraft


def flying(around: View[Seen], **fields: Any) -> View[Seen]:
    """Return a view with transport aircraft at Port Moresby, ready to fly."""
    return changed(around, air={"us_tr_1": Air(home="port_moresby", steps=3, ready=3, level=1)}, **fields)


@pytest.mark.parametrize(
    ("isolated", "flown", "flies"), [(True, 0, True), (False, 0, False), (True, 3, False)]
)
def test_p28_11_supply_is_flown_to_troops_that_are_cut_off_until_they_have_it(
    isolated: bool, flown: int, flies: bool, allied: View[Seen]
) -> None:
    around = flying(allied, ground={"au_30bde": Ground(hex=BUNA, steps=3, isolated=isolated)}, phase="5.2.D")
    table, own = around.table, around.table.own
    assert own is not None
    assert own.means is not None
    given = replace(own, means=replace(own.means, supplied={BUNA: flown} if flown else {}))
    seen = replace(around, table=replace(table, own=given))
    mission = DeclareMission("supply", "us_tr_1")

    assert (chosen(seen, mission, EndMissions()) == mission) is flies
    drawn = replace(given, plan=Drawn(kind="supply", origin="us_tr_1"))
    aimed = replace(seen, table=replace(table, own=drawn))
    if flies:
        assert Target(BUNA) == chosen(aimed, Target(LAE), Target(BUNA))


def test_p28_14_parachute_troops_come_along_and_drop_where_ours_fight(allied: View[Seen]) -> None:
    ground = {
        "us_503": Ground(hex=PORT_MORESBY, steps=3),
        "us_32div": Ground(hex=BUNA, steps=9),
        "us_41div": Ground(hex=BUNA, steps=9),
    }
    troops = {**allied.table.troops, "AL": (*allied.table.troops["AL"], BUNA)}
    around = flying(allied, ground=ground, phase="5.2.D", troops=troops, ships=False)
    mission = DeclareMission("paradrop", "port_moresby")
    seen = board(around)

    assert "buna" == seen.goal
    assert ["us_tr_1", "us_503"] == roster(seen, Plan("buna", "", "hq_swpa", (), (), 1, 9.0))[:2]
    assert mission == chosen(around, mission, EndMissions())
    drawn = changed(around, plan=Drawn(kind="paradrop", origin="port_moresby"))
    assert Target(BUNA) == chosen(drawn, Target(LAE), Target(BUNA))
    assert AddPara("us_503") == chosen(drawn, AddPara("us_503"), Done())


@pytest.mark.parametrize("held", [True, False])
def test_p28_14_nobody_drops_alone_where_the_enemy_may_be(held: bool, allied: View[Seen]) -> None:
    ground = {unit: Ground(hex=PORT_MORESBY, steps=9) for unit in ("us_41div", "us_32div")}
    ground["us_503"] = Ground(hex=PORT_MORESBY, steps=3)
    foes = {**allied.table.troops, "JP": tuple(h for h in allied.table.troops["JP"] if h not in (LAE, BUNA))}
    troops = allied.table.troops if held else foes
    around = flying(allied, ground=ground, phase="5.2.D", troops=troops, ships=False)
    mission = DeclareMission("paradrop", "port_moresby")

    assert board(around).goal in ("lae", "buna")
    assert (chosen(around, mission, EndMissions()) == mission) is not held
