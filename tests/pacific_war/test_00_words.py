"""P0.1, P0.4.1 What the log says of units: short sentences, a unit or two by name, more by their number."""

from re import search

import pytest

from domain.kernel.facts import Fact
from domain.kernel.procedures import Decision
from domain.pacific_war import PACIFIC_WAR, PROCEDURES
from domain.pacific_war.battle.naval import NavalBattles
from domain.pacific_war.board.table import (
    Air,
    Base,
    Contents,
    Fleet,
    Ground,
    NavalBattle,
    Plan,
    Raid,
    Ship,
    TaskForce,
)
from domain.pacific_war.decisions import cycle as d
from domain.pacific_war.facts.cycle import (
    AdvantageIs,
    BaseIs,
    Covered,
    LightingIs,
    MarkerPlaced,
    Noticed,
    Sailed,
    ShipHit,
    Shown,
    There,
    UnitsAre,
)
from domain.pacific_war.facts.fighting import CapIs, NavalBattleIs, OrdersGiven, RaidsAre, TookOff, WentAshore
from domain.pacific_war.facts.secrets import OwnUnits, Planned
from domain.pacific_war.months.administration import CHAPTERS
from tests.pacific_war.board import battle, table_at, told
from tests.pacific_war.clash import ALLIES, JAPAN, act, fleet

CARRIERS = Contents(
    ("cv_akagi", "cvl_zuiho"), ("ca_tone_chikuma", "cl_sendai_yura", "ca_atago_takao", "dd_jp7")
)
CARRIED = (("cv", "akagi"), ("cv", "kaga"), ("cvl", "zuiho"))


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (
            Shown({"J1": CARRIERS}, nodes={"J1": "2813"}),
            "[side:0]'s [J1] at hex 2813 is shown: 2 carriers, 3 cruisers, 1 destroyer",
        ),
        (
            Shown(
                {"A1": Contents(("aa_us1",), ("dd_us2",))},
                {"dd_us2": Ship("A1"), "aa_us1": Ship("A1")},
                ground={"us_1mardiv": Ground(aboard={"aa_us1": 3}, steps=3)},
                nodes={"A1": "5340"},
            ),
            "The [side:1]' [A1] at [guadalcanal] is shown: 1 destroyer, 1 transport, [us_1mardiv] (3 steps)",
        ),
        (
            Shown(
                {"J1": Contents(("cv_akagi", "cv_kaga", "cvl_zuiho"))},
                air={f"cvg_{name}": Air(f"{kind}_{name}", 5, 1) for kind, name in CARRIED},
                nodes={"J1": "5340"},
            ),
            "[side:0]'s [J1] at [guadalcanal] is shown: 3 carriers, 3 air units of 15 steps",
        ),
        (
            Shown(ships={ship: Ship(port="pearl_harbor") for ship in ("bb_arizona", "bb_nevada", "dd_us1")}),
            "Shown in port at [pearl_harbor]: 2 battleships, 1 destroyer",
        ),
        (
            Shown(ships={"dd_us1": Ship(port="wake", damage=1)}, air={"us_1e_wake": Air("wake", 2, 1)}),
            "Shown in port at [wake]: [dd_us1] (1 hit); shown at [wake]: [us_1e_wake] (2 steps of level 1)",
        ),
        (
            Shown(ground={"jp_ssd": Ground("4439", {}, 4, broken=True), "jp_kure5": Ground("4338", {}, 1)}),
            "Shown at [lae]: [jp_ssd] (4 steps, Broken); shown at hex 4338: [jp_kure5] (1 step)",
        ),
        (
            Shown(
                air={"cvg_akagi": Air("cv_akagi", 5, 2)},
                ground={"jp_ssd": Ground("", {"aa_jp10": 2}, 2, landing=True)},
            ),
            (
                "Shown aboard [cv_akagi]: [cvg_akagi] (5 steps of level 2); "
                "shown aboard [aa_jp10]: [jp_ssd] (2 steps, Landing)"
            ),
        ),
        (
            UnitsAre({"J1": CARRIERS}, {"dd_jp8": Ship("J2", damage=2)}),
            "Now [J1] has 2 carriers, 3 cruisers, 1 destroyer; in [J2]: [dd_jp8] (2 hits)",
        ),
        (
            UnitsAre(
                {"J1": Contents()}, {"dd_jp8": Ship()}, {"cvg_akagi": Air()}, {"jp_ssd": Ground(steps=0)}
            ),
            "Now [J1] has no ship; gone: [dd_jp8], [cvg_akagi], [jp_ssd]",
        ),
        (
            Covered(("J1",), ("cv_akagi", "dd_jp7", "dd_jp8"), ("cvg_akagi",)),
            "Out of sight: [J1], 3 ships, [cvg_akagi]",
        ),
        (
            OwnUnits(
                0,
                {"J1": Fleet(CARRIERS), "J2": None},
                air={"cvg_akagi": Air("cv_akagi", 5, 2, ready=3, cap=1)},
                why="on CAP",
            ),
            (
                "Own units of [side:0], on CAP: [J1] 2 carriers, 3 cruisers, 1 destroyer; [J2] is dissolved; "
                "[cvg_akagi]: 5 steps, 3 ready, 1 on CAP"
            ),
        ),
        (
            OwnUnits(1, air={"us_1maw_1e": Air("noumea", 3, 1, active=False)}, why="replacements"),
            "Own units of the [side:1], replacements: at [noumea]: [us_1maw_1e] (3 steps of level 1)",
        ),
        (
            OwnUnits(1, {}, {"dd_us1": Ship("A1")}, {}, {"us_24div": Ground("4440", {}, 9)}, {"6617": 2}),
            (
                "Own units of the [side:1]: in [A1]: [dd_us1]; at [port_moresby]: [us_24div] (9 steps); "
                "patrol at [midway]: 2 points"
            ),
        ),
        (
            OwnUnits(
                0,
                {"J1": Fleet()},
                {"dd_jp7": Ship("J1"), "dd_jp8": Ship("J1")},
                {"cvg_akagi": Air("cv_akagi", 5, 2)},
                {"jp_ssd": Ground("4439", {}, 4)},
                {"6617": 1},
            ),
            "Own units of [side:0]: 1 task force; 2 ships; 1 air unit; 1 ground unit; 1 patrol",
        ),
        (OwnUnits(0), "Own units of [side:0]: as before"),
        (
            BaseIs("wake", Base(1, port=1, port_damage=1, airbase=1, fort=1), "is hit"),
            "[wake] is hit: port 1 damaged 1, airbase 1, fort 1, held by the [side:1]",
        ),
        (
            BaseIs("palembang", Base(0, port=1, resource_damage=2), "burns"),
            "[palembang] burns: port 1, resource damaged 2, held by [side:0]",
        ),
        (
            Noticed({"J1": True, "A1": False, "A2": False}),
            "In a naval battle of this cycle count [J1] as Detected and [A1], [A2] as Undetected",
        ),
    ],
)
def test_p0_4_1_what_is_shown_is_said_in_few_words(fact: Fact, words: str) -> None:
    assert words == PACIFIC_WAR.words(fact)


def test_p0_4_1_a_task_force_is_shown_where_it_is() -> None:
    """Given cruisers that meet, then each force is told with its hex in a line."""
    tfs = [fleet("J1", "ca_atago_takao", "dd_jp7"), fleet("A1", "ca_us1")]
    table = table_at(battle(tfs=tfs), NavalBattles(), 5, 5)
    act(table, JAPAN, d.Engage())
    facts = act(table, ALLIES, d.Engage())

    assert [
        "[side:0]'s [J1] at hex 5543 is shown: 1 cruiser, 1 destroyer",
        "The [side:1]' [A1] at hex 5543 is shown: 1 cruiser",
    ] == [PACIFIC_WAR.words(one) for one in told(facts, Shown)]


@pytest.mark.parametrize(
    ("picks", "words"),
    [
        ((d.Engage(), d.Evade()), "At hex 5543 [side:0] engages, the [side:1] evade"),
        ((d.Evade(), d.Evade()), "At hex 5543 [side:0] evades, the [side:1] evade: there is no combat"),
    ],
)
def test_p29_1_one_side_does_and_the_others_do(picks: tuple[Decision, Decision], words: str) -> None:
    tfs = [fleet("J1", "ca_atago_takao"), fleet("A1", "ca_us1")]
    table = table_at(battle(tfs=tfs), NavalBattles(), 9)
    act(table, JAPAN, picks[0])
    facts = act(table, ALLIES, picks[1])

    assert words in [PACIFIC_WAR.words(one) for one in facts]


STRIKE = Raid(0, "strike_tf", "A1", "J1", {"cvg_akagi": 2}, {"cvg_kaga": 1})


@pytest.mark.parametrize(
    ("fact", "words"),
    [
        (LightingIs("Day"), "The cycle is fought by day"),
        (LightingIs("Night"), "The cycle is fought at night"),
        (AdvantageIs(1, (4, 7)), "The [side:1] have the Advantage: 4 against 7"),
        (AdvantageIs(0), "[side:0] has the Advantage"),
        (There("airfields", 0, "lae", there=True), "[side:0] has air units at [lae]"),
        (There("troops", 1, "4338", there=False), "The [side:1] have no ground units at hex 4338"),
        (MarkerPlaced("A3", TaskForce(1, "5540")), "The [side:1] form [A3] at hex 5540"),
        (ShipHit("dd_us1", 1, 1, 3), "[dd_us1] takes 1 hit: 1 of 3"),
        (ShipHit("ca_us1", 2, 2, 4), "[ca_us1] takes 2 hits: 2 of 4, crippled"),
        (ShipHit("dd_us1", 3, 3, 3), "[dd_us1] takes 3 hits: 3 of 3, sunk"),
        (Sailed("J1", ("5541",), known=False), "[J1] sails 1 hex, to hex 5541"),
        (Sailed("J1", ("5541", "5542"), known=False), "[J1] sails 2 hexes, to hex 5542"),
        (Covered(ships=("dd_jp7", "dd_jp8")), "Out of sight: [dd_jp7], [dd_jp8]"),
        (
            RaidsAre((STRIKE,), "A mission flies"),
            (
                "A mission flies: [side:0], strike at ships at [A1] from [J1], with 2 steps of [cvg_akagi], "
                "escorted by 1 step of [cvg_kaga]"
            ),
        ),
        (
            RaidsAre((Raid(1, "strike_ground", "4740a"),), "After flak"),
            "After flak: the [side:1], strike at ground units at [milne_bay], coast a, with nobody left",
        ),
        (TookOff(0, {"jn_2e_25af": 2}, "rabaul"), "2 steps of [jn_2e_25af] take off from [rabaul]"),
        (TookOff(0, {"cvg_akagi": 1}), "1 step of [cvg_akagi] takes off"),
        (
            CapIs(1, "5543", {"cvg_lexington": 2}),
            "CAP of the [side:1] over hex 5543: 2 steps of [cvg_lexington]",
        ),
        (
            NavalBattleIs(NavalBattle("5340a", (("J1",), ("A1",))), "The combat begins at long range"),
            "At [guadalcanal] the combat begins at long range",
        ),
        (
            NavalBattleIs(NavalBattle("5543", (("J1",), ("A1",))), "The combat begins"),
            "At hex 5543 the combat begins",
        ),
        (NavalBattleIs(NavalBattle("5543", (("J1",), ("A1",)), phase=1), "Combat phase 1"), "Combat phase 1"),
        (
            OrdersGiven(0, {"ca_atago_takao": "ca_us1", "dd_jp7": "fort:wake"}, ("ca_atago_takao",)),
            "Fire orders of [side:0]: [ca_atago_takao] at [ca_us1] with torpedoes, [dd_jp7] at the fort",
        ),
        (OrdersGiven(1, {}, ()), "Fire orders of the [side:1]: none"),
        (WentAshore(("jp_ssd",), 0, "4439"), "[jp_ssd] lands at [lae]"),
        (WentAshore(("jp_ssd", "jp_kure5"), 0, "4338"), "[jp_ssd], [jp_kure5] land at hex 4338"),
        (
            Planned(0, Plan("strike_tf", "J1", "A1", {"cvg_akagi": 2}, {"cvg_kaga": 1})),
            (
                "Planned by [side:0]: strike at ships, from [J1], at [A1]: 2 steps of [cvg_akagi], "
                "1 step of [cvg_kaga]"
            ),
        ),
        (
            Planned(1, Plan("ferry", "us_1e_35fg")),
            "Planned by the [side:1]: ferry, with [us_1e_35fg]: nobody yet",
        ),
    ],
)
def test_p0_1_what_happens_is_said_in_a_sentence(fact: Fact, words: str) -> None:
    assert words == PACIFIC_WAR.words(fact)


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (d.AddSteps("cvg_akagi", "strike", 1), "1 step of [cvg_akagi] strikes"),
        (d.AddSteps("cvg_akagi", "escort", 3), "3 steps of [cvg_akagi] escort"),
        (d.AssignCAP("cvg_akagi", 1), "CAP: 1 step of [cvg_akagi]"),
    ],
)
def test_p28_3_steps_are_chosen_in_a_sentence(decision: Decision, words: str) -> None:
    assert decision.words() == words


def test_p0_3_no_question_names_a_phase_by_its_number() -> None:
    """Given every question with a sentence of its own, and every chapter of a month."""
    asked = {
        step.text: f"{procedure.__name__}.{step.name}"
        for procedure in PROCEDURES
        for step, _ in procedure.steps.values()
        if step.by and not step.sentence
    } | {chapter.text: chapter.rule for chapter in CHAPTERS}

    assert 20 < len(asked)
    assert {} == {text: where for text, where in asked.items() if search(r"\bP?\d+\.\d|\bR-\d", text)}
