"""The bot of Pacific War in campaigns and in the war: it beats chance, plans by what it sees, and goes on."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from random import Random

import pytest
from msgspec import convert
from msgspec.structs import replace

from clients.bots import pacific_war, strengths
from clients.bots.pacific_war import JUDGES, explained, objectives
from clients.bots.pacific_war.board import Board
from clients.bots.pacific_war.harbours import loaded
from clients.bots.pacific_war.objectives import swing, threatened, wanted
from clients.bots.pacific_war.plans import (
    GATHERED,
    RELIEVED,
    Plan,
    best_plan,
    goal_from,
    prospects,
    rendezvous,
)
from clients.bots.pacific_war.table import Table as Seen
from clients.bots.pacific_war.table import ways
from clients.bots.pacific_war.voyages import arrived
from clients.bots.typed import TypedPrompt
from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.views import View
from domain.pacific_war.board import special
from domain.pacific_war.board.charts import GROUND, LOCATIONS, SHIPS
from domain.pacific_war.board.weather import ZONES
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.dispositions import BreakDown, EstablishECL, With
from domain.pacific_war.homefront import collapse
from domain.pacific_war.sight.shown import Ground, Ship
from domain.titles import TITLES
from server.bench import compare
from tests.bots.pacific_war_campaigns import ROOT, Campaign, Played, campaign, code, keep, kept, report

JAPAN, ALLIES = 0, 1
GAME = TITLES["pacific_war"]
STEADY = strengths("pacific_war")["steady"]
BOTS = ("steady", "steady")


@pytest.mark.parametrize(("games", "least"), [(1, 1), pytest.param(10, 9, marks=pytest.mark.soak)])
@pytest.mark.parametrize("side", [JAPAN, ALLIES])
def test_c1_steady_beats_random_from_either_side(side: int, games: int, least: int) -> None:
    bots = ("steady", "random") if side == JAPAN else ("random", "steady")

    won = [campaign("C1", bots, seed).winner for seed in range(1, games + 1)]

    assert won.count(side) >= least


@pytest.mark.parametrize(
    ("scenario", "months", "reached"),
    [
        ("S1", 1, "1942-01"),
        pytest.param("S1", 0, "", marks=pytest.mark.soak),
        pytest.param("S2", 0, "", marks=pytest.mark.soak),
    ],
)
def test_p5_1_it_goes_on_in_the_war_month_by_month(scenario: str, months: int, reached: str) -> None:
    played = campaign(scenario, BOTS, 1, months)

    assert played.month == reached if months else played.over
    assert played.operations >= 2


@pytest.mark.soak
def test_c1_levels_decisions_and_facts_against_itself_are_printed(capsys: pytest.CaptureFixture[str]) -> None:
    lines = [line for line, _ in report("C1", BOTS, range(1, 21))]
    with capsys.disabled():
        print("\n  " + "\n  ".join(lines), end="")  # noqa: T201 to be read

    assert len(lines) > 20


def played_apart(file: Path, scenario: str, games: int) -> list[Campaign]:
    """Play campaigns in a process of their own, so that nothing else is in its memory."""
    runner = [sys.executable, "-m", "tests.bots.pacific_war_campaigns", scenario, "--keep", str(file)]
    subprocess.run([*runner, "--games", str(games)], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    return list(kept(file).values())


@pytest.mark.soak
def test_memory_does_not_grow_from_campaign_to_campaign_or_within_a_war(tmp_path: Path) -> None:
    campaigns = played_apart(tmp_path / "campaigns.jsonl", "C1", 8)
    war = played_apart(tmp_path / "war.jsonl", "S2", 1)[0]

    # in MB: the first ones fill what is kept of positions, which is bounded
    assert campaigns[-1].memory[-1] - campaigns[3].memory[-1] <= 8
    assert war.over
    # measured 15 in ten months: what is kept of ways, transport and odds is full in the spring of 1945
    assert war.grown <= 24
    assert max(war.memory) <= 160


def test_a_campaign_that_was_kept_is_not_played_again_and_one_of_other_code_is(tmp_path: Path) -> None:
    file = tmp_path / "campaigns.jsonl"
    one = Campaign(
        7, None, True, "draw", (60, 70), "1942-12", 3, 15, 10, 20, 2.0, 1.0, 0.5, 9.0, (50, 60, 64)
    )
    keep(file, Played(code(), "C1", BOTS, 0, 7), one)
    keep(file, Played("of yesterday", "C1", BOTS, 0, 8), one)

    lines = [told for _, told in report("C1", BOTS, [7], 0, file) if told]

    assert [one] == lines
    assert one.grown == 4
    assert {7, 8} == {what.seed for what in kept(file)}
    assert Played(code(), "C1", BOTS, 0, 8) not in kept(file)


def test_each_judge_gives_its_reason_in_one_sentence() -> None:
    reasons = {one.reason for one in JUDGES}

    assert all(one.endswith(".") and one[0].isupper() and one.count(". ") == 0 for one in reasons)


@pytest.mark.parametrize(("foul", "used", "left"), [(True, 1, 2), (False, 1, 0), (True, 2, 0), (False, 0, 3)])
def test_p6_3_a_fleet_that_foul_weather_has_slowed_may_still_sail(foul: bool, used: int, left: int) -> None:
    table = landing("5.1.R")
    own = table.state.own[ALLIES]
    convoy = next(iter(sorted(own.fleets)))
    own.fleets[convoy] = replace(own.fleets[convoy], used=used)
    table.state.open.war.foul = ZONES if foul else ()
    board = Board(view(table, ALLIES), TypedPrompt[Decision](ALLIES, "23.6", ()), Random(1))

    assert (board.left(convoy), board.allowance(convoy)) == (left, 3)


def test_what_it_keeps_of_positions_is_bounded() -> None:
    printed = {"beginning", "begun_with", "cargo", "chances", "in_war", "mean", "worth"}
    package = [f"{pacific_war.__name__}.{one.name}" for one in iter_modules(pacific_war.__path__)]
    kept = {
        name: one.cache_parameters()["maxsize"]
        for module in map(import_module, package)
        for name, one in vars(module).items()
        if hasattr(one, "cache_parameters") and one.__module__ == module.__name__
    }

    # what hangs on the printed map, units and tables alone does not grow with the matches that are played
    assert {name for name, most in kept.items() if most is None} == printed
    assert sum(most for most in kept.values() if most) <= 20_480


# what it plans


def landing(phase: str = "5.1.P") -> Table:
    """Return C1 at a phase of the first Operation, at first that in which the Allies activate (C1.2)."""
    table, chance = compare.laid_open(GAME, "C1", {}, 1), Random(1)
    while table.state.open.phase != phase:
        compare.decide(table, next(iter(table.prompts)), STEADY, chance)
    return table


def view(table: Table, side: int) -> View[Seen]:
    """Return the view of a side, as its bot reads it."""
    return convert(compare.shown(GAME, table, Audience.of(side)), View[Seen], str_keys=True)


def seen(table: Table, side: int) -> Seen:
    """Return what the bot of a side sees."""
    return view(table, side).table


def planned(table: Table, side: int) -> Plan:
    """Return the landing that a side plans."""
    plan = best_plan(seen(table, side))
    assert plan is not None
    return plan


def test_p20_2_the_allies_plan_a_landing_from_a_port_with_lift_and_troops() -> None:
    table = landing()
    plan, own = planned(table, ALLIES), seen(table, ALLIES).own
    assert own is not None

    assert {own.ships[ship].port for ship in plan.transports} == {plan.port}
    assert {own.ground[unit].hex for unit in plan.troops} == {LOCATIONS[plan.port].hex}
    steps = sum(own.ground[unit].steps for unit in plan.troops)
    assert 0 < steps <= sum(SHIPS[ship].lift for ship in plan.transports)
    assert seen(table, ALLIES).locations[plan.goal].control == "JP"


def test_p0_4_1_a_plan_does_not_know_garrisons_that_are_hidden() -> None:
    table = landing()
    before = planned(table, ALLIES)
    troops = table.state.own[JAPAN].ground
    for unit, one in list(troops.items()):
        troops[unit] = replace(one, steps=1)

    assert before == planned(table, ALLIES)


def test_p2_2_2_divisions_do_not_go_aboard_destroyers() -> None:
    own = seen(landing(), ALLIES).own
    assert own is not None
    runners = ["dd_us1", "dd_us2", "dd_us4"]
    division, regiment = "us_1mardiv", "us_2mar"
    assert (GROUND[division].size, GROUND[regiment].size) == ("D", "R")
    fewer = replace(own, ground={unit: replace(own.ground[unit], steps=3) for unit in (division, regiment)})

    assert [regiment] == loaded(fewer, runners, [division, regiment], 99)


def test_c1_places_of_worth_near_the_enemys_ships_are_to_be_held() -> None:
    table = seen(landing(), ALLIES)

    assert threatened(table, "port_moresby")
    assert wanted(table, "port_moresby") > wanted(table, "brisbane") == 0


def lying(table: Seen, ports: dict[str, str]) -> Seen:
    """Return the table with own ships in other ports."""
    own = table.own
    assert own is not None
    moved = {ship: replace(own.ships[ship], port=port) for ship, port in ports.items()}
    return replace(table, own=replace(own, ships=own.ships | moved))


def scattered() -> Seen:
    """Return C1 with the transports of the Allies far from each other, so that none carries a division.

    Nobody is beside the enemy, on whom he could march.
    """
    ports = ["brisbane", "noumea", "espiritu_santo", "espiritu_santo", "townsville", "brisbane"]
    table = seen(landing(), ALLIES)
    assert table.own is not None
    carriers = [ship for ship in table.own.ships if SHIPS[ship].lift and SHIPS[ship].cls != "AA"]
    front = {LOCATIONS[place].hex for place in ("port_moresby", "milne_bay")}
    ground = {unit: one for unit, one in table.own.ground.items() if one.hex not in front}
    return lying(
        replace(table, own=replace(table.own, ground=ground)),
        dict(zip((f"aa_us{n}" for n in range(1, 7)), ports, strict=True))
        | dict.fromkeys(carriers, "townsville"),
    )


def chosen(table: Seen, *options: Decision) -> Decision:
    """Return what the bot of a side decides among options of a month."""
    around = replace(view(landing(), ALLIES), table=table)
    return explained(around, TypedPrompt[Decision](ALLIES, "16.1", options), Random(1))[0]


def test_p20_2_transports_sail_together_to_troops_that_no_port_carries_alone() -> None:
    table = scattered()
    plan, to = best_plan(table), rendezvous(table)
    assert plan is not None
    assert to is not None
    assert table.own is not None

    assert (plan.goal, plan.troops) == (to.port, ())
    assert {table.own.ships[ship].port for ship in plan.transports} == {plan.port} != {to.port}
    together = lying(table, {f"aa_us{n}": to.port for n in range(1, 7)})
    landed = best_plan(together)
    assert landed is not None
    assert landed.troops
    assert landed.port == to.port
    assert landed.value > plan.value


def test_p20_2_nothing_is_brought_together_for_a_landing_that_a_port_carries() -> None:
    table = seen(landing(), ALLIES)
    plan = best_plan(table)
    assert plan is not None

    assert plan.troops


def test_c1_troops_are_worth_as_much_as_a_place_lacks_them_where_no_transports_wait() -> None:
    table = seen(landing(), JAPAN)
    assert table.own is not None
    waiting = {ship.port for name, ship in table.own.ships.items() if SHIPS[name].cls == "AA"}
    ours = {one.place: one.worth for one in prospects(table, table.own) if not one.hostile}
    others = ours.keys() - waiting

    assert "munda" in others
    assert (
        min(ours[place] for place in others) < GATHERED <= min(ours[place] for place in ours.keys() & waiting)
    )
    assert {place: ours[place] for place in others} == {
        place: pytest.approx(RELIEVED * swing(table, place)) for place in others
    }


@pytest.mark.parametrize(("start", "steps", "goal"), [("truk", 10, "milne_bay"), ("kwajalein", 4, "truk")])
def test_p23_4_troops_at_sea_do_not_go_back_to_where_transports_wait_while_they_can_take_a_place(
    start: str, steps: int, goal: str
) -> None:
    """Given Truk without troops but with transports, late in a campaign: too few for more go there."""
    table = replace(seen(landing(), JAPAN), month="1942-12")
    assert table.own is not None
    left = {unit: one for unit, one in table.own.ground.items() if one.hex != LOCATIONS["truk"].hex}
    own = replace(table.own, ground=left)
    table = replace(table, own=own)
    worth = {one.place: one.promise(0) for one in prospects(table, own)}

    assert worth["truk"] == GATHERED > worth["milne_bay"]
    assert goal == goal_from(table, LOCATIONS[start].coast or "", steps)


@pytest.mark.parametrize(("node", "there"), [("", False), (LOCATIONS["noumea"].coast, True)])
def test_p23_4_transports_that_sail_empty_go_on_to_where_troops_wait(node: str, there: bool) -> None:
    around = view(landing("5.1.R"), ALLIES)
    table, own = around.table, around.table.own
    assert own is not None
    troops = {
        unit: replace(one, aboard={}, hex=LOCATIONS["noumea"].hex) if one.aboard else one
        for unit, one in own.ground.items()
    }
    tfs = {tf: replace(one, node=node or one.node) for tf, one in table.tfs.items()}
    empty = replace(around, table=replace(table, tfs=tfs, own=replace(own, ground=troops)))
    board = Board(empty, TypedPrompt[Decision](ALLIES, "23.4", ()), Random(1))

    assert (board.goal, arrived(board)) == ("noumea", there)


@pytest.mark.parametrize(("transports", "broken"), [(3, True), (4, False)])
def test_p16_9_a_division_is_broken_down_that_the_transports_cannot_take_whole(
    transports: int, broken: bool
) -> None:
    table, division = scattered(), "us_1mardiv"
    assert table.own is not None
    whole = Ground(hex=LOCATIONS["noumea"].hex, steps=10, inactive=True)
    # each carries three steps; it has ten
    away = {f"aa_us{n}": Ship(crippled=True) for n in range(transports + 1, 7)}
    alone = replace(table.own, ships=table.own.ships | away, ground={division: whole})

    choice = chosen(replace(table, own=alone), BreakDown(division), Done())

    assert (choice == BreakDown(division)) is broken


def test_p11_7_destroyers_keep_up_a_place_of_worth_that_is_cut_off() -> None:
    table, hq = seen(landing(), ALLIES), "hq_swpa"
    worthless = [EstablishECL("cairns", "destroyer", hq), EstablishECL("woodlark", "air", hq)]
    kinds = [EstablishECL("milne_bay", kind, hq) for kind in ("air", "destroyer", "submarine")]

    assert chosen(table, *worthless, Done()) == Done()
    assert chosen(table, *worthless, *kinds, Done()) == kinds[1]
    assert chosen(table, With("dd_us1"), With("dd_us57"), With("dd_us45")) == With("dd_us57")


@pytest.mark.parametrize("scenario", ["C1", "S1"])
def test_p2_5_ways_over_the_whole_map_are_the_distances_by_sea(scenario: str) -> None:
    truk = LOCATIONS["truk"].coast
    assert truk
    near = ways(truk, scenario)

    assert (0, 0) == (near[truk], near.get(truk))
    assert [steps for _, steps in near.within(3)] == sorted(near[node] for node, _ in near.within(3))
    assert all(steps <= 3 and near[node] == steps for node, steps in near.within(3))
    assert "no_node" not in near


def test_p33_3_and_c1_3_it_knows_the_places_of_the_rules() -> None:
    assert objectives.EARLY == collapse.AUTOMATIC_UNTIL
    assert objectives.BASTION == collapse.BASTION
    assert objectives.CAPITALS == collapse.CAPITALS
    assert objectives.OUTPOSTS == collapse.OUTPOSTS
    assert objectives.REAR == special.SAFE
