"""What the bot of Pacific War chooses in positions made up for it, and why."""

from random import Random

from msgspec import convert, to_builtins
from msgspec.structs import replace

from clients.bots import pacific_war
from clients.bots.pacific_war.table import Table as Seen
from clients.bots.typed import TypedPrompt
from domain.kernel.audience import Audience
from domain.kernel.procedures import Decision
from domain.kernel.table import Table
from domain.match.views import View
from domain.pacific_war.battle.movement import Movement
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.battle.special_boats import Hunt
from domain.pacific_war.battle.strikes import AirMissions
from domain.pacific_war.board.atlas import distance
from domain.pacific_war.board.table import Contents, Fleet, Ship, TaskForce
from domain.pacific_war.board.war import SpecialBoat
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.decisions.special_boats import HuntSubmarine, MoveBoat, STOStrike
from domain.titles import TITLES
from server.bench import compare
from tests.pacific_war.board import battle, missions, table_at, take
from tests.pacific_war.clash import fleet, ranges
from tests.pacific_war.special_boats import CARRIER, DESTROYERS, KRS, STO, boats_at

JAPAN, ALLIES = 0, 1
LEX, YORK, SHO, ZUI, SHOHO = "cvg_lexington", "cvg_yorktown", "cvg_shokaku", "cvg_zuikaku", "cvg_shoho"
MORESBY = "4440"
PHASES = {"23": "5.2.C", "34": "5.2.C", "28": "5.2.D", "29": "5.2.E"}
"""Chapter to the phase in which its decisions are made first."""


def explained(table: Table, side: int) -> tuple[Decision, str]:
    """Return what the bot decides for a side, from what that side sees, and its reason."""
    prompt = table.prompts[side]
    table.state.open.phase = PHASES[prompt.rule.partition(".")[0]]
    asked = TypedPrompt[Decision](side, prompt.rule, prompt.options, prompt.text)
    seen = to_builtins(compare.shown(TITLES["pacific_war"], table, Audience.of(side)), str_keys=True)
    return pacific_war.explained(convert(seen, View[Seen], str_keys=True), asked, Random(1))


def picked(table: Table, side: int) -> Decision:
    """Return what the bot decides for a side."""
    return explained(table, side)[0]


def carriers(american: int, japanese: int) -> Table:
    """Return a table where the Allies may strike at two carriers with groups of so many steps."""
    scene = battle(
        tfs=[
            {"id": "J1", "side": "JP", "hex": "5541", "core": ["cv_shokaku", "cv_zuikaku"]},
            {"id": "A1", "side": "AL", "hex": "5543", "core": ["cv_lexington", "cv_yorktown"]},
        ],
        air=[
            *({"id": unit, "steps": american, "level": 1} for unit in (LEX, YORK)),
            *({"id": unit, "steps": japanese, "level": 1} for unit in (SHO, ZUI)),
        ],
    )
    return missions(scene, ALLIES, detected=["J1", "A1"], advantage=ALLIES)


# in the air


def test_p28_8_a_strike_flies_where_little_cap_is_likely() -> None:
    table = carriers(6, 2)

    assert d.DeclareMission("strike_tf", "A1") == picked(table, ALLIES)


def test_p28_8_none_flies_through_cap_that_is_stronger_than_it_can_carry() -> None:
    table = carriers(1, 6)

    assert isinstance(picked(table, ALLIES), d.EndMissions)


def test_p28_1_it_does_not_know_which_steps_are_on_cap() -> None:
    table = carriers(6, 3)
    before = picked(table, ALLIES)
    screen = table.state.own[JAPAN]
    screen.air = {unit: replace(air, ready=0, cap=air.steps) for unit, air in screen.air.items()}

    assert before == picked(table, ALLIES)


def test_p28_1_cap_is_kept_over_transports_within_reach_of_bombers() -> None:
    scene = battle(
        tfs=[
            {"id": "J2", "side": "JP", "hex": "4640", "core": ["cvl_shoho"]},
            {"id": "J3", "side": "JP", "hex": "4640", "core": ["aa_jp10", "aa_jp12"]},
        ],
        air=[
            {"id": SHOHO, "steps": 2, "level": 1},
            {"id": "us_2e_3bg", "steps": 4, "level": 1, "base": "port_moresby"},
        ],
    )
    table = table_at(scene, AirMissions(side=ALLIES), detected=["J2", "J3"], advantage=ALLIES)

    assert d.AssignCAP(SHOHO, 2) == picked(table, JAPAN)


def test_p28_1_no_cap_is_kept_where_no_enemy_can_come() -> None:
    scene = battle(
        tfs=[{"id": "J2", "side": "JP", "hex": "4640", "core": ["cvl_shoho"]}],
        air=[{"id": SHOHO, "steps": 2, "level": 1}],
    )
    table = table_at(scene, AirMissions(side=ALLIES), detected=["J2"], advantage=ALLIES)

    assert isinstance(picked(table, JAPAN), d.Done)


# at sea


def meeting(*american: str) -> Table:
    """Return a table where Japanese cruisers meet American ships."""
    core = [ship for ship in american if ship.startswith("aa")]
    screen = [ship for ship in american if ship not in core]
    scene = battle(
        tfs=[
            fleet("J1", "ca_chokai_maya", "ca_aoba_kinugasa", "ca_furutaka_kako"),
            fleet("A1", *screen, core=core),
        ]
    )
    return table_at(scene, NavalBattles(), 5, 5, detected=["J1", "A1"])


def test_p29_1_cruisers_engage_transports_and_these_evade() -> None:
    table = meeting("aa_us1", "aa_us2", "dd_us8")

    assert isinstance(picked(table, JAPAN), d.Engage)
    assert isinstance(picked(table, ALLIES), d.Evade)


def test_p29_1_it_evades_what_is_stronger() -> None:
    scene = battle(
        tfs=[
            fleet("J1", "cl_tenryu_yubari", "dd_jp29", core=["aa_jp10"]),
            fleet("A1", "ca_us1", "ca_us2", "cl_us7", "dd_us1"),
        ]
    )
    table = table_at(scene, NavalBattles(), 5, 5, detected=["J1", "A1"])

    assert isinstance(picked(table, JAPAN), d.Evade)
    assert isinstance(picked(table, ALLIES), d.Engage)


def test_p29_2_fire_goes_where_points_times_chance_are_highest() -> None:
    table = meeting("dd_us7", "ca_us7")
    take(table, JAPAN, d.Engage())
    take(table, ALLIES, d.Engage())
    ranges(table, d.Close(), d.Close())
    ready = table.ahead(JAPAN, [d.Fire("ca_chokai_maya")])

    chosen = picked(ready, JAPAN)

    assert isinstance(chosen, d.At)
    assert "ca_us7" == chosen.target


# landings


def off_moresby(tf: str, node: str) -> Table:
    """Return E1 at Japan's movement with a task force moved to a node, and enemy fleets far away."""
    table = table_at("E1", Movement(side=JAPAN), cycle=2)
    for one, where in ((tf, node), ("A1", "5747"), ("A2", "5747")):
        table.state.open.tfs[one] = replace(table.state.open.tfs[one], node=where)
    table._advance()
    return table


def test_p23_6_troops_land_at_the_goal() -> None:
    chosen, why = explained(off_moresby("J3", MORESBY), JAPAN)

    assert d.Disembark("jp_ssd") == chosen
    assert "Put the troops ashore where they are wanted, the strongest first." == why


def test_p23_6_troops_land_nowhere_else() -> None:
    assert not isinstance(picked(off_moresby("J3", "4640"), JAPAN), d.Disembark)


def test_p23_6_a_convoy_that_can_reach_its_goal_sails_there() -> None:
    table = off_moresby("J3", "4541")
    take(table, JAPAN, d.MoveTF("J3"))

    assert d.SailTo(MORESBY) == picked(table, JAPAN)


# special submarines


def test_p34_1_it_hunts_with_the_task_force_that_is_best_at_it() -> None:
    hunt = Hunt(side=ALLIES, left=(KRS,))
    table = boats_at(hunt, boats={KRS: SpecialBoat("3420")}, enemies=("dd_us1", "dd_us2"), at="3420")
    table.state.open.tfs["A2"] = TaskForce(ALLIES, "3420")
    table.state.own[ALLIES].fleets["A2"] = Fleet(Contents((), ("dd_us3",)))
    table.state.own[ALLIES].ships["dd_us3"] = Ship("A2")
    table = Table(TITLES["pacific_war"], table.state, table.dice)
    assert [HuntSubmarine("A1"), HuntSubmarine("A2"), d.Pass()] == list(table.prompts[ALLIES].options)

    assert HuntSubmarine("A1") == picked(table, ALLIES)


def test_p34_2_the_sto_comes_within_reach_of_a_fleet_that_was_seen() -> None:
    boats = {STO: SpecialBoat("3420")}
    table = boats_at(Movement(side=JAPAN), boats=boats, enemies=(CARRIER,), at="3426")

    assert MoveBoat(STO) == picked(table, JAPAN)
    take(table, JAPAN, MoveBoat(STO))
    chosen = picked(table, JAPAN)
    assert isinstance(chosen, d.SailTo)
    assert (distance("3420", "3426"), distance(chosen.node, "3426")) == (6, 3)


def test_p34_2_the_sto_strikes_the_ship_that_is_worth_most() -> None:
    boats = {STO: SpecialBoat("3420")}
    table = boats_at(AirMissions(side=JAPAN), boats=boats, enemies=(CARRIER, DESTROYERS), at="3421")
    while (side := min(table.prompts)) != JAPAN or table.prompts[side].rule != "28.2":
        take(table, side, d.Done())

    assert STOStrike(STO, "strike_tf", CARRIER) == picked(table, JAPAN)
