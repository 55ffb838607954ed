"""P5.1 From 5.1.I to 5.1.M: each side by itself, both at once, to the end whatever they choose."""

from random import Random
from typing import Any

import pytest

from domain.kernel.audience import Audience
from domain.kernel.dice import Scripted, seeded
from domain.kernel.facts import Decided
from domain.kernel.procedures import Decision
from domain.kernel.table import Illegal, Table
from domain.pacific_war import PACIFIC_WAR
from domain.pacific_war.board.boxes import whereabouts
from domain.pacific_war.board.campaigns import months, of_side
from domain.pacific_war.board.charts import AIR, BOXES, GROUND, LOCATIONS
from domain.pacific_war.board.room import takes
from domain.pacific_war.board.table import printed, stack_room
from domain.pacific_war.board.war import Post
from domain.pacific_war.decisions import dispositions as d
from domain.pacific_war.decisions.cycle import Done
from domain.pacific_war.decisions.dispositions import (
    MoveHQ,
    RepairUnit,
    ReplaceAir,
    ReplaceGround,
    To,
    Transport,
)
from domain.pacific_war.decisions.orders_of_month import Suggested
from domain.pacific_war.facts.cycle import AirStepsLost, BaseIs, Covered, PatrolIs, ShipHit, There, UnitLost
from domain.pacific_war.facts.months import LinksAre, PostIs, war
from domain.pacific_war.months.administration import CHAPTERS, Administration
from domain.pacific_war.months.desk import Desk
from tests import seen
from tests.kernel.playing import copy_of
from tests.pacific_war.board import options, take, told
from tests.pacific_war.campaign import (
    ALLIES,
    DOCKYARDS,
    ENGINEERING,
    JAPAN,
    REPLACEMENTS,
    SUBMARINES,
    administration,
    alter,
    campaign_at,
    laid_out,
    of,
    through,
)
from tests.pacific_war.clash import check

POINTS = {
    JAPAN: {"points": {"hq_cf": 20, "hq_sea": 16}},
    ALLIES: {"points": {"hq_sopac": 30, "hq_swpa": 28}},
}

PUBLIC = {There, BaseIs, PostIs, Covered, PatrolIs, ShipHit, UnitLost, AirStepsLost}
"""P0.4: where units are, bases and headquarters; of a crippled ship under way, what a patrol does to it."""


def begun(**changes: Any) -> Table:
    """Return a table on which both sides begin."""
    return campaign_at(Administration(), **({"means": POINTS} | changes))


def test_p11_6_1_both_are_told_their_links_and_safe_paths_at_the_beginning() -> None:
    found = told(begun().facts, LinksAre)

    assert [JAPAN, ALLIES] == [one.side for one in found]
    assert all(one.safe for one in found)


def test_r_44_both_are_asked_at_once_each_by_the_rule_of_where_it_is() -> None:
    table = begun()
    assert {JAPAN: "13.1", ALLIES: "13.1"} == rules(table)
    take(table, JAPAN, Done())

    assert {JAPAN: "14.2", ALLIES: "13.1"} == rules(table)
    take(table, ALLIES, Transport("us_32div"), To("noumea"))
    assert {JAPAN: "14.2", ALLIES: "13.1"} == rules(table)
    take(table, ALLIES, Done())
    assert {JAPAN: "14.2", ALLIES: "14.1"} == rules(table)
    through(table, JAPAN)
    assert {ALLIES: "14.1"} == rules(table)
    through(table, ALLIES)
    assert {} == table.prompts
    assert [] == table.state.stack


def rules(table: Table) -> dict[int, str]:
    """Return the rule by which each side is asked."""
    return {side: prompt.rule for side, prompt in table.prompts.items()}


def test_r_73_any_headquarters_of_the_side_will_do() -> None:
    """Given a staff that commands British units alone, then Americans are Linked by it all the same."""
    posts = {"hq_sopac": Post(), "hq_swpa": Post(), "hq_malaya": Post("noumea")}
    units = {"us_147": {"steps": 2}, "us_1e_67fs": {"steps": 1}, "dd_us15": {"damage": 1}}
    table = begun(posts=posts, units=units)
    assert Transport("us_americal") in options(table, ALLIES)
    take(table, ALLIES, Done())
    while table.prompts[ALLIES].rule < "15.1":
        take(table, ALLIES, options(table, ALLIES)[-1])

    assert RepairUnit("dd_us15") in options(table, ALLIES)
    take(table, ALLIES, Done())
    assert {ReplaceGround("us_147"), ReplaceAir("us_1e_67fs")} <= {*options(table, ALLIES)}


def test_p5_1_j_k_l_m_the_chapters_come_in_the_order_of_the_rules() -> None:
    order = ["13.1", "11.2.1", "20.2.3", "14.1", "8.1", "11.7", "11.7", "14.2", "15.1", "16.1", "17.1"]

    assert order == [chapter.rule for chapter in CHAPTERS]


def test_p0_3_a_chapter_with_nothing_but_done_is_passed_without_asking() -> None:
    """Given Japan without points, damage and headquarters, then it is not asked at all."""
    posts = {"hq_cf": Post(), "hq_sea": Post()}
    table = begun(means={JAPAN: {"points": {}}}, posts=posts, bases={"shortland": {"osb": False}})
    swaps = [one for one in options(table, JAPAN) if not isinstance(one, Done)]

    assert JAPAN not in table.prompts or rules(table)[JAPAN] == "16.1"
    assert all(type(one).__name__ == "SwapLevels" for one in swaps)


def test_p0_3_1_quiet_are_first_picks_with_a_choice_of_seconds() -> None:
    table = begun()

    quiet = set(table.quiet(JAPAN))
    assert Transport("jp_ichiki") in quiet
    assert Transport("jp_sas5") not in quiet  # one place to go: it goes there at once
    assert Done() not in quiet
    with pytest.raises(Illegal):
        take(table, JAPAN, To("rabaul"))


def test_p0_3_1_a_pick_that_waits_is_asked_for_by_name() -> None:
    table = begun()
    take(table, ALLIES, MoveHQ("hq_swpa"))

    assert "Choose where [hq_swpa] goes." == table.prompts[ALLIES].text
    assert {To("noumea"), To("port_moresby"), To("suva")} == {*options(table, ALLIES)}
    take(table, JAPAN, Done())  # the other goes on meanwhile
    take(table, ALLIES, To("suva"))
    assert table.state.open.war is not None
    assert Post("suva") == table.state.open.war.posts["hq_swpa"]


def test_r_119_p0_4_3_who_has_something_left_to_choose_is_all_that_others_are_told_of_it() -> None:
    """Given the Allies at 5.1.M while Japan is at 5.1.I, with points for work there, or without."""
    last, no_bases = len(CHAPTERS) - 1, {"espiritu_santo": {"osb": False}, "port_moresby": {"osb": False}}
    told_others = []
    for points, asked in ((28, [JAPAN, ALLIES]), (0, [JAPAN])):
        means = POINTS | {ALLIES: {"points": {"hq_swpa": points}}}
        table = campaign_at(Administration(desks={"1": Desk(last)}), means=means, bases=no_bases)
        found = [seen.view(PACIFIC_WAR, table.state, Audience.of(side)) for side in (JAPAN, None)]
        assert [asked, asked] == [view.pop("asked") for view in found]
        told_others.append([found, table.prompts[JAPAN], len(table.facts)])

    assert told_others[0] == told_others[1]


def test_r_58_the_table_can_be_saved_between_any_two_decisions() -> None:
    table = begun()
    take(table, ALLIES, Transport("us_32div"))
    copy = Table(PACIFIC_WAR, PACIFIC_WAR.restore(PACIFIC_WAR.encode(table.state)), seeded(1))

    assert table.prompts == copy.prompts


@pytest.mark.parametrize("month", months("C1"))
@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(n, marks=pytest.mark.soak) for n in range(4, 20))]
)
def test_r_58_whatever_both_choose_they_come_to_the_end(month: str, seed: int) -> None:
    """Given a month with losses on both sides, when both choose at random, then both come through."""
    rng = Random(f"{month}{seed}")
    table = Table(PACIFIC_WAR, battered(month, rng).state, seeded(f"{month}{seed}"), Administration())
    count = 0
    while table.prompts:
        side = rng.choice(sorted(table.prompts))
        facts = take(table, side, _pick(rng, options(table, side)))
        shown = {type(fact) for fact in facts if fact.audience() is Audience.ALL}
        assert shown <= PUBLIC
        count += 1
        assert count < 600
    check(table)
    whole(table)
    assert [] == table.state.stack


def _pick(rng: Random, found: list[Decision]) -> Decision:
    """Return one of the options: each kind as likely as the others, and seldom `Done`."""
    kinds = sorted({type(one) for one in found}, key=lambda kind: kind.__name__)
    kind = rng.choice(
        [one for one in kinds if one is not Done or len(kinds) == 1 or rng.random() < 0.1] or kinds
    )
    return rng.choice([one for one in found if type(one) is kind])


def battered(month: str, rng: Random) -> Table:
    """Return a table after hard fighting: ships are damaged, units lost, bases hit, patrols at sea."""
    table = laid_out(month)
    for own in table.state.own:
        for ship in own.ships:
            hits = printed(table.state.open, ship).hits
            alter(table, units={ship: {"damage": rng.choice([0, 0, *range(hits)])}})
        for unit, air in own.air.items():
            if air.home not in own.ships and rng.random() < 0.25:
                alter(table, units={unit: {"home": "", "steps": 0}})
        for unit, ground in [*own.ground.items()]:
            alter(table, units={unit: {"steps": rng.randint(1, ground.steps), "broken": rng.random() < 0.1}})
    alter(
        table,
        bases={"rabaul": {"airbase_damage": 2}, "noumea": {"port_damage": 1, "command": True}},
        patrols={"6047": (JAPAN, 2), "5033": (ALLIES, 2)},
        means=POINTS,
        units={"aa_jp10": {"port": ""}, "jp_kure5": {"hex": "", "aboard": {"aa_jp10": 1}, "steps": 1}},
        posts={"hq_sea": Post(returns=month)},
    )
    table.state.own[JAPAN].means.penalty = {"aa_jp10": month}
    return table


def whole(table: Table) -> None:
    """Assert that units are within their figures, and nothing was spent that was not there."""
    board = table.state.open
    for own in table.state.own:
        assert all(points >= 0 for points in own.means.points.values())
        assert all(points >= 0 for points in (*own.means.transport.values(), *own.means.steps.values()))
        for unit, air in own.air.items():
            assert 0 <= air.steps <= AIR[unit].max_steps
            assert 0 <= air.level <= 2
            assert bool(air.home) == bool(air.steps)
        for unit, ground in own.ground.items():
            assert 0 <= ground.steps <= GROUND[unit].max_steps
            assert bool(ground.hex or ground.aboard) == bool(ground.steps)
            assert not ground.hex or ground.hex in BOXES or stack_room(own, ground.hex) >= 0
        assert all(0 <= one.damage <= printed(board, ship).hits for ship, one in own.ships.items())
    for base in board.bases.values():
        assert 0 <= base.airbase_damage <= base.airbase <= 4
        assert 0 <= base.port_damage <= base.port <= 4
        assert 0 <= base.fort <= 3


@pytest.mark.parametrize(
    ("decision", "words"),
    [
        (d.Transport("jp_ichiki"), "transport [jp_ichiki]"),
        (d.To("truk"), "to [truk]"),
        (d.RecallSubs("brisbane", 1), "recall 1 submarine point from [brisbane]"),
        (d.AssignSubs("noumea", 2), "assign 2 submarine points to [noumea]"),
        (d.BuildSubCommand("suva", "hq_sopac"), "build a Submarine Command at [suva], paid by [hq_sopac]"),
        (d.NewAirUnit("us_1e_35fg"), "raise [us_1e_35fg] anew"),
        (d.OfSteps(2), "with 2 steps"),
        (d.RepairAirbase("lae", 1, "hq_sea"), "repair 1 hit of the airbase of [lae], paid by [hq_sea]"),
        (d.RepairPort("lae", 2, "hq_sea"), "repair 2 hits of the port of [lae], paid by [hq_sea]"),
        (
            d.RepairResource("nauru", 2, "hq_cf"),
            "repair 2 levels of the resource of [nauru], paid by [hq_cf]",
        ),
        (d.BuildFort("lae", "hq_sea"), "build on the fort of [lae], paid by [hq_sea]"),
    ],
)
def test_p40_p11_8_a_decision_is_said_in_words_with_who_pays(decision: Decision, words: str) -> None:
    assert words == decision.words()


def test_p0_9_1_nothing_is_proposed_that_nobody_can_pay() -> None:
    """Given an airbase with 2 hits and one point, then one hit is proposed, and for another base nothing."""
    table = administration(
        ENGINEERING,
        ALLIES,
        bases={"efate": {"airbase_damage": 1}, "noumea": {"airbase_damage": 2}},
        means={ALLIES: {"points": {"hq_sopac": 1}}},
    )

    assert ("repair 1 hit of the airbase of [efate], paid by [hq_sopac]",) == suggested(table, ALLIES).picks


# P0.9.1

HURT: dict[str, dict[str, Any]] = {
    "us_1e_67fs": {"steps": 1},
    "us_1e_35fg": {"steps": 2},
    "us_1e_49fg": {"steps": 6},
    "us_2e_3bg": {"steps": 3},
    "us_2mar": {"steps": 1},
    "us_37div": {"steps": 4},
}


def suggested(table: Table, side: int) -> Suggested:
    """Return the option that takes the house's proposal."""
    (one,) = of(table, side, Suggested)
    assert isinstance(one, Suggested)
    return one


def test_p0_9_1_the_proposal_is_shown_before_it_is_taken() -> None:
    """Given fighters of 1 and 2 steps, then these get as many as they had, so that no level is lost."""
    table = administration(REPLACEMENTS, ALLIES, units=HURT)
    words = suggested(table, ALLIES).words()

    assert ["a step to [us_1e_67fs]", *["a step to [us_1e_35fg]"] * 2] == [
        one for one in suggested(table, ALLIES).picks if "_1e_" in one
    ]
    assert ["a step to [us_2mar]"] * 2 + ["a step to [us_37div]"] == [
        one for one in suggested(table, ALLIES).picks if "us_2mar" in one or "us_37div" in one
    ]
    assert words.startswith("as the house suggests: a step to [cw_2e_nz]; ")


@pytest.mark.parametrize(
    ("rule", "changes"),
    [
        (REPLACEMENTS, {"units": HURT}),
        (
            DOCKYARDS,
            {
                "units": {
                    ship: {"port": "brisbane", "damage": 1}
                    for ship in ("dd_us1", "dd_us2", "dd_us4", "ca_us1", "cv_wasp", "bb_north_carolina")
                }
            },
        ),
        (
            ENGINEERING,
            {
                "bases": {
                    "noumea": {"airbase_damage": 2, "port_damage": 1},
                    "efate": {"airbase_damage": 1},
                    "suva": {"port_damage": 2},
                },
                "means": {ALLIES: {"points": {"hq_sopac": 3, "hq_swpa": 2}}},
            },
        ),
        (SUBMARINES, {"means": {ALLIES: {"pool": 2}}}),
    ],
)
def test_p0_9_1_p41_it_is_recorded_as_the_decisions_it_stands_for(rule: str, changes: dict[str, Any]) -> None:
    table = administration(rule, ALLIES, **changes)
    option = suggested(table, ALLIES)
    facts = take(table, ALLIES, option)
    taken = [
        PACIFIC_WAR.decision(bytes(fact.decision)).words()
        for fact in facts
        if isinstance(fact, Decided) and fact.how == "forced"
    ]
    last = taken.index("done") if "done" in taken else len(taken)
    assert [*option.picks] == taken[:last]

    single = administration(rule, ALLIES, **changes)
    singly(single, ALLIES, option)
    assert single.state.own == table.state.own
    assert single.state.open == table.state.open


def test_p0_9_1_ships_of_most_worth_are_repaired_first() -> None:
    """Given a dock for 2 at Brisbane, then the carrier and the battleship go before a cruiser."""
    hurt = {ship: {"port": "brisbane", "damage": 1} for ship in ("dd_us1", "ca_us1", "cv_wasp")}
    table = administration(
        DOCKYARDS, ALLIES, units=hurt | {"bb_north_carolina": {"port": "brisbane", "damage": 1}}
    )

    assert ("repair [cv_wasp]", "repair [bb_north_carolina]", "repair [dd_us1]") == suggested(
        table, ALLIES
    ).picks


def test_p0_9_1_p0_8_where_nothing_is_proposed_time_that_has_run_out_is_done() -> None:
    table = begun()

    assert "13.1" == table.prompts[ALLIES].rule
    assert [] == of(table, ALLIES, Suggested)
    assert Done() == PACIFIC_WAR.default(table.state, ALLIES, table.prompts[ALLIES])


def test_p0_8_it_is_what_is_done_when_time_has_run_out() -> None:
    table = administration(REPLACEMENTS, ALLIES, units=HURT)
    prompt = table.prompts[ALLIES]

    assert suggested(table, ALLIES) == PACIFIC_WAR.default(table.state, ALLIES, prompt)


SEEDS = [*range(2), *(pytest.param(n, marks=pytest.mark.soak) for n in range(2, 20))]


@pytest.mark.parametrize("seed", SEEDS)
def test_p0_9_1_p41_16_whatever_the_month_what_is_taken_is_what_was_shown(seed: int) -> None:
    """Given a month with losses, when each proposal is taken, then it is what it said, and no die falls."""
    table = Table(PACIFIC_WAR, battered("1942-08", Random(seed)).state, Scripted(()), Administration())

    assert {"13.1", "14.1", "15.1", "16.1"} <= taken_as_shown(table)


@pytest.mark.parametrize("seed", SEEDS[1:])
def test_p0_9_1_p13_2_4_p41_16_so_it_is_in_the_war_where_many_lie_in_boxes(seed: int) -> None:
    """Given February 1944 with losses, and a third of what the boxes take of the Allies in them."""
    table = Table(PACIFIC_WAR, crowded(Random(seed)).state, Scripted(()), Administration())

    assert {"13.1", "15.1", "16.1"} <= taken_as_shown(table)


def crowded(rng: Random) -> Table:
    """Return the war after hard fighting: ships and troops are hurt, a third of the Allies lie in boxes."""
    table = laid_out("1944-02", "S2")
    board, own = table.state.open, table.state.own[ALLIES]
    hurt: dict[str, dict[str, Any]] = {
        ship: {"damage": rng.choice([0, 0, *range(printed(board, ship).hits)])}
        for one in table.state.own
        for ship in one.ships
    }
    hurt |= {unit: {"steps": rng.randint(1, ground.steps)} for unit, ground in own.ground.items()}
    staffs = [hq for hq, post in war(board).posts.items() if post.site]
    means = {
        s: {"points": {hq: rng.randint(0, 9) for hq in staffs if of_side(hq) == s}} for s in (JAPAN, ALLIES)
    }
    alter(table, units=hurt, means=means)
    for unit in [*own.ships, *own.air, *own.ground]:
        field = "port" if unit in own.ships else "home" if unit in own.air else "hex"
        boxes = [box for box in BOXES if takes(board, own, box, unit)]
        afloat = unit in own.air and own.air[unit].home in own.ships
        if boxes and not afloat and whereabouts(own, unit) in LOCATIONS and rng.random() < 1 / 3:
            alter(table, units={unit: {field: rng.choice(boxes)}})
    return table


def taken_as_shown(table: Table) -> set[str]:
    """Take each proposal of both sides, and pick by pick beside it; return the rules of those there were."""
    rules = set[str]()
    for side in (JAPAN, ALLIES):
        while side in table.prompts:
            found = of(table, side, Suggested)
            if not found:
                take(table, side, Done() if Done() in options(table, side) else options(table, side)[-1])
                continue
            rules.add(table.prompts[side].rule)
            single = Table(PACIFIC_WAR, copy_of(PACIFIC_WAR, table.state), Scripted(()))
            take(table, side, found[0])
            singly(single, side, found[0])
            assert single.state.own == table.state.own
            assert single.state.open == table.state.open
    check(table)
    whole(table)
    return rules


def singly(table: Table, side: int, option: Suggested) -> None:
    """Take one by one what an option stands for, and be done where one may be."""
    text = table.prompts[side].text
    for said in option.picks:
        (first,) = [one for one in options(table, side) if said.startswith(one.words())]
        take(table, side, first)
        if side in table.prompts and said.endswith(tuple(one.words() for one in of(table, side, To))):
            (second,) = [one for one in of(table, side, To) if said.endswith(one.words())]
            take(table, side, second)
    if side in table.prompts and table.prompts[side].text == text and Done() in options(table, side):
        take(table, side, Done())
